package rank

import (
	"context"
	"math"
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

type ranked struct {
	*Ranker
	t        *testing.T
	snapshot *index.Snapshot
}

func over(t *testing.T, entries []catalog.Entry) ranked {
	t.Helper()
	x, err := index.Memory(t.Context(), entries, synonyms.Default(), nil)
	require.NoError(t, err)
	s := index.Join(x)
	return ranked{New(s, x.Dict, DefaultWeights()), t, s}
}

func skill(name, description, body string) catalog.Entry {
	text := "---\nname: " + name + "\ndescription: >-\n  " + description + "\n---\n" + body
	return catalog.Parse(catalog.LibraryRoot("/x"), catalog.File{Path: "/x/" + name + "/SKILL.md", Folder: name}, []byte(text))
}

func library(t *testing.T) ranked {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", "..", "testdata", "library"))
	require.NoError(t, err)
	r := catalog.LibraryRoot(root)
	files, problems := catalog.Files(t.Context(), []catalog.Root{r}, nil)
	require.Empty(t, problems)
	require.GreaterOrEqual(t, len(files), 120)
	var entries []catalog.Entry
	for _, f := range files {
		e, err := catalog.Read(r, f)
		require.NoError(t, err)
		entries = append(entries, e)
	}
	return over(t, entries)
}

func (r ranked) search(prompt string) Result {
	r.t.Helper()
	res, err := r.Search(context.Background(), r.Parse(prompt))
	require.NoError(r.t, err, prompt)
	return res
}

func (r ranked) top(prompt string, k int) []string {
	r.t.Helper()
	res := r.search(prompt)
	var out []string
	for _, h := range r.Top(&res, k, nil) {
		d, err := r.snapshot.Doc(h.Doc)
		require.NoError(r.t, err)
		out = append(out, d.ID)
	}
	return out
}

var explained = []string{
	"review this Python module, not the Go one",
	"엑셀로 월별 매출 집계하고 피벗도 만들어줘",
	"Terraform으로 GCP에 VPC 구성해줘",
	"이번 배포 롤백하고 장애 보고서까지 부탁",
	"make a deck, make a chart, make a deck again for the board",
	"dprtpf 피벗",
	"fill in the form fields of this PDF, do not join files",
	"k8s pod restarts v1.29.3 CrashLoopBackOff in kube-system node_modules useEffect C++",
}

func TestExplanationAddsUpToTheScore(t *testing.T) {
	r := library(t)
	for _, prompt := range explained {
		res := r.search(prompt)
		hits := r.Top(&res, 40, nil)
		assert.GreaterOrEqual(t, len(hits), 2, prompt)
		for _, h := range hits {
			sum := 0.0
			for _, m := range r.Explain(&res, h.Doc) {
				sum += m.Score
			}
			if math.Abs(sum-h.Score) > 1e-4*math.Max(1, h.Score) {
				d, _ := r.snapshot.Doc(h.Doc)
				t.Errorf("%q: %s scores %.6f, its explanation %.6f", prompt, d.ID, h.Score, sum)
			}
		}
	}
}

func TestTopIsInOrderAndTheSameEachTime(t *testing.T) {
	r := library(t)
	for _, prompt := range explained {
		res := r.search(prompt)
		hits := r.Top(&res, 30, nil)
		if !slices.IsSortedFunc(hits, func(a, b Hit) int {
			if r.order(a, b) < 0 {
				return -1
			}
			return 1
		}) {
			t.Errorf("Top(%q) is not in order: %v", prompt, hits)
		}
		again := r.search(prompt)
		assert.Equal(t, r.Top(&again, 30, nil), hits, prompt)
	}
}

func TestRememberChangesNothing(t *testing.T) {
	r := library(t)
	m := ranked{New(r.snapshot, r.Dict(), DefaultWeights()), t, r.snapshot}
	memory := m.Remember()
	other := ranked{New(r.snapshot, r.Dict(), DefaultWeights()), t, r.snapshot}
	other.Share(memory, "")
	for round := range 3 {
		if round == 2 { // the memory has scores of other weights
			for _, one := range []*Ranker{r.Ranker, m.Ranker, other.Ranker} {
				one.Weights.K1 *= 2
			}
		}
		for _, prompt := range explained {
			want := r.top(prompt, 10)
			for _, got := range [][]string{m.top(prompt, 10), other.top(prompt, 10)} {
				assert.Equal(t, want, got, prompt)
			}
		}
	}
}

func TestRanking(t *testing.T) {
	r := over(t, []catalog.Entry{
		skill("pdf-forms", `Fills in PDF forms. Use when the user says "fill in this form". Do NOT use for joining (use pdf-join).`, "# Forms\n"),
		skill("pdf-join", "Combines several PDF documents.", "# Combine\n"),
		skill("weather-report", "Tells the weather of a city.", "# Weather\n\nRain, sun, snow, a form of hail.\n"),
		skill("deploy-helper", "Ships a service to production.", "# Ship\n"),
		skill("kiosk", "배포 절차를 안내한다.", "# 배포\n"),
		skill("poem", "Writes poems.", "# Poems\n\nA poem may mention a city or the rain, and joining words.\n"),
	})
	tests := []struct {
		name, prompt, first string
	}{
		{"a word of the description", "what is the weather", "weather-report"},
		{"a quoted trigger", "fill in this form please", "pdf-forms"},
		{"a name", "deploy helper", "deploy-helper"},
		{"a Korean word meets its English sense", "날씨 알려줘", "weather-report"},
		{"an English word meets its Korean one", "a guide to deployment procedures", "kiosk"},
		{"what one skill sends to another", "joining", "pdf-join"},
		{"an inflected verb", "시를 써줘", "poem"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := r
			r.t = t
			if got := r.top(tt.prompt, 3); len(got) == 0 || got[0] != tt.first {
				t.Errorf("Top(%q) = %v, want %s first", tt.prompt, got, tt.first)
			}
		})
	}
}

