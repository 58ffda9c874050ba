package lint

import (
	"fmt"
	"strings"
)

var cutOff = &Rule{
	ID:       "SG213",
	Title:    "description is cut off",
	Why:      "a tool shortened it, and what it lost are usually the triggers and boundaries at the end",
	Advice:   "write the rest, or end the sentence",
	See:      specURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Bad:      front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file or the user asks to..."),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		d, ok := s.Front.Scalar("description")
		d = strings.TrimSpace(d)
		if !ok || d == "" {
			return
		}
		tail := d[max(0, len(d)-60):]
		if i := strings.IndexAny(tail, " \n"); i >= 0 && len(d) > 60 {
			tail = tail[i+1:]
		}
		switch {
		case strings.HasSuffix(d, "...") || strings.HasSuffix(d, "…"):
			report(Problem{At: s.InDescription(lastWords(d, 2)), Text: fmt.Sprintf("ends in %q", tail)})
		case dangling(d):
			report(Problem{At: s.InDescription(lastWords(d, 2)), Text: fmt.Sprintf("ends in the middle of a clause: %q", tail)})
		}
	},
}

// dangling reports whether a text ends in a word or mark that something must follow.
func dangling(d string) bool {
	if strings.HasSuffix(d, ",") || strings.HasSuffix(d, " (") || strings.Count(d, "(") > strings.Count(d, ")")+1 {
		return true
	}
	words := strings.Fields(d)
	switch last := strings.ToLower(words[len(words)-1]); last {
	case "and", "or", "the", "a", "an", "of", "to", "for", "with", "when", "및", "또는", "그리고":
		return len(words) > 4
	}
	return false
}

func lastWords(s string, n int) string {
	words := strings.Fields(s)
	return strings.Join(words[max(0, len(words)-n):], " ")
}
