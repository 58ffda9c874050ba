package lint

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/golden"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms"
)

func library(t testing.TB, e Example) *Library {
	t.Helper()
	dir := t.TempDir()
	for _, f := range e.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(f.Text), 0o600))
	}
	roots := []catalog.Root{catalog.LibraryRoot(dir)}
	if e.Installed {
		roots = []catalog.Root{
			{Path: dir, Source: catalog.Personal, Pool: catalog.Skill, Label: "personal"},
			{Path: filepath.Join(dir, "project"), Source: catalog.Project, Pool: catalog.Skill, Label: "project"},
		}
	}
	ctx := context.Background()
	display := func(p string) string {
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return p
		}
		return rel
	}
	skills, _ := Load(ctx, roots, display)
	l := NewLibrary(skills, []string{"en", "ko"})
	l.Collect(ctx, roots, display)
	l.Shadow()
	askRetriever(t, l)
	return l
}

func askRetriever(t testing.TB, l *Library) {
	t.Helper()
	ctx := context.Background()
	x, err := index.Memory(ctx, l.Entries(), synonyms.Default(), nil)
	require.NoError(t, err)
	r, err := findable.NewRetriever(index.Join(x), x.Dict)
	require.NoError(t, err)
	l.Measured, err = Measure(ctx, l, r, Measurement{Concurrent: true})
	require.NoError(t, err)
}

var ruleID = regexp.MustCompile(`^SG[1-6][0-9]{2}$`)

func TestRules(t *testing.T) {
	last := ""
	for _, r := range All {
		t.Run(r.ID, func(t *testing.T) {
			require.True(t, ruleID.MatchString(r.ID))
			assert.Greater(t, r.ID, last)
			last = r.ID
			for field, text := range map[string]string{"Title": r.Text().Title, "Why": r.Text().Why, "Advice": r.Text().Advice,
				"See": r.Text().See, "Since": r.Text().Since} {
				assert.NotEmpty(t, strings.TrimSpace(text), "%s is empty", field)
			}
			if !strings.HasPrefix(r.Text().See, "https://") {
				t.Errorf("See = %q, want an address", r.Text().See)
			}
			assert.NotEqual(t, Off, r.Severity, "severity is off, want info, warning or error")
			checks := 0
			for _, set := range []bool{r.Check != nil, r.Within != nil, r.Danger != nil} {
				if set {
					checks++
				}
			}
			assert.LessOrEqual(t, checks, 1)
			assert.True(t, checks == 1 || r.Whole != nil)
			if safety := r.Group() == "safety"; safety != (r.Danger != nil) || safety != (r.Risk > 0) {
				t.Errorf("safety is %v, with a check of dangers: %v, risk %v", safety, r.Danger != nil, r.Risk)
			}
			only := Options{Rules: map[string]bool{r.ID: true}}
			if got := Run(library(t, r.Text().Bad), only); len(got.Findings) == 0 {
				t.Errorf("Bad is not reported:\n%s", r.Text().Bad)
			}
			if got := Run(library(t, r.Text().Good), only); len(got.Findings) != 0 {
				t.Errorf("Good is reported: %s: %s\n%s", got.Findings[0].Place.Path, got.Findings[0].Text, r.Text().Good)
			}
		})
	}
}

// A rule that reports a skill on its own but not among its neighbours is wrong about single
// files and must set NeedsAll.
func TestRulesThatNeedAllSkills(t *testing.T) {
	for _, r := range All {
		t.Run(r.ID, func(t *testing.T) {
			only, wrong := Options{Rules: map[string]bool{r.ID: true}}, false
			for _, e := range []Example{r.Text().Good, r.Text().Bad} {
				l := library(t, e)
				among := map[string]bool{}
				for _, f := range Run(l, only).Findings {
					among[f.Skill+" "+f.Text] = true
				}
				for _, s := range l.Skills {
					alone := NewLibrary([]*Skill{s}, l.Languages)
					for _, f := range Run(alone, only).Findings {
						wrong = wrong || !among[f.Skill+" "+f.Text]
					}
				}
			}
			assert.Equal(t, r.NeedsAll, wrong)
		})
	}
}

func TestFixes(t *testing.T) {
	fixed := map[string]bool{}
	for _, r := range All {
		l := library(t, r.Text().Bad)
		res := Run(l, Options{Rules: map[string]bool{r.ID: true}})
		before := Run(l, Options{})
		for _, s := range l.Skills {
			var mine []Finding
			for _, f := range res.Findings {
				if f.Skill == s.ID && f.Fix != nil {
					mine = append(mine, f)
				}
			}
			if len(mine) == 0 {
				continue
			}
			fixed[r.ID] = true
			text, done := Apply(s.Src.Text, mine)
			assert.NotEmpty(t, done, "%s: Apply did nothing with %d fixes", r.ID, len(mine))
			after := library(t, file(s.Folder, text))
			if got := Run(after, Options{Rules: map[string]bool{r.ID: true}}); len(got.Findings) != 0 {
				t.Errorf("%s: after Apply: %s\n%s", r.ID, got.Findings[0].Text, text)
			}
			got := Run(after, Options{})
			assert.LessOrEqual(t, got.Above(Error), before.Above(Error), "%s: Apply brings new errors: %v", r.ID, got.Findings)
		}
	}
	for _, r := range All {
		assert.Equal(t, fixed[r.ID], r.Fixes, r.ID)
	}
}

