package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	personal = Root{Path: "/home/ann/.claude/skills", Source: Personal, Pool: Skill, Label: "personal"}
	agents   = Root{Path: "/home/ann/.claude/agents", Source: Personal, Pool: Agent, Label: "personal-agents"}
	plugin   = Root{Path: "/p/skills", Source: Plugin, Pool: Skill, Plugin: "kit@shop", Prefix: "kit:", Label: "plugin/kit@shop"}
	library  = LibraryRoot("/lib")
)

func parseAs(root Root, folder, text string) Entry {
	name := filepath.Join(root.Path, folder, SkillMD)
	if root.Pool != Skill {
		name = filepath.Join(root.Path, folder)
	}
	return Parse(root, File{Path: name, Folder: folder, Size: int64(len(text))}, []byte(text))
}

func problems(e Entry) string {
	var all []string
	for _, p := range e.Problems {
		all = append(all, p.Text)
	}
	return strings.Join(all, "\n")
}

func TestParseTestdata(t *testing.T) {
	tests := []struct {
		name, file, folder string
		want               Entry
		problem            string // part of a problem's text
		line               int
	}{
		{"byte order mark and CRLF", "bom-crlf.md", "invoice-maker", Entry{
			Name: "invoice-maker", Description: `Makes invoices from a price list. Use when the user asks to "make an invoice" or "청구서 만들어줘".`,
			WhenToUse: "After an order was confirmed.", ModelInvocable: true, Headings: []string{"Invoice maker"}, Body: "# Invoice maker\n\nFill the template.\n",
		}, "", 0},
		{"YAML that does not parse", "broken-yaml.md", "deploy-notes", Entry{
			Name: "deploy-notes", Description: `Deploys: writes release notes: and posts them to the team channel. "quoted" mid-text`,
			WhenToUse: "Use when a release is tagged. Do NOT use for hotfixes (use hotfix-notes).", Headings: []string{"Deploy notes"}, Body: "# Deploy notes\n",
		}, "not valid YAML", 3},
		{"alias bomb", "bomb.md", "alias-bomb", Entry{
			Name: "alias-bomb", Description: "Tests what aliases cost.", WhenToUse: "Tests what aliases cost.", ModelInvocable: true, Body: "body\n",
		}, "", 0},
		{"first line is no frontmatter", "no-frontmatter.md", "plain", Entry{
			Name: "plain", Description: "No frontmatter here.", ModelInvocable: true, Body: "No frontmatter here.\n\n---\nname: not-a-name\n---\n",
		}, "no description", 0},
		{"frontmatter never closed", "unclosed.md", "never-closed", Entry{
			Name: "never-closed", Description: "---", ModelInvocable: true, Headings: []string{"Body"},
			Body: "---\nname: never-closed\ndescription: Has no second line of hyphens.\n\n# Body\n",
		}, "no closing ---", 1},
		{"bad UTF-8, NUL and escapes", "bytes.md", "bytes", Entry{
			Name: "bytes", Description: "Bad \uFFFD bytes and a list", ModelInvocable: true, Body: "Body with   NUL,  [31m escape and \uFFFD(.\n",
		}, "not valid UTF-8", 0},
		{"numbers, empty description, paths", "numbers.md", "2024", Entry{
			Name: "2024", Description: "Yearly report ##", ModelInvocable: true, Headings: []string{"Yearly report", "Steps"},
			Paths: []string{"src/**/*.{ts,tsx}", "docs/**"},
			Body:  "\n\n## Yearly   report ##\n\nText\n\n```sh\n# no heading\n```\n\n### Steps\n",
		}, "no description", 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", tt.file))
			require.NoError(t, err)
			e := parseAs(personal, tt.folder, string(text))
			got := Entry{Name: e.Name, Description: e.Description, WhenToUse: e.WhenToUse, ModelInvocable: e.ModelInvocable,
				Headings: e.Headings, Paths: e.Paths, Body: e.Body}
			assert.Empty(t, cmp.Diff(tt.want, got))
			if tt.problem == "" {
				assert.Empty(t, e.Problems)
				return
			}
			for _, p := range e.Problems {
				if strings.Contains(p.Text, tt.problem) {
					assert.Equal(t, tt.line, p.Line, p.Text)
					return
				}
			}
			t.Errorf("Parse(%s).Problems = %v, want one with %q", tt.file, e.Problems, tt.problem)
		})
	}
}

