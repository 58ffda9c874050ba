package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	hex16 = "0123456789abcdef"
	hex32 = hex16 + hex16
)

func TestMatch(t *testing.T) {
	tests := []struct {
		pattern, name string
		want          bool
	}{
		{"CURRENT", "CURRENT", true},
		{"CURRENT", "CURRENT.old", false},
		{"gen-<n>", "gen-12", true},
		{"gen-<n>", "gen-", false},
		{"gen-<n>", "gen-1x", false},
		{"tmp-<n>-<n>", "tmp-1-22", true},
		{"tmp-<n>-<n>", "tmp-1", false},
		{"<16 hex>", hex16, true},
		{"<16 hex>", hex16 + "0", false},
		{"<16 hex>", hex16[1:], false},
		{"<16 hex>", strings.ToUpper(hex16), false},
		{"<32 hex>.json", hex32 + ".json", true},
		{"<32 hex>.json", hex32 + ".json.bak", false},
		{"base.*", "base.zap", true},
		{"base.*", "basement", false},
		{"a*.json", "a.b.json", true},
	}
	for _, tt := range tests {
		got := match(tt.pattern, tt.name)
		assert.Equal(t, tt.want, got, "match(%q, %q) = %v, want %v", tt.pattern, tt.name, got, tt.want)
	}
}

// fill creates files. A name that ends in a slash is a folder, and one with an arrow is a link.
func fill(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		name, to, link := strings.Cut(name, "->")
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		switch {
		case err != nil:
		case link:
			err = os.Symlink(to, path)
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(path, 0o700)
		default:
			err = os.WriteFile(path, []byte("{}"), 0o600)
		}
		require.NoError(t, err)
	}
}

func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && path != dir {
			rel, _ := filepath.Rel(dir, path)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	require.NoError(t, err)
	return out
}

func TestMake(t *testing.T) {
	tests := []struct {
		name  string
		kind  Kind
		holds []string
		why   string // the foreign entry, or ""
	}{
		{"an empty folder", Sessions, nil, ""},
		{"sessions of an earlier version", Sessions, []string{hex32 + ".json", ".skillgate-1abc"}, ""},
		{"a file beside the sessions", Sessions, []string{hex32 + ".json", "notes.json"}, "it contains notes.json"},
		{"a folder beside the sessions", Sessions, []string{hex32 + ".json", "mine/"}, "it contains mine"},
		{"a folder in a session's place", Sessions, []string{hex32 + ".json/"}, ""},
		{"a marker that is a folder", Sessions, []string{".skillgate/"}, ".skillgate is not a regular file"},
		{"an index of an earlier version", Index, []string{"CURRENT", "build.lock", "gen-3/manifest.json", "gen-3/base.zap"}, ""},
		{"what a killed builder left", Index, []string{"CURRENT", "tmp-1-2/base.zap", "tmp-1-2/base.zap.build/1.zap"}, ""},
		{"a strange file in a generation", Index, []string{"CURRENT", "gen-3/manifest.json", "gen-3/x"}, "it contains gen-3/x"},
		{"a generation that is a link", Index, []string{"CURRENT", "gen-3->../x"}, "it contains gen-3"},
		{"indexes", Indexes, []string{hex16 + "/CURRENT", hex16 + "/gen-1/manifest.json"}, ""},
		{"a strange index among indexes", Indexes, []string{hex16 + "/CURRENT", hex16 + "/.git/config"}, "it contains " + hex16 + "/.git"},
		{"a state", State, []string{"journal.jsonl", "journal.12.jsonl", "journal.db", "journal.db-wal", "sessions->/else"}, ""},
		{"a strange state", State, []string{"journal.jsonl", "journal.x.jsonl"}, "it contains journal.x.jsonl"},
	}
	for _, tt := range tests {
		for _, linked := range []bool{false, true} {
			dir := filepath.Join(t.TempDir(), "dir")
			fill(t, dir, append(tt.holds, "./")...)
			before, path := names(t, dir), dir
			if linked {
				path += "-link"
				require.NoError(t, os.Symlink(dir, path))
			}
			f, err := Make(path, tt.kind)
			if err == nil {
				f.Close()
			}
			foreign, ok := errors.AsType[*ForeignError](err)
			switch {
			case tt.why == "" && err != nil:
				t.Errorf("%s: %v", tt.name, err)
			case tt.why != "" && (!ok || foreign.Why != tt.why || foreign.Path != path):
				t.Errorf("%s: %v, want that %s", tt.name, err, tt.why)
			}
			after := names(t, dir)
			if tt.why == "" {
				before = append(before, Marker)
				slices.Sort(before)
				slices.Sort(after)
			}
			assert.Equal(t, after, before, tt.name)
		}
	}
}

// A linked folder in which every name is possible may be anybody's.
func TestOpenOfALinkedModel(t *testing.T) {
	top := t.TempDir()
	fill(t, top, "theirs/model.json", "mine->theirs")
	_, err := Open(filepath.Join(top, "mine"), Model)
	assert.Error(t, err, "somebody's folder is adopted")
	assert.Equal(t, []string{"model.json"}, names(t, filepath.Join(top, "theirs")))
}

