package synonyms

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

// How a word of a prompt was read, readWord.As.
const (
	asKorean     = "korean"        // a headword of the dictionary
	asGeneral    = "general"       // a headword that says little
	asPart       = "part"          // a word of the compound before it
	asUnknown    = "unknown"       // Korean that the dictionary lacks, without its particles
	asSlip       = "keyboard slip" // Korean typed with the keyboard in English
	asEnglish    = "english"
	asIdentifier = "identifier"
	asHan        = "han"
	asPhrase     = "phrase" // an English phrase that descriptions call otherwise
	asNothing    = "nothing"
)

type readWord struct {
	Text   string     `json:"text"` // as the prompt has it, up to white space
	As     string     `json:"as"`   // asKorean, asGeneral, …
	Word   string     `json:"word"` // headword, stem or phrase
	Senses []string   `json:"senses,omitempty"`
	Weight float64    `json:"weight"` // among the prompt's words
	Terms  []readTerm `json:"terms,omitempty"`
}

type readTerm struct {
	Term   string  `json:"term"`
	Weight float64 `json:"weight"` // how surely it means the word
	Skills int     `json:"skills"` // documents with the term
}

type readPrompt struct {
	Prompt string     `json:"prompt"`
	Kind   string     `json:"kind"` // triage.Kind: only "search" is searched
	Skills int        `json:"skills"`
	Words  []readWord `json:"words"`
}

func explain(ctx context.Context, g *gate.Gate, prompt string) (readPrompt, error) {
	p := triage.Classify(secret.Redact(prompt))
	out := readPrompt{Prompt: p.Text, Kind: string(p.Kind), Skills: g.Documents(), Words: []readWord{}}
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

type reader struct {
	dict     *synonyms.Dict
	text     string
	concepts []rank.Concept
	words    []readWord
}

func (r *reader) read(tokens analysis.TokenStream) {
	at := 0 // everything before is accounted for
	for i, tok := range tokens {
		r.nothing(at, tok.Start)
		start, end := r.eojeol(tok.Start, tok.End)
		at = max(at, end)
		w := readWord{Text: r.text[start:end], Word: string(tok.Term)}
		switch tok.Type {
		case index.KoreanToken, index.GeneralToken, index.PartToken:
			w.As = asKorean
			switch {
			case tok.Type == index.PartToken:
				w.As = asPart
			case tok.Type == index.GeneralToken:
				w.As = asGeneral
			case !tok.KeyWord:
				w.As = asUnknown
			}
			w.Senses = r.dict.Senses(w.Word)
		case analysis.Ideographic:
			w.As = asHan
		default:
			surface := r.text[tok.Start:tok.End]
			if hangul, ok := r.dict.FromKeys(surface); ok {
				if i == 0 || tokens[i-1].Start != tok.Start {
					r.slip(surface, hangul)
				}
				continue
			}
			w.As = asEnglish
			if tok.KeyWord {
				w.As = asIdentifier
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
			w := readWord{Text: r.text[p.Start:p.End], As: asPhrase, Word: meaning}
			for word := range strings.FieldsSeq(meaning) {
				one := readWord{Word: word}
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

func (r *reader) slip(surface, hangul string) {
	for _, word := range r.dict.Words(hangul) {
		w := readWord{Text: surface, As: asSlip, Word: word.Text, Senses: r.dict.Senses(word.Text)}
		r.searched(&w)
		r.words = append(r.words, w)
	}
}

// searched fills in what was searched for a word: the concept of that text, or the
// concepts that share a word of several senses ("단위#test").
func (r *reader) searched(w *readWord) {
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
				w.Terms = append(w.Terms, readTerm{a.Term, a.Weight, a.Docs()})
			}
		}
	}
}

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

func (r *reader) nothing(from, to int) {
	if from >= to {
		return
	}
	for word := range strings.FieldsSeq(r.text[from:to]) {
		if strings.IndexFunc(word, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) >= 0 {
			r.words = append(r.words, readWord{Text: word, As: asNothing})
		}
	}
}
