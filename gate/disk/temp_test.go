package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTempWhoseNameWasTaken(t *testing.T) {
	for name, do := range map[string]func(*Temp, string) error{
		"Remove":  func(tmp *Temp, _ string) error { return tmp.Remove() },
		"Discard": func(tmp *Temp, _ string) error { return tmp.Discard("x") },
		"Give":    func(tmp *Temp, to string) error { return tmp.Give("x", to) },
		"Give .":  func(tmp *Temp, to string) error { return tmp.Give(".", to) },
	} {
		for _, taken := range []string{"", "by a folder", "by a link"} {
			dir := t.TempDir()
			tmp, err := NewTemp(dir, "made-")
			if err == nil {
				err = os.WriteFile(filepath.Join(tmp.Path, "x"), nil, 0o600)
			}
			if err == nil && taken != "" {
				err = os.Rename(tmp.Path, filepath.Join(dir, "moved"))
			}
			switch {
			case err == nil && taken == "by a folder":
				err = errors.Join(os.Mkdir(tmp.Path, 0o700), os.WriteFile(filepath.Join(tmp.Path, "x"), nil, 0o600))
			case err == nil && taken == "by a link":
				err = os.Symlink("moved", tmp.Path)
			}
			require.NoError(t, err)
			to := filepath.Join(dir, "to")
			err = do(tmp, to)
			_, there := os.Lstat(filepath.Join(tmp.Path, "x"))
			if (err == nil) != (taken == "") || (there == nil) != (taken != "") {
				t.Errorf("%s of a name taken %q: %v, and then %v", name, taken, err, there)
			}
			_, err = os.Lstat(to)
			assert.Equal(t, taken == "" && name[:1] == "G", err == nil, "%s of a name taken %q: %v", name, taken, err)
		}
	}
}

func TestRemoveText(t *testing.T) {
	for _, tt := range []struct {
		name, holds string
		linked      bool
		want        error
	}{
		{"what was written", "text", false, nil},
		{"what was written through a link", "text", true, nil},
		{"something else", "texts", false, ErrChanged},
		{"something else behind a link", "tex", true, ErrChanged},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "file")
		path := file
		if tt.linked {
			path = filepath.Join(dir, "link")
			require.NoError(t, os.Symlink("file", path))
		}
		require.NoError(t, os.WriteFile(file, []byte(tt.holds), 0o600))
		assert.ErrorIs(t, RemoveText(path, []byte("text")), tt.want, tt.name)
		want := tt.holds
		if tt.want == nil {
			want = ""
		}
		text, err := os.ReadFile(file)
		if gone := tt.want == nil && !tt.linked; string(text) != want || errors.Is(err, fs.ErrNotExist) != gone {
			t.Errorf("after RemoveText of %s there is %q, %v", tt.name, text, err)
		}
		if _, err := os.Lstat(path); tt.linked && err != nil {
			t.Errorf("RemoveText of %s: %v", tt.name, err)
		}
	}
}
