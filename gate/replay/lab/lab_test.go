package lab

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/triage"
)

func bench(t *testing.T) *Lab {
	t.Helper()
	home := t.TempDir()
	d := dirs.Dirs{Home: home, Config: filepath.Join(home, "config"), State: filepath.Join(home, "state"), Cache: filepath.Join(home, "cache"),
		Hosts: hooks.Places(home, func(string) string { return "" })}
	l := &Lab{Dirs: d, Cwd: home, Here: gate.Default(), Tmp: t.TempDir(), Open: workspace.Options{Now: time.Now}}
	for name, description := range map[string]string{
		"kettle": "Boils water for tea in a kettle. Use when the user says \"boil the water\".",
		"mill":   "Grinds coffee beans in a mill. Use when the user says \"grind the beans\".",
		"oven":   "Bakes sourdough bread in an oven. Use when the user says \"bake the bread\".",
	} {
		write(t, filepath.Join(home, ".claude", "skills", name, "SKILL.md"), skill(name, description))
	}
	return l
}

func skill(name, description string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\n---\n# " + name + "\n\n1. Begin.\n"
}

func write(t *testing.T, file, text string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// prompts is a source of prompts, each with a skill that was used after it, "" for none.
func prompts(l *Lab, list ...[2]string) replay.Source {
	var all []*replay.Prompt
	for i, x := range list {
		p := &replay.Prompt{ID: string(rune('a' + i)), Session: "s" + string(rune('a'+i)), Cwd: l.Cwd, Text: x[0], Level: journal.Full, Lang: "en", Over: true}
		if x[1] != "" {
			p.Uses = []journal.Outcome{{Tool: journal.ToolSkill, Skill: x[1], Success: true}}
		}
		all = append(all, p)
	}
	return func(_ context.Context, _ store.Filter, _ *replay.Notes, yield func(*replay.Prompt) error) error {
		for _, p := range all {
			if err := yield(p); err != nil {
				return err
			}
		}
		return nil
	}
}

// named asks a side about one prompt and returns the names it gives.
func named(t *testing.T, l *Lab, side *replay.Side, text string) []string {
	t.Helper()
	var names []string
	err := replay.Run(t.Context(), replay.Job{Source: prompts(l, [2]string{text, ""}), A: side, B: side, Notes: &replay.Notes{}}, func(r *replay.Result) error {
		require.Empty(t, r.Skipped, "%q is skipped: %s %v", text, r.Skipped, r.Why)
		for _, c := range r.B.Decision.Candidates {
			if c.Injected {
				names = append(names, c.Name)
			}
		}
		return nil
	})
	require.NoError(t, err)
	slices.Sort(names)
	return names
}

func TestSides(t *testing.T) {
	l := bench(t)
	replaced := write(t, filepath.Join(l.Cwd, "new", "mill", "SKILL.md"),
		skill("mill", "Sharpens knives and scissors. Use when the user says \"sharpen the knives\"."))
	several := filepath.Join(l.Cwd, "several")
	write(t, filepath.Join(several, "loom", "SKILL.md"), skill("loom", "Weaves carpets on a loom. Use when the user says \"weave the carpet\"."))
	write(t, filepath.Join(several, "anvil", "SKILL.md"), skill("anvil", "Forges horseshoes. Use when the user says \"forge the horseshoe\"."))
	library := write(t, filepath.Join(l.Cwd, "lib.jsonl"),
		`{"id":"samovar","name":"samovar","description":"Boils water for guests. Use when the user says \"boil the `+
			`water\"."}`+"\n")
	words := write(t, filepath.Join(l.Cwd, "words.yaml"), "english:\n  - {means: [sourdough bread], say: [doughnobbin]}\n")
	tests := []struct {
		name   string
		change Change
		prompt string
		want   []string
	}{
		{"as it is", Change{}, "boil the water", []string{"kettle"}},
		{"a setting", Change{Sets: []string{"score_min=1000"}}, "boil the water", nil},
		{"with another skill of the name", Change{With: []string{filepath.Dir(replaced)}}, "sharpen the knives", []string{"mill"}},
		{"which is no more what it was", Change{With: []string{filepath.Dir(replaced)}}, "grind the beans", nil},
		{"with a folder of skills", Change{With: []string{several}}, "weave the carpet", []string{"loom"}},
		{"a library in place of all", Change{Libraries: []string{library}}, "boil the water", []string{"samovar"}},
		{"a library with a skill", Change{Libraries: []string{library}, With: []string{several}}, "forge the horseshoe", []string{"anvil"}},
		{"words", Change{Synonyms: words}, "bake me the doughnobbin please", []string{"oven"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			side, err := l.Side(t.Context(), &tt.change, 5)
			require.NoError(t, err)
			got := named(t, l, side, tt.prompt)
			assert.Equal(t, tt.want, got, "with %s %q names %q, want %q", side.Name, tt.prompt, got, tt.want)
		})
	}
	assert.Empty(t, l.Notes())
	// Nothing of the machine's own was written but its index.
	_, err := os.Stat(l.Dirs.Config)
	assert.Error(t, err, "the config folder was made")
}

func TestFoldersWithoutAnIndexAreNoted(t *testing.T) {
	l := bench(t)
	project := filepath.Join(l.Cwd, "project")
	write(t, filepath.Join(project, ".git", "HEAD"), "")
	write(t, filepath.Join(project, ".claude", "skills", "loom", "SKILL.md"), skill("loom", "Weaves."))
	side, err := l.Side(t.Context(), &Change{}, 5)
	require.NoError(t, err)
	for range 2 {
		g, err := side.Open(&replay.Prompt{Cwd: project})
		require.NoError(t, err)
		g.Close()
	}
	if notes := l.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "skillgate index") {
		t.Errorf("notes are %q, want one about the project", notes)
	}
}

