package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/hooks/mcp"
)

func TestMCP(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binary")
	}
	home := readmeHome(t, readmeProgram(t))
	block := regexp.MustCompile("(?s)```json\n(\\{\"mcpServers\".*?)```").FindStringSubmatch(readPage(t, reference))
	var config struct {
		Servers map[string]struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
		} `json:"mcpServers"`
	}
	if block == nil || json.Unmarshal([]byte(block[1]), &config) != nil || config.Servers["skillgate"].Command != "skillgate" {
		t.Fatalf("%s has the configuration %q, want a server skillgate", reference, block)
	}
	cmd := exec.Command(filepath.Join(home.dir, ".local/bin/skillgate"), config.Servers["skillgate"].Args...)
	cmd.Dir = filepath.Join(home.dir, "work")
	cmd.Env = []string{"HOME=" + home.dir, "PATH=/usr/bin:/bin"}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("skillgate %q: %v", cmd.Args[1:], err)
	}
	call := func(tool string, in map[string]any) string {
		t.Helper()
		res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: in})
		if err != nil || res.IsError {
			t.Fatalf("%s(%v) = %+v, %v; want a result", tool, in, res, err)
		}
		out, err := json.Marshal(res.Meta[mcp.Meta])
		require.NoError(t, err)
		return string(out)
	}
	var found struct{ Candidates []struct{ Name string } }
	out := call("skill_lookup", map[string]any{"prompt": "이 회의 녹취록을 회의록으로 정리해줘"})
	if json.Unmarshal([]byte(out), &found) != nil || len(found.Candidates) == 0 || found.Candidates[0].Name != "meeting-minutes" {
		t.Errorf("skill_lookup = %s, want meeting-minutes first", out)
	}

	// A skill installed while the server runs is found.
	added := filepath.Join(home.dir, ".claude/skills/tide-tables/SKILL.md")
	require.NoError(t, os.MkdirAll(filepath.Dir(added), 0o700))
	require.NoError(t, os.WriteFile(added, []byte("---\nname: tide-tables\ndescription: Reads tide tables of a harbour.\n---\nLook up the tide.\n"), 0o600))
	assert.Contains(t, call("skill_load", map[string]any{"name": "tide-tables"}), "Look up the tide.")
	if err := session.Close(); err != nil {
		t.Errorf("skillgate %q ended with %v, want exit status 0", cmd.Args[1:], err)
	}
	// The lookup is logged with its source and with the load as its outcome, and does not count as
	// a prompt of a session.
	if out := home.run(t, "skillgate log --json"); strings.Count(out, "\n") != 1 || !strings.Contains(out, `"source":"mcp"`) || !strings.Contains(out, "회의 녹취록") ||
		!strings.Contains(out, `"skill":"tide-tables"`) {
		t.Errorf("skillgate log --json = %s, want the lookup with its source", out)
	}
	assert.Contains(t, home.run(t, "skillgate log"), " mcp")
	assert.Contains(t, home.run(t, "skillgate stats --json"), `"decisions": 0,`)
	assert.LessOrEqual(t, stderr.Len(), 0)
}
