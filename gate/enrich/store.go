package enrich

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
)

// File is the name of the store in the state folder.
const File = "expansions.jsonl"

// ErrBusy means that another process is writing the store.
var ErrBusy = errors.New("another `skillgate enrich` is running")

// Store contains the expansions of one user. Its file has one expansion per line and is only appended to; for each ID
// the last line counts. A line cut off by a kill or a full disk is skipped. A Store must not be used by several
// goroutines at once. Writers hold a lock; readers need none.
type Store struct {
	Skipped int // unreadable or incomplete lines, which the next compaction removes
	newer   int // lines of a newer schema

	file    string
	lock    *os.File // nil if read-only
	written map[string]*Expansion
	byHash  map[string]*Expansion
	lines   int
	torn    bool // the file does not end with a newline
}

// Load reads the store of a state folder. A missing store is empty.
func Load(state string) (*Store, error) {
	s := &Store{file: filepath.Join(state, File)}
	if err := s.read(); err != nil {
		return nil, fmt.Errorf("expansions: %w", err)
	}
	return s, nil
}

// Open reads the store for writing and locks it. It returns ErrBusy if another process holds the lock.
func Open(state string) (*Store, error) {
	if err := disk.Ensure(state, disk.State); err != nil {
		return nil, fmt.Errorf("expansions: %w", err)
	}
	path := filepath.Join(state, "expansions.lock")
	lock, err := disk.OpenLock(context.Background(), path, 0)
	if errors.Is(err, disk.ErrBusy) {
		return nil, fmt.Errorf("expansions: %s: %w", path, ErrBusy)
	}
	if err != nil {
		return nil, fmt.Errorf("expansions: %w", err)
	}
	s, err := Load(state)
	if err != nil {
		lock.Close()
		return nil, err
	}
	if s.newer > 0 {
		lock.Close()
		return nil, fmt.Errorf("expansions: %s: a newer skillgate has written %d lines; update skillgate", s.file, s.newer)
	}
	s.lock = lock
	return s, nil
}

// Close compacts the file if half of its lines are replaced, and unlocks it.
func (s *Store) Close() error {
	if s.lock == nil {
		return nil
	}
	defer s.lock.Close()
	if s.lines > 2*len(s.written)+16 || s.Skipped > 0 {
		return s.compact()
	}
	return nil
}

func (s *Store) read() error {
	s.written, s.byHash = map[string]*Expansion{}, map[string]*Expansion{}
	f, err := regular.Open(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	err = lines(f, func(_ int, line []byte) error {
		s.lines++
		x := new(Expansion)
		switch err := json.Unmarshal(line, x); {
		case err != nil, x.Provider == "" && len(x.Phrases) == 0: // older versions wrote lines with a prompt and no phrases
			s.Skipped++
			return nil
		case x.Schema > Schema:
			s.newer++
			return nil
		}
		s.put(x)
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", s.file, err)
	}
	last := []byte{'\n'}
	if end, err := f.Seek(-1, io.SeekEnd); err == nil {
		_, _ = f.ReadAt(last, end)
	}
	s.torn = last[0] != '\n'
	return nil
}

func (s *Store) put(x *Expansion) {
	s.forget(x.ID)
	s.written[x.ID] = x
	if x.Hash != "" {
		s.byHash[x.Hash] = x
	}
}

func (s *Store) forget(id string) {
	if was := s.written[id]; was != nil && s.byHash[was.Hash] == was {
		delete(s.byHash, was.Hash)
	}
	delete(s.written, id)
}

// Put appends x to the file, flushes the file to disk and replaces the expansion with the same ID.
func (s *Store) Put(x Expansion) error {
	if s.lock == nil {
		return errors.New("expansions: the store is read-only")
	}
	line, err := marshal(x)
	if err != nil {
		return fmt.Errorf("expansions: %w", err)
	}
	f, err := disk.OpenFile(s.file, disk.State, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return fmt.Errorf("expansions: %w", err)
	}
	defer f.Close()
	if s.torn {
		line = append([]byte("\n"), line...)
	}
	_, err = f.Write(append(line, '\n'))
	if err := errors.Join(err, f.Sync()); err != nil {
		s.torn = true
		return fmt.Errorf("expansions: %w", err)
	}
	s.torn = false
	s.lines++
	s.put(&x)
	return nil
}

func (s *Store) compact() error {
	var text []byte
	for _, id := range slices.Sorted(maps.Keys(s.written)) {
		line, err := marshal(s.written[id])
		if err != nil {
			return fmt.Errorf("expansions: rewrite the file: %w", err)
		}
		text = append(append(text, line...), '\n')
	}
	if err := disk.Keep(s.file, disk.State, text, disk.Options{Sync: true}); err != nil {
		return fmt.Errorf("expansions: rewrite the file: %w", err)
	}
	s.lines, s.torn, s.Skipped = len(s.written), false, 0
	return nil
}

// Len returns the number of skills with an expansion.
func (s *Store) Len() int { return len(s.written) }

// Get returns the expansion of the skill with the given ID and content hash. If there is none, it returns the expansion
// of a file with equal content, or else the skill's expansion for older content, for which stale is true. ok is false
// if none of these exists.
func (s *Store) Get(id, hash string) (x Expansion, stale, ok bool) {
	own := s.written[id]
	switch {
	case own != nil && (own.Hash == hash || hash == ""):
		x, ok = *own, true
	case hash != "" && s.byHash[hash] != nil:
		x, ok = *s.byHash[hash], true
	case own != nil:
		x, stale, ok = *own, true, true
	}
	return x, stale, ok
}

// Lookup returns the texts to index for a skill's ID and content hash.
func (s *Store) Lookup(id, hash string) []string {
	x, _, ok := s.Get(id, hash)
	if !ok {
		return nil
	}
	return x.Texts()
}

// Write writes expansions, one per line.
func Write(w io.Writer, list []Expansion) error {
	out := bufio.NewWriter(w)
	for _, x := range list {
		line, err := marshal(x)
		if err != nil {
			return err
		}
		out.Write(append(line, '\n'))
	}
	return out.Flush()
}
