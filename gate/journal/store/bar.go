package store

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bar"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/need"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/regular"
)

// barTurns returns the outcomes of prompts since the given time, oldest first, if the need model alone decided them and
// their turns have finished. folder maps a session's folder to its repository, or to "" to skip the session.
func (db *DB) barTurns(ctx context.Context, since time.Time, model string,
	folder func(cwd string) string) ([]bar.Turn, error) {
	var out []bar.Turn
	err := db.Each(ctx, Filter{Since: since}, func(e Entry) error {
		d := e.Decision
		named := d.Verdict == gate.Inject && len(outcome.NamedBy(d)) > 0
		if !e.Over || d.Model != model || !named && d.Reason != gate.BelowNeedMin {
			return nil
		}
		t := bar.Turn{Need: d.Need, Named: named, Folder: folder(e.Cwd)}
		if t.Folder == "" {
			return nil
		}
		for _, o := range e.Outcomes {
			ranked := func(c gate.Candidate) bool { return journal.SameUse(c.Name, c.Path, o.Skill, o.Path) }
			if i := slices.IndexFunc(d.Candidates, ranked); i >= 0 && o.Success && o.Tool != journal.ToolTyped {
				t.Skill = d.Candidates[i].Name // spelled as in the candidate
			}
		}
		out = append(out, t)
		return nil
	})
	return out, err
}

// repository returns the git folder that all work trees of cwd's repository share, or the project folder if there is
// none. It returns "" if cwd is no longer a folder.
func repository(cwd string, d dirs.Dirs) string {
	if fi, err := os.Stat(cwd); err != nil || !fi.IsDir() || !filepath.IsAbs(cwd) {
		return ""
	}
	// read returns the path after prefix in one of git's files.
	read := func(dir, name, prefix string) (string, bool) {
		text, err := regular.Head(filepath.Join(dir, name), 4096)
		path, ok := strings.CutPrefix(strings.TrimSpace(string(text)), prefix)
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		return path, ok && err == nil
	}
	dir := gate.ProjectDir(cwd, d)
	git := filepath.Join(dir, ".git")
	if path, ok := read(dir, ".git", "gitdir: "); ok { // a work tree or a submodule
		git = path
		if path, ok := read(git, "commondir", ""); ok {
			git = path
		}
	}
	if real, err := filepath.EvalSymlinks(git); err == nil {
		return real
	}
	return dir
}

const calibrateOver = 90 * 24 * time.Hour

// Calibrate learns need_min from the journal and returns the suggested change. If the difference is too small, the
// change keeps the current value. If keep is not "", the change is stored under that name and takes effect with the
// next prompt. Errors wrap bar.ErrFew if too few outcomes are known; the change's Known then counts them.
func (db *DB) Calibrate(ctx context.Context, d dirs.Dirs, now time.Time, keep bar.By) (bar.Change, error) {
	usual := gate.Default().NeedMin
	if keep != "" {
		lock, err := bar.Lock(ctx, d.State)
		if err != nil {
			return bar.Change{NeedMin: usual, From: usual}, err
		}
		defer lock.Close()
	}
	c := bar.Change{At: now.UTC(), Model: need.Default().ID(), NeedMin: usual, From: usual, By: keep}
	if old, ok := gate.Bar(d); ok {
		c.NeedMin, c.From = old.NeedMin, old.NeedMin
	}
	changes, err := bar.Changes(d.State)
	if err != nil {
		return c, err
	}
	since := now.Add(-calibrateOver)
	for _, old := range changes {
		if old.By == bar.Reset && old.At.After(since) {
			since = old.At
		}
	}
	folders := map[string]string{}
	turns, err := db.barTurns(ctx, since, c.Model, func(cwd string) string {
		if _, ok := folders[cwd]; !ok {
			folders[cwd] = repository(cwd, d)
		}
		return folders[cwd]
	})
	if err != nil {
		return c, err
	}
	learned, known, err := bar.Learn(turns, usual)
	c.Known = known
	if err != nil || math.Abs(learned-c.From) < bar.Least {
		return c, err
	}
	c.NeedMin = math.Round(learned*1000) / 1000
	if keep == "" {
		return c, nil
	}
	return c, bar.Add(d.State, c)
}
