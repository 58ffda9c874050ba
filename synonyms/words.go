package synonyms

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/internal/hangul"
	"github.com/skillgate/skillgate/synonyms/internal/table"
	"github.com/skillgate/skillgate/synonyms/lang/script"
)

// Word is one word found in Korean text.
type Word struct {
	Text       string // headword in the dictionary (고치다 for 고쳐줘), or an unknown word without its particles
	Known      bool   // Text is a headword
	Generic    bool   // says little about which skill is wanted
	Part       bool   // the word is a part of the compound before it
	Start, End int    // byte offsets in the text
}

// Words returns the words of text, which may be one or more eojeols (units between spaces), in order. It skips Latin
// words. Compounds of several eojeols are found if single spaces separate them. A compound is followed by its parts, so
// that it matches text with other spacing. Function words, particles, endings and unknown words of one syllable are
// left out. In scripts without spaces it finds the longest headword at each position. Equal texts give equal words.
func (d *Dict) Words(text string) []Word { return d.appendWords(nil, text) }

func (d *Dict) appendWords(dst []Word, text string) []Word {
	first := len(dst)
	dst = d.eojeols(dst, text)
	dst = d.compounds(dst, first, text)
	return d.spaceless(dst, first, text)
}

func (d *Dict) spaceless(dst []Word, first int, text string) []Word {
	n := len(dst)
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if script.Spaceless(r) {
			if w, ok := d.headwordAt(text, i); ok {
				dst = append(dst, w)
				size = w.End - i
			}
		}
		i += size
	}
	if first < n && n < len(dst) {
		slices.SortStableFunc(dst[first:], func(a, b Word) int { return cmp.Compare(a.Start, b.Start) })
	}
	return dst
}

func (d *Dict) headwordAt(text string, i int) (w Word, found bool) {
	for k := range d.layers {
		t := &d.layers[k]
		node, ok := uint32(table.Root), true
		for j := i; j < len(text); j++ {
			if node, ok = t.English.Step(node, text[j]); !ok {
				break
			}
			if id, ok := writtenAs(t, t.English.Value(node)); ok {
				head, _, _, flags := t.Head(id)
				w, found = Word{Text: head, Known: true, Generic: flags&table.Generic != 0, Start: i, End: j + 1}, true
			}
		}
		if found {
			break
		}
	}
	return w, found
}

func writtenAs(t *table.Table, list uint32) (id uint32, ok bool) {
	for k := range t.Len(list) {
		if v := t.Item(list, k); v&3 == table.Written {
			return v >> 2, true
		}
	}
	return 0, false
}

func (d *Dict) eojeols(dst []Word, text string) []Word {
	for i := 0; i < len(text); {
		start, r, n := i, rune(0), 0
		for i < len(text) {
			if text[i] < utf8.RuneSelf {
				r, n = rune(text[i]), 1
			} else {
				r, n = utf8.DecodeRuneInString(text[i:])
			}
			if !hangul.Has(r) {
				break
			}
			i += n
		}
		if i > start {
			dst = d.eojeol(dst, text, start, i)
		} else {
			i += n
		}
	}
	return dst
}

// maxLetters is the maximum number of letters that are analysed at once; they form about 30 syllables.
const maxLetters = 96

func (d *Dict) eojeol(dst []Word, text string, start, end int) []Word {
	var room [3 * maxLetters]hangul.Letter
	letters := hangul.Append(room[:0], text[start:end])
	for i := range letters {
		letters[i].Start += int32(start)
		letters[i].End += int32(start)
	}
	attached := start > 0 && text[start-1] != ' ' && text[start-1] != '\n' && text[start-1] != '\t'
	how := reading{attached: attached, wish: strings.HasPrefix(text[end:], " 싶"), object: d.object(text, start, end)}
	how.number = attached && text[start-1] >= '0' && text[start-1] <= '9'
	for len(letters) > 0 {
		n := len(letters)
		if n > maxLetters {
			n = maxLetters - 3
			for n > 1 && !hangul.Starts(letters[n].Code) {
				n--
			}
		}
		dst = d.analyse(dst, text, letters[:n], how)
		letters, how.attached, how.number = letters[n:], false, false
	}
	return dst
}

// object reports whether text[start:end] is probably a verb, because the eojeol before it ends with the particle of an
// object or a means. It is not a verb if a form of 하다 or 드리다 follows, which would make it a noun: 결과를 보고 드리다.
func (d *Dict) object(text string, start, end int) bool {
	next, ok := strings.CutPrefix(text[end:], " ")
	if !ok || next == "" || start < 4 || text[start-1] != ' ' {
		return false
	}
	switch text[start-4 : start-1] {
	case "을", "를", "로":
	default:
		return false
	}
	var room [maxLetters]hangul.Letter
	letters := hangul.Append(room[:0], next[:min(eojeolEnd(next, 0), maxLetters)])
	return !hangul.Light(letters) || !d.onlyAffixes(letters, 0)
}

