package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bar"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/need"
)

func TestRepository(t *testing.T) {
	home := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(home, name)
		require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
	}
	write("app/.git/HEAD", "ref: refs/heads/main\n")
	write("app/cmd/main.go", "package main\n")
	write("app/.git/worktrees/fix/commondir", "../..\n")
	write("fix/.git", "gitdir: "+home+"/app/.git/worktrees/fix\n")
	write("fix/cmd/main.go", "package main\n")
	write("app/.git/worktrees/near/commondir", "../..\n")
	write("near/.git", "gitdir: ../app/.git/worktrees/near\n")
	write("bare.git/worktrees/tree/commondir", "../..\n")
	write("tree/.git", "gitdir: "+home+"/bare.git/worktrees/tree\n")
	write("app/.git/modules/lib/HEAD", "ref: refs/heads/main\n")
	write("app/lib/.git", "gitdir: ../.git/modules/lib\n")
	write("lost/.git", "gitdir: "+home+"/deleted/.git/worktrees/lost\n")
	write("notes/todo.md", "Water the plants.\n")
	tests := []struct{ name, cwd, want string }{
		{"a repository", "app", "app/.git"},
		{"a folder of it", "app/cmd", "app/.git"},
		{"a work tree", "fix", "app/.git"},
		{"a folder of a work tree", "fix/cmd", "app/.git"},
		{"a work tree with a relative path", "near", "app/.git"},
		{"a work tree of a bare repository", "tree", "bare.git"},
		{"a submodule", "app/lib", "app/.git/modules/lib"},
		{"a work tree whose repository is gone", "lost", "lost"},
		{"no repository", "notes", "notes"},
		{"a folder that is gone", "app/gone", ""},
		{"a file", "notes/todo.md", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want != "" {
				want = filepath.Join(home, want)
			}
			assert.Equal(t, want, repository(filepath.Join(home, tt.cwd), dirs.Dirs{Home: home}))
		})
	}
	assert.Empty(t, repository("", dirs.Dirs{Home: home}))
}

// Calibrate holds the lock, because its result rests on the changes so far.
func TestCalibrateWaitsForItsTurn(t *testing.T) {
	dir, projects := t.TempDir(), t.TempDir()
	for i := range 2 * bar.MinTurns {
		session, cwd := string(rune('a'+i%26))+string(rune('a'+i/26)), filepath.Join(projects, string(rune('a'+i%3)))
		require.NoError(t, os.MkdirAll(cwd, 0o700))
		at := time.Duration(i) * time.Minute
		in := func(r *journal.Record) { r.Session, r.Cwd, r.PromptID = session, cwd, session }
		r := decided(t, dir, "frost the cake", at, func(r *journal.Record) {
			in(r)
			r.Decision.Need, r.Decision.Model = 0.4, need.Default().ID()
			r.Decision.Candidates = []gate.Candidate{{Name: "icing"}, {Name: "sugar"}, {Name: "cream"}}
		})
		used(t, dir, []string{"icing", "sugar", "cream"}[i%3], at+time.Second, in)
		turnEnded(t, dir, r, session, true, at+2*time.Second)
	}
	db := openDB(t, dir)
	fold(t, db)
	d, now := dirs.Dirs{Home: dir, State: dir}, noon.Add(24*time.Hour)
	lock, err := bar.Lock(t.Context(), dir)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err = db.Calibrate(ctx, d, now, bar.Itself)
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	if c, err := db.Calibrate(t.Context(), d, now, ""); err != nil || c.NeedMin == c.From {
		t.Errorf("Calibrate that keeps nothing: %+v, %v, want a change", c, err)
	}
	if changes, err := bar.Changes(dir); len(changes) != 0 || err != nil {
		t.Errorf("changes under another's lock: %v, %v", changes, err)
	}
	lock.Close()
	if c, err := db.Calibrate(t.Context(), d, now, bar.Itself); err != nil || c.NeedMin == c.From {
		t.Errorf("Calibrate after that: %+v, %v, want a change", c, err)
	}
	if changes, err := bar.Changes(dir); len(changes) != 1 || err != nil {
		t.Errorf("changes after that: %v, %v, want one", changes, err)
	}
}
