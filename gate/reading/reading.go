// Package reading says how the gate reads each word of a prompt: as a headword behind its
// particles and endings, with its English senses and the index terms that are searched for
// it, as an English phrase, or as Korean typed with the keyboard in English.
package reading

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/blevesearch/bleve/v2/analysis"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/synonyms/terms"
	"github.com/skillgate/skillgate/triage"
)

// How a word of a prompt was read, Word.As.
const (
	Korean  = "korean"        // a headword of the dictionary
	General = "general"       // a headword that says little
	Part    = "part"          // a word of the compound before it
	Unknown = "unknown"       // Korean that the dictionary lacks, without its particles
	Slip    = "keyboard slip" // Korean typed with the keyboard in English
	English = "english"
	Ident   = "identifier"
	Han     = "han"
	Phrase  = "phrase" // an English phrase that descriptions call otherwise
	Nothing = "nothing"
)

// Word is one word as the gate reads it.
type Word struct {
	Text   string   `json:"text"` // as the prompt has it, up to white space
	As     string   `json:"as"`   // Korean, General, …
	Word   string   `json:"word"` // headword, stem or phrase
	Senses []string `json:"senses,omitempty"`
	Weight float64  `json:"weight"` // among the prompt's words
	Terms  []Term   `json:"terms,omitempty"`
}

// Term is one index term that may name the word.
type Term struct {
	Term   string  `json:"term"`
	Weight float64 `json:"weight"` // how surely it means the word
	Skills int     `json:"skills"` // documents with the term
}

// Prompt is a prompt as it was read.
type Prompt struct {
	Prompt string `json:"prompt"`
	Kind   string `json:"kind"` // triage.Kind: only "search" is searched
	Skills int    `json:"skills"`
	Words  []Word `json:"words"`
}

// Read reads a prompt as g does.
func Read(ctx context.Context, g *gate.Gate, prompt string) (Prompt, error) {
	p := triage.Classify(secret.Redact(prompt))
	out := Prompt{Prompt: p.Text, Kind: string(p.Kind), Skills: g.Documents(), Words: []Word{}}
	text := terms.Normal(p.Text)
	res, err := g.Ranker().Search(ctx, g.Ranker().Parse(text))
	if err != nil {
		return out, err
	}
	r := reader{dict: g.Dict(), text: text, concepts: res.Query.Concepts}
	r.read(index.NewAnalyzer(g.Dict()).Tokens(text))
	out.Words = r.words
	return out, nil
}

// reader joins the words of a text with the concepts that were searched for them.
type reader struct {
	dict     *synonyms.Dict
	text     string
	concepts []rank.Concept
	words    []Word
}

func (r *reader) read(tokens analysis.TokenStream) {
	at := 0 // everything before is accounted for
	for i, tok := range tokens {
		r.nothing(at, tok.Start)
		start, end := r.eojeol(tok.Start, tok.End)
		at = max(at, end)
		w := Word{Text: r.text[start:end], Word: string(tok.Term)}
		switch tok.Type {
		case index.KoreanToken, index.GeneralToken, index.PartToken:
			w.As = Korean
			switch {
			case tok.Type == index.PartToken:
				w.As = Part
			case tok.Type == index.GeneralToken:
				w.As = General
			case !tok.KeyWord:
				w.As = Unknown
			}
			w.Senses = r.dict.Senses(w.Word)
		case analysis.Ideographic:
			w.As = Han
		default:
			surface := r.text[tok.Start:tok.End]
			if hangul, ok := r.dict.FromKeys(surface); ok {
				if i == 0 || tokens[i-1].Start != tok.Start {
					r.slip(surface, hangul)
				}
				continue
			}
			w.As = English
			if tok.KeyWord {
				w.As = Ident
			}
		}
		r.searched(&w)
		r.words = append(r.words, w)
	}
	r.nothing(at, len(r.text))
	for _, p := range r.dict.English(r.text) {
		for i, meaning := range p.Means {
			if slices.Contains(p.Means[:i], meaning) {
				continue
			}
			w := Word{Text: r.text[p.Start:p.End], As: Phrase, Word: meaning}
			for word := range strings.FieldsSeq(meaning) {
				one := Word{Word: word}
				r.searched(&one)
				w.Weight = max(w.Weight, one.Weight)
				w.Terms = append(w.Terms, one.Terms...)
			}
			if len(w.Terms) > 0 { // else another spelling of a word above
				r.words = append(r.words, w)
			}
		}
	}
}

// slip adds the words of Korean typed in English.
func (r *reader) slip(surface, hangul string) {
	for _, word := range r.dict.Words(hangul) {
		w := Word{Text: surface, As: Slip, Word: word.Text, Senses: r.dict.Senses(word.Text)}
		r.searched(&w)
		r.words = append(r.words, w)
	}
}

// searched fills in what was searched for a word: the concept of that text, or the
// concepts that share a word of several senses ("단위#test").
func (r *reader) searched(w *Word) {
	seen := map[string]bool{}
	for i := range r.concepts {
		c := &r.concepts[i]
		head, _, _ := strings.Cut(c.Text, "#")
		if c.Text != w.Word && (!c.Korean || head != w.Word) {
			continue
		}
		w.Weight = max(w.Weight, c.Weight)
		for j := range c.Alts {
			a := &c.Alts[j]
			if !seen[a.Term] {
				seen[a.Term] = true
				w.Terms = append(w.Terms, Term{a.Term, a.Weight, a.Docs()})
			}
		}
	}
}

// eojeol widens a place of the text to the white space around it.
func (r *reader) eojeol(start, end int) (int, int) {
	if i := strings.LastIndexFunc(r.text[:start], unicode.IsSpace); i >= 0 {
		start = i + 1
	} else {
		start = 0
	}
	if i := strings.IndexFunc(r.text[end:], unicode.IsSpace); i >= 0 {
		end += i
	} else {
		end = len(r.text)
	}
	return start, end
}

// nothing adds the words between two places that gave no term.
func (r *reader) nothing(from, to int) {
	if from >= to {
		return
	}
	for word := range strings.FieldsSeq(r.text[from:to]) {
		if strings.IndexFunc(word, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) >= 0 {
			r.words = append(r.words, Word{Text: word, As: Nothing})
		}
	}
}
