package register

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), mode))
}

func mustRead(t *testing.T, path string) File {
	t.Helper()
	f, err := ReadFile(path)
	require.NoError(t, err, path)
	return f
}

func TestWriteKeepsModeAndSymbolicLink(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "dotfiles.json")
	link := filepath.Join(dir, "settings.json")
	write(t, real, "{}", 0o640)
	require.NoError(t, os.Symlink("dotfiles.json", link))
	require.NoError(t, mustRead(t, link).Write([]byte("{\"a\":1}")))
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("Write replaced the link: %v, %v", info.Mode(), err)
	}
	if info, err = os.Stat(real); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode of the link's target = %v, %v, want -rw-r-----", info.Mode(), err)
	}
	assert.Equal(t, "{\"a\":1}", string(mustRead(t, real).Text))
	left, _ := filepath.Glob(filepath.Join(dir, ".skillgate-*"))
	assert.Empty(t, left)
}

func TestWriteCreatesAPrivateFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".claude", "settings.json")
	require.NoError(t, mustRead(t, path).Write([]byte("{}\n")))
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
	require.NoError(t, os.Symlink("later.json", link))
	require.NoError(t, mustRead(t, link).Write([]byte("{}")))
	assert.Equal(t, "{}", string(mustRead(t, filepath.Join(dir, "later.json")).Text))
}

func TestWriteRefusesAFileThatChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	write(t, path, "{}", 0o600)
	f := mustRead(t, path)
	write(t, path, "{\"b\":2}", 0o600)
	assert.ErrorContains(t, f.Write([]byte("{\"a\":1}")), "another program has changed the file")
	assert.Equal(t, "{\"b\":2}", string(mustRead(t, path).Text))
}

func TestBackup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	if name, err := mustRead(t, path).Backup(now); name != "" || err != nil {
		t.Errorf("Backup(no file) = %q, %v; want none", name, err)
	}
	write(t, path, "one", 0o644)
	first, err := mustRead(t, path).Backup(now)
	require.NoError(t, err)
	require.Equal(t, path+".skillgate-backup-20260304T050607Z", first)
	write(t, path, "two", 0o644)
	second, err := mustRead(t, path).Backup(now)
	require.NoError(t, err)
	require.NotEqual(t, first, second)
	if info, err := os.Stat(first); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode of a backup = %v, %v; want -rw-------", info.Mode(), err)
	}
	assert.Equal(t, "one", string(mustRead(t, first).Text))
	if got := mustRead(t, path).backups(); len(got) != 2 || got[0] != second {
		t.Errorf("Backups() = %v, want the newest, %s, first", got, second)
	}
}

func TestReadFileRefuses(t *testing.T) {
	dir := t.TempDir()
	big := filepath.Join(dir, "big.json")
	write(t, big, strings.Repeat(" ", maxFile+1), 0o600)
	for _, path := range []string{dir, big} {
		_, err := ReadFile(path)
		assert.Error(t, err, "ReadFile(%s) = no error, want one", path)
	}
}

// Write does not create the folder that a dangling link points to.
func TestWriteMakesNoFolderThroughALink(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "settings.json")
	require.NoError(t, os.Symlink(filepath.Join(dir, "gone", "settings.json"), link))
	assert.Error(t, mustRead(t, link).Write([]byte("{}")), "Write through a link to a folder that is not there: no error")
	_, err := os.Lstat(filepath.Join(dir, "gone"))
	assert.True(t, os.IsNotExist(err), "Write made the folder that the link names (%v)", err)
}
