package report

import (
	"bufio"
	"cmp"
	_ "embed"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/cells"
	"github.com/skillgate/skillgate/gate/internal/markup"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/plural"
)

// page is the style and the script, with a mark where the body comes.
//
//go:embed report.html
var page string

// htmlData is what the page shows.
type htmlData struct {
	Made    string
	Counts  string
	Folder  string // that holds all the skills
	Summary lint.Summary
	Grades  []gradeBar
	Rules   []ruleCount
	Skills  []htmlSkill
	Library []lint.Finding
}

type gradeBar struct {
	Grade string
	N     int
}

type ruleCount struct {
	ID string
	*lint.Text
	Level lint.Severity
	N     int
}

type htmlSkill struct {
	lint.SkillResult
	Place string // its file below Folder, "" where its name says it
	Infos int
	List  []lint.Finding
	Rules string
	Worst lint.Severity
}

// HTML writes a result as one page: the grades of the library, the rules that
// were broken, and every skill with its findings, worst first, to be searched,
// filtered, ordered and printed. It loads nothing. made is when.
func HTML(out io.Writer, res *lint.Result, known int, made time.Time) error {
	d := htmlData{Made: made.UTC().Format("2006-01-02 15:04 UTC"), Counts: Counts(res.Summary, known),
		Summary: res.Summary}
	for _, g := range lint.Grades {
		d.Grades = append(d.Grades, gradeBar{g, res.Summary.Grades[g]})
	}
	by := map[string][]lint.Finding{}
	levels := map[string]lint.Severity{}
	for _, f := range res.Findings {
		levels[f.Rule] = f.Severity
		if f.Skill == "" {
			d.Library = append(d.Library, f)
			continue
		}
		by[f.Skill] = append(by[f.Skill], f)
	}
	for _, r := range lint.All {
		if n := res.Rules[r.ID]; n > 0 {
			d.Rules = append(d.Rules, ruleCount{r.ID, r.Text(), levels[r.ID], n})
		}
	}
	d.Folder = commonFolder(res.Skills)
	for _, s := range res.Skills {
		one := htmlSkill{SkillResult: s, List: by[s.ID], Infos: s.Findings - s.Errors - s.Warnings}
		one.Place = strings.TrimPrefix(s.Path, d.Folder)
		if one.Place == s.Name+"/SKILL.md" {
			one.Place = ""
		}
		rules := map[string]bool{}
		for _, f := range one.List {
			rules[f.Rule] = true
			one.Worst = max(one.Worst, f.Severity)
		}
		one.Rules = strings.Join(slices.Sorted(maps.Keys(rules)), " ")
		d.Skills = append(d.Skills, one)
	}
	slices.SortStableFunc(d.Skills, func(a, b htmlSkill) int {
		return cmp.Or(cmp.Compare(a.Score.First, b.Score.First), cmp.Compare(b.Findings, a.Findings))
	})
	w := bufio.NewWriter(out)
	d.write(w)
	return w.Flush()
}

