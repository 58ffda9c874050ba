package synonyms

import (
	"strings"

	"github.com/skillgate/skillgate/synonyms/internal/hangul"
	"github.com/skillgate/skillgate/synonyms/internal/table"
)

const mostParts = 4

// compounds replaces the words in dst[first:] that belong to a compound of several eojeols by the compound and its
// parts.
func (d *Dict) compounds(dst []Word, first int, text string) []Word {
	at := first // index in dst of the first word that does not start before i
	for i := 0; i < len(text); {
		if text[i] == ' ' {
			i++
			continue
		}
		for at < len(dst) && (dst[at].Start < i || dst[at].Part) {
			at++
		}
		w, ok := d.written(text, i)
		if !ok {
			w, ok = d.inflected(text, i, dst[at:])
		}
		if !ok {
			i = eojeolEnd(text, i)
			continue
		}
		covered := at
		for covered < len(dst) && dst[covered].Start < w.End {
			covered++
		}
		end := len(dst)
		dst = append(dst, w)
		if spaced(w.Text) {
			dst = d.appendParts(dst, w)
		}
		n := len(dst) - end
		rotate(dst[at:], end-at)
		dst = append(dst[:at+n], dst[at+n+covered-at:]...)
		at += n
		i = eojeolEnd(text, w.End)
	}
	return dst
}

func eojeolEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], ' '); n >= 0 {
		return i + n
	}
	return len(text)
}

// written finds the longest compound at text[i] that is spelt as in the dictionary. Only particles and endings may
// follow it in its last eojeol. It leaves out compounds of one eojeol, which Dict.eojeols finds, except for mixed ones
// such as 정부24.
func (d *Dict) written(text string, i int) (best Word, found bool) {
	for k := range d.layers {
		t := &d.layers[k]
		node, alive, mixed := uint32(table.Root), true, false
		for at, parts := i, 1; alive && parts <= mostParts && at < len(text); parts++ {
			end := eojeolEnd(text, at)
			var room [maxLetters]hangul.Letter
			letters := hangul.Append(room[:0], text[at:min(end, at+maxLetters)])
			for j := 0; j < len(letters) && alive; j++ {
				c := hangul.Lower(letters[j].Code)
				mixed = mixed || c > hangul.Space
				if node, alive = t.Korean.Step(node, c); !alive || parts == 1 && !mixed {
					continue
				}
				if head, flags, ok := compoundAt(t, node, mixed); ok && d.onlyAffixes(letters, j+1) {
					best = Word{Text: head, Known: true, Generic: flags&table.Generic != 0, Start: i, End: at + int(letters[j].End)}
					found = true
				}
			}
			at = end + 1
			if len(letters) == 0 {
				break
			}
		}
		if found {
			return best, true
		}
	}
	return best, false
}

// compoundAt returns the headword of the form that ends at node. ok is false if there is none or, unless solid is set,
// if the dictionary writes the form without a space.
func compoundAt(t *table.Table, node uint32, solid bool) (head string, flags uint32, ok bool) {
	list := t.Korean.Value(node)
	for x := range t.Len(list) {
		item := t.Item(list, x)
		head, _, _, flags := t.Head(item >> 8)
		if flags&table.Function == 0 && head != "" && (solid || item&table.SpacedForm != 0) {
			return head, flags, true
		}
	}
	return "", 0, false
}

func (d *Dict) onlyAffixes(letters []hangul.Letter, from int) bool {
	if from == len(letters) {
		return true
	}
	if !hangul.Starts(letters[from].Code) {
		return false
	}
	var cells manyCells
	l := lattice{letters: letters, cells: cells[:]}
	l.begin(from, table.AfterNoun)
	for i := from; i < len(letters); i++ {
		if reached := l.reached(i); reached != 0 {
			d.affixes(&l, i, reached)
		}
	}
	return l.reached(len(letters))&accepting != 0
}

// inflected finds the longest compound that the headwords of words form. The first word must start at text[i], and
// only single spaces may separate the words. Unknown words may also form a headword without a space: 워크 플로우.
func (d *Dict) inflected(text string, i int, words []Word) (best Word, found bool) {
	if len(words) == 0 || words[0].Start != i {
		return best, false
	}
	for k := range d.layers {
		t := &d.layers[k]
		node, parts, space, unknown := uint32(table.Root), 0, false, true
		end := i
		for x := 0; x < len(words) && parts < mostParts; x++ {
			w := &words[x]
			if w.Part {
				continue
			}
			if parts > 0 {
				if gap := text[end:w.Start]; gap == " " {
					space = true
				} else if gap != "" {
					break
				}
			}
			var ok bool
			if node, ok = walk(t, node, w.Text); !ok {
				break
			}
			parts++
			end = w.End
			unknown = unknown && !w.Known
			if !space {
				continue
			}
			if head, flags, ok := compoundAt(t, node, unknown); ok {
				best = Word{Text: head, Known: true, Generic: flags&table.Generic != 0, Start: i, End: end}
				found = true
			}
		}
		if found {
			return best, true
		}
	}
	return best, false
}

func walk(t *table.Table, node uint32, s string) (uint32, bool) {
	var room [maxLetters]byte
	for _, c := range hangul.Codes(room[:0], s) {
		if c == hangul.Space {
			continue
		}
		var ok bool
		if node, ok = t.Korean.Step(node, c); !ok {
			return 0, false
		}
	}
	return node, true
}