// A copy has this machine's words and expansions but for what is changed, and writes nothing to them.
func TestCopied(t *testing.T) {
	l := bench(t)
	own := write(t, workspace.DictFile(l.Dirs), "english:\n  - {means: [sourdough bread], say: [doughnobbin]}\n")
	write(t, filepath.Join(l.Dirs.State, enrich.File), `{"id":"personal/mill","en":["pound the berries"],"schema":1}`+"\n")
	for name, tt := range map[string]struct {
		prepare func(dirs.Dirs) error
		prompt  string
		want    []string
	}{
		"its own word":      {func(dirs.Dirs) error { return nil }, "make a doughnobbin", []string{"oven"}},
		"its own expansion": {func(dirs.Dirs) error { return nil }, "pound the berries", []string{"mill"}},
		"another word": {func(d dirs.Dirs) error {
			return os.WriteFile(workspace.DictFile(d), []byte("english:\n  - {means: [boils water], say: [hissifying]}\n"), 0o600)
		}, "hissifying please", []string{"kettle"}},
		"no expansion": {func(d dirs.Dirs) error { return os.Remove(filepath.Join(d.State, enrich.File)) }, "pound the berries", nil},
	} {
		t.Run(name, func(t *testing.T) {
			side, err := l.Copied(t.Context(), 10, tt.prepare)
			require.NoError(t, err)
			assert.Equal(t, tt.want, named(t, l, side, tt.prompt))
		})
	}
	if text, err := os.ReadFile(own); err != nil || !strings.Contains(string(text), "doughnobbin") {
		t.Errorf("the dictionary is now %q, %v", text, err)
	}
}