func TestNeighboursTellMore(t *testing.T) {
	r := over(t, []catalog.Entry{
		skill("apart", "Mends a clock of sand near the tower.", ""),
		skill("together", "Mends a sand clock near the tower.", ""),
		skill("other", "Mends other things.", ""),
	})
	assert.Equal(t, []string{"together", "apart"}, r.top("my sand clock is broken", 2))
}

func TestTopKeepsWhatItIsTold(t *testing.T) {
	r := library(t)
	res := r.search("review this code")
	all := r.Top(&res, 5, nil)
	some := r.Top(&res, 5, func(doc uint32) bool { return doc != all[0].Doc })
	if some[0].Doc != all[1].Doc {
		t.Errorf("Top without the best = %v first, want %v", some[0], all[1])
	}
	assert.Empty(t, r.Top(&res, 0, nil))
}

func TestSearchStopsWithItsContext(t *testing.T) {
	r := library(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	res, err := r.Search(ctx, r.Parse("review this pull request for security"))
	if err == nil && !res.Cut {
		t.Errorf("Search with a context that has ended: %d documents, not cut", len(r.Top(&res, 10, nil)))
	}
}

func TestSearchOfNothing(t *testing.T) {
	r := library(t)
	for _, prompt := range []string{"", "   ", "the of and", "🎉", "그리고", "zzzqqq"} {
		assert.Empty(t, r.top(prompt, 5), prompt)
	}
	empty := over(t, nil)
	assert.Empty(t, empty.top("review this pull request", 5))
}

// At most MaxTerms distinct terms of a prompt are searched.
func TestLongPromptsAreCut(t *testing.T) {
	r := library(t)
	var b strings.Builder
	for i := range 5000 {
		b.WriteString(" word")
		b.WriteString(strings.Repeat("x", i%50))
		b.WriteString(" review")
	}
	res := r.search(b.String())
	n := 0
	for _, c := range res.Query.Concepts {
		if c.Weight > 0 {
			n++
		}
	}
	assert.LessOrEqual(t, n, int(r.Weights.MaxTerms))
}

func FuzzSearch(f *testing.F) {
	for _, p := range explained {
		f.Add(p)
	}
	f.Add("\x00\xff 가ᄀ１２㎏ ")
	entries := []catalog.Entry{
		skill("pdf-forms", "Fills in PDF forms. Do NOT use for joining (use pdf-join).", ""),
		skill("pdf-join", "Combines PDF documents. 합치기, 배포", "# 합치기\n"),
	}
	x, err := index.Memory(context.Background(), entries, synonyms.Default(), nil)
	if err != nil {
		f.Fatal(err)
	}
	r := New(index.Join(x), x.Dict, DefaultWeights())
	f.Fuzz(func(t *testing.T, prompt string) {
		res, err := r.Search(t.Context(), r.Parse(prompt))
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range r.Top(&res, 5, nil) {
			sum := 0.0
			for _, m := range r.Explain(&res, h.Doc) {
				sum += m.Score
			}
			if math.IsNaN(h.Score) || math.IsInf(h.Score, 0) || math.Abs(sum-h.Score) > 1e-3*math.Max(1, h.Score) {
				t.Errorf("Search(%q): document %d scores %v, its explanation %v", prompt, h.Doc, h.Score, sum)
			}
		}
	})
}
