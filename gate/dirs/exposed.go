package dirs

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/skillgate/skillgate/gate/system"
)

// Exposed returns at most `most` paths below folder that users other than the owner may access, with their modes.
func Exposed(folder string, most int) ([]string, error) {
	if !system.Modes {
		return nil, nil
	}
	var open []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		info, err := entry.Info()
		if err != nil { // the file was removed in the meantime
			return nil
		}
		if info.Mode().Type() != fs.ModeSymlink && info.Mode().Perm()&0o077 != 0 {
			open = append(open, fmt.Sprintf("%s (%v)", path, info.Mode().Perm()))
			if len(open) == most {
				return fs.SkipAll
			}
		}
		return nil
	})
	return open, err
}
