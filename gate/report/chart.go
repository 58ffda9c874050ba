package report

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/advise"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/replay"
)

// drawing is an SVG, and the text under it. The text is HTML, whose size a narrow page does not change.
type drawing struct {
	Class         string
	Width, Height float64
	Shapes        []shape
	Under         []string
}

// shape is a rectangle at X, Y of the size W, H; a line from X, Y to W, H; a circle around X, Y with the radius W; or
// a text at X, Y.
type shape struct {
	Tag, Class, Text string // Text is a tooltip, except for a text
	X, Y, W, H       float64
}

const (
	chartWidth  = 600.0
	chartHeight = 140.0
	leastDays   = 21 // that a chart has room for, so that a few days are no broad bars
	leastWeeks  = 10
	plotWidth   = 320.0 // of plots of one value, which are in narrow places
)

// mostGap is how many empty days or weeks in a row are drawn, before a chart is broken there: a clock may be years off.
const mostGap = 31

// filled adds the empty days or weeks that are missing, so that a chart shows the time without prompts. Of more than
// mostGap in a row it adds one.
func filled[T any](list []T, at func(T) time.Time, days int, empty func(time.Time) T) []T {
	var out []T
	for i, x := range list {
		if i > 0 {
			from, to := at(list[i-1]).AddDate(0, 0, days), at(x)
			long := from.AddDate(0, 0, days*mostGap).Before(to)
			for day := from; day.Before(to); day = day.AddDate(0, 0, days) {
				out = append(out, empty(day))
				if long {
					break
				}
			}
		}
		out = append(out, x)
	}
	return out
}

func (p *Page) dayChart() *drawing {
	empty := func(t time.Time) store.Day { return store.Day{Date: t.Format(time.DateOnly)} }
	return barChart(filled(p.Stats.PerDay, dateOf, 1, empty), 1, leastDays)
}

func dateOf(d store.Day) time.Time {
	t, _ := time.Parse(time.DateOnly, d.Date)
	return t
}

func (p *Page) weekChart() *drawing { return barChart(daysOf(p.Weeks), 7, leastWeeks) }

func daysOf(weeks []replay.Week) []store.Day {
	days := make([]store.Day, len(weeks))
	for i, w := range weeks {
		days[i] = store.Day{Date: w.From.Format(time.DateOnly), Decisions: w.Prompts, Injected: w.Hints.Named}
	}
	return days
}

// barChart draws bars that stand for that many days each, and a line where time is left out. Of at least that many
// bars the newest is at the end.
func barChart(bars []store.Day, days, least int) *drawing {
	most := 1
	for _, d := range bars {
		most = max(most, d.Decisions)
	}
	free := max(0, least-len(bars))
	step := chartWidth / float64(free+len(bars))
	d := &drawing{Width: chartWidth, Height: chartHeight}
	d.add("line", "grid", "", 0, chartHeight, chartWidth, chartHeight)
	between := fmt.Sprintf("max %d", most)
	for i, bar := range bars {
		x, title := float64(free+i)*step, fmt.Sprintf("%s: %d, %d", bar.Date, bar.Decisions, bar.Injected)
		if i+1 < len(bars) && dateOf(bar).AddDate(0, 0, days).Before(dateOf(bars[i+1])) {
			gap := bar.Date + " … " + dateOf(bars[i+1]).AddDate(0, 0, -1).Format(time.DateOnly)
			between += " ┆ " + gap
			d.add("line", "break", gap, x+step/2, 0, x+step/2, chartHeight)
			continue
		}
		d.column("a", x, step, float64(bar.Decisions)/float64(most), title)
		d.column("b", x, step, float64(bar.Injected)/float64(most), title)
	}
	d.Under = dates(bars, -free*days, between)
	return d
}

func dates(bars []store.Day, days int, between string) []string {
	if len(bars) == 0 {
		return nil
	}
	return []string{dateOf(bars[0]).AddDate(0, 0, days).Format(time.DateOnly), between, bars[len(bars)-1].Date}
}

