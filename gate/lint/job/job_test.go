package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/triage"
)

type place struct {
	*testing.T
	home string
}

func newPlace(t *testing.T) *place { t.Helper(); return &place{t, t.TempDir()} }

func (p *place) write(file, text string) string {
	p.Helper()
	file = filepath.Join(p.home, file)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		p.Fatal(err)
	}
	return file
}

func (p *place) skill(folder, name, description string) string {
	p.Helper()
	if description != "" {
		description = "description: " + description + "\n"
	}
	return p.write(filepath.Join(folder, name, "SKILL.md"), "---\nname: "+name+"\n"+description+"---\n# "+name+"\n\n1. Begin.\n")
}

func (p *place) job() *Job {
	d := dirs.Dirs{Home: p.home, Config: filepath.Join(p.home, "config"), State: filepath.Join(p.home, "state"), Cache: filepath.Join(p.home, "cache"),
		Hosts: hooks.Places(p.home, func(string) string { return "" })}
	return &Job{
		Dirs: d, Cwd: p.home, Settings: gate.Default(), Options: lint.Options{Rules: map[string]bool{"SG106": true}},
		Open: workspace.Options{Dirs: d, Settings: gate.Default(), Now: time.Now}, Stdin: strings.NewReader(""), Now: time.Now,
		Display: func(file string) string {
			rel, err := filepath.Rel(p.home, file)
			if err != nil {
				return file
			}
			return rel
		},
		Usage: func(context.Context) map[string]lint.Usage { return nil },
	}
}

func found(res *lint.Result) []string {
	var out []string
	for _, f := range res.Findings {
		out = append(out, filepath.ToSlash(f.Path))
	}
	slices.Sort(out)
	return out
}

func TestWhatIsChecked(t *testing.T) {
	p := newPlace(t)
	p.skill("lib", "kettle", "")
	p.skill("lib", "mill", "Grinds coffee.")
	p.skill(".claude/skills", "oven", "")
	p.write("lib.jsonl", `{"id":"loom","name":"loom","description":"Weaves."}`+"\n")
	p.write("lib/kettle/notes.md", "# Notes\n")
	tests := []struct {
		name   string
		args   []string
		stdin  string
		change func(j *Job)
		want   []string
		skills int
		singly bool
	}{
		{"a folder of skills", []string{"lib"}, "", nil, []string{"lib/kettle/SKILL.md"}, 2, false},
		{"a folder and a library file", []string{"lib", "lib.jsonl"}, "", nil, []string{"lib/kettle/SKILL.md"}, 3, false},
		{"the installed skills", nil, "", nil, []string{".claude/skills/oven/SKILL.md"}, 1, false},
		{"a skill's folder", []string{"lib/kettle"}, "", nil, []string{"lib/kettle/SKILL.md"}, 1, true},
		{"its file", []string{filepath.Join(p.home, "lib", "kettle", "SKILL.md")}, "", nil, []string{"lib/kettle/SKILL.md"}, 1, true},
		{"two skills", []string{"lib/kettle", "lib/mill"}, "", nil, []string{"lib/kettle/SKILL.md"}, 2, true},
		{"an installed skill", []string{".claude/skills/oven"}, "", nil, []string{".claude/skills/oven/SKILL.md"}, 1, true},
		{"a text", []string{"-"}, "---\nname: x\n---\n# X\n", nil, []string{"<stdin>"}, 1, true},
		{"the new text of a file", []string{"-"}, "---\nname: mill\n---\n# Mill\n",
			func(j *Job) { j.StdinPath = "lib/mill/SKILL.md" }, []string{"lib/mill/SKILL.md"}, 1, true},
		{"the same without -", nil, "---\nname: kettle\ndescription: Boils.\n---\n", func(j *Job) { j.StdinPath = "lib/kettle/SKILL.md" }, nil, 1, true},
		{"a skill among a library", []string{"lib/kettle"}, "", func(j *Job) { j.Libraries = []string{"lib"} }, []string{"lib/kettle/SKILL.md"}, 1, true},
		{"nothing may be built", []string{"lib/kettle"}, "", func(j *Job) { j.Background = true }, []string{"lib/kettle/SKILL.md"}, 1, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := p.job()
			j.Stdin = strings.NewReader(tt.stdin)
			if tt.change != nil {
				tt.change(j)
			}
			res, err := j.Run(t.Context(), tt.args)
			require.NoError(t, err)
			if got := found(res); !slices.Equal(got, tt.want) || len(res.Skills) != tt.skills || j.Singly != tt.singly {
				t.Errorf("Run(%q) finds %q in %d skills, singly %v, want %q in %d", tt.args, got, len(res.Skills), j.Singly, tt.want, tt.skills)
			}
			assert.Equal(t, tt.stdin != "", j.FromStdin)
		})
	}
}

