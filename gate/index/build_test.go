package index_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/gate/system"
)

type shelf struct {
	t         *testing.T
	root, dir string
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{t, t.TempDir(), t.TempDir()}
	crafts := []string{"weaving", "forging", "brewing", "carving", "binding", "tanning", "glazing", "milling", "dyeing", "roofing"}
	things := []string{"baskets", "anchors", "cider", "spoons", "ledgers", "saddles", "bowls", "flour", "wool", "slates"}
	for i := range 60 {
		craft, thing := crafts[i%10], things[(i/10+i)%10]
		s.put(fmt.Sprintf("skill-%02d", i), fmt.Sprintf("Advises on %s of %s in workshop number%d.", craft, thing, i),
			fmt.Sprintf("# %s\n\nTake the %s, look at its grain%d, and start %s from the left. Tools of kind tool%d are near.\n", craft, thing, i, craft, i%7))
	}
	return s
}

func (s *shelf) put(name, description, body string) {
	s.t.Helper()
	file := filepath.Join(s.root, name, "SKILL.md")
	text := "---\nname: " + name + "\ndescription: '" + description + "'\n---\n" + body
	require.NoError(s.t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
}

func (s *shelf) remove(name string) {
	s.t.Helper()
	require.NoError(s.t, os.RemoveAll(filepath.Join(s.root, name)))
}

func (s *shelf) options() index.Options {
	return index.Options{Dir: s.dir, Scope: "test", Roots: []catalog.Root{catalog.LibraryRoot(s.root)}, Now: time.Now}
}

func (s *shelf) build(o index.Options) index.Summary {
	s.t.Helper()
	sum, err := index.Build(context.Background(), o)
	require.NoError(s.t, err)
	return sum
}

func (s *shelf) open() *index.Index {
	s.t.Helper()
	x, err := index.Open(s.dir)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { x.Close() })
	return x
}

func scores(t *testing.T, x *index.Index, prompt string) map[string]float64 {
	t.Helper()
	snapshot := index.Join(x)
	r := rank.New(snapshot, x.Dict, rank.DefaultWeights())
	res, err := r.Search(context.Background(), r.Parse(prompt))
	require.NoError(t, err)
	out := map[string]float64{}
	for _, h := range r.Top(&res, 100, nil) {
		d, err := snapshot.Doc(h.Doc)
		require.NoError(t, err)
		_, twice := out[d.ID]
		assert.False(t, twice, "Top(%q) gives %s twice", prompt, d.ID)
		out[d.ID] = h.Score
	}
	return out
}

func best(found map[string]float64) string {
	top := ""
	for id, s := range found {
		if top == "" || s > found[top] || s == found[top] && id < top {
			top = id
		}
	}
	return top
}

var shelfPrompts = []string{"forging anchors in workshop number1", "weave me a basket", "which spoon has grain23", "glaze thatch", "slates for the roof, tool3"}

func TestCopiesCountOnce(t *testing.T) {
	s, other := newShelf(t), newShelf(t)
	o := s.options()
	o.Roots = append(o.Roots, catalog.LibraryRoot(other.root))
	o.Roots[1].Label = "other"
	steps := []struct {
		name             string
		change           func()
		skills, distinct int
	}{
		{"two folders that are alike", func() {}, 120, 60},
		{"another text under a name of both", func() { other.put("skill-07", "Advises on thatch.", "") }, 120, 61},
		{"a copy goes", func() { s.remove("skill-33") }, 119, 61},
		{"the other copy goes", func() { other.remove("skill-33") }, 118, 60},
		{"nothing changes", func() {}, 118, 60},
	}
	for _, step := range steps {
		step.change()
		sum := s.build(o)
		require.Equal(t, step.skills, sum.Skills, step.name)
		require.Equal(t, step.distinct, sum.Distinct, step.name)
		assert.Equal(t, step.distinct, index.Join(s.open()).Distinct, step.name)
	}
	x := s.open()
	for _, d := range []struct {
		id   string
		want int
	}{{"other/skill-01", 60}, {"other/skill-07", 59}} {
		require.NoError(t, x.Hide(d.id), d.id)
		assert.Equal(t, d.want, index.Join(x).Distinct, d.id)
	}
}

