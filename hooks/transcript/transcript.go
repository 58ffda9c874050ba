// Package transcript reads the transcripts of Claude Code for replay: what people asked,
// and which skills and agents were used for it.
package transcript

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/hooks/plugin"
)

// Source is the source of the transcripts under path: a folder of them
// (hooks.Host.Transcripts) or one file. Prompts come file by file in order of
// path, each file's in its own order; a line that an earlier file has as well,
// because a session was resumed, counts once. Subagents' transcripts are left out.
// skillFile says of a file that was read whether it is a skill's.
func Source(path string, skillFile func(string) bool, progress func(done, total int64)) replay.Source {
	return func(ctx context.Context, f store.Filter, notes *replay.Notes, yield func(*replay.Prompt) error) error {
		files, err := transcriptFiles(path, notes)
		if err != nil {
			return err
		}
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		var total, done int64
		for _, t := range files {
			total += t.size
		}
		seen := map[string]bool{}
		for t := range scanAll(ctx, files, skillFile) {
			done += t.size
			if progress != nil {
				progress(done, total)
			}
			if t.err != nil {
				notes.Addf("%s: %v", t.path, t.err)
			}
			notes.Files++
			notes.Lines += t.lines
			notes.Machine += t.machine
			if notes.Damaged += t.damaged; t.damaged > 0 {
				notes.Addf("%s: %d lines are cut off or mixed up; the rest of it counts", t.path, t.damaged)
			}
			for _, p := range t.prompts {
				if p.ID != "" && seen[p.ID] {
					notes.Repeated++
					continue
				}
				seen[p.ID] = true
				if !replay.Matches(f, p) {
					continue
				}
				if err := yield(p); err != nil {
					return err
				}
			}
		}
		return ctx.Err()
	}
}

// found is one transcript and what was found in it.
type found struct {
	path    string
	size    int64
	prompts []*replay.Prompt
	lines   int
	machine int
	damaged int
	err     error
}

func transcriptFiles(path string, notes *replay.Notes) ([]*found, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !fi.IsDir() {
		return []*found{{path: path, size: fi.Size()}}, nil
	}
	var files []*found
	err = filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			notes.Addf("%v", err)
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() && (d.Name() == "subagents" || d.Name() == "tool-results"):
			return fs.SkipDir
		case !d.Type().IsRegular() || !strings.HasSuffix(d.Name(), ".jsonl") || strings.HasPrefix(d.Name(), "agent-"):
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil // gone since the listing
		}
		files = append(files, &found{path: file, size: info.Size()})
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: no transcripts (*.jsonl) in it", path)
	}
	return files, err
}

// scanAll scans files on all processors and hands them out in order.
func scanAll(ctx context.Context, files []*found, skillFile func(string) bool) <-chan *found {
	out := make(chan *found)
	ready := make([]chan struct{}, len(files))
	for i := range ready {
		ready[i] = make(chan struct{})
	}
	work := make(chan int)
	ahead := make(chan struct{}, 4*runtime.GOMAXPROCS(0)) // bounds what is scanned and not yet taken
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range work {
				if ctx.Err() == nil {
					files[i].err = system.Caught(func() error { return files[i].scan(skillFile) })
				}
				close(ready[i])
			}
		})
	}
	go func() {
		defer close(work)
		for i := range files {
			ahead <- struct{}{}
			work <- i
		}
	}()
	go func() {
		defer close(out)
		defer wg.Wait()
		for i, t := range files {
			<-ready[i]
			<-ahead
			select {
			case out <- t:
				files[i] = nil
			case <-ctx.Done():
			}
		}
	}()
	return out
}

// scan reads one file.
func (t *found) scan(skillFile func(string) bool) error {
	f, err := regular.Open(t.path)
	if err != nil {
		return err
	}
	defer f.Close()
	s := scanner{
		t: t, skillFile: skillFile,
		turns: map[string]*turn{}, calls: map[string]call{}, prompts: map[string]*replay.Prompt{},
	}
	return replay.EachLine(f, s.line)
}

// scanner follows the turns of one file. Sessions may be interleaved in it.
type scanner struct {
	t         *found
	skillFile func(string) bool
	turns     map[string]*turn          // by session
	prompts   map[string]*replay.Prompt // by the host's id of the turn
	calls     map[string]call           // by tool_use id
}

// turn is the state of a session.
type turn struct {
	prompt *replay.Prompt
	last   string // hash of its previous prompt, as in the session's memory
}

// call is a use whose result has not been seen yet.
type call struct {
	prompt *replay.Prompt
	use    int
}

// attach adds a use to the turn it belongs to: by the host's id, else to the
// session's latest prompt. A line without either is nobody's.
func (s *scanner) attach(l *line, toolUse string, use journal.Outcome) {
	p := s.prompts[l.PromptID]
	if p == nil {
		if t := s.turns[l.SessionID]; t != nil {
			p = t.prompt
		}
	}
	if p == nil || own(use.Skill) || toolUse != "" && s.calls[toolUse].prompt != nil {
		return // streamed lines repeat their calls
	}
	p.Uses = append(p.Uses, use)
	if toolUse != "" {
		s.calls[toolUse] = call{p, len(p.Uses) - 1}
	}
}

// own reports whether a skill is one of skillgate's plugin, whose use no hint is about.
func own(skill string) bool { return strings.HasPrefix(skill, plugin.Name+":") }

// parseTime returns the zero time for what is none.
func parseTime(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
