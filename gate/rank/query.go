package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"

	"github.com/skillgate/skillgate/gate/family"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/meaning"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
	"github.com/skillgate/skillgate/synonyms/terms"
)

// Query is a parsed prompt: its concepts, in the order of the prompt.
type Query struct {
	Concepts []Concept
	Pairs    []Concept // adjacent words that are also adjacent in a skill; set by Search
	Phrases  []Phrase  // triggers of skills that the prompt contains; set by Search
	Tokens   int       // number of index terms in the prompt, including repeats

	about meaning.Vector
	text  string
	words analysis.TokenStream // words of text, without the parts of compounds
}

// Concept is one thing that a prompt mentions, with its alternative terms.
type Concept struct {
	Text    string // index term of the prompt's word
	Surface string // as written in the prompt
	Korean  bool
	Known   bool // a Korean word in the dictionary, or any word in another script
	Generic bool
	Own     bool    // the senses come from the user's dictionary
	Count   int     // number of occurrences in the prompt
	Weight  float64 // relative weight in the prompt; 0 if the concept is not searched
	Alts    []Alt
}

// Alt is one alternative term for a concept.
type Alt struct {
	Term    string
	Weight  float64 // confidence that the term means the concept; 1 for the prompt's own word
	first   bool    // the term belongs to the concept's first sense
	pair    bool    // the term is the hash of two adjacent words
	literal bool    // the term is the prompt's Korean word itself, not one of its senses
	docs    int     // number of documents with the term
	idf     float64
	list
}

// Known reports for each concept whether doc contains it outside doc's expansion.
func (q *Query) Known(doc uint32) []bool {
	out := make([]bool, len(q.Concepts))
	for i := range q.Concepts {
		for j := range q.Concepts[i].Alts {
			f, ok := q.Concepts[i].Alts[j].In(doc)
			if ok && f.WithoutGroups(index.AllGroups) != 0 {
				out[i] = true
				break
			}
		}
	}
	return out
}

// Meets reports whether sketch (see package family) contains a term of an informative concept.
func (q *Query) Meets(sketch string) bool {
	for i := range q.Concepts {
		c := &q.Concepts[i]
		if c.Generic || c.Weight == 0 {
			continue
		}
		for j := range c.Alts {
			if family.Holds(sketch, c.Alts[j].Term) {
				return true
			}
		}
	}
	return false
}

// Docs returns the number of documents with the term.
func (a *Alt) Docs() int { return a.docs }

// IDF returns the inverse document frequency of the concept's senses. If no document has any of them, it returns the
// idf of the prompt's own word, or 0 if no document has that word either.
func (c *Concept) IDF() float64 {
	best, literal := 0.0, 0.0
	for i := range c.Alts {
		a := &c.Alts[i]
		switch {
		case a.docs == 0:
		case a.literal:
			literal = a.idf * a.Weight
		default:
			best = max(best, a.idf*a.Weight)
		}
	}
	if best == 0 {
		return literal
	}
	return best
}

// Parse returns the query for prompt. It does not read the index.
func (r *Ranker) Parse(prompt string) Query {
	text := terms.Normal(prompt)
	tokens := r.analyzer.Tokens(text)
	foreign := foreignWords(text, tokens)
	p := parser{r: r, text: text, at: make(map[string]int, len(tokens))}
	for i, tok := range tokens {
		p.query.Tokens++
		term := string(tok.Term)
		surface := text[tok.Start:tok.End]
		if foreign && vocab.Foreign.Has(strings.ToLower(surface)) || extension(surface, term) {
			continue
		}
		switch tok.Type {
		case index.KoreanToken, index.GeneralToken, index.PartToken:
			if i+1 < len(tokens) && tokens[i+1].Type == index.PartToken && tok.Type != index.PartToken {
				p.compound(term, surface)
				continue
			}
			p.korean(term, surface, tok.KeyWord, tok.Type == index.GeneralToken)
		case analysis.Ideographic:
			p.add(Concept{Text: term, Surface: surface, Known: true, Weight: 1, Alts: []Alt{{Term: term, Weight: 1}}})
		default:
			if hangul, ok := r.dict.FromKeys(surface); ok {
				p.slip(hangul, surface)
				continue
			}
			p.starts = append(p.starts, tok.Start)
			p.latin(term, surface)
		}
	}
	p.phrases()
	p.query.text, p.query.words = text, index.PhraseTokens(tokens)
	if r.Weights.Meaning > 0 {
		p.query.about = meaning.Default().Vector(r.analyzer.Senses(tokens))
	}
	return p.query
}