func TestDeltaScoresLikeAFullBuild(t *testing.T) {
	s := newShelf(t)
	if sum := s.build(s.options()); sum.Added != 60 || !sum.Full || sum.Generation != 1 {
		t.Fatalf("first build: %+v, want 60 added by a full build", sum)
	}
	s.put("skill-07", "Advises on thatch for cottages.", "# Thatch\n\nBundle the reed.\n")
	s.put("skill-61", "Advises on forging of anchors for tugboats.", "# Anchors\n")
	s.remove("skill-33")
	sum := s.build(s.options())
	if sum.Full || sum.Added != 1 || sum.Changed != 1 || sum.Removed != 1 || sum.Unchanged != 58 || sum.Read != 2 || sum.Skills != 60 {
		t.Fatalf("refresh: %+v, want a delta of one added, one changed, one removed", sum)
	}
	delta := s.open()
	if m := delta.Manifest; m.Delta.Docs != 2 || len(m.Dead) != 2 {
		t.Errorf("manifest of the delta: %d documents, dead %v, want 2 and 2", m.Delta.Docs, m.Dead)
	}
	o := s.options()
	o.Full = true
	s.build(o)
	full := s.open()
	require.Equal(t, 0, full.Manifest.Delta.Docs)
	assert.Empty(t, full.Manifest.Dead)
	for _, prompt := range shelfPrompts {
		a, b := scores(t, delta, prompt), scores(t, full, prompt)
		require.Equal(t, len(b), len(a), prompt)
		assert.Equal(t, best(b), best(a), prompt)
		for id, want := range b {
			// Dead documents still count in document frequencies. That shows most in words that every skill has, whose
			// weight is small.
			if got := a[id]; math.Abs(got-want) > 0.05+0.05*want {
				t.Errorf("%q: %s scores %.3f over base and delta, %.3f in a full build", prompt, id, got, want)
			}
		}
	}
	assert.Equal(t, float64(0), scores(t, delta, "grain33 of number33")["skill-33"])
	assert.Equal(t, float64(0), scores(t, delta, "number7")["skill-07"])
}

// A word in the opening of a body counts for more than a later one in a body of the same length, and an edit removes
// all of it.
func TestOpeningCountsTwice(t *testing.T) {
	const word, others = "thurible", "Swing it slowly and keep the coals dry. "
	s := newShelf(t)
	body := func(before, after int) string {
		return strings.Repeat(others, before) + word + " " + strings.Repeat(others, after)
	}
	s.put("opening", "Advises on incense.", body(10, 90))
	s.put("later", "Advises on incense.", body(90, 10))
	s.build(s.options())
	x := s.open()
	found := scores(t, x, word)
	require.Len(t, found, 2)
	assert.Greater(t, found["opening"], 1.2*found["later"])
	snapshot := index.Join(x)
	postings, err := snapshot.Postings(word, nil)
	require.NoError(t, err)
	an := index.NewAnalyzer(x.Dict)
	for i, doc := range postings.Numbers {
		d, err := snapshot.Doc(doc)
		require.NoError(t, err)
		at := body(90, 10)
		if d.ID == "opening" {
			at = body(10, 90)
		}
		edit := new(index.Edit)
		edit.Cut(an, at, word)
		if got := edit.Freq(word, postings.Freq(i)); got != 0 {
			t.Errorf("%s: the word's frequency is %d once it is cut out of the body, want 0", d.ID, got.Get(index.Body))
		}
		got, want := edit.Length(index.Body, 100), 99
		assert.Equal(t, want, got, d.ID)
	}
}

// The parts of a tool's name find it if its description contains them too.
func TestToolNamesHaveParts(t *testing.T) {
	s := newShelf(t)
	s.put("SundialTool", "Reads a sundial.", "")
	s.put("GlassKit", "Blows bottles.", "")
	s.put("sundial", "Sells gnomons.", "")
	s.build(s.options())
	x := s.open()
	found := scores(t, x, "sundial")
	require.Greater(t, found["SundialTool"], scores(t, x, "bottles")["GlassKit"])
	assert.Len(t, found, 2)
	assert.Empty(t, scores(t, x, "glass"))
}

