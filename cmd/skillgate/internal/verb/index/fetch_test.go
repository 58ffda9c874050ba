package index

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate/fetched"
)

func TestIndexStartsTheFetch(t *testing.T) {
	h := apptest.NewInProject(t)
	started := filepath.Join(h.Dir, "started")
	h.Write(t, filepath.Join(h.Dir, "org/skillgate-org"), "#!/bin/sh\necho \"$@\" >>"+started+"\n", 0o700)
	settings := func(text string) { h.Write(t, filepath.Join(h.Dir, ".config/skillgate/skillgate.yaml"), text, 0o600) }
	now := time.Now()
	h.Now = func() time.Time { return now }
	index := func(want int) {
		t.Helper()
		if _, err := h.Run(New(h.App), "--background"); err != nil {
			t.Fatal(err)
		}
		var text []byte
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			if text, _ = os.ReadFile(started); strings.Count(string(text), "library refresh --background\n") >= want || time.Now().After(end) {
				break
			}
		}
		if got := strings.Count(string(text), "\n"); got != want {
			t.Errorf("started %d times (%q), want %d", got, text, want)
		}
	}
	settings("libraries: [\"oci://registry.example.com/x:1\"]\n")
	t.Setenv("PATH", h.Dir)
	if _, err := h.Run(New(h.App)); err != nil || !strings.Contains(h.Err.String(), "skillgate-org is not installed") {
		t.Errorf("without skillgate-org: %v, %q, want a note", err, h.Err.String())
	}
	t.Setenv("PATH", filepath.Join(h.Dir, "org")+":/usr/bin:/bin")
	settings("libraries: []\n")
	index(0)
	settings("libraries: [\"oci://registry.example.com/x:1\"]\n")
	index(1)
	index(1)
	settings("libraries: [\"oci://registry.example.com/x:2\"]\n")
	index(2)
	now = time.Now().Add(fetched.Every + time.Second) // files have the real time
	index(3)
	settings("libraries: [\"oci://registry.example.com/x:2\"]\ndisabled: true\n")
	now = time.Now().Add(fetched.Every + time.Second) // files have the real time
	index(3)
}
