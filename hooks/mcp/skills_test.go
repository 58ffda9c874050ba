package mcp

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(file), 0o700))
		must(t, os.WriteFile(file, []byte(text), 0o600))
	}
	return dir
}

const tideSkill = "---\nname: tides\ndescription: Reads tide tables.\nmetadata:\n  level: 3\n---\nRead references/ports.md.\n"

func TestSkillsExtension(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"tides/SKILL.md":            tideSkill,
		"tides/references/ports.md": "# Ports\n",
		"tides/chart.png":           "\x89PNG\x00\xff",
		"tides/.git/config":         "secret",
		"other/SKILL.md":            "---\nname: not-its-folder\n---\nNo description.\n",
		"outside.txt":               "outside",
	})
	must(t, os.Symlink(filepath.Join(dir, "outside.txt"), filepath.Join(dir, "tides", "link.txt")))
	client := connect(t, opener(t, dir), noLog)
	ext := client.InitializeResult().Capabilities.Extensions
	assert.NotNil(t, ext[extension], "the server declares the extensions %v, want %s", ext, extension)
	list, err := sdk.CallCustomMethod[*ListParams, *ListResult](t.Context(), client, "skills/list", &ListParams{})
	if err != nil || len(list.Skills) != 1 || list.NextCursor != "" || list.ResultType != "complete" {
		t.Fatalf("skills/list = %+v, %v; want the one skill that the extension may serve", list, err)
	}
	e := list.Skills[0]
	require.True(t, strings.HasPrefix(e.URI, "skill://"))
	require.True(t, strings.HasSuffix(e.URI, "/tides/SKILL.md"))
	assert.Equal(t, "map[description:Reads tide tables. metadata:map[level:3] name:tides]", fmt.Sprint(e.Frontmatter))
	var names []string
	for _, f := range e.Resources {
		names = append(names, strings.TrimPrefix(f.URI, strings.TrimSuffix(e.URI, "SKILL.md")))
		res, err := client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: f.URI})
		if err != nil {
			t.Errorf("resources/read %s: %v", f.URI, err)
			continue
		}
		c := res.Contents[0]
		content := append([]byte(c.Text), c.Blob...)
		require.Equal(t, f.Digest, fmt.Sprintf("sha256:%x", sha256.Sum256(content)), f.URI)
		assert.Equal(t, f.Size, len(content), f.URI)
	}
	assert.Equal(t, "SKILL.md chart.png references/ports.md", strings.Join(names, " "))
	got, err := sdk.CallCustomMethod[*GetParams, *GetResult](t.Context(), client, "skills/get", &GetParams{URI: e.URI})
	if err != nil || fmt.Sprint(got.Skill) != fmt.Sprint(e) || got.ResultType != "complete" {
		t.Errorf("skills/get(%s) = %+v, %v; want %+v", e.URI, got, err, e)
	}
	for _, uri := range []string{"", "skill://nowhere/SKILL.md", e.URI + "/..", strings.TrimSuffix(e.URI, "/SKILL.md"), "file:///etc/hostname"} {
		var rpc *jsonrpc.Error
		_, err := sdk.CallCustomMethod[*GetParams, *GetResult](t.Context(), client, "skills/get", &GetParams{URI: uri})
		if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("skills/get(%q) = %v, want the error %d", uri, err, jsonrpc.CodeInvalidParams)
		}
	}
	base := strings.TrimSuffix(e.URI, "SKILL.md")
	for _, name := range []string{"link.txt", "../outside.txt", "..%2Foutside.txt", ".git/config", "", "nothing.md"} {
		if res, err := client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: base + name}); err == nil {
			t.Errorf("resources/read %s = %+v, want an error", base+name, res.Contents[0])
		}
	}
}

func TestSkillsListPages(t *testing.T) {
	files := map[string]string{}
	for i := range 2*entryPage + 7 {
		name := fmt.Sprintf("skill-%03d", i)
		files[name+"/SKILL.md"] = "---\nname: " + name + "\ndescription: Number " + name + ".\n---\nDo it.\n"
	}
	client := connect(t, opener(t, writeFiles(t, files)), noLog)
	var pages []int
	var names []string
	for in := (&ListParams{}); ; {
		page, err := sdk.CallCustomMethod[*ListParams, *ListResult](t.Context(), client, "skills/list", in)
		must(t, err)
		pages = append(pages, len(page.Skills))
		for _, e := range page.Skills {
			names = append(names, e.Frontmatter["name"].(string))
		}
		if page.NextCursor == "" {
			break
		}
		in = &ListParams{Cursor: page.NextCursor}
	}
	if fmt.Sprint(pages) != "[50 50 7]" || names[0] != "skill-000" || names[len(names)-1] != "skill-106" {
		t.Errorf("skills/list has pages of %v, from %s to %s", pages, names[0], names[len(names)-1])
	}
}

// Answers are text for a model, with the same answer as a value for programs.
func TestAnswersAreText(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"tides/SKILL.md":            tideSkill + "Port: $0\n",
		"tides/references/ports.md": "# Ports\n",
	})
	var loaded string
	client := connect(t, opener(t, dir), Log{noLog.Looked, func(_ context.Context, name, path string) error {
		loaded = name + " " + filepath.Base(path)
		return nil
	}})
	tests := []struct {
		name, tool string
		in         map[string]any
		want       string
	}{
		{"what fits", "skill_lookup", map[string]any{"prompt": "use the tides skill and read the tide tables"}, "- tides: Reads tide tables."},
		{"what does not", "skill_lookup", map[string]any{"prompt": "hello!"}, "No skill fits: a prompt of this kind needs no skill"},
		{"a skill with its argument and files", "skill_load", map[string]any{"name": "tides", "arguments": "Busan"},
			"Base directory for this skill: " + dir + "/tides\n\nRead references/ports.md.\nPort: Busan\n\nOther files of the skill: references/ports.md\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: tt.tool, Arguments: tt.in})
			if err != nil || res.IsError || res.StructuredContent != nil || res.Meta[Meta] == nil {
				t.Fatalf("%s(%v) = %+v, %v; want text and its value in _meta", tt.tool, tt.in, res, err)
			}
			got := res.Content[0].(*sdk.TextContent).Text
			assert.True(t, strings.HasPrefix(got, tt.want), "%s(%v) = %q, want %q", tt.tool, tt.in, got, tt.want)
		})
	}
	assert.Equal(t, "tides SKILL.md", loaded)
}