func (d *htmlData) write(w *bufio.Writer) {
	put := func(format string, args ...any) { markup.Fprintf(w, format, args...) }
	before, after, _ := strings.Cut(page, "<!-- body -->\n")
	put(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; `+
		`script-src 'unsafe-inline'">
<title>skillgate lint: %s</title>
%s<header><h1>skillgate lint</h1><span class="soft" id="counts">%s · %s`,
		d.Counts, markup.Text(before), d.Counts, d.Made)
	if d.Folder != "" {
		put(` · <span class="where">%s</span>`, d.Folder)
	}
	put("</span>\n"+`<nav><a href="#rules">rules</a><a href="#list">skills</a></nav></header>
<div class="tiles">
  <div class="tile"><b>%s</b>skills</div>
  <div class="tile"><b>%.0f %%</b>of requests are expected to find their skill first</div>
  <div class="tile"><b class="error">%s</b>errors</div>
  <div class="tile"><b class="warning">%s</b>warnings</div>
  <div class="tile"><b class="info">%s</b>remarks</div>
  <div class="tile"><b>%s</b>with a risk of 0.5 or more</div>
</div>
<div class="bar" role="img" aria-label="skills by grade">`, number(d.Summary.Skills), 100*d.Summary.Mean,
		number(d.Summary.Errors), number(d.Summary.Warnings), number(d.Summary.Infos), number(d.Summary.Risky))
	percent := func(n int) float64 { return 100 * float64(n) / float64(max(1, d.Summary.Skills)) }
	for _, g := range d.Grades {
		if g.N > 0 {
			put(`<span class="g%s" style="width:%.1f%%" title="%s: %d">`+
				`</span>`, strings.ToLower(g.Grade), percent(g.N), g.Grade, g.N)
		}
	}
	put("</div>\n" + `<div class="legend">`)
	for _, g := range d.Grades {
		put(`<button type="button" data-grade="%s" title="show these skills"><i class="dot g%s"></i>%s %s `+
			`(%.1f %%)</button>`,
			g.Grade, strings.ToLower(g.Grade), g.Grade, number(g.N), percent(g.N))
	}
	put("</div>\n")
	if len(d.Library) > 0 {
		put(`<h2>The library as a whole</h2><div class="library">` + "\n")
		for _, f := range d.Library {
			put(`<div class="finding"><p><span class="%s">%s</span> <b>%s</b> <a class="pill" href="#r-%s">%s</a>`+
				`</p><p>%s</p><p class="soft">%s</p></div>`,
				f.Severity, f.Severity, f.Title, f.Rule, f.Rule, f.Text, f.Hint)
		}
		put("</div>")
	}
	put("\n" + `<h2 id="rules">Rules broken <small>a number shows the skills</small></h2>
<div class="rules"><table><thead><tr><th><button type="button" data-by="id">rule</button></th>` +
		`<th>mistake</th><th class="wide">` +
		`<button type="button" data-by="level">severity</button></th><th class="n"><button type="button" ` +
		`data-by="n">findings</button></th></tr></thead><tbody>
`)
	for _, r := range d.Rules {
		put(`<tr id="r-%s" data-id="%s" data-level="%d" data-n="%d"><td><code class="%s">%s</code></td><td>`+
			`<details><summary>%s</summary>`+
			`<p class="soft">%s. <a href="%s" rel="noreferrer">source</a></p></details></td><td class="wide `+
			`%s">%s</td>`+
			`<td class="n"><button type="button" data-rule="%s">%s</button></td></tr>`+"\n",
			r.ID, r.ID, int(r.Level), r.N, r.Level, r.ID, r.Title, r.Why, r.See, r.Level, r.Level, r.ID, number(r.N))
	}
	if len(d.Rules) == 0 {
		put(`<tr><td colspan="4">none</td></tr>`)
	}
	put(`</tbody></table></div>
<h2 id="list">Skills <small>%s</small></h2>
<div class="tools">
  <input id="find" type="search" placeholder="name, path or text" aria-label="find">
  <select id="severity" aria-label="severity"><option value="0">every severity</option><option `+
		`value="1">with findings</option>`+
		`<option value="2">with warnings</option><option value="3">with errors</option></select>
  <select id="grade" aria-label="grade"><option value="">every grade</option>`, markup.Text(gradesMean))
	for _, g := range d.Grades {
		put(`<option value="%s">%s (%d)</option>`, g.Grade, g.Grade, g.N)
	}
	put("</select>\n" + `  <select id="rule" aria-label="rule"><option value="">every rule</option>`)
	for _, r := range d.Rules {
		put(`<option value="%s">%s %s (%d)</option>`, r.ID, r.ID, r.Title, r.N)
	}
	put("</select>\n" + `  <select id="sort" aria-label="order"><option value="score">lowest score first</option>` +
		`<option value="-score">highest score first</option><option value="-findings">most findings first</option>` +
		`<option value="-risk">highest risk first</option><option value="name">by name</option></select>
  <button type="button" id="all">open all</button>
  <span class="soft" id="shown"></span>
</div>
<div id="skills">
`)
	for i := range d.Skills {
		d.Skills[i].write(put, len(d.Skills) == 1)
	}
	put("</div>\n"+`<p class="soft" id="none" hidden>No skill is left. <button type="button" id="reset">`+
		`<u>show all</u></button></p>`+
		"\n%s", markup.Text(after))
}

