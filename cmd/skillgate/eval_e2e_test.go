package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	installed "github.com/skillgate/skillgate/cmd/skillgate/internal/client"
	"github.com/stretchr/testify/require"
)

type evalCase struct{ name, prompt, skill string }

var evalCases = []evalCase{
	{"english", "Make this slow SQL query faster and propose an index", "sql-query-tuner"},
	{"korean", "이 PDF 문서에 있는 표를 추출해서 엑셀 파일로 만들어 줘", "pdf-table-ko"},
	{"korean-for-english", "쿠버네티스 매니페스트 점검해줘", "k8s-manifest-check"},
	{"greeting", "안녕하세요!", ""},
}

func TestEndToEndPluginEval(t *testing.T) {
	eachClient(t, func(t *testing.T, m *machine) {
		if v, err := installed.Parse(m.claude.version); err != nil || v.Before(installed.Modules) {
			return // clients without modules have no plugin to compare
		}
		m.must("install", "--plugin", "--yes")
		suite := filepath.Join(m.home, "suite")
		require.NoError(t, os.CopyFS(suite, os.DirFS(filepath.Join(m.state(), "plugin", "claude"))))
		for _, c := range evalCases {
			m.writeCase(t, c)
		}
		m.api.followContext(true)
		cmd := m.command(m.claude.path, "plugin", "eval", suite, "--trust-plugin", "--scaffold", "--no-publish", "--json")
		cmd.Env = append(cmd.Env, "TMPDIR="+m.home)
		out, err := cmd.Output()
		var r struct {
			Cases []struct {
				Name       string
				Aggregates struct{ Score, ScoreWithout float64 }
			}
		}
		if bad := json.Unmarshal(out, &r); bad != nil || len(r.Cases) != len(evalCases) {
			t.Fatalf("claude plugin eval: %v, %v, %s; want %d cases", err, bad, out, len(evalCases))
		}
		for _, c := range evalCases {
			for _, got := range r.Cases {
				a := got.Aggregates
				if without := float64(one(c.skill == "")); got.Name == c.name && (a.Score != 1 || a.ScoreWithout != without) {
					t.Errorf("%s: score %v with the plugin, %v without it; want 1 and %v", c.name, a.Score, a.ScoreWithout, without)
				}
			}
			if list := m.api.first(t, c.prompt).listing(); !strings.Contains(list, leftOut) {
				t.Errorf("%s: the list of skills is\n%s\nwant it shortened by the module", c.name, list)
			}
		}
	})
}

func (m *machine) writeCase(t *testing.T, c evalCase) {
	t.Helper()
	prompt, err := json.Marshal(c.prompt)
	require.NoError(t, err)
	uses := "min: 1, input_match: " + c.skill
	if c.skill == "" {
		uses = "min: 0, max: 0"
	}
	dir := "suite/evals/" + c.name
	m.write(dir+"/case.yaml", fmt.Sprintf(`schema_version: "1.1"
name: %s
context: {scaffold_script: home.sh}
execution: {prompt: %s, max_turns: 3, allowed_tools: [Skill]}
runs: 1
graders: [{type: tool_used, name: skill, tool: Skill, arm: both, %s}]
`, c.name, prompt, uses))
	m.write(dir+"/home.sh", fmt.Sprintf(`set -e
mkdir -p "$HOME/.config/skillgate"
echo 'deadline_ms: 4000' >"$HOME/.config/skillgate/skillgate.yaml" # the machine may be busy
export CLAUDE_CONFIG_DIR="${HOME%%/*}/config"
cp -R '%s/.claude/skills' "$CLAUDE_CONFIG_DIR/skills"
echo '{"pluginConfigs": {"skillgate@inline": {"options": {"listing": true}}}}' >"$CLAUDE_CONFIG_DIR/settings.json"
'%s' index
`, m.home, m.binary))
}
