package replica

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/skillgate/skillgate/gate/index"
)

// maxMapped bounds the files of the generations that are kept open, in bytes: they count as memory
// of the process. One that is larger is kept alone.
const maxMapped = 192 << 20

// minMapped is what a generation counts for at least: a process may have only so many mappings
// (65,530 on Linux), and each generation has a few.
const minMapped = 64 << 10

// opened keeps the generations open that were asked for last. One that another has taken the place of
// is closed once its last request has ended. The zero value is empty.
type opened struct {
	mu     sync.Mutex
	of     map[string]*held // by the folder of a pool
	mapped int64            // bytes of all
	clock  int64            // counts what is asked
}

type held struct {
	pool  pool // as it was when it was opened
	x     *index.Index
	files map[string]fs.FileInfo // by path
	size  int64                  // of all, at least minMapped
	asked int64
}

// get returns what is open of a pool as it is now, for another goroutine, nil where nothing is.
func (o *opened) get(dir string, p pool) (*index.Index, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	h := o.of[dir]
	if h == nil || h.pool.identity() != p.identity() || !slices.Equal(h.pool.Gone, p.Gone) || !h.whole() {
		return nil, nil
	}
	o.clock++
	h.asked = o.clock
	return h.x.Another()
}

// whole reports whether the files are those that were opened: reading where one was cut is a fault.
func (h *held) whole() bool {
	for path, was := range h.files {
		is, err := os.Stat(path)
		if err != nil || is.Size() != was.Size() || !is.ModTime().Equal(was.ModTime()) {
			return false
		}
	}
	return true
}

// put keeps x open, closes what it takes the place of and what was not asked for the longest beyond
// maxMapped, and returns x for another goroutine.
func (o *opened) put(dir string, p pool, x *index.Index) (*index.Index, error) {
	h := &held{pool: p, x: x, files: map[string]fs.FileInfo{}}
	paths, err := filepath.Glob(filepath.Join(generationFolder(dir, *p.Generation), "*"))
	for _, path := range paths {
		info, e := os.Stat(path)
		if err = errors.Join(err, e); e == nil {
			h.files[path] = info
			h.size += info.Size()
		}
	}
	if err != nil {
		x.Close()
		return nil, err
	}
	h.size = max(h.size, minMapped)
	o.mu.Lock()
	defer o.mu.Unlock()
	y, err := x.Another()
	if err != nil {
		x.Close()
		return nil, err
	}
	if o.of == nil {
		o.of = map[string]*held{}
	}
	o.drop(dir)
	o.clock++
	h.asked = o.clock
	o.of[dir] = h
	o.mapped += h.size
	for o.mapped > maxMapped && len(o.of) > 1 {
		oldest := dir
		for other, h := range o.of {
			if h.asked < o.of[oldest].asked {
				oldest = other
			}
		}
		o.drop(oldest)
	}
	return y, nil
}

func (o *opened) drop(dir string) {
	if h := o.of[dir]; h != nil {
		h.x.Close()
		o.mapped -= h.size
		delete(o.of, dir)
	}
}
