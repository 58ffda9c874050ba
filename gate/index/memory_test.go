package index

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

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

// postings lists a term's documents by ID, with their frequencies.
func postings(t *testing.T, s *Snapshot, term string) map[string]Freq {
	t.Helper()
	list, err := s.Postings(term, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Freq{}
	for i, n := range list.Numbers {
		d, err := s.Doc(n)
		if err != nil {
			t.Fatal(err)
		}
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
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	memory, err := Memory(ctx, entries, synonyms.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	a, b := Join(disk), Join(memory)
	if a.Mean != b.Mean || a.Skills != b.Skills {
		t.Errorf("Join(memory) has means %v of %d skills, want %v of %d", b.Mean, b.Skills, a.Mean, a.Skills)
	}
	for _, term := range []string{"pdf", "form", "file", "weather", "absent"} {
		got, want := postings(t, b, term), postings(t, a, term)
		if len(got) != len(want) {
			t.Errorf("Postings(%q) in memory = %v, want %v", term, got, want)
		}
		for id := range want {
			if got[id] != want[id] {
				t.Errorf("Postings(%q) in memory: %s = %x, want %x", term, id, got[id], want[id])
			}
		}
		n, err := b.DocFreq(term)
		if err != nil || n != len(want) {
			t.Errorf("DocFreq(%q) in memory = %d, %v, want %d", term, n, err, len(want))
		}
	}
}

func TestOverlayReplacesOneSkill(t *testing.T) {
	ctx, dir, entries := context.Background(), t.TempDir(), memoryEntries(t)
	if _, err := Build(ctx, Options{Dir: dir, Scope: "test", Entries: entries, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	disk, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	if err := disk.Hide("weather"); err != nil {
		t.Fatalf("Hide(weather): %v", err)
	}
	changed := catalog.Parse(catalog.LibraryRoot("/x"), catalog.File{Folder: "weather"}, []byte("---\nname: weather\ndescription: Forecasts rain.\n---\n"))
	over, err := Memory(ctx, []catalog.Entry{changed}, disk.Dict, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := Join(disk, over)
	if s.Skills != 3 {
		t.Errorf("Join(disk, overlay).Skills = %d, want 3", s.Skills)
	}
	if got := postings(t, s, "citi"); len(got) != 0 {
		t.Errorf("Postings of the old text = %v, want none", got)
	}
	if got := postings(t, s, "rain"); len(got) != 1 {
		t.Errorf("Postings of the new text = %v, want the new document", got)
	}
}

// Another reads beside the first, hides what it hides, and outlives it.
func TestAnother(t *testing.T) {
	dir, entries := t.TempDir(), memoryEntries(t)
	if _, err := Build(t.Context(), Options{Dir: dir, Scope: "test", Entries: entries, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	first, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	before, err := first.Another()
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Hide("weather"); err != nil {
		t.Fatalf("Hide: %v", err)
	}
	after, err := first.Another()
	if err != nil {
		t.Fatal(err)
	}
	first.Close()
	first.Close() // closing twice takes nothing from the others
	for _, tt := range []struct {
		name   string
		x      *Index
		skills int
	}{{"opened before", before, 3}, {"opened after", after, 2}} {
		if got := len(postings(t, Join(tt.x), "weather")); got != tt.skills-2 || tt.x.Manifest.Skills != tt.skills {
			t.Errorf("%s: %d documents hold \"weather\", %d skills; want %d, %d", tt.name, got, tt.x.Manifest.Skills, tt.skills-2, tt.skills)
		}
	}
	var all sync.WaitGroup
	for _, x := range []*Index{before, after} {
		all.Go(func() {
			for range 200 {
				if got := len(postings(t, Join(x), "pdf")); got != 2 {
					t.Errorf("%d documents hold \"pdf\", want 2", got)
				}
			}
		})
	}
	all.Wait()
	before.Close()
	if got := len(postings(t, Join(after), "pdf")); got != 2 {
		t.Errorf("after the other was closed %d documents hold \"pdf\", want 2", got)
	}
	if after.Close(); after.users.Load() != 0 {
		t.Errorf("%d still use the files", after.users.Load())
	}
}
