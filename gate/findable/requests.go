package findable

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// Kind is the origin of a request.
type Kind string

const (
	Trigger Kind = "trigger" // a phrase that should trigger the skill, according to its text
	Clause  Kind = "clause"  // a clause of the skill's description
	Given   Kind = "given"   // a request from the author's trigger file or the user's log
	Written Kind = "written" // a request written by a model, as for `skillgate enrich`
)

// Request is a prompt for which a skill should be found.
type Request struct {
	Text string `json:"prompt"`
	Kind Kind   `json:"kind"`
	// rank from 1, at most Depth+1; for a Trigger or Clause, the rank after its text is removed from the skill
	Place int    `json:"place"`
	First string `json:"first,omitempty"` // ID of the best-ranked other skill
}

func (r *Request) inNoText() bool { return r.Kind == Given || r.Kind == Written }

type text struct {
	p        *Prober
	e        *catalog.Entry
	name     map[string]bool // terms of the skill's name
	triggers []string
	clauses  []string
	base     index.Edit // removes sentences that contain only the name
}

func (p *Prober) text(e *catalog.Entry) *text {
	t := &text{p: p, e: e, name: map[string]bool{}}
	for _, term := range p.Analyzer.Terms(e.Name + " " + e.Folder) {
		t.name[term] = true
	}
	var said []string
	for _, trigger := range e.Triggers {
		head, tail := t.unglued(trigger)
		if tail != "" {
			t.base.Trigger(p.Analyzer, trigger, -1)
			t.base.Trigger(p.Analyzer, head, 1)
			trigger = head
		}
		said = append(said, trigger)
		switch {
		case len(t.telling(trigger)) == 0:
			t.base.Trigger(p.Analyzer, trigger, -1)
		case !strings.HasPrefix(trigger, "/") && !slices.Contains(t.triggers, trigger):
			t.triggers = append(t.triggers, trigger)
		}
	}
	for _, clause := range cut(e.Capability) {
		clause, tail := t.unglued(clause)
		if tail != "" {
			t.base.Text(p.Analyzer, index.Description, tail, -1)
		}
		switch n := len(t.telling(clause)); {
		case n == 0:
			t.base.Text(p.Analyzer, index.Description, clause, -1)
		case n > 1 && len(clause) <= maxClause && !slices.Contains(said, clause):
			t.clauses = append(t.clauses, clause)
		}
	}
	return t
}

// unglued splits off a final sentence that contains only the name and follows without a full stop, as in "balance the
// till Use when asked to run NAME". tail is that sentence, or "".
func (t *text) unglued(phrase string) (head, tail string) {
	for i, r := range phrase {
		if i > 1 && phrase[i-1] == ' ' && unicode.IsUpper(r) && strings.Contains(phrase[i:], " ") &&
			len(t.telling(phrase[i:])) == 0 {
			return strings.TrimRight(phrase[:i], " ,;:—–-"), phrase[i:]
		}
	}
	return phrase, ""
}

const maxClause = 160 // bytes; longer clauses are not used as requests

func (t *text) telling(text string) []string {
	var out []string
	for _, term := range t.p.Analyzer.Terms(text) {
		if !t.name[term] && !rank.Generic(term) && !vocab.Asking.Has(term) && utf8.RuneCountInString(term) > 1 &&
			!slices.Contains(out, term) {
			out = append(out, term)
		}
	}
	return out
}

// cut splits a description into clauses. A capitalised "Use" begins a clause even after a sentence without a full stop.
func cut(text string) []string {
	var out []string
	text = strings.ReplaceAll(text, " Use ", "\nUse ")
	for _, one := range strings.FieldsFunc(text, func(r rune) bool {
		return strings.ContainsRune(".,;:!?()[]{}—–|\"“”\n。、，；：（）", r)
	}) {
		if one = strings.TrimFunc(one, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); one != "" {
			out = append(out, one)
		}
	}
	return out
}

func (t *text) requests(kind Kind, texts []string) []Request {
	var out []Request
	for _, one := range texts {
		out = append(out, Request{Text: one, Kind: kind})
	}
	return out
}

func (t *text) ask(ctx context.Context, r *Request) error {
	if _, err := t.p.Search(ctx, r.Text); err != nil {
		return err
	}
	t.place(r)
	return nil
}

func (t *text) place(r *Request) {
	edit := t.base.Clone()
	if r.inNoText() {
		edit = new(index.Edit)
	}
	t.hold(edit, r)
	doc := t.p.ByID[t.e.ID]
	r.Place, _, _ = t.p.PlaceEdited(doc, edit)
	r.First = ""
	for _, h := range t.p.Hits {
		if !t.p.Same(h.Doc, doc) {
			r.First = t.p.Docs[h.Doc].ID
			break
		}
	}
}

func (t *text) hold(edit *index.Edit, r *Request) {
	if r.inNoText() {
		return
	}
	if r.Kind == Trigger {
		edit.Trigger(t.p.Analyzer, r.Text, -1)
	}
	if n := strings.Count(t.e.Capability, r.Text); n > 0 {
		edit.Text(t.p.Analyzer, index.Description, r.Text, -n)
	}
	edit.Cut(t.p.Analyzer, t.e.Body, r.Text)
}

// Spread returns at most n items, evenly spaced in list.
func Spread(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	out := make([]string, 0, n)
	for i := range n {
		out = append(out, list[i*len(list)/n])
	}
	return out
}