func TestForeign(t *testing.T) {
	tests := []struct {
		name  string
		kind  Kind
		holds []string
		want  []string // foreign entries, relative to the folder
	}{
		{"nothing", State, nil, nil},
		{"an earlier version's", State, []string{"journal.jsonl", "sessions/" + hex32 + ".json"}, nil},
		{"strange sessions in a state", State, []string{".skillgate", "notes", "sessions/" + hex32 + ".json", "sessions/mine"}, []string{"sessions/mine"}},
		{"a strange state", State, []string{"notes", "sessions/mine"}, []string{"notes", "sessions/mine"}},
		{"models", State, []string{"rerank/models/m/model.json", "rerank/models/x/y"}, []string{"rerank/models/x"}},
		{"an index", Cache, []string{"index/.skillgate", "index/" + hex16 + "/notes"}, []string{"index/" + hex16 + "/notes"}},
		{"an index in a folder without a marker", Cache, []string{"index/" + hex16 + "/notes"}, []string{"index/" + hex16 + "/notes"}},
	}
	for _, tt := range tests {
		dir := filepath.Join(t.TempDir(), "dir")
		fill(t, dir, append(tt.holds, "./")...)
		before := names(t, dir)
		var got []string
		for _, e := range Foreign(dir, tt.kind) {
			rel, err := filepath.Rel(dir, filepath.Join(e.Path, e.Entry))
			require.NoError(t, err)
			got = append(got, filepath.ToSlash(rel))
		}
		assert.Equal(t, tt.want, got, tt.name)
		assert.Equal(t, before, names(t, dir), tt.name)
	}
}

func TestMakeReadsTheNewestProof(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, hex32+".json")
	require.NoError(t, os.WriteFile(filepath.Join(dir, hex32+".json"), []byte("{broken"), 0o600))
	_, err := Make(dir, Sessions)
	assert.Error(t, err, "a folder is adopted though its newest session cannot be read")
}

// The parent folders of a new folder must be skillgate's own too.
func TestMakeAsksTheFoldersAbove(t *testing.T) {
	state := t.TempDir()
	fill(t, state, "mine.txt")
	_, err := Make(filepath.Join(state, "sessions"), Sessions)
	assert.Error(t, err, "a folder is made in a foreign one")
	assert.Equal(t, []string{"mine.txt"}, names(t, state))
	state = filepath.Join(t.TempDir(), "a", "state")
	require.NoError(t, Ensure(filepath.Join(state, "sessions"), Sessions))
	got, want := names(t, state), []string{Marker, "sessions", "sessions/" + Marker}
	assert.Equal(t, want, got)
}

func TestRemoveTakesOnlyWhatIsOurs(t *testing.T) {
	tests := []struct {
		name   string
		kind   Kind
		holds  []string
		remove string
		want   []string // remaining entries; nil means all
	}{
		{"a session", Sessions, []string{hex32 + ".json"}, hex32 + ".json", []string{}},
		{"a linked session", Sessions, []string{hex32 + ".json->../outside/file"}, hex32 + ".json", []string{}},
		{"what is gone", Sessions, nil, hex32 + ".json", []string{}},
		{"another file", Sessions, []string{"notes.json"}, "notes.json", nil},
		{"a name that leads out", Sessions, nil, "../outside/file", nil},
		{"a generation", Index, []string{"gen-1/manifest.json", "gen-1/base.zap.build/1.zap"}, "gen-1", []string{}},
		{"a generation with something else in it", Index, []string{"gen-1/manifest.json", "gen-1/x"}, "gen-1", nil},
		{"a linked generation", Index, []string{"gen-1->../outside"}, "gen-1", []string{}},
		{"a linked folder in a generation", Index, []string{"gen-1/base.zap.build->../../outside"}, "gen-1", []string{}},
		{"another folder", Index, []string{"mine/x"}, "mine", nil},
		{"an index", Indexes, []string{hex16 + "/gen-1/manifest.json", hex16 + "/" + Marker}, hex16, []string{}},
		{"an index with something else in it", Indexes, []string{hex16 + "/gen-1/manifest.json", hex16 + "/x"}, hex16, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			top := t.TempDir()
			dir, outside := filepath.Join(top, "dir"), filepath.Join(top, "outside")
			fill(t, top, "outside/file", "outside/manifest.json", "outside/1.zap", "dir/"+Marker)
			fill(t, dir, tt.holds...)
			want, there := tt.want, names(t, outside)
			if want == nil {
				want = names(t, dir)
			} else {
				want = append([]string{Marker}, want...)
			}
			f, err := Open(dir, tt.kind)
			require.NoError(t, err)
			defer f.Close()
			remove := f.Remove
			if _, ok := tt.kind.folder(tt.remove); ok {
				remove = f.RemoveFolder
			}
			assert.Equal(t, tt.want != nil, remove(tt.remove) == nil)
			assert.Equal(t, want, names(t, dir))
			assert.Equal(t, there, names(t, outside))
		})
	}
}
