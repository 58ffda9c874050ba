package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms"
)

const library = "../../testdata/skills-e2e"

func opener(t *testing.T, dir string) Open {
	t.Helper()
	root := catalog.LibraryRoot(dir)
	files, problems := catalog.Files(t.Context(), []catalog.Root{root}, nil)
	if len(problems) > 0 {
		t.Fatal(errors.Join(problems...))
	}
	var entries []catalog.Entry
	for _, f := range files {
		entry, err := catalog.Read(root, f)
		must(t, err)
		entries = append(entries, entry)
	}
	return func(ctx context.Context) (*gate.Gate, error) {
		x, err := index.Memory(ctx, entries, synonyms.Default(), nil)
		if err != nil {
			return nil, err
		}
		return gate.OpenIndexes(gate.Default(), []string{"test"}, x), nil
	}
}

var noLog = Log{
	Looked: func(context.Context, *gate.Gate, gate.Decision) error { return nil },
	Loaded: func(context.Context, string, string) error { return nil },
}

func connect(t *testing.T, open Open, log Log) *sdk.ClientSession {
	t.Helper()
	here, there := sdk.NewInMemoryTransports()
	_, err := New(Source{Open: open, Log: log}, "test").Connect(t.Context(), there, nil)
	must(t, err)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	must(t, errors.Join(sdk.AddSendingCustomMethod[*ListParams, *ListResult](client, "skills/list"),
		sdk.AddSendingCustomMethod[*GetParams, *GetResult](client, "skills/get")))
	session, err := client.Connect(t.Context(), here, nil)
	must(t, err)
	t.Cleanup(func() { session.Close() })
	return session
}

func call[Out any](t *testing.T, client *sdk.ClientSession, tool string, in any) (out Out, message string) {
	t.Helper()
	res, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: in})
	require.NoError(t, err, "%s(%+v): %v", tool, in, err)
	if res.IsError {
		return out, res.Content[0].(*sdk.TextContent).Text
	}
	text, err := json.Marshal(res.Meta[Meta])
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	require.NoError(t, err, "%s(%+v) = %s: %v", tool, in, text, err)
	return out, ""
}

func TestTools(t *testing.T) {
	client := connect(t, opener(t, library), noLog)
	res, err := client.ListTools(t.Context(), nil)
	must(t, err)
	var names []string
	for _, tool := range res.Tools {
		names = append(names, tool.Name)
		assert.Equal(t, tool.Name == "skill_lookup", tool.Meta["anthropic/alwaysLoad"] == true, tool.Name)
		if tool.InputSchema == nil || !tool.Annotations.ReadOnlyHint {
			t.Errorf("tool %s has the schema %v and the annotations %+v, want a schema and read-only", tool.Name, tool.InputSchema, tool.Annotations)
		}
	}
	assert.Equal(t, []string{"skill_load", "skill_lookup"}, slices.Sorted(slices.Values(names)))
}

func TestLookup(t *testing.T) {
	client := connect(t, opener(t, library), noLog)
	fits := []struct{ name, prompt, skill string }{
		{"English prompt", "review this PR for security issues", "pr-security-review"},
		{"Korean prompt", "이 회의 녹취록을 회의록으로 정리해줘", "meeting-minutes"},
	}
	for _, tt := range fits {
		t.Run(tt.name, func(t *testing.T) {
			got, message := call[LookupOutput](t, client, "skill_lookup", LookupInput{Prompt: tt.prompt, K: 3})
			if message != "" || got.Verdict != "inject" || len(got.Candidates) == 0 || len(got.Candidates) > 3 {
				t.Fatalf("skill_lookup(%q, k 3) = %+v, %q; want inject with up to 3 candidates", tt.prompt, got, message)
			}
			c := got.Candidates[0]
			if c.Name != tt.skill || !c.Fits || c.Score <= 0 || len(c.Matched) == 0 || c.Description == "" || got.Message != "" {
				t.Errorf("skill_lookup(%q) begins with %+v, want %s, fitting, with score, words and description", tt.prompt, c, tt.skill)
			}
		})
	}
	t.Run("fewer wanted than fit", func(t *testing.T) {
		const prompt = "review this PR for security issues, then write release notes for it, then extract the tables of a PDF"
		all, message := call[LookupOutput](t, client, "skill_lookup", LookupInput{Prompt: prompt})
		if len(all.Candidates) < 2 || !all.Candidates[1].Fits {
			t.Fatalf("skill_lookup(%q) = %+v, %q; want two that fit", prompt, all, message)
		}
		one, message := call[LookupOutput](t, client, "skill_lookup", LookupInput{Prompt: prompt, K: 1})
		if len(one.Candidates) != 1 || one.Candidates[0].Name != all.Candidates[0].Name {
			t.Errorf("skill_lookup(%q, k 1) = %+v, %q; want the first of %+v", prompt, one, message, all)
		}
	})
	t.Run("nothing fits", func(t *testing.T) {
		for prompt, want := range map[string]string{
			"안녕하세요!": "greeting", "zyxwv qqqq": "none shares a word", "what does a mutex do": "No skill fits",
		} {
			got, message := call[LookupOutput](t, client, "skill_lookup", LookupInput{Prompt: prompt})
			if !strings.Contains(got.Message, want) {
				t.Errorf("skill_lookup(%q) = %+v, %q; want a message with %q", prompt, got, message, want)
			}
		}
	})
	t.Run("too many wanted", func(t *testing.T) {
		_, message := call[LookupOutput](t, client, "skill_lookup", LookupInput{Prompt: "x", K: 21})
		assert.Contains(t, message, "must be 1 to 20")
	})
	t.Run("without a prompt", func(t *testing.T) {
		res, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: "skill_lookup", Arguments: map[string]any{"k": 3}})
		if err == nil && !res.IsError {
			t.Errorf("skill_lookup without a prompt = %+v, want an error", res.Content)
		}
	})
}

