package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/gate/wording"
)

// TextOptions configures Text.
type TextOptions struct {
	Color  io.Writer // unfiltered terminal for colour sequences; nil for no colours
	Quiet  bool      // one line per finding, without source lines and advice
	Width  int       // terminal width in columns; 0 if unknown
	Places bool      // print retrieval counts; false if only some rules were checked
	All    bool      // print every finding in full
}

const mostShown = 5

// Text writes findings for a terminal:
//
//	skills/pdf/SKILL.md:3:30: warning: description contains "<file>" [SG119]
//	  3 | description: Fills the form <file>. Use when a task names a .pdf file.
//	    |                             ^~~~~~
//	    = write names without brackets: FILE instead of <file>
//
// Source lines are cut to the terminal's width around the marked text. If there are
// more than mostShown findings, Text prints the most severe first and at least one of
// each rule in full. A line for each rule lists the places of its other findings.
func Text(out io.Writer, res *lint.Result, o TextOptions) error {
	w := &writer{w: out, color: o.Color}
	switch {
	case o.Quiet:
		for i := range res.Findings {
			w.head(&res.Findings[i])
		}
	case o.All || len(res.Findings) <= mostShown:
		for i := range res.Findings {
			w.full(&res.Findings[i], o.Width)
		}
	default:
		w.worst(res, o.Width)
	}
	w.printf("%s\n", Counts(res.Summary))
	if o.Places && !o.Quiet {
		w.printf("%s", places(res))
	}
	return w.err
}

func (w *writer) worst(res *lint.Result, width int) {
	byRule := map[string][]*lint.Finding{}
	var rules []string
	for i := range res.Findings {
		f := &res.Findings[i]
		if byRule[f.Rule] == nil {
			rules = append(rules, f.Rule)
		}
		byRule[f.Rule] = append(byRule[f.Rule], f)
	}
	for _, all := range byRule {
		slices.SortStableFunc(all, func(a, b *lint.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	}
	slices.SortStableFunc(rules, func(a, b string) int {
		x, y := byRule[a][0], byRule[b][0]
		return cmp.Or(cmp.Compare(y.Severity, x.Severity), cmp.Compare(rank(a), rank(b)),
			cmp.Compare(len(byRule[b]), len(byRule[a])))
	})
	each := max(1, mostShown/len(rules))
	var rest []string
	for i, rule := range rules {
		all := byRule[rule]
		if i >= mostShown {
			rest = append(rest, fmt.Sprintf("%s ×%d", rule, len(all)))
			continue
		}
		shown := min(each, len(all))
		for _, f := range all[:shown] {
			w.full(f, width)
		}
		if more := all[shown:]; len(more) > 0 {
			var at []string
			for _, f := range more[:min(len(more), 3)] {
				at = append(at, strings.TrimSuffix(where(f.Place), ": "))
			}
			if len(more) > len(at) {
				at = append(at, "…")
			}
			w.printf("  %s of %s (`--rule %s` lists all): %s\n\n", wording.Count(len(more), "more finding"), rule, rule,
				strings.Join(at, ", "))
		}
	}
	if rest != nil {
		w.printf("more findings: %s (`--rule ID` lists those of one rule)\n", strings.Join(rest, ", "))
	}
}

func rank(rule string) int {
	switch group := lint.Find(rule).Group(); {
	case group == "safety":
		return 0
	case rule == "SG128" || rule == "SG129" || rule == "SG145":
		return 1
	case group == "format":
		return 2
	}
	return 3
}

func (w *writer) head(f *lint.Finding) {
	w.paint("1", where(f.Place))
	w.paint(severityColors[f.Severity], f.Severity.String())
	w.printf(": %s [%s]\n", f.Text, f.Rule)
}

func (w *writer) full(f *lint.Finding, width int) {
	w.head(f)
	gutter := ""
	if f.Line > 0 && f.Excerpt != "" {
		number := strconv.Itoa(f.Line)
		gutter = strings.Repeat(" ", len(number))
		limit := defaultShown
		if width > 0 {
			limit = max(minShown, width-len("  "+number+" | "))
		}
		line, pad, mark := window(f.Place, limit)
		w.printf("  %s | %s\n", number, line)
		if mark > 0 {
			w.printf("  %s | %s^%s\n", gutter, strings.Repeat(" ", pad), strings.Repeat("~", mark-1))
		}
	}
	hint := f.Hint
	if f.Fixable {
		hint += " (`skillgate lint fix` does this)"
	}
	w.printf("  %s = %s\n\n", gutter, hint)
}

func places(res *lint.Result) string {
	switch len(res.Skills) {
	case 0:
		return ""
	case 1:
		return One(res.Skills[0].Score)
	}
	return tally(res.Summary.Own, "requests from the skills' own text", "their skill")
}

const maxMissed = 10

// One returns a few lines of text about how a skill ranks for its requests.
func One(s lint.Score) string {
	if s.Note != "" {
		return "no ranks: " + s.Note + "\n"
	}
	text := tally(s.Own, "requests from its own text", "it") +
		tally(s.Given, "requests from its trigger file or the log", "it") +
		tally(s.Written, "requests written by a model", "it")
	for i, r := range s.Missed {
		if i == maxMissed {
			text += fmt.Sprintf("  and %d more\n", len(s.Missed)-maxMissed)
			break
		}
		place := fmt.Sprintf("rank %d", r.Place)
		if r.Place > findable.Depth {
			place = fmt.Sprintf("not among the first %d", findable.Depth)
		}
		text += fmt.Sprintf("  %q: %s; %s ranks higher\n", r.Text, place, r.First)
	}
	return text
}

func tally(t lint.Tally, kind, skill string) string {
	if t.Asked == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d %s find %s first, %d among the first 5\n", t.First, t.Asked, kind, skill, t.Five)
}

func where(p source.Place) string {
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

const defaultShown = 110 // columns of a source line if the terminal's width is unknown
const minShown = 30      // minimum columns of a source line, even in a narrow terminal

func window(p source.Place, limit int) (line string, pad, mark int) {
	runes := []rune(p.Excerpt)
	from, to := p.Col-1, p.EndCol-1
	if p.Col == 0 || from >= len(runes) {
		return wording.Clip(p.Excerpt, limit), 0, 0
	}
	to = min(max(to, from+1), len(runes))
	start, lead := 0, ""
	if columns(runes) > limit && columns(runes[:to]) >= limit {
		for start = from; start > 0 && columns(runes[start-1:from]) <= limit/3; {
			start--
		}
	}
	if start > 0 {
		lead = "…"
	}
	shown := lead + wording.Clip(string(runes[start:]), limit-wording.Width(lead))
	pad = wording.Width(lead) + columns(runes[start:from])
	mark = max(1, min(columns(runes[from:to]), limit-pad))
	return shown, pad, mark
}

func columns(runes []rune) int { return wording.Width(string(runes)) }

var severityColors = map[lint.Severity]string{lint.Error: "31;1", lint.Warning: "33;1", lint.Info: "36"}

// paint writes text in a colour. Its own escape sequences bypass w, which removes those of foreign text.
func (w *writer) paint(color, text string) {
	if w.color == nil {
		w.printf("%s", text)
		return
	}
	fmt.Fprintf(w.color, "\x1b[%sm", color)
	w.printf("%s", text)
	fmt.Fprint(w.color, "\x1b[0m")
}
