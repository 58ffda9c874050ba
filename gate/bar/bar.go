// Package bar learns from one machine's journal how sure the gate must be there before it
// names a skill, and keeps what it learned.
//
// need is calibrated on many people's turns, at even odds; one user needs a
// skill more often, another less. That difference is one number, added to
// need's logit:
//
//	P(used) = seen · σ(logit need − log usual odds + shift)
//
// where seen is the chance that a skill that helps is used, which is greater where it was named.
// Learn finds the most likely shift under a normal prior around 0, and moves need_min by it,
// within Most. What counts is what the model and the user did after a prompt, never what a
// skill or a repository says; and the bar moves only as far as it would without the busiest
// folder, and without the most used skill, so that no repository and no skill moves it alone.
//
// The file need_min.jsonl in the state folder has a line for each change, newest first.
package bar

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
)

// File is the name of the file in the state folder.
const File = "need_min.jsonl"

const (
	// Most is how far the bar may move either way, in logits of need: from .55 to .31 or .77.
	Most = 1.0
	// Least is the least change of need_min that is worth making.
	Least = 0.02

	MinTurns = 100 // searched prompts of observed sessions that learning takes at least
	MinUses  = 10  // after which a skill was used

	usualOdds   = 19.0 // turns that need nothing for each one that does: 5 % of people's turns want a skill
	seenNamed   = 0.8  // chance that a skill that helps is used when it was named
	seenUnnamed = 0.5  // and when it was not
	prior       = 0.5  // standard deviation of users' shifts

	history = 50 // changes that are kept
	maxFile = 64 << 10
)

// Change is one change of the bar.
type Change struct {
	At      time.Time `json:"at"`
	Model   string    `json:"model"`    // the need model that the bar is for
	NeedMin float64   `json:"need_min"` // the bar from then on
	From    float64   `json:"from"`     // and before
	By      By        `json:"by"`
	Known   Known     `json:"known"`
}

// By says who made a change.
type By string

const (
	Itself  By = "itself"  // when enough was known
	Command By = "command" // skillgate calibrate
	Reset   By = "reset"   // back to the default: what was logged before counts no more
)

// Known is what a change rests on.
type Known struct {
	Turns  int `json:"turns"`  // searched prompts of sessions whose uses were reported
	Used   int `json:"used"`   // named, and one of the named used
	Unused int `json:"unused"` // named, and none of them used
	Missed int `json:"missed"` // not named, but used: a lower bar would have named it
}

// Turn is one searched prompt and what came of it.
type Turn struct {
	Need   float64
	Named  bool   // something was named for it
	Skill  string // that was used of what was named or ranked, "" for none
	Folder string // the session's
}

// ErrFew says that too little is known to learn from.
var ErrFew = errors.New("too little is known")

// Learn returns the bar that turns speak for, where need_min is usual for everybody.
func Learn(turns []Turn, usual float64) (float64, Known, error) {
	var k Known
	for _, t := range turns {
		k.Turns++
		switch {
		case t.Named && t.Skill != "":
			k.Used++
		case t.Named:
			k.Unused++
		case t.Skill != "":
			k.Missed++
		}
	}
	if k.Turns < MinTurns || k.Used+k.Missed < MinUses {
		return usual, k, fmt.Errorf("%d searched prompts, skills used after %d; want %d and %d: %w", k.Turns, k.Used+k.Missed,
			MinTurns, MinUses, ErrFew)
	}
	shift := mostLikely(turns)
	for _, key := range []func(Turn) string{func(t Turn) string { return t.Folder },
		func(t Turn) string { return t.Skill }} {
		shift = nearer(shift, mostLikely(withoutMost(turns, key)))
	}
	return sigmoid(logit(usual) - max(-Most, min(Most, shift))), k, nil
}

func withoutMost(turns []Turn, key func(Turn) string) []Turn {
	count := map[string]int{}
	most := ""
	for _, t := range turns {
		if k := key(t); k != "" {
			if count[k]++; count[k] > count[most] {
				most = k
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(turns), func(t Turn) bool { return most != "" && key(t) == most })
}

func nearer(a, b float64) float64 {
	switch {
	case a > 0 && b > 0:
		return min(a, b)
	case a < 0 && b < 0:
		return max(a, b)
	}
	return 0
}

func mostLikely(turns []Turn) float64 {
	slope := func(shift float64) float64 {
		sum := -shift / (prior * prior)
		for _, t := range turns {
			seen := seenUnnamed
			if t.Named {
				seen = seenNamed
			}
			p := sigmoid(logit(t.Need) - math.Log(usualOdds) + shift)
			if t.Skill != "" {
				sum += (1 - p)
			} else {
				sum -= seen * p * (1 - p) / (1 - seen*p)
			}
		}
		return sum
	}
	low, high := -4*Most, 4*Most
	for range 40 {
		mid := (low + high) / 2
		if slope(mid) > 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// logit keeps away from certainty.
func logit(p float64) float64 {
	p = max(1e-4, min(1-1e-4, p))
	return math.Log(p / (1 - p))
}

// Within reports whether a bar is one that Learn may choose where need_min is usual.
func Within(needMin, usual float64) bool {
	return math.Abs(logit(needMin)-logit(usual)) <= Most+0.01 // it is kept rounded
}

// String is k in English.
func (k Known) String() string { return k.Said(fmt.Sprintf) }

// Said is k in words; say is fmt.Sprintf, or puts formats into the user's language.
func (k Known) Said(say func(format string, args ...any) string) string {
	return say("%d searched prompts: %d named and used, %d named and not used, %d used and not named", k.Turns,
		k.Used, k.Unused, k.Missed)
}

// Current returns the newest change; ok is false where there is none that can be read, or it
// is for another model.
func Current(state, model string) (c Change, ok bool) {
	if state == "" {
		return c, false
	}
	text, err := regular.Head(filepath.Join(state, File), 1024)
	if err != nil {
		return c, false
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	err = json.Unmarshal(line, &c)
	return c, err == nil && c.Model == model
}

// Changes returns all changes that are kept, newest first.
func Changes(state string) ([]Change, error) {
	text, err := regular.Read(filepath.Join(state, File), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("bar: %w", err)
	}
	var out []Change
	for line := range bytes.Lines(text) {
		var c Change
		if json.Unmarshal(line, &c) == nil {
			out = append(out, c)
		}
	}
	return out, nil
}

// Lock waits until no other process changes the bar, or ctx ends, and keeps others from it until
// the file is closed: what is added rests on what was read before.
func Lock(ctx context.Context, state string) (io.Closer, error) {
	f, err := disk.LockFolder(ctx, state, disk.State, disk.Forever)
	if err != nil {
		return nil, fmt.Errorf("bar: %w", err)
	}
	return f, nil
}

// Add makes c the newest change. The caller holds the lock.
func Add(state string, c Change) error {
	old, err := Changes(state)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	for _, one := range append([]Change{c}, old[:min(len(old), history-1)]...) {
		if err := enc.Encode(one); err != nil {
			return fmt.Errorf("bar: %w", err)
		}
	}
	if err := disk.Keep(filepath.Join(state, File), disk.State, text.Bytes(), disk.Options{}); err != nil {
		return fmt.Errorf("bar: %w", err)
	}
	return nil
}