// skillChart draws a skill's weeks on the scale of all weeks: how often it was named, in front how often it was used,
// and in the colour of warnings how often without being named. It is nil if the skill has no week.
func (p *Page) skillChart(name string) *drawing {
	list := p.Skills[name]
	if len(list) == 0 || len(p.Weeks) == 0 {
		return nil
	}
	most, at := 1, map[int64]int{}
	for _, w := range list {
		most = max(most, w.Named+w.Missed)
	}
	for i, w := range p.Weeks {
		at[w.From.Unix()] = i
	}
	d := &drawing{Class: "spark", Width: float64(8 * len(p.Weeks)), Height: 24}
	for _, w := range list {
		title := fmt.Sprintf("%s: %d, %d, %d", w.From.Format(time.DateOnly), w.Named, w.Used, w.Missed)
		y, used := d.Height, w.Used-w.Missed
		for i, n := range []int{used, w.Named - used, w.Missed} {
			h := d.Height * float64(n) / float64(most)
			y -= h
			d.add("rect", []string{"b", "a", "bad"}[i], title, float64(8*at[w.From.Unix()]), y, 7, h)
		}
	}
	return d
}

func (p *Page) followChart() *drawing {
	days, tallies := daysOf(p.Weeks), make([]outcome.Tally, len(p.Weeks))
	for i := range p.Weeks {
		tallies[i] = p.Weeks[i].Hints
	}
	free := max(0, leastWeeks-len(days))
	return rateChart(tallies, free, func(i int) string { return days[i].Date }, dates(days, -7*free, "")...)
}

func placeChart(places []outcome.Tally) *drawing {
	place := func(i int) string { return fmt.Sprint(i + 1) }
	var under []string
	for i := range places {
		under = append(under, place(i))
	}
	d := rateChart(places, 0, place, under...)
	d.Class = "each"
	return d
}

// rateChart draws rates from 0 to 1 with their intervals, behind room for free others; name returns the name of the
// i-th.
func rateChart(tallies []outcome.Tally, free int, name func(i int) string, under ...string) *drawing {
	step := chartWidth / float64(max(free+len(tallies), 1))
	d := &drawing{Width: chartWidth, Height: chartHeight, Under: under}
	for _, y := range []float64{chartHeight, chartHeight / 2, 0} {
		d.add("line", "grid", "", 0, y, chartWidth, y)
	}
	for i, t := range tallies {
		if r := t.Rate; r != nil {
			title := fmt.Sprintf("%s: %.0f %% (%.0f to %.0f), %d of %d", name(i), 100*r.Value, 100*r.Low, 100*r.High,
				r.Hits, r.N)
			x := (float64(free+i) + 0.5) * step
			d.add("line", "whisker", title, x, chartHeight*(1-r.Low), x, chartHeight*(1-r.High))
			d.add("circle", "b", title, x, chartHeight*(1-r.Value), 5, 0)
		}
	}
	return d
}

// intervalPlot draws a value with its interval on a scale, and a line at each mark; format is that of the numbers of
// the scale, in hundredths.
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

// effectPlot draws better prompts to the right and worse ones to the left, on a scale that ends at most; it is nil if
// there are neither.
func effectPlot(p advise.Part, most int) *drawing {
	up, down := moved(p)
	if up+down == 0 {
		return nil
	}
	const half = chartWidth / 2
	scale := (half - 10) / float64(most)
	title := fmt.Sprintf("%d caught, %d spared, %d lost, %d needless", p.Caught, p.Spared, p.Lost, p.Bothers)
	d := &drawing{Class: "effect", Width: chartWidth, Height: 26}
	d.add("rect", "bad", title, half-float64(down)*scale, 4, float64(down)*scale, 16)
	d.add("rect", "b", title, half, 4, float64(up)*scale, 16)
	d.add("line", "grid", "", half, 0, half, 26)
	return d
}

func bucketChart(buckets []store.Bucket, threshold float64) *drawing {
	most, end := 1, 0.0
	for _, k := range buckets {
		most, end = max(most, k.Count), k.To
	}
	d := &drawing{Width: chartWidth, Height: chartHeight}
	if end > 0 {
		d.Under = []string{"0", fmt.Sprintf("max %d", most), fmt.Sprintf("%g", end)}
	}
	step := chartWidth / float64(max(len(buckets), 1))
	for i, k := range buckets {
		d.column("b", float64(i)*step, step, float64(k.Count)/float64(most), fmt.Sprintf("%g to %g: %d", k.From, k.To,
			k.Count))
	}
	if end > 0 && threshold > 0 {
		x := min(threshold/end, 1) * chartWidth
		d.add("line", "mark", "", x, 0, x, chartHeight)
	}
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
