package artifact

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/regular"
)

// Lock is a skills-lock.json, which `npx skills` keeps beside a project's skills.
type Lock struct {
	Version int `json:"version"`
	Skills  map[string]struct {
		Source string `json:"source"`
		Hash   string `json:"computedHash"`
	} `json:"skills"`
}

// ErrDiffers says that a skill is not the one that was locked.
var ErrDiffers = errors.New("differs from what was locked")

const maxLock = 8 << 20 // bytes

// ReadLock reads a lock file.
func ReadLock(file string) (*Lock, error) {
	text, err := regular.Read(file, maxLock)
	if err != nil {
		return nil, err
	}
	l := new(Lock)
	if err := json.Unmarshal(text, l); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if l.Version != 1 {
		return nil, fmt.Errorf("%s: version %d, want 1", file, l.Version)
	}
	return l, nil
}

// Names are the skills in the lock.
func (l *Lock) Names() iter.Seq[string] { return maps.Keys(l.Skills) }

// Check compares the skill of that name in folder with the lock.
func (l *Lock) Check(name, folder string) error {
	if !filepath.IsLocal(name) || strings.ContainsAny(name, `/\`) {
		return fmt.Errorf("a skill named %q", name)
	}
	root, err := os.OpenRoot(filepath.Join(folder, name))
	if err != nil {
		return err
	}
	defer root.Close()
	var files []string
	err = fs.WalkDir(root.FS(), ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.Type().IsRegular():
			files = append(files, file)
		}
		return nil
	})
	if err != nil {
		return err
	}
	hash, err := FolderHash(root.FS(), "", files)
	if err == nil && hash != l.Skills[name].Hash {
		return ErrDiffers
	}
	return err
}
