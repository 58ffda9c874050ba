package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/skillgate/skillgate/gate/journal/store"
)

// Charts are 600 units wide; their text is numbers and dates only.
const (
	chartWidth  = 600.0
	chartHeight = 140.0
	chartFoot   = 20.0
)

// dayChart draws a bar a day, the part that named a skill in front.
func dayChart(days []store.Day) template.HTML {
	most := 1
	for _, d := range days {
		most = max(most, d.Decisions)
	}
	var b strings.Builder
	chart(&b, func() {
		step := chartWidth / float64(max(len(days), 1))
		for i, d := range days {
			x := float64(i) * step
			column(&b, "a", x, step, float64(d.Decisions)/float64(most), fmt.Sprintf("%s: %d, %d", d.Date, d.Decisions, d.Injected))
			column(&b, "b", x, step, float64(d.Injected)/float64(most), fmt.Sprintf("%s: %d, %d", d.Date, d.Decisions, d.Injected))
		}
		if len(days) > 0 {
			label(&b, 0, "start", days[0].Date)
			label(&b, chartWidth, "end", days[len(days)-1].Date)
		}
	})
	return template.HTML(b.String())
}

// bucketChart draws a histogram and a line at a threshold.
func bucketChart(buckets []store.Bucket, threshold float64) template.HTML {
	most, end := 1, 0.0
	for _, k := range buckets {
		most, end = max(most, k.Count), k.To
	}
	var b strings.Builder
	chart(&b, func() {
		step := chartWidth / float64(max(len(buckets), 1))
		for i, k := range buckets {
			column(&b, "b", float64(i)*step, step, float64(k.Count)/float64(most), fmt.Sprintf("%g to %g: %d", k.From, k.To, k.Count))
		}
		if end > 0 {
			x := min(threshold/end, 1) * chartWidth
			fmt.Fprintf(&b, `<line class="mark" x1="%.1f" x2="%.1f" y1="0" y2="%.0f"/>`, x, x, chartHeight)
			label(&b, 0, "start", "0")
			label(&b, chartWidth, "end", fmt.Sprintf("%g", end))
		}
	})
	return template.HTML(b.String())
}

func chart(b *strings.Builder, draw func()) {
	fmt.Fprintf(b, `<svg viewBox="0 0 %.0f %.0f" role="img">`, chartWidth, chartHeight+chartFoot)
	draw()
	b.WriteString("</svg>")
}

func column(b *strings.Builder, class string, x, step, share float64, title string) {
	h := share * chartHeight
	fmt.Fprintf(b, `<rect class="%s" x="%.2f" y="%.2f" width="%.2f" height="%.2f"><title>%s</title></rect>`,
		class, x+step*0.05, chartHeight-h, step*0.9, h, template.HTMLEscapeString(title))
}

func label(b *strings.Builder, x float64, anchor, text string) {
	fmt.Fprintf(b, `<text x="%.0f" y="%.0f" text-anchor="%s">%s</text>`, x, chartHeight+chartFoot-5, anchor, template.HTMLEscapeString(text))
}
