package listing

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/hooks/hostfile"
)

func TestShorten(t *testing.T) {
	const text = "The following skills are available for use with the Skill tool:\n\n" +
		"- batch: Runs a change everywhere.\n" +
		"- violin-tuning: Tunes violins. Use it:\n- before a concert: always\n- and not after\n" +
		"- bread:baking\n" +
		"- new-one: Was installed a moment ago.\n" +
		"- 김치-담그기: 김치를 담근다.\n" +
		"- sails"
	used := &Shortener{lookup: "Finds <others> & more.", skills: map[string]skill{
		"bread:baking": {text: "Bakes\n<b>bread</b>.", uses: 2}, "violin-tuning": {uses: 1}, "김치-담그기": {}, "sails": {},
	}}
	fresh := &Shortener{skills: map[string]skill{
		"violin-tuning": {changed: 9}, "bread:baking": {changed: 1, project: true}, "김치-담그기": {changed: 3}, "sails": {logs: 1},
	}}
	const more = " installed but not listed here. The Skill tool loads each by its name. Suggestions name the skills that " +
		"fit a prompt; the skill_lookup tool finds skills by their purpose."
	const head = "The following skills are available for use with the Skill tool:\n\n- batch: Runs a change everywhere.\n"
	tests := []struct {
		name   string
		x      *Shortener
		text   string
		budget int
		want   string // empty for no change
	}{
		{"nothing for the user's", used, text, 0, head + "- new-one: Was installed a moment ago.\n\n4 more skills are" + more},
		{"the most used that fits, with its description", used, text, 60,
			head + "- bread:baking: Bakes &lt;b&gt;bread&lt;/b&gt;.\n- new-one: Was installed a moment ago.\n- sails\n\n2 more skills are" + more},
		{"none was used: that of a log", fresh, text, 8, head + "- new-one: Was installed a moment ago.\n- sails\n\n3 more skills are" + more},
		{"and the project's", fresh, text, 30, head + "- bread:baking\n- new-one: Was installed a moment ago.\n- sails\n\n2 more skills are" + more},
		{"and the newest that fits", fresh, text, 45,
			head + "- bread:baking\n- new-one: Was installed a moment ago.\n- 김치-담그기: 김치를 담근다.\n- sails\n\n1 more skill is" + more},
		{"the plugin's own", used, head + "- skillgate:find-skills\n- sails\n- 김치-담그기\n", 0,
			head + "- skillgate:find-skills: Finds &lt;others&gt; &amp; more.\n\n2 more skills are" + more},
		{"room for everything", used, text, 2000, ""},
		{"one is left out", used, head + "- sails\n", 0, head[:len(head)-1] + "\n\n1 more skill is" + more},
		{"none of the user's", used, head, 0, ""},
		{"another text", used, "Skills are off.", 0, ""},
		{"empty", used, "", 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want == "" {
				want = tt.text
			}
			got := tt.x.Shorten(tt.text, tt.budget)
			assert.Equal(t, want, got, "Shorten(%q, %d) =\n%s\nwant\n%s", tt.text, tt.budget, got, want)
		})
	}
}

func TestLogged(t *testing.T) {
	home := t.TempDir()
	for file, text := range map[string]string{
		".codex/sessions/2026/a.jsonl":        `{"cmd":"cat /home/ann/.codex/skills/sails/SKILL.md"}` + "\n" + `{"cmd":"head ../sails/SKILL.md"}`,
		".gemini/tmp/1/chats/b.json":          `{"path":"skills/sails/SKILL.md"}`,
		".claude/projects/-work/c.jsonl":      `{"name":"Skill","input":{"skill":"bread:baking"}}`,
		".claude/skills/d/notes.json":         `{"path":"skills/no-log/SKILL.md"}`,
		".claude/projects/-work/e.txt":        `{"path":"skills/no-log/SKILL.md"}`,
		".qwen/projects/f.jsonl":              strings.Repeat("x", maxTail) + "violin-tuning/SKILL.md" + strings.Repeat("x", maxTail),
		".codex/sessions/2026/with-end.jsonl": "SKILL.md /SKILL.md \"skill\":\"",
	} {
		path := filepath.Join(home, file)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	got := logged(hostfile.Session{Dirs: dirs.Dirs{Home: home}, Getenv: func(string) string { return "" }})
	delete(got, "")
	assert.Empty(t, cmp.Diff(map[string]int{"sails": 2, "bread:baking": 1}, got))
}
