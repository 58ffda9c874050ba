package lint

import (
	"fmt"
	"strings"
)

var triggerTwice = &Rule{
	ID:       "SG214",
	Title:    "trigger is listed twice",
	Why:      "the second one finds nothing more and takes the room of another phrase",
	Advice:   "replace it by another thing that users say",
	See:      sraURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Info,
	Fixes:    true,
	Bad:      front("pdf", "Fills PDF forms. Use when the user says \"fill a form\", \"양식 채워줘\", \"양식 채워줘\"."),
	Good:     front("pdf", "Fills PDF forms. Use when the user says \"fill a form\", \"양식 채워줘\"."),
	Check: func(s *Skill, report Report) {
		k, ok := s.Front.Key("description")
		if !ok {
			return
		}
		seen := map[string]bool{}
		for _, q := range quotedPhrases(s.Src.Text[k.End:k.Until], k.End) {
			written := strings.Join(strings.Fields(s.Src.Text[q.start+1:q.end-1]), " ")
			key := strings.ToLower(written)
			if !seen[key] {
				seen[key] = true
				continue
			}
			report(Problem{
				At: s.Src.Span(q.start, q.end), Text: fmt.Sprintf("%q is listed before", written),
				Fix: removeItem(s, k, q),
			})
		}
	},
}

type phrase struct{ start, end int }

// quotedPhrases finds "…" in a YAML value that is not itself in double quotes.
func quotedPhrases(value string, base int) []phrase {
	trimmed := strings.TrimLeft(value, ": \t")
	if strings.HasPrefix(trimmed, `"`) {
		return nil // the value's own quotation marks; inner ones are escaped
	}
	var out []phrase
	for at := 0; ; {
		i := strings.IndexByte(value[at:], '"')
		if i < 0 {
			return out
		}
		i += at
		j := strings.IndexByte(value[i+1:], '"')
		if j < 0 {
			return out
		}
		j += i + 2
		if n := j - i; n > 4 && n < 200 {
			out = append(out, phrase{base + i, base + j})
		}
		at = j
	}
}

// removeItem takes one item and its comma out of a list; nil where the item does
// not stand between commas.
func removeItem(s *Skill, k Key, q phrase) *Fix {
	text := s.Src.Text
	before := strings.TrimRight(text[k.End:q.start], " \t\r\n")
	if !strings.HasSuffix(before, `",`) {
		return nil
	}
	rest := strings.TrimLeft(text[q.end:k.Until], " \t\r\n")
	if !strings.HasPrefix(rest, ",") && !strings.HasPrefix(rest, ".") && rest != "" {
		return nil
	}
	return &Fix{"take the second one out", []Edit{{k.End + len(before) - 1, q.end, ""}}}
}
