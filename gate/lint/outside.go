package lint

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// Outside holds the paths outside the skills' folders that rules accessed, with the state of each at that time.
type Outside map[string]string

// Fresh reports whether all paths are still in their recorded states.
func (o Outside) Fresh() bool {
	for file, was := range o {
		if now := stateOf(file); was != now && (was != present || now == missing) {
			return false
		}
	}
	return true
}

const missing, present = "missing", "present" // states of files, whatever their contents

func stateOf(file string) string {
	info, err := os.Stat(file)
	link, lerr := os.Lstat(file)
	if err != nil || lerr != nil {
		return missing
	}
	return fmt.Sprint(link.Mode().Type()|info.Mode().Type(), info.Size(), " ", system.Changed(info))
}

// outside records the accesses of the rules. It is safe for concurrent use.
type outside struct {
	mu     sync.Mutex
	states Outside
	lists  sync.Map // of []os.DirEntry by folder; a Library does not see later changes
}

func (o *outside) record(file, state string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if was, ok := o.states[file]; !ok || was == present {
		o.states[file] = state
	}
}

func (o *outside) exists(file string) bool {
	state := present
	if _, err := os.Stat(file); err != nil {
		state = missing
	}
	o.record(file, state)
	return state == present
}

func (o *outside) list(dir string) []os.DirEntry {
	if known, ok := o.lists.Load(dir); ok {
		return known.([]os.DirEntry)
	}
	o.record(dir, stateOf(dir))
	entries, _ := os.ReadDir(dir)
	o.lists.Store(dir, entries)
	return entries
}

func (o *outside) read(file string, most int) (string, error) {
	o.record(file, stateOf(file))
	text, err := regular.Head(file, int64(most))
	return string(text), err
}

// Outside returns the paths outside the skills' folders that Run accessed, with their states.
func (l *Library) Outside() Outside {
	l.outside.mu.Lock()
	defer l.outside.mu.Unlock()
	return maps.Clone(l.outside.states)
}

// source reads up to most bytes of a file outside the skill's folder, whose path is shown like the skill's own.
func (s *Skill) source(file string, most int) (*source.File, error) {
	display := filepath.ToSlash(file)
	if rel, err := filepath.Rel(s.Dir, file); err == nil {
		display = filepath.ToSlash(filepath.Join(filepath.FromSlash(filepath.Dir(s.Src.Path)), rel))
	}
	text, err := s.outside.read(file, most)
	return source.New(display, text), err
}