func TestLookupsAreLogged(t *testing.T) {
	var logged []gate.Decision
	client := connect(t, opener(t, library), Log{Looked: func(_ context.Context, g *gate.Gate, d gate.Decision) error {
		assert.NotNil(t, g, "logged without the gate that decided")
		logged = append(logged, d)
		return nil
	}, Loaded: noLog.Loaded})
	prompts := []string{"review this PR for security issues, mail ann@example.com", "안녕하세요!"}
	for _, p := range prompts {
		call[LookupOutput](t, client, "skill_lookup", LookupInput{Prompt: p})
	}
	call[LoadOutput](t, client, "skill_load", LoadInput{Name: "pdf-table-ko"})
	if len(logged) != 2 || logged[0].Verdict != gate.Inject || logged[1].Verdict != gate.Skip || logged[1].Prompt != prompts[1] {
		t.Fatalf("two lookups and a load logged %+v; want the decisions of the lookups", logged)
	}
	if p := logged[0].Prompt; !strings.HasPrefix(p, "review this PR") || strings.Contains(p, "ann@example.com") {
		t.Errorf("the first lookup logged the prompt %q, want it redacted", p)
	}
}

func TestLoad(t *testing.T) {
	client := connect(t, opener(t, library), noLog)
	t.Run("by name", func(t *testing.T) {
		want, err := os.ReadFile(filepath.Join(library, "pdf-table-ko", "SKILL.md"))
		must(t, err)
		got, message := call[LoadOutput](t, client, "skill_load", LoadInput{Name: "pdf-table-ko"})
		_, body := frontmatter(string(want))
		if message != "" || got.Text != body || body == "" || got.Truncated || filepath.Base(got.Path) != "SKILL.md" {
			t.Errorf("skill_load(pdf-table-ko) = %+v, %q; want the whole text after the frontmatter", got, message)
		}
	})
	refused := []struct{ name, skill, want string }{
		{"unknown name", "no-such-skill", "use skill_lookup"},
		{"part of a name", "pdf-table", "similar names: pdf-table-ko"},
		{"path instead of a name", "../../../go.mod", "no skill is named"},
		{"absolute path", "/etc/hostname", "no skill is named"},
		{"empty name", "", "no skill is named"},
		{"skill that only a person may start", "deploy-production", "no skill is named"},
	}
	for _, tt := range refused {
		t.Run(tt.name, func(t *testing.T) {
			got, message := call[LoadOutput](t, client, "skill_load", LoadInput{Name: tt.skill})
			if !strings.Contains(message, tt.want) || got.Text != "" {
				t.Errorf("skill_load(%q) = %+v, error %q; want no text and an error with %q", tt.skill, got, message, tt.want)
			}
		})
	}
}

func TestAnswersHoldNoKeys(t *testing.T) {
	dir := t.TempDir()
	canary := "glpat-" + "kV7pQz2LmX9rT4wB1cD5"
	must(t, os.Mkdir(filepath.Join(dir, "deploy"), 0o755))
	text := "---\nname: deploy-forms\ndescription: Deploys form services with " + canary +
		" to the cluster.\n---\nLog in with " + canary + ". In tests: password=example\n"
	must(t, os.WriteFile(filepath.Join(dir, "deploy", "SKILL.md"), []byte(text), 0o644))
	open := opener(t, dir)
	var logged gate.Decision
	client := connect(t, open, Log{func(_ context.Context, _ *gate.Gate, d gate.Decision) error { logged = d; return nil }, noLog.Loaded})
	found, _ := call[LookupOutput](t, client, "skill_lookup",
		LookupInput{Prompt: "use the deploy-forms skill to deploy form services to the cluster with " + canary})
	loaded, _ := call[LoadOutput](t, client, "skill_load", LoadInput{Name: "deploy-forms"})
	_, refused := call[LoadOutput](t, client, "skill_load", LoadInput{Name: canary})
	if len(found.Candidates) != 1 || !strings.Contains(loaded.Text, "password=example") || refused == "" || logged.Context == "" {
		t.Fatalf("found %+v, loaded %+v, refused %q, logged %+v", found, loaded, refused, logged)
	}
	answers, err := json.Marshal([]any{found, loaded, refused, logged})
	require.NoError(t, err)
	assert.NotContains(t, string(answers), canary)
}