// A rule that does not exist is an error on the command line, and a note if it is in the settings.
func TestUnknownRules(t *testing.T) {
	o, err := OptionsFor(map[string]string{"sg207": "off", "SG203": "error"}, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"sg207"}, o.Unknown)
	assert.Len(t, o.Severity, 1)
	_, err = OptionsFor(nil, []string{"SG207"})
	assert.ErrorContains(t, err, "unknown rule")
	marked := page("pdf", "Fills PDF forms. Use when a form is to be filled in.") + "<!-- skillgate-ignore SG203, SG999: as agreed -->\n"
	got := Run(library(t, file("pdf", marked)), Options{Rules: map[string]bool{"SG136": true}}).Findings
	require.Len(t, got, 1)
	assert.Equal(t, "the skillgate-ignore comment names the unknown rule SG999", got[0].Text)
}

func TestDocs(t *testing.T) { golden.Check(t, "RULES.md", []byte(docs())) }

const complaints = `
## What maintainers fix

| complaint | rule |
| --- | --- |
| SKILL.md under another name | SG137 |
| dead link | SG128, SG129 |
| same name twice | SG405, if one hides the other |
| lock file | SG144 |
| required skill that does not exist or that only the user may run | SG145, in a boundary SG305, in a design SG603 |
| limit of one host | SG104, SG105, SG126 |

These have no rule on purpose:

- A tool of an MCP server in allowed-tools: each user sets up servers, so a missing one is not a mistake of the skill.
- Programs and packages in metadata.requires: they differ from machine to machine.
- A skill with the name of a built-in skill: it replaces that skill, which is documented and often intended.
- Differences between skills-lock.json and the files: only the source at that time shows whether they are intended.
- A boundary without a counterpart: two skills that are never confused need none.
`

func docs() string {
	var b strings.Builder
	b.WriteString("# Rules of skillgate lint\n\n")
	b.WriteString("Written by `go test ./gate/lint -run TestDocs -update` from the rules themselves; `skillgate lint rules SG104` prints one of them.\n\n")
	b.WriteString("In the examples, {U+202E} stands for a character, {0xFF} for a byte, {500×text} for 500 copies of a text, and a file name\n" +
		"with {a,b} for two files, with {} replaced in both.\n\n")
	b.WriteString("The table has the highest severity of each rule. Where a mistake costs little, its finding is a remark (info): for\n" +
		"example a path in the text that nothing tells the reader to use, or a forced push in a script outside plugins and\n" +
		"skills. Files in a folder called archive, deprecated, vendor or plugin-templates have only remarks, except dangers, and\n" +
		"so have files in hidden folders that no host reads. A file, folder, skill or tool that is missing in many places is one\n" +
		"warning, which says how many remarks there are for the other places; copies of a skill have remarks, too. SG505 and\n" +
		"SG508 are errors in scripts and settings but warnings on pages, where they are more often samples.\n\n")
	b.WriteString("| id | severity | fix | mistake |\n| --- | --- | --- | --- |\n")
	for _, r := range All {
		fix := ""
		if r.Fixes {
			fix = "yes"
		}
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s | %s |\n", r.ID, strings.ToLower(r.ID), r.Severity, fix, r.Text().Title)
	}
	b.WriteString(complaints)
	group := ""
	for _, r := range All {
		x := r.Text()
		if r.Group() != group {
			group = r.Group()
			fmt.Fprintf(&b, "\n## %s%s\n", strings.ToUpper(group[:1]), group[1:])
		}
		fmt.Fprintf(&b, "\n### %s\n\n**%s.** %s.\n\n", r.ID, capitalised(x.Title), capitalised(strings.TrimSuffix(x.Why, ".")))
		fmt.Fprintf(&b, "What to do: %s. Severity %s, since %s, source: <%s>\n", strings.TrimSuffix(x.Advice, "."), r.Severity, x.Since, x.See)
		fmt.Fprintf(&b, "\nReported:\n\n~~~~text\n%s~~~~\n\nNot reported:\n\n~~~~text\n%s~~~~\n", x.Bad, x.Good)
	}
	return b.String()
}

// capitalised returns s with a capital at the start, unless s starts with the name of a file, key or program.
func capitalised(s string) string {
	for _, name := range []string{"intent.yaml", "disable-model-invocation", "skillgate-ignore", "skills-ref"} {
		if strings.HasPrefix(s, name) {
			return s
		}
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// A lock file with a thousand skills is read completely.
func TestLongLockFile(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"version": 1, "skills": {`)
	for i := range 2000 {
		fmt.Fprintf(&b, `"skill-%d": {"source": "owner/skills", "sourceType": "github", "computedHash": "%064x"},`, i, i)
	}
	b.WriteString(`"last": {"source": "owner/skills"}}}`)
	l := library(t, Example{Files: []ExampleFile{{"pdf/SKILL.md", "# PDF\n"}, {lockFile, b.String()}}})
	var got []string
	sg144.Whole(l, func(p Problem) { got = append(got, p.Text) })
	require.Greater(t, b.Len(), maxBeside)
	assert.Equal(t, []string{"the skill last has no sourceType"}, got)
}

// A file of another tool with the name of the lock file is reported once.
func TestForeignLockFile(t *testing.T) {
	lock := `{"version": 1, "skills": {"ai": {"agents": 21}, "data": {"tables": 9}}}`
	l := library(t, Example{Files: []ExampleFile{{"pdf/SKILL.md", "# PDF\n"}, {lockFile, lock}}})
	var got []string
	sg144.Whole(l, func(p Problem) { got = append(got, p.Text) })
	assert.Equal(t, []string{"no skill in the file has a source"}, got)
}
