package index

import (
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// mapFile maps a file for reading and returns nil for an empty one. If the file is truncated later, reading beyond
// its end causes a memory fault.
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

func unmap(data []byte) {
	if data != nil {
		system.Unmap(data)
	}
}