func TestLoadIsCapped(t *testing.T) {
	dir := t.TempDir()
	front := "---\nname: long\ndescription: Long text.\n---\nx"
	text := front + strings.Repeat("글", maxText/3) // the limit is inside a character
	must(t, os.MkdirAll(filepath.Join(dir, "long"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "long", "SKILL.md"), []byte(text), 0o600))
	client := connect(t, opener(t, dir), noLog)
	got, message := call[LoadOutput](t, client, "skill_load", LoadInput{Name: "long"})
	if !got.Truncated || len(got.Text) > maxText || len(got.Text) < maxText-len(front)-utf8.UTFMax || !strings.Contains(text, got.Text) {
		t.Errorf("skill_load(long) = %d bytes, truncated %v, %q; want the first %d or a few less", len(got.Text), got.Truncated, message, maxText)
	}
}

// A key at the limit must be recognised although only half of it would be returned.
func TestLoadSeesAKeyAtTheLimitWhole(t *testing.T) {
	dir := t.TempDir()
	text := "---\nname: long\ndescription: Long text.\n---\n"
	text += strings.Repeat("word ", (maxText-len(text)-30)/5) + "ghp_R7mQ2xV9kLp4TzW8sBn5YcH1dGf6JaE3uXo0 and more\n"
	must(t, os.MkdirAll(filepath.Join(dir, "long"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "long", "SKILL.md"), []byte(text), 0o600))
	got, message := call[LoadOutput](t, connect(t, opener(t, dir), noLog), "skill_load", LoadInput{Name: "long"})
	if !got.Truncated || strings.Contains(got.Text, "ghp_R7m") {
		t.Errorf("skill_load(long) ends in %q, truncated %v, %q; want no key", got.Text[max(0, len(got.Text)-60):], got.Truncated, message)
	}
}

func TestTurns(t *testing.T) {
	taken, held, open := 0, 0, opener(t, library)
	var busy error
	outside := func() {
		assert.Equal(t, 0, held, "a call that waits has a turn")
	}
	s := Source{
		Open: func(ctx context.Context) (*gate.Gate, error) { outside(); return open(ctx) },
		Log: Log{
			Looked: func(context.Context, *gate.Gate, gate.Decision) error { outside(); return nil },
			Loaded: func(context.Context, string, string) error { outside(); return nil },
		},
		File: func(_ context.Context, _ *gate.Gate, d index.Doc) (string, any, error) {
			outside()
			return d.Path, nil, nil
		},
		Turn: func(context.Context) (func(), error) {
			if busy == nil {
				taken++
				held++
			}
			return func() { held-- }, busy
		},
	}
	for name, call := range map[string]func() error{
		"skill_lookup": func() error { _, err := s.Lookup(t.Context(), LookupInput{Prompt: "review this PR"}); return err },
		"skill_load":   func() error { _, err := s.Load(t.Context(), LoadInput{Name: "meeting-minutes"}); return err },
		"skills/list":  func() error { _, err := s.listEntries(t.Context(), nil); return err },
	} {
		taken, busy = 0, nil
		if err := call(); err != nil || taken != 1 || held != 0 {
			t.Errorf("%s: %v with %d turns, of which %d have not ended; want one that has", name, err, taken, held)
		}
		busy = errors.New("busy")
		assert.ErrorIs(t, call(), busy, name)
	}
}

func TestFaultIsTheCallsError(t *testing.T) {
	broken := true
	healthy := opener(t, library)
	client := connect(t, func(ctx context.Context) (*gate.Gate, error) {
		if broken {
			panic("cut file")
		}
		return healthy(ctx)
	}, noLog)
	lookup := LookupInput{Prompt: "review this PR"}
	_, message := call[LookupOutput](t, client, "skill_lookup", lookup)
	assert.Contains(t, message, "internal error: ")
	broken = false
	if out, message := call[LookupOutput](t, client, "skill_lookup", lookup); len(out.Candidates) == 0 {
		t.Errorf("skill_lookup after a fault = %+v, %q; want skills: the server lives on", out, message)
	}
}

func TestServeEndsWithItsInput(t *testing.T) {
	var out strings.Builder
	if err := Serve(t.Context(), New(Source{Open: opener(t, library), Log: noLog}, "test"), strings.NewReader(""), &out); err != nil || out.Len() > 0 {
		t.Errorf("Serve(empty input) = %v and wrote %q, want nothing", err, out.String())
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	require.NoError(t, err)
}