const gradesMean = "the grade is a range of the share of requests that is estimated to find a skill first among " +
	"these: A from 70 %, B from 60 %, C below; F is a file that cannot be read. Of other people's prompts 73 in 100 " +
	"found their skill first at A, 58 at B and 45 at C. Each skill is searched for with its own triggers and clauses, " +
	"taken out of its text"

// write writes a skill, to be opened, or open.
func (s *htmlSkill) write(put func(format string, args ...any), open bool) {
	attr := ""
	if open {
		attr = " open"
	}
	put(`<details class="skill" data-worst="%d" data-grade="%s" data-score="%v" data-findings="%d" `+
		`data-risk="%v" data-rules="%s"%s>
<summary><span class="grade g%s">%s</span><span class="score" title="share of requests expected to find `+
		`it first">%.0f</span>`+
		`<span class="name">%s</span><span class="path where">%s</span>`,
		int(s.Worst), s.Score.Grade, s.Score.First, s.Findings, s.Risk, s.Rules, attr,
		strings.ToLower(s.Score.Grade), s.Score.Grade, 100*s.Score.First, s.Name, s.Place)
	if s.Risk != 0 {
		put(`<span class="pill">risk %v</span>`, s.Risk)
	}
	put(`<span class="found">`)
	for _, k := range []struct {
		n           int
		class, noun string
	}{{s.Errors, "error", "error"}, {s.Warnings, "warning", "warning"}, {s.Infos, "info", "remark"}} {
		if k.n > 0 {
			put(`<span class="%s">%s</span>`, k.class, plural.Of(k.n, k.noun))
		}
	}
	put("</span></summary>\n" + `<div class="inner"><div class="reasons">`)
	if c := s.Score; c.Requests+c.Given+c.Written > 0 {
		put(`<p>First for about %.0f %% of requests, among the first five for %.0f %% (%s); first for %d that were for `+
			`others.</p>`, 100*c.First, 100*c.Five, Evidence(c), c.Steals)
	}
	if len(s.Score.Reasons) > 0 {
		put("<ul>")
		for _, r := range s.Score.Reasons {
			put("<li>%s</li>", r)
		}
		put("</ul>")
	}
	put("</div>\n")
	for _, f := range s.List {
		put(`<div class="finding" data-rule="%s"><p><span class="%s">%s</span> <b>%s</b> <a class="pill" `+
			`href="#r-%s" title="%s">%s</a>`,
			f.Rule, f.Severity, f.Severity, f.Text, f.Rule, f.Title, f.Rule)
		if f.Fixable {
			put(` <span class="pill">lint fix</span>`)
		}
		put("</p>\n"+`<p class="where soft">%s</p>`, strings.TrimSuffix(where(f.Place), ": "))
		if f.Excerpt != "" {
			before, marked, after := split(f.Place)
			put("<pre>%s", before)
			if marked != "" {
				put("<mark>%s</mark>", marked)
			}
			put("%s</pre>", after)
		}
		put(`<p class="soft">%s</p></div>`+"\n", f.Hint)
	}
	if len(s.List) == 0 {
		put(`<p class="soft">No findings.</p>`)
	}
	put("</div></details>\n")
}

// commonFolder is the deepest folder that holds the files of all skills, with its
// slash; "" where there is none.
func commonFolder(skills []lint.SkillResult) string {
	if len(skills) < 2 {
		return ""
	}
	folder := skills[0].Path
	for _, s := range skills {
		for !strings.HasPrefix(s.Path, folder) {
			folder = folder[:strings.LastIndexByte(strings.TrimSuffix(folder, "/"), '/')+1]
		}
	}
	return folder[:strings.LastIndexByte(folder, '/')+1]
}

// number writes n with a comma between thousands.
func number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// split cuts a place's line into the parts before, inside and after its mark.
func split(p lint.Place) (before, marked, after string) {
	const around = 90
	runes := []rune(p.Excerpt)
	from, to := p.Col-1, p.EndCol-1
	if p.Col == 0 || from >= len(runes) {
		return cells.Clip(p.Excerpt, 2*around), "", ""
	}
	to = min(max(to, from), len(runes))
	start, end := max(0, from-around), min(len(runes), to+around)
	before, after = string(runes[start:from]), string(runes[to:end])
	if start > 0 {
		before = "…" + before
	}
	if end < len(runes) {
		after += "…"
	}
	return before, string(runes[from:to]), after
}
