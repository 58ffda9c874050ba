package source

import (
	"slices"
	"strings"

	"github.com/skillgate/skillgate/synonyms/internal/hangul"
	"github.com/skillgate/skillgate/synonyms/internal/table"
)

// surface is one form of a word as letters, and how it may stand.
type surface struct {
	letters string
	kind    table.Kind
}

// Stems whose last consonant is regular although most of its kind are not, and
// the irregular ones of kinds that are mostly regular. Only the last syllables
// are given: 뽑 covers 골라뽑다 too.
var (
	regularB    = []string{"잡", "입", "씹", "접", "집", "뽑", "꼽", "좁", "업", "갑", "굽히", "붙잡", "꼬집"}
	irregularD  = []string{"듣", "걷", "깨닫", "싣", "묻", "긷", "일컫", "붇", "내닫"}
	doubtfulD   = []string{"묻", "걷"} // ask or bury, walk or roll up: both ways
	irregularS  = []string{"짓", "낫", "잇", "붓", "젓", "긋", "잣"}
	regularH    = []string{"좋", "놓", "넣", "쌓", "낳", "닿", "찧", "땋", "빻"}
	regularRu   = []string{"따르", "치르", "들르", "다다르", "우러르"}
	irregularRo = []string{"푸르", "누르"} // 푸르러
)

func endsIn(stem string, tails []string) bool {
	return slices.ContainsFunc(tails, func(t string) bool { return strings.HasSuffix(stem, t) })
}

// last is the last letter of s.
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

// conjugate returns the stems of a verb or adjective in -다 that endings are
// put to, irregular ones included, and its dictionary form.
func conjugate(word string) []surface {
	stem, ok := strings.CutSuffix(word, "다")
	if !ok || stem == "" {
		return nil
	}
	l := string(hangul.Codes(nil, stem))
	var out []surface
	add := func(kind table.Kind, forms ...string) {
		for _, f := range forms {
			out = append(out, surface{f, kind})
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
	eu := codes("으")

	switch {
	case strings.HasSuffix(stem, "하"):
		add(table.Base, l)
		add(table.Vowel, l)
		add(table.Infinite, with(head, vowelAE), l+codes("여"))
	case end == finalL: // 만들다: 만드는, 만들면, 만들어, 만듦
		add(table.Finished, with(head, finalLM))
		add(table.Base, l, head)
		add(table.Vowel, l, head)
		add(table.Infinite, l+harmony(l))
	case end == finalB && !endsIn(stem, regularB):
		u := head + codes("우")
		add(table.Base, l)
		add(table.Vowel, u)
		add(table.Infinite, head+codes("워"))
		if strings.HasSuffix(stem, "돕") || strings.HasSuffix(stem, "곱") || harmony(head) == codes("아") {
			add(table.Infinite, head+codes("와"))
		}
	case end == finalD && endsIn(stem, irregularD):
		r := with(head, finalL)
		add(table.Base, l)
		add(table.Vowel, r+eu)
		add(table.Infinite, r+harmony(head))
		if endsIn(stem, doubtfulD) {
			add(table.Vowel, l+eu)
			add(table.Infinite, l+harmony(head))
		}
	case end == finalS && endsIn(stem, irregularS):
		add(table.Base, l)
		add(table.Vowel, head+eu)
		add(table.Infinite, head+harmony(head))
	case end == finalH && !endsIn(stem, regularH):
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
			case strings.HasSuffix(stem, "르") && !endsIn(stem, regularRu) && len(head) > 1:
				// 모르다: 몰라
				front := head[:len(head)-1]
				v := codes("러")
				if harmony(front) == codes("아") {
					v = codes("라")
				}
				add(table.Infinite, with(front, finalL)+v)
				if endsIn(stem, irregularRo) {
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
	slices.SortFunc(out, func(a, b surface) int {
		if c := strings.Compare(a.letters, b.letters); c != 0 {
			return c
		}
		return int(a.kind) - int(b.kind)
	})
	return slices.Compact(out)
}
