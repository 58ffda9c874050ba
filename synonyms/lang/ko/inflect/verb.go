package inflect

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/synonyms/internal/hangul"
	"github.com/skillgate/skillgate/synonyms/internal/table"
	"github.com/skillgate/skillgate/synonyms/lang/script"
)

//go:embed verbs.yaml
var verbsText []byte

type stems struct {
	RegularB    []string `yaml:"regular ㅂ"`
	IrregularD  []string `yaml:"irregular ㄷ"`
	DoubtfulD   []string `yaml:"doubtful ㄷ"`
	IrregularS  []string `yaml:"irregular ㅅ"`
	RegularH    []string `yaml:"regular ㅎ"`
	RegularRu   []string `yaml:"regular 르"`
	IrregularRo []string `yaml:"irregular 러"`
	WithWa      []string `yaml:"with 와"`
	Nouns       []string `yaml:"nouns in 다"`
	NounOrVerb  []string `yaml:"nouns that verbs look like"`
}

var verbs = sync.OnceValue(func() (s stems) {
	_ = yaml.Unmarshal(verbsText, &s)
	return s
})

func endsIn(stem string, tails []string) bool {
	return slices.ContainsFunc(tails, func(t string) bool { return strings.HasSuffix(stem, t) })
}

func last(s string) byte {
	l := hangul.Codes(nil, s)
	return l[len(l)-1]
}

var (
	vowelA, vowelYA   = last("아"), last("야")
	vowelAE, vowelYAE = last("애"), last("얘")
	vowelEO, vowelYEO = last("어"), last("여")
	vowelE, vowelO    = last("에"), last("오")
	vowelWA, vowelWAE = last("와"), last("왜")
	vowelOE, vowelU   = last("외"), last("우")
	vowelWO, vowelWI  = last("워"), last("위")
	vowelEU, vowelUI  = last("으"), last("의")
	vowelI, vowelYE   = last("이"), last("예")
	finalB, finalD    = last("업"), last("얻")
	finalS, finalH    = last("엇"), last("엏")
	finalLM           = last("얾")
	finalL            = byte(hangul.FinalL)
)

