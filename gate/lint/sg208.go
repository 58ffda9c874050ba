package lint

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/skillgate/skillgate/synonyms/terms"
)

var stuffed = &Rule{
	ID:       "SG208",
	Title:    "description is a list of keywords around one word",
	Why:      "BM25 stops counting a word after a few repeats, while every repeat makes the description longer and every other word in it weigh less",
	Advice:   "say the word once, in a sentence, and list what differs",
	See:      "https://arxiv.org/abs/0911.5046",
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Bad: front("pdf", "PDF forms, PDF files, PDF reader, PDF writer, PDF editor, PDF tool, PDF filler, PDF helper, PDF viewer, PDF maker, PDF merge, PDF split. "+
		"Use when a task names a PDF."),
	Good: front("pdf", "Fills, reads, joins and splits PDF files. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		if !s.Described() {
			return
		}
		text := singleQuoted.get().ReplaceAllStringFunc(unquote(s.Text()), blank)
		for _, one := range sentences(text) {
			if isRefusal(one) {
				continue
			}
			if word, n, of := keyword(one); n >= stuffedItems && float64(n) >= stuffedShare*float64(of) {
				report(Problem{
					At: s.InDescription(word), Text: fmt.Sprintf("%d of %d list items begin with %q", n, of, word),
					Hint: fmt.Sprintf("say %q once and list what differs", word),
				})
				return
			}
		}
	},
}

const (
	stuffedItems = 6   // five kinds of one thing are a list that a reader needs
	stuffedShare = 0.6 // of the items; the rest may be other names of it
	keywordSize  = 3   // words of an item; longer ones say something
)

// keyword returns the word that most items of a sentence's list begin with, as it
// is written, how many do, and how many short items there are.
func keyword(sentence string) (word string, most, items int) {
	count := map[string]int{}
	for _, written := range strings.FieldsFunc(sentence, func(r rune) bool { return r == ',' || r == ';' || r == '、' || r == '·' || r == '|' }) {
		item := terms.Normal(written)
		if i := strings.LastIndexAny(item, ":："); i >= 0 {
			item = strings.TrimLeft(item[i:], ":： ") // "Triggers: veo"
		}
		found := terms.Scan(item)
		if len(found) == 0 || properName(written) || len(strings.Fields(item)) > keywordSize {
			continue
		}
		items++
		first := found[0]
		if len(first.Text) < 2 || first.Kind == terms.Ident || len(found) == 1 {
			continue
		}
		if count[first.Text]++; count[first.Text] > most {
			word, most = item[first.Start:first.End], count[first.Text]
		}
	}
	return word, most, items
}

// properName reports whether a list item is a name, which may well begin as its
// neighbours do: a skill, a command, a host, a product of a family.
func properName(item string) bool {
	words := strings.Fields(strings.Trim(item, " .()\n"))
	for len(words) > 1 && (words[0] == "or" || words[0] == "and") {
		words = words[1:]
	}
	if len(words) == 1 {
		return strings.ContainsAny(words[0], "-./_:@")
	}
	for _, w := range words {
		if first := []rune(w)[0]; !unicode.IsUpper(first) && !unicode.IsDigit(first) {
			return false
		}
	}
	return len(words) > 0
}
