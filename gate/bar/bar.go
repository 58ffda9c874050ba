// Package bar learns the threshold need_min for one machine from its journal, and stores it.
//
// need is calibrated on the turns of many people, as if half of all turns needed a skill. Some users need skills more
// often than others. This difference is modelled as a shift of the logit of need:
//
//	P(used) = seen · σ(logit need − log usual odds + shift)
//
// Here seen is the probability that a helpful skill is used, which is greater if the skill was suggested. The usual
// odds are the number of turns that need no skill for each turn that needs one. Learn finds the most likely shift under
// a normal prior around 0 and moves need_min by this shift, limited to Most. It uses only the skill uses after a
// prompt, never the text of a skill or repository. need_min moves no further than it would without the busiest folder
// or without the most used skill, so that no single repository or skill can move it.
//
// The file need_min.jsonl in the state folder has one line for each change, newest first.
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

// File is the name of the file in the state folder that holds the learned thresholds.
const File = "need_min.jsonl"

const (
	// Most is the maximum shift of need_min up or down, on the logit scale: from .55 to .31 or .77.
	Most = 1.0
	// Least is the smallest change of need_min that is stored.
	Least = 0.02

	MinTurns = 100 // minimum number of prompts with a skill search, from sessions whose skill uses are reported
	MinUses  = 10  // minimum number of those prompts after which a skill was used

	usualOdds   = 19.0 // turns that need no skill for each turn that needs one, so 5 % of turns need one
	seenNamed   = 0.8  // probability that the model uses a helpful skill that was suggested
	seenUnnamed = 0.5  // probability that the model uses a helpful skill that was not suggested
	prior       = 0.5  // standard deviation of the prior for a user's shift

	history = 50 // number of changes that the file keeps
	maxFile = 64 << 10
)

// Change is one change of need_min.
type Change struct {
	At      time.Time `json:"at"`
	Model   string    `json:"model"` // ID of the need model that need_min was learned for
	NeedMin float64   `json:"need_min"`
	From    float64   `json:"from"` // need_min before the change
	By      By        `json:"by"`
	Known   Known     `json:"known"`
}

// By is the cause of a change.
type By string

const (
	Itself  By = "itself"  // skillgate changed need_min automatically
	Command By = "command" // the user ran `skillgate calibrate`
	Reset   By = "reset"   // the user restored the default; earlier turns no longer count
)

// Known counts the turns that need_min was learned from.
type Known struct {
	Turns  int `json:"turns"`  // prompts with a skill search, of sessions whose skill uses were reported
	Used   int `json:"used"`   // turns with a suggestion in which a skill was used
	Unused int `json:"unused"` // turns with a suggestion in which no skill was used
	Missed int `json:"missed"` // turns without a suggestion in which a skill was used
}

// Turn is one searched prompt and its outcome.
type Turn struct {
	Need   float64
	Named  bool   // a skill was suggested
	Skill  string // name of the skill that was used, or ""
	Folder string // working folder of the session
}

// ErrFew means that there are too few turns to learn from.
var ErrFew = errors.New("too few outcomes to tune need_min")

// Learn returns the need_min that fits turns, and the counts that it was learned from. usual is the default of
// need_min. If there are too few turns, Learn returns usual and an error that wraps ErrFew.
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
		return usual, k, fmt.Errorf("%w: %d prompts with a skill search (minimum %d), %d with a used skill (minimum %d)",
			ErrFew, k.Turns, MinTurns, k.Used+k.Missed, MinUses)
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
	if a*b < 0 {
		return 0
	}
	return math.Copysign(min(math.Abs(a), math.Abs(b)), a)
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

// logit limits p to [0.0001, 0.9999], so that the result is finite.
func logit(p float64) float64 {
	p = max(1e-4, min(1-1e-4, p))
	return math.Log(p / (1 - p))
}

// Within reports whether Learn could have returned needMin when the default was usual.
func Within(needMin, usual float64) bool {
	return math.Abs(logit(needMin)-logit(usual)) <= Most+0.01 // tolerance for the rounding of stored values
}

// String describes k in English.
func (k Known) String() string { return k.Said(fmt.Sprintf) }

// Said is like String, but formats with say, which may translate the format.
func (k Known) Said(say func(format string, args ...any) string) string {
	return say("%d prompts with a skill search: suggestion used for %d, not used for %d, skill used without a "+
		"suggestion for %d", k.Turns, k.Used, k.Unused, k.Missed)
}

// Current returns the newest change. ok is false if no change is stored, the file cannot be read, or the change was
// learned for another need model.
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

// Changes returns all stored changes, newest first.
func Changes(state string) ([]Change, error) {
	text, err := regular.Read(filepath.Join(state, File), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("calibrated need_min: %w", err)
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

// Lock takes the lock of the stored changes. It waits until the lock is free or ctx ends. Take the lock before reading
// the journal. Close the result after Add to release the lock.
func Lock(ctx context.Context, state string) (io.Closer, error) {
	f, err := disk.LockFolder(ctx, state, disk.State, disk.Forever)
	if err != nil {
		return nil, fmt.Errorf("calibrated need_min: %w", err)
	}
	return f, nil
}

// Add stores c as the newest change. The caller must hold the lock taken by Lock.
func Add(state string, c Change) error {
	old, err := Changes(state)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	for _, one := range append([]Change{c}, old[:min(len(old), history-1)]...) {
		if err := enc.Encode(one); err != nil {
			return fmt.Errorf("calibrated need_min: %w", err)
		}
	}
	if err := disk.Keep(filepath.Join(state, File), disk.State, text.Bytes(), disk.Options{}); err != nil {
		return fmt.Errorf("calibrated need_min: %w", err)
	}
	return nil
}
