package advise

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/replay"
)

// File keeps in the state folder what was applied.
const File = "advice.json"

// Applied is a proposal that was carried out.
type Applied struct {
	At     time.Time  `json:"at"`
	Kind   Kind       `json:"kind"`
	Skill  string     `json:"skill,omitempty"`
	Skills []string   `json:"skills,omitempty"`
	More   bool       `json:"more,omitempty"`  // of settings, which older versions changed
	Limit  int        `json:"limit,omitempty"` //
	Text   string     `json:"text"`            // English
	Says   Message    `json:"says,omitzero"`   // the same, to be printed in any language
	Edit   Edit       `json:"edit"`
	Undone *time.Time `json:"undone,omitempty"`
}

// Said is what was applied, as a function writes it; what older versions remember is as it was written then.
func (a *Applied) Said(write func(format string, args ...any) string) string {
	if a.Says.Format == "" {
		return a.Text
	}
	return a.Says.In(write)
}

// What goes wrong with files.
var (
	ErrChanged    = errors.New("changed meanwhile, nothing was written to it")
	ErrUnreadable = errors.New("what was applied cannot be read")
)

// SetAside is the next step after ErrUnreadable.
const SetAside = "update skillgate where a newer one wrote " + File + "; or move it out of its folder: what was " +
	"applied stays, and is no longer measured or taken back"

// Apply carries out a proposal's edit and remembers it in a state folder.
func Apply(state string, p *Proposal, now time.Time) error {
	list, err := Load(state)
	if err != nil {
		return err
	}
	a := Applied{At: now.UTC(), Kind: p.Kind, Skill: p.Skill, Skills: p.Skills,
		Text: p.Text, Says: p.Says, Edit: *p.Edit}
	if p.Says.Format != "" {
		a.Text = p.Says.In(nil)
	}
	// Remembered first: what is not remembered could not be undone.
	if err := save(state, append(list, a)); err != nil {
		return err
	}
	if err := p.Edit.write(p.Edit.Old, p.Edit.New); err != nil {
		return errors.Join(err, save(state, list))
	}
	return nil
}

// Undo takes the newest edit back that still stands, and returns it; nil where there is none. Where its file has
// changed since, it returns the edit with an error that wraps ErrChanged. With forget the file is left as it is, and
// the edit counts as taken back.
func Undo(state string, now time.Time, forget bool) (*Applied, error) {
	list, err := Load(state)
	if err != nil {
		return nil, err
	}
	for i := len(list) - 1; i >= 0; i-- {
		a := &list[i]
		if a.Undone != nil {
			continue
		}
		if !forget {
			if err := a.Edit.write(a.Edit.New, a.Edit.Old); err != nil {
				return a, err
			}
		}
		at := now.UTC()
		a.Undone = &at
		return a, save(state, list)
	}
	return nil, nil
}

// write replaces a file's text; an empty text is a file that is not there.
func (e *Edit) write(old, text string) error {
	if e.Lines {
		return fmt.Errorf("%s: %w", e.File, ErrChanged) // by hand
	}
	now, err := os.ReadFile(e.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if string(now) != old {
		return fmt.Errorf("%s: %w", e.File, ErrChanged)
	}
	if text == "" {
		return disk.RemoveText(e.File, now)
	}
	if err := os.MkdirAll(filepath.Dir(e.File), 0o700); err != nil {
		return err
	}
	return disk.Write(e.File, []byte(text), disk.Options{Root: e.Within, Sync: true})
}

// Load returns what was applied, oldest first. Its errors wrap ErrUnreadable.
func Load(state string) ([]Applied, error) {
	const most = 16 << 20
	text, err := regular.Read(filepath.Join(state, File), most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var list []Applied
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields() // a newer version's, which would be lost when the list is written
		if err = d.Decode(&list); err == nil && list == nil {
			err = errors.New("want a list")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", File, ErrUnreadable, err)
	}
	return list, nil
}

func save(state string, list []Applied) error {
	text, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		return err
	}
	return disk.Keep(filepath.Join(state, File), disk.State, append(text, '\n'), disk.Options{})
}

// Verdict says whether what was applied did what it was for.
type Verdict string

// The verdicts.
const (
	Early Verdict = "too early"
	Held  Verdict = "held"
	Not   Verdict = "did not hold"
)

// week is how long after an edit it is measured again, and enough the fewest cases.
const (
	week   = 7 * 24 * time.Hour
	enough = 5
)

// Again measures what was applied: the share of cases before and after it. Cases are the prompts after which the model
// used a skill that is concerned, and those that named it count. For a skill that is no longer named they are all
// searched prompts, those that named it count, and fewer are better.
func (a *Applied) Again(prompts []*replay.Prompt, now time.Time) (before, after *outcome.Rate, v Verdict) {
	fewer := a.Kind == Off
	concerns := func(name string) bool {
		return journal.SameSkill(name, a.Skill) ||
			slices.ContainsFunc(a.Skills, func(s string) bool { return journal.SameSkill(name, s) })
	}
	var shares [2]outcome.Share
	for _, p := range prompts {
		d := p.Recorded
		if d == nil || d.Verdict == gate.Skip || d.Verdict == gate.Error || a.Undone != nil && p.Time.After(*a.Undone) {
			continue
		}
		share := &shares[0]
		if p.Time.After(a.At) {
			share = &shares[1]
		}
		named := slices.DeleteFunc(outcome.InjectedBy(d), func(n outcome.Named) bool { return !concerns(n.Name) })
		if fewer {
			share.Add(p.Session, len(named) > 0)
			continue
		}
		uses := slices.DeleteFunc(p.Used(), func(u journal.Outcome) bool { return !concerns(u.Skill) })
		if len(uses) > 0 {
			t := outcome.Turn{Named: named, Uses: uses}
			share.Add(p.Session, t.State() == outcome.Followed)
		}
	}
	before, after = shares[0].Rate(), shares[1].Rate()
	switch {
	case now.Sub(a.At) < week || before == nil || after == nil || after.N < enough:
		v = Early
	case fewer == (after.Value < before.Value) && after.Value != before.Value:
		v = Held
	default:
		v = Not
	}
	return before, after, v
}