// fewForeign is the minimum number of function words of another language for a prompt to count as foreign. English
// prompts hardly ever contain two.
const fewForeign = 3

// foreignWords reports whether the text is in a Latin-script language that has no folder in synonyms/lang. If few
// skills are in that language, its function words are rarer than any topic word and must not count.
func foreignWords(text string, tokens analysis.TokenStream) bool {
	n := 0
	for _, tok := range tokens {
		if tok.Type == index.LatinToken && vocab.Foreign.Has(strings.ToLower(text[tok.Start:tok.End])) {
			n++
		}
	}
	return n >= fewForeign
}

// extension reports whether surface is the name of a text file and term its extension. A prompt that mentions README.md
// is not about Markdown.
func extension(surface, term string) bool {
	dot := strings.LastIndexByte(surface, '.')
	if dot <= 0 {
		return false
	}
	ext := strings.ToLower(surface[dot+1:])
	return vocab.TextExtension.Has(ext) && term == terms.Stem(ext)
}

type parser struct {
	r     *Ranker
	text  string
	query Query
	at    map[string]int // index in query.Concepts, by Concept.Text

	starts []int // byte offsets in text at which Latin words start, ascending
}

// add appends c, or increments the Count of the concept with the same Text.
func (p *parser) add(c Concept) {
	if i, ok := p.at[c.Text]; ok {
		p.query.Concepts[i].Count++
		return
	}
	c.Count = 1
	p.at[c.Text] = len(p.query.Concepts)
	p.query.Concepts = append(p.query.Concepts, c)
}

func (p *parser) latin(term, surface string) {
	w := &p.r.Weights
	c := Concept{Text: term, Surface: surface, Known: true, Weight: 1, Alts: []Alt{{Term: term, Weight: 1}}}
	if c.Generic = Generic(term); c.Generic {
		c.Weight = w.Generic
	}
	if number(term) {
		c.Generic, c.Weight = true, w.Number
	}
	for _, ko := range p.r.dict.Korean(term) {
		c.Alts = append(c.Alts, Alt{Term: ko, Weight: w.ToKorean})
	}
	p.add(c)
}

// number reports whether a term is a quantity, date or version rather than a name.
func number(term string) bool { return strings.Trim(term, "0123456789.v") == "" }

// slip adds Korean words that were typed with an English keyboard layout.
func (p *parser) slip(hangul, surface string) {
	for _, word := range p.r.dict.Words(hangul) {
		p.korean(word.Text, surface, word.Known, word.Generic)
	}
}

// korean adds a Korean word with its English senses. If the first sense has several words, each becomes a concept, and
// all of them have the Korean word as an alternative.
func (p *parser) korean(term, surface string, known, generic bool) {
	w := &p.r.Weights
	c := Concept{Text: term, Surface: surface, Korean: true, Known: known, Generic: generic, Weight: 1,
		Own: known && p.r.dict.Own(term)}
	if generic {
		c.Weight = w.Generic
	}
	if !known {
		c.Alts = []Alt{{Term: term, Weight: w.Unknown}}
		p.add(c)
		return
	}
	senses := p.r.dict.Stems(term)
	width := 1
	if len(senses) > 0 {
		width = strings.Count(senses[0], " ") + 1
	}
	for part := range width {
		one := c
		one.Alts = []Alt{{Term: term, Weight: spread(width), literal: true}}
		one.Weight *= spread(width)
		for n, sense := range senses {
			// The words of a longer or shorter sense are distributed over the same concepts.
			for i, word := range strings.Fields(sense) {
				if i%width == part {
					one.Alts = append(one.Alts, Alt{Term: word, Weight: p.sense(n), first: n == 0})
				}
			}
		}
		if part > 0 {
			one.Text = term + "#" + strings.Fields(senses[0])[part]
		}
		p.add(one)
	}
}

func (p *parser) sense(n int) float64 {
	if n == 0 {
		return p.r.Weights.Sense1
	}
	return p.r.Weights.Sense2
}

// compound adds a Korean compound of dictionary words as a concept with the words of its senses. Its parts follow as
// separate words.
func (p *parser) compound(term, surface string) {
	c := Concept{Text: term, Surface: surface, Korean: true, Known: true, Own: p.r.dict.Own(term), Weight: 1,
		Alts: []Alt{{Term: term, Weight: 1, literal: true}}}
	for n, sense := range p.r.dict.Stems(term) {
		words := strings.Fields(sense)
		for _, word := range words {
			c.Alts = append(c.Alts, Alt{Term: word, Weight: p.sense(n) * spread(len(words)), first: n == 0})
		}
	}
	p.add(c)
}

