package catalog

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/dirs"
)

func TestReadJSONL(t *testing.T) {
	text := strings.Join([]string{
		`{"id":"lib/.archive/bread","name":"bread","description":"Ignored.","frontmatter":"name: loaf\ndescription: Bakes ` +
			`bread. Do NOT use for cakes (use cake).","body":"# Bread\nKnead.","source":"x"}`,
		``,
		`{"id":"lib/gaps","name":"","description":"Fills \"the gap\". Triggers: gap, hole.","frontmatter":"","body":"Body"}`,
		`{"id":"lib/named","frontmatter":"name: from-front\ndescription: d","body":""}`,
		`{"id":"lib/empty","name":"empty","description":"","frontmatter":"name: empty","body":"\n# First line\n"}`,
	}, "\n")
	entries, err := ReadJSONL(strings.NewReader(text), "lib.jsonl")
	require.NoError(t, err)
	type brief struct{ ID, Name, Folder, Description, Capability string }
	var got []brief
	for _, e := range entries {
		got = append(got, brief{e.ID, e.Name, e.Folder, e.Description, e.Capability})
		if e.Source != Library || e.Pool != Skill || !e.ModelInvocable || e.Path != "" {
			t.Errorf("entry %+v is not a library skill", e)
		}
	}
	want := []brief{
		{"lib/.archive/bread", "bread", "bread", "Bakes bread. Do NOT use for cakes (use cake).", "Bakes bread."},
		{"lib/gaps", "gaps", "gaps", `Fills "the gap". Triggers: gap, hole.`, `Fills "the gap".`},
		{"lib/named", "from-front", "named", "d", "d"},
		{"lib/empty", "empty", "empty", "First line", "First line"},
	}
	assert.Empty(t, cmp.Diff(want, got))
	if entries[0].Body != "# Bread\nKnead." || entries[0].Headings[0] != "Bread" {
		t.Errorf("body %q, headings %v", entries[0].Body, entries[0].Headings)
	}
}

func TestReadJSONLErrorsNameTheLine(t *testing.T) {
	tests := []struct {
		name, text, want string
		entries          int
	}{
		{"not JSON", "{\"id\":\"a\"}\nnonsense\n{\"id\":\"b\"}", "lib.jsonl:2: ", 2},
		{"truncated", `{"id":"a","body":"x`, "lib.jsonl:1: ", 0},
		{"no id", "{\"id\":\"a\"}\n{\"name\":\"b\"}", "lib.jsonl:2: the id is missing", 1},
		{"repeated id", "{\"id\":\"a\"}\n\n{\"id\":\"a\"}", `lib.jsonl:3: duplicate id "a", first used on line 1`, 1},
		{"wrong type", `{"id":7}`, "lib.jsonl:1: ", 0},
		{"five bad lines", strings.Repeat("x\n", 5) + `{"id":"a"}`, "lib.jsonl:5: ", 1},
		{"seven bad lines", strings.Repeat("x\n", 7) + `{"id":"a"}`, "lib.jsonl: further lines with errors: 2", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			entries, err := ReadJSONL(strings.NewReader(tt.text), "lib.jsonl")
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), ":6: ") || len(entries) != tt.entries {
				t.Errorf("ReadJSONL(%q) = %d entries, %v; want %d, %q", tt.text, len(entries), err, tt.entries, tt.want)
			}
		})
	}
}

func FuzzReadJSONL(f *testing.F) {
	f.Add([]byte(`{"id":"a","name":"n","description":"Use when \"x\". Not for y (use z-z).","frontmatter":"name: [","body":"# h"}`))
	f.Add([]byte("{\"id\":\"a\"}\r\n{\"id\":\"a\"}\n\x00\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		entries, err := ReadJSONL(bytes.NewReader(text), "f")
		seen := map[string]bool{}
		for _, e := range entries {
			if e.Name == "" || e.ID == "" || seen[e.ID] || strings.ContainsFunc(e.Name+e.ID+e.Description, isControl) {
				t.Errorf("entry %q %q of %q", e.ID, e.Name, text)
			}
			seen[e.ID] = true
		}
		lines := 0
		for _, line := range bytes.Split(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte("\n")) {
			if len(bytes.TrimSpace(line)) > 0 {
				lines++
			}
		}
		if len(entries) < lines && err == nil || len(entries) > lines {
			t.Errorf("%d lines gave %d entries and error %v", lines, len(entries), err)
		}
	})
}

// benchMachine creates a home with 15 plugins, a project two folders deep and settings of usual size.
func benchMachine(b *testing.B) (dirs.Dirs, string) {
	home := b.TempDir()
	d := dirs.Dirs{Home: home, Hosts: hostsOf(home)}
	put := func(file, text string) {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	plugins, enabled := []string{}, []string{}
	for i := range 15 {
		id := "plugin" + string(rune('a'+i)) + "@market"
		dir := filepath.Join(home, "cache", id)
		put(dir+"/.claude-plugin/plugin.json", `{"name":"p"}`)
		put(dir+"/skills/one/SKILL.md", "x")
		plugins = append(plugins, `"`+id+`":[{"scope":"user","installPath":"`+dir+`"}]`)
		enabled = append(enabled, `"`+id+`":true`)
	}
	put(d.Home+"/.claude/plugins/installed_plugins.json", `{"version":2,"plugins":{`+strings.Join(plugins, ",")+`}}`)
	put(d.Home+"/.claude/settings.json", `{"enabledPlugins":{`+strings.Join(enabled, ",")+`},"permissions":{"deny":["Skill(a)","Bash(rm:*)"]}}`)
	put(home+"/repo/.git/HEAD", "x")
	put(home+"/repo/web/.claude/skills/a/SKILL.md", "x")
	put(home+"/repo/.claude/settings.json", `{"permissions":{"allow":["Bash(go test:*)"]}}`)
	return d, home
}
