package lint

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/gate/secret"
)

// Options selects the skills and rules to check.
type Options struct {
	Severity map[string]Severity // by rule ID; missing rules keep their default
	Only     map[string]bool     // IDs of the skills and other files to check; nil means all
	Whole    bool                // run the rules on the whole library even if Only is set
	Rules    map[string]bool     // IDs of the rules to check; nil means all
	Unknown  []string            // IDs in the settings that no rule has
	Keep     func(*Finding) bool // reports whether a finding counts; nil keeps all
}

// OptionsFor returns the options for the severities in rules, by rule ID, and for a run with the rules in only. If only
// is nil, all rules run. A rule in only runs even if rules turns it off. OptionsFor fails if a severity or a rule in
// only is unknown.
func OptionsFor(rules map[string]string, only []string) (Options, error) {
	o := Options{Severity: map[string]Severity{}}
	for _, id := range sortedNames(rules) {
		r := Find(id)
		if r == nil {
			o.Unknown = append(o.Unknown, id)
			continue
		}
		v, err := ParseSeverity(rules[id])
		if err != nil {
			return Options{}, fmt.Errorf("lint.rules: %s: %w", id, err)
		}
		o.Severity[r.ID] = v
	}
	for _, id := range only {
		r, err := ByID(id)
		if err != nil {
			return o, err
		}
		if o.Rules == nil {
			o.Rules = map[string]bool{}
		}
		o.Rules[r.ID] = true
		if o.Severity[r.ID] == Off {
			delete(o.Severity, r.ID)
		}
	}
	return o, nil
}

// Finding is one reported problem.
type Finding struct {
	Rule     string   `json:"rule"`
	Title    string   `json:"title"`
	Severity Severity `json:"severity"`
	Skill    string   `json:"skill,omitempty"` // ID of the skill; "" for a finding about the library
	source.Place
	Text        string  `json:"message"`
	Hint        string  `json:"hint,omitempty"`
	Fixable     bool    `json:"fixable"`
	Fingerprint string  `json:"fingerprint"` // depends on the line's text but not on its position
	Fix         *Change `json:"fix,omitempty"`
	cause       string  // the same in findings with the same cause
	copied      string  // the same in copies of a skill
}

// Result holds the findings of Run and the results of each skill.
type Result struct {
	Skills   []SkillResult  `json:"skills"`
	Findings []Finding      `json:"findings"`
	Summary  Summary        `json:"summary"`
	Rules    map[string]int `json:"rules"` // number of findings per rule
}

// SkillResult holds the results of one skill.
type SkillResult struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Path     string  `json:"path"`
	Findings int     `json:"findings"`
	Errors   int     `json:"errors"`
	Warnings int     `json:"warnings"`
	Score    Score   `json:"score"`
	Risk     float64 `json:"risk"` // probability of harm, 0 to 1
}

// Run checks a library with the rules of All.
func Run(l *Library, o Options) *Result { return run(l, o, All) }

func run(l *Library, o Options, rules []*Rule) *Result {
	active := slices.DeleteFunc(slices.Clone(rules), func(r *Rule) bool {
		return o.severity(r) == Off || o.Rules != nil && !o.Rules[r.ID] || l.Alone && r.NeedsAll
	})
	l.rules = map[string]bool{}
	for _, r := range rules {
		l.rules[r.ID] = true
	}
	per, risk := make([][]Finding, len(l.Skills)), make([]float64, len(l.Skills))
	parallel(len(l.Skills), func(i int) {
		s := l.Skills[i]
		if o.Only == nil || o.Only[s.ID] {
			per[i], risk[i] = checkSkill(l, s, active, o)
		}
	})
	res := &Result{Findings: []Finding{}, Skills: []SkillResult{}, Rules: map[string]int{}}
	for i, s := range l.Skills {
		if o.Only != nil && !o.Only[s.ID] {
			continue
		}
		res.Skills = append(res.Skills, SkillResult{ID: s.ID, Name: strings.Clone(s.Name), Path: s.Src.Path,
			Risk: math.Round(100*risk[i]) / 100})
		res.Findings = append(res.Findings, per[i]...)
	}
	for _, r := range active {
		if r.Whole != nil && (o.Only == nil || o.Whole) {
			r.Whole(l, func(p Problem) { res.Findings = append(res.Findings, finding(r, o, nil, p)) })
		}
	}
	parts := make([][]Finding, len(l.parts))
	parallel(len(l.parts), func(i int) {
		if o.Only == nil || o.Only[l.parts[i].ID] {
			parts[i], _ = checkSkill(l, l.parts[i], active, o)
		}
	})
	res.Findings = append(res.Findings, slices.Concat(parts...)...)
	sumUp(l, res)
	res.Findings = slices.DeleteFunc(res.Findings, func(f Finding) bool { return o.Keep != nil && !o.Keep(&f) })
	res.lowerRepeats()
	res.count()
	return res
}

