package enrich

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
)

func phrases(id, hash, text string) Expansion {
	return Expansion{
		ID: id, Name: path.Base(id), Hash: hash, Phrases: []Phrase{{Kind: "en", Text: text}},
		Schema: Schema, Provider: "claude", Date: day,
	}
}

func openStore(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func put(t *testing.T, s *Store, list ...Expansion) {
	t.Helper()
	for _, x := range list {
		require.NoError(t, s.Put(x))
	}
}

func TestStoreLookup(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	s := openStore(t, dir)
	put(t, s, phrases("p/pdf", "h1", "old request"), phrases("p/pdf", "h2", "new request"),
		phrases("p/xlsx", "h3", "sheet request"))
	s.Close()
	read, err := Load(dir)
	require.NoError(t, err)
	tests := []struct {
		name, id, hash string
		want           []string
	}{
		{"the last line counts", "p/pdf", "h2", []string{"new request"}},
		{"changed content keeps the old expansion until there is a new one", "p/pdf", "h9", []string{"new request"}},
		{"copy of a file", "q/sheet", "h3", []string{"sheet request"}},
		{"replaced content is no copy", "q/pdf", "h1", nil},
		{"unknown", "q/none", "h5", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			diff := cmp.Diff(tt.want, read.Lookup(tt.id, tt.hash))
			assert.Empty(t, diff, "Lookup(%q, %q) differs (-want +got):\n%s", tt.id, tt.hash, diff)
		})
	}
	if fi, err := os.Stat(filepath.Join(dir, File)); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("mode of %s = %v, %v, want 0600", File, fi.Mode(), err)
	}
	if fi, err := os.Stat(dir); err != nil || fi.Mode().Perm() != 0o700 {
		t.Errorf("mode of the state folder = %v, %v, want 0700", fi.Mode(), err)
	}
}

func TestStoreSurvivesACutLine(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	put(t, s, phrases("p/a", "1", "request a"), phrases("p/b", "2", "request b"))
	s.Close()
	file := filepath.Join(dir, File)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	// A kill can cut the second line anywhere.
	first := strings.IndexByte(string(text), '\n') + 1
	for cut := first + 1; cut < len(text); cut += 7 {
		require.NoError(t, os.WriteFile(file, text[:cut], 0o600))
		s := openStore(t, dir)
		put(t, s, phrases("p/c", "3", "request c"))
		for id, want := range map[string]string{"p/a": "request a", "p/c": "request c"} {
			if got := s.Lookup(id, ""); len(got) != 1 || got[0] != want {
				t.Fatalf("file cut at %d: Lookup(%s) = %q, want %q", cut, id, got, want)
			}
		}
		s.Close()
		again, err := Load(dir)
		if err != nil || again.Len() < 2 || again.Skipped > 0 {
			t.Fatalf("file cut at %d: Load = %d expansions, %d skipped, %v, want 2 or 3, none, nil", cut, again.Len(), again.Skipped, err)
		}
	}
}

func TestStoreHasOneWriter(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	if _, err := Open(dir); !errors.Is(err, ErrBusy) {
		t.Errorf("second Open = %v, want ErrBusy", err)
	}
	put(t, s, phrases("p/a", "1", "request a"))
	if read, err := Load(dir); err != nil || read.Len() != 1 {
		t.Errorf("Load beside a writer = %v, want its expansion", err)
	}
	s.Close()
	s2, err := Open(dir)
	require.NoError(t, err)
	s2.Close()
}

func TestStoreCompacts(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	for range 40 {
		put(t, s, phrases("p/a", "1", "request a"), phrases("p/b", "2", "request b"))
	}
	s.Close()
	file := filepath.Join(dir, File)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	learned := `{"id":"p/a","learned":[{"text":"typed"}]}` + "\n" // a prompt, as in older versions
	require.NoError(t, os.WriteFile(file, append(text, learned...), 0o600))
	openStore(t, dir).Close()
	text, err = os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(string(text), "\n"))
	if read, err := Load(dir); err != nil || read.Len() != 2 {
		t.Errorf("Load after compaction = %v, %v, want 2 expansions", read, err)
	}
}

func TestStoreOfANewerVersion(t *testing.T) {
	dir := t.TempDir()
	err := os.WriteFile(filepath.Join(dir, File),
		[]byte(`{"id":"p/a","schema":99,"en":["one"]}`+"\n"+`{"id":"p/b","schema":1,"provider":"file","en":["two"]}`+"\n"),
		0o600)
	require.NoError(t, err)
	if s, err := Load(dir); err != nil || s.Len() != 1 {
		t.Errorf("Load = %v, want the one line that can be read", err)
	}
	_, err = Open(dir)
	assert.ErrorContains(t, err, "newer skillgate")
}

func TestLoadWithoutAFile(t *testing.T) {
	s, err := Load(filepath.Join(t.TempDir(), "none"))
	require.NoError(t, err)
	assert.Zero(t, s.Len())
	assert.Error(t, s.Put(phrases("p/a", "1", "x")), "Put into a store opened for reading = nil, want an error")
	_, err = os.Stat(s.file)
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestPlan(t *testing.T) {
	s := openStore(t, t.TempDir())
	put(t, s, phrases("p/fresh", "1", "request"), phrases("p/changed", "2", "request"),
		phrases("p/korean", "3", "request"))
	entry := func(id, hash string) catalog.Entry {
		return catalog.Entry{ID: id, Name: path.Base(id), Hash: hash, ModelInvocable: true}
	}
	entries := []catalog.Entry{
		entry("p/fresh", "1"), entry("p/changed", "22"), entry("p/new", "4"), entry("q/copy", "4"),
		{ID: "p/manual", Name: "manual", Hash: "6"},
	}
	tests := []struct {
		name string
		sel  Select
		want []string
	}{
		{"new and changed, one of two copies, none that the model may not run", Select{Languages: []string{"en"}}, []string{"p/changed", "p/new"}},
		{"limit", Select{Languages: []string{"en"}, Limit: 1}, []string{"p/changed"}},
		{"a pattern", Select{Languages: []string{"en"}, Only: []string{"ch*"}}, []string{"p/changed"}},
		{"another language", Select{Languages: []string{"en", "ko"}, Only: []string{"fresh"}}, []string{"p/fresh"}},
		{"no such skill", Select{Languages: []string{"en"}, Only: []string{"nothing"}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, e := range s.Plan(entries, tt.sel) {
				got = append(got, e.ID)
			}
			assert.Empty(t, cmp.Diff(tt.want, got))
		})
	}
}
