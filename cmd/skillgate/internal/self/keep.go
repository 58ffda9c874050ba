package self

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// Passing reports whether path is in a folder of npx, yarn dlx, pnpm or bunx, which empty or rename their folders
// with each version.
func Passing(path string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(path), "/"), func(folder string) bool {
		return folder == "_npx" || folder == ".pnpm" || folder == "dlx" ||
			strings.HasPrefix(folder, "dlx-") || strings.HasPrefix(folder, "bunx-") || strings.HasPrefix(folder, "xfs-")
	})
}

// Lasting returns the path to which Keep copies the program.
func Lasting(home string) string { return filepath.Join(home, ".local", "bin", "skillgate") }

// Keep copies the program at path to Lasting(home), together with the complete program if path is the small one. The
// two must be of the same version, so both copies are written before either replaces an existing program.
func Keep(path, home string) error {
	to := Lasting(home)
	if err := keep(path, to); err != nil {
		return fmt.Errorf("copy skillgate to %s: %w", filepath.Dir(to), err)
	}
	return nil
}

func keep(called, to string) error {
	complete, err := stage(system.CompleteProgram(called), system.CompleteProgram(to))
	if errors.Is(err, fs.ErrNotExist) {
		complete, err = nil, nil // called is the complete program itself
	}
	if err != nil {
		return err
	}
	if complete != nil {
		defer complete.Close()
	}
	small, err := stage(called, to)
	if err != nil {
		return err
	}
	defer small.Close()
	if complete == nil {
		return small.Put()
	}
	back := complete.Undo
	old, err := stage(system.CompleteProgram(to), system.CompleteProgram(to))
	if err == nil {
		defer old.Close()
		back = old.Put
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return putBoth(complete.Put, small.Put, back)
}

func stage(from, to string) (*disk.Staged, error) {
	text, err := os.ReadFile(from)
	if err != nil {
		return nil, err
	}
	if err := replaceable(to); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return nil, err
	}
	return disk.Stage(to, text, disk.Options{Run: true})
}

func replaceable(file string) error {
	const mark, most = "github.com/skillgate/skillgate", 1 << 30
	text, err := regular.Read(file, most)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && (len(text) == 0 || bytes.Contains(text, []byte(mark))):
		return nil
	case err == nil:
		err = fmt.Errorf("%s is not a skillgate program; move it to another folder", file)
	}
	return err
}

// putBoth replaces both programs or neither; back undoes the first replacement.
func putBoth(complete, small, back func() error) error {
	if err := complete(); err != nil {
		return err
	}
	if err := small(); err != nil {
		return errors.Join(err, back())
	}
	return nil
}

// Kept returns the existing programs at the paths that Keep and the installer use.
func Kept(home string) (files []string) {
	for _, file := range []string{Lasting(home), system.CompleteProgram(Lasting(home))} {
		if _, err := os.Stat(file); err == nil {
			files = append(files, file)
		}
	}
	return files
}
