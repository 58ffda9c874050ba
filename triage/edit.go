package triage

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// maxEdit is the length of the longest small edit. Longer ones explain
// something and are work.
const maxEdit = 160

// smallEdit reports a direct small edit or look at a named place, such as
// "rename foo to bar in utils.go" or "src/app.ts 12번째 줄 오타 고쳐". Every
// word must belong to the place, to the edit, or be a name or value; one other
// word makes it work.
func smallEdit(text string) bool {
	if len(text) > maxEdit || strings.IndexByte(text, '\n') >= 0 || !maybePlace(text) {
		return false
	}
	grammar := grammarOf(text)
	cut := editWords
	if grammar.Spaceless {
		cut = spacelessWords
	}
	words, ok := cut(text)
	switch {
	case !ok || len(words) < 2:
		return false
	case grammar.VerbLast:
		return editVerbLast(words)
	}
	return editVerbFirst(words)
}

// maybePlace is a cheap test for a text that may name a file or a line.
func maybePlace(s string) bool {
	if strings.IndexByte(s, '/') >= 0 || vocab.LineSign.In(s) {
		return true
	}
	for i := 0; i+1 < len(s); i++ {
		if s[i] == '.' && s[i+1] != ' ' && s[i+1] != '.' {
			return true
		}
	}
	return strings.Contains(s, "Dockerfile") || strings.Contains(s, "Makefile") || strings.Contains(s, "README")
}

// thing is what a word without its particle stands for in an edit.
type thing uint8

const (
	plainWord  thing = iota // an English word
	identifier              // a name from code, a value
	quote                   // a quoted string
	figure                  // a number, a range
	textFile                // a path to text
	docFile                 // a path to a document, sheet, picture or recording
)

// editWord is a word of a possible edit: an ASCII part and what is written after it in another script.
type editWord struct {
	ascii string
	thing thing  // of ascii
	tail  string // particle or whole word
	comma bool   // a comma follows
}

// editWords splits text at spaces outside quotes. It returns false for a
// question, for text in other scripts and for more words than an edit has.
func editWords(text string) ([]editWord, bool) {
	text = strings.TrimRight(text, " .!~")
	if strings.HasSuffix(text, "?") {
		return nil, false
	}
	words := make([]editWord, 0, 12)
	for i := 0; i < len(text); {
		if text[i] == ' ' || text[i] == '\t' {
			i++
			continue
		}
		if len(words) == 18 {
			return nil, false
		}
		var w editWord
		r, n := utf8.DecodeRuneInString(text[i:])
		if end := closingQuote(r); end != 0 {
			j := strings.IndexRune(text[i+n:], end)
			if j < 0 {
				return nil, false
			}
			w.ascii, w.thing = text[i+n:i+n+j], quote
			if r == '`' {
				w.thing = thingOf(w.ascii)
				if w.thing == plainWord {
					w.thing = identifier
				}
			}
			i += n + j + utf8.RuneLen(end)
		} else {
			j := i
			for j < len(text) && text[j] < utf8.RuneSelf && text[j] != ' ' && text[j] != '\t' {
				j++
			}
			w.ascii = text[i:j]
			i = j
		}
		j := i
		for j < len(text) && text[j] != ' ' && text[j] != '\t' {
			r, n := utf8.DecodeRuneInString(text[j:])
			if !script.Syllable(r) && !(isDigit(r) && j > i) && r != ',' {
				return nil, false
			}
			j += n
		}
		w.tail = text[i:j]
		i = j
		if w.tail == "" {
			w.ascii, w.comma = cutComma(w.ascii)
		} else {
			w.tail, w.comma = cutComma(w.tail)
		}
		if w.thing == plainWord {
			w.thing = thingOf(w.ascii)
		}
		words = append(words, w)
	}
	return words, true
}

func cutComma(s string) (string, bool) {
	t := strings.TrimRight(s, ",;")
	return t, t != s
}

// closingQuote returns the quote that closes the one r opens, 0 for other runes.
func closingQuote(r rune) rune {
	switch r {
	case '"', '\'', '`':
		return r
	case '“':
		return '”'
	case '‘':
		return '’'
	}
	return 0
}

// thingOf classifies an ASCII word.
func thingOf(w string) thing {
	if w == "" {
		return plainWord
	}
	if t := fileOf(w); t != plainWord {
		return t
	}
	if strings.Trim(w, "0123456789-~:.,%px") == "" && strings.ContainsAny(w, "0123456789") {
		return figure
	}
	letters, inner := 0, false
	for i, c := range []byte(w) {
		switch {
		case 'a' <= c && c <= 'z':
			letters++
		case 'A' <= c && c <= 'Z':
			letters++
			inner = inner || i > 0
		default:
			inner = true
		}
	}
	if letters == 0 || inner {
		return identifier
	}
	return plainWord
}

// fileOf returns textFile or docFile for a path, plainWord for other words.
func fileOf(w string) thing {
	w = strings.TrimPrefix(strings.TrimRight(w, ":;,)"), "@")
	w = strings.TrimPrefix(w, "(")
	if strings.Contains(w, "://") {
		return plainWord
	}
	if i := strings.LastIndexByte(w, ':'); i > 0 && strings.Trim(w[i+1:], "0123456789-") == "" { // app.ts:12
		w = w[:i]
	}
	base := w[strings.LastIndexByte(w, '/')+1:]
	if vocab.TextName.Has(base) {
		return textFile
	}
	if i := strings.LastIndexByte(base, '.'); i >= 0 {
		switch ext := strings.ToLower(base[i+1:]); {
		case vocab.DocumentExtension.Has(ext):
			return docFile
		case vocab.TextExtension.Has(ext):
			return textFile
		}
	}
	if strings.HasSuffix(w, "/") && len(w) > 1 && w[0] != '/' || hasAnyPrefix(w, "./", "../", "~/") {
		return textFile
	}
	first, _, slash := strings.Cut(strings.TrimPrefix(w, "/"), "/")
	if slash && vocab.ProjectFolder.Has(first) {
		return textFile
	}
	return plainWord
}
