package lint

import (
	"fmt"
	"sort"

	"github.com/skillgate/skillgate/gate/terms"
)

var stuffed = &Rule{
	ID:       "SG208",
	Title:    "description repeats a word to be found",
	Why:      "BM25 stops counting after a few repeats, while every repeat makes the description longer and every other word in it weigh less",
	Advice:   "say each word where it is needed; list different words instead",
	See:      "https://arxiv.org/abs/0911.5046",
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Bad: front("pdf", "PDF forms, PDF files, PDF reader, PDF writer, PDF editor, PDF tool, PDF filler, PDF helper, PDF viewer, PDF maker, PDF merge, PDF split. "+
		"Use when a task names a PDF."),
	Good: front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		if !s.Described() {
			return
		}
		// Only what the skill claims: triggers and boundaries name its subject again and again.
		text := unquote(s.claim())
		count := map[string]int{}
		total := 0
		first := map[string]string{}
		normal := terms.Normal(text)
		for _, t := range terms.Scan(text) {
			if len(t.Text) < 3 || t.Kind == terms.Hangul && len([]rune(t.Text)) < 2 {
				continue
			}
			total++
			count[t.Text]++
			if first[t.Text] == "" {
				first[t.Text] = normal[t.Start:t.End]
			}
		}
		var found []string
		for w, n := range count {
			if n >= stuffedMin && float64(n) >= stuffedShare*float64(total) {
				found = append(found, w)
			}
		}
		sort.Slice(found, func(i, j int) bool {
			return count[found[i]] > count[found[j]] || count[found[i]] == count[found[j]] && found[i] < found[j]
		})
		if len(found) > 0 {
			w := found[0]
			report(Problem{At: s.InDescription(first[w]), Text: fmt.Sprintf("%q stands %d times among %d words", first[w], count[w], total)})
		}
	},
}

const (
	stuffedMin   = 6   // times; a few sentences name their subject up to five times
	stuffedShare = 0.2 // of all words
)
