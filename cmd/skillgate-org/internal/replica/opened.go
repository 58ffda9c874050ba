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

// maxMapped limits the size of the open generations, in bytes, because mapped files count as memory of the process. A
// single generation may be larger.
const maxMapped = 192 << 20

// minMapped is the size, in bytes, that smaller generations count as, which limits the number of mappings. Linux allows
// 65,530 per process.
const minMapped = 64 << 10

// opened keeps the most recently used generations open. A replaced generation is closed after its last request. The
// zero value is empty.
type opened struct {
	mu     sync.Mutex
	of     map[string]*held // open generations by pool folder
	mapped int64            // sum of the sizes
	clock  int64            // incremented by each use
}

type held struct {
	pool  pool // state of the pool when the generation was opened
	x     *index.Index
	files map[string]fs.FileInfo // state when opened, by path
	size  int64                  // total size of the files, at least minMapped
	asked int64
}

// get returns a handle on the open generation of p, or nil if it is not open.
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

// whole reports whether the files are unchanged. Reading a mapped file that was truncated would crash the process.
func (h *held) whole() bool {
	for path, was := range h.files {
		is, err := os.Stat(path)
		if err != nil || is.Size() != was.Size() || !is.ModTime().Equal(was.ModTime()) {
			return false
		}
	}
	return true
}

// put adds x and returns a second handle on it. It closes the generation that x replaces and, while the total size
// exceeds maxMapped, the least recently used generations.
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
