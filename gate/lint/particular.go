package lint

import (
	"context"
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
		for _, w := range p.ownWords(s, probe.Lang) {
			if tried == maxWords {
				break
			}
			if containsFold(probe.Text, w) {
				continue
			}
			tried++
			if _, err := p.Search(ctx, w+" "+probe.Text); err != nil {
				return err
			}
			if at, _ := p.Place(doc); at > 0 && at <= reach {
				probe.With = w
				break
			}
		}
	}
	return nil
}

const maxWords = 4 // words of the skill that are tried with a trigger

// ownWords lists words that the skill may be called by, as users of a language
// write them: those of its name that its description has too, then other names that
// the description writes. Of a Korean user's words for a word of the name the one in
// the description counts, else the dictionary's first.
func (p *prober) ownWords(s *Skill, lang string) []string {
	inName := stems(strings.Join(nameWords(s), " "))
	text := s.Text()
	var named, other []string
	for _, w := range p.words {
		base, _, _ := strings.Cut(w.term, "#")
		as := w.surface
		switch {
		case strings.ContainsFunc(as, notInWord) || len([]rune(as)) < 2:
			continue
		case !inName[base]:
			if nameLike(as) {
				other = append(other, as)
			}
			continue
		case lang == "ko" && !hasHangul(base) && !nameLike(as):
			as = inText(p.Dict.Korean(w.term), text, as)
		case lang == "en" && hasHangul(base):
			as = inText(p.Dict.Senses(base), text, as)
		}
		if !strings.HasSuffix(as, "다") && len([]rune(as)) > 1 { // the dictionary form of a verb stands in no phrase
			named = append(named, as)
		}
	}
	return append(named, other...)
}

// inText returns the first of list that text holds, else the first, else otherwise.
func inText(list []string, text, otherwise string) string {
	for _, w := range list {
		if containsFold(text, w) {
			return w
		}
	}
	if len(list) > 0 {
		return list[0]
	}
	return otherwise
}

func notInWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ' ' && r != '-' && r != '+' && r != '#'
}
