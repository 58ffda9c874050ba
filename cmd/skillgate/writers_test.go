package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/system/systemtest"
)

func TestWritersAreAtomicAndKeepTheMode(t *testing.T) {
	const skill = ".claude/skills/pdf-forms/SKILL.md"
	// A writer that truncates first would lose the end of this long file.
	unquoted := "---\nname: pdf-forms\ndescription: Fills PDF forms: text fields and boxes.\n---\n" + strings.Repeat("Read the form.\r\n\n", 10_000)
	tests := []struct {
		name, file, old string
		args            []string
		shared          bool // a new file is readable by others
	}{
		{"lint fix", skill, unquoted, []string{"lint", "fix", "--rule", "SG103"}, true},
		{"synonyms add", ".config/skillgate/synonyms.yaml", "korean:\n  깔딱: {en: [paddle]}\n", []string{"synonyms", "add", "콩닥", "paddle"}, false},
		{"install", ".claude/settings.json", "{\"model\": \"opus\"}\n", []string{"install", "--yes"}, false},
		{"index", ".cache/skillgate/index/", "", []string{"index", "--full"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newSandbox(t)
			file := filepath.Join(m.home, filepath.FromSlash(tt.file))
			if strings.HasSuffix(tt.file, "/") { // CURRENT, which names the newest generation
				m.index()
				found, _ := filepath.Glob(filepath.Join(file, "*", "CURRENT"))
				require.Len(t, found, 1)
				file = found[0]
			} else if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(tt.old), 0o600)); err != nil {
				t.Fatal(err)
			}
			m.hook(payload(securityPrompt))
			require.NoError(t, os.Chmod(file, 0o640))
			before := read(t, file, 0o640)
			r := m.limited(0, "", tt.args...)
			assert.Equal(t, 3, r.code, "%v without room: status %d, %s%s, want 3", tt.args, r.code, r.stdout, r.stderr)
			got := read(t, file, 0o640)
			assert.Equal(t, before, got, "%v without room left %d bytes of %d", tt.args, len(got), len(before))
			r = m.run(tt.args...)
			assert.Equal(t, 0, r.code, "%v: status %d, %s", tt.args, r.code, r.stderr)
			assert.NotEqual(t, before, read(t, file, 0o640))
			left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".skillgate-*"))
			assert.Empty(t, left)
			if tt.name == "lint fix" || tt.name == "index" {
				return // these commands never create a file
			}
			require.NoError(t, os.Remove(file))
			want := fs.FileMode(0o600)
			if tt.shared {
				want = 0o644
			}
			defer systemtest.Umask(systemtest.Umask(0o022))
			r = m.run(tt.args...)
			assert.Equal(t, 0, r.code, "%v: status %d, %s", tt.args, r.code, r.stderr)
			read(t, file, want)
		})
	}
}

func read(t *testing.T, file string, mode fs.FileMode) string {
	t.Helper()
	info, err := os.Stat(file)
	require.NoError(t, err)
	if info.Mode().Perm() != mode {
		t.Errorf("%s has mode %v, want %v", filepath.Base(file), info.Mode(), mode)
	}
	text := readFile(t, file)
	return string(text)
}

func TestFixFollowsNoLinkOutOfALibrary(t *testing.T) {
	const text = "---\nname: forms\ndescription: Fills PDF forms: text fields.\n---\n# Forms\n\n1. Read.\n"
	tests := []struct {
		name, lib string
		args      []string
		file      bool // the file is a link; otherwise its folder
		writes    bool
	}{
		{"a linked file in a library", "lib", []string{"lib"}, true, false},
		{"a linked folder in a library", "lib", []string{"lib"}, false, false},
		{"a linked file that is named", "lib", []string{"lib/forms/SKILL.md"}, true, false},
		{"a linked folder of the user's skills", ".claude/skills", nil, false, true},
		{"a linked file of the user's skills", ".claude/skills", nil, true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newSandbox(t)
			kept := filepath.Join(m.home, "kept", "SKILL.md")
			folder := filepath.Join(m.home, filepath.FromSlash(tt.lib), "forms")
			err := errors.Join(os.MkdirAll(filepath.Dir(kept), 0o700), os.MkdirAll(filepath.Dir(folder), 0o700), os.WriteFile(kept, []byte(text), 0o600))
			if tt.file {
				err = errors.Join(err, os.Mkdir(folder, 0o700), os.Symlink(kept, filepath.Join(folder, "SKILL.md")))
			} else {
				err = errors.Join(err, os.Symlink(filepath.Dir(kept), folder))
			}
			require.NoError(t, err)
			r := m.run(append([]string{"lint", "fix", "--rule", "SG103"}, tt.args...)...)
			if wrote := read(t, kept, 0o600) != text; wrote != tt.writes || (r.code == 0) != tt.writes {
				t.Errorf("lint fix: status %d, wrote through the link: %v, want %v\n%s%s", r.code, wrote, tt.writes,
					r.stdout, r.stderr)
			}
			if !tt.writes && !strings.Contains(r.stderr, "a symbolic link leads outside the folder") {
				t.Errorf("lint fix says %q, want that the link leads out", r.stderr)
			}
		})
	}
}
