package report

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/advise"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/history"
	"github.com/skillgate/skillgate/gate/internal/markup"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
)

// Charts are 600 units wide; what is written under them is HTML, whose size a narrow page leaves as it is.
const (
	chartWidth  = 600.0
	chartHeight = 140.0
	widest      = 28.0 // of a day's bar
	widestWeek  = 60.0
)

// mostGap is how many empty days or weeks in a row are drawn, before a chart is broken there: a clock may be years off.
const mostGap = 31

// filled puts empty days or weeks where some are missing, so that a chart shows the time without prompts: one where
// more than mostGap are.
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

// dayChart draws a bar a day, the part that named a skill in front.
func dayChart(days []store.Day) markup.Text {
	empty := func(t time.Time) store.Day { return store.Day{Date: t.Format(time.DateOnly)} }
	return barChart(filled(days, dateOf, 1, empty), 1, widest)
}

func dateOf(d store.Day) time.Time {
	t, _ := time.Parse(time.DateOnly, d.Date)
	return t
}

// barChart draws bars of so many days each, and a line where time is left out.
func barChart(bars []store.Day, days int, widest float64) markup.Text {
	most := 1
	for _, d := range bars {
		most = max(most, d.Decisions)
	}
	step := min(chartWidth/float64(max(len(bars), 1)), widest)
	between := fmt.Sprintf("↑ %d", most)
	for i := range bars {
		if gap := leftOut(bars, i, days); gap != "" {
			between += " ┆ " + gap
		}
	}
	return chart(func(b *strings.Builder) {
		for i, d := range bars {
			x := float64(i) * step
			if gap := leftOut(bars, i, days); gap != "" {
				fmt.Fprintf(b, `<line class="break" x1="%[1]f" x2="%[1]f" y1="0" y2="%[2]f"><title>%[3]s</title></line>`,
					x+step/2, chartHeight, gap)
				continue
			}
			column(b, "a", x, step, float64(d.Decisions)/float64(most), fmt.Sprintf("%s: %d, %d", d.Date,
				d.Decisions, d.Injected))
			column(b, "b", x, step, float64(d.Injected)/float64(most), fmt.Sprintf("%s: %d, %d", d.Date, d.Decisions,
				d.Injected))
		}
	}, float64(len(bars))*step, dates(bars, between)...)
}

// leftOut is the time for which the bar at i stands, where the next one does not follow on it; "" where it does.
func leftOut(bars []store.Day, i, days int) string {
	if i+1 == len(bars) || !dateOf(bars[i]).AddDate(0, 0, days).Before(dateOf(bars[i+1])) {
		return ""
	}
	return bars[i].Date + " … " + dateOf(bars[i+1]).AddDate(0, 0, -1).Format(time.DateOnly)
}

// dates are the first and the last of some days, with what stands between them.
func dates(days []store.Day, between string) []string {
	switch len(days) {
	case 0:
		return nil
	case 1:
		return []string{days[0].Date, between}
	}
	return []string{days[0].Date, between, days[len(days)-1].Date}
}

// weekChart draws a bar a week of prompts, those with a hint in front.
func weekChart(weeks []history.Week) markup.Text { return barChart(daysOf(weeks), 7, widestWeek) }

func daysOf(weeks []history.Week) []store.Day {
	days := make([]store.Day, len(weeks))
	for i, w := range weeks {
		days[i] = store.Day{Date: w.From.Format(time.DateOnly), Decisions: w.Prompts, Injected: w.Hints.Named}
	}
	return days
}

