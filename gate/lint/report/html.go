package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/cells"
	"github.com/skillgate/skillgate/gate/lint"
)

//go:embed report.html
var page string

// pageTemplate is parsed when a report is written.
func pageTemplate() (*template.Template, error) {
	return template.New("report").Funcs(template.FuncMap{
		"lower":   strings.ToLower,
		"number":  number,
		"plural":  Plural,
		"hundred": func(share float64) string { return fmt.Sprintf("%.0f", 100*share) },
		"percent": func(n, of int) string { return fmt.Sprintf("%.1f", 100*float64(n)/float64(max(1, of))) },
		"where":   func(p lint.Place) string { return strings.TrimSuffix(where(p), ": ") },
		"before":  func(p lint.Place) string { a, _, _ := split(p); return a },
		"marked":  func(p lint.Place) string { _, b, _ := split(p); return b },
		"after":   func(p lint.Place) string { _, _, c := split(p); return c },
	}).Parse(page)
}

// htmlData is what report.html shows.
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
	d := htmlData{Made: made.UTC().Format("2006-01-02 15:04 UTC"), Counts: Counts(res.Summary, known), Summary: res.Summary}
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
		var ids []string
		for id := range rules {
			ids = append(ids, id)
		}
		sort.Strings(ids)
		one.Rules = strings.Join(ids, " ")
		d.Skills = append(d.Skills, one)
	}
	sort.SliceStable(d.Skills, func(i, j int) bool {
		a, b := &d.Skills[i], &d.Skills[j]
		if a.Score.First != b.Score.First {
			return a.Score.First < b.Score.First
		}
		return a.Findings > b.Findings
	})
	t, err := pageTemplate()
	if err != nil {
		return err
	}
	return t.Execute(out, d)
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

// split cuts a place's line into what stands before, in and behind its mark.
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
