package gate

import (
	"context"
	"slices"
	"testing"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/ltr"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/triage"
)

func openText(t *testing.T, s Settings, skills ...[2]string) *Gate {
	t.Helper()
	var entries []catalog.Entry
	for _, skill := range skills {
		text := "---\nname: " + skill[0] + "\ndescription: " + skill[1] + "\n---\n"
		entries = append(entries, catalog.Parse(catalog.LibraryRoot("/x"), catalog.File{Folder: skill[0]}, []byte(text)))
	}
	x, err := index.Memory(context.Background(), entries, synonyms.Default())
	if err != nil {
		t.Fatal(err)
	}
	g := OpenIndexes(s, []string{"x"}, x)
	t.Cleanup(func() { g.Close() })
	return g
}

var ledgers = [][2]string{
	{"ledger-close", "Closes the ledger at the end of a month and books accruals."},
	{"ledger-open", "Opens a ledger for a new company. Use when a ledger is missing."},
	{"ledger-audit", "Audits a ledger for fraud, duplicates and wrong accruals."},
	{"ledger-chart", "Draws charts of a ledger by month."},
}

// The learned order is the model's; scores and what lies below score_min stay.
func TestLearnedOrder(t *testing.T) {
	s := Default()
	s.ScoreMin, s.Rerank.Learned = 0, true
	prompt := triage.Classify("close the ledger of last month and check its accruals, draw a chart too")
	g := openText(t, s, ledgers...)
	var ids []string
	var features []ltr.Features
	d := g.Decide(context.Background(), Request{Prompt: prompt, K: 10, Choice: func(i []string, f []ltr.Features) { ids, features = i, f }})
	if len(d.Candidates) != len(ids) || len(ids) < 3 {
		t.Fatalf("Decide has %d candidates and %d choices, want the same, at least 3", len(d.Candidates), len(ids))
	}
	order := ltr.Default().Order(features)
	for at, i := range order {
		if d.Candidates[at].ID != ids[i] {
			t.Errorf("candidate %d is %s, want %s as the model has it", at+1, d.Candidates[at].ID, ids[i])
		}
	}
	s.Rerank.Learned = false
	plain := openText(t, s, ledgers...).Decide(context.Background(), Request{Prompt: prompt, K: 10})
	for _, c := range plain.Candidates {
		at := slices.IndexFunc(d.Candidates, func(o Candidate) bool { return o.ID == c.ID })
		if at < 0 || d.Candidates[at].Score != c.Score {
			t.Errorf("%s scores %v in %v, want %v as without the model", c.ID, c.Score, d.Candidates, c.Score)
		}
	}
	if plain.Need != d.Need || plain.Verdict != d.Verdict {
		t.Errorf("verdict %s with need %v, want %s and %v as without the model", d.Verdict, d.Need, plain.Verdict, plain.Need)
	}
}

func TestLearnedOrderKeepsTheFloor(t *testing.T) {
	s := Default()
	s.Rerank.Learned = true
	g := openText(t, s, ledgers...)
	prompt := triage.Classify("close the ledger of last month and check its accruals, draw a chart too")
	first := g.Decide(context.Background(), Request{Prompt: prompt, K: 10}).Candidates
	slices.SortFunc(first, func(a, b Candidate) int {
		if a.Score > b.Score {
			return -1
		}
		return 1
	})
	for n := range first {
		s.ScoreMin = first[n].Score
		d := openText(t, s, ledgers...).Decide(context.Background(), Request{Prompt: prompt, K: 10})
		below := false
		for _, c := range d.Candidates {
			if c.Score < s.ScoreMin {
				below = true
			} else if below {
				t.Errorf("score_min %v: %s with %v stands behind one below it", s.ScoreMin, c.ID, c.Score)
			}
		}
	}
}
