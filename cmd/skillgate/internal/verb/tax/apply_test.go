package tax

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

func withSkill(t *testing.T) *apptest.Home {
	t.Helper()
	p := apptest.NewInProject(t)
	p.Write(t, filepath.Join(p.Dir, ".claude", "skills", "aa", "SKILL.md"), "---\nname: aa\ndescription: Reads tides.\n---\nBody\n", 0o600)
	return p
}

func TestCutAndUndone(t *testing.T) {
	tests := []struct{ name, before, between, cut, after string }{
		{"no settings", "", "", "{\n  \"skillListingBudgetFraction\": 0.0001\n}\n", ""},
		{"settings of one's own", "{\n\t\"model\": \"opus\"\n}", "",
			"{\n\t\"model\": \"opus\",\n\t\"skillListingBudgetFraction\": 0.0001\n}", "{\n\t\"model\": \"opus\"\n}"},
		{"another share", `{"skillListingBudgetFraction":2e-2,"a":1}`, "", `{"skillListingBudgetFraction":0.0001,"a":1}`,
			`{"skillListingBudgetFraction":2e-2,"a":1}`},
		{"changed since", `{"skillListingBudgetFraction":2e-2,"a":1}`, `{"skillListingBudgetFraction":0.0001,"b":1}`,
			`{"skillListingBudgetFraction":0.0001,"a":1}`, `{"skillListingBudgetFraction":2e-2,"b":1}`},
		{"added to since", `{"a":1}`, `{"a":1,"skillListingBudgetFraction":0.0001,"b":1}`, `{"a":1,"skillListingBudgetFraction":0.0001}`, `{"a":1,"b":1}`},
		{"the share was changed since", `{"a":1}`, `{"a":1,"skillListingBudgetFraction":0.5}`, `{"a":1,"skillListingBudgetFraction":0.0001}`,
			`{"a":1,"skillListingBudgetFraction":0.5}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := withSkill(t)
			if tt.before != "" {
				p.Write(t, p.Settings, tt.before, 0o640)
			}
			run := func(want string, args ...string) {
				t.Helper()
				code, msg := p.Status(New(p.App, nil), args...)
				require.Equal(t, 0, code, "tax %q = %d, %s", args, code, msg)
				text, err := os.ReadFile(p.Settings)
				if string(text) != want || (err != nil) != (want == "") {
					t.Errorf("after tax %q the settings are %q, %v; want %q", args, text, err, want)
				}
			}
			run(tt.before, "apply", "--dry-run")
			if out := p.Out.String(); !strings.Contains(out, "It saves 148 of 6229 characters") || !strings.Contains(out, "1 of your skills lose") ||
				!strings.Contains(out, "+") {
				t.Errorf("tax apply --dry-run prints %q, want what it saves, what it costs and the change", out)
			}
			run(tt.cut, "apply", "--yes")
			run(tt.cut, "apply", "--yes")
			assert.Contains(t, p.Out.String(), "the list is cut already in ")
			if tt.between != "" {
				p.Write(t, p.Settings, tt.between, 0o640)
			}
			run(tt.after, "apply", "--undo", "--yes")
			run(tt.after, "apply", "--undo", "--yes")
			if left, _ := filepath.Glob(p.Settings + ".*"); tt.between == "" && len(left) > 0 {
				t.Errorf("tax undo leaves %q", left)
			}
		})
	}
}

func TestCutWritesNothing(t *testing.T) {
	tests := []struct {
		name, settings, project string
		args                    []string
		want                    string
	}{
		{"without a terminal", "{}", "", []string{"apply"}, "no terminal to ask on"},
		{"without a terminal, JSON", "{}", "", []string{"apply", "--json"}, "no terminal to ask on"},
		{"settings that the host ignores", "{} // mine\n", "", []string{"apply", "--yes"}, "ignores such a file"},
		{"settings that nobody reads", "{", "", []string{"apply", "--yes"}, "correct the file"},
		{"another length is set", `{"env":{"SLASH_COMMAND_TOOL_CHAR_BUDGET":"9000"}}`, "",
			[]string{"apply", "--yes"}, "would stay as it is"},
		{"the project says how long", "{}", `{"skillListingBudgetFraction":0.02}`,
			[]string{"apply", "--yes"}, "would stay as it is"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := withSkill(t)
			p.Write(t, p.Settings, tt.settings, 0o600)
			if tt.project != "" {
				p.Write(t, filepath.Join(p.Project, ".claude", "settings.json"), tt.project, 0o600)
			}
			if code, msg := p.Status(New(p.App, nil), tt.args...); code != 3 || !strings.Contains(msg, tt.want) {
				t.Errorf("tax %q = %d, %s; want 3 and %q", tt.args, code, msg, tt.want)
			}
			assert.Equal(t, tt.settings, p.Read(t, p.Settings))
		})
	}
}