func TestName(t *testing.T) {
	front := func(fields string) string { return "---\n" + fields + "\n---\nbody\n" }
	tests := []struct {
		name      string
		root      Root
		folder    string
		text      string
		want, id  string
		invocable bool
		problem   string
	}{
		{"folder and name agree", personal, "pdf", front("name: pdf\ndescription: d"), "pdf", "personal/pdf", true, ""},
		{"folder wins over name", personal, "pdf", front("name: PDF tools\ndescription: d"), "pdf", "personal/pdf", true, "differs from the folder"},
		{"no name", personal, "pdf", front("description: d"), "pdf", "personal/pdf", true, ""},
		{"folder with a control character", personal, "a\x07b", front("description: d"), "a b", "personal/a\x07b", false, "cannot be typed"},
		{"plugin skill", plugin, "pdf", front("description: d"), "kit:pdf", "plugin/kit@shop/pdf", true, ""},
		{"plugin skill with a name", plugin, "pdf", front("name: forms\ndescription: d"), "kit:pdf", "plugin/kit@shop/pdf", true, "differs"},
		{"plugin folder with spaces", plugin, "my forms!", front("description: d"), "kit:my-forms-", "plugin/kit@shop/my forms!", true, ""},
		{"plugin that is a skill", plugin, "", front("name: my forms!\ndescription: d"), "kit:my-forms-", "plugin/kit@shop", true, ""},
		{"library skill goes by its name", library, "a/b/pdf", front("name: pdf-forms\ndescription: d"), "pdf-forms", "a/b/pdf", true, ""},
		{"library skill without a name", library, ".archive/pdf", front("description: d"), "pdf", ".archive/pdf", true, ""},
		{"skill at the top of a library", library, "", front("description: d"), "lib", ".", true, ""},
		{"disabled for the model", personal, "pdf", front("description: d\ndisable-model-invocation: true"), "pdf", "personal/pdf", false, ""},
		{"disabled with on", personal, "pdf", front("description: d\ndisable-model-invocation: On"), "pdf", "personal/pdf", false, ""},
		{"disabled with 1", personal, "pdf", front("description: d\ndisable-model-invocation: 1"), "pdf", "personal/pdf", false, ""},
		{"not disabled with no", personal, "pdf", front("description: d\ndisable-model-invocation: no"), "pdf", "personal/pdf", true, ""},
		{"agent", agents, "team/reviewer.md", front("name: code-reviewer\ndescription: d"), "code-reviewer", "personal-agents/team/reviewer.md", true, ""},
		{"agent without a name", agents, "reviewer.md", front("description: d"), "reviewer", "personal-agents/reviewer.md", false, "no name"},
		{"agent without a description", agents, "reviewer.md", front("name: reviewer"), "reviewer", "personal-agents/reviewer.md", false, "no description"},
		{"agent whose name starts with a hyphen", agents, "r.md", front("name: -r\ndescription: d"), "-r", "personal-agents/r.md", false, "starts with a hyphen"},
		{"plugin agent in a subfolder", Root{Path: "/p/agents", Source: Plugin, Pool: Agent, Prefix: "kit:", Label: "l"},
			"sub/r.md", front("description: d"), "kit:sub:r", "l/sub/r.md", true, ""},
		{"command", Root{Path: "/c", Source: Personal, Pool: Command, Label: "l"}, "front/new.md",
			front("name: x\ndescription: d"), "front:new", "l/front/new.md", true, ""},
		{"command in a SKILL.md", Root{Path: "/c", Source: Personal, Pool: Command, Label: "l"}, "front/new/SKILL.md",
			front("name: x\ndescription: d"), "front:new", "l/front/new/SKILL.md", true, ""},
		{"command that only a person may start", Root{Path: "/c", Source: Personal, Pool: Command, Label: "l"}, "new.md",
			front("disable-model-invocation: yes\ndescription: d"), "new", "l/new.md", false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := parseAs(tt.root, tt.folder, tt.text)
			if e.Name != tt.want || e.ID != tt.id || e.ModelInvocable != tt.invocable {
				t.Errorf("Parse(%q, %q) = name %q, id %q, invocable %v; want %q, %q, %v", tt.folder, tt.text, e.Name, e.ID, e.ModelInvocable, tt.want, tt.id, tt.invocable)
			}
			if tt.problem == "" && len(e.Problems) > 0 || !strings.Contains(problems(e), tt.problem) {
				t.Errorf("Parse(%q, %q).Problems = %v, want %q", tt.folder, tt.text, e.Problems, tt.problem)
			}
		})
	}
}

func TestReadCutsLargeFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "big", SkillMD)
	write(t, file, "---\ndescription: d\n---\n"+strings.Repeat("line\n", MaxFile/4))
	root := Root{Path: dir, Source: Personal, Pool: Skill, Label: "personal"}
	files, errs := Files(t.Context(), []Root{root}, nil)
	require.Len(t, files, 1)
	require.Empty(t, errs)
	e, err := Read(root, files[0])
	require.NoError(t, err)
	require.LessOrEqual(t, len(e.Body), MaxFile)
	assert.Contains(t, problems(e), "the rest is ignored")
	assert.False(t, e.ModelInvocable, "Read() of %d bytes is invocable; the host skips files over %d", e.Size, HostMax)
	_, err = Read(root, File{Path: dir})
	assert.Error(t, err, "Read(folder) gave no error")
}

func TestHugeFrontmatterIsReadByLine(t *testing.T) {
	e := parseAs(personal, "x", "---\ndescription: Short.\nfill: "+strings.Repeat("y", maxYAML)+"\n---\nbody")
	require.Equal(t, "Short.", e.Description)
	assert.Contains(t, problems(e), "line by line")
}

func FuzzParse(f *testing.F) {
	seeds, err := filepath.Glob("testdata/*.md")
	if err != nil || len(seeds) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, s := range seeds {
		text, err := os.ReadFile(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, "folder", uint8(0))
		f.Add(text, "a/b.md", uint8(2))
	}
	f.Add([]byte("---\ndescription: Not for X (use a-b), 'y' — use c.\n---\n"), "x", uint8(1))
	f.Add([]byte("---\n<<: [*a]\n? {}\n: &a\n---"), "x\x00", uint8(3))
	roots := []Root{personal, plugin, agents, library}
	f.Fuzz(func(t *testing.T, text []byte, folder string, kind uint8) {
		root := roots[int(kind)%len(roots)]
		e := Parse(root, File{Path: filepath.Join(root.Path, folder, SkillMD), Folder: folder, Size: int64(len(text))}, text)
		if e.Name == "" || e.ID == "" || len(e.Hash) != 64 {
			t.Errorf("name %q, id %q, hash %q", e.Name, e.ID, e.Hash)
		}
		line := append([]string{e.Name, e.Folder, e.Description, e.WhenToUse, e.Capability}, e.Triggers...)
		line = append(append(line, e.Headings...), e.Paths...)
		for _, b := range e.Boundaries {
			line = append(append(line, b.Not), b.Use...)
			if b.Not == "" {
				t.Errorf("boundary without its thing: %+v", e.Boundaries)
			}
		}
		for _, p := range e.Problems {
			line = append(line, p.Text)
		}
		for _, s := range line {
			if !utf8.ValidString(s) || strings.ContainsFunc(s, isControl) {
				t.Errorf("%q is not clean", s)
			}
		}
		for _, s := range []string{e.Body, e.Frontmatter} {
			if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return isControl(r) && r != '\n' && r != '\t' }) {
				t.Errorf("%q is not plain", s)
			}
		}
	})
}

func write(t *testing.T, file, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
}
