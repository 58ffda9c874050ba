package fetched

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLocal(t *testing.T) {
	ref := "oci://registry.example.com/team/skills:stable"
	for library, want := range map[string]string{
		"/skills": "/skills", "~/skills": "/home/ann/skills", ref: Folder("/cache", ref) + "/current/skills",
	} {
		assert.Equal(t, want, Local("/cache", "/home/ann", library), library)
	}
	assert.NotEqual(t, Folder("/cache", ref+"2"), Folder("/cache", ref), "two references have one folder")
	assert.Equal(t, []string{ref}, Of([]string{"/skills", ref, "~/x"}))
	assert.Equal(t, "registry.example.com/team/skills:stable", Label(ref))
}

func TestCheck(t *testing.T) {
	for reference, ok := range map[string]bool{
		"https://example.com/@ann": true, "https://example.com/x.git@v1#a": true,
		"oci://registry.example.com/x@sha256:00": true,
		"https://ann:secret@example.com":         false, "https://secret@example.com/x@v1": false,
		"https://ann:secret@example.com?x": false,
	} {
		if err := Check(reference); (err == nil) != ok || err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("Check(%q) = %v, want accepted: %v", reference, err, ok)
		}
	}
}

// A clock that was wrong for a while does not stop refreshes.
func TestDue(t *testing.T) {
	now := time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)
	for ago, want := range map[time.Duration]bool{
		0: false, time.Minute: false, Every: true, 24 * time.Hour: true, -time.Second: false, -365 * 24 * time.Hour: true,
	} {
		assert.Equal(t, want, Due(now.Add(-ago), now), ago)
	}
}

func TestStatus(t *testing.T) {
	cache, ref := t.TempDir(), "oci://registry.example.com/x:1"
	if s, err := ReadStatus(cache, ref); err != nil || !reflect.DeepEqual(s, Status{Reference: ref}) {
		t.Errorf("ReadStatus before the first fetch = %+v, %v", s, err)
	}
	want := Status{Reference: ref, Digest: "sha256:x", Skills: 3, Checked: time.Unix(5, 0).UTC(), Changes: make([]Change, 2*maxChanges)}
	require.NoError(t, os.MkdirAll(Folder(cache, ref), 0o700))
	require.NoError(t, want.Write(cache))
	want.Changes = want.Changes[:maxChanges]
	if got, err := ReadStatus(cache, ref); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("ReadStatus = %+v, %v, want %+v", got, err, want)
	}
	require.NoError(t, os.WriteFile(filepath.Join(Folder(cache, ref), "status.json"), []byte("{"), 0o600))
	got, err := ReadStatus(cache, ref)
	assert.Error(t, err, "ReadStatus of half a file = %+v, want an error", got)
}