func TestWhatIsAround(t *testing.T) {
	p := newPlace(t)
	const text = "Estimates the tonnage of ferries."
	p.skill(".", "mine", text)
	p.skill("work/client", "secret", text)
	p.skill("shelf/skills", "one", text)
	p.skill("shelf/skills", "two", text)
	p.write("repo/.git/HEAD", "")
	p.skill("repo", "suite", text)
	p.skill("repo/suite", "part", text)
	p.skill("repo/other", "far", text)
	for _, tt := range []struct {
		path   string
		skills int
		around []string
	}{
		{"mine", 1, []string{"mine"}},
		{"shelf/skills/one", 1, []string{"one", "two"}},
		{"repo/suite", 2, []string{"far", "part", "suite"}},
	} {
		j := p.job()
		res, err := j.Run(t.Context(), []string{tt.path})
		require.NoError(t, err)
		var around []string
		for _, s := range j.Library.Skills {
			around = append(around, s.Name)
		}
		if slices.Sort(around); len(res.Skills) != tt.skills || !slices.Equal(around, tt.around) {
			t.Errorf("lint %s checks %d skills among %q, want %d among %q", tt.path, len(res.Skills), around, tt.skills, tt.around)
		}
	}
}

func TestWhatCannotBeChecked(t *testing.T) {
	p := newPlace(t)
	p.skill("lib", "kettle", "")
	p.write("notes.txt", "tea\n")
	p.write("bad.jsonl", "tea\n")
	require.NoError(t, os.Mkdir(filepath.Join(p.home, "empty"), 0o700))
	tests := []struct {
		name   string
		args   []string
		change func(j *Job)
		want   string
		path   bool // whether the error is a PathError
	}{
		{"nothing there", []string{"nowhere"}, nil, "nowhere: no such file", true},
		{"not a skill", []string{"notes.txt"}, nil, "notes.txt: must be a SKILL.md", true},
		{"a library and a skill", []string{"lib", "lib/kettle"}, nil, "give either single skills or folders of skills, not both", false},
		{"a folder without skills", []string{"empty"}, nil, "no skills", false},
		{"a damaged library file", []string{"bad.jsonl"}, nil, "bad.jsonl", false},
		{"a path beside the text", []string{"lib"}, func(j *Job) { j.StdinPath = "x" }, "the only path must be -", false},
		{"two libraries around", []string{"lib/kettle"}, func(j *Job) { j.Libraries = []string{"lib", "empty"} }, "with only one library", false},
		{"a library that is a file", []string{"lib/kettle"}, func(j *Job) { j.Libraries = []string{"notes.txt"} }, "not a folder of skills", false},
		{"an option as revision", []string{"lib"}, func(j *Job) { j.Changed = "--output=x" }, "not a git revision", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := p.job()
			if tt.change != nil {
				tt.change(j)
			}
			_, err := j.Run(t.Context(), tt.args)
			path := PathError{}
			if err == nil || !strings.Contains(err.Error(), tt.want) || errors.As(err, &path) != tt.path {
				t.Errorf("Run(%q) = %v, want %q, a PathError %v", tt.args, err, tt.want, tt.path)
			}
		})
	}
}

