package index_test

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
)

func homes(t *testing.T, x *index.Index) map[string][]string {
	t.Helper()
	s, out := index.Join(x), map[string][]string{}
	for n := range uint32(s.Docs()) {
		if s.Dead(n) {
			continue
		}
		d, err := s.Brief(n)
		require.NoError(t, err)
		for home := range d.Homes {
			if home.Flags&index.IsLibrary != 0 != (home.Source == string(catalog.Agents)) {
				t.Errorf("flags of %s, of source %s: %b", home.ID, home.Source, home.Flags)
			}
			out[d.ID] = append(out[d.ID], home.ID)
		}
	}
	return out
}

func TestCopiesAreOneDocument(t *testing.T) {
	s, codex := newShelf(t), newShelf(t)
	root := catalog.Root{Path: s.root, Source: catalog.Personal, Pool: catalog.Skill, Label: "personal"}
	alone := s.options()
	alone.Roots = []catalog.Root{root}
	s.build(alone)
	want := map[string]map[string]float64{}
	for _, prompt := range shelfPrompts {
		want[prompt] = scores(t, s.open(), prompt)
	}

	o := s.options()
	o.Dir = t.TempDir()
	o.Roots = []catalog.Root{root, {Path: codex.root, Source: catalog.Agents, Pool: catalog.Skill, Label: "codex"}}
	s.dir = o.Dir
	sum := s.build(o)
	require.Equal(t, 120, sum.Skills)
	require.Equal(t, 60, sum.Distinct)
	assert.Equal(t, 60, s.open().Manifest.Skills)
	for _, prompt := range shelfPrompts {
		assert.Equal(t, want[prompt], scores(t, s.open(), prompt), prompt)
	}

	const first, second = "personal/skill-07", "codex/skill-07"
	for _, step := range []struct {
		name   string
		change func()
		want   map[string][]string // places of skill-07
	}{
		{"nothing", func() {}, map[string][]string{first: {first, second}}},
		{"the first is edited", func() { s.put("skill-07", "Advises on thatch.", "Reed.") },
			map[string][]string{first: {first}, second: {second}}},
		{"so is the second", func() { codex.put("skill-07", "Advises on thatch.", "Reed.") }, map[string][]string{first: {first, second}}},
		{"the first goes", func() { s.remove("skill-07") }, map[string][]string{second: {second}}},
		{"it comes back", func() { s.put("skill-07", "Advises on thatch.", "Reed.") }, map[string][]string{first: {first, second}}},
		{"the second goes", func() { codex.remove("skill-07") }, map[string][]string{first: {first}}},
	} {
		step.change()
		sum := s.build(o)
		got := homes(t, s.open())
		if n := len(got); n < 60 || n > 61 || sum.Full {
			t.Errorf("%s: %d documents, full %v", step.name, n, sum.Full)
		}
		maps.DeleteFunc(got, func(id string, _ []string) bool { return filepath.Base(id) != "skill-07" })
		if !maps.EqualFunc(got, step.want, slices.Equal) {
			t.Errorf("%s: skill-07 is at %v, want %v", step.name, got, step.want)
		}
		if found := scores(t, s.open(), "thatch"); step.name != "nothing" && len(found) == 0 {
			t.Errorf("%s: thatch finds nothing", step.name)
		}
	}
}
