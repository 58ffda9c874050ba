package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/secret"
)

// Privacy levels of the setting log.prompts.
const (
	Full  = "full"  // the redacted prompt, at most maxPrompt characters
	Terms = "terms" // the prompt's distinct index terms
	Hash  = "hash"  // the prompt's hash
	None  = "none"  // no part of the prompt
)

const maxPrompt = 4000

// PromptHash returns the hex SHA-256 of a redacted prompt. A short prompt can be guessed from its hash.
func PromptHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func keepsTerms(level, prompt string) bool {
	return level == Terms || level == Full && utf8.RuneCountInString(prompt) > maxPrompt
}

// SetDecision sets the record's decision to d with the part of its prompt that level allows. An unknown level is
// treated as Hash. terms are the prompt's index terms; they are kept at level Terms, and at level Full if the prompt
// had to be cut, so that the search can be repeated. d is not changed.
//
// Hash and None also remove the matched words and the context, because both repeat words of the prompt.
func (r *Record) SetDecision(d gate.Decision, level string, terms []string) {
	text := secret.Redact(d.Prompt)
	r.Decision = &d
	d.Prompt = ""
	switch level {
	case Full:
		d.Prompt = clip.Chars(text, maxPrompt)
		r.Cut = d.Prompt != text
	case Terms, None:
	default:
		level = Hash
		r.PromptHash = PromptHash(text)
	}
	r.Prompts = level
	if level == Terms || level == Full && r.Cut {
		r.Terms = slices.Compact(slices.Sorted(slices.Values(terms)))
	}
	if level == Hash || level == None {
		withoutWords(&d)
	}
}

// Lower redacts the record again and, for level Hash or None, removes the parts that the level does not allow. It
// reports whether anything changed.
func (r *Record) Lower(level string) bool {
	if r.Decision == nil {
		return false
	}
	d := *r.Decision
	before := d.Prompt
	changed := false
	switch {
	case level == None && r.Prompts != None:
		r.PromptHash, r.Terms, r.Cut, r.Prompts = "", nil, false, None
		changed = true
	case level == Hash && (r.Prompts == Full || r.Prompts == Terms):
		if r.Prompts == Full && !r.Cut {
			r.PromptHash = PromptHash(before)
		}
		r.Terms, r.Cut, r.Prompts = nil, false, Hash
		changed = true
	}
	if changed {
		d.Prompt = ""
		withoutWords(&d)
	} else {
		if clean(&d.Prompt, &changed); d.Prompt != before { // the secret may also be in the matches and the context
			r.Terms = nil
			withoutWords(&d)
		}
		clean(&d.Context, &changed)
	}
	d.Notes = slices.Clone(d.Notes)
	for i := range d.Notes {
		clean(&d.Notes[i], &changed)
	}
	clean(&r.Cwd, &changed)
	clean(&r.Transcript, &changed)
	r.Decision = &d
	return changed
}

func clean(text *string, changed *bool) {
	was := *text
	*text = secret.Redact(was)
	*changed = *changed || *text != was
}

func withoutWords(d *gate.Decision) {
	d.Context = ""
	d.Candidates = slices.Clone(d.Candidates)
	for i := range d.Candidates {
		c := &d.Candidates[i]
		c.Matched = slices.Clone(c.Matched)
		for k := range c.Matched {
			c.Matched[k].Term, c.Matched[k].Via = "", ""
		}
	}
}

// Shortened is the note of a decision whose line exceeded maxLine.
const Shortened = "log line shortened"

// trim shortens a record by one step: first the evidence, then the last candidates, then the context. It changes a
// copy of the decision.
func trim(r *Record, step int) {
	if r.Decision == nil {
		return
	}
	d := *r.Decision
	d.Candidates = slices.Clone(d.Candidates)
	switch step {
	case 0:
		for i := range d.Candidates {
			if !d.Candidates[i].Injected {
				d.Candidates[i].Matched = nil
			}
		}
	case 1:
		d.Candidates = d.Candidates[:min(len(d.Candidates), 20)]
		for i := range d.Candidates {
			d.Candidates[i].Matched = nil
			d.Candidates[i].HeldBack = nil
		}
	case 2:
		d.Context, d.Candidates, r.Terms = "", nil, nil
		short := clip.Chars(d.Prompt, 1000)
		r.Cut = r.Cut || short != d.Prompt
		d.Prompt = short
	}
	if !slices.Contains(d.Notes, Shortened) {
		d.Notes = append(slices.Clone(d.Notes), Shortened)
	}
	r.Decision = &d
}

// Limits of values from the host or the user, in bytes. Even if every byte is escaped, all of them and the beginning
// of a prompt fit in maxLine.
const (
	maxID    = 512
	maxPath  = 4096
	maxNote  = 1000
	maxNotes = 20
)

// bound redacts everything except the prompt, which SetDecision redacts, cuts long values and lists them in r.Short. It
// copies values that r points to before changing them.
func bound(r *Record) {
	short := func(name string, p *string, most int) {
		if len(*p) <= most {
			return
		}
		*p = clip.Bytes(*p, most)
		r.Short = append(r.Short, name)
	}
	r.Short = nil
	// Twice the length is redacted, so that the cut leaves no unrecognisable half of a secret.
	r.Cwd, r.Transcript = secret.Redact(clip.Bytes(r.Cwd, 2*maxPath)), secret.Redact(clip.Bytes(r.Transcript, 2*maxPath))
	short("session", &r.Session, maxID)
	short("prompt_id", &r.PromptID, maxID)
	short("client", &r.Client, maxID)
	short("source", &r.Source, maxID)
	short("call", &r.Call, maxID)
	short("cwd", &r.Cwd, maxPath)
	short("transcript", &r.Transcript, maxPath)
	if r.Outcome != nil {
		o := *r.Outcome
		o.Skill, o.Path = secret.Redact(clip.Bytes(o.Skill, 2*maxID)), secret.Redact(clip.Bytes(o.Path, 2*maxPath))
		short("outcome.skill", &o.Skill, maxID)
		short("outcome.source", &o.Source, maxID)
		short("outcome.call", &o.Call, maxID)
		short("outcome.by", &o.By, maxID)
		short("outcome.path", &o.Path, maxPath)
		r.Outcome = &o
	}
	if r.Decision == nil {
		return
	}
	d := *r.Decision
	d.Notes = slices.Clone(d.Notes)
	if more := len(d.Notes) - maxNotes; more > 0 {
		d.Notes = append(d.Notes[:maxNotes], fmt.Sprintf("%d more notes", more))
		r.Short = append(r.Short, "notes")
	}
	d.Context = secret.Redact(d.Context)
	for i := range d.Notes {
		d.Notes[i] = secret.Redact(clip.Bytes(d.Notes[i], 2*maxNote))
		if len(d.Notes[i]) > maxNote {
			d.Notes[i] = clip.Bytes(d.Notes[i], maxNote) + "…"
		}
	}
	r.Decision = &d
}
