package bench

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
)

func writeLines(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cases.jsonl")
	must(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func TestReadCases(t *testing.T) {
	const url = `"url":"https://example.com/ann/notes/blob/1/log.md"`
	for _, test := range []struct {
		name, line, library string
		want                []Case
	}{
		{"a native turn of a session", `{"id":"a","query":"now rename it","lang":"en","kind":"native","session":"s","turn":3,` + url + `}`, "library-ko",
			[]Case{{ID: "a", Query: "now rename it", Lang: "en", Source: "ann", Session: "s", Need: Nothing,
				People: true, Groups: []string{"en", "under 50", "native"}}}},
		{"a request labelled for two libraries, the Korean one",
			`{"id":"a","sid":"s","query":"q","label":"skill","owner":"bo","gold_ko":["k"],"gold_en":["e"],` + url + `}`,
			"library-ko",
			[]Case{{ID: "a", Query: "q", Source: "bo", Session: "s", Need: Skill, Right: []string{"k"}, People: true, Groups: []string{"under 50"}}}},
		{"the English one", `{"id":"a","query":"q","label":"skill","owner":"bo","gold_ko":["k"],"gold_en":["e"]}`, "library-en",
			[]Case{{ID: "a", Query: "q", Source: "bo", Need: Skill, Right: []string{"e"}}}},
		{"a test prompt clusters by its skill", `{"id":"a","query":"q","lang":"en","kind":"single","gold":["g"],"also_ok":["h"]}`, "",
			[]Case{{ID: "a", Query: "q", Lang: "en", Source: "g", Need: Skill, Right: []string{"g", "h"}, Groups: []string{"en"}}}},
		{"a trigger", `{"id":"a","query":"q","skill":"o/r/s/t","should_trigger":true,` + url + `}`, "",
			[]Case{{ID: "a", Query: "q", Source: "o/r", Need: Skill, Right: []string{"o/r/s/t"}}}},
		{"a near miss", `{"id":"a","query":"q","skill":"o/r/s","should_trigger":false}`, "",
			[]Case{{ID: "a", Query: "q", Source: "o/r", Need: Unclear, Wrong: "o/r/s"}}},
		{"a skill that must not be named, whatever else fits", `{"id":"a","query":"q","kind":"native","class":"not:s",` + url + `}`, "",
			[]Case{{ID: "a", Query: "q", Source: "ann", Need: Unclear, Wrong: "ann/s", People: true, Groups: []string{"under 50"}}}},
		{"a session without labels", `{"sid":"s","turns":["one","two"],` + url + `}`, "",
			[]Case{{ID: "s.0", Query: "one", Source: "ann", Session: "s", Need: Unclear, People: true, Groups: []string{"under 50"}},
				{ID: "s.1", Query: "two", Source: "ann", Session: "s", Need: Unclear, People: true, Groups: []string{"under 50"}}}},
		{"two sessions with one sid", `{"sid":"s","turns":["one"],"owner":"bo"}` + "\n" + `{"sid":"s","turns":["two"],"owner":"bo"}`, "",
			[]Case{{ID: "s.0", Query: "one", Source: "bo", Session: "s", Need: Unclear, People: true, Groups: []string{"under 50"}},
				{ID: "s+2.0", Query: "two", Source: "bo", Session: "s+2", Need: Unclear, People: true, Groups: []string{"under 50"}}}},
		{"steps", `{"id":"a","query":"q","gold":["g"],"steps":[["g"],["h"]]}`, "",
			[]Case{{ID: "a", Query: "q", Source: "g", Need: Unclear, Right: []string{"g"}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := ReadCases(writeLines(t, test.line+"\n"), test.library)
			must(t, err)
			assert.Empty(t, cmp.Diff(test.want, got))
		})
	}
	for _, bad := range []string{``, `[]`, `{"id":"a"}`, `{"query":"q"}`} {
		got, err := ReadCases(writeLines(t, bad), "")
		assert.Error(t, err, "%q: %v", bad, got)
	}
}

func TestSpacelessDataIsWhole(t *testing.T) {
	var r suiteReader
	rooms := r.spaceless(Room{Library: "none"})
	must(t, r.err)
	require.Len(t, rooms, 7)
	count := map[string]int{}
	for i := range rooms {
		entries, err := rooms[i].Entries()
		must(t, err)
		skills := map[string]bool{}
		for _, e := range entries {
			skills[e.ID] = true
		}
		for _, set := range rooms[i].Sets {
			for _, c := range set.Cases {
				count[c.Lang+" "+string(c.Need)]++
				if c.Need == Skill && (len(c.Right) != 1 || !skills[c.Right[0]]) {
					t.Errorf("%s wants %q, which room %d does not have", c.ID, c.Right, i)
				}
			}
		}
	}
	for _, kind := range []string{"zh skill", "zh native", "ja skill", "ja native"} {
		assert.GreaterOrEqual(t, count[kind], 2*60, kind)
	}
}

func TestVerbatimDrawsPhrasesThatOneSkillQuotes(t *testing.T) {
	entries := []catalog.Entry{
		{ID: "a", Description: `Bakes bread. Use for "knead the dough", "빵 구워줘" or "shared phrase". Not for "weld a frame".`,
			Boundaries: []catalog.Boundary{{Not: `"weld a frame"`}}},
		{ID: "b", Description: `Use when the user says 'shared phrase.', “proof overnight” or "yeast". It's the baker's choice.`},
	}
	got := map[string]string{}
	for _, c := range Verbatim(entries, 10) {
		got[c.Query] = c.Right[0]
	}
	want := map[string]string{"knead the dough": "a", "빵 구워줘": "a", "proof overnight": "b"}
	assert.Empty(t, cmp.Diff(want, got))
	assert.Len(t, Verbatim(entries, 1), 2)
}

func TestCellDrawsWholeSources(t *testing.T) {
	var together, apart []clustered
	for i := range 40 {
		v := float64(i % 2)
		together = append(together, clustered{[]string{"x", "y"}[i%2], v})
		apart = append(apart, clustered{string(rune('a' + i)), v})
	}
	a, b := cell(together), cell(apart)
	if a.Mean != 0.5 || b.Mean != 0.5 || a.Low != 0 || a.High != 1 || b.High-b.Low > 0.4 {
		t.Errorf("two sources %+v, forty %+v", a, b)
	}
}

func TestCompareTablesPairsCases(t *testing.T) {
	table := func(values ...float64) *Table {
		var answers []Answer
		for i, v := range values {
			id := string(rune('a' + i))
			answers = append(answers, Answer{Library: "l", Set: "s", ID: id, Source: id,
				Groups: []string{"even", "odd"}[i%2 : i%2+1], Values: map[string]float64{spoken: v}})
		}
		var t Table
		t.Sum(answers)
		return &t
	}
	got := CompareTables(table(0, 0, 1, 1), table(1, 0, 1, 1, 1))
	want := []TableChange{
		{Set: "s", Library: "l", Group: "all", Measure: spoken, N: 4, Before: 0.5, After: 0.75, Low: 0, High: 0.75},
		{Set: "s", Library: "l", Group: "even", Measure: spoken, N: 2, Before: 0.5, After: 1, Low: 0, High: 1},
		{Set: "s", Library: "l", Group: "odd", Measure: spoken, N: 2, Before: 0.5, After: 0.5},
	}
	assert.Empty(t, cmp.Diff(want, got))
}
