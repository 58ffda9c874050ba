package mcp

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
)

// TestConformance runs the protocol's conformance scenarios against the server: those of the Skills
// extension and those that need no special tools. MCP_CONFORMANCE is dist/index.js of
// @modelcontextprotocol/conformance, 0.2.0-alpha.12 or later, which needs Node 22.
func TestConformance(t *testing.T) {
	program := os.Getenv("MCP_CONFORMANCE")
	if program == "" {
		t.Skip("MCP_CONFORMANCE is not set")
	}
	dir := writeFiles(t, map[string]string{
		"tides/SKILL.md":            tideSkill,
		"tides/references/ports.md": "# Ports\n",
		"tides/chart.png":           "\x89PNG\x00\xff",
		"ferries/SKILL.md":          "---\nname: ferries\ndescription: Plans ferry crossings.\n---\nPlan.\n",
	})
	server := New(Source{Open: opener(t, dir), Log: noLog}, "test")
	both := []string{"tools-list", "resources-list", "sep-2640-skills-enumeration", "sep-2640-skills-manifest"}
	for version, more := range map[string][]string{
		"2025-11-25": {"server-initialize", "server-session-lifecycle", "ping"},
		"2026-07-28": {"sep-2164-resource-not-found", "caching"},
	} {
		web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server },
			&sdk.StreamableHTTPOptions{Stateless: version == "2026-07-28"}))
		t.Cleanup(web.Close)
		for _, scenario := range append(more, both...) {
			out, err := exec.CommandContext(t.Context(), "node", program, "server", "--url", web.URL,
				"--scenario", scenario, "--spec-version", version, "--force").CombinedOutput()
			t.Logf("%s of %s\n%s", scenario, version, out)
			assert.NoError(t, err, "%s of %s: %v", scenario, version, err)
		}
	}
}
