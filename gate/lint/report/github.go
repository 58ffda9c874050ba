package report

import (
	"io"
	"strings"

	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/source"
)

// GitHub writes findings as workflow commands, which GitHub Actions shows next to the changed lines.
func GitHub(out io.Writer, res *lint.Result) error {
	w := &writer{w: out}
	for _, f := range res.Findings {
		w.printf("::%s ", [...]string{"", "notice", "warning", "error"}[f.Severity])
		if f.Path != "" {
			w.printf("file=%s,", property(f.Path))
		}
		if f.Line > 0 {
			w.printf("line=%d,", f.Line)
			if f.Col > 0 {
				w.printf("col=%d,endColumn=%d,", f.Col, max(f.EndCol, f.Col))
			}
		}
		w.printf("title=%s::%s\n", property(f.Rule+" "+f.Title), data(f.Text+" – "+f.Hint))
	}
	w.printf("%s\n", Counts(res.Summary))
	return w.err
}

var (
	dataEscape     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscape = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

const maxText = 5000 // maximum length of a property or message in characters

func data(s string) string     { return dataEscape.Replace(source.Printable(s, maxText)) }
func property(s string) string { return propertyEscape.Replace(source.Printable(s, maxText)) }
