package disk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPurge(t *testing.T) {
	const gen = "index/" + hex16 + "/gen-1/manifest.json"
	tests := []struct {
		name  string
		kind  Kind
		holds []string
		left  []string // reported paths, relative to the folder
		want  []string // remaining entries; nil means that the folder is gone too
	}{
		{"nothing", State, nil, nil, nil},
		{"a state", State, []string{Marker, "journal.jsonl", "sessions/" + Marker, "sessions/" + hex32 + ".json"}, nil, nil},
		{"one of an earlier version", State, []string{"journal.jsonl", "sessions/" + hex32 + ".json"}, nil, nil},
		{"a cache", Cache, []string{Marker, "index/" + Marker, gen, "lint/" + Marker}, nil, nil},
		{"a foreign one", State, []string{"journal.jsonl", "mine"}, []string{"."}, []string{"journal.jsonl", "mine"}},
		{"a file beside ours", State, []string{Marker, "journal.jsonl", "mine"}, []string{"mine"}, []string{Marker, "mine"}},
		{"a file in a generation", Cache, []string{Marker, "index/" + Marker, gen, "index/" + hex16 + "/gen-1/mine"},
			[]string{"index/" + hex16}, []string{Marker, "index", "index/" + Marker, "index/" + hex16, "index/" + hex16 + "/gen-1",
				"index/" + hex16 + "/gen-1/manifest.json", "index/" + hex16 + "/gen-1/mine"}},
		{"a foreign folder below", State, []string{Marker, "sessions/mine", "journal.jsonl"}, []string{"sessions"},
			[]string{Marker, "sessions", "sessions/mine"}},
		{"a link in the place of a file", State, []string{Marker, "journal.jsonl->../other/mine"}, nil, nil},
		{"a link to a foreign folder", State, []string{Marker, "sessions->../other"}, []string{"sessions"},
			[]string{Marker, "sessions"}},
		{"a link to a repository", Reference, []string{Marker, "git->../repository"}, []string{"git"}, []string{Marker, "git"}},
		{"a link to a folder of ours", State, []string{Marker, "sessions->../moved"}, nil, nil},
	}
	for _, tt := range tests {
		for _, dryRun := range []bool{true, false} {
			top := t.TempDir()
			dir := filepath.Join(top, "dir")
			fill(t, top, "other/mine", "repository/HEAD", "moved/"+Marker, "moved/"+hex32+".json")
			if tt.holds != nil {
				fill(t, dir, tt.holds...)
			}
			want := tt.want
			if dryRun && tt.holds != nil {
				want = names(t, dir)
			}
			p := Purge(dir, tt.kind, dryRun)
			assert.Equal(t, len(tt.left), len(p.Left), "%s, dry run %v: left %v, want %q", tt.name, dryRun, p.Left, tt.left)
			for i, err := range p.Left {
				path := filepath.Join(dir, tt.left[i]) + ": "
				assert.Equal(t, path, err.Error()[:min(len(path), len(err.Error()))], "%s: left %v, want %s", tt.name, err, path)
			}
			var got []string
			if _, err := os.Lstat(dir); err == nil {
				got = names(t, dir)
			}
			if slices.Sort(want); !slices.Equal(got, want) {
				t.Errorf("%s, dry run %v: the folder holds %q, want %q", tt.name, dryRun, got, want)
			}
			assert.Equal(t, []string{"mine"}, names(t, filepath.Join(top, "other")), tt.name)
		}
	}
}

func TestPurgeOfALink(t *testing.T) {
	top := t.TempDir()
	fill(t, top, "real/"+Marker, "real/journal.jsonl", "dir->real")
	p := Purge(filepath.Join(top, "dir"), State, false)
	require.Equal(t, 2, p.Removed)
	assert.Len(t, p.Left, 1)
	assert.Equal(t, []string{"dir", "real"}, names(t, top))
}