// Costs of the parts of an analysis. The cheapest analysis wins. The costs of affixes are in affixes.yaml.
const (
	costNoun      = 10 // a known noun
	costShort     = 12 // a known noun of one syllable
	costVerb      = 12 // a known verb
	costShortVerb = 18 // a known verb with a stem of one syllable
	costCompound  = 4  // a noun directly after a noun
	costUnspaced  = 15 // a word directly after a particle or an ending
	costUnknown   = 40 // an unknown word
	costSyllable  = 8  // each syllable of an unknown word
	costForeign   = 8  // a known noun after an unknown word, if it may be a part of a loan word
	costRest      = 10 // an unknown word after a known noun
	costTail      = 16 // one unknown syllable after a known noun
	costSingle    = 50 // one unknown syllable with at most a particle
	costMisspelt  = 2  // a stem without its ㄹ in a form that should keep it: 만드면
	costNotNoun   = 20 // a noun where a verb is expected
)

const unknownWord = -1

// cell describes the cheapest path to a state at a position.
type cell struct {
	cost  int32 // 0 if the state was not reached, otherwise the cost plus 1
	word  int32 // word added by the last step: a ref, unknownWord, or 0 for none
	from  int16 // position at which the last step started
	state uint8 // state at that position
}

// ref packs a layer with the headword of an item of its Korean trie and whether the form is written with a space.
func ref(layer int, item uint32) int32 {
	v := item>>8<<3 | uint32(layer)<<1
	if item&table.SpacedForm != 0 {
		v |= 1
	}
	return int32(v) + 1
}

type lattice struct {
	cells   []cell                 // one cell per position and state
	states  [maxLetters + 1]uint32 // set of the states reached at each position
	letters []hangul.Letter
}

// fewLetters is the size of the small lattice, which is quick to clear. Most eojeols have no more letters.
const fewLetters = 23

type (
	fewCells  [(fewLetters + 1) * int(table.States)]cell
	manyCells [(maxLetters + 1) * int(table.States)]cell
)

func (l *lattice) begin(i int, s table.State) {
	l.at(i, s).cost = 1
	l.states[i] |= 1 << s
}

func (l *lattice) at(i int, s table.State) *cell { return &l.cells[i*int(table.States)+int(s)] }

func (l *lattice) reach(i int, s table.State, j int, to table.State, cost int32, word int32) {
	total := l.at(i, s).cost + cost
	if c := l.at(j, to); c.cost == 0 || total < c.cost {
		*c = cell{total, word, int16(i), uint8(s)}
		l.states[j] |= 1 << to
	}
}

func (l *lattice) reached(i int) uint32 { return l.states[i] }

func (l *lattice) starts(i int) bool { return i == len(l.letters) || hangul.Starts(l.letters[i].Code) }

var (
	nouns    = table.Set(table.AfterNoun, table.AfterShort, table.AfterLong, table.Counted)
	unknowns = table.Set(table.AfterShort, table.AfterLong)
	unspaced = table.Set(table.Particle, table.Joint, table.Modifier, table.Closed, table.Nominal, table.AfterInf,
		table.AfterOne)
	accepting = nouns | unspaced | table.Set(table.Grammar, table.AfterLone)
	verbal    = table.Set(table.AfterBase, table.AfterVowel, table.AfterInf)
)

type reading struct {
	attached bool // the eojeol directly follows a Latin word or a sign, so it may start with a particle
	wish     bool // 싶다 follows, so the eojeol is a verb
	object   bool // the eojeol is probably a verb, see Dict.object
	number   bool // the eojeol follows a digit, so it may start with a counter
	solid    bool // compounds are not split
}

func (d *Dict) analyse(dst []Word, text string, letters []hangul.Letter, how reading) []Word {
	n := len(letters)
	l := lattice{letters: letters}
	if n <= fewLetters {
		var cells fewCells
		l.cells = cells[:]
	} else {
		var cells manyCells
		l.cells = cells[:]
	}
	l.begin(0, table.Start)
	if how.attached {
		l.begin(0, table.AfterLong)
	}
	if how.number {
		l.begin(0, table.Number)
	}
	for i := 0; i < n; i++ {
		reached := l.reached(i)
		if reached == 0 {
			continue
		}
		if l.starts(i) {
			d.known(&l, i, reached, how)
			l.unknown(i, reached)
		}
		d.affixes(&l, i, reached)
	}
	best := table.State(0)
	for s := range table.States {
		if c := l.at(n, s).cost; accepting&(1<<s) != 0 && c != 0 && (best == 0 || c < l.at(n, best).cost) {
			best = s
		}
	}
	if best == 0 {
		return dst
	}
	first := len(dst)
	for i, s := n, best; i > 0; {
		c := l.at(i, s)
		if c.word != 0 {
			dst = d.appendWord(dst, text, letters[c.from:i], c.word, how)
		}
		i, s = int(c.from), table.State(c.state)
	}
	slices.Reverse(dst[first:])
	return dst
}