// conjugate returns the stems of a verb or adjective in -다, including irregular ones, and its dictionary form.
func conjugate(word string) []table.Surface {
	stem, ok := strings.CutSuffix(word, "다")
	if !ok || stem == "" {
		return nil
	}
	l := string(hangul.Codes(nil, stem))
	var out []table.Surface
	add := func(kind table.Kind, forms ...string) {
		for _, f := range forms {
			out = append(out, table.Surface{Letters: f, Kind: kind})
		}
	}
	dropped := func(form string) {
		for _, kind := range []table.Kind{table.Base, table.Vowel} {
			out = append(out, table.Surface{Letters: form, Kind: kind, Marks: table.DroppedForm})
		}
	}
	end := l[len(l)-1]
	head := l[:len(l)-1]
	silent := string([]byte{hangul.SilentInitial})
	codes := func(s string) string { return string(hangul.Codes(nil, s)) }
	harmony := func(l string) string { // 아 after 아 and 오, else 어
		for i := len(l) - 1; i >= 0; i-- {
			if hangul.IsVowel(l[i]) {
				if l[i] == vowelA || l[i] == vowelO || l[i] == vowelYA {
					return silent + string([]byte{vowelA})
				}
				break
			}
		}
		return silent + string([]byte{vowelEO})
	}
	with := func(l string, v byte) string { return l + string([]byte{v}) }
	eu, irregular := codes("으"), verbs()

	switch {
	case strings.HasSuffix(stem, "하"):
		add(table.Base, l)
		add(table.Vowel, l)
		add(table.Infinite, with(head, vowelAE), l+codes("여"))
	case end == finalL: // 만들다: 만드는, 만들면, 만들어, 만듦
		add(table.Finished, with(head, finalLM))
		add(table.Base, l)
		add(table.Vowel, l)
		dropped(head)
		add(table.Infinite, l+harmony(l))
	case end == finalB && !endsIn(stem, irregular.RegularB):
		u := head + codes("우")
		add(table.Base, l)
		add(table.Vowel, u)
		add(table.Infinite, head+codes("워"))
		if endsIn(stem, irregular.WithWa) || harmony(head) == codes("아") {
			add(table.Infinite, head+codes("와"))
		}
	case end == finalD && endsIn(stem, irregular.IrregularD):
		r := with(head, finalL)
		add(table.Base, l)
		add(table.Vowel, r+eu)
		add(table.Infinite, r+harmony(head))
		if endsIn(stem, irregular.DoubtfulD) {
			add(table.Vowel, l+eu)
			add(table.Infinite, l+harmony(head))
		}
	case end == finalS && endsIn(stem, irregular.IrregularS):
		add(table.Base, l)
		add(table.Vowel, head+eu)
		add(table.Infinite, head+harmony(head))
	case end == finalH && !endsIn(stem, irregular.RegularH):
		add(table.Base, l)
		add(table.Vowel, head)
		v := head[len(head)-1]
		switch v {
		case vowelA, vowelEO:
			v = vowelAE
		case vowelYA, vowelYEO:
			v = vowelYAE
		}
		add(table.Infinite, with(head[:len(head)-1], v), with(head[:len(head)-1], vowelE))
	case hangul.IsFinal(end):
		add(table.Base, l)
		add(table.Vowel, l+eu)
		add(table.Infinite, l+harmony(l))
	default:
		add(table.Base, l)
		add(table.Vowel, l)
		switch end {
		case vowelI:
			add(table.Infinite, with(head, vowelYEO), l+codes("어"))
			if strings.HasSuffix(stem, "이") {
				add(table.Infinite, l+codes("여"))
			}
		case vowelU:
			add(table.Infinite, with(head, vowelWO), l+codes("어"))
			if stem == "푸" {
				add(table.Infinite, codes("퍼"))
			}
		case vowelO:
			add(table.Infinite, with(head, vowelWA), l+codes("아"))
		case vowelOE:
			add(table.Infinite, with(head, vowelWAE), l+codes("어"), l) // 되요 for 돼요 is common
		case vowelA, vowelEO, vowelAE, vowelE, vowelYEO, vowelYE:
			add(table.Infinite, l)
		case vowelEU:
			switch {
			case strings.HasSuffix(stem, "르") && !endsIn(stem, irregular.RegularRu) && len(head) > 1:
				// 모르다: 몰라
				front := head[:len(head)-1]
				v := codes("러")
				if harmony(front) == codes("아") {
					v = codes("라")
				}
				add(table.Infinite, with(front, finalL)+v)
				if endsIn(stem, irregular.IrregularRo) {
					add(table.Infinite, l+codes("러"))
				}
			default:
				v := vowelEO
				if harmony(head) == codes("아") {
					v = vowelA
				}
				add(table.Infinite, with(head, v))
			}
		default: // 뛰다, 띄다
			add(table.Infinite, l+codes("어"))
			if end == vowelUI {
				add(table.Infinite, l+codes("여"))
			}
			if end == vowelWI {
				add(table.Infinite, l+codes("여"))
			}
		}
	}
	add(table.Finished, codes(word))
	slices.SortFunc(out, func(a, b table.Surface) int {
		if c := strings.Compare(a.Letters, b.Letters); c != 0 {
			return c
		}
		return int(a.Kind) - int(b.Kind)
	})
	return slices.Compact(out)
}

// Surfaces returns the forms in which a word without spaces occurs in texts.
func Surfaces(word string) []table.Surface {
	if Verb(word) {
		return conjugate(word)
	}
	l := hangul.Codes(nil, strings.ToLower(word))
	if len(l) == 0 {
		return nil
	}
	if hangul.Syllables(l) == 1 {
		return []table.Surface{{Letters: string(l), Kind: table.Short}}
	}
	marks := uint32(0)
	if slices.Contains(verbs().NounOrVerb, word) {
		marks = table.VerbForm
	}
	return []table.Surface{{Letters: string(l), Kind: table.Noun, Marks: marks}}
}

// Verb reports whether a headword is a verb or adjective in dictionary form.
func Verb(word string) bool {
	stem, ok := strings.CutSuffix(word, "다")
	if !ok || endsIn(word, verbs().Nouns) {
		return false
	}
	return stem != "" && strings.IndexFunc(stem, func(r rune) bool { return !script.Hangul(r) && r != ' ' }) < 0
}

// Has reports whether a form can contain the letter r.
func Has(r rune) bool { return hangul.Has(r) }

// Key returns the part that all spellings of a word share: its letters without spaces.
func Key(word string) string {
	return string(hangul.Codes(nil, strings.ToLower(strings.ReplaceAll(word, " ", ""))))
}
