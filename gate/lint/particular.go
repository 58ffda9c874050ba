package lint

import (
	"context"
	"slices"
	"strings"
	"unicode"
)

// particular looks, for each trigger that does not find its own skill, for a word
// of the skill with which it does.
func (p *prober) particular(ctx context.Context, s *Skill, doc uint32, m *Measured) error {
	for i := range m.Probes {
		probe := &m.Probes[i]
		if !probe.missed() || commonWord(*probe) {
			continue
		}
		tried := 0
		for _, w := range p.ownWords(s, m, probe.Lang) {
			if tried == maxWords {
				break
			}
			if containsFold(probe.Text, w) {
				continue
			}
			tried++
			if _, err := p.search(ctx, w+" "+probe.Text); err != nil {
				return err
			}
			if at, _ := p.place(doc); at > 0 && at <= reach {
				probe.With = w
				break
			}
		}
	}
	return nil
}

const maxWords = 4 // words of the skill that are tried with a trigger

// ownWords lists telling words of what the skill says it does, as users of a
// language write them: those of its name first, then the best. Names stay as they
// are; other words are the dictionary's first in the other language.
func (p *prober) ownWords(s *Skill, m *Measured, lang string) []string {
	inName := stems(strings.Join(nameWords(s), " "))
	var named, other []string
	for _, w := range p.words {
		base, _, _ := strings.Cut(w.term, "#")
		text := w.surface
		switch {
		case lang == "ko" && hasHangul(base):
			text = base
		case lang == "ko" && !nameLike(w.surface):
			if list := p.dict.Korean(w.term); len(list) > 0 {
				text = list[0]
			}
		case lang == "en" && hasHangul(base):
			senses := p.dict.Senses(base)
			if len(senses) == 0 {
				continue
			}
			text = senses[0]
		}
		switch {
		case len([]rune(text)) < 2 || strings.ContainsFunc(text, notInWord):
		case inName[base]:
			named = append(named, text)
		case slices.Contains(m.Telling, w.term):
			other = append(other, text)
		}
	}
	return append(named, other...)
}

func notInWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ' ' && r != '-' && r != '+' && r != '#'
}
