package main

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/gate/cells"
	"github.com/skillgate/skillgate/gate/journal/store"
)

//go:embed report.html
var reportPage string

func newReportCommand(e *env) *cobra.Command {
	var f filterFlags
	var output, lang string
	var force bool
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Write a dashboard of past decisions as one HTML file",
		Long: `report writes what "skillgate stats" counts, and more, as a page that needs no
network: decisions by day, scores and need with their thresholds, times, follow
rates, misses, collisions, skills that nothing ever named. It is in English and
Korean, light and dark, and its tables can be sorted. It holds prompts as they
were logged: think before sharing it.`,
		Example: "  skillgate report --output report.html\n  skillgate report --since 30d > report.html",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := oneOf("page-lang", lang, []string{"en", "ko"}); err != nil {
				return err
			}
			filter, err := f.filter(e)
			if err != nil {
				return err
			}
			data, err := e.reportData(cmd.Context(), filter, lang)
			if err != nil {
				return err
			}
			if output == "" {
				return data.write(e.stdout)
			}
			if _, err := os.Lstat(e.absolute(output)); err == nil && !force {
				err = fmt.Errorf("%s: %w", output, fs.ErrExist)
				return &exitError{code: 3, err: err, hint: "--output makes a new file; --force writes over an old one"}
			}
			if err := e.writeShared(output, data.write); err != nil {
				return err
			}
			fmt.Fprintf(e.stderr, "skillgate: %d decisions in %s\n", data.Stats.Decisions, output)
			return nil
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&output, "output", "", "write to a new `FILE` instead of standard output")
	cmd.Flags().BoolVar(&force, "force", false, "write over --output")
	cmd.Flags().StringVar(&lang, "page-lang", "", "language in which the page opens, en or ko (default: that of LANG)")
	return cmd
}

// reportData is what the page shows.
type reportData struct {
	Lang              string
	Span, SpanKo      string
	Stats             store.Stats
	ScoreMin, NeedMin float64
	Days              template.HTML
	Scores, Needs     template.HTML
	Skills            []skillRow
	Misses            []missRow
	Collisions        []collision
}

// skillRow is what came of one skill.
type skillRow struct {
	Name                           string
	Named, Known, Followed, Missed int
	Rate                           float64 // Followed of Known; -1 where that is 0
}

type missRow struct{ Time, Skill, Prompt, Verdict string }

type collision struct {
	A, B  string
	Count int
}

const (
	mostMisses     = 500  // rows of the page
	mostCollisions = 200  //
	collisionShare = 0.95 // of the first one's score: as close as what the model is told "close to the previous one"
)

func (e *env) reportData(ctx context.Context, filter store.Filter, lang string) (*reportData, error) {
	d, s, err := e.placesAndSettings()
	if err != nil {
		return nil, err
	}
	db, err := e.openJournal(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	r := &reportData{Lang: lang, ScoreMin: s.ScoreMin, NeedMin: s.NeedMin}
	if lang == "" {
		r.Lang = "en"
		if strings.HasPrefix(e.getenv("LC_ALL")+e.getenv("LANG"), "ko") {
			r.Lang = "ko"
		}
	}
	zone := e.now().Location()
	r.Stats, err = db.Stats(ctx, filter, store.StatsOptions{Catalog: e.installedSkills(ctx, d, s), Zone: zone})
	if err == nil {
		err = r.collect(ctx, db, filter, zone)
	}
	if err != nil {
		return nil, journalError(err, db.Dir())
	}
	if r.Stats.Decisions == 0 {
		return nil, &exitError{code: 3, err: errors.New("no decision to report"), hint: "the filters may leave none; `skillgate log` shows what was logged"}
	}
	first, last := r.Stats.First.In(zone).Format(time.DateOnly), r.Stats.Last.In(zone).Format(time.DateOnly)
	r.Span = fmt.Sprintf("%s to %s, made %s", first, last, e.now().Format("2006-01-02 15:04"))
	r.SpanKo = fmt.Sprintf("%s ~ %s, 작성 %s", first, last, e.now().Format("2006-01-02 15:04"))
	r.Days, r.Scores, r.Needs = dayChart(r.Stats.PerDay), bucketChart(r.Stats.Score, r.ScoreMin), bucketChart(r.Stats.Need, r.NeedMin)
	return r, nil
}

// collect counts by skill what stats does not.
func (r *reportData) collect(ctx context.Context, db *store.DB, filter store.Filter, zone *time.Location) error {
	skills := map[string]*skillRow{}
	row := func(name string) *skillRow {
		if skills[name] == nil {
			skills[name] = &skillRow{Name: name, Rate: -1}
		}
		return skills[name]
	}
	pairs := map[[2]string]int{}
	err := db.Each(ctx, filter, func(entry store.Entry) error {
		list := entry.Decision.Candidates
		for _, c := range list {
			if !c.Injected {
				continue
			}
			s := row(c.Name)
			s.Named++
			used, known := false, false
			for _, o := range entry.Outcomes {
				known = known || o.Success
				used = used || o.Success && store.SameUse(c.Name, c.Path, o.Skill, o.Path)
			}
			if known {
				s.Known++
			}
			if used {
				s.Followed++
			}
		}
		if len(list) > 1 && list[0].Injected && list[0].Score > 0 && list[0].Step == list[1].Step && list[1].Score >= collisionShare*list[0].Score {
			pair := []string{list[0].Name, list[1].Name}
			slices.Sort(pair)
			pairs[[2]string{pair[0], pair[1]}]++
		}
		for _, name := range entry.Missed {
			row(name).Missed++
			r.Misses = append(r.Misses, missRow{entry.Time.In(zone).Format("2006-01-02 15:04"), name, cells.Clip(visible(promptText(entry)), 100), string(entry.Decision.Verdict)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, s := range skills {
		if s.Known > 0 {
			s.Rate = float64(s.Followed) / float64(s.Known)
		}
		r.Skills = append(r.Skills, *s)
	}
	slices.SortFunc(r.Skills, func(a, b skillRow) int { return cmp.Or(cmp.Compare(b.Named, a.Named), cmp.Compare(a.Name, b.Name)) })
	for p, n := range pairs {
		r.Collisions = append(r.Collisions, collision{p[0], p[1], n})
	}
	slices.SortFunc(r.Collisions, func(a, b collision) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	r.Collisions = r.Collisions[:min(len(r.Collisions), mostCollisions)]
	slices.Reverse(r.Misses) // the newest first
	r.Misses = r.Misses[:min(len(r.Misses), mostMisses)]
	return nil
}

func (r *reportData) write(w io.Writer) error {
	t, err := template.New("report").Funcs(template.FuncMap{
		"t":       func(en, ko string) []string { return []string{en, ko} },
		"percent": percent,
		"ms":      func(v float64) string { return fmt.Sprintf("%.1f", v) },
	}).Parse(reportPage)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	if err := t.Execute(out, r); err != nil {
		return err
	}
	return out.Flush()
}

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
