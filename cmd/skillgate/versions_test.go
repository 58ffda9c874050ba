package main

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	require.NoError(t, err)
	return files
}

func TestBesideTheIndexOfAnotherVersion(t *testing.T) {
	m := newSandbox(t)
	m.index()
	other := filepath.Join(filepath.Dir(m.indexDir()), "0123456789abcdef")
	require.NoError(t, os.CopyFS(other, os.DirFS(m.indexDir())))
	changed := 0
	for file, text := range filesBelow(t, other) {
		if filepath.Base(file) == "manifest.json" {
			m.write(file, strings.Replace(text, `"format":`, `"format":9`, 1))
			changed++
		}
	}
	require.NotEqual(t, 0, changed, "no manifest found")
	before := filesBelow(t, other)
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"as it is", func() {}},
		{"after a change", func() {
			m.write(filepath.Join(m.home, ".claude", "skills", "more", "SKILL.md"), "---\nname: more\ndescription: Waters plants.\n---\n# More\n")
			m.index()
		}},
		{"after a full build", func() { m.index("--full") }},
	} {
		step.do()
		got := m.checked(m.hook(payload(securityPrompt)))
		assert.NotEmpty(t, got.stdout, "%s: the hook does not answer beside another version's index", step.name)
		after := filesBelow(t, other)
		assert.Equal(t, len(before), len(after), step.name)
		for file, text := range before {
			assert.Equal(t, text, after[file], "%s: %s of the other version was changed", step.name, file)
		}
	}
}

func TestBesideANewerJournal(t *testing.T) {
	m := newSandbox(t)
	m.index()
	m.checked(m.hook(payload(securityPrompt)))
	got := m.run("log")
	require.Equal(t, 0, got.code, got.stderr)
	db := filepath.Join(m.home, ".local", "state", "skillgate", "journal.db")
	bumpSchema(t, db)
	before := readFile(t, db)
	waiting := func() int { // number of lines that are not folded yet
		text := readFile(t, m.journal())
		return bytes.Count(text, []byte("\n"))
	}
	if got := m.checked(m.hook(payload(securityPrompt))); got.stdout == "" {
		t.Error("the hook does not answer beside a newer journal")
	}
	assert.Equal(t, 1, waiting())
	for _, verb := range []string{"log", "stats", "report", "replay"} {
		got := m.run(verb)
		if got.code != 3 || strings.Count(got.stderr, "newer skillgate") != 1 || !strings.Contains(got.stderr, "hint") {
			t.Errorf("%s beside a newer journal = %d, %q, want 3, why, once, and a hint", verb, got.code, got.stderr)
		}
	}
	if after, err := os.ReadFile(db); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the newer journal was changed: %v", err)
	}
	assert.Equal(t, 1, waiting())
}

func bumpSchema(t *testing.T, file string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+file)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)")
	require.NoError(t, err)
}