// spread returns the weight of each of n concepts that come from one word. Together they weigh more than one word and
// less than n words.
func spread(n int) float64 { return 1 / math.Sqrt(float64(n)) }

// phrases adds the senses of the English phrases in the prompt.
func (p *parser) phrases() {
	w := &p.r.Weights
	for _, ph := range p.r.dict.English(p.text) {
		weight := w.Synonym
		if ph.Same {
			weight = w.Same
		}
		surface := p.text[ph.Start:ph.End]
		if !p.inProse(ph.Start, surface) {
			continue
		}
		own := terms.Stem(strings.ToLower(surface))
		for _, meaning := range ph.Means {
			words := strings.Fields(meaning)
			if i, ok := p.at[own]; ok && ph.Same && len(words) == 1 {
				// Another spelling of a single word is an alternative of the same concept.
				c := &p.query.Concepts[i]
				c.Alts, c.Own = append(c.Alts, Alt{Term: meaning, Weight: weight}), c.Own || ph.Own
				continue
			}
			for _, term := range words {
				if _, said := p.at[term]; said {
					continue
				}
				p.add(Concept{
					Text: term, Surface: surface, Known: true, Own: ph.Own, Weight: weight * spread(len(words)*len(ph.Means)),
					Alts: []Alt{{Term: term, Weight: 1}},
				})
			}
		}
	}
}

// inProse reports whether the phrase surface at offset start is running text rather than part of a link or address. A
// word must start there or, after leading function words, inside a phrase without a slash.
func (p *parser) inProse(start int, surface string) bool {
	i, ok := slices.BinarySearch(p.starts, start)
	return ok || i < len(p.starts) && p.starts[i] < start+len(surface) && !strings.Contains(surface, "/")
}

// weigh sets document frequencies and weights, and merges alternatives with the same term. If there are more than
// MaxTerms concepts, it sets the weight of the least informative ones to 0.
func (r *Ranker) weigh(q Query) (Query, error) {
	concepts := make([]Concept, len(q.Concepts))
	copy(concepts, q.Concepts)
	for i := range concepts {
		c := &concepts[i]
		alts := make([]Alt, 0, len(c.Alts))
		idf := r.meaningIDF(c)
		for _, a := range c.Alts {
			n, err := r.docFreq(a.Term)
			if err != nil {
				return q, err
			}
			a.docs, a.idf = n, idf(n)
			at := slices.IndexFunc(alts, func(b Alt) bool { return b.Term == a.Term })
			if at < 0 {
				alts = append(alts, a)
			} else if alts[at].Weight < a.Weight {
				alts[at].Weight = a.Weight
			}
		}
		c.Alts = alts
		c.level(r.Weights.Literal, idf)
		if c.Count > 1 {
			c.Weight *= math.Pow(float64(c.Count), r.Weights.Repeat)
		}
	}
	if limit := int(r.Weights.MaxTerms); len(concepts) > limit {
		order := make([]int, len(concepts))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(concepts[b].Weight*concepts[b].IDF(), concepts[a].Weight*concepts[a].IDF())
		})
		for _, i := range order[limit:] {
			concepts[i].Weight = 0
		}
	}
	q.Concepts = concepts
	return q, nil
}

// level limits the idf of alternatives to the idf of the concept's meaning: the first sense of a Korean word, or else
// the prompt's own word. A Korean word that a skill contains literally is additional evidence, so its idf may exceed
// the limit, but only by `literal` times the difference, because every Korean word is rare in an English library.
func (c *Concept) level(literal float64, idf func(docs int) float64) {
	common := 0
	for i, a := range c.Alts {
		if a.first || !c.Korean && i == 0 {
			common = max(common, a.docs)
		}
	}
	if common == 0 {
		for _, a := range c.Alts {
			common = max(common, a.docs)
		}
	}
	top := idf(common)
	for i := range c.Alts {
		a := &c.Alts[i]
		if low := min(a.idf, top); a.literal {
			a.idf = low + literal*(a.idf-low)
		} else {
			a.idf = low
		}
	}
}

// Terms returns the distinct index terms of text in sorted order.
func (r *Ranker) Terms(text string) []string {
	found := r.analyzer.Terms(text)
	slices.Sort(found)
	return slices.Compact(found)
}

// Dict returns the dictionary with which prompts are analyzed.
func (r *Ranker) Dict() *synonyms.Dict { return r.dict }
