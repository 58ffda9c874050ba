package job

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/lint"
)

// Advise explains how requests find the skill of that name, ID or path among the libraries at
// the paths, or the installed skills. change is its text with what would mend it, which was
// indexed and measured again; nil where nothing does.
func (j *Job) Advise(ctx context.Context, name string, paths []string) (a *lint.Advice, change *Proposal, err error) {
	i, score, err := j.one(ctx, name, paths)
	if err != nil {
		return nil, nil, err
	}
	s := j.Library.Skills[i]
	if a, err = lint.Advise(ctx, j.Library, j.retriever, s); err != nil {
		return nil, nil, err
	}
	a.Score = score
	if len(a.Add) == 0 {
		return a, nil, nil
	}
	next, err := enrich.WithTriggers(s.Src.Text, s.Frontmatter, a.Add)
	if err != nil || s.Path == "" {
		a.Refused = "its file cannot be written"
		if err != nil {
			a.Refused = err.Error()
		}
		return a, nil, nil
	}
	changed := slices.Clone(j.Library.Skills)
	changed[i] = lint.Overlay(j.rootOf(s.Path, surroundings{roots: j.roots}), s.Path, []byte(next), j.Display)
	l := lint.NewLibrary(changed, j.Library.Languages)
	l.Usage, l.Days, l.Written = j.Library.Usage, j.Library.Days, j.Library.Written
	only := map[string]bool{changed[i].ID: true}
	if err := j.measure(ctx, l, only); err != nil {
		return nil, nil, err
	}
	o := j.Options
	o.Only = only
	a.After = &lint.Run(l, o).Skills[0].Score
	if a.Taken, err = a.Takes(ctx, j.retriever); err != nil {
		return nil, nil, err
	}
	if len(a.Taken) > 0 || a.After.First < a.Score.First {
		return a, nil, nil
	}
	return a, &Proposal{&s.Entry, s.Src.Text, next}, nil
}

// named returns the one skill of l of that name, ID or path.
func (j *Job) named(l *lint.Library, name string) (*lint.Skill, error) {
	var found []*lint.Skill
	path := dirs.Absolute(j.Cwd, name)
	for _, s := range l.Skills {
		if s.ID == name || s.Path != "" && (s.Path == path || filepath.Dir(s.Path) == path) {
			return s, nil
		}
	}
	if found = l.Named(name); len(found) == 1 {
		return found[0], nil
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is %w %q", ErrNoSkill, name)
	}
	var ids []string
	for _, s := range found {
		ids = append(ids, s.ID)
	}
	return nil, fmt.Errorf("%q is the name of %s", name, strings.Join(ids, " and "))
}
