package report

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/synonyms"
)

func officialSchema(t *testing.T) (schema *jsonschema.Schema, id string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "sarif-schema-2.1.0.json"))
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	id = doc.(map[string]any)["id"].(string)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource(id, doc))
	schema, err = c.Compile(id)
	require.NoError(t, err)
	return schema, id
}

func mistakes(err error) []string {
	var e *jsonschema.ValidationError
	if !errors.As(err, &e) {
		return nil
	}
	if len(e.Causes) == 0 {
		return []string{e.Error()}
	}
	var out []string
	for _, c := range e.Causes {
		out = append(out, mistakes(c)...)
	}
	return out
}

func allFindings(t *testing.T) *lint.Result {
	t.Helper()
	all := &lint.Result{Rules: map[string]int{}}
	for _, r := range lint.All {
		res := lint.Run(exampleLibrary(t, r.Text().Bad), lint.Options{Rules: map[string]bool{r.ID: true}})
		assert.NotEmpty(t, res.Findings, "%s: its bad example is not reported", r.ID)
		all.Findings = append(all.Findings, res.Findings...)
		all.Skills = append(all.Skills, res.Skills...)
	}
	return all
}

func exampleLibrary(t *testing.T, e lint.Example) *lint.Library {
	t.Helper()
	ctx, dir := context.Background(), t.TempDir()
	for _, f := range e.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(f.Text), 0o600))
	}
	roots := []catalog.Root{catalog.LibraryRoot(dir)}
	if e.Installed {
		roots = []catalog.Root{
			{Path: dir, Source: catalog.Personal, Pool: catalog.Skill, Label: "personal"},
			{Path: filepath.Join(dir, "project"), Source: catalog.Project, Pool: catalog.Skill, Label: "project"},
		}
	}
	skills, _ := lint.Load(ctx, roots, func(p string) string { // unreadable folders become findings
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return p
		}
		return rel
	})
	l := lint.NewLibrary(skills, []string{"en", "ko"})
	l.Shadow()
	x, err := index.Memory(ctx, l.Entries(), synonyms.Default(), nil)
	require.NoError(t, err)
	r, err := findable.NewRetriever(index.Join(x), x.Dict)
	require.NoError(t, err)
	l.Measured, err = lint.Measure(ctx, l, r, lint.Measurement{Concurrent: true})
	require.NoError(t, err)
	return l
}

func TestSARIFFitsTheOfficialSchema(t *testing.T) {
	schema, id := officialSchema(t)
	write := func(res *lint.Result, version string) map[string]any {
		t.Helper()
		var out bytes.Buffer
		require.NoError(t, SARIF(&out, res, version))
		var log map[string]any
		require.NoError(t, json.Unmarshal(out.Bytes(), &log))
		for _, e := range mistakes(schema.Validate(log)) {
			t.Errorf("SARIF(%q): %s", version, e)
		}
		return log
	}

	all := allFindings(t)
	log := write(all, "v0.1.0")
	if log["$schema"] != id {
		t.Errorf("$schema is %v, want the schema's id %q", log["$schema"], id)
	}
	run := log["runs"].([]any)[0].(map[string]any)
	rules := run["tool"].(map[string]any)["driver"].(map[string]any)["rules"].([]any)
	reported, fixed := map[any]bool{}, map[any]bool{}
	for _, r := range run["results"].([]any) {
		one := r.(map[string]any)
		reported[one["ruleId"]] = true
		if one["fixes"] != nil {
			fixed[one["ruleId"]] = true
		}
		if at := int(one["ruleIndex"].(float64)); rules[at].(map[string]any)["id"] != one["ruleId"] {
			t.Errorf("a result of %v has the index of %v", one["ruleId"], rules[at].(map[string]any)["id"])
		}
	}
	for _, r := range lint.All {
		if !reported[r.ID] || fixed[r.ID] != r.Fixes {
			t.Errorf("%s: in the log %v, with a fix %v, want true, %v", r.ID, reported[r.ID], fixed[r.ID], r.Fixes)
		}
	}
	write(&lint.Result{}, "")

	// The schema must reject a broken log.
	run = log["runs"].([]any)[0].(map[string]any)
	one := run["results"].([]any)[0].(map[string]any)
	for name, spoil := range map[string]func(){
		"an unknown key":    func() { one["rule"] = "SG101" },
		"a wrong constant":  func() { run["columnKind"] = "bytes" },
		"a missing message": func() { delete(one, "message") },
		"a wrong type":      func() { one["ruleIndex"] = "3" },
		"no tool":           func() { delete(run, "tool") },
	} {
		before := len(mistakes(schema.Validate(log)))
		if spoil(); len(mistakes(schema.Validate(log))) <= before {
			t.Errorf("%s is not found", name)
		}
	}
}
