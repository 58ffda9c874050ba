package enrich

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"
)

// Usage counts the tokens of requests and their cost.
type Usage struct {
	In   int     `json:"tokens_in"`
	Out  int     `json:"tokens_out"`
	Cost float64 `json:"usd"` // reported by the provider, or 0
}

func (u *Usage) add(v Usage) {
	u.In += v.In
	u.Out += v.Out
	u.Cost += v.Cost
}

// Fault is a provider's failure to answer.
type Fault struct {
	Temporary bool          // the same request may succeed later
	After     time.Duration // wait that the provider asked for, or 0
	Hint      string        // next step for the user, or ""
	Err       error
}

func (f *Fault) Error() string { return f.Err.Error() }
func (f *Fault) Unwrap() error { return f.Err }

func (f *Fault) pause(attempt int) time.Duration {
	if f.After > 0 {
		return min(f.After, maxBackoff)
	}
	return min(firstBackoff<<(attempt-1), maxBackoff)
}

func faultOf(status int, after time.Duration, err error) *Fault {
	f := &Fault{Err: err, After: after}
	switch {
	case status == 401 || status == 403:
		f.Hint = "check the provider's login or key"
	case status == 404:
		f.Hint = "check the model's name and the base URL"
	case status == 408 || status == 409 || status == 429 || status >= 500:
		f.Temporary = true
	}
	return f
}

type chat interface {
	// complete returns the model's answer, which should contain the JSON object.
	complete(ctx context.Context, q request) (reply, error)
}

type reply struct {
	text  string
	model string
	cut   bool // the answer was cut off at the model's output limit
	usage Usage
}

// Model is a provider that asks a language model.
type Model struct {
	name      string
	chat      chat
	languages []string
	now       func() time.Time
}

// Expand asks about all skills in one request and returns unchecked expansions for some of them. A *Fault says
// whether and when the others may be requested again.
func (m *Model) Expand(ctx context.Context, skills []Skill) ([]Expansion, Usage, error) {
	got, err := m.chat.complete(ctx, ask(skills, m.languages, rand.Text()))
	if err != nil {
		return nil, got.usage, err
	}
	list, err := parseAnswer(got.text, skills, m.languages)
	for i := range list {
		x := &list[i]
		x.Schema, x.Provider, x.Model, x.Prompt, x.Date = Schema, m.name, line(got.model), PromptVersion,
			m.now().UTC().Truncate(time.Second)
	}
	if got.cut && err != nil {
		err = fmt.Errorf("%w (the answer was cut off at the model's output limit)", err)
	}
	return list, got.usage, err
}

var errSlow = errors.New("the provider did not answer in time")
