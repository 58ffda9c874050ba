package index

import "slices"

// Posting is a document that has a term.
type Posting struct {
	Doc  uint32
	Freq Freq
}

// Postings are the documents that have a term, in ascending order. Most documents take only eight bytes, because the
// hook may read a hundred thousand of them for one prompt.
type Postings struct {
	Numbers []uint32
	freqs   []uint32 // the Freq of each document, or isWide + its index in wide
	wide    []Freq
}

const isWide = 1 << 31

// PostingsOf returns the postings in list, which must be in ascending order of documents.
func PostingsOf(list ...Posting) Postings {
	var p Postings
	for _, one := range list {
		p.add(one.Doc, one.Freq)
	}
	return p
}

// Freq returns the frequency of the term in the i-th document.
func (p *Postings) Freq(i int) Freq {
	if f := p.freqs[i]; f < isWide {
		return Freq(f)
	}
	return p.wide[p.freqs[i]-isWide]
}

// In returns the frequency of the term in a document, and whether the document has it.
func (p *Postings) In(doc uint32) (Freq, bool) {
	i, ok := slices.BinarySearch(p.Numbers, doc)
	if !ok {
		return 0, false
	}
	return p.Freq(i), true
}

// Next returns the lowest index i ≥ from with p.Numbers[i] ≥ doc, or len(p.Numbers). It is fast if i is close to from.
func (p *Postings) Next(from int, doc uint32) int {
	rest := p.Numbers[from:]
	ahead := 1
	for ahead < len(rest) && rest[ahead] < doc {
		ahead *= 2
	}
	at, _ := slices.BinarySearch(rest[ahead/2:min(ahead+1, len(rest))], doc)
	return from + ahead/2 + at
}

// Size returns the memory of the postings in bytes.
func (p *Postings) Size() int { return 8*len(p.Numbers) + 8*len(p.wide) }

// Reserve makes room for n more postings. If that needs new memory, p becomes empty, and postings returned earlier keep
// the old memory.
func (p *Postings) Reserve(n int) {
	if cap(p.Numbers)-len(p.Numbers) < n {
		*p = Postings{Numbers: make([]uint32, 0, n), freqs: make([]uint32, 0, n)}
	}
}

// Reset removes all postings and keeps the memory.
func (p *Postings) Reset() { p.Numbers, p.freqs, p.wide = p.Numbers[:0], p.freqs[:0], p.wide[:0] }

func (p *Postings) add(doc uint32, q Freq) {
	p.Numbers, p.freqs = append(p.Numbers, doc), append(p.freqs, p.kept(q))
}

// kept returns the element of freqs for q. If q is too large for an element, it is added to wide.
func (p *Postings) kept(q Freq) uint32 {
	if q < isWide {
		return uint32(q)
	}
	p.wide = append(p.wide, q)
	return isWide + uint32(len(p.wide)-1)
}

func (p *Postings) since(i int) Postings { return Postings{p.Numbers[i:], p.freqs[i:], p.wide} }
