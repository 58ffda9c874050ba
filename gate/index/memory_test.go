package index

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/synonyms"
)

func memoryEntries(t *testing.T) []catalog.Entry {
	t.Helper()
	var entries []catalog.Entry
	for name, description := range map[string]string{
		"pdf-forms": `Fills and reads PDF forms. Use when the user says "fill in this form". Do NOT use for joining files (use pdf-merge).`,
		"pdf-merge": "Joins PDF files into one. Korean triggers: \"PDF 합쳐줘\".",
		"weather":   "Tells the weather of a city.",
	} {
		f := catalog.File{Path: "/x/" + name + "/SKILL.md", Folder: name}
		entries = append(entries, catalog.Parse(catalog.LibraryRoot("/x"), f, []byte("---\nname: "+name+"\ndescription: >-\n  "+description+"\n---\n# "+name+"\n")))
	}
	slices.SortFunc(entries, func(a, b catalog.Entry) int { return len(a.ID) - len(b.ID) })
	return entries
}

func postings(t *testing.T, s *Snapshot, term string) map[string]Freq {
	t.Helper()
	list, err := s.Postings(term, nil)
	require.NoError(t, err)
	out := map[string]Freq{}
	for i, n := range list.Numbers {
		d, err := s.Doc(n)
		require.NoError(t, err)
		out[d.ID] = list.Freq(i)
	}
	return out
}

func TestMemoryEqualsDisk(t *testing.T) {
	ctx, dir, entries := context.Background(), t.TempDir(), memoryEntries(t)
	if _, err := Build(ctx, Options{Dir: dir, Scope: "test", Entries: entries, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	disk, err := Open(dir)
	require.NoError(t, err)
	defer disk.Close()
	memory, err := Memory(ctx, entries, synonyms.Default(), nil)
	require.NoError(t, err)
	a, b := Join(disk), Join(memory)
	require.Equal(t, b.Mean, a.Mean)
	assert.Equal(t, b.Skills, a.Skills)
	for _, term := range []string{"pdf", "form", "file", "weather", "absent"} {
		got, want := postings(t, b, term), postings(t, a, term)
		assert.Equal(t, len(want), len(got), "Postings(%q) in memory = %v, want %v", term, got, want)
		for id := range want {
			assert.Equal(t, want[id], got[id], "Postings(%q) in memory: %s = %x, want %x", term, id, got[id], want[id])
		}
		n, err := b.DocFreq(term)
		require.NoError(t, err, term)
		assert.Equal(t, len(want), n, term)
	}
}

func TestOverlayReplacesOneSkill(t *testing.T) {
	ctx, dir, entries := context.Background(), t.TempDir(), memoryEntries(t)
	if _, err := Build(ctx, Options{Dir: dir, Scope: "test", Entries: entries, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	disk, err := Open(dir)
	require.NoError(t, err)
	defer disk.Close()
	require.NoError(t, disk.Hide("weather"))
	changed := catalog.Parse(catalog.LibraryRoot("/x"), catalog.File{Folder: "weather"}, []byte("---\nname: weather\ndescription: Forecasts rain.\n---\n"))
	over, err := Memory(ctx, []catalog.Entry{changed}, disk.Dict, nil)
	require.NoError(t, err)
	s := Join(disk, over)
	assert.Equal(t, 3, s.Skills)
	assert.Empty(t, postings(t, s, "citi"))
	assert.Len(t, postings(t, s, "rain"), 1)
}

func TestAnother(t *testing.T) {
	dir, entries := t.TempDir(), memoryEntries(t)
	if _, err := Build(t.Context(), Options{Dir: dir, Scope: "test", Entries: entries, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	first, err := Open(dir)
	require.NoError(t, err)
	before, err := first.Another()
	require.NoError(t, err)
	require.NoError(t, first.Hide("weather"))
	after, err := first.Another()
	require.NoError(t, err)
	first.Close()
	first.Close() // closing twice does not affect the others
	for _, tt := range []struct {
		name   string
		x      *Index
		skills int
	}{{"opened before", before, 3}, {"opened after", after, 2}} {
		require.Equal(t, tt.skills-2, len(postings(t, Join(tt.x), "weather")), tt.name)
		assert.Equal(t, tt.skills, tt.x.Manifest.Skills, tt.name)
	}
	var all sync.WaitGroup
	for _, x := range []*Index{before, after} {
		all.Go(func() {
			for range 200 {
				assert.Equal(t, 2, len(postings(t, Join(x), "pdf")))
			}
		})
	}
	all.Wait()
	before.Close()
	assert.Equal(t, 2, len(postings(t, Join(after), "pdf")))
	if after.Close(); after.users.Load() != 0 {
		t.Errorf("%d still use the files", after.users.Load())
	}
}
