package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

var (
	mention = regexp.MustCompile(`skillgate-dev( [a-z]+\b)+( [A-Z][A-Za-z.]*)*( --[a-z0-9-]+( [^\s-]\S*)?)*`)
	flag    = regexp.MustCompile(` --([a-z0-9-]+)`)
)

func TestMentionedCommands(t *testing.T) {
	root := newRoot(app.New(nil))
	found := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if d.IsDir() || !slices.Contains([]string{".go", ".md", ".txt"}, filepath.Ext(path)) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, said := range mention.FindAllString(string(text), -1) {
			words := strings.Fields(said)[1:]
			if words[0] == "is" { // the package comment
				continue
			}
			found++
			cmd, _, err := root.Find(words)
			if err != nil || !cmd.Runnable() || cmd == root {
				t.Errorf("%s: %q is not a command", path, said)
				continue
			}
			for _, f := range flag.FindAllStringSubmatch(said, -1) {
				if cmd.Flag(f[1]) == nil {
					t.Errorf("%s: %q: %s has no flag --%s", path, said, cmd.CommandPath(), f[1])
				}
			}
		}
		return nil
	})
	if err != nil || found < 30 {
		t.Errorf("read %d commands, error %v, want at least 30", found, err)
	}
}

func TestCommandsAreFew(t *testing.T) {
	apptest.AreFew(t, newRoot(apptest.New(t).App), 14, 31)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