func (l *lattice) cheapest(i int, reached, set uint32) (s table.State) {
	cost := int32(0)
	for left := reached & set; left != 0; left &= left - 1 {
		q := table.State(bits.TrailingZeros32(left))
		if c := l.at(i, q).cost; cost == 0 || c < cost {
			s, cost = q, c
		}
	}
	return s
}

func (l *lattice) before(i int) int {
	for i--; i > 0 && !hangul.Starts(l.letters[i].Code); i-- {
	}
	return max(i, 0)
}

func (l *lattice) foreign(i, j int) bool {
	for ; i < j; i++ {
		if hangul.Starts(l.letters[i].Code) && hangul.Foreign(l.letters, i) {
			return true
		}
	}
	return false
}

func (d *Dict) known(l *lattice, i int, reached uint32, how reading) {
	type origin struct {
		state table.State
		step  int32
		fresh bool // no word comes before it in the eojeol
	}
	var from [3]origin
	count := 0
	for _, o := range [...]struct {
		set   uint32
		step  int32
		fresh bool
	}{{table.Set(table.Start, table.Prefix), 0, true}, {nouns, costCompound, false}, {unspaced, costUnspaced, false}} {
		if reached&o.set != 0 && (i > 0 || o.fresh) {
			s := l.cheapest(i, reached, o.set)
			from[count] = origin{s, o.step, o.fresh && s == table.Start}
			count++
		}
	}
	if count == 0 {
		return
	}
	var node [maxLayers]uint32
	var alive [maxLayers]bool
	for k := range d.layers {
		alive[k] = true
	}
	syllables := 0
	for j := i; j < len(l.letters); j++ {
		any := false
		for k := range d.layers {
			if alive[k] {
				node[k], alive[k] = d.layers[k].Korean.Step(node[k], l.letters[j].Code)
				any = any || alive[k]
			}
		}
		if !any {
			return
		}
		if hangul.Starts(l.letters[j].Code) {
			syllables++
		}
		for k := range d.layers {
			t := &d.layers[k]
			list := uint32(0)
			if alive[k] {
				list = t.Korean.Value(node[k])
			}
			if list == 0 {
				continue
			}
			for x := range t.Len(list) {
				item := t.Item(list, x)
				_, _, _, flags := t.Head(item >> 8)
				to, cost := table.AfterNoun, int32(costNoun)
				switch table.Kind(item & 15) {
				case table.Short:
					to, cost = table.AfterOne, costShort
				case table.Base:
					to, cost = table.AfterBase, costVerb
				case table.Vowel:
					to, cost = table.AfterVowel, costVerb
				case table.Infinite:
					to, cost = table.AfterInf, costVerb
				case table.Finished:
					to, cost = table.Closed, costVerb
				}
				if verbal&(1<<to) == 0 && !l.starts(j+1) {
					continue
				}
				if cost == costVerb && syllables == 1 {
					cost = costShortVerb
				}
				end := j+1 == len(l.letters)
				switch {
				case item&table.DroppedForm != 0 && (end || !hangul.DropsL(l.letters[j+1].Code)):
					cost += costMisspelt
				case end && verbal&(1<<to) == 0 && (how.wish || how.object && item&table.VerbForm != 0):
					cost += costNotNoun
				}
				if flags&table.Function != 0 && (to == table.AfterNoun || to == table.AfterOne) {
					to = table.Grammar
				}
				for _, o := range from[:count] {
					if !o.fresh && (to == table.AfterOne || to == table.Grammar) || o.state == table.Prefix && to != table.AfterNoun {
						continue
					}
					step := o.step
					if unknowns&(1<<o.state) != 0 && l.foreign(i, j+1) {
						step += costForeign
					}
					if !o.fresh && syllables == 1 {
						step += costUnspaced
					}
					l.reach(i, o.state, j+1, to, cost+step, ref(k, item))
				}
			}
			break // the topmost layer that has the form decides
		}
	}
}

