package catalog

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPolicy(t *testing.T) {
	d, home := machine(t)
	repo := filepath.Join(home, "repo")
	cwd := filepath.Join(repo, "web")
	mkdir(t, repo+"/.git", cwd)
	write(t, d.Home+"/.claude/settings.json", `{
		"enabledPlugins": {"on@m": true, "off@m": false, "team@m": true, "list@m": ["1.x"], "home@skills-dir": false},
		"skillOverrides": {"hidden": "off", "mine": "user-invocable-only", "short": "name-only", "loud": "off", "kept": "off"},
		"permissions": {"deny": ["Skill(banned)", "Bash(rm:*)", "Task(old-agent)", 7], "ask": ["Skill(asked)"]}
	}`)
	write(t, repo+"/.claude/settings.json", `{"skillOverrides":{"free":"off"}}`) // in the folder where the session started
	write(t, cwd+"/.claude/settings.json",
		`{"enabledPlugins":{"off@m":true},"skillOverrides":{"loud":"on"},"permissions":{"deny":["Skill(team-*)",`+
			`"Skill(kit:*)"]}}`)
	write(t, cwd+"/.claude/settings.local.json", `{"enabledPlugins":{"off@m":false},"permissions":{"deny":["Agent(new-agent)","Skill(/slash)","Skill(run *)"]}}`)
	write(t, managed(d.Home)+"/managed-settings.json", `{"enabledPlugins":{"team@m":false}}`)
	write(t, managed(d.Home)+"/managed-settings.d/10.json", `{"skillOverrides":{"kept":"on"}}`)
	write(t, managed(d.Home)+"/managed-settings.d/.hidden.json", `{"skillOverrides":{"short":"off"}}`)

	p, errs := LoadPolicy(d, cwd)
	assert.Empty(t, errs)
	tests := []struct {
		name   string
		skill  string
		pool   Pool
		source Source
		plugin string
		want   bool
	}{
		{"nothing said", "free", Skill, Personal, "", true},
		{"override off", "hidden", Skill, Personal, "", false},
		{"override off in a project's folder", "hidden", Skill, Project, "", false},
		{"user only", "mine", Skill, Personal, "", false},
		{"name only", "short", Skill, Personal, "", true},
		{"project overrules user", "loud", Skill, Personal, "", true},
		{"organisation overrules all", "kept", Skill, Personal, "", true},
		{"denied", "banned", Skill, Project, "", false},
		{"asked for", "asked", Skill, Personal, "", true},
		{"star without colon is no pattern", "team-x", Skill, Personal, "", true},
		{"denied plugin prefix", "kit:a", Skill, Plugin, "on@m", false},
		{"prefix reaches further than the plugin", "kitchen", Skill, Personal, "", false},
		{"denied with a slash", "slash", Skill, Personal, "", false},
		{"denied with a space and a star", "runner", Skill, Personal, "", false},
		{"library is read, not run", "banned", Skill, Library, "", true},
		{"plugin on", "x:a", Skill, Plugin, "on@m", true},
		{"override does not reach plugins", "hidden", Skill, Plugin, "on@m", true},
		{"local overrules project", "x:a", Skill, Plugin, "off@m", false},
		{"organisation turns a plugin off", "x:a", Skill, Plugin, "team@m", false},
		{"version list is not on", "x:a", Skill, Plugin, "list@m", false},
		{"plugin not mentioned", "x:a", Skill, Plugin, "new@m", false},
		{"skills-folder plugin not mentioned", "x:a", Skill, Plugin, "new@skills-dir", true},
		{"skills-folder plugin off", "x:a", Skill, Plugin, "home@skills-dir", false},
		{"agent", "free", Agent, Personal, "", true},
		{"agent denied as Task", "old-agent", Agent, Personal, "", false},
		{"agent denied as Agent", "new-agent", Agent, Project, "", false},
		{"skill rule is none for agents", "banned", Agent, Personal, "", true},
		{"agent of a plugin that is off", "x:r", Agent, Plugin, "off@m", false},
		{"command", "free", Command, Personal, "", true},
		{"command denied", "banned", Command, Personal, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := p.Allows(tt.skill, tt.pool, tt.source, tt.plugin, "")
			if got != tt.want {
				t.Errorf("Allows(%q, %s, %s, %q) = %v, want %v", tt.skill, tt.pool, tt.source, tt.plugin, got, tt.want)
			}
			if tt.source != Plugin && !got && p.AllowsAll(tt.pool) {
				t.Errorf("AllowsAll(%s), and %q is not allowed", tt.pool, tt.skill)
			}
		})
	}
}

