package job

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/regular"
)

// Proposal is a skill's file before and after a change of description.
type Proposal struct {
	Entry    *catalog.Entry
	Old, New string
}

// Written holds a description and requests that a model wrote for a skill.
type Written struct {
	Description string   `json:"description"`
	Requests    []string `json:"requests"` // user requests that the model wrote without seeing the description
}

const suggestNeighbours = 8

// Suggest calls write for a new description of the skill with that name, ID or path and measures it against the
// libraries at paths or the installed skills. write gets the number of requests it must return so that, together
// with the known ones, there are enough to judge by. change is nil if the suggestion is not kept.
func (j *Job) Suggest(ctx context.Context, name string, paths []string,
	write func(ctx context.Context, s enrich.Skill, fewest int) (Written, error)) (
	x *lint.Suggestion, change *Proposal, err error) {
	j.NoCache, j.Fixes, j.skill = true, true, name
	res, err := j.Run(ctx, paths)
	if err != nil {
		return nil, nil, err
	}
	if j.retriever == nil {
		return nil, nil, errors.New("give a folder of skills instead of a single skill")
	}
	s := j.Library.ByID(res.Skills[0].ID)
	asked := enrich.ToDescribe(&s.Entry)
	near, err := j.Library.Nearest(ctx, j.retriever, s, suggestNeighbours)
	if err != nil {
		return nil, nil, err
	}
	for _, other := range near {
		asked.Neighbours = append(asked.Neighbours, enrich.Neighbour{Name: other.Name, Description: other.Capability})
	}
	known := j.Library.Known(s)
	got, err := write(ctx, asked, lint.FewestAsked-len(known))
	if err != nil {
		return nil, nil, err
	}
	next, err := enrich.WithDescription(s.Src.Text, s.Frontmatter, got.Description)
	if err == nil && s.Path == "" {
		err = errors.New("the skill is in a .jsonl file, and lint cannot change such files")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.Src.Path, err)
	}
	x, err = lint.Suggest(ctx, j.Library, j.retriever, s, got.Description, slices.Concat(known, got.Requests))
	if err != nil {
		return nil, nil, err
	}
	after, err := j.with(ctx, s, next)
	if err != nil {
		return nil, nil, err
	}
	if err := x.Judge(ctx, after); err != nil || !x.Kept {
		return x, nil, err
	}
	return x, &Proposal{&s.Entry, s.Src.Text, next}, nil
}

func (j *Job) named(l *lint.Library, name string) (*lint.Skill, error) {
	path := dirs.Absolute(j.Cwd, name)
	for _, s := range l.Skills {
		if s.ID == name || s.Path != "" && (s.Path == path || filepath.Dir(s.Path) == path) {
			return s, nil
		}
	}
	found := l.ByName(name)
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("%w %q", ErrNoSkill, name)
	case 1:
		return found[0], nil
	}
	var ids []string
	for _, s := range found {
		ids = append(ids, s.ID)
	}
	return nil, fmt.Errorf("several skills are named %q; use one of the IDs %s", name, strings.Join(ids, ", "))
}

func (j *Job) with(ctx context.Context, s *lint.Skill, text string) (*findable.Retriever, error) {
	if err := j.index.Hide(s.ID); err != nil {
		return nil, err
	}
	changed := lint.Overlay(j.rootOf(s.Path, surroundings{roots: j.roots}), s.Path, []byte(text), j.Display)
	_, r, err := retriever(ctx, j.index.Dict, []catalog.Entry{changed.Entry}, j.index)
	return r, err
}

// Keep returns the value stored in dir under key if it has at least fewest requests and fresh is false. Otherwise it
// calls write and stores the result, unless it has no requests. Storage errors are ignored.
func Keep(dir string, key []byte, fewest int, fresh bool, write func() (Written, error)) (Written, error) {
	sum := sha256.Sum256(key)
	file := filepath.Join(dir, hex.EncodeToString(sum[:16])+".json")
	if text, err := regular.Read(file, maxKept); err == nil && !fresh {
		var out Written
		if json.Unmarshal(text, &out) == nil && len(out.Requests) >= max(1, fewest) {
			return out, nil
		}
	}
	out, err := write()
	if err != nil || len(out.Requests) == 0 {
		return out, err
	}
	if text, err := json.Marshal(out); err == nil {
		_ = disk.Keep(file, disk.Results, text, disk.Options{})
	}
	return out, nil
}