func (l *lattice) unknown(i int, reached uint32) {
	from := table.Start
	switch {
	case reached&(1<<table.Start) != 0:
	case reached&(1<<table.AfterNoun) != 0:
		from = table.AfterNoun
	default:
		return
	}
	syllables, step := int32(0), int32(0)
	for j := i + 1; j <= len(l.letters); j++ {
		if hangul.Starts(l.letters[j-1].Code) {
			syllables++
		}
		if !l.starts(j) {
			continue
		}
		if from == table.AfterNoun && step == 0 && l.foreign(i, j) {
			step = costRest
		}
		cost := costUnknown + step + costSyllable*syllables
		switch {
		case syllables == 1 && from == table.AfterNoun:
			if step != 0 || hangul.Foreign(l.letters, l.before(i)) {
				continue // probably a part of a longer loan word
			}
			l.reach(i, from, j, table.AfterLong, costTail, 0)
		case syllables == 1:
			l.reach(i, from, j, table.AfterLone, costSingle, 0)
		case syllables == 2:
			l.reach(i, from, j, table.AfterShort, cost, unknownWord)
		case syllables > 2:
			l.reach(i, from, j, table.AfterLong, cost, unknownWord)
		}
	}
}

func (d *Dict) affixes(l *lattice, i int, reached uint32) {
	t := &d.layers[len(d.layers)-1]
	consonant, liquid := false, false
	if i > 0 {
		consonant = hangul.IsFinal(l.letters[i-1].Code)
		liquid = l.letters[i-1].Code == hangul.FinalL
	}
	node, ok := uint32(table.Root), true
	for j := i; j < len(l.letters); j++ {
		if node, ok = t.Affix.Step(node, l.letters[j].Code); !ok {
			return
		}
		list := t.Affix.Value(node)
		for x := range t.Len(list) {
			a := table.UnpackAffix(t.Item(list, x))
			if reached&a.From == 0 || a.To >= table.States || verbal&(1<<a.To) == 0 && !l.starts(j+1) {
				continue
			}
			if i > 0 && (a.When == table.IfConsonant && !consonant || a.When == table.IfOpen && consonant ||
				a.When == table.IfOpenOrL && consonant && !liquid) {
				continue
			}
			s := l.cheapest(i, reached, a.From)
			l.reach(i, s, j+1, a.To, int32(a.Cost), 0)
		}
	}
}

func (d *Dict) appendWord(dst []Word, text string, letters []hangul.Letter, word int32, how reading) []Word {
	start, end := int(letters[0].Start), int(letters[len(letters)-1].End)
	if word == unknownWord {
		w := Word{Text: text[start:end], Start: start, End: end}
		syllables := 0
		for _, l := range letters {
			if l.Code > hangul.LastLetter {
				return dst // drop laughter and other single letters
			}
			if hangul.Starts(l.Code) {
				syllables++
			}
		}
		if end-start != 3*syllables { // typed as single letters or stored in decomposed form
			var room [maxLetters]byte
			codes := room[:0]
			for _, l := range letters {
				codes = append(codes, l.Code)
			}
			w.Text = hangul.String(codes)
		}
		return append(dst, w)
	}
	v := uint32(word - 1)
	head, _, _, flags := d.layers[v>>1&(maxLayers-1)].Head(v >> 3)
	if flags&table.Function != 0 || head == "" {
		return dst
	}
	w := Word{Text: head, Known: true, Generic: flags&table.Generic != 0, Start: start, End: end}
	if v&1 == 0 || !spaced(head) || how.solid {
		return append(dst, w)
	}
	// The words of an eojeol are appended in reverse order.
	first := len(dst)
	dst = d.appendParts(dst, w)
	slices.Reverse(dst[first:])
	return append(dst, w)
}

func (d *Dict) appendParts(dst []Word, w Word) []Word {
	for i := 0; i < len(w.Text); {
		j := i
		for j < len(w.Text) && w.Text[j] != ' ' {
			j++
		}
		var room [maxLetters]hangul.Letter
		if letters := hangul.Append(room[:0], w.Text[i:j]); len(letters) > 0 && len(letters) <= maxLetters {
			first := len(dst)
			dst = d.analyse(dst, w.Text[i:j], letters, reading{solid: true})
			for k := first; k < len(dst); k++ {
				dst[k].Part, dst[k].Start, dst[k].End = true, w.Start, w.End
			}
		}
		i = j + 1
	}
	return dst
}

func spaced(s string) bool {
	for i := range len(s) {
		if s[i] == ' ' {
			return true
		}
	}
	return false
}

func rotate(w []Word, n int) {
	slices.Reverse(w[:n])
	slices.Reverse(w[n:])
	slices.Reverse(w)
}
