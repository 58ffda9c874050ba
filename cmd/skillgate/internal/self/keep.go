package self

import (
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
// so that a prompt that comes meanwhile finds one that answers it.
func Keep(called, home string) error {
	to := Lasting(home)
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
	}
	return nil
}

// Kept returns the programs that are where Keep, or the installer, puts them.
func Kept(home string) (files []string) {
	for _, file := range []string{Lasting(home), program.Complete(Lasting(home))} {
		if _, err := os.Stat(file); err == nil {
			files = append(files, file)
		}
	}
	return files
}