func TestRefreshOfNothingIsUpToDate(t *testing.T) {
	s := newShelf(t)
	s.build(s.options())
	sum := s.build(s.options())
	if !sum.UpToDate || sum.Generation != 1 || sum.Read != 0 {
		t.Errorf("second build: %+v, want up to date without reading a file", sum)
	}
	// A touched file is read and found to be unchanged.
	now := time.Now().Add(time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(s.root, "skill-05", "SKILL.md"), now, now))
	if sum := s.build(s.options()); sum.Changed != 0 || sum.Added != 0 || sum.Read != 1 {
		t.Errorf("build after a touch: %+v, want nothing changed", sum)
	}
	if sum := s.build(s.options()); !sum.UpToDate || sum.Read != 0 {
		t.Errorf("second build after a touch: %+v, want up to date without reading the file again", sum)
	}
}

// A changed text of the same length is read even if its time was set back.
func TestRefreshSeesWhatSizeAndTimeHide(t *testing.T) {
	s := newShelf(t)
	s.build(s.options())
	file := filepath.Join(s.root, "skill-05", "SKILL.md")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	info, err := os.Stat(file)
	require.NoError(t, err)
	if system.Changed(info) == info.ModTime().UnixNano() && runtime.GOOS != "linux" {
		t.Skip("the time of change is not known here")
	}
	for system.Changed(info) == changed(t, file) { // the clock may be coarse
		swapped := strings.Replace(string(text), "number5", "number0", 1)
		err := errors.Join(os.WriteFile(file, []byte(swapped), 0o600), os.Chtimes(file, info.ModTime(), info.ModTime()))
		require.NoError(t, err)
	}
	assert.Equal(t, 1, s.build(s.options()).Changed)
}

func changed(t *testing.T, file string) int64 {
	info, err := os.Stat(file)
	require.NoError(t, err)
	return system.Changed(info)
}

func TestRenamedPlugin(t *testing.T) {
	s := newShelf(t)
	o := s.options()
	o.Roots = []catalog.Root{{Path: s.root, Label: "plugin/x", Source: catalog.Plugin, Pool: catalog.Skill, Plugin: "x", Prefix: "old:"}}
	s.build(o)
	o.Roots[0].Prefix = "new:"
	assert.Equal(t, 60, s.build(o).Changed)
	d, err := index.Join(s.open()).Doc(0)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(d.Name, "new:"))
}

// A delta of more than a tenth of the base becomes part of a new base.
func TestLargeDeltaBecomesABase(t *testing.T) {
	s := newShelf(t)
	s.build(s.options())
	for i := range 12 {
		s.put(fmt.Sprintf("skill-%02d", i), fmt.Sprintf("Changed to something else entirely number%d.", i), "# x\n")
	}
	if sum := s.build(s.options()); !sum.Full || sum.Changed != 12 {
		t.Errorf("refresh of a fifth: %+v, want a full build of 12 changed", sum)
	}
}

// Anchors are words of other skills, so they change when those do.
func TestAnchorsFollowTheSkillThatSaysThem(t *testing.T) {
	s := newShelf(t)
	s.put("pewter", "Casts pewter. Do NOT use for goblets (use skill-40).", "# Pewter\n")
	s.build(s.options())
	assert.Equal(t, "skill-40", best(scores(t, s.open(), "goblets")))
	s.put("pewter", "Casts pewter. Do NOT use for tankards (use skill-40).", "# Pewter\n")
	sum := s.build(s.options())
	if sum.Full || sum.Changed != 1 || sum.Unchanged != 60 {
		t.Errorf("refresh: %+v, want a delta with one skill changed", sum)
	}
	x := s.open()
	assert.Equal(t, "skill-40", best(scores(t, x, "tankards")))
	assert.Equal(t, float64(0), scores(t, x, "goblets")["skill-40"])
	s.remove("pewter")
	s.build(s.options())
	assert.Equal(t, float64(0), scores(t, s.open(), "tankards")["skill-40"])
}

func TestCopiesAreAFamily(t *testing.T) {
	s := newShelf(t)
	for _, name := range []string{"copy-a", "copy-b"} {
		s.put(name, "Restores old sundials for village churches and town halls.",
			"# Sundials\n\nClean the plate, find north by the noon shadow, set the gnomon to the latitude, and cut the lines "+
				"anew.\n")
	}
	s.build(s.options())
	x := s.open()
	snapshot := index.Join(x)
	families := map[string]uint64{}
	for n := range snapshot.Docs() {
		d, err := snapshot.Doc(uint32(n))
		require.NoError(t, err)
		families[d.ID] = snapshot.Family(uint32(n))
	}
	require.NotEqual(t, uint64(0), families["copy-a"])
	assert.Equal(t, families["copy-b"], families["copy-a"])
	assert.Equal(t, uint64(0), families["skill-01"])
}

