package rank

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
)

func concept(docs ...int) Concept {
	c := Concept{Weight: 1}
	for _, n := range docs {
		c.Alts = append(c.Alts, Alt{docs: n})
	}
	return c
}

// The deadline and maxPostings leave out the least informative concepts.
func TestRarestFirst(t *testing.T) {
	concepts := []Concept{concept(30), concept(2, 3), concept(), concept(4)}
	got, want := rarestFirst(concepts), []int{2, 3, 1, 0}
	assert.Equal(t, want, got)
}

func TestWithinBudget(t *testing.T) {
	tests := []struct {
		name     string
		postings []int
		read     []bool
		total    int
	}{
		{"all of them fit", []int{10, 20}, []bool{true, true}, 30},
		{"exactly the limit fits", []int{maxPostings - 1, 1}, []bool{true, true}, maxPostings},
		{"the commonest does not fit", []int{maxPostings, 5}, []bool{false, true}, 5},
		{"one is read however common it is", []int{maxPostings + 1, 0}, []bool{true, true}, maxPostings + 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var concepts []Concept
			for _, n := range tt.postings {
				concepts = append(concepts, concept(n))
			}
			total := withinBudget(concepts, rarestFirst(concepts))
			for i, c := range concepts {
				if (c.Weight > 0) != tt.read[i] {
					t.Errorf("withinBudget(%v): concept %d has weight %v, want it read: %t", tt.postings, i, c.Weight, tt.read[i])
				}
			}
			assert.Equal(t, tt.total, total)
		})
	}
}

func TestLongFieldsCountForLess(t *testing.T) {
	filler := ""
	for i := range 40 {
		filler += fmt.Sprintf(" filler%d", i)
	}
	r := over(t, []catalog.Entry{
		skill("one", "Mends sundials.", ""),
		skill("two", "Mends sundials,"+filler+".", ""),
	})
	res := r.search("sundials")
	hits := r.Top(&res, 2, nil)
	require.Len(t, hits, 2)
	assert.GreaterOrEqual(t, hits[0].Score, 1.2*hits[1].Score)
}

// A ranker with a memory reads the postings of a term once, except for terms in fewer than leastKept skills.
func TestRememberKeepsPostings(t *testing.T) {
	r := over(t, []catalog.Entry{skill("one", "Mends sundials.", ""), skill("two", "Mends sundials and lutes.", "")})
	m := r.Remember()
	r.search("lutes and violins")
	require.Empty(t, m.terms)
	assert.Empty(t, m.docs)
	r.search("sundials")
	require.NotEmpty(t, m.terms)
	assert.NotEmpty(t, m.docs)
}

func TestSharedMemory(t *testing.T) {
	few := over(t, []catalog.Entry{skill("one", "Mends sundials and reviews a pull request.", ""),
		skill("two", "Mends violins and reviews a pull request.", "")})
	all := library(t)
	m := NewMemory(DefaultWeights(), 20*entrySize)
	for range 2 {
		for _, prompt := range explained {
			for name, r := range map[string]ranked{"few": few, "all": all} {
				got := ranked{New(r.snapshot, r.Dict(), DefaultWeights()), t, r.snapshot}
				got.Share(m, name)
				res := got.search(prompt)
				if got, want := got.Top(&res, 10, nil), hits(r, prompt); !slices.Equal(got, want) {
					t.Errorf("Top(%q) of %s = %v, want %v", prompt, name, got, want)
				}
				got.Leave()
				require.LessOrEqual(t, m.used, m.limit, len(m.terms))
				require.NotEqual(t, 0, len(m.terms)+len(m.docs), len(m.terms))
			}
		}
	}
}

// The size of a key does not depend on the snapshot's name, which may be long.
func TestMemoryCountsItsKeys(t *testing.T) {
	r := over(t, []catalog.Entry{skill("one", "Mends sundials.", ""), skill("two", "Mends old sundials.", "")})
	m := NewMemory(DefaultWeights(), 1<<20)
	r.Share(m, strings.Repeat("n", 1<<20))
	r.search("mend my sundials")
	least := 0
	for key, one := range m.terms {
		least += len(fmt.Sprint(key)) / 4 // a byte takes at most four letters
		least += one.Size() + 4*len(one.worth)
	}
	if len(m.terms) == 0 || m.used < least || m.used > 100<<10 {
		t.Errorf("%d terms count for %d bytes, want some, at least %d and no name of 1 MB", len(m.terms), m.used, least)
	}
}

// An interrupted search does not affect the next one.
func TestLeaveAfterAFailure(t *testing.T) {
	r := library(t)
	m := NewMemory(DefaultWeights(), 0)
	broken := New(r.snapshot, r.Dict(), DefaultWeights())
	broken.Share(m, "")
	_, err := broken.Search(t.Context(), broken.Parse(explained[0]))
	require.NoError(t, err)
	broken.best[0] = 100
	broken.Leave()
	got := ranked{New(r.snapshot, r.Dict(), DefaultWeights()), t, r.snapshot}
	got.Share(m, "")
	res := got.search(explained[0])
	if got, want := got.Top(&res, 10, nil), hits(r, explained[0]); !slices.Equal(got, want) {
		t.Errorf("Top = %v, want %v", got, want)
	}
}

func hits(r ranked, prompt string) []Hit {
	res := r.search(prompt)
	return r.Top(&res, 10, nil)
}

func TestFloorKeepsTheBest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		scores := make([]float32, n)
		above := 0
		for i := range scores {
			if random.IntN(3) > 0 {
				scores[i] = float32(math.Exp(8*random.Float64() - 4))
				above++
			}
		}
		for _, k := range []int{1, 10, 160} {
			least, reach := floor(scores, k), 0
			for _, s := range scores {
				if s > 0 && s >= least {
					reach++
				}
			}
			if reach < min(k, above) || above >= k && n > 2*k && least == 0 {
				t.Fatalf("%d of %d scores reach %v, want the %d best", reach, n, least, k)
			}
		}
	}
}
