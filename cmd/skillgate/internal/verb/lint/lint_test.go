package lint

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

func skills(t *testing.T, h *apptest.Home, texts map[string]string) string {
	t.Helper()
	dir := filepath.Join(h.Dir, "skills")
	for name, text := range texts {
		h.Write(t, filepath.Join(dir, name, "SKILL.md"), text, 0o600)
	}
	return dir
}

func TestFailOn(t *testing.T) {
	h := apptest.New(t)
	dir := skills(t, h, map[string]string{
		"kettle": "---\nname: kettle\ndescripton: Boils water for tea. Use when the user asks for hot water.\nallowed_tools: Bash\n---\n# Kettle\n\n1. Fill it.\n",
	})
	for _, tt := range []struct {
		name string
		args []string
		want int
	}{
		{"an error fails by itself", nil, 1},
		{"a warning does not", []string{"--rule", "SG107,SG203"}, 0},
		{"an error is above a warning", []string{"--fail-on", "warning"}, 1},
		{"off never fails", []string{"--fail-on", "off"}, 0},
		{"what is not shown fails too", []string{"--show", "error", "--fail-on", "info", "--quiet"}, 1},
		{"a rule that finds nothing", []string{"--rule", "SG102"}, 0},
		{"an unknown severity", []string{"--fail-on", "grave"}, 3},
		{"an unknown rule", []string{"--rule", "SG999"}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, message := h.Status(New(h.App), append([]string{dir}, tt.args...)...)
			assert.Equal(t, tt.want, got, "lint %v ends with %d (%s), want %d", tt.args, got, message, tt.want)
		})
	}
}

func TestEmptySkillIsUnreadable(t *testing.T) {
	h := apptest.New(t)
	dir := skills(t, h, map[string]string{"teapot": "---\nname: teapot\ndescription: Pours tea.\n---\n# Teapot\n"})
	out, _ := h.Run(New(h.App), "-", "--library", dir, "--json", "--no-cache") // standard input is empty
	require.Contains(t, out, "its file cannot be read as a skill")
	assert.NotContains(t, out, "the model is not allowed to invoke")
}

// The help lists these exit statuses.
func TestStatusOfFixes(t *testing.T) {
	const mended, left = "---\nname: kettle\ndescripton: Boils water.\n---\n# Kettle\n", "---\nname: kettle\n---\n# Kettle\n"
	for _, tt := range []struct {
		name, text string
		args       []string
		want       int
	}{
		{"a diff of a safe fix", mended, []string{"--dry-run"}, 1},
		{"a diff without a safe fix", left, []string{"--dry-run"}, 0},
		{"a safe fix that is made", mended, nil, 0},
		{"errors without a safe fix", left, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := apptest.New(t)
			dir := skills(t, h, map[string]string{"kettle": tt.text})
			code, message := h.Status(New(h.App), append([]string{"fix", dir}, tt.args...)...)
			assert.Equal(t, tt.want, code, "lint fix %q ends with %d, %q, want %d", tt.args, code, message, tt.want)
		})
	}
}

func TestRulesCommand(t *testing.T) {
	h := apptest.New(t)
	h.Write(t, filepath.Join(h.Dir, ".config", "skillgate", "skillgate.yaml"), "lint: {rules: {SG104: info}}\n", 0o600)
	out, err := h.Run(New(h.App), "rules", "--json")
	require.NoError(t, err)
	var rules []struct{ ID, Severity, Title, Bad string }
	require.NoError(t, json.Unmarshal([]byte(out), &rules))
	for _, r := range rules {
		require.NotEmpty(t, r.Title, r)
		assert.NotEmpty(t, r.Bad, r)
		if r.ID == "SG104" && r.Severity != "info" {
			t.Errorf("SG104 is %s, the settings say info", r.Severity)
		}
	}
	for _, tt := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"rules"}, "SG104 ", 0},
		{[]string{"rules", "sg104"}, "description over 1024 characters", 0},
		{[]string{"rules", "SG999"}, "", 3},
		{[]string{"rules", "SG104", "SG105"}, "", 3},
	} {
		code, message := h.Status(New(h.App), tt.args...)
		if code != tt.code || !strings.Contains(h.Out.String(), tt.want) {
			t.Errorf("lint %v ends with %d (%s) and prints %q, want %d and %q", tt.args, code, message, h.Out.String(), tt.code, tt.want)
		}
	}
}

func TestJSONAndSARIFTogether(t *testing.T) {
	h := apptest.New(t)
	code, _ := h.Status(New(h.App), "--json", "--sarif")
	assert.Equal(t, 3, code)
}

func TestLinksOfARepository(t *testing.T) {
	const secret = "kettledrum"
	h := apptest.New(t)
	repo := filepath.Join(h.Dir, "clone")
	good := "---\nname: kettle\ndescription: Boils water. Use when the user asks for tea.\n---\n# Kettle\n\nSee [notes](notes.md).\n"
	h.Write(t, filepath.Join(repo, ".git", "HEAD"), "ref: refs/heads/main\n", 0o600)
	h.Write(t, filepath.Join(repo, "tools", "kettle", "SKILL.md"), good, 0o600)
	outside := filepath.Join(h.Dir, "private", "SKILL.md")
	h.Write(t, outside, "---\nname: <"+secret+">\ndescription: <"+secret+">\n---\n<"+secret+">\n", 0o600)
	h.Write(t, filepath.Join(repo, "tools", "linked", "x.md"), "x", 0o600)
	for link, target := range map[string]string{
		filepath.Join(repo, "tools", "linked", "SKILL.md"): outside,
		filepath.Join(repo, "tools", "folder"):             filepath.Dir(outside),
		filepath.Join(repo, "tools", "inside"):             "kettle",
	} {
		require.NoError(t, os.Symlink(target, link))
	}
	for _, arg := range []string{repo, filepath.Join(repo, "tools"), filepath.Join(repo, "tools", "linked"), filepath.Join(repo, "tools", "linked", "SKILL.md")} {
		out, err := h.Run(New(h.App), arg, "--fail-on", "off", "--no-cache")
		if strings.Contains(out, secret) || !strings.Contains(out+fmt.Sprint(err), "link that leads outside its folder") {
			t.Errorf("lint %s prints %q, %v, want a word about the link and nothing of what it points at", arg, out, err)
		}
	}
	// In the user's own folders, links may lead anywhere.
	own := filepath.Join(h.Dir, ".claude", "skills")
	h.Write(t, filepath.Join(own, ".git", "HEAD"), "ref: refs/heads/main\n", 0o600)
	require.NoError(t, os.Symlink(filepath.Dir(outside), filepath.Join(own, "mine")))
	out, err := h.Run(New(h.App), own, "--fail-on", "off", "--no-cache")
	assert.Contains(t, out, secret, err)
}

func TestJSONIsWholeOnATerminal(t *testing.T) {
	h := apptest.New(t)
	dir := skills(t, h, map[string]string{"till": "---\nname: till\n---\n# Till\n"})
	for _, flag := range []string{"--json", "--json=true"} {
		h.Args = []string{dir, flag, "--fail-on", "off"}
		lines := apptest.OnTerminal(t, h.App, 20, func() error {
			if code := h.App.Run(New(h.App)); code != 0 {
				return fmt.Errorf("status %d: %s", code, h.Err.String())
			}
			return nil
		})
		if text := strings.Join(lines, "\n"); !json.Valid([]byte(text)) || !strings.Contains(text, "the frontmatter has no description") {
			t.Errorf("lint %s prints\n%s\nwant JSON", flag, text)
		}
	}
}
