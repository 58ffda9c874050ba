package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
)

// Exactness is how far a log could be reproduced: each decision over the
// generation it names, by the same settings and program.
type Exactness struct {
	Decisions  int            `json:"decisions"`
	Reproduced int            `json:"reproduced"` // to the last bit of every score, and the text shown
	Different  int            `json:"different"`  // though everything it depends on is the same
	Apart      map[string]int `json:"apart"`      // not comparable, by why
	Examples   []Difference   `json:"examples"`   // of Different, at most 20
	Source     Notes          `json:"source"`
}

// Difference is one decision that was not reproduced.
type Difference struct {
	ID    string `json:"id"`
	Where string `json:"where"` // the first field that differs
	Was   string `json:"was"`
	Is    string `json:"is"`
}

// Reasons for Exactness.Apart.
const (
	ApartDeadline  = "the deadline cut the search"
	ApartError     = "the hook could not decide"
	ApartSettings  = "decided under other settings"
	ApartPolicy    = "the host's settings have changed"
	ApartVersion   = "decided by another version of skillgate"
	ApartGone      = "its index generation is gone"
	ApartReranked  = "the reranker had a say"
	ApartFile      = "a skill's file was gone at the time"
	ApartNotKept   = "its prompt was not kept as text"
	ApartShortened = "its log line was shortened"
)

const mostExamples = 20

// Verify decides every logged prompt again over the generations its decision
// names and compares everything but times. version is this program's. Decisions
// that depend on more than settings and indexes are counted apart.
func Verify(ctx context.Context, source Source, f store.Filter, notes *Notes, side *Side, version string,
	progress func(int)) (Exactness, error) {
	e := Exactness{Apart: map[string]int{}, Examples: []Difference{}}
	a := newAsker(side, newMemory())
	err := source(ctx, f, notes, func(p *Prompt) error {
		e.Decisions++
		if progress != nil {
			progress(e.Decisions)
		}
		if why := apart(p, side.settings(p).Fingerprint(), version); why != "" {
			e.Apart[why]++
			return nil
		}
		got, err := a.answer(ctx, p)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case errors.Is(err, gate.ErrGone), errors.Is(err, index.ErrStale):
			e.Apart[ApartGone]++
			return nil
		case err != nil:
			return err
		}
		if len(p.Recorded.Index) > 0 && p.Policy != "" {
			if g, err := a.gate(p); err == nil && g.PolicyID() != p.Policy {
				e.Apart[ApartPolicy]++
				return nil
			}
		}
		d, err := difference(p.Recorded, got.Decision)
		if err != nil {
			return err
		}
		if d == nil {
			e.Reproduced++
			return nil
		}
		e.Different++
		if d.ID = p.ID; len(e.Examples) < mostExamples {
			e.Examples = append(e.Examples, *d)
		}
		return nil
	})
	e.Source = *notes
	a.close()
	return e, err
}

func apart(p *Prompt, fingerprint, version string) string {
	d := p.Recorded
	switch {
	case d == nil || p.Form() != Exact || p.Level != journal.Full:
		return ApartNotKept
	case cutOff(d):
		return ApartDeadline
	case d.Verdict == gate.Error:
		return ApartError
	case p.Settings != fingerprint && d.Reason != gate.Disabled:
		return ApartSettings
	case p.Skillgate != version:
		return ApartVersion
	case d.Ms.Rerank > 0:
		return ApartReranked
	case noted(d, gate.FileGone):
		return ApartFile
	case noted(d, journal.Shortened):
		return ApartShortened
	}
	return ""
}

func difference(was, is *gate.Decision) (*Difference, error) {
	plain := func(d *gate.Decision) (map[string]json.RawMessage, error) {
		c := *d
		c.Prompt, c.Notes, c.Ms = "", nil, gate.Timing{}
		if c.Candidates == nil {
			c.Candidates = []gate.Candidate{}
		}
		if len(c.Index) == 0 || c.Verdict == gate.Skip {
			c.Index = nil // nothing was read in it
		}
		text, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		fields := map[string]json.RawMessage{}
		return fields, json.Unmarshal(text, &fields)
	}
	x, err := plain(was)
	if err != nil {
		return nil, err
	}
	y, err := plain(is)
	if err != nil {
		return nil, err
	}
	if reflect.DeepEqual(x, y) {
		return nil, nil
	}
	for _, field := range []string{"verdict", "reason", "lang", "need", "candidates", "context", "chars", "index",
		"trial"} {
		if a, b := string(x[field]), string(y[field]); a != b {
			return &Difference{Where: field, Was: bound(a), Is: bound(b)}, nil
		}
	}
	return nil, fmt.Errorf("two decisions differ in a field that is not listed")
}

func bound(s string) string {
	if head := clip.Chars(s, 400); head != s {
		return head + "…"
	}
	return s
}