func TestCache(t *testing.T) {
	p := newPlace(t)
	file := p.skill("lib", "kettle", "")
	script := p.write("lib/kettle/scripts/boil.sh", "true\n")
	kept := func() []string {
		t.Helper()
		list, err := filepath.Glob(filepath.Join(p.home, "cache", "lint", "*.json"))
		require.NoError(t, err)
		return list
	}
	run := func(change func(j *Job)) int {
		t.Helper()
		j := p.job()
		if change != nil {
			change(j)
		}
		_, err := j.Run(t.Context(), []string{"lib"})
		require.NoError(t, err)
		return len(kept())
	}
	require.Equal(t, 1, run(nil))
	for name, change := range map[string]func(j *Job){
		"the same again": nil, "asked not to": func(j *Job) { j.NoCache = true; j.Options.Severity = map[string]lint.Severity{"SG106": lint.Info} },
		"for fixes": func(j *Job) { j.Fixes = true; j.Options.Severity = map[string]lint.Severity{"SG106": lint.Info} },
	} {
		assert.Equal(t, 1, run(change), name)
	}
	want := 1
	for _, step := range []struct {
		name   string
		change func(j *Job)
	}{
		{"a severity", func(j *Job) { j.Options.Severity = map[string]lint.Severity{"SG106": lint.Info} }},
		{"the journal", func(j *Job) {
			j.Usage = func(context.Context) map[string]lint.Usage { return map[string]lint.Usage{"kettle": {Named: 3}} }
		}},
		{"a script", func(*Job) {
			require.NoError(t, os.WriteFile(script, []byte("false; true\n"), 0o600))
		}},
		{"the skill", func(*Job) {
			require.NoError(t, os.WriteFile(file, []byte("---\nname: kettle\ndescription: Boils.\n---\n"), 0o600))
		}},
		{"the user's dictionary", func(*Job) { p.write("config/synonyms.yaml", "english: []\n") }},
	} {
		want++
		if n := run(step.change); n != want {
			t.Errorf("after a change of %s %d results are kept, want %d", step.name, n, want)
			want = n
		}
	}
	old := kept()[0]
	long := time.Now().Add(-2 * cacheAge)
	require.NoError(t, os.Chtimes(old, long, long))
	p.skill("lib", "mill", "Grinds.")
	run(nil)
	assert.NotContains(t, kept(), old, "a result that nobody asked for in four weeks is still kept")
	require.NoError(t, os.WriteFile(kept()[0], []byte("{"), 0o600))
	run(nil) // a damaged file is rebuilt
}

func TestCacheSeesOutside(t *testing.T) {
	p := newPlace(t)
	text := "Read [b](../../docs/b.md), then run the `deep-reader` agent.\n"
	p.write("lib/skills/kettle/SKILL.md", "---\nname: kettle\ndescription: Boils.\n---\n"+text)
	run := func() map[string]int {
		t.Helper()
		j := p.job()
		j.Options = lint.Options{}
		res, err := j.Run(t.Context(), []string{"lib"})
		require.NoError(t, err)
		return res.Rules
	}
	require.NoError(t, os.Mkdir(filepath.Join(p.home, "lib", ".git"), 0o755))
	require.Equal(t, 1, run()["SG129"])
	for _, step := range []struct {
		rule, path, good, bad string
	}{
		{"SG144", ".claude-plugin/plugin.json", "{\"name\": \"lib\"}", "{\"name\": \"lib\",}"},
		{"SG144", "hooks/hooks.json", "{\"hooks\": {}}", "{"},
		{"SG129", "docs/b.md", "# B\n", ""},
		{"SG145", "agents/other.md", "---\nname: deep-reader\n---\n", "---\nname: deep-writer\n---\n"},
		{"SG137", "skills/mill/skill.txt", "", "---\ndescription: Grinds.\n---\n"},
	} {
		file := filepath.Join(p.home, "lib", filepath.FromSlash(step.path))
		for range 2 {
			for _, text := range []string{step.bad, step.good} {
				if text == "" {
					require.NoError(t, os.RemoveAll(file))
				} else {
					p.write("lib/"+step.path, text)
				}
				if got := run()[step.rule] > 0; got != (text == step.bad) {
					t.Errorf("%s with %q: %s %v", step.path, text, step.rule, got)
				}
			}
		}
	}
}