func TestUserWordsAndNoteReachTheIndex(t *testing.T) {
	s := newShelf(t)
	o := s.options()
	o.Note, o.Fingerprint = "words could not be read", "1"
	s.build(o)
	assert.Equal(t, o.Note, s.open().Manifest.Note)
	o.Note, o.Fingerprint = "", "2"
	sum := s.build(o)
	assert.True(t, sum.Full, "build with another fingerprint: %+v, want a full build", sum)
	assert.Empty(t, s.open().Manifest.Note)
}

func TestBuildOnADamagedGeneration(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(gen string) error
	}{
		{"a document table that was cut", func(gen string) error { return os.Truncate(filepath.Join(gen, "base.docs"), 900) }},
		{"a document of another length", func(gen string) error { return swap(filepath.Join(gen, "base.docs"), "\bskill-30", "\xffskill-30") }},
		{"lost postings", func(gen string) error { return os.Remove(filepath.Join(gen, "base.lists")) }},
		{"no postings", func(gen string) error { return os.Truncate(filepath.Join(gen, "base.lists"), 0) }},
		{"postings that were cut", func(gen string) error { return os.Truncate(filepath.Join(gen, "base.lists"), 900) }},
		{"a turned bit in the postings", func(gen string) error { return turnBit(filepath.Join(gen, "base.lists"), 900) }},
		{"the format before this one", func(gen string) error {
			return swap(filepath.Join(gen, "manifest.json"), fmt.Sprintf(`"format":%d`, index.Format), `"format":4`)
		}},
		{"a manifest of garbage", func(gen string) error { return os.WriteFile(filepath.Join(gen, "manifest.json"), []byte("{"), 0o600) }},
		{"lost states", func(gen string) error { return os.Remove(filepath.Join(gen, "states")) }},
		{"states of garbage", func(gen string) error { return os.WriteFile(filepath.Join(gen, "states"), []byte("{]"), 0o600) }},
		{"a lost generation", os.RemoveAll},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newShelf(t)
			s.build(s.options())
			require.NoError(t, tt.spoil(filepath.Join(s.dir, "gen-1")))
			if sum := s.build(s.options()); sum.UpToDate || !sum.Full || sum.Skills != 60 {
				t.Errorf("build: %+v, want a full build of 60 skills", sum)
			}
			assert.NotEmpty(t, scores(t, s.open(), "forging anchors"), "the new generation finds nothing")
		})
	}
}

func turnBit(file string, at int) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text[at] ^= 1
	return os.WriteFile(file, text, 0o600)
}

func swap(file, old, new string) error {
	text, err := os.ReadFile(file)
	if err == nil && !strings.Contains(string(text), old) {
		err = fmt.Errorf("%s holds no %q", file, old)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(strings.Replace(string(text), old, new, 1)), 0o600)
}

// A refresh shares the base with the previous generation. New files are private to the user.
func TestFilesOfAGeneration(t *testing.T) {
	s := newShelf(t)
	s.build(s.options())
	s.put("skill-61", "Advises on forging of anchors for tugboats.", "# Anchors\n")
	s.build(s.options())
	entries, err := os.ReadDir(filepath.Join(s.dir, "gen-2"))
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		if fi, err := e.Info(); err != nil || fi.Mode() != 0o600 {
			t.Errorf("mode of %s: %v, %v, want 0600", e.Name(), fi.Mode(), err)
		}
	}
	assert.Equal(t, []string{"base.docs", "base.lists", "delta.docs", "delta.lists", "manifest.json", "states"}, names)
	for _, name := range []string{"base.lists", "base.docs"} {
		before, err1 := os.Stat(filepath.Join(s.dir, "gen-1", name))
		after, err2 := os.Stat(filepath.Join(s.dir, "gen-2", name))
		require.NoError(t, errors.Join(err1, err2), name)
		assert.True(t, os.SameFile(before, after), name)
	}
}

