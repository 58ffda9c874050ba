package findable

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms"
)

// library returns the skills of a folder. change, if not nil, is applied to each text.
func library(t *testing.T, dir string, change func(i int, text string) string) []catalog.Entry {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "SKILL.md"))
	require.NoError(t, err, dir)
	require.NotEmpty(t, files, dir)
	var out []catalog.Entry
	root := catalog.LibraryRoot(dir)
	for i, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if change != nil {
			text = []byte(change(i, string(text)))
		}
		out = append(out, catalog.Parse(root, catalog.File{Path: file, Folder: filepath.Base(filepath.Dir(file)), Size: int64(len(text))}, text))
	}
	return out
}

func prober(t *testing.T, entries []catalog.Entry) *Prober {
	t.Helper()
	x, err := index.Memory(context.Background(), entries, synonyms.Default(), nil)
	require.NoError(t, err)
	r, err := NewRetriever(index.Join(x), x.Dict)
	require.NoError(t, err)
	return r.Prober()
}

func places(t *testing.T, p *Prober, e *catalog.Entry, given ...string) []Request {
	t.Helper()
	list, err := p.Ask(e, given, nil, 5, nil).Places(context.Background())
	require.NoError(t, err)
	return list
}

func skill(name, description string) catalog.Entry {
	text := "---\nname: " + name + "\ndescription: " + description + "\n---\n# " + name + "\n"
	return catalog.Parse(catalog.LibraryRoot("/l"), catalog.File{Path: "/l/" + name + "/SKILL.md", Folder: name, Size: int64(len(text))}, []byte(text))
}

const examples = "../../testdata/library"

func TestEmptyPhrasesAreNotAsked(t *testing.T) {
	// line returns the end of the description if it is on a line of its own, else 0.
	line := func(text string) int {
		at := strings.Index(text, "\ndescription: ")
		if at < 0 {
			return 0
		}
		at += len("\ndescription: ")
		end := at + strings.IndexByte(text[at:], '\n')
		if line := strings.TrimSpace(text[at:end]); line == "" || strings.ContainsAny(line[:1], `"'>|`) || strings.HasPrefix(text[end+1:], " ") {
			return 0 // quoted or on several lines
		}
		return end
	}
	// unstopped removes the full stop at the end of every other description.
	unstopped := func(i int, text string) string {
		if end := line(text); end > 0 && i%2 == 0 {
			return strings.TrimRight(text[:end], " .") + text[end:]
		}
		return text
	}
	plain := library(t, examples, unstopped)
	p := prober(t, plain)
	n := 0
	for _, phrase := range []string{
		"Use when the user asks to run NAME.",
		"Use when the user says \"run NAME\" or \"use the NAME skill\".",
		"Use this skill whenever needed, just in case.",
		"Always use it proactively. Helps with anything related.",
	} {
		changed := library(t, examples, func(i int, text string) string {
			text = unstopped(i, text)
			end := line(text)
			if end == 0 {
				return text
			}
			name, _, _ := strings.Cut(text[strings.Index(text, "name: ")+6:], "\n")
			return text[:end] + " " + strings.ReplaceAll(phrase, "NAME", name) + text[end:]
		})
		for i := range changed {
			e := &changed[i]
			if e.Description == plain[i].Description {
				continue
			}
			n++
			before := map[string]bool{}
			for _, r := range p.Ask(&plain[i], nil, nil, 100, nil).list {
				before[r.Text] = true
			}
			for _, r := range p.Ask(e, nil, nil, 100, nil).list {
				if !before[r.Text] {
					t.Errorf("%s with %q asks %q, want nothing more than without it", e.ID, phrase, r.Text)
				}
			}
		}
	}
	assert.GreaterOrEqual(t, n, 300)
}