// skillChart draws a skill's weeks on the scale of all weeks: how often it was named, in front how often it was used,
// and in the colour of warnings how often without being named. It is "" where the skill has no week.
func skillChart(list []history.SkillWeek, weeks []history.Week) markup.Text {
	if len(list) == 0 || len(weeks) == 0 {
		return ""
	}
	most, at := 1, map[int64]int{}
	for _, w := range list {
		most = max(most, w.Named+w.Missed)
	}
	for i, w := range weeks {
		at[w.From.Unix()] = i
	}
	const height = 24.0
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="spark" viewBox="0 0 %d %.0f" role="img">`, 8*len(weeks), height)
	for _, w := range list {
		x, y := 8*at[w.From.Unix()], height
		fmt.Fprintf(&b, `<g><title>%s: %d, %d, %d</title>`, w.From.Format(time.DateOnly), w.Named, w.Used, w.Missed)
		for _, part := range []struct {
			class string
			n     int
		}{{"b", w.Used - w.Missed}, {"a", w.Named - (w.Used - w.Missed)}, {"bad", w.Missed}} {
			h := height * float64(part.n) / float64(most)
			y -= h
			fmt.Fprintf(&b, `<rect class="%s" x="%d" y="%.1f" width="7" height="%.1f"/>`, part.class, x, y, h)
		}
		b.WriteString("</g>")
	}
	b.WriteString("</svg>")
	return markup.Text(b.String())
}

// followChart draws each week's follow rate with its interval.
func followChart(weeks []history.Week) markup.Text {
	tallies := make([]outcome.Tally, len(weeks))
	for i := range weeks {
		tallies[i] = weeks[i].Hints
	}
	days := daysOf(weeks)
	return rateChart(tallies, func(i int) string { return days[i].Date }, dates(days, "0 … 100 %"))
}

// placeChart draws the follow rate of the first, the second and each further skill of an answer.
func placeChart(places []outcome.Tally) markup.Text {
	under := []string{"1", "0 … 100 %", fmt.Sprint(len(places))}
	if len(places) < 2 {
		under = under[:2]
	}
	return rateChart(places, func(i int) string { return fmt.Sprint(i + 1) }, under)
}

// rateChart draws rates from 0 to 1 with their intervals; name says what each is of.
func rateChart(tallies []outcome.Tally, name func(i int) string, under []string) markup.Text {
	step := min(chartWidth/float64(max(len(tallies), 1)), widestWeek)
	used := float64(len(tallies)) * step
	return chart(func(b *strings.Builder) {
		for _, share := range []float64{0, 0.5, 1} {
			y := chartHeight * (1 - share)
			fmt.Fprintf(b, `<line class="grid" x1="0" x2="%.0f" y1="%.1f" y2="%.1f"/>`, used, y, y)
		}
		for i, t := range tallies {
			r := t.Rate
			if r == nil {
				continue
			}
			x := (float64(i) + 0.5) * step
			fmt.Fprintf(b,
				`<g><title>%s: %.0f %% (%.0f to %.0f), %d of %d</title>`+
					`<line class="whisker" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`+
					`<circle class="b" cx="%.1f" cy="%.1f" r="5"/></g>`,
				name(i), 100*r.Value, 100*r.Low, 100*r.High, r.Hits, r.N,
				x, x, chartHeight*(1-r.Low), chartHeight*(1-r.High), x, chartHeight*(1-r.Value))
		}
	}, used, under...)
}

// plotWidth is that of plots of one value, which stand in narrow places.
const plotWidth = 320.0

// intervalPlot draws a value with its interval on a scale, and a line at each mark; write
// writes the numbers of the scale.
func intervalPlot(value, low, high, from, to float64, write string, marks ...float64) markup.Text {
	at := func(v float64) float64 { return 24 + (min(max(v, from), to)-from)/(to-from)*(plotWidth-48) }
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg class="plot" viewBox="0 0 %.0f 50" role="img"><line class="grid" x1="24" x2="%.0f" y1="18" y2="18"/>`,
		plotWidth, plotWidth-24)
	for _, mark := range marks {
		fmt.Fprintf(&b, `<line class="mark" x1="%.1f" x2="%.1f" y1="4" y2="32"/>`, at(mark), at(mark))
	}
	fmt.Fprintf(&b,
		`<line class="whisker" x1="%.1f" x2="%.1f" y1="18" y2="18"/><circle class="b" cx="%.1f" cy="18" r="6"/>`,
		at(low), at(high), at(value))
	for _, v := range []float64{from, (from + to) / 2, to} {
		text := fmt.Sprintf(write, 100*v)
		if v == 0 {
			text = strings.TrimPrefix(text, "+")
		}
		fmt.Fprintf(&b, `<text x="%.1f" y="48" text-anchor="middle">%s</text>`, at(v), text)
	}
	b.WriteString("</svg>")
	return markup.Text(b.String())
}

