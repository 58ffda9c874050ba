package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app"
)

func TestHits(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("SKILL.md", "---\nname: pdf\n---\n")
	run := func(path string, n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"rule":"SG106","severity":"error","path":%q,"line":2,"message":"number %d of %s"}`, path, i, path))
		}
		return `{"version":2,"findings":[` + strings.Join(list, ",") + `]}`
	}
	write("many.json", run("SKILL.md", 40))
	write("few.json", run("gone.md", 2))
	print := func(args ...string) string {
		var out bytes.Buffer
		a := app.New(nil)
		a.Stdout = &out
		cmd := newHitsCommand(a)
		cmd.SetArgs(append([]string{"many.json", "few.json", "--most", "6"}, args...))
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	got := print("--seed", "3")
	if !strings.Contains(got, "SG106 error, description is missing or empty: 42 hits, 6 drawn from 2 runs\n") || strings.Count(got, " of gone.md") != 2 ||
		strings.Count(got, " of SKILL.md") != 4 || !strings.Contains(got, "    1| ---\n    2| name: pdf\n") {
		t.Errorf("hits printed\n%s\nwant both hits of few.json, four of many.json, and the lines around them", got)
	}
	if again := print("--seed", "3"); again != got {
		t.Errorf("the same seed printed\n%s\nwant\n%s", again, got)
	}
	if other := print("--seed", "4"); other == got {
		t.Error("another seed draws the same hits")
	}
	if none := print("--rule", "SG101"); none != "" {
		t.Errorf("--rule SG101 printed %q, want nothing", none)
	}
}