func TestRequestsAreHeldOut(t *testing.T) {
	entries := []catalog.Entry{
		skill("ledger", `Keeps the books and the balance of a small shop. Use when the user says "balance the till", "post a journal entry" or "run ledger".`),
		skill("till-count", `Counts the till at closing time and balances cash against receipts of the till.`),
		skill("bakery", `Plans sourdough bakes and oven times.`),
	}
	p := prober(t, entries)
	at := map[string]int{}
	for _, r := range places(t, p, &entries[0], "close the books for the shop") {
		at[string(r.Kind)+" "+r.Text] = r.Place
		if r.Place == 2 && r.First != entries[1].ID {
			t.Errorf("%q finds %s first, want %s", r.Text, r.First, entries[1].ID)
		}
	}
	assert.Equal(t, 2, at["trigger balance the till"])
	assert.Equal(t, 1, at["given close the books for the shop"])
	_, ok := at["trigger run ledger"]
	assert.False(t, ok, "requests %v: want none that says the name alone", at)
}

func TestQueries(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		want       []Query
	}{
		{"a list", `[{"query":"bake bread","should_trigger":true},{"query":"fix the oven","should_trigger":false}]`,
			[]Query{{"bake bread", true}, {"fix the oven", false}}},
		{"a list in an object", `{"name":"x","evals":[{"query":"bake bread","should_trigger":true}]}`, []Query{{"bake bread", true}}},
		{"without labels", `[{"query":"bake bread"}]`, nil},
		{"not JSON", `bake bread`, nil},
	} {
		assert.Equal(t, tt.want, Queries([]byte(tt.file)), tt.name)
	}
}

// The score predicted for an edit is that of the edited text once it is indexed, apart from collection statistics and
// word pairs that no skill has yet.
func TestEditedTextScoresAsIfIndexed(t *testing.T) {
	const phrase, trigger = "reconciles bank statements", "check my bank lines"
	before := library(t, examples, nil)
	at := slices.IndexFunc(before, func(e catalog.Entry) bool { return len(e.Triggers) > 1 && strings.Contains(e.Description, "Use when") })
	after := slices.Clone(before)
	e := after[at]
	e.Capability += " " + phrase
	e.Triggers = append(slices.Clone(e.Triggers)[1:], trigger)
	after[at] = e
	p, q := prober(t, before), prober(t, after)
	edit := new(index.Edit)
	edit.Text(p.Analyzer, index.Description, phrase, 1)
	edit.Trigger(p.Analyzer, before[at].Triggers[0], -1)
	edit.Trigger(p.Analyzer, trigger, 1)
	doc := p.ByID[e.ID]
	for _, prompt := range []string{"for the bank: reconcile a statement", before[at].Triggers[0], before[at].Triggers[1], before[at].Name + " bank"} {
		_, err := p.Search(context.Background(), prompt)
		require.NoError(t, err)
		_, got, _ := p.PlaceEdited(doc, edit)
		_, err = q.Search(context.Background(), prompt)
		require.NoError(t, err)
		_, want, _ := q.PlaceEdited(q.ByID[e.ID], new(index.Edit))
		if math.Abs(got-want) > 0.06*max(want, 1) {
			t.Errorf("%q scores %.3f in the edited text, %.3f once it is indexed", prompt, got, want)
		}
	}
}

func TestAnswersOfTheCallersSearches(t *testing.T) {
	entries := library(t, examples, nil)
	p := prober(t, entries)
	shared := 0
	for i := range entries {
		e := &entries[i]
		want := places(t, p, e)
		asking := p.Ask(e, nil, nil, 5, e.Triggers)
		for _, trigger := range e.Triggers {
			_, err := p.Search(context.Background(), trigger)
			require.NoError(t, err)
			asking.Answer(trigger)
		}
		for _, r := range asking.list {
			if r.Kind == Trigger && r.Place == 0 {
				t.Errorf("%s: %q has no answer, want that of the search for it", e.ID, r.Text)
			} else if r.Kind == Trigger {
				shared++
			}
		}
		got, err := asking.Places(context.Background())
		require.NoError(t, err, e.ID)
		assert.Equal(t, want, got, e.ID)
	}
	assert.NotEqual(t, 0, shared, "no trigger was shared, want some")
}

func TestSpread(t *testing.T) {
	assert.Equal(t, []string{"a", "c", "e"}, Spread([]string{"a", "b", "c", "d", "e", "f"}, 3))
}