// lowerRepeats makes remarks of warnings that have the cause of an earlier one or that a copy of the skill has, too.
// The earlier one says how many they are. Findings in hidden folders such as .codex, which hold copies, come last.
func (r *Result) lowerRepeats() {
	first, more := map[string]*Finding{}, map[*Finding]int{}
	for _, hidden := range []bool{false, true} {
		for i := range r.Findings {
			f := &r.Findings[i]
			if f.Severity != Warning || strings.Contains("/"+f.Path, "/.") != hidden {
				continue
			}
			at := cmp.Or(first[f.cause], first[f.copied], f)
			if first[f.cause], first[f.copied] = at, at; at != f {
				f.Severity = Info
				more[at]++
			}
		}
	}
	for f, n := range more {
		f.Text += fmt.Sprintf("; remarks with the same cause: %d", n)
		if Find(f.Rule).Choice && n+1 >= manyHave && 2*(n+1) > len(r.Skills) {
			f.Severity = Info
		}
	}
}

const manyHave = 10 // minimum number of findings for Choice; fewer skills may share a mistake by accident

func (r *Result) count() {
	r.Rules = map[string]int{}
	r.Summary.Errors, r.Summary.Warnings, r.Summary.Infos = 0, 0, 0
	at := map[string]*SkillResult{}
	for i := range r.Skills {
		sr := &r.Skills[i]
		sr.Findings, sr.Errors, sr.Warnings = 0, 0, 0
		at[sr.ID] = sr
	}
	for _, f := range r.Findings {
		r.Rules[f.Rule]++
		sr := at[f.Skill]
		if sr == nil {
			sr = &SkillResult{} // findings about the library belong to no skill
		}
		sr.Findings++
		switch f.Severity {
		case Error:
			r.Summary.Errors++
			sr.Errors++
		case Warning:
			r.Summary.Warnings++
			sr.Warnings++
		case Info:
			r.Summary.Infos++
		}
	}
}

func (o Options) severity(r *Rule) Severity {
	if v, ok := o.Severity[r.ID]; ok {
		return v
	}
	return r.Severity
}

func checkSkill(l *Library, s *Skill, rules []*Rule, o Options) (out []Finding, risk float64) {
	harm := harm{}
	seen := map[string]int{}
	for _, r := range rules {
		if s.Err != nil && r.ID != Unreadable ||
			s.part != "" && r.Danger == nil && !strings.Contains(partRules[r.ID], s.part) {
			continue
		}
		report := func(p Problem) {
			harm.add(r, p)
			if s.ignored(r.ID, p.At) {
				return
			}
			f := finding(r, o, s, p)
			// Number equal lines so that their fingerprints differ.
			seen[f.Fingerprint]++
			if n := seen[f.Fingerprint]; n > 1 {
				f.Fingerprint = hash(f.Fingerprint, fmt.Sprint(n))
			}
			out = append(out, f)
		}
		switch {
		case r.Check != nil:
			r.Check(s, report)
		case r.Within != nil:
			r.Within(l, s, report)
		case r.Danger != nil:
			s.danger(l, r, report)
		}
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col),
			cmp.Compare(a.Rule, b.Rule))
	})
	s.text = nil
	return out, harm.chance()
}

func finding(r *Rule, o Options, s *Skill, p Problem) Finding {
	f := Finding{
		Rule: r.ID, Title: r.Text().Title, Severity: o.severity(r), Place: p.At,
		Text: secret.Redact(source.Printable(p.Text, maxText)), Hint: secret.Redact(source.Printable(p.Hint, maxText)),
	}
	_, set := o.Severity[r.ID]
	if !set && p.Severity != Off {
		f.Severity = p.Severity
	}
	at := p.At.Path
	if s != nil && Below(s.Path, s.top) { // the folders above a collection do not count
		at = s.Path[len(s.top):] + strings.TrimPrefix(at, path.Dir(s.Src.Path))
	}
	f.Excerpt = strings.Clone(secret.Redact(f.Excerpt)) // a substring would keep the whole file in memory
	hidden := strings.Contains(expr("hostFolder").ReplaceAllString(path.Dir("/"+at)+"/", "/"), "/.")
	if !set && r.Group() != "safety" && (expr("retired").MatchString(at) || hidden) ||
		s != nil && r.Group() == "format" && s.forCopying() ||
		s != nil && s.part == pagePart && strings.HasSuffix(path.Dir(s.Src.Path), "skills") && r.Group() != "safety" {
		f.Severity = min(f.Severity, Info) // hosts load none of these files
	}
	if p.Fix != nil && s != nil {
		f.Fix = s.change(p.Fix)
		f.Fixable = f.Fix != nil
	}
	f.Hint = cmp.Or(f.Hint, r.Text().Advice)
	f.copied = hash(r.ID, f.Path, fmt.Sprint(f.Line, f.Col), f.Text)
	if s != nil && s.part == "" {
		f.Skill = s.ID
		f.copied = hash(r.ID, path.Base(s.Folder)+strings.TrimPrefix(f.Path, path.Dir(s.Src.Path)), f.Text, f.Excerpt)
	}
	if f.cause = f.copied; p.Cause != "" || words("sameTextRules")[r.ID] {
		f.cause = hash(r.ID, cmp.Or(p.Cause, p.Text))
	}
	f.Fingerprint = hash(r.ID, f.Skill, p.At.Path, cmp.Or(strings.Join(strings.Fields(p.At.Excerpt), " "), p.Text))
	return f
}

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

const maxText = 600 // maximum length of a message in characters

// Above returns the number of findings of severity min or higher.
func (r *Result) Above(min Severity) int {
	return count(r.Findings, func(f Finding) bool { return f.Severity >= min })
}
