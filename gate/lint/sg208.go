package lint

import (
	"fmt"
	"strings"

	"github.com/skillgate/skillgate/gate/terms"
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
		for _, one := range sentences(unquote(s.claim())) {
			word, run := keywordRun(one)
			if run >= stuffedRun {
				report(Problem{At: s.InDescription(word), Text: fmt.Sprintf("%q stands in %d list items in a row", word, run)})
				return
			}
		}
	},
}

const (
	stuffedRun  = 6 // items in a row; five kinds of one thing are a list that a reader needs
	keywordSize = 3 // words of an item; longer ones say something
)

// keywordRun returns the word that most items of a list in a row have, as it is
// written, and how many they are.
func keywordRun(sentence string) (word string, longest int) {
	run := map[string]int{}
	for _, item := range strings.FieldsFunc(sentence, func(r rune) bool { return r == ',' || r == ';' || r == '、' || r == '·' || r == '|' }) {
		item = terms.Normal(item)
		found := terms.Scan(item)
		// Names of skills and commands may well begin alike.
		if len(strings.Fields(item)) > keywordSize || kebab().MatchString(strings.TrimSpace(item)) && strings.Contains(item, "-") {
			found = nil
		}
		next := map[string]int{}
		for _, t := range found {
			if len(t.Text) < 2 || t.Kind == terms.Ident || next[t.Text] > 0 {
				continue
			}
			next[t.Text] = run[t.Text] + 1
			if next[t.Text] > longest {
				word, longest = item[t.Start:t.End], next[t.Text]
			}
		}
		run = next
	}
	return word, longest
}
