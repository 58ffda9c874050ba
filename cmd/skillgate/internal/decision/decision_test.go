package decision

import (
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/wording"
)

func TestPrintFitsTheTerminal(t *testing.T) {
	d := apptest.Injected("지난주 회의 녹취록을 정리해줘", "meeting-minutes-with-decisions")
	for _, met := range [][2]string{{"회의록으로 정리", ""}, {"녹취록", "transcript"}, {"회의", "meeting"}, {"정리하다", "summarize"}, {"지난주", "week"}} {
		d.Candidates[0].Matched = append(d.Candidates[0].Matched, gate.Match{Term: met[0], Via: met[1], Field: "description", Score: 1})
	}
	d.Candidates[0].Path = ""
	for _, columns := range []int{60, 80, 120} {
		h := apptest.New(t)
		lines := apptest.OnTerminal(t, h.App, columns, func() error {
			Print(h.App, d, true)
			return nil
		})
		shown := strings.Join(lines, "\n")
		for _, line := range lines {
			if wording.Width(strings.TrimRight(line, " ")) > columns {
				t.Errorf("%d columns: %q takes %d", columns, line, wording.Width(line))
			}
		}
		for _, word := range []string{"meeting-minutes-with-decisions", "녹취록→transcript", "정리하다→summarize"} {
			if !strings.Contains(shown, word) && columns >= 80 {
				t.Errorf("%d columns: %q is broken in\n%s", columns, word, shown)
			}
		}
	}
}
