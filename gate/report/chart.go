package report

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/advise"
	"github.com/skillgate/skillgate/gate/replay"
)

// drawing is an SVG image with a caption. The caption is HTML, so that its font size does not shrink on a narrow page.
type drawing struct {
	Class         string
	Width, Height float64
	Shapes        []shape
	Under         []string
}

// shape is one of: a rectangle at X, Y of size W, H; a line from X, Y to W, H; a circle around X, Y with radius W; a
// text at X, Y.
type shape struct {
	Tag, Class, Text string // Text is the content of a text, and the tooltip of other shapes
	X, Y, W, H       float64
}

const (
	chartWidth  = 600.0
	chartHeight = 140.0
	leastWeeks  = 10    // minimum number of weeks on the horizontal axis, so that bars stay narrow
	plotWidth   = 320.0 // width of an intervalPlot or effectPlot
)

// mostGap is the maximum number of consecutive empty weeks to draw. A longer gap, which may come from a wrong clock, is
// drawn as a break.
const mostGap = 31

// filled returns list with empty weeks added in the gaps: one week for a gap longer than mostGap, otherwise all.
func filled(list []replay.Week) []replay.Week {
	var out []replay.Week
	for i, x := range list {
		if i > 0 {
			from := list[i-1].From.AddDate(0, 0, 7)
			long := from.AddDate(0, 0, 7*mostGap).Before(x.From)
			for week := from; week.Before(x.From); week = week.AddDate(0, 0, 7) {
				out = append(out, replay.Week{From: week})
				if long {
					break
				}
			}
		}
		out = append(out, x)
	}
	return out
}

// weekChart draws one bar per week, the newest last, and a dashed line for a long gap.
func (p *Page) weekChart() *drawing {
	most := 1
	for _, w := range p.Weeks {
		most = max(most, w.Prompts)
	}
	free := max(0, leastWeeks-len(p.Weeks))
	step := chartWidth / float64(free+len(p.Weeks))
	d := &drawing{Width: chartWidth, Height: chartHeight}
	d.add("line", "grid", "", 0, chartHeight, chartWidth, chartHeight)
	between := fmt.Sprintf("max %d", most)
	for i, w := range p.Weeks {
		from := w.From.Format(time.DateOnly)
		x, title := float64(free+i)*step, fmt.Sprintf("%s: %d prompts, %d with a suggestion", from, w.Prompts, w.Hints.Named)
		if i+1 < len(p.Weeks) && w.From.AddDate(0, 0, 7).Before(p.Weeks[i+1].From) {
			gap := from + " … " + p.Weeks[i+1].From.AddDate(0, 0, -1).Format(time.DateOnly)
			between += " ┆ " + gap
			d.add("line", "break", gap, x+step/2, 0, x+step/2, chartHeight)
			continue
		}
		d.column("a", x, step, float64(w.Prompts)/float64(most), title)
		d.column("b", x, step, float64(w.Hints.Named)/float64(most), title)
	}
	d.Under = p.dates(between)
	return d
}

// dates returns the captions below a chart of weeks: the first day, between, and the last day.
func (p *Page) dates(between string) []string {
	if len(p.Weeks) == 0 {
		return nil
	}
	first := p.Weeks[0].From.AddDate(0, 0, -7*max(0, leastWeeks-len(p.Weeks)))
	return []string{first.Format(time.DateOnly), between, p.Weeks[len(p.Weeks)-1].From.Format(time.DateOnly)}
}

func (p *Page) followChart() *drawing {
	free := max(0, leastWeeks-len(p.Weeks))
	step := chartWidth / float64(free+len(p.Weeks))
	d := &drawing{Width: chartWidth, Height: chartHeight, Under: p.dates("")}
	for _, y := range []float64{chartHeight, chartHeight / 2, 0} {
		d.add("line", "grid", "", 0, y, chartWidth, y)
	}
	for i, w := range p.Weeks {
		if r := w.Hints.Rate; r != nil {
			title := fmt.Sprintf("%s: %.0f %% (%.0f to %.0f), %d of %d finished turns", w.From.Format(time.DateOnly),
				100*r.Value, 100*r.Low, 100*r.High, r.Hits, r.N)
			x := (float64(free+i) + 0.5) * step
			d.add("line", "whisker", title, x, chartHeight*(1-r.Low), x, chartHeight*(1-r.High))
			d.add("circle", "b", title, x, chartHeight*(1-r.Value), 5, 0)
		}
	}
	return d
}