func TestPolicyThatForbidsNothing(t *testing.T) {
	p := Policy{plugins: map[string]bool{"off@m": false}}
	if !p.AllowsAll(Skill) || !p.AllowsAll(Agent) || !p.AllowsAll(Command) {
		t.Error("AllowsAll: want that everything is allowed")
	}
}

func TestPolicyOfWholeTools(t *testing.T) {
	for _, rule := range []string{"Skill", "Skill()", "Skill(*)", "*"} {
		d, _ := machine(t)
		write(t, d.Home+"/.claude/settings.json", `{"permissions":{"deny":["`+rule+`"]}}`)
		p, _ := LoadPolicy(d, "")
		require.False(t, p.Allows("a", Skill, Personal, "", ""), rule)
		assert.False(t, p.AllowsAll(Skill), rule)
		assert.Equal(t, rule != "*", p.AllowsAll(Agent), rule)
		assert.Equal(t, rule != "*", p.Allows("a", Agent, Personal, "", ""), rule)
	}
}

func TestPolicyOfBrokenFiles(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // part of the error, or ""
	}{
		{"empty", "", ""},
		{"byte order mark", "\ufeff{}", ""},
		{"no JSON", "{{{", "settings.json:1:2: "},
		{"truncated", `{"permissions":{"deny":["Skill(a)"`, "settings.json:1:34: "},
		{"comment", "{\n  // mine\n  \"permissions\": {\"deny\": [\"Skill(a)\"]}\n}", "settings.json:2:3: "},
		{"comment at the end", "{\"permissions\": {\"deny\": [\"Skill(a)\"]}}\n/* mine */\n", "settings.json:2:1: "},
		{"trailing comma", "{\"permissions\": {\"deny\": [\"Skill(a)\"]},\n}", "settings.json:2:1: "},
		{"list", "[]", ""},
		{"wrong types", `{"enabledPlugins":[],"skillOverrides":7,"permissions":{"deny":"x"}}`, ""},
		{"null", "null", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, home := machine(t)
			write(t, d.Home+"/.claude/settings.json", tt.text)
			write(t, home+"/repo/.claude/settings.json", `{"permissions":{"deny":["Skill(b)"]}}`)
			p, errs := LoadPolicy(d, home+"/repo")
			if tt.want == "" && len(errs) > 0 || tt.want != "" && (len(errs) != 1 || !strings.Contains(errs[0].Error(), tt.want)) {
				t.Errorf("LoadPolicy(%q) errors = %v, want %q", tt.text, errs, tt.want)
			}
			require.True(t, p.Allows("a", Skill, Personal, "", ""))
			assert.False(t, p.Allows("b", Skill, Personal, "", ""))
		})
	}
}

func TestPolicyWrongTypeCostsOnlyItself(t *testing.T) {
	d, _ := machine(t)
	write(t, d.Home+"/.claude/settings.json", `{"enabledPlugins":7,"permissions":{"deny":["Skill(a)"]}}`)
	if p, _ := LoadPolicy(d, ""); p.Allows("a", Skill, Personal, "", "") {
		t.Error("Allows(a) = true, want the deny rule beside a bad value to count")
	}
}

func BenchmarkLoadPolicy(b *testing.B) {
	d, home := benchMachine(b)
	for b.Loop() {
		LoadPolicy(d, home+"/repo/web")
	}
}

func BenchmarkQuickRoots(b *testing.B) {
	d, home := benchMachine(b)
	for b.Loop() {
		QuickRoots(d, home+"/repo/web", nil)
	}
}
