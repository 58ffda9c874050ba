package self

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/system"
)

func TestPassing(t *testing.T) {
	tests := []struct {
		name, path string
		want       bool
	}{
		{"npx", "/home/ann/.npm/_npx/5f3a/node_modules/@skillgate/linux-x64/bin/skillgate", true},
		{"pnpm, global", "/home/ann/.local/share/pnpm/global/5/.pnpm/@skillgate+linux-x64@1.2.3/node_modules/@skillgate/linux-x64/bin/skillgate", true},
		{"pnpm dlx", "/home/ann/.cache/pnpm/dlx/a1/b2/node_modules/skillgate", true},
		{"yarn dlx", "/tmp/xfs-3e1a/dlx-77/node_modules/@skillgate/linux-x64/bin/skillgate", true},
		{"bunx", "/tmp/bunx-1000-skillgate@latest/node_modules/skillgate", true},
		{"npm, global", "/usr/local/lib/node_modules/skillgate/node_modules/@skillgate/linux-x64/bin/skillgate", false},
		{"npm, a project", "/home/ann/app/node_modules/@skillgate/linux-x64/bin/skillgate", false},
		{"a folder that only begins so", "/home/ann/_npxes/bin/skillgate", false},
		{"install.sh", "/home/ann/.local/bin/skillgate", false},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, Passing(tt.path), tt.name)
	}
}

func TestKeep(t *testing.T) {
	write := func(file, text string) {
		t.Helper()
		require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o700)))
	}
	const old = "of github.com/skillgate/skillgate"
	both := map[string]string{"bin/skillgate": "small", "lib/skillgate/skillgate": "complete"}
	tests := []struct {
		name              string
		from, there, want map[string]string
		fails, linked     bool
	}{
		{name: "a fresh home", from: both, want: both},
		{name: "an older version is there", from: both, there: map[string]string{"bin/skillgate": old, "lib/skillgate/skillgate": old}, want: both},
		{name: "an older version behind a link", from: both, there: map[string]string{"lib/skillgate/skillgate": old}, linked: true, want: both},
		{name: "an empty file", from: both, there: map[string]string{"bin/skillgate": ""}, want: both},
		{name: "one program that is all", from: map[string]string{"bin/skillgate": "all"}, want: map[string]string{"bin/skillgate": "all"}},
		{name: "somebody else's program", from: both, there: map[string]string{"bin/skillgate": "mine"}, fails: true},
		{name: "somebody else's file behind a link", from: both, there: map[string]string{"lib/skillgate/skillgate": "mine"}, linked: true, fails: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			from, home := t.TempDir(), filepath.Join(t.TempDir(), "한글 이름")
			for file, text := range tt.from {
				write(filepath.Join(from, file), text)
			}
			lib := filepath.Join(home, ".local", "lib", "skillgate")
			if tt.linked {
				require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(lib), 0o700), os.Symlink(t.TempDir(), lib)))
			}
			for file, text := range tt.there {
				write(filepath.Join(home, ".local", file), text)
			}
			require.Equal(t, tt.fails, (Keep(filepath.Join(from, "bin", "skillgate"), home) != nil))
			want := tt.want
			if tt.fails {
				want = tt.there
			}
			for _, file := range []string{"bin/skillgate", "lib/skillgate/skillgate"} {
				path := filepath.Join(home, ".local", file)
				text, err := os.ReadFile(path)
				if want, ok := want[file]; ok {
					info, statErr := os.Stat(path)
					if err != nil || string(text) != want || statErr != nil || info.Mode()&0o100 == 0 {
						t.Errorf("%s holds %q, %v, %v; want %q, executable", file, text, err, info.Mode(), want)
					}
				} else if !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s holds %q, %v; want no such file", file, text, err)
				}
			}
			assert.Equal(t, len(want), len(Kept(home)))
			left, _ := filepath.Glob(filepath.Join(home, ".local", "*", ".*"))
			assert.Empty(t, left)
		})
	}
	err := Keep(filepath.Join(t.TempDir(), "bin", "skillgate"), t.TempDir())
	assert.Error(t, err, "Keep of nothing = nil, want an error")
}

func TestKeepIsBothOrNeither(t *testing.T) {
	from, home := t.TempDir(), t.TempDir()
	to := Lasting(home)
	called := filepath.Join(from, "bin", "skillgate")
	for file, text := range map[string]string{
		called: "new", system.CompleteProgram(called): "new",
		system.CompleteProgram(to): "old github.com/skillgate/skillgate", filepath.Join(to, "in the way"): "",
	} {
		err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o700))
		require.NoError(t, err)
	}
	err := Keep(called, home)
	text, readErr := os.ReadFile(system.CompleteProgram(to))
	if err == nil || string(text) != "old github.com/skillgate/skillgate" || readErr != nil {
		t.Errorf("Keep = %v, and the complete program is %q, %v, want an error and the old one", err, text, readErr)
	}
	left, _ := os.ReadDir(filepath.Dir(system.CompleteProgram(to)))
	assert.Len(t, left, 1)
	var did []string
	step := func(name string, err error) func() error {
		return func() error { did = append(did, name); return err }
	}
	err = putBoth(step("complete", nil), step("small", fs.ErrPermission), step("back", nil))
	if !errors.Is(err, fs.ErrPermission) || len(did) != 3 || did[2] != "back" {
		t.Errorf("putBoth = %v, did %q, want the first undone", err, did)
	}
}