func TestGenerationsAreSwept(t *testing.T) {
	s := newShelf(t)
	o := s.options()
	o.Full = true
	killed := filepath.Join(s.dir, "tmp-1-1")
	if err := errors.Join(os.MkdirAll(killed, 0o700), os.WriteFile(filepath.Join(killed, "base.lists.1"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		s.build(o)
	}
	entries, err := os.ReadDir(s.dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	assert.Equal(t, []string{disk.Marker, "CURRENT", "build.lock", "gen-3", "gen-4"}, names)
}

func TestFork(t *testing.T) {
	s := newShelf(t)
	from, to := t.TempDir(), t.TempDir()
	assert.NoError(t, index.Fork(from, to))
	s.dir = index.Dir(from, "test")
	s.build(s.options())
	require.NoError(t, index.Fork(from, to))
	again, err := filepath.Glob(filepath.Join(s.dir, "gen-1", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, again)
	long := time.Now().Add(-time.Hour).Truncate(time.Second)
	for _, file := range again {
		require.NoError(t, os.Chtimes(file, long, long))
	}
	require.NoError(t, index.Fork(from, to))
	for _, file := range again {
		if info, err := os.Stat(file); err != nil || !info.ModTime().Equal(long) {
			t.Errorf("a second Fork wrote to %s, %v", file, err)
		}
	}
	s.put("skill-07", "Advises on kites.", "Fly them.")
	fork := *s
	fork.dir = index.Dir(to, "test")
	if sum := fork.build(fork.options()); sum.Unchanged != 59 || sum.Changed != 1 {
		t.Errorf("built on a fork: %+v, want 59 skills as they were", sum)
	}
	for dir, want := range map[string]int{s.dir: 0, fork.dir: 1} {
		s.dir = dir
		x := s.open()
		assert.Equal(t, want, len(scores(t, x, "kites")), dir)
		x.Close()
	}
	require.NoError(t, os.RemoveAll(filepath.Join(index.Dir(from, "test"), "gen-1")))
	assert.NoError(t, index.Fork(from, t.TempDir()))
}

func TestReaderKeepsItsGeneration(t *testing.T) {
	s := newShelf(t)
	o := s.options()
	o.Full = true
	s.build(o)
	x := s.open()
	before := scores(t, x, "forging anchors")
	for range 3 {
		s.build(o)
	}
	_, err := os.Stat(filepath.Join(s.dir, "gen-1"))
	require.ErrorIs(t, err, os.ErrNotExist)
	after := scores(t, x, "forging anchors")
	require.NotEmpty(t, before)
	assert.Equal(t, len(after), len(before))
}

func TestOpenSaysWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	_, err := index.Open(dir)
	assert.ErrorIs(t, err, index.ErrNoIndex)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "CURRENT"), []byte("../../etc\n"), 0o600))
	if _, err := index.Open(dir); !errors.Is(err, index.ErrNoIndex) || !strings.Contains(err.Error(), "is not the name of a generation") {
		t.Errorf("Open with a CURRENT that leads out: %v, want ErrNoIndex", err)
	}
}

func TestSecondBuilderIsTold(t *testing.T) {
	s := newShelf(t)
	o := s.options()
	inside := make(chan error, 1)
	o.Progress = func(done, total int) {
		if done != 1 {
			return
		}
		second := s.options()
		_, err := index.Build(context.Background(), second)
		inside <- err
	}
	s.build(o)
	assert.ErrorIs(t, <-inside, index.ErrBusy)
}

func TestBuildStopsWithItsContext(t *testing.T) {
	s := newShelf(t)
	ctx, cancel := context.WithCancel(context.Background())
	o := s.options()
	o.Progress = func(done, total int) { cancel() }
	_, err := index.Build(ctx, o)
	assert.ErrorIs(t, err, context.Canceled)
	_, err = index.Open(s.dir)
	assert.ErrorIs(t, err, index.ErrNoIndex)
	left, _ := filepath.Glob(filepath.Join(s.dir, "tmp-*"))
	assert.Empty(t, left)
}