// differencePlot draws what an experiment found, in points.
func differencePlot(t *experiment.Test) markup.Text { return pointsPlot(t.Difference, t.Low, t.High) }

// pointsPlot draws a difference of shares with its interval, in points.
func pointsPlot(difference, low, high float64) markup.Text {
	end := 1.0
	for _, e := range []float64{0.5, 0.3, 0.2, 0.1} {
		if e >= max(math.Abs(low), math.Abs(high)) {
			end = e
		}
	}
	return intervalPlot(difference, low, high, -end, end, "%+.0f", 0)
}

// moved are how many prompts become better, and how many worse.
func moved(p advise.Part) (better, worse int) { return p.Caught + p.Spared, p.Lost + p.Bothers }

// effectPlot draws what a proposal does to prompts: better to the right, on a scale that ends at most of them on
// either side; nothing where there is nothing to draw.
func effectPlot(p advise.Part, most int) markup.Text {
	if p.Caught+p.Spared+p.Lost+p.Bothers == 0 {
		return ""
	}
	up, down := moved(p)
	scale := (chartWidth/2 - 10) / float64(most)
	better, worse := float64(up)*scale, float64(down)*scale
	return markup.Sprintf(`<svg class="effect" viewBox="0 0 %.0f 26" role="img">`+
		`<title>%d caught, %d spared, %d lost, %d needless</title>`+
		`<rect class="bad" x="%.1f" y="4" width="%.1f" height="16"/>`+
		`<rect class="b" x="%.1f" y="4" width="%.1f" height="16"/>`+
		`<line class="grid" x1="%.0f" x2="%.0f" y1="0" y2="26"/></svg>`,
		chartWidth, p.Caught, p.Spared, p.Lost, p.Bothers,
		chartWidth/2-worse, worse, chartWidth/2, better, chartWidth/2, chartWidth/2)
}

// bucketChart draws a histogram and a line at a threshold, where there is one.
func bucketChart(buckets []store.Bucket, threshold float64) markup.Text {
	most, end := 1, 0.0
	for _, k := range buckets {
		most, end = max(most, k.Count), k.To
	}
	var under []string
	if end > 0 {
		under = []string{"0", fmt.Sprintf("↑ %d", most), fmt.Sprintf("%g", end)}
	}
	return chart(func(b *strings.Builder) {
		step := chartWidth / float64(max(len(buckets), 1))
		for i, k := range buckets {
			column(b, "b", float64(i)*step, step, float64(k.Count)/float64(most), fmt.Sprintf("%g to %g: %d", k.From,
				k.To, k.Count))
		}
		if end > 0 && threshold > 0 {
			x := min(threshold/end, 1) * chartWidth
			fmt.Fprintf(b, `<line class="mark" x1="%.1f" x2="%.1f" y1="0" y2="%.0f"/>`, x, x, chartHeight)
		}
	}, chartWidth, under...)
}

// chart is a chart with what stands under the part of its width that is used.
func chart(draw func(*strings.Builder), used float64, under ...string) markup.Text {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %.0f %.0f" role="img">`, chartWidth, chartHeight)
	draw(&b)
	fmt.Fprintf(&b, `</svg><div class="axis" style="width:%.0f%%">`, 100*used/chartWidth)
	for _, text := range under {
		markup.Fprintf(&b, "<span>%s</span>", text)
	}
	b.WriteString("</div>")
	return markup.Text(b.String())
}

func column(b *strings.Builder, class string, x, step, share float64, title string) {
	h := share * chartHeight
	markup.Fprintf(b, `<rect class="%s" x="%.2f" y="%.2f" width="%.2f" height="%.2f"><title>%s</title></rect>`,
		class, x+step*0.05, chartHeight-h, step*0.9, h, title)
}
