package tax

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/hooks/listing"
)

func TestTax(t *testing.T) {
	p := apptest.NewInProject(t)
	skill := func(path, description, more string) {
		p.Write(t, filepath.Join(p.Dir, path, "SKILL.md"), "---\nname: "+filepath.Base(path)+"\ndescription: "+description+"\n"+more+"---\nBody\n", 0o600)
	}
	skill(".claude/skills/aa", "12345678", "when_to_use: now\n") // "12345678 - now"
	skill(".claude/skills/quiet", "12345678", "")
	skill(".claude/skills/off", "12345678", "")
	skill(".claude/skills/manual", "12345678", "disable-model-invocation: true\n")
	skill("project/.claude/skills/bb", strings.Repeat("x", 30), "")
	skill("library/cc", "12345678", "")
	p.Write(t, filepath.Join(p.Dir, ".config", "skillgate", "skillgate.yaml"), "libraries: ["+filepath.Join(p.Dir, "library")+"]\n", 0o600)
	p.Write(t, p.Settings, `{"skillOverrides":{"quiet":"name-only","off":"off"},"skillListingMaxDescChars":20,`+
		`"env":{"SLASH_COMMAND_TOOL_CHAR_BUDGET":"5000"}}`, 0o600)

	code, msg := p.Status(New(p.App), "--json")
	require.Equal(t, 0, code, msg)
	var r listing.Tax
	require.NoError(t, json.Unmarshal(p.Out.Bytes(), &r), p.Out.String())
	// "- aa: 12345678 - now\n", "- quiet\n", "- bb: " and 20 letters and "\n"
	if r.Names != 3 || r.Described != 2 || r.Clipped != 1 || r.Chars != 21+8+27 || r.Budget != 5000 || r.MaxDesc != 20 || r.Libraries != 1 {
		t.Errorf("tax = %+v", r)
	}
	if len(r.Savings) != 3 || r.Savings[0].Chars != 38 || r.Savings[1].Chars != 29 || r.Savings[2].Chars != 27 || len(r.Problems) != 0 {
		t.Errorf("tax: savings %+v, problems %v", r.Savings, r.Problems)
	}

	code, msg = p.Status(New(p.App), "--budget", "482")
	require.Equal(t, 0, code, msg)
	assert.Contains(t, p.Out.String(), "1 description dropped, so the model sees only the names of these skills: bb", msg)
}
