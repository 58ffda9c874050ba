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

// Dir returns the folder of the index of one scope below cache (dirs.Dirs.Cache): another
// one for each format and analyzer, so that two versions of skillgate serve side by side.
// A scope is "shared:" + the host's config folder or "project:" + a project's folder.
func Dir(cache, scope string) string {
	return dirOf(cache, scope, Format, AnalyzerVersion)
}

func dirOf(cache, scope string, format int, analyzer string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", format, analyzer, scope))
	return filepath.Join(cache, "index", hex.EncodeToString(sum[:8]))
}

// ErrNoIndex says that a folder holds no complete generation.
var ErrNoIndex = errors.New("no complete generation")

const maxPointer = 64 // bytes of CURRENT: the name of a generation

const keepGenerations = 2 // a reader may be opening the one before the newest

// current returns the folder of the newest complete generation.
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
		return "", fmt.Errorf("%s/CURRENT: %q names no generation: %w", dir, gen, ErrNoIndex)
	}
	return filepath.Join(dir, gen), nil
}

// verify compares the postings of the generation in folder gen with their checksums,
// opens it as a reader would and reads every document record, so that a refresh does
// not build on a damaged one.
func verify(gen string) error {
	if err := system.Caught(func() error { return readAll(gen) }); err != nil {
		return fmt.Errorf("index: %s: %w", gen, err)
	}
	return nil
}

func readAll(gen string) error {
	for _, name := range []string{"base.lists", "delta.lists"} {
		// Opening knows which of the two must be there.
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
			if _, err := s.docs.doc(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// generationNumber returns N of "gen-N", -1 for any other name.
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

// newest returns the highest generation number in dir, 0 for none.
func newest(dir string) int {
	top := 0
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		top = max(top, generationNumber(e.Name()))
	}
	return top
}

// publish gives the finished folder tmp the name gen-n and makes it the newest.
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

// sweep removes what killed builders left and all generations but the newest
// two and those in keep. What cannot be removed stays for the next time.
func sweep(dir string, newest int, keep map[int]bool) {
	folder, err := disk.Open(dir, disk.Index)
	if err != nil {
		return
	}
	defer folder.Close()
	entries, _ := folder.Entries()
	for _, e := range entries {
		n := generationNumber(e.Name())
		switch {
		case n >= 0 && n <= newest-keepGenerations && !keep[n], strings.HasPrefix(e.Name(), "tmp-"):
			_ = folder.RemoveFolder(e.Name())
		case strings.HasPrefix(e.Name(), disk.TempPrefix):
			_ = folder.Remove(e.Name())
		}
	}
}

// otherVersionsFor is how long the index of another version is kept after its last build.
const otherVersionsFor = 30 * 24 * time.Hour

// SweepVersions removes the indexes of other versions of skillgate below cache that were
// not built for a month. What cannot be removed stays for the next time.
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

// ErrBusy says that another process is building this index.
var ErrBusy = errors.New("another build is running")

// lock takes dir's build lock, which closing the file gives up. With wait it waits
// until the other builder is done.
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

// linkFile makes dst a copy of src by a hard link, or by copying where the file
// system has none. Where dst is that link already, it writes nothing: readers have it mapped.
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

// Fork gives the cache to the newest generations of the cache from: what is built there starts from them.
func Fork(from, to string) error {
	folder := filepath.Join(from, "index")
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		gen, err := current(filepath.Join(folder, e.Name()))
		if err != nil {
			continue // nothing to start from
		}
		err = fork(gen, filepath.Join(to, "index", e.Name()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // a builder has swept it: nothing to start from
			return err
		}
	}
	return nil
}

// fork makes the generation in folder gen the newest one of dir.
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

// syncTree flushes every file in dir, and dir, to the disk.
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
