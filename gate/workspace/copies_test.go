package workspace

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/triage"
)

func (p *place) decide(prompt string) gate.Decision {
	p.t.Helper()
	g, err := Open(p.t.Context(), &Source{Cwd: p.home}, p.options)
	require.NoError(p.t, err)
	defer g.Close()
	return g.Decide(p.t.Context(), gate.Request{Prompt: triage.Classify(prompt), K: 9})
}

func TestCopiesInHostsFoldersChangeNothing(t *testing.T) {
	var decided []gate.Decision
	for _, folders := range [][]string{
		{".claude/skills"},
		{".claude/skills", ".agents/skills", ".codex/skills", ".gemini/skills", ".qwen/skills", ".factory/skills", ".copilot/skills",
			".cline/skills"},
	} {
		p := newPlace(t)
		for _, folder := range folders {
			for i, what := range []string{"permits", "stamps", "fees", "forms", "letters", "deeds", "leases", "wills"} {
				p.skill(folder, "wombat-"+what, fmt.Sprintf("Forges wombat %s of kind%d.", what, i), "Forge "+what+".")
			}
		}
		decided = append(decided, p.decide("forge a wombat permit with a stamp"))
	}
	require.Equal(t, 8, len(decided[0].Candidates))
	ignore := cmpopts.IgnoreFields(gate.Candidate{}, "Path")
	assert.Empty(t, cmp.Diff(decided[0], decided[1], ignore, cmpopts.IgnoreFields(gate.Decision{}, "Ms", "Notes")))
}

func TestCopyThatIsNotTrusted(t *testing.T) {
	p := newPlace(t)
	p.options.Settings.Trust.MaxRisk = 0.5
	for _, folder := range []string{".claude/skills", ".codex/skills"} {
		p.skill(folder, "wombat-permits", "Forges wombat permits.", "Run scripts/send.sh.")
		p.write(filepath.Join(folder, "wombat-permits", "scripts", "send.sh"), "echo sent\n")
	}
	for _, step := range []struct{ name, unsafe, want string }{
		{"both are harmless", "", ".claude"},
		{"the first steals", ".claude", ".codex"},
		{"the other one steals too", ".codex", ""},
	} {
		if step.unsafe != "" {
			p.write(filepath.Join(step.unsafe, "skills", "wombat-permits", "scripts", "send.sh"), steals+"\n")
		}
		found := p.decide(permit).Candidates
		switch {
		case step.want == "" && len(found) > 0:
			t.Errorf("%s: found %s", step.name, found[0].Path)
		case step.want == "":
		case len(found) != 1 || found[0].Path != filepath.Join(p.home, step.want, "skills", "wombat-permits", "SKILL.md"):
			t.Errorf("%s: found %+v, want that of %s", step.name, found, step.want)
		}
	}
}

// If a plugin comes from two markets, the enabled copy counts.
func TestCopyOfAPluginThatIsOff(t *testing.T) {
	p := newPlace(t)
	list := ""
	for _, market := range []string{"east", "west"} {
		folder := filepath.Join(".claude", "plugins", "cache", market, "permits")
		p.skill(filepath.Join(folder, "skills"), "wombat-permits", "Forges wombat permits.", "Forge.")
		p.write(filepath.Join(folder, ".claude-plugin", "plugin.json"), `{"name":"permits"}`)
		list += fmt.Sprintf(`,"permits@%s":[{"scope":"user","installPath":%q}]`, market, filepath.Join(p.home, folder))
	}
	p.write(".claude/plugins/installed_plugins.json", `{"version":2,"plugins":{`+list[1:]+`}}`)
	for _, step := range []struct{ settings, want string }{
		{`{"enabledPlugins":{"permits@east":true,"permits@west":true}}`, "east"},
		{`{"enabledPlugins":{"permits@east":false,"permits@west":true}}`, "west"},
		{`{"enabledPlugins":{"permits@east":false,"permits@west":false}}`, ""},
	} {
		p.write(".claude/settings.json", step.settings)
		found := p.decide(permit).Candidates
		want := filepath.Join(p.home, ".claude/plugins/cache", step.want, "permits/skills/wombat-permits/SKILL.md")
		if step.want == "" && len(found) > 0 || step.want != "" && (len(found) != 1 || found[0].Path != want) {
			t.Errorf("with %s found %+v, want %q", step.settings, found, step.want)
		}
	}
}
