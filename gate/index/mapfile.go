package index

import (
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/skillgate/skillgate/gate/regular"
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
	data, err := unix.Mmap(int(f.Fd()), 0, int(fi.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("%s: mmap: %w", file, err)
	}
	return data, nil
}

// unmap ends what mapFile began.
func unmap(data []byte) error {
	if data == nil {
		return nil
	}
	return unix.Munmap(data)
}
