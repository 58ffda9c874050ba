package fetched

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestLocal(t *testing.T) {
	ref := "oci://registry.example.com/team/skills:stable"
	for library, want := range map[string]string{
		"/skills": "/skills", "~/skills": "/home/ann/skills", ref: Folder("/cache", ref) + "/current/skills",
	} {
		if got := Local("/cache", "/home/ann", library); got != want {
			t.Errorf("Local(%q) = %q, want %q", library, got, want)
		}
	}
	if Folder("/cache", ref) == Folder("/cache", ref+"2") {
		t.Error("two references have one folder")
	}
	if got := Of([]string{"/skills", ref, "~/x"}); !reflect.DeepEqual(got, []string{ref}) {
		t.Errorf("Of = %q, want the reference alone", got)
	}
	if got := Label(ref); got != "registry.example.com/team/skills:stable" {
		t.Errorf("Label = %q", got)
	}
}

func TestCheck(t *testing.T) {
	for reference, ok := range map[string]bool{
		"https://example.com/@ann": true, "git+https://example.com/x.git@v1#a": true, "git+ssh://git@example.com/x@v1": true,
		"oci://registry.example.com/x@sha256:00": true, "git+file:///x@v1": true,
		"https://ann:secret@example.com": false, "git+https://secret@example.com/x@v1": false,
		"git+ssh://ann:secret@example.com/x@v1": false, "https://ann:secret@example.com?x": false,
	} {
		if err := Check(reference); (err == nil) != ok || err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("Check(%q) = %v, want accepted: %v", reference, err, ok)
		}
	}
}

// A clock that was wrong for a while does not keep a library as it was until then.
func TestDue(t *testing.T) {
	now := time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)
	for ago, want := range map[time.Duration]bool{
		0: false, time.Minute: false, Every: true, 24 * time.Hour: true, -time.Second: false, -365 * 24 * time.Hour: true,
	} {
		if got := Due(now.Add(-ago), now); got != want {
			t.Errorf("asked %s ago: Due = %v, want %v", ago, got, want)
		}
	}
}

func TestStatus(t *testing.T) {
	cache, ref := t.TempDir(), "oci://registry.example.com/x:1"
	if s, err := ReadStatus(cache, ref); err != nil || !reflect.DeepEqual(s, Status{Reference: ref}) {
		t.Errorf("ReadStatus before the first fetch = %+v, %v", s, err)
	}
	want := Status{Reference: ref, Digest: "sha256:x", Skills: 3, Checked: time.Unix(5, 0).UTC(), Changes: make([]Change, 2*maxChanges)}
	if err := os.MkdirAll(Folder(cache, ref), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := want.Write(cache); err != nil {
		t.Fatal(err)
	}
	want.Changes = want.Changes[:maxChanges]
	if got, err := ReadStatus(cache, ref); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("ReadStatus = %+v, %v, want %+v", got, err, want)
	}
	if err := os.WriteFile(filepath.Join(Folder(cache, ref), "status.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadStatus(cache, ref); err == nil {
		t.Errorf("ReadStatus of half a file = %+v, want an error", got)
	}
}
