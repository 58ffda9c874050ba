package job

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/skillgate/skillgate/gate/atomicfile"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/lint"
)

// Written is what a model wrote about one skill.
type Written struct {
	Description string   `json:"description"`
	Requests    []string `json:"requests"` // that users would type for it, written without the description in view
}

// suggestNeighbours is how many other skills the model is told about.
const suggestNeighbours = 8

// Suggest has write make another description of the skill of that name, ID or path and measures it, among the
// libraries at the paths or the installed skills. write is told how many requests it must bring, so that with those
// that are known there are enough to judge by. change is the skill's text with it, nil where it is not kept.
func (j *Job) Suggest(ctx context.Context, name string, paths []string,
	write func(ctx context.Context, s enrich.Skill, fewest int) (Written, error)) (
	x *lint.Suggestion, change *Proposal, err error) {
	i, _, err := j.one(ctx, name, paths)
	if err != nil {
		return nil, nil, err
	}
	s := j.Library.Skills[i]
	told, err := Told(ctx, j.Library, j.retriever, s)
	if err != nil {
		return nil, nil, err
	}
	known := j.Library.Known(s)
	got, err := write(ctx, told, lint.FewestAsked-len(known))
	if err != nil {
		return nil, nil, err
	}
	next, err := enrich.WithDescription(s.Src.Text, s.Frontmatter, got.Description)
	if err != nil || s.Path == "" {
		return nil, nil, fmt.Errorf("%s: %w", s.Src.Path, cannotWrite(err))
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

// Told is what a model is told that describes s: its text, and which skills of l it could be confused with.
func Told(ctx context.Context, l *lint.Library, r *findable.Retriever, s *lint.Skill) (enrich.Skill, error) {
	told := enrich.ToDescribe(&s.Entry)
	near, err := l.Nearest(ctx, r, s, suggestNeighbours)
	for _, other := range near {
		told.Neighbours = append(told.Neighbours, enrich.Neighbour{Name: other.Name, Description: other.Capability})
	}
	return told, err
}

func cannotWrite(err error) error {
	if err == nil {
		return errors.New("its file cannot be written")
	}
	return err
}

// one reads the libraries and returns the place in j.Library of the skill of that name, ID or path, and its score.
func (j *Job) one(ctx context.Context, name string, paths []string) (int, lint.Score, error) {
	j.NoCache, j.Fixes, j.skill = true, true, name
	res, err := j.Run(ctx, paths)
	if err != nil {
		return 0, lint.Score{}, err
	}
	if j.retriever == nil {
		return 0, lint.Score{}, errors.New("name a folder of skills, not single ones")
	}
	found := &res.Skills[0]
	return slices.IndexFunc(j.Library.Skills, func(s *lint.Skill) bool { return s.ID == found.ID }), found.Score, nil
}

// with is the retriever of the library with another text for s, whose present one is searched no more.
func (j *Job) with(ctx context.Context, s *lint.Skill, text string) (*findable.Retriever, error) {
	if err := j.index.Hide(s.ID); err != nil {
		return nil, err
	}
	changed := lint.Overlay(j.rootOf(s.Path, surroundings{roots: j.roots}), s.Path, []byte(text), j.Display)
	over, err := index.Memory(ctx, []catalog.Entry{changed.Entry}, j.index.Dict, nil)
	if err != nil {
		return nil, err
	}
	return findable.NewRetriever(index.Join(j.index, over), j.index.Dict)
}

// Keep returns what is kept in a folder under a key, where that has at least fewest requests and fresh does not ask
// for another, or what write makes, which is then kept there. What has no request is not kept. A cache that cannot be
// written costs what is asked again, nothing else.
func Keep(dir string, key []byte, fewest int, fresh bool, write func() (Written, error)) (Written, error) {
	sum := sha256.Sum256(key)
	file := filepath.Join(dir, hex.EncodeToString(sum[:16])+".json")
	if text, err := os.ReadFile(file); err == nil && !fresh {
		var out Written
		if json.Unmarshal(text, &out) == nil && len(out.Requests) >= max(1, fewest) {
			return out, nil
		}
	}
	out, err := write()
	if err != nil || len(out.Requests) == 0 {
		return out, err
	}
	if text, err := json.Marshal(out); err == nil && os.MkdirAll(dir, 0o700) == nil {
		_ = atomicfile.Write(file, text, atomicfile.Options{})
	}
	return out, nil
}
