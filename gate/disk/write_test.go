package disk

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/gate/system/systemtest"
)

func TestWrite(t *testing.T) {
	tests := []struct {
		name string
		old  fs.FileMode // 0 means no file
		o    Options
		want fs.FileMode
	}{
		{"a new private file", 0, Options{}, 0o600},
		{"a new shared file", 0, Options{Shared: true}, 0o640}, // less the umask
		{"a private file keeps its mode", 0o600, Options{Shared: true}, 0o600},
		{"a file for all keeps its mode", 0o666, Options{Sync: true}, 0o666},
		{"a program keeps its mode", 0o755, Options{}, 0o755},
		{"a program that may not be run", 0o640, Options{Run: true}, 0o750},
	}
	old := systemtest.Umask(0o027)
	defer systemtest.Umask(old)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "file")
			if tt.old != 0 {
				require.NoError(t, errors.Join(os.WriteFile(file, []byte("a longer old text"), 0o600), os.Chmod(file, tt.old)))
			}
			require.NoError(t, Write(file, []byte("new"), tt.o))
			check(t, file, "new", tt.want)
		})
	}
}

func check(t *testing.T, file, text string, mode fs.FileMode) {
	t.Helper()
	got, err := os.ReadFile(file)
	if err != nil || string(got) != text {
		t.Errorf("%s holds %q, %v, want %q", file, got, err, text)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != mode {
		t.Errorf("%s has mode %v, %v, want %v", file, info.Mode(), err, mode)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), TempPrefix+"*"))
	assert.Empty(t, left)
}

func TestWriteKeepsTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may give a file away")
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, errors.Join(os.WriteFile(file, nil, 0o640), os.Chown(file, 1234, 4321)))
	require.NoError(t, Write(file, []byte("new"), Options{}))
	info, err := os.Stat(file)
	require.NoError(t, err)
	if owner, _ := system.OwnerOf(info); owner != (system.Owner{User: 1234, Group: 4321}) || info.Mode().Perm() != 0o640 {
		t.Errorf("the file belongs to %+v with mode %v, want 1234 and 4321 with 0640", owner, info.Mode())
	}
}

func TestWriteThroughLinks(t *testing.T) {
	tests := []struct {
		name, root string
		links      [][2]string // from, to
		path       string
		want       string // the written file, or ""
	}{
		{"no link", "lib", nil, "lib/a/file", "lib/a/file"},
		{"a link in the root", "lib", [][2]string{{"lib/b", "a/file"}}, "lib/b", "lib/a/file"},
		{"a link with dots in the root", "lib", [][2]string{{"lib/a/b", "../a/file"}}, "lib/a/b", "lib/a/file"},
		{"a linked folder in the root", "lib", [][2]string{{"lib/b", "a"}}, "lib/b/file", "lib/a/file"},
		{"a root that is a link", "mine", [][2]string{{"mine", "lib"}}, "mine/a/file", "lib/a/file"},
		{"a link to what is not there yet", "lib", [][2]string{{"lib/b", "new"}}, "lib/b", "lib/new"},
		{"a link out of the root", "lib", [][2]string{{"lib/b", "../out/file"}}, "lib/b", ""},
		{"a linked folder out of the root", "lib", [][2]string{{"lib/b", "../out"}}, "lib/b/file", ""},
		{"a link out of the root and back", "lib", [][2]string{{"lib/b", "../out/c"}, {"out/c", "../lib/a/file"}}, "lib/b", "lib/a/file"},
		{"a link out of the root to what is not there", "lib", [][2]string{{"lib/b", "../out/new"}}, "lib/b", ""},
		{"a link anywhere", "", [][2]string{{"lib/b", "../out/file"}}, "lib/b", "out/file"},
		{"a link behind a linked folder", "", [][2]string{{"x", "lib/a"}, {"lib/a/b", "../../out/file"}}, "x/b", "out/file"},
		{"a link in a circle", "", [][2]string{{"lib/b", "c"}, {"lib/c", "b"}}, "lib/b", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			top := t.TempDir()
			at := func(p string) string { return filepath.Join(top, filepath.FromSlash(p)) }
			for _, p := range []string{"lib/a", "out"} {
				require.NoError(t, errors.Join(os.MkdirAll(at(p), 0o700), os.WriteFile(at(p+"/file"), []byte("old"), 0o600)))
			}
			for _, l := range tt.links {
				require.NoError(t, os.Symlink(filepath.FromSlash(l[1]), at(l[0])))
			}
			o := Options{}
			if tt.root != "" {
				o.Root = at(tt.root)
			}
			err := Write(at(tt.path), []byte("new"), o)
			if (err == nil) != (tt.want != "") || tt.root != "" && err != nil && !errors.Is(err, errOutside) {
				t.Errorf("Write: %v, want it to write %q", err, tt.want)
			}
			for _, p := range []string{"lib/a/file", "out/file"} {
				text := "old"
				if p == tt.want {
					text = "new"
				}
				check(t, at(p), text, 0o600)
			}
			if tt.want != "" {
				check(t, at(tt.want), "new", 0o600)
			} else if _, err := os.Stat(at("out/new")); err == nil {
				t.Error("Write made a file out of the root")
			}
			for _, l := range tt.links {
				if info, err := os.Lstat(at(l[0])); err != nil || info.Mode()&fs.ModeSymlink == 0 {
					t.Errorf("%s is no longer a link", l[0])
				}
			}
		})
	}
}

func TestWriteLeavesAlone(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, systemtest.Mkfifo(pipe))
	tests := []struct{ name, path string }{
		{"a folder", dir},
		{"a named pipe", pipe},
		{"a file without a folder", filepath.Join(dir, "none", "file")},
		{"a file below a file", filepath.Join(pipe, "file")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Error(t, Write(tt.path, []byte("new"), Options{}), "Write says nothing")
		})
	}
	left, _ := os.ReadDir(dir)
	assert.Len(t, left, 1)
}

func TestWriteLeavesAReadOnlyFile(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write to every file")
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o400))
	assert.ErrorIs(t, Write(file, []byte("new"), Options{}), fs.ErrPermission)
	check(t, file, "old", 0o400)
}

// A full disk is simulated by a limit of file size. The old text stays.
func TestWriteBeyondTheLimit(t *testing.T) {
	const env = "DISK_TEST_FILE"
	if file := os.Getenv(env); file != "" { // the child
		assert.Error(t, Write(file, []byte(strings.Repeat("x", 64<<10)), Options{}), "Write beyond the limit says nothing")
		return
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o644))
	cmd := exec.Command("sh", "-c", `trap "" XFSZ; ulimit -f 8; exec "$0" -test.run=TestWriteBeyondTheLimit`, os.Args[0])
	cmd.Env = append(slices.Clone(os.Environ()), env+"="+file)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	check(t, file, "old", 0o644)
}
