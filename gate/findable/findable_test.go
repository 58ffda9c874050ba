package findable

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms"
)

// library reads the skills of a folder, each through change where that is not nil.
func library(t *testing.T, dir string, change func(i int, text string) string) []catalog.Entry {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "SKILL.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no skills in %s: %v", dir, err)
	}
	var out []catalog.Entry
	root := catalog.LibraryRoot(dir)
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
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
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRetriever(index.Join(x), x.Dict)
	if err != nil {
		t.Fatal(err)
	}
	return r.Prober()
}

func evidence(t *testing.T, p *Prober, e *catalog.Entry, given ...string) Evidence {
	t.Helper()
	ev, err := p.Ask(e, given, nil, 5, nil).Evidence(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

func skill(name, description string) catalog.Entry {
	text := "---\nname: " + name + "\ndescription: " + description + "\n---\n# " + name + "\n"
	return catalog.Parse(catalog.LibraryRoot("/l"), catalog.File{Path: "/l/" + name + "/SKILL.md", Folder: name, Size: int64(len(text))}, []byte(text))
}

const examples = "../../testdata/library"

func TestEmptyPhrasesNeverRaiseAnEstimate(t *testing.T) {
	const apart = 12    // one skill of so many is changed at a time, so that it is among others as they are
	const slack = 0.004 // the texts of a twelfth of the library are longer then, which all others' lengths are measured by
	// line returns where the description ends that stands on a line of its own, 0 where none does.
	line := func(text string) int {
		at := strings.Index(text, "\ndescription: ")
		if at < 0 {
			return 0
		}
		at += len("\ndescription: ")
		end := at + strings.IndexByte(text[at:], '\n')
		if line := strings.TrimSpace(text[at:end]); line == "" || strings.ContainsAny(line[:1], `"'>|`) || strings.HasPrefix(text[end+1:], " ") {
			return 0 // in quotation marks or over several lines
		}
		return end
	}
	// unstopped takes the last full stop from every other description.
	unstopped := func(i int, text string) string {
		if end := line(text); end > 0 && i%2 == 0 {
			return strings.TrimRight(text[:end], " .") + text[end:]
		}
		return text
	}
	plain := library(t, examples, unstopped)
	before := map[string]Estimate{}
	p := prober(t, plain)
	for i := range plain {
		ev := evidence(t, p, &plain[i])
		before[plain[i].ID] = ev.Estimate()
	}
	n := 0
	for _, phrase := range []string{
		"Use when the user asks to run NAME.",
		"Use when the user says \"run NAME\" or \"use the NAME skill\".",
		"Use this skill whenever needed, just in case.",
		"Always use it proactively. Helps with anything related.",
	} {
		for from := range apart {
			changed := library(t, examples, func(i int, text string) string {
				text = unstopped(i, text)
				end := line(text)
				if i%apart != from || end == 0 {
					return text
				}
				name, _, _ := strings.Cut(text[strings.Index(text, "name: ")+6:], "\n")
				return text[:end] + " " + strings.ReplaceAll(phrase, "NAME", name) + text[end:]
			})
			p := prober(t, changed)
			for i := from; i < len(changed); i += apart {
				e := &changed[i]
				if e.Description == plain[i].Description {
					continue
				}
				n++
				ev := evidence(t, p, e)
				if got, was := ev.Estimate(), before[e.ID]; got.First > was.First+slack {
					t.Errorf("%s: first %.4f with %q, %.4f without: want no more", e.ID, got.First, phrase, was.First)
				}
			}
		}
	}
	if n < 300 {
		t.Errorf("%d descriptions were tried, want hundreds", n)
	}
}

func TestRequestsAreHeldOut(t *testing.T) {
	entries := []catalog.Entry{
		skill("ledger", `Keeps the books and the balance of a small shop. Use when the user says "balance the till", "post a journal entry" or "run ledger".`),
		skill("till-count", `Counts the till at closing time and balances cash against receipts of the till.`),
		skill("bakery", `Plans sourdough bakes and oven times.`),
	}
	p := prober(t, entries)
	ev := evidence(t, p, &entries[0], "close the books for the shop")
	places := map[string]int{}
	for _, r := range ev.Requests {
		places[string(r.Kind)+" "+r.Text] = r.Place
	}
	if got := places["trigger balance the till"]; got != 2 {
		t.Errorf("the place of its own trigger, held out, is %d, want 2: till-count answers to it (%v)", got, places)
	}
	if got := places["given close the books for the shop"]; got != 1 {
		t.Errorf("the place of a given request is %d, want 1: nothing is taken out for it (%v)", got, places)
	}
	if _, ok := places["trigger run ledger"]; ok {
		t.Errorf("requests %v: want none that says the name alone", places)
	}
	if !slices.Equal(ev.Rivals, []string{entries[1].ID}) {
		t.Errorf("rivals %q, want %q", ev.Rivals, entries[1].ID)
	}
}

func TestGivenRequestsOutweighTheModel(t *testing.T) {
	for _, tt := range []struct {
		name          string
		place, n      int
		atLeast, most float64
	}{
		{"many that are first", 1, 20, 0.85, 1},
		{"many that are not found", Depth + 1, 20, 0, 0.2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ev Evidence
			for range tt.n {
				ev.Requests = append(ev.Requests, Request{Kind: Given, Place: tt.place})
			}
			if e := ev.Estimate(); e.First < tt.atLeast || e.First > tt.most || e.Five < e.First || e.Given != tt.n {
				t.Errorf("Estimate of %d given requests in place %d = %+v, want first from %g to %g", tt.n, tt.place, e, tt.atLeast, tt.most)
			}
		})
	}
}

// Requests that a model wrote find their skill less often than people's do: one that misses says less against it.
func TestWrittenRequestsAreWeighed(t *testing.T) {
	estimate := func(kind Kind, place int) Estimate {
		var ev Evidence
		for range 5 {
			ev.Requests = append(ev.Requests, Request{Kind: kind, Place: place})
		}
		return ev.Estimate()
	}
	none := new(Evidence).Estimate().First
	found, missed := estimate(Written, 1), estimate(Written, Depth+1)
	if found.First <= none || found.First > 1 || missed.First >= none || missed.First <= estimate(Given, Depth+1).First {
		t.Errorf("Estimate is %.2f without requests, %.2f with written ones that find it, %.2f with such that do not "+
			"and %.2f with given ones that do not, want the second highest and the others falling",
			none, found.First, missed.First, estimate(Given, Depth+1).First)
	}
	if found.Written != 5 || found.Given != 0 {
		t.Errorf("Estimate counts %d written and %d given requests, want 5 and 0", found.Written, found.Given)
	}
}

func TestWeightsFile(t *testing.T) {
	m, err := parseModel(weightsText)
	if err != nil {
		t.Fatal(err)
	}
	again, err := parseModel("# comment\n" + m.String())
	if err != nil || again != m {
		t.Errorf("ParseModel(String()) = %v, %v, want the model as it was", again, err)
	}
	for _, bad := range []string{"bias 1\n", "nothing 1 2\n", "rare one 2\n"} {
		if _, err := parseModel(bad); err == nil {
			t.Errorf("ParseModel(%q) has no error", bad)
		}
	}
	for f, v := range m[0].Weights {
		if f := Feature(f); f != NoTriggers && v < 0 {
			t.Errorf("weight of %s = %g: what finds a skill more surely lowers its estimate", f, v)
		}
	}
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
		t.Run(tt.name, func(t *testing.T) {
			if got := Queries([]byte(tt.file)); !slices.Equal(got, tt.want) {
				t.Errorf("Queries(%s) = %v, want %v", tt.file, got, tt.want)
			}
		})
	}
}

