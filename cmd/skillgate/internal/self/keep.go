package self

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/atomicfile"
	"github.com/skillgate/skillgate/gate/program"
)

// Passing reports whether path lies in a folder that a package runner or manager empties, or
// names anew for each version: npx, yarn dlx, pnpm and bunx have such.
func Passing(path string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(path), "/"), func(folder string) bool {
		return folder == "_npx" || folder == ".pnpm" || folder == "dlx" ||
			strings.HasPrefix(folder, "dlx-") || strings.HasPrefix(folder, "bunx-") || strings.HasPrefix(folder, "xfs-")
	})
}

// Lasting is where Keep puts the program that users call.
func Lasting(home string) string { return filepath.Join(home, ".local", "bin", "skillgate") }

// Keep copies the installation whose small program is called to where it outlives an upgrade,
// in the place of what is there. Each file is replaced in one step, the complete program first,
// so that a prompt that comes meanwhile finds one that answers it. What was written is noted in the
// state folder for Unkeep.
func Keep(called, home, state string) error {
	to := Lasting(home)
	var note strings.Builder
	for _, file := range [][2]string{{program.Complete(called), program.Complete(to)}, {called, to}} {
		text, err := os.ReadFile(file[0])
		if errors.Is(err, fs.ErrNotExist) && file[0] != called {
			continue // the program that is called is the complete one
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(file[1]), 0o755)
		}
		if err == nil {
			err = atomicfile.Write(file[1], text, atomicfile.Options{Run: true})
		}
		if err != nil {
			return fmt.Errorf("copy skillgate to %s: %w", filepath.Dir(to), err)
		}
		fmt.Fprintf(&note, "%x %s\n", sha256.Sum256(text), file[1])
	}
	err := os.MkdirAll(state, 0o700)
	if err == nil {
		err = atomicfile.Write(filepath.Join(state, copies), []byte(note.String()), atomicfile.Options{})
	}
	if err != nil {
		return fmt.Errorf("note the copies of skillgate: %w", err)
	}
	return nil
}

// copies is the file in the state folder that says what Keep wrote: a SHA-256 and a path a line.
const copies = "copies"

// Unkeep removes what Keep wrote and nothing has changed since, and returns the paths.
func Unkeep(home, state string) (removed []string, err error) {
	text, err := os.ReadFile(filepath.Join(state, copies))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for line := range strings.Lines(string(text)) {
		sum, file, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !ok || file != Lasting(home) && file != program.Complete(Lasting(home)) {
			continue
		}
		now, readErr := os.ReadFile(file)
		if readErr != nil || fmt.Sprintf("%x", sha256.Sum256(now)) != sum {
			continue // it is gone, or another version
		}
		if err := os.Remove(file); err != nil {
			return removed, fmt.Errorf("remove the copy of skillgate: %w", err)
		}
		removed = append(removed, file)
	}
	if err == nil {
		_ = os.Remove(filepath.Dir(program.Complete(Lasting(home)))) // where it holds nothing else
		err = os.Remove(filepath.Join(state, copies))
	}
	if err != nil {
		return removed, fmt.Errorf("remove the copy of skillgate: %w", err)
	}
	return removed, nil
}
