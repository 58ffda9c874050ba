// Package transcript reads the transcripts of Claude Code: the prompts, and the skills and agents used for them.
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

// Source returns the prompts in the transcripts at path, a file or a folder such as that of hooks.Host.Transcripts.
// They are ordered by file path and then by their position in the file. A prompt that also occurs in an earlier file,
// because a session was resumed, is left out. So are transcripts of subagents.
// skillFile reports whether a file that the model read is a skill.
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
				notes.Addf("%s: %d lines are damaged; only their readable parts are used", t.path, t.damaged)
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
			return nil // deleted since the folder was read
		}
		files = append(files, &found{path: file, size: info.Size()})
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: the folder contains no transcripts (*.jsonl)", path)
	}
	return files, err
}

// scanAll scans files on all processors and returns them in order.
func scanAll(ctx context.Context, files []*found, skillFile func(string) bool) <-chan *found {
	out := make(chan *found)
	ready := make([]chan struct{}, len(files))
	for i := range ready {
		ready[i] = make(chan struct{})
	}
	work := make(chan int)
	ahead := make(chan struct{}, 4*runtime.GOMAXPROCS(0)) // limits the number of scanned files that wait in memory
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

// scanner keeps track of the turns in a file, which may contain several interleaved sessions.
type scanner struct {
	t         *found
	skillFile func(string) bool
	turns     map[string]*turn          // current turn of each session, by session id
	prompts   map[string]*replay.Prompt // prompts by the host's id of the turn
	calls     map[string]call           // uses of skills and agents, by tool_use id
}

type turn struct {
	prompt *replay.Prompt
	last   string // hash of the previous prompt, as in package journal
}

// call locates the recorded use of a skill or agent: prompt.Uses[use].
type call struct {
	prompt *replay.Prompt
	use    int
}

// attach adds a use to the prompt with the turn's id or, if there is no such prompt, to the latest prompt of the
// session. If there is neither, the line is ignored.
func (s *scanner) attach(l *line, toolUse string, use journal.Outcome) {
	p := s.prompts[l.PromptID]
	if p == nil {
		if t := s.turns[l.SessionID]; t != nil {
			p = t.prompt
		}
	}
	if p == nil || own(use.Skill) || toolUse != "" && s.calls[toolUse].prompt != nil {
		return // the host may write a call several times while the answer is streamed
	}
	p.Uses = append(p.Uses, use)
	if toolUse != "" {
		s.calls[toolUse] = call{p, len(p.Uses) - 1}
	}
}

// own reports whether a skill belongs to skillgate's plugin. The gate never suggests such a skill.
func own(skill string) bool { return strings.HasPrefix(skill, plugin.Name+":") }

func parseTime(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
