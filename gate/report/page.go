package report

import (
	"bufio"
	_ "embed"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
)

// pageHTML contains the parts of the page: each has a name, followed by a format string. [[English|Korean]] is a text
// in both languages, of which the page shows one. html/template would add 1 MB to the compressed program, because the
// linker then keeps every exported method.
//
//go:embed report.html
var pageHTML string

var (
	partName = regexp.MustCompile(`(?m)^<!-- (.*) -->\n`)
	bothText = regexp.MustCompile(`\[\[(.*?)\|(.*?)\]\]`)
	codeText = regexp.MustCompile("`([^`\n]+)`")
)

func parts() map[string]string {
	names := partName.FindAllStringSubmatchIndex(pageHTML, -1)
	out := map[string]string{}
	for i, at := range names {
		end := len(pageHTML)
		if i+1 < len(names) {
			end = names[i+1][0]
		}
		text := bothText.ReplaceAllStringFunc(pageHTML[at[1]:end], func(both string) string {
			both = bothText.ReplaceAllString(both, `<span data-t="en" lang="en">$1</span><span data-t="ko" lang="ko">$2</span>`)
			return codeText.ReplaceAllString(both, "<code>$1</code>")
		})
		out[pageHTML[at[2]:at[3]]] = text
	}
	return out
}

type writer struct {
	*bufio.Writer
	parts map[string]string
}

func (w writer) put(name string, args ...any) { fprintf(w, w.parts[name], args...) }

func (w writer) text(name string, args ...any) markup {
	return sprintf(strings.TrimSuffix(w.parts[name], "\n"), args...)
}

// Write writes the page to out as a single, self-contained HTML file.
func (p *Page) Write(out io.Writer) error {
	w, s := writer{bufio.NewWriter(out), parts()}, &p.Stats
	w.put("head", p.Lang, p.date(s.First), p.date(s.Last), p.Now.Format("2006-01-02 15:04"))
	p.writeHelp(w)
	w.put("next")
	p.writeNext(w)
	w.put("tiles", s.Decisions, s.Sessions, s.Injected, 100*s.InjectionRate, s.Follow.Followed, s.Follow.Known, s.Missed,
		s.Ms.P50, s.Ms.P95, s.Ms.P99)
	if len(p.Weeks) > 0 {
		var judged markup
		if p.Judged > 0 {
			judged = w.text("judged", p.Judged)
		}
		w.put("weeks", judged, p.weekChart().svg(), p.followChart().svg())
	}
	p.writeChanges(w)
	p.writeCounts(w)
	p.writeSkills(w)
	w.put("end", s.Installed, len(s.NeverUsed), strings.Join(s.NeverUsed, " "))
	return w.Flush()
}

func (p *Page) date(t time.Time) string { return t.In(p.Now.Location()).Format(time.DateOnly) }

// writeHelp writes whether suggestions help and how certain that is. Without an experiment, it writes the follow
// rate, which does not show which skills the model would have used anyway.
func (p *Page) writeHelp(w writer) {
	follow := p.Stats.Follow
	switch {
	case p.Best != nil:
		t := &p.Best.Test
		word := map[experiment.Finding]string{experiment.Helps: "yes", experiment.Hurts: "harm",
			experiment.Nothing: "no effect", experiment.Running: "unknown"}[t.Found]
		var needed markup
		if t.Found == experiment.Running && p.Best.Plan.Ended == nil {
			needed = w.text("needed", t.Needed)
		}
		w.put("measured", w.text(word), 100*t.Hinted.Value, 100*t.Held.Value,
			pointsPlot(t.Difference, t.Low, t.High).svg(), t.Cases, 100*t.Difference, 100*t.Low, 100*t.High, needed)
	case follow.Rate == nil:
		w.put("unwatched", follow.Named)
	default:
		var more markup
		if n := follow.Named - follow.Known; n > 0 {
			more = w.text("more", n)
		}
		r := follow.Rate
		w.put("followed", 100*r.Value, follow.Followed, follow.Known, intervalPlot(r.Value, r.Low, r.High, 0, 1,
			"%.0f %%").svg(), 100*r.Low, 100*r.High, more)
	}
}

const (
	firstProposals   = 3 // number of proposals on the first screen
	firstRegressions = 2 // number of regressions on the first screen; a later section lists all
)

func (p *Page) writeNext(w writer) {
	lost, follow := 0, p.Stats.Follow
	if p.Again != nil {
		lost = len(p.Again.Regressions)
	}
	switch {
	case len(p.Proposals) > 0:
		fmt.Fprint(w, "<ol>")
		for i, x := range p.Proposals[:min(firstProposals, len(p.Proposals))] {
			w.put("step", x.Do(i+1), x.Text)
		}
		fmt.Fprint(w, "</ol>\n")
	case !p.Advised:
		w.put("ask")
	case lost > 0:
		w.put("mend")
	case p.cut() > 0:
		w.put("look", p.cut())
	case follow.Named > 0 && follow.Known == 0:
		w.put("watch")
	case len(p.Experiments) == 0 && follow.Known >= 20:
		w.put("try")
	default:
		w.put("go on")
	}
	for i := range min(firstRegressions, lost) {
		r := p.Again.Regressions[i]
		w.put("lost", r.Skill, len(r.Prompts), r.Cause)
	}
	if lost > firstRegressions {
		w.put("all lost", lost)
	}
}

