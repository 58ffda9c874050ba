package report

import (
	"io"
	"strconv"
	"strings"

	"golang.org/x/text/width"

	"github.com/skillgate/skillgate/gate/lint"
)

// TextOptions say how text is written.
type TextOptions struct {
	Color bool
	Quiet bool // without source lines and advice
}

// Text writes findings for a terminal:
//
//	skills/pdf/SKILL.md:3:30: warning: description holds "<file>" [SG119]
//	  3 | description: Fills the form <file>. Use when a task names a .pdf file.
//	    |                             ^~~~~~
//	    = write names without brackets: FILE instead of <file>
func Text(out io.Writer, res *lint.Result, known int, o TextOptions) error {
	w := &writer{w: out}
	for i := range res.Findings {
		f := &res.Findings[i]
		w.printf("%s%s: %s [%s]\n", bold(where(f.Place), o.Color), paint(f.Severity, o.Color), f.Text, f.Rule)
		if o.Quiet {
			continue
		}
		gutter := ""
		if f.Line > 0 && f.Excerpt != "" {
			number := strconv.Itoa(f.Line)
			gutter = strings.Repeat(" ", len(number))
			line, pad, mark := window(f.Place)
			w.printf("  %s | %s\n", number, line)
			if mark > 0 {
				w.printf("  %s | %s^%s\n", gutter, strings.Repeat(" ", pad), strings.Repeat("~", mark-1))
			}
		}
		hint := f.Hint
		if f.Fixable {
			hint += " (--fix does it)"
		}
		w.printf("  %s = %s\n\n", gutter, hint)
	}
	w.printf("%s\n", Counts(res.Summary, known))
	return w.err
}

// where is "path:line:col: ".
func where(p lint.Place) string {
	if p.Path == "" {
		return "library: "
	}
	s := p.Path
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line)
		if p.Col > 0 {
			s += ":" + strconv.Itoa(p.Col)
		}
	}
	return s + ": "
}

const maxShown = 110 // columns of a source line

// window cuts a place's line around its mark. pad and mark are terminal columns;
// mark is 0 where there is nothing to point at.
func window(p lint.Place) (line string, pad, mark int) {
	runes := []rune(p.Excerpt)
	from, to := p.Col-1, p.EndCol-1
	if p.Col == 0 || from >= len(runes) {
		return clip(runes, maxShown), 0, 0
	}
	to = min(max(to, from+1), len(runes))
	start := 0
	lead := ""
	if columns(runes[:to]) > maxShown-10 {
		start = max(0, from-30)
		lead = "…"
	}
	if start == 0 {
		lead = ""
	}
	shown := lead + clip(runes[start:], maxShown)
	pad = columns([]rune(lead)) + columns(runes[start:from])
	mark = min(columns(runes[from:to]), max(1, maxShown-pad))
	return shown, pad, mark
}

// clip cuts runes to a width in columns.
func clip(runes []rune, limit int) string {
	n := 0
	for i, r := range runes {
		if n += wide(r); n > limit {
			return string(runes[:i]) + "…"
		}
	}
	return string(runes)
}

func columns(runes []rune) int {
	n := 0
	for _, r := range runes {
		n += wide(r)
	}
	return n
}

// wide is how many columns a terminal gives a character: two for Hangul and Han.
func wide(r rune) int {
	if r < 0x1100 {
		return 1
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

func paint(s lint.Severity, color bool) string {
	if !color {
		return s.String()
	}
	code := map[lint.Severity]string{lint.Error: "31;1", lint.Warning: "33;1", lint.Info: "36"}[s]
	return "\x1b[" + code + "m" + s.String() + "\x1b[0m"
}

func bold(s string, color bool) string {
	if !color {
		return s
	}
	return "\x1b[1m" + s + "\x1b[0m"
}