func TestChanged(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	p := newPlace(t)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = p.home
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "git %v: %v\n%s", args, err, out)
	}
	names := func(since string) []string {
		t.Helper()
		j := p.job()
		j.Changed = since
		res, err := j.Run(t.Context(), []string{"lib"})
		require.NoError(t, err)
		var out []string
		for _, s := range res.Skills {
			out = append(out, s.Name)
		}
		slices.Sort(out)
		return out
	}
	p.skill("lib", "kettle", "")
	p.skill("lib", "mill", "")
	j := p.job()
	j.Changed = ChangedDefault
	_, err := j.Run(t.Context(), []string{"lib"})
	assert.ErrorIs(t, err, ErrNoRepository)
	git("init", "-q")
	assert.Equal(t, []string{"kettle", "mill"}, names(ChangedDefault))
	git("add", ".")
	git("commit", "-q", "-m", "first")
	assert.Empty(t, names(ChangedDefault))
	p.write("lib/mill/scripts/grind.sh", "true\n") // untracked
	assert.Equal(t, []string{"mill"}, names(ChangedDefault))
	git("add", ".")
	git("commit", "-q", "-m", "second")
	p.skill("lib", "kettle", "Boils.")
	assert.Equal(t, []string{"kettle", "mill"}, names("HEAD~1"))
	j = p.job()
	j.Changed = "nowhere"
	_, err = j.Run(t.Context(), []string{"lib"})
	assert.ErrorContains(t, err, "git diff")
}

// If the folder of a plugin is a skill, its manifest is checked too.
func TestPluginThatIsASkill(t *testing.T) {
	p := newPlace(t)
	p.write("mill/SKILL.md", "---\nname: mill\ndescription: Grinds coffee. Use when it is whole.\n---\n# Mill\n")
	p.write("mill/.claude-plugin/plugin.json", `{"skills": "./"}`)
	for arg, want := range map[string][]string{"mill": {"mill/.claude-plugin/plugin.json"}, "mill/SKILL.md": nil} {
		j := p.job()
		j.Options = lint.Options{Rules: map[string]bool{"SG144": true}}
		res, err := j.Run(t.Context(), []string{arg})
		require.NoError(t, err)
		assert.Equal(t, want, found(res), arg)
	}
}

// In a changed skill only findings about the changed lines are reported, and in others those that the change caused.
func TestChangedLines(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	p := newPlace(t)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = p.home
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "git %v: %v\n%s", args, err, out)
	}
	const head = "---\nname: 맷돌\ndescription: Grinds coffee. Use when it is whole.\n---\n# Mill\n\nSee [old](old.md).\n\n"
	p.write("lib/맷돌/SKILL.md", head)
	p.write("lib/kettle/SKILL.md", "---\nname: kettle\ndescription: Boils water. Use when it is cold.\n---\n# K\n\nSee [it](../cup/SKILL.md).\n")
	p.skill("lib", "cup", "Holds tea.")
	p.write("lib/hooks/start.js", "require(\"./gone\");\n")
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	for _, tt := range []struct {
		name, file, text string // an empty text removes the file
		want             []string
	}{
		{"a new line", "lib/맷돌/SKILL.md", head + "See [new](new.md).\n", []string{"SG128 9"}},
		{"another line", "lib/맷돌/SKILL.md", head + "Grind.\n", nil},
		{"the description", "lib/맷돌/SKILL.md", strings.Replace(head, "description", "descripton", 1), []string{"SG106 1", "SG114 3"}},
		{"what another skill names", "lib/cup/SKILL.md", "", []string{"SG129 7"}},
		{"a file of a plugin", "lib/hooks/stop.js", "require(\"./gone\");\n", []string{"SG128 1"}},
		{"an entry of a manifest", "lib/.claude-plugin/plugin.json", "{\n\"skills\": \"x\"}", []string{"SG144 0", "SG144 2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if p.write(tt.file, tt.text); tt.text == "" {
				git("rm", "-q", "-f", tt.file)
			}
			j := p.job()
			j.Changed, j.Options = ChangedDefault, lint.Options{Rules: map[string]bool{"SG106": true, "SG114": true, "SG128": true, "SG129": true,
				"SG144": true}}
			res, err := j.Run(t.Context(), []string{"lib"})
			require.NoError(t, err)
			var got []string
			for _, f := range res.Findings {
				got = append(got, fmt.Sprint(f.Rule, " ", f.Line))
			}
			assert.Equal(t, tt.want, got)
			git("reset", "-q", "--hard")
			git("clean", "-q", "-d", "-f")
		})
	}
}

