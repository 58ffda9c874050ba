package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// Dir returns the folder for the index of a scope, below cache (dirs.Dirs.Cache). Its name depends on the format and
// the analyzer, so that two versions of skillgate can run side by side. A scope is "shared:" + the host's config folder
// or "project:" + a project's folder.
func Dir(cache, scope string) string {
	return dirOf(cache, scope, Format, AnalyzerVersion)
}

func dirOf(cache, scope string, format int, analyzer string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", format, analyzer, scope))
	return filepath.Join(cache, "index", hex.EncodeToString(sum[:8]))
}

// ErrNoIndex means that a folder has no complete generation.
var ErrNoIndex = errors.New("there is no complete index")

const maxPointer = 64 // bytes of CURRENT, which contains only the name of a generation

const keepGenerations = 2 // a reader may still be opening the previous generation

func current(dir string) (string, error) {
	name, err := regular.Read(filepath.Join(dir, "CURRENT"), maxPointer)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: %w", dir, ErrNoIndex)
	}
	if err != nil {
		return "", err
	}
	gen := strings.TrimSpace(string(name))
	if generationNumber(gen) < 0 {
		return "", fmt.Errorf("%s/CURRENT: %q is not the name of a generation: %w", dir, gen, ErrNoIndex)
	}
	return filepath.Join(dir, gen), nil
}

// verify reads a whole generation: it compares the postings with their checksums, opens the index and reads every
// document record. A refresh starts from scratch if verify fails.
func verify(gen string) error {
	if err := system.Caught(func() error { return readAll(gen) }); err != nil {
		return fmt.Errorf("index: %s: %w", gen, err)
	}
	return nil
}

func readAll(gen string) error {
	for _, name := range []string{"base.lists", "delta.lists"} {
		// If the missing file is needed, openGeneration reports it.
		if err := checkLists(filepath.Join(gen, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	x, err := openGeneration(gen)
	if err != nil {
		return err
	}
	defer x.Close()
	for _, s := range x.segments {
		for i := range s.n {
			if _, err := s.docs.read(i, s.docs.text(i), false); err != nil {
				return err
			}
		}
	}
	return nil
}

// generationNumber returns N for "gen-N" and -1 for any other name.
func generationNumber(name string) int {
	digits, ok := strings.CutPrefix(name, "gen-")
	if !ok {
		return -1
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || strconv.Itoa(n) != digits {
		return -1
	}
	return n
}

// newest returns the highest generation number in dir, or 0.
func newest(dir string) int {
	top := 0
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		top = max(top, generationNumber(e.Name()))
	}
	return top
}

// publish renames the finished folder tmp to gen-n and makes it the newest generation.
func publish(dir string, tmp *disk.Temp, n int) error {
	name := "gen-" + strconv.Itoa(n)
	if err := syncTree(tmp.Path); err != nil {
		return err
	}
	if err := tmp.Give(".", filepath.Join(dir, name)); err != nil {
		return err
	}
	return disk.Keep(filepath.Join(dir, "CURRENT"), disk.Index, []byte(name+"\n"), disk.Options{Sync: true})
}

// sweep removes leftovers of killed builders, and all generations except the newest two. Errors are ignored, since the
// next build tries again.
func sweep(dir string, newest int) {
	folder, err := disk.Open(dir, disk.Index)
	if err != nil {
		return
	}
	defer folder.Close()
	entries, _ := folder.Entries()
	for _, e := range entries {
		n := generationNumber(e.Name())
		switch {
		case n >= 0 && n <= newest-keepGenerations, strings.HasPrefix(e.Name(), "tmp-"):
			_ = folder.RemoveFolder(e.Name())
		case strings.HasPrefix(e.Name(), disk.TempPrefix):
			_ = folder.Remove(e.Name())
		}
	}
}

// otherVersionsFor is how long an index of another version is kept after its last build.
const otherVersionsFor = 30 * 24 * time.Hour

// SweepVersions removes indexes of other versions of skillgate below cache that were last built more than a month ago.
// Errors are ignored, since the next build tries again.
func SweepVersions(cache string, now time.Time) {
	folder, err := disk.Open(filepath.Join(cache, "index"), disk.Indexes)
	if err != nil {
		return
	}
	defer folder.Close()
	entries, _ := folder.Entries()
	for _, e := range entries {
		fi, err := e.Info()
		if err != nil || now.Sub(fi.ModTime()) < otherVersionsFor {
			continue
		}
		gen, err := current(filepath.Join(cache, "index", e.Name()))
		if err == nil {
			_, err = readManifest(gen)
		}
		if errors.Is(err, ErrStale) || errors.Is(err, ErrNoIndex) {
			_ = folder.RemoveFolder(e.Name())
		}
	}
}

// ErrBusy is returned by Build while another process is building the index.
var ErrBusy = errors.New("another process is building the index")

// lock takes the build lock of dir. Closing the returned file releases it. If wait is true, it waits for the other
// builder.
func lock(ctx context.Context, dir string, wait bool) (*os.File, error) {
	if err := disk.Ensure(dir, disk.Index); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	long := time.Duration(0)
	if wait {
		long = disk.Forever
	}
	f, err := disk.OpenLock(ctx, filepath.Join(dir, "build.lock"), long)
	if errors.Is(err, disk.ErrBusy) {
		err = ErrBusy
	}
	if err != nil {
		return nil, fmt.Errorf("index: lock %s: %w", dir, err)
	}
	return f, nil
}

// linkFile creates dst as a hard link to src, or as a copy if the file system has no hard links. If dst already is a
// link to src, it does nothing, since readers may have the file mapped.
func linkFile(src, dst string) error {
	if os.Link(src, dst) == nil {
		return nil
	}
	from, err := os.Stat(src)
	if err != nil {
		return err
	}
	if to, err := os.Stat(dst); err == nil && os.SameFile(from, to) {
		return nil
	}
	text, err := os.ReadFile(src)
	if err != nil {
		return err
	}
	return writeSynced(dst, text)
}

// Fork links the newest generation of every index below the cache folder from into the cache folder to, so that builds
// there start from them.
func Fork(from, to string) error {
	folder := filepath.Join(from, "index")
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		gen, err := current(filepath.Join(folder, e.Name()))
		if err != nil {
			continue // there is no generation to start from
		}
		err = fork(gen, filepath.Join(to, "index", e.Name()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // a builder may have swept the generation
			return err
		}
	}
	return nil
}

// fork links the generation in folder gen into dir and makes it the newest there.
func fork(gen, dir string) error {
	name := filepath.Base(gen)
	files, err := os.ReadDir(gen)
	if err == nil {
		err = disk.Ensure(filepath.Dir(dir), disk.Indexes)
	}
	if err == nil {
		err = disk.Ensure(dir, disk.Index)
	}
	if err == nil {
		err = os.MkdirAll(filepath.Join(dir, name), 0o700)
	}
	for _, f := range files {
		if err == nil {
			err = linkFile(filepath.Join(gen, f.Name()), filepath.Join(dir, name, f.Name()))
		}
	}
	if err != nil {
		return err
	}
	return disk.Keep(filepath.Join(dir, "CURRENT"), disk.Index, []byte(name+"\n"), disk.Options{})
}

func syncTree(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := system.Sync(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return system.Sync(dir)
}
