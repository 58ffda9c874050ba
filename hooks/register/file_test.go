package register

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func mustRead(t *testing.T, path string) File {
	t.Helper()
	f, err := ReadFile(path)
	if err != nil {
		t.Fatalf("ReadFile(%s): %v", path, err)
	}
	return f
}

func TestWriteKeepsModeAndSymbolicLink(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "dotfiles.json")
	link := filepath.Join(dir, "settings.json")
	write(t, real, "{}", 0o640)
	if err := os.Symlink("dotfiles.json", link); err != nil {
		t.Fatal(err)
	}
	if err := mustRead(t, link).Write([]byte("{\"a\":1}")); err != nil {
		t.Fatalf("Write: %v", err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("Write replaced the link: %v, %v", info.Mode(), err)
	}
	if info, err = os.Stat(real); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode of the link's target = %v, %v, want -rw-r-----", info.Mode(), err)
	}
	if got := mustRead(t, real); string(got.Text) != "{\"a\":1}" {
		t.Errorf("Write through a link = %q, want {\"a\":1}", got.Text)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".skillgate-*")); len(left) > 0 {
		t.Errorf("Write left %v", left)
	}
}

func TestWriteCreatesAPrivateFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".claude", "settings.json")
	if err := mustRead(t, path).Write([]byte("{}\n")); err != nil {
		t.Fatalf("Write: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode of a new file = %v, %v; want -rw-------", info.Mode(), err)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode of a new folder = %v, %v; want 0700", info.Mode(), err)
	}
}

func TestWriteThroughALinkToNothing(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "settings.json")
	if err := os.Symlink("later.json", link); err != nil {
		t.Fatal(err)
	}
	if err := mustRead(t, link).Write([]byte("{}")); err != nil {
		t.Fatalf("Write: %v", err)
	}
	if got := mustRead(t, filepath.Join(dir, "later.json")); string(got.Text) != "{}" {
		t.Errorf("Write through a link to nothing = %q, want {}", got.Text)
	}
}

func TestWriteRefusesAFileThatChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	write(t, path, "{}", 0o600)
	f := mustRead(t, path)
	write(t, path, "{\"b\":2}", 0o600)
	if err := f.Write([]byte("{\"a\":1}")); err == nil || !strings.Contains(err.Error(), "changed by another program") {
		t.Errorf("Write over a change = %v, want a refusal", err)
	}
	if got := mustRead(t, path); string(got.Text) != "{\"b\":2}" {
		t.Errorf("Write over a change left %q", got.Text)
	}
}

func TestBackup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	if name, err := mustRead(t, path).Backup(now); name != "" || err != nil {
		t.Errorf("Backup(no file) = %q, %v; want none", name, err)
	}
	write(t, path, "one", 0o644)
	first, err := mustRead(t, path).Backup(now)
	if err != nil || first != path+".skillgate-backup-20260304T050607Z" {
		t.Fatalf("Backup = %q, %v", first, err)
	}
	write(t, path, "two", 0o644)
	second, err := mustRead(t, path).Backup(now)
	if err != nil || second == first {
		t.Fatalf("second Backup = %q, %v; want another name", second, err)
	}
	if info, err := os.Stat(first); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode of a backup = %v, %v; want -rw-------", info.Mode(), err)
	}
	if got := mustRead(t, first); string(got.Text) != "one" {
		t.Errorf("backup = %q, want one", got.Text)
	}
	if got := mustRead(t, path).backups(); len(got) != 2 || got[0] != second {
		t.Errorf("Backups() = %v, want the newest, %s, first", got, second)
	}
}

func TestReadFileRefuses(t *testing.T) {
	dir := t.TempDir()
	big := filepath.Join(dir, "big.json")
	write(t, big, strings.Repeat(" ", maxFile+1), 0o600)
	for _, path := range []string{dir, big} {
		if _, err := ReadFile(path); err == nil {
			t.Errorf("ReadFile(%s) = no error, want one", path)
		}
	}
}

// A link to a folder that is not there is a mistake, not a wish.
func TestWriteMakesNoFolderThroughALink(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "settings.json")
	if err := os.Symlink(filepath.Join(dir, "gone", "settings.json"), link); err != nil {
		t.Fatal(err)
	}
	if err := mustRead(t, link).Write([]byte("{}")); err == nil {
		t.Error("Write through a link to a folder that is not there: no error")
	}
	if _, err := os.Lstat(filepath.Join(dir, "gone")); !os.IsNotExist(err) {
		t.Errorf("Write made the folder that the link names (%v)", err)
	}
}
