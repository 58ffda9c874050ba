package index

import "slices"

// Posting is one document that holds a term.
type Posting struct {
	Doc  uint32
	Freq Freq
}

// Postings are the documents that hold one term, in ascending order. The hook reads up to a
// hundred thousand for a prompt: most take eight bytes.
type Postings struct {
	Numbers []uint32
	freqs   []uint32 // of each document its Freq, or from isWide on the place of it in wide
	wide    []Freq
}

const isWide = 1 << 31

// PostingsOf are those.
func PostingsOf(list ...Posting) Postings {
	var p Postings
	for _, one := range list {
		p.add(one.Doc, one.Freq)
	}
	return p
}

// Freq is the frequency in the i-th document.
func (p *Postings) Freq(i int) Freq {
	if f := p.freqs[i]; f < isWide {
		return Freq(f)
	}
	return p.wide[p.freqs[i]-isWide]
}

// In returns the frequency in a document, false where it does not hold the term.
func (p *Postings) In(doc uint32) (Freq, bool) {
	i, ok := slices.BinarySearch(p.Numbers, doc)
	if !ok {
		return 0, false
	}
	return p.Freq(i), true
}

// Next returns the place of the first document from a place on that is not below doc, or the end:
// where many are asked for in ascending order, it is near.
func (p *Postings) Next(from int, doc uint32) int {
	rest := p.Numbers[from:]
	ahead := 1
	for ahead < len(rest) && rest[ahead] < doc {
		ahead *= 2
	}
	at, _ := slices.BinarySearch(rest[ahead/2:min(ahead+1, len(rest))], doc)
	return from + ahead/2 + at
}

// Size is how many bytes they take.
func (p *Postings) Size() int { return 8*len(p.Numbers) + 8*len(p.wide) }

// Reserve makes room for n more, in new memory where there is too little: what was
// returned before stays where it is.
func (p *Postings) Reserve(n int) {
	if cap(p.Numbers)-len(p.Numbers) < n {
		*p = Postings{Numbers: make([]uint32, 0, n), freqs: make([]uint32, 0, n)}
	}
}

// Reset forgets all, and keeps the memory.
func (p *Postings) Reset() { p.Numbers, p.freqs, p.wide = p.Numbers[:0], p.freqs[:0], p.wide[:0] }

func (p *Postings) add(doc uint32, q Freq) {
	p.Numbers, p.freqs = append(p.Numbers, doc), append(p.freqs, p.kept(q))
}

// kept returns what freqs has for q.
func (p *Postings) kept(q Freq) uint32 {
	if q < isWide {
		return uint32(q)
	}
	p.wide = append(p.wide, q)
	return isWide + uint32(len(p.wide)-1)
}

// since are those from the i-th on.
func (p *Postings) since(i int) Postings { return Postings{p.Numbers[i:], p.freqs[i:], p.wide} }
