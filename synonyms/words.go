package synonyms

import (
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/internal/hangul"
	"github.com/skillgate/skillgate/synonyms/internal/table"
)

// Word is one word found in Korean text.
type Word struct {
	Text       string // headword of the dictionary (고치다 for 고쳐줘), or what is left of an unknown word without its particles
	Known      bool   // a headword
	Generic    bool   // says little about what is wanted
	Part       bool   // a part of the compound before it, which covers it
	Start, End int    // byte offsets in the text
}

// Words returns the words of text, in order. Only its Hangul is read. Text may
// be one eojeol or many; compounds that are written in several eojeols are
// found where single spaces separate them. A compound is followed by its parts,
// so that it meets text that writes the same with other spacing. Function
// words, particles and endings give no word, nor do unknown words of one
// syllable. The same text always gives the same words.
func (d *Dict) Words(text string) []Word { return d.AppendWords(nil, text) }

// AppendWords appends the words of text to dst.
func (d *Dict) AppendWords(dst []Word, text string) []Word {
	first := len(dst)
	dst = d.eojeols(dst, text)
	return d.compounds(dst, first, text)
}

// eojeols appends the words of each run of Hangul.
func (d *Dict) eojeols(dst []Word, text string) []Word {
	for i := 0; i < len(text); {
		start, r, n := i, rune(0), 0
		for i < len(text) {
			if text[i] < utf8.RuneSelf {
				r, n = rune(text[i]), 1
			} else {
				r, n = utf8.DecodeRuneInString(text[i:])
			}
			if !hangul.Is(r) {
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

// maxLetters bounds what is analysed at once, about 30 syllables.
const maxLetters = 96

// eojeol appends the words of the run text[start:end].
func (d *Dict) eojeol(dst []Word, text string, start, end int) []Word {
	var room [3 * maxLetters]hangul.Letter
	letters := hangul.Append(room[:0], text[start:end])
	for i := range letters {
		letters[i].Start += int32(start)
		letters[i].End += int32(start)
	}
	attached := start > 0 && text[start-1] != ' ' && text[start-1] != '\n' && text[start-1] != '\t'
	for len(letters) > 0 {
		n := len(letters)
		if n > maxLetters {
			n = maxLetters - 3
			for n > 1 && !hangul.Starts(letters[n].Code) {
				n--
			}
		}
		dst = d.analyse(dst, text, letters[:n], attached)
		letters, attached = letters[n:], false
	}
	return dst
}

// Costs of an analysis; the cheapest wins. Affixes cost what the grammar says,
// 1 to 20.
const (
	costNoun      = 10 // a known noun
	costShort     = 12 // a known noun of one syllable
	costVerb      = 12 // a known verb
	costShortVerb = 18 // a known verb with a stem of one syllable
	costCompound  = 4  // a noun right behind a noun
	costUnspaced  = 15 // a word behind a particle or an ending
	costUnknown   = 40 // an unknown word ...
	costSyllable  = 8  // ... and each of its syllables
	costRest      = 10 // an unknown word that is only part of an eojeol
	costTail      = 16 // one unknown syllable behind a known noun
	costSingle    = 50 // an eojeol of one unknown syllable
)

// unknownWord marks a cell whose word is not in the dictionary.
const unknownWord = -1

// cell is the cheapest way to a state at a place.
type cell struct {
	cost  int32 // 0: not reached, otherwise one more than the cost
	word  int32 // 0: none, unknownWord, or a ref
	from  int16 // place the last step began at
	state uint8 // its state there
}

// ref packs a layer, the headword of an item of its Korean trie, and whether the
// item's form is written with a space.
func ref(layer int, item uint32) int32 {
	v := item>>8<<3 | uint32(layer)<<1
	if item&table.SpacedForm != 0 {
		v |= 1
	}
	return int32(v) + 1
}

// lattice holds the cells of one eojeol.
type lattice struct {
	cells   [(maxLetters + 1) * int(table.States)]cell
	letters []hangul.Letter
}

func (l *lattice) at(i int, s table.State) *cell { return &l.cells[i*int(table.States)+int(s)] }

// reach records a step from state s at i to state to at j.
func (l *lattice) reach(i int, s table.State, j int, to table.State, cost int32, word int32) {
	total := l.at(i, s).cost + cost
	if c := l.at(j, to); c.cost == 0 || total < c.cost {
		*c = cell{total, word, int16(i), uint8(s)}
	}
}

// starts reports whether a syllable begins at i, or the eojeol ends.
func (l *lattice) starts(i int) bool { return i == len(l.letters) || hangul.Starts(l.letters[i].Code) }

// Sets of states.
var (
	nouns     = table.Set(table.AfterNoun, table.AfterShort, table.AfterLong)
	unspaced  = table.Set(table.Particle, table.Joint, table.Modifier, table.Closed, table.Nominal, table.AfterInf, table.AfterOne)
	accepting = nouns | unspaced | table.Set(table.Grammar)
	verbal    = table.Set(table.AfterBase, table.AfterVowel, table.AfterInf)
)

// analyse appends the words of one eojeol. attached says that it follows a
// Latin word or a sign without a space, so that it may begin with a particle.
func (d *Dict) analyse(dst []Word, text string, letters []hangul.Letter, attached bool) []Word {
	var l lattice
	l.letters = letters
	n := len(letters)
	l.at(0, table.Start).cost = 1
	if attached {
		l.at(0, table.AfterLong).cost = 1
	}
	for i := 0; i < n; i++ {
		reached := uint16(0)
		for s := range table.States {
			if l.at(i, s).cost != 0 {
				reached |= 1 << s
			}
		}
		if reached == 0 {
			continue
		}
		if l.starts(i) {
			d.known(&l, i, reached)
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
			dst = d.appendWord(dst, text, letters[c.from:i], c.word)
		}
		i, s = int(c.from), table.State(c.state)
	}
	reverse(dst[first:])
	return dst
}

func reverse(w []Word) {
	for i, j := 0, len(w)-1; i < j; i, j = i+1, j-1 {
		w[i], w[j] = w[j], w[i]
	}
}

// cheapest returns the reached state of set from which a word costs least, the
// cost of the step to it included.
func (l *lattice) cheapest(i int, reached, set uint16, step int32) (s table.State, cost int32) {
	for q := range table.States {
		if reached&set&(1<<q) == 0 {
			continue
		}
		if c := l.at(i, q).cost; cost == 0 || c < cost {
			s, cost = q, c
		}
	}
	return s, step
}

// known reads dictionary words from i on.
func (d *Dict) known(l *lattice, i int, reached uint16) {
	type origin struct {
		state table.State
		step  int32
		fresh bool // nothing stands before the word
	}
	var from [3]origin
	count := 0
	for _, o := range [...]struct {
		set   uint16
		step  int32
		fresh bool
	}{{table.Set(table.Start, table.Prefix), 0, true}, {nouns, costCompound, false}, {unspaced, costUnspaced, false}} {
		if reached&o.set != 0 && (i > 0 || o.fresh) {
			s, step := l.cheapest(i, reached, o.set, o.step)
			from[count] = origin{s, step, o.fresh && s == table.Start}
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
				if flags&table.Function != 0 && (to == table.AfterNoun || to == table.AfterOne) {
					to = table.Grammar
				}
				for _, o := range from[:count] {
					if !o.fresh && (to == table.AfterOne || to == table.Grammar) {
						continue
					}
					step := o.step
					if !o.fresh && syllables == 1 {
						step += costUnspaced
					}
					l.reach(i, o.state, j+1, to, cost+step, ref(k, item))
				}
			}
			break // the layers below do not count for this form
		}
	}
}

// unknown reads an unknown word from i on.
func (l *lattice) unknown(i int, reached uint16) {
	from, step := table.Start, int32(0)
	switch {
	case reached&(1<<table.Start) != 0:
	case reached&(1<<table.AfterNoun) != 0:
		from, step = table.AfterNoun, costRest
	default:
		return
	}
	syllables := int32(0)
	for j := i + 1; j <= len(l.letters); j++ {
		if hangul.Starts(l.letters[j-1].Code) {
			syllables++
		}
		if !l.starts(j) {
			continue
		}
		cost := costUnknown + step + costSyllable*syllables
		switch {
		case syllables == 1 && from == table.AfterNoun:
			l.reach(i, from, j, table.AfterNoun, costTail, 0)
		case syllables == 1 && j == len(l.letters):
			l.reach(i, from, j, table.Grammar, costSingle, 0)
		case syllables == 2:
			l.reach(i, from, j, table.AfterShort, cost, unknownWord)
		case syllables > 2:
			l.reach(i, from, j, table.AfterLong, cost, unknownWord)
		}
	}
}

// affixes reads particles, suffixes and endings from i on.
func (d *Dict) affixes(l *lattice, i int, reached uint16) {
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
			if i > 0 && (a.When == table.IfConsonant && !consonant || a.When == table.IfOpen && consonant || a.When == table.IfOpenOrL && consonant && !liquid) {
				continue
			}
			s, _ := l.cheapest(i, reached, a.From, 0)
			l.reach(i, s, j+1, a.To, int32(a.Cost), 0)
		}
	}
}

// appendWord appends the word that covers letters.
func (d *Dict) appendWord(dst []Word, text string, letters []hangul.Letter, word int32) []Word {
	start, end := int(letters[0].Start), int(letters[len(letters)-1].End)
	if word == unknownWord {
		w := Word{Text: text[start:end], Start: start, End: end}
		syllables := 0
		for _, l := range letters {
			if l.Code > hangul.LastLetter {
				return dst // laughter and other lone letters
			}
			if hangul.Starts(l.Code) {
				syllables++
			}
		}
		if end-start != 3*syllables { // typed or stored as single letters
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
	if v&1 == 0 || !spaced(head) {
		return append(dst, w)
	}
	// The words of an eojeol are appended last to first.
	first := len(dst)
	dst = d.appendPartsOf(dst, w)
	reverse(dst[first:])
	return append(dst, w)
}

// appendPartsOf appends the words that compound w is made of.
func (d *Dict) appendPartsOf(dst []Word, w Word) []Word {
	for i := 0; i < len(w.Text); {
		j := i
		for j < len(w.Text) && w.Text[j] != ' ' {
			j++
		}
		if p, ok := d.word(w.Text[i:j]); ok {
			p.Part, p.Start, p.End = true, w.Start, w.End
			dst = append(dst, p)
		}
		i = j + 1
	}
	return dst
}

// word is the headword that a whole text without particles stands for, or the
// text itself.
func (d *Dict) word(text string) (Word, bool) {
	var room [maxLetters]byte
	codes := hangul.Codes(room[:0], text)
	for k := range d.layers {
		t := &d.layers[k]
		list := t.Korean.Find(codes)
		for x := range t.Len(list) {
			head, _, _, flags := t.Head(t.Item(list, x) >> 8)
			if flags&table.Function != 0 {
				return Word{}, false
			}
			if !spaced(head) {
				return Word{Text: head, Known: true, Generic: flags&table.Generic != 0}, true
			}
		}
	}
	return Word{Text: text}, hangul.Syllables(codes) > 1
}

func spaced(s string) bool {
	for i := range len(s) {
		if s[i] == ' ' {
			return true
		}
	}
	return false
}

// rotate moves the elements from n on to the front.
func rotate(w []Word, n int) {
	reverse(w[:n])
	reverse(w[n:])
	reverse(w)
}

// mostParts is how many words a compound may be written in.
const mostParts = 4

// compounds finds the compounds that are written in several eojeols among the
// words from first on, and puts each before its parts.
func (d *Dict) compounds(dst []Word, first int, text string) []Word {
	for i := first; i < len(dst); i++ {
		if dst[i].Part {
			continue
		}
		w, last, ok := d.compound(dst[i:], text)
		if !ok {
			continue
		}
		for k := i; k <= i+last; k++ {
			dst[k].Part = true
		}
		dst = append(dst, w)
		rotate(dst[i:], len(dst)-1-i)
		i += last + 1
	}
	return dst
}

// compound finds the longest compound that begins with the first of words and
// spans a space; last is the index of its last word.
func (d *Dict) compound(words []Word, text string) (best Word, last int, ok bool) {
	for k := range d.layers {
		t := &d.layers[k]
		for _, canonical := range [...]bool{false, true} {
			node, parts, space, alive := uint32(table.Root), 0, false, true
			for i := 0; i < len(words) && parts < mostParts; i++ {
				w := &words[i]
				if w.Part {
					continue
				}
				if parts > 0 {
					switch gap := text[words[i-1].End:w.Start]; gap {
					case "":
					case " ":
						space = true
					default:
						alive = false
					}
				}
				s := text[w.Start:w.End]
				if canonical {
					s = w.Text
				}
				if alive {
					node, alive = walk(t, node, s)
				}
				if !alive {
					break
				}
				parts++
				if !space || last >= i && ok {
					continue
				}
				list := t.Korean.Value(node)
				for x := range t.Len(list) {
					item := t.Item(list, x)
					head, _, _, flags := t.Head(item >> 8)
					if item&table.SpacedForm == 0 || flags&table.Function != 0 {
						continue
					}
					best = Word{Text: head, Known: true, Generic: flags&table.Generic != 0, Start: words[0].Start, End: w.End}
					last, ok = i, true
					break
				}
			}
		}
		if ok {
			return best, last, true
		}
	}
	return best, 0, false
}

// walk follows the letters of s without its spaces.
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