// The background is measured again once more than one skill in a thousand has changed since it was measured.
func TestFewChangesKeepTheBackground(t *testing.T) {
	s := newShelf(t)
	entries := make([]catalog.Entry, 2000)
	for i := range entries {
		entries[i] = catalog.Entry{ID: fmt.Sprint(i), Name: fmt.Sprint("name", i), Hash: "h", Pool: catalog.Skill}
	}
	measured := 0.0
	o := index.Options{Dir: s.dir, Scope: "test", Entries: entries, Now: time.Now, Background: func(*index.Index) []float64 {
		measured++
		return []float64{measured}
	}}
	for i, want := range []float64{1, 1, 2, 2, 3, 3} { // a changed skill is dead in the base and live in the delta
		entries[i].Hash = fmt.Sprint("h", i)
		s.build(o)
		m, err := index.Newest(s.dir)
		require.NoError(t, err)
		assert.Equal(t, []float64{want}, m.Background, "after %d changes", i)
	}
	o.Full = true
	s.build(o)
	assert.Equal(t, 4.0, measured, "after a full build")
}

// A snapshot knows whether it has agents, even if a delta adds the first one.
func TestSnapshotKnowsOfAgents(t *testing.T) {
	s := newShelf(t)
	entries := make([]catalog.Entry, 30)
	for i := range entries {
		entries[i] = catalog.Entry{ID: fmt.Sprint(i), Name: fmt.Sprint("name", i), Hash: "h", Pool: catalog.Skill}
	}
	o := index.Options{Dir: s.dir, Scope: "test", Entries: entries, Now: time.Now}
	s.build(o)
	assert.False(t, index.Join(s.open()).Agents, "a snapshot of skills says that there are agents")
	o.Entries = append(entries, catalog.Entry{ID: "agent", Name: "agent", Hash: "h", Pool: catalog.Agent})
	require.False(t, s.build(o).Full, "one new agent rebuilt the base")
	assert.True(t, index.Join(s.open()).Agents, "a snapshot with an agent in its delta says that there are none")
}

// Entries with a Load function give the same index as complete entries, and only new or changed texts are loaded.
func TestBuildLoadsTexts(t *testing.T) {
	root := catalog.LibraryRoot(t.TempDir())
	said := map[string]string{}
	read := func(e *catalog.Entry) (catalog.Entry, error) {
		full := catalog.Parse(root, catalog.File{Folder: e.ID}, []byte(said[e.ID]))
		full.Path = e.ID
		return full, nil
	}
	var whole, bare []catalog.Entry
	add := func(i int, about string) {
		id := fmt.Sprintf("skill-%02d", i)
		said[id] = fmt.Sprintf("---\nname: %s\ndescription: 'Advises on %s %d. Do NOT use for glazing %d (use skill-00).'\n---\n# %s\n",
			id, about, i, i, about)
		e, _ := read(&catalog.Entry{ID: id})
		whole = append(whole, e)
		bare = append(bare, catalog.Entry{ID: e.ID, Name: e.Name, Path: e.Path, Hash: e.Hash, Source: e.Source})
	}
	for i := range 60 {
		add(i, []string{"baskets", "anchors", "cider"}[i%3])
	}
	one, other := newShelf(t), newShelf(t)
	var mu sync.Mutex
	loaded := map[string]int{}
	build := func(full bool) {
		t.Helper()
		one.build(index.Options{Dir: one.dir, Scope: "test", Entries: whole, Now: time.Now})
		sum := other.build(index.Options{Dir: other.dir, Scope: "test", Entries: bare, Now: time.Now,
			Load: func(e *catalog.Entry) (catalog.Entry, error) {
				mu.Lock()
				defer mu.Unlock()
				loaded[e.ID]++
				return read(e)
			}})
		assert.Equal(t, full, sum.Full)
		for _, prompt := range []string{"advises on baskets", "glazing 7", "skill-60 anchors"} {
			got, want := scores(t, other.open(), prompt), scores(t, one.open(), prompt)
			assert.Equal(t, want, got, prompt)
		}
	}
	build(true)
	clear(loaded)
	add(60, "anchors")
	build(false)
	// the text of its boundary is an anchor of the first skill
	assert.Equal(t, map[string]int{"skill-00": 1, "skill-60": 2}, loaded)
}

func TestBuildGivesAPanicAsAnError(t *testing.T) {
	s := newShelf(t)
	scanned := false
	_, err := index.Build(t.Context(), index.Options{Dir: s.dir, Scope: "test",
		Now: time.Now, Entries: []catalog.Entry{{ID: "pdf", Name: "pdf"}},
		Load: func(e *catalog.Entry) (catalog.Entry, error) {
			if scanned {
				panic("boom")
			}
			scanned = true
			return *e, nil
		}})
	assert.ErrorIs(t, err, system.ErrCaught)
}