// intervalPlot draws value with its interval on a scale with the bounds from and to, and a line at each mark. format
// formats the numbers of the scale as percentages.
func intervalPlot(value, low, high, from, to float64, format string, marks ...float64) *drawing {
	at := func(v float64) float64 { return 24 + (min(max(v, from), to)-from)/(to-from)*(plotWidth-48) }
	d := &drawing{Class: "plot", Width: plotWidth, Height: 50}
	d.add("line", "grid", "", 24, 18, plotWidth-24, 18)
	for _, mark := range marks {
		d.add("line", "mark", "", at(mark), 4, at(mark), 32)
	}
	d.add("line", "whisker", "", at(low), 18, at(high), 18)
	d.add("circle", "b", "", at(value), 18, 6, 0)
	for _, v := range []float64{from, (from + to) / 2, to} {
		text := fmt.Sprintf(format, 100*v)
		if v == 0 {
			text = strings.TrimPrefix(text, "+")
		}
		d.add("text", "", text, at(v), 48, 0, 0)
	}
	return d
}

func pointsPlot(difference, low, high float64) *drawing {
	end := 1.0
	for _, e := range []float64{0.5, 0.3, 0.2, 0.1} {
		if e >= max(math.Abs(low), math.Abs(high)) {
			end = e
		}
	}
	return intervalPlot(difference, low, high, -end, end, "%+.0f", 0)
}

func moved(p advise.Part) (better, worse int) { return p.Caught + p.Spared, p.Lost + p.Bothers }

// effectPlot draws improved prompts to the right and worsened ones to the left, on a scale of 0 to most. It returns nil
// if no prompt improved or worsened.
func effectPlot(p advise.Part, most int) *drawing {
	up, down := moved(p)
	if up+down == 0 {
		return nil
	}
	const half = chartWidth / 2
	scale := (half - 10) / float64(most)
	title := fmt.Sprintf("better: %d prompts now get the skill that was used, and %d lose an unused suggestion; "+
		"worse: %d lose the skill that was used, and %d get an unused suggestion", p.Caught, p.Spared, p.Lost, p.Bothers)
	d := &drawing{Class: "effect", Width: chartWidth, Height: 26}
	d.add("rect", "bad", title, half-float64(down)*scale, 4, float64(down)*scale, 16)
	d.add("rect", "b", title, half, 4, float64(up)*scale, 16)
	d.add("line", "grid", "", half, 0, half, 26)
	return d
}

func (d *drawing) add(tag, class, text string, x, y, w, h float64) {
	d.Shapes = append(d.Shapes, shape{tag, class, text, x, y, w, h})
}

func (d *drawing) column(class string, x, step, share float64, title string) {
	h := share * chartHeight
	d.add("rect", class, title, x+step*0.05, chartHeight-h, step*0.9, h)
}

func (d *drawing) svg() markup {
	if d == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="%s" viewBox="0 0 %g %g" role="img">`, d.Class, d.Width, d.Height)
	for _, s := range d.Shapes {
		format := map[string]string{
			"rect":   `<rect class="%[1]s" x="%.1[2]f" y="%.1[3]f" width="%.1[4]f" height="%.1[5]f">%[6]s</rect>`,
			"line":   `<line class="%[1]s" x1="%.1[2]f" x2="%.1[4]f" y1="%.1[3]f" y2="%.1[5]f">%[6]s</line>`,
			"circle": `<circle class="%[1]s" cx="%.1[2]f" cy="%.1[3]f" r="%[4]g">%[6]s</circle>`,
			"text":   `<text x="%.1[2]f" y="%[3]g" text-anchor="middle">%[6]s</text>`,
		}[s.Tag]
		text := sprintf("%s", s.Text)
		if s.Tag != "text" && s.Text != "" {
			text = "<title>" + text + "</title>"
		}
		fmt.Fprintf(&b, format, s.Class, s.X, s.Y, s.W, s.H, text)
	}
	b.WriteString("</svg>")
	if len(d.Under) > 0 {
		fmt.Fprintf(&b, `<div class="axis %s">`, d.Class)
		for _, text := range d.Under {
			fprintf(&b, "<span>%s</span>", text)
		}
		b.WriteString("</div>")
	}
	return markup(b.String())
}
