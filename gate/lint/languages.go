package lint

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/skillgate/skillgate/synonyms/lang"
	"github.com/skillgate/skillgate/synonyms/lang/en"
	"github.com/skillgate/skillgate/synonyms/lang/ko"
)

// languages finds out whether a prompt in each language that users write in brings the
// skill into reach: one of its own triggers, its name, or its telling words as the
// dictionary has them in the other language.
func (p *prober) languages(ctx context.Context, s *Skill, doc uint32, m *Measured) error {
	for _, probe := range m.Probes {
		at := m.Reach[probe.Lang]
		if probe.Kind == "capability" && at.Own {
			continue
		}
		at.Tried = true
		at.Own = at.Own || probe.Kind != "capability"
		if probe.Place > 0 && probe.Place <= reach && !at.Found {
			at.Found, at.Prompt = true, probe.Text
		}
	}
	for _, l := range slices.Backward(lang.All[:]) {
		if at := m.Reach[l.Code]; !at.Found && p.lib.Wants(l.Code) {
			if err := p.try(ctx, doc, at, p.in(l, s, m)); err != nil {
				return err
			}
		}
	}
	return nil
}

// leads reports whether the dictionary leads to a language: from Korean to English and
// back. Of a skill without triggers in another language it is not known what reaches it.
func leads(l *lang.Language) bool { return l == &ko.Language || l == &en.Language }

// in makes prompts in a language of what tells the skill, none where the dictionary does
// not lead to it.
func (p *prober) in(l *lang.Language, s *Skill, m *Measured) []string {
	switch l {
	case &ko.Language:
		return p.inKorean(s, m)
	case &en.Language:
		return p.inEnglish(s, m)
	}
	return nil
}

func (p *prober) try(ctx context.Context, doc uint32, r *Reach, prompts []string) error {
	for _, prompt := range prompts {
		if _, err := p.Search(ctx, prompt); err != nil {
			return err
		}
		r.Tried = true
		r.Prompt = cmp.Or(r.Prompt, prompt)
		if at, _ := p.Place(doc); at > 0 && at <= reach {
			r.Found, r.Prompt = true, prompt
			return nil
		}
	}
	return nil
}

// inKorean makes Korean prompts of the skill's name and of its telling words: names
// as they are, else the Korean words of each, of the best four and of the best two.
func (p *prober) inKorean(s *Skill, m *Measured) []string {
	var out []string
	for choice := range maxChoices {
		var words []string
		for _, w := range p.first(m) {
			if hasHangul(w.term) {
				base, _, _ := strings.Cut(w.term, "#")
				words = append(words, base)
			} else if w.name {
				words = append(words, w.surface) // Korean users write names in Latin letters
			} else if ko := p.Dict.Korean(w.term); len(ko) > 0 {
				words = append(words, ko[min(choice, len(ko)-1)])
			}
		}
		for _, prompt := range append(heads(words), p.nameIn(s, choice)) {
			if prompt != "" && !slices.Contains(out, prompt) {
				out = append(out, prompt)
			}
		}
	}
	return out
}

// nameIn is the skill's name in Korean, with the dictionary's word of that rank for
// each of its words; words that it does not have stay as they are.
func (p *prober) nameIn(s *Skill, choice int) string {
	var words []string
	for _, c := range p.Ranker.Parse(strings.Join(nameWords(s), " ")).Concepts {
		switch ko := p.Dict.Korean(c.Text); {
		case hasHangul(c.Text) || len(ko) == 0:
			words = append(words, c.Surface)
		default:
			words = append(words, ko[min(choice, len(ko)-1)])
		}
	}
	return strings.Join(words, " ")
}

// nameWords are the words of the name that a skill gives itself; its folder may bear a number.
func nameWords(s *Skill) []string {
	name := s.Name
	if given, ok := s.Front.Scalar("name"); ok && strings.TrimSpace(given) != "" {
		name = given
	}
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// maxChoices is how many Korean words of an English one are tried: the dictionary's
// first may be another sense than the skill's.
const maxChoices = 4

// inEnglish makes English prompts of the skill's name and of the first sense of
// its telling Korean words.
func (p *prober) inEnglish(s *Skill, m *Measured) []string {
	var words []string
	for _, w := range p.first(m) {
		base, _, _ := strings.Cut(w.term, "#")
		if !hasHangul(base) {
			words = append(words, w.surface)
		} else if senses := p.Dict.Senses(base); len(senses) > 0 {
			words = append(words, senses[0])
		}
	}
	out := heads(words)
	if name := strings.Join(nameWords(s), " "); name != "" && !hasHangul(name) {
		out = append(out, name)
	}
	return out
}

// first lists the telling words of the skill at hand and then its best dozen.
func (p *prober) first(m *Measured) []word {
	var out []word
	for _, w := range p.words {
		if slices.Contains(m.Telling, w.term) {
			out = append(out, w)
		}
	}
	return append(out, p.words[:min(len(p.words), 12)]...)
}

// heads makes prompts of the first four and the first two words: a prompt has at
// least two, since one word alone is not a request.
func heads(words []string) []string {
	var kept []string
	for _, w := range words {
		if !slices.Contains(kept, w) {
			kept = append(kept, w)
		}
	}
	switch n := len(kept); {
	case n < 2:
		return nil
	case n == 2:
		return []string{strings.Join(kept, " ")}
	default:
		return []string{strings.Join(kept[:min(n, 4)], " "), strings.Join(kept[:2], " ")}
	}
}

// share is the share of the skills that have the word of a one-word prompt in
// their name, description or triggers.
func (p *prober) share(prompt string) float64 {
	best := 0.0
	for _, c := range p.Ranker.Parse(prompt).Concepts {
		for _, a := range c.Alts {
			best = max(best, p.headShare(a.Term))
		}
	}
	return best
}

// headShare is the share of the skills that have a term outside their body.
func (p *prober) headShare(term string) float64 {
	base, _, _ := strings.Cut(term, "#")
	return float64(p.Heads(base)) / float64(max(p.Snapshot.Skills, 1))
}
