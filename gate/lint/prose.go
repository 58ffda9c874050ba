package lint

import (
	"fmt"
	"strings"
)

func (s *Skill) forCopying() bool { return expr("copied").MatchString(s.ID) }

var sg213 = &Rule{ID: "SG213", Severity: Warning, Check: func(s *Skill, report Report) {
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
	case endsInComment(s.Front):
		report(Problem{At: s.InDescription(lastTwoWords(d)), Text: fmt.Sprintf("a YAML comment begins after %q", tail),
			Hint: "put the description in quotation marks, because # after a space begins a comment"})
	case strings.HasSuffix(d, "...") || strings.HasSuffix(d, "…"):
		report.at(s.InDescription(lastTwoWords(d)), "the description seems to be cut off: it ends in %q", tail)
	case expr("dangling").MatchString(d[max(0, len(d)-maxTail):]) || strings.Count(d, "(") > strings.Count(d, ")")+1:
		report.at(s.InDescription(lastTwoWords(d)), "the description ends in the middle of a clause: %q", tail)
	}
}}

const maxTail = 300 // bytes at the end of a description in which SG213 looks for its last words

func endsInComment(f *Front) bool {
	k, _ := f.Key("description")
	return k.Node != nil && k.Node.Style == 0 && strings.HasPrefix(k.Node.LineComment, "#") &&
		!strings.HasPrefix(k.Node.LineComment, "# ")
}

func lastTwoWords(s string) string {
	words := strings.Fields(s)
	return strings.Join(words[max(0, len(words)-2):], " ")
}