func TestCopiedKeepsOtherProjects(t *testing.T) {
	l := bench(t)
	other := filepath.Join(l.Dirs.Home, "other")
	write(t, filepath.Join(other, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(other, ".claude", "skills", "anvil", "SKILL.md"),
		skill("anvil", "Forges horseshoes on an anvil. Use when the user says \"forge a horseshoe\"."))
	if _, err := workspace.Refresh(t.Context(), other, l.with(l.Dirs, l.Here)); err != nil {
		t.Fatal(err)
	}
	side, err := l.Copied(t.Context(), 5, func(dirs.Dirs) error { return nil })
	require.NoError(t, err)
	there := &Lab{Cwd: other}
	assert.Equal(t, []string{"anvil"}, named(t, there, side, "forge a horseshoe"))
}

func TestChangedSkillsKeepTheirExpansions(t *testing.T) {
	l := bench(t)
	write(t, filepath.Join(l.Dirs.State, enrich.File), `{"id":"personal/mill","en":["pound the berries"],"schema":1}`+"\n")
	changed := write(t, filepath.Join(l.Cwd, "new", "mill", "SKILL.md"), skill("mill", "Sharpens knives and scissors."))
	side, err := l.Side(t.Context(), &Change{With: []string{filepath.Dir(changed)}}, 5)
	require.NoError(t, err)
	assert.Equal(t, []string{"mill"}, named(t, l, side, "pound the berries"))
}

// What a session's subfolders added to a decision is there when it is replayed, under the names that the host
// had for it then.
func TestSubfoldersAreReplayed(t *testing.T) {
	l := bench(t)
	web := filepath.Join(l.Cwd, "packages", "web", ".claude", "skills")
	write(t, filepath.Join(web, "oven", "SKILL.md"), skill("oven", "Glazes pottery. Use when the user says \"glaze the pottery\"."))
	write(t, filepath.Join(web, "wheel", "SKILL.md"), skill("wheel", "Turns pots on a wheel. Use when the user says \"turn the pots\"."))
	o := l.with(l.Dirs, l.Here)
	o.Below = []string{web}
	if _, err := workspace.Refresh(t.Context(), l.Cwd, o); err != nil {
		t.Fatal(err)
	}
	var past []*replay.Prompt
	decide := func(text string, below ...gate.Subfolder) {
		g, err := gate.Open(l.Dirs, l.Cwd, l.Here, below...)
		require.NoError(t, err)
		defer g.Close()
		d := g.Decide(t.Context(), gate.Request{Prompt: triage.Classify(text)})
		r := journal.Decided(time.Now(), "v1", d, g, l.Here)
		r.Session, r.Cwd = "s", l.Cwd
		require.NoError(t, journal.Append(l.Dirs.State, r))
		past = append(past, &replay.Prompt{Cwd: l.Cwd, Text: text, Level: journal.Full, Lang: d.Lang, Recorded: &d,
			Settings: l.Here.Fingerprint(), Skillgate: "v1"})
	}
	const glaze, turn = "glaze the pottery", "turn the pots"
	decide(turn)
	decide(glaze, gate.Subfolder{Path: web, Names: map[string]string{"oven": "packages/web:oven"}})
	decide(turn, gate.Subfolder{Path: web})
	want := []string{"", "packages/web:oven", "wheel"}

	words := write(t, filepath.Join(l.Cwd, "words.yaml"), "english:\n  - {means: [sourdough bread], say: [doughnobbin]}\n")
	for _, tt := range []struct {
		change Change
		want   []string
	}{
		{Change{}, want},
		{Change{Synonyms: words}, want}, // over indexes of its own
	} {
		side, err := l.Side(t.Context(), &tt.change, 0)
		require.NoError(t, err)
		var got []string
		job := replay.Job{Source: replay.Fixed(past), A: side, B: side, Notes: &replay.Notes{}}
		err = replay.Run(t.Context(), job, func(r *replay.Result) error {
			var names []string
			for _, c := range r.B.Decision.Candidates {
				if c.Injected {
					names = append(names, c.Name)
				}
			}
			got = append(got, strings.Join(names, " "))
			return nil
		})
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s names %q, %v; want %q", tt.change.name(), got, err, tt.want)
		}
	}
}