// cut returns the number of prompts that got no suggestion because of session_chars or the deadline.
func (p *Page) cut() (n int) {
	for _, c := range p.Stats.ByReason {
		if slices.Contains([]gate.Reason{gate.Budget, gate.Deadline, gate.LateInput}, gate.Reason(c.Name)) {
			n += c.Count
		}
	}
	return n
}

// writeChanges writes the sections on regressions, experiments, the replay, proposals and applied proposals.
func (p *Page) writeChanges(w writer) {
	if p.Again != nil && len(p.Again.Regressions) > firstRegressions {
		w.put("regressions")
		for _, r := range p.Again.Regressions {
			w.put("regression", r.Skill, len(r.Prompts), r.Cause)
		}
		w.put("table end")
	}
	if len(p.Experiments) > 0 {
		w.put("experiments")
		for _, x := range p.Experiments {
			when, t := p.date(x.Plan.Started), &x.Test
			if x.Plan.Ended != nil {
				when += " – " + p.date(*x.Plan.Ended)
			}
			w.put("experiment", when, x.Plan.Sentence(x.Test, p.Say), pointsPlot(t.Difference, t.Low, t.High).svg())
		}
		w.put("section end")
	}
	if r := p.Replayed; r != nil && r.Prompts > 0 {
		better, worse := moved(*r)
		plot := effectPlot(*r, max(better, worse)).svg()
		if plot != "" {
			plot = w.text("moved", plot)
		}
		w.put("replayed", r.Prompts, r.Caught, r.Lost, r.Spared, r.Bothers, r.Other, plot)
	}
	if len(p.Proposals) > 0 {
		w.put("proposals")
		most := 1
		for _, x := range p.Proposals {
			if x.Effect != nil {
				better, worse := moved(x.Effect.HeldOut)
				most = max(most, better, worse)
			}
		}
		for i, x := range p.Proposals {
			effect, plot := markup(""), markup("")
			if x.Effect != nil {
				e := x.Effect.HeldOut
				effect = w.text("effect", e.Prompts, e.Caught, e.Lost, e.Spared, e.Bothers)
				plot = effectPlot(e, most).svg()
			}
			w.put("proposal", x.Do(i+1), x.Text, x.Evidence, x.Risk, effect, plot)
		}
		fmt.Fprint(w, "</ol>")
		w.put("section end")
	}
	if len(p.Applied) > 0 {
		w.put("applied")
		for _, x := range p.Applied {
			w.put("applied one", x.Date, x.Text)
		}
		w.put("table end")
	}
}

func rate(r *outcome.Rate) string {
	if r == nil {
		return "–"
	}
	return fmt.Sprintf("%.0f%% (%.0f–%.0f)", 100*r.Value, 100*r.Low, 100*r.High)
}

func (p *Page) writeCounts(w writer) {
	var unreadable markup
	if n := p.Stats.Unreadable; n > 0 {
		unreadable = w.text("unreadable", n)
	}
	w.put("languages")
	for _, c := range p.Stats.ByLang {
		w.put("count", c.Name, c.Count)
	}
	w.put("verdicts", unreadable)
	for _, list := range [][]store.Count{p.Stats.ByVerdict, p.Stats.ByReason} {
		for _, c := range list {
			w.put("count", c.Name, c.Count)
		}
	}
}

func (p *Page) writeSkills(w writer) {
	table := func(name string, n int, rows func()) {
		if n == 0 {
			w.put("none")
			return
		}
		w.put(name + " head")
		rows()
		w.put("table end")
	}
	w.put("skills")
	table("skills", len(p.Stats.Skills), func() {
		for _, s := range p.Stats.Skills {
			value := -1.0 // sorts before all shares
			if s.Rate != nil {
				value = s.Rate.Value
			}
			w.put("skill", s.Name, s.Named, s.Known, s.Followed, value, rate(s.Rate), s.Missed)
		}
	})
	var kept markup
	if k := p.Stats.Kept; k.Terms+k.Gone > 0 {
		kept = w.text("kept", k.Prompts, k.Terms, k.Gone)
	}
	w.put("misses", kept)
	table("misses", len(p.Misses), func() {
		for _, m := range p.Misses {
			w.put("miss", m.Time, m.Skill, m.Prompt, m.Verdict)
		}
	})
}

// markup is HTML that fprintf does not escape.
type markup string

// fprintf is like fmt.Fprintf, but formats every argument except numbers and markup as escaped text. The result is safe
// in text and quoted attributes, but not in URLs, styles or scripts. It ignores errors, because out keeps them.
func fprintf(out io.Writer, format string, args ...any) {
	for i, arg := range args {
		switch arg.(type) {
		case markup, int, float64:
		default:
			args[i] = html.EscapeString(fmt.Sprint(arg))
		}
	}
	fmt.Fprintf(out, format, args...)
}

func sprintf(format string, args ...any) markup {
	var b strings.Builder
	fprintf(&b, format, args...)
	return markup(b.String())
}
