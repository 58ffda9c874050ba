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
)

// Charts are 600 units wide; their text is numbers and dates only.
const (
	chartWidth  = 600.0
	chartHeight = 140.0
	chartFoot   = 20.0
	widest      = 28.0 // of a day's bar
	widestWeek  = 60.0
)

// dayChart draws a bar a day, the part that named a skill in front.
func dayChart(days []store.Day) markup.Text { return barChart(days, widest) }

func barChart(days []store.Day, widest float64) markup.Text {
	most := 1
	for _, d := range days {
		most = max(most, d.Decisions)
	}
	var b strings.Builder
	chart(&b, func() {
		step := min(chartWidth/float64(max(len(days), 1)), widest)
		for i, d := range days {
			x := float64(i) * step
			column(&b, "a", x, step, float64(d.Decisions)/float64(most), fmt.Sprintf("%s: %d, %d", d.Date,
				d.Decisions, d.Injected))
			column(&b, "b", x, step, float64(d.Injected)/float64(most), fmt.Sprintf("%s: %d, %d", d.Date, d.Decisions,
				d.Injected))
		}
		if len(days) > 0 {
			label(&b, 0, "start", days[0].Date)
			if len(days) > 1 {
				label(&b, max(float64(len(days))*step, 140), "end", days[len(days)-1].Date)
			}
		}
	})
	return markup.Text(b.String())
}

// weekChart draws a bar a week of prompts, those with a hint in front.
func weekChart(weeks []history.Week) markup.Text {
	days := make([]store.Day, len(weeks))
	for i, w := range weeks {
		days[i] = store.Day{Date: w.From.Format(time.DateOnly), Decisions: w.Prompts, Injected: w.Hints.Named}
	}
	return barChart(days, widestWeek)
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
	var b strings.Builder
	chart(&b, func() {
		step := min(chartWidth/float64(max(len(weeks), 1)), widestWeek)
		for _, share := range []float64{0, 0.5, 1} {
			y := chartHeight * (1 - share)
			fmt.Fprintf(&b, `<line class="grid" x1="0" x2="%.0f" y1="%.1f" y2="%.1f"/>`, chartWidth, y, y)
		}
		for i, w := range weeks {
			r := w.Hints.Rate
			if r == nil {
				continue
			}
			x := (float64(i) + 0.5) * step
			fmt.Fprintf(&b,
				`<g><title>%s: %.0f %% (%.0f to %.0f), %d of %d</title>`+
					`<line class="whisker" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`+
					`<circle class="b" cx="%.1f" cy="%.1f" r="5"/></g>`,
				w.From.Format(time.DateOnly), 100*r.Value, 100*r.Low, 100*r.High, r.Hits, r.N,
				x, x, chartHeight*(1-r.Low), chartHeight*(1-r.High), x, chartHeight*(1-r.Value))
		}
	})
	return markup.Text(b.String())
}

// plotWidth is that of plots of one value, which stand in narrow places.
const plotWidth = 320.0

// intervalPlot draws a value with its interval on a scale, and a line at mark; write
// writes the numbers of the scale.
func intervalPlot(value, low, high, from, to, mark float64, write string) markup.Text {
	at := func(v float64) float64 { return 24 + (min(max(v, from), to)-from)/(to-from)*(plotWidth-48) }
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg class="plot" viewBox="0 0 %.0f 50" role="img"><line class="grid" x1="24" x2="%.0f" y1="18" y2="18"/>`,
		plotWidth, plotWidth-24)
	fmt.Fprintf(&b, `<line class="mark" x1="%.1f" x2="%.1f" y1="4" y2="32"/>`, at(mark), at(mark))
	fmt.Fprintf(&b,
		`<line class="whisker" x1="%.1f" x2="%.1f" y1="18" y2="18"/><circle class="b" cx="%.1f" cy="18" r="6"/>`,
		at(low), at(high), at(value))
	for _, v := range []float64{from, (from + to) / 2, to} {
		fmt.Fprintf(&b, `<text x="%.1f" y="48" text-anchor="middle">`+write+`</text>`, at(v), 100*v)
	}
	b.WriteString("</svg>")
	return markup.Text(b.String())
}

// differencePlot draws what an experiment found, in points.
func differencePlot(t *experiment.Test) markup.Text {
	end := 1.0
	for _, e := range []float64{0.5, 0.3, 0.2, 0.1} {
		if e >= max(math.Abs(t.Low), math.Abs(t.High)) {
			end = e
		}
	}
	return intervalPlot(t.Difference, t.Low, t.High, -end, end, 0, "%+.0f")
}

// effectPlot draws what a proposal does to held-out prompts: better to the right; nothing where there is
// nothing to draw.
func effectPlot(p advise.Part) markup.Text {
	if p.Caught+p.Spared+p.Lost+p.Bothers == 0 {
		return ""
	}
	better, worse := float64(p.Caught+p.Spared), float64(p.Lost+p.Bothers)
	scale := (chartWidth/2 - 10) / max(better, worse, 1)
	return markup.Sprintf(`<svg class="effect" viewBox="0 0 %.0f 26" role="img">`+
		`<title>%d caught, %d spared, %d lost, %d needless</title>`+
		`<rect class="bad" x="%.1f" y="4" width="%.1f" height="16"/>`+
		`<rect class="b" x="%.1f" y="4" width="%.1f" height="16"/>`+
		`<line class="grid" x1="%.0f" x2="%.0f" y1="0" y2="26"/></svg>`,
		chartWidth, p.Caught, p.Spared, p.Lost, p.Bothers,
		chartWidth/2-worse*scale, worse*scale, chartWidth/2, better*scale, chartWidth/2, chartWidth/2)
}

// bucketChart draws a histogram and a line at a threshold.
func bucketChart(buckets []store.Bucket, threshold float64) markup.Text {
	most, end := 1, 0.0
	for _, k := range buckets {
		most, end = max(most, k.Count), k.To
	}
	var b strings.Builder
	chart(&b, func() {
		step := chartWidth / float64(max(len(buckets), 1))
		for i, k := range buckets {
			column(&b, "b", float64(i)*step, step, float64(k.Count)/float64(most), fmt.Sprintf("%g to %g: %d", k.From,
				k.To, k.Count))
		}
		if end > 0 {
			x := min(threshold/end, 1) * chartWidth
			fmt.Fprintf(&b, `<line class="mark" x1="%.1f" x2="%.1f" y1="0" y2="%.0f"/>`, x, x, chartHeight)
			label(&b, 0, "start", "0")
			label(&b, chartWidth, "end", fmt.Sprintf("%g", end))
		}
	})
	return markup.Text(b.String())
}

func chart(b *strings.Builder, draw func()) {
	fmt.Fprintf(b, `<svg viewBox="0 0 %.0f %.0f" role="img">`, chartWidth, chartHeight+chartFoot)
	draw()
	b.WriteString("</svg>")
}

func column(b *strings.Builder, class string, x, step, share float64, title string) {
	h := share * chartHeight
	markup.Fprintf(b, `<rect class="%s" x="%.2f" y="%.2f" width="%.2f" height="%.2f"><title>%s</title></rect>`,
		class, x+step*0.05, chartHeight-h, step*0.9, h, title)
}

func label(b *strings.Builder, x float64, anchor, text string) {
	markup.Fprintf(b, `<text x="%.0f" y="%.0f" text-anchor="%s">%s</text>`, x, chartHeight+chartFoot-5, anchor, text)
}