// What an edit is said to score is what the edited text scores once it is indexed, but for the
// statistics of the collection and neighbours that no skill has yet.
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
		if _, err := p.Search(context.Background(), prompt); err != nil {
			t.Fatal(err)
		}
		_, got, _ := p.PlaceEdited(doc, edit)
		if _, err := q.Search(context.Background(), prompt); err != nil {
			t.Fatal(err)
		}
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
		want := evidence(t, p, e)
		asking := p.Ask(e, nil, nil, 5, e.Triggers)
		for _, trigger := range e.Triggers {
			if _, err := p.Search(context.Background(), trigger); err != nil {
				t.Fatal(err)
			}
			asking.Answer(trigger)
		}
		for _, r := range asking.list {
			if r.Kind == Trigger && r.Place == 0 {
				t.Errorf("%s: %q has no answer, want that of the search for it", e.ID, r.Text)
			} else if r.Kind == Trigger {
				shared++
			}
		}
		got, err := asking.Evidence(context.Background())
		if err != nil || got.X != want.X || !slices.Equal(got.Requests, want.Requests) {
			t.Errorf("%s: evidence %+v, %v, want %+v as without them", e.ID, got, err, want)
		}
	}
	if shared == 0 {
		t.Error("no trigger was shared, want some")
	}
}

func TestSpread(t *testing.T) {
	if got := Spread([]string{"a", "b", "c", "d", "e", "f"}, 3); !slices.Equal(got, []string{"a", "c", "e"}) {
		t.Errorf("Spread = %q, want every other one", got)
	}
}

func TestGrade(t *testing.T) {
	for first, want := range map[float64]string{1: "A", 0.7: "A", 0.69: "B", 0.6: "B", 0.59: "C", 0: "C"} {
		if got := (Estimate{First: first}).Grade(); got != want {
			t.Errorf("Grade of %v = %s, want %s", first, got, want)
		}
	}
}

// Of other people's prompts clearly fewer find their skill at a letter than at the one before.
func TestGradesTellSkillsApart(t *testing.T) {
	text, err := os.ReadFile("../../testdata/figures/grade.txt")
	if err != nil {
		t.Fatal(err)
	}
	last := 1.0
	for _, letter := range Grades {
		m := regexp.MustCompile(`(?m)^` + letter + ` +\d+ +(\.\d+) `).FindSubmatch(text)
		if m == nil {
			t.Fatalf("grade.txt has no line for %s", letter)
		}
		hit, err := strconv.ParseFloat(string(m[1]), 64)
		if err != nil || hit > last-0.05 {
			t.Errorf("at %s %v of the prompts find their skill first, want less than %.3f", letter, hit, last-0.05)
		}
		last = hit
	}
}
