package library

import (
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

func host(t *testing.T) string {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

func shelf(t *testing.T, h *apptest.Home) string {
	dir := filepath.Join(h.Dir, "shelf")
	h.Write(t, filepath.Join(dir, "wombat", "SKILL.md"), "---\nname: wombat\ndescription: Counts wombats.\n---\nCount.\n", 0o600)
	return dir
}

func TestLibrary(t *testing.T) {
	h := apptest.New(t)
	at, dir := host(t), shelf(t, h)
	ref := at + "/team/skills:v1"
	run := func(want string, args ...string) {
		t.Helper()
		out, err := h.Run(New(h.App), args...)
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("library %q: %v, %s%s, want %q", args, err, out, h.Err.String(), want)
		}
	}
	run(ref+": 1 skill, sha256:", "push", dir, ref)
	h.Write(t, filepath.Join(h.Dir, ".config", "skillgate", "skillgate.yaml"), "libraries: ['oci://"+ref+"']\n", 0o600)
	run("oci://"+ref+": 1 skill, not signed", "refresh")
	h.Write(t, filepath.Join(dir, "lion", "SKILL.md"), "---\nname: lion\ndescription: Feeds lions.\n---\n", 0o600)
	run("2 skills", "push", dir, ref)
	run("1 added, 0 changed, 0 removed", "refresh")
	h.Write(t, filepath.Join(dir, "bear", "SKILL.md"), "---\nname: bear\ndescription: Washes bears.\n---\n", 0o600)
	run("3 skills", "push", dir, ref)
	for _, tt := range []struct {
		moved time.Duration
		want  string
	}{
		{time.Minute, ": 2 skills"},
		{-48 * time.Hour, ": 3 skills"}, // the clock was two days ahead at the last check
	} {
		now := h.App.Now
		h.App.Now = func() time.Time { return now().Add(tt.moved) }
		run("", "refresh", "--background")
		run("oci://"+ref+tt.want, "list")
		h.App.Now = now
	}
}

func TestLibraryRefuses(t *testing.T) {
	h := apptest.New(t)
	at, dir := host(t), shelf(t, h)
	empty := filepath.Join(h.Dir, "empty")
	h.Write(t, filepath.Join(empty, "notes.md"), "x", 0o600)
	h.Write(t, filepath.Join(h.Dir, "bad.key"), "x", 0o600)
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"no tag", []string{"push", dir, at + "/team/skills"}, "has no tag"},
		{"no skills", []string{"push", empty, at + "/team/skills:v1"}, "SKILL.md"},
		{"no key", []string{"push", dir, at + "/team/skills:v1", "--key", "bad.key"}, "openssl genpkey"},
		{"no such tag", []string{"pull", at + "/team/skills:none", "--to", "new"}, "a library that was fetched earlier stays in use"},
		{"a folder that is there", []string{"pull", at + "/team/skills:v1", "--to", dir}, "already exists"},
		{"a password", []string{"pull", "https://ann:hunter2@example.com", "--to", "new"}, "password"},
		{"another scheme", []string{"pull", "ftp://example.com/x", "--to", "new"}, ""},
	} {
		code, text := h.Status(New(h.App), tt.args...)
		if code != 3 || !strings.Contains(text, tt.want) || strings.Contains(text, "hunter2") ||
			strings.Contains(text, "\x1b") {
			t.Errorf("%s: library %q: status %d, %s, want 3 and %q", tt.name, tt.args, code, text, tt.want)
		}
	}
	left, err := os.ReadDir(h.Dir)
	require.NoError(t, err)
	for _, e := range left {
		assert.False(t, strings.HasPrefix(e.Name(), ".skillgate-pull-"), "%s is left", e.Name())
	}
}
