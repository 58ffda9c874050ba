package index

import (
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// mapFile maps a file for reading; an empty file is nil. Reading where the file was
// cut since is a fault.
func mapFile(file string) ([]byte, error) {
	f, err := regular.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || fi.Size() == 0 {
		return nil, err
	}
	return system.Map(f, fi.Size())
}

// unmap ends what mapFile began.
func unmap(data []byte) {
	if data != nil {
		system.Unmap(data)
	}
}
