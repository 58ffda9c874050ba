package enrich

import (
	"errors"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

func TestDifferenceIsReplacedAndTakenBack(t *testing.T) {
	lesson := func(id, text string) Expansion {
		return Expansion{ID: id, Name: path.Base(id), Schema: Schema, Learned: []Learned{{Text: text, Count: 2, First: day, Last: day}}}
	}
	dir, other := t.TempDir(), t.TempDir()
	s, next := openStore(t, dir), openStore(t, other)
	same := []Expansion{phrases("p/pdf", "h1", "read the form"), lesson("p/pdf", "what does it say")}
	put(t, s, append(same, lesson("p/xlsx", "add the columns"), phrases("p/csv", "h2", "cut the commas"))...)
	put(t, next, append(same, lesson("p/xlsx", "sum it up"), phrases("p/docx", "h3", "write a letter"))...)
	from, to, err := s.Difference(next)
	if err != nil || strings.Count(from, "\n") != 2 || strings.Count(to, "\n") != 2 || strings.Contains(from+to, "p/pdf") {
		t.Fatalf("Difference = %q, %q, %v, want two lines each without those that are the same", from, to, err)
	}
	if text, err := Phrases(to); err != nil || text != "docx: write a letter\nxlsx: sum it up\n" {
		t.Errorf("Phrases = %q, %v", text, err)
	}
	texts := func(want ...string) {
		t.Helper()
		read, err := Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range read.All() {
			got = append(got, x.Texts()...)
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("the store holds %q, want %q", got, want)
		}
		if read.Lookup("elsewhere", "h2") != nil && !strings.Contains(strings.Join(want, " "), "commas") {
			t.Error("what was taken out is still found by its content")
		}
	}
	if err := s.Replace(from, to); err != nil {
		t.Fatal(err)
	}
	texts("write a letter", "read the form", "what does it say", "sum it up")
	if err := s.Replace(from, to); !errors.Is(err, ErrChanged) {
		t.Errorf("a second time Replace = %v, want ErrChanged", err)
	}
	if err := s.Replace(to, from); err != nil {
		t.Fatal(err)
	}
	texts("cut the commas", "read the form", "what does it say", "add the columns")
	put(t, s, lesson("p/docx", "a letter to grandma"))
	if err := s.Replace(from, to); err != nil {
		t.Errorf("what was learned is in the way of what is written: %v", err)
	}
	if err := s.Replace("{", to); err == nil {
		t.Error("Replace takes half a line")
	}
	if fresh := openStore(t, filepath.Join(t.TempDir(), "new")); fresh.Replace("", to) != nil || fresh.Len() != 1 {
		t.Errorf("a store without a file has %d written lines, want 1", fresh.Len())
	}
}