func TestCountUsage(t *testing.T) {
	used := func(skill string, ok bool) journal.Outcome {
		return journal.Outcome{Tool: journal.ToolSkill, Skill: skill, Success: ok}
	}
	two := &gate.Decision{Verdict: gate.Inject, Prompt: "boil water", Candidates: []gate.Candidate{
		{Rank: 1, Name: "kettle", Injected: true}, {Rank: 2, Name: "samovar", Injected: true}, {Rank: 3, Name: "mill"},
		{Rank: 4, Name: "brewer", Pool: "agent", Injected: true}, {Rank: 1, Step: 1, Name: "oven", Injected: true},
	}}
	out := map[string]lint.Usage{}
	CountUsage(out, two, []journal.Outcome{used("kettle", true), used("kettle", true)})
	CountUsage(out, two, []journal.Outcome{used("samovar", false)})
	CountUsage(out, &gate.Decision{Verdict: gate.Silent, Candidates: []gate.Candidate{{Rank: 1, Name: "mill"}, {Rank: 2, Name: "kettle"}}}, nil)
	for name, want := range map[string]lint.Usage{
		"kettle":  {Named: 2, Prompts: []string{"boil water"}},
		"samovar": {Named: 2},
		"mill":    {},
	} {
		if got := out[name]; got.Named != want.Named || !slices.Equal(got.Prompts, want.Prompts) {
			t.Errorf("usage of %s is %+v, want %+v", name, got, want)
		}
	}
	_, ok := out["brewer"]
	assert.False(t, ok, "an agent is counted")
}

// If lint reports that a request finds a skill first, or among the first five, `query` gives the same rank.
func TestLintAgreesWithQuery(t *testing.T) {
	p := newPlace(t)
	library, err := filepath.Abs("../../../testdata/library")
	require.NoError(t, err)
	o := p.job().Open
	g, err := workspace.Open(t.Context(), &workspace.Source{Cwd: p.home, Libraries: []string{library}}, o)
	require.NoError(t, err)
	defer g.Close()
	skills, errs := lint.Load(t.Context(), []catalog.Root{catalog.LibraryRoot(library)}, p.job().Display)
	require.Nil(t, errs)
	entries := lint.NewLibrary(skills, nil).Entries()
	x, err := index.Memory(t.Context(), entries, synonyms.Default(), nil)
	require.NoError(t, err)
	r, err := findable.NewRetriever(index.Join(x), x.Dict)
	require.NoError(t, err)
	asks := r.Prober()
	asked, agree := 0, 0
	for i := range entries {
		e := &entries[i]
		if doc, ok := r.ByID[e.ID]; !ok || !r.Docs[doc].Offered {
			continue
		}
		requests, err := asks.Ask(e, e.Triggers, nil, 0, nil).Places(t.Context())
		require.NoError(t, err)
		for _, request := range requests {
			d := g.Decide(t.Context(), gate.Request{Prompt: triage.Prompt{Kind: triage.Search, Text: request.Text}, K: findable.Depth})
			rank := findable.Depth + 1
			for _, c := range d.Candidates {
				if c.Path == e.Path || slices.ContainsFunc(c.HeldBack, func(id string) bool { return strings.HasSuffix(id, e.Folder) }) {
					rank = c.Rank
				}
			}
			asked++
			if (rank == 1) == (request.Place == 1) && (rank <= 5) == (request.Place <= 5) {
				agree++
			} else {
				t.Logf("%q for %s: query has it in place %d, lint in %d", request.Text, e.Name, rank, request.Place)
			}
		}
	}
	require.GreaterOrEqual(t, asked, 200)
	assert.GreaterOrEqual(t, agree*100, asked*99)
}

func TestKeep(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		name     string
		requests int // number written
		fewest   int
		fresh    bool
		want     int // number returned
	}{
		{"without a request, where others are known", 0, -1, false, 0},
		{"which is not kept", 1, -1, false, 1},
		{"one request is", 2, -1, false, 1},
		{"but is too few", 2, 2, false, 2},
		{"asked for another", 3, 2, true, 3},
		{"that is kept", 0, 2, false, 3},
	} {
		got, err := Keep(dir, []byte("key"), tt.fewest, tt.fresh, func() (Written, error) {
			return Written{Requests: make([]string, tt.requests)}, nil
		})
		require.NoError(t, err, tt.name)
		assert.Equal(t, tt.want, len(got.Requests), tt.name)
	}
}
