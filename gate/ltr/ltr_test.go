package ltr

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/synonyms"
)

var library = map[string]string{
	"invoice-writer": `description: Writes invoices as PDF. Use when the user asks to "bill a customer".`,
	"invoice-reader": `description: Reads invoices and receipts. Do NOT use for PDF output (use invoice-writer).`,
	"invoice-copy":   `description: Writes invoices as PDF.`,
	"weekly-report":  "description: 주간 보고서를 작성합니다.",
	"billing-notes":  "description: Keeps notes.\n---\n\nHow to write invoices as PDF: see references/pdf.md and scripts/make.py.\n",
}

// search returns the features of every candidate for a prompt, by name.
func search(t *testing.T, prompt string) map[string]Features {
	t.Helper()
	var entries []catalog.Entry
	for _, name := range slices.Sorted(maps.Keys(library)) {
		text := library[name]
		front, body, _ := strings.Cut(text, "\n---\n")
		file := "---\nname: " + name + "\n" + front + "\n---\n" + body
		entries = append(entries, catalog.Parse(catalog.LibraryRoot("/x"), catalog.File{Folder: name}, []byte(file)))
	}
	x, err := index.Memory(context.Background(), entries, synonyms.Default())
	if err != nil {
		t.Fatal(err)
	}
	snapshot := index.Join(x)
	r := rank.New(snapshot, x.Dict, rank.DefaultWeights())
	res, err := r.Search(context.Background(), r.Parse(prompt))
	if err != nil {
		t.Fatal(err)
	}
	var list []Candidate
	for _, hit := range r.Top(&res, Depth, nil) {
		doc, err := snapshot.Doc(hit.Doc)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Candidate{hit.Doc, hit.Score, &doc})
	}
	out := map[string]Features{}
	for i, f := range Extract(r, snapshot, &res, list) {
		out[list[i].Doc.Name] = f
	}
	return out
}

func TestFeatures(t *testing.T) {
	tests := []struct {
		name, prompt string
		feature      Feature
		more, less   string // candidates: the feature is higher for the first
	}{
		{"the best score", "write an invoice as pdf", Score, "invoice-writer", "billing-notes"},
		{"intent", "write an invoice as pdf", Intent, "invoice-writer", "billing-notes"},
		{"trigger coverage", "bill a customer for an invoice", Triggers, "invoice-writer", "invoice-reader"},
		{"boundary violation", "invoice as pdf", Boundary, "invoice-reader", "invoice-writer"},
		{"what others send", "invoice as pdf", Contract, "invoice-writer", "invoice-reader"},
		{"output fit", "invoice as pdf", Outputs, "invoice-writer", "billing-notes"},
		{"reference dependencies", "invoice as pdf", References, "billing-notes", "invoice-writer"},
		{"context cost", "invoice as pdf", Cost, "billing-notes", "invoice-writer"},
		{"met in the body alone", "write an invoice as pdf", BodyOnly, "billing-notes", "invoice-writer"},
		{"the name said", "the invoice writer please", NameSaid, "invoice-writer", "invoice-reader"},
		{"the name not said", "the invoice writer please", NameUnsaid, "invoice-reader", "invoice-writer"},
		{"a candidate like a better one", "write an invoice as pdf, bill a customer", Twin, "invoice-copy", "invoice-writer"},
		{"the company of candidates like it", "write an invoice as pdf, bill a customer", Company, "invoice-copy", "billing-notes"},
		{"the concept that weighs most", "write an invoice as pdf", Peak, "invoice-writer", "invoice-reader"},
		{"own Korean words", "주간 보고서 써줘, invoice 말고", Korean, "weekly-report", "invoice-writer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found := search(t, tt.prompt)
			more, ok1 := found[tt.more]
			less, ok2 := found[tt.less]
			if !ok1 || !ok2 {
				t.Fatalf("search(%q) finds %d candidates, want %s and %s among them", tt.prompt, len(found), tt.more, tt.less)
			}
			if more[tt.feature] <= less[tt.feature] {
				t.Errorf("%s of %q: %s has %v, %s has %v, want more for the first", tt.feature, tt.prompt, tt.more, more[tt.feature], tt.less, less[tt.feature])
			}
		})
	}
}

func TestInputsAreFilesAndLinks(t *testing.T) {
	found := search(t, "references/pdf.md 보고 invoice pdf")
	if got := found["billing-notes"][Inputs]; got <= 0 {
		t.Errorf("inputs of a skill that names the prompt's file = %v, want more than 0", got)
	}
	if got := search(t, "invoice pdf")["billing-notes"][Inputs]; got != 0 {
		t.Errorf("inputs of a prompt that brings none = %v, want 0", got)
	}
}

func TestSharesAreShares(t *testing.T) {
	for _, prompt := range []string{"write an invoice as pdf", "주간 보고서 pdf로 invoice 정리", "pdf"} {
		for name, x := range search(t, prompt) {
			for _, f := range []Feature{Met, Intent, Triggers, Boundary, Inputs, Outputs, Contract, Expanded, BodyOnly, General, Peak, Rarest, NameSaid, Korean, Twin} {
				if x[f] < 0 || x[f] > 1+1e-9 {
					t.Errorf("%s of %s for %q = %v, want 0 to 1", f, name, prompt, x[f])
				}
			}
			for f, v := range x {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%s of %s for %q = %v, want a number", Feature(f), name, prompt, v)
				}
			}
		}
	}
}

func TestNothingToOrder(t *testing.T) {
	if got := Extract(nil, nil, &rank.Result{}, nil); len(got) != 0 {
		t.Errorf("Extract of nothing = %v, want nothing", got)
	}
}

func TestParseModel(t *testing.T) {
	good := Default().String()
	if m, err := ParseModel(good); err != nil || m.String() != good {
		t.Errorf("ParseModel(String()) = %v, %v, want the same model", m, err)
	}
	tests := []struct{ name, text, want string }{
		{"a feature left out", strings.Replace(good, "score", "# score", 1), "no weight for score"},
		{"a feature twice", good + "score 1\n", "stands twice"},
		{"an unknown feature", good + "luck 1\n", `unknown feature "luck"`},
		{"no number", strings.Replace(good, "score", "score x #", 1), "is not a number"},
		{"not finite", strings.Replace(good, "score", "score NaN #", 1), "is not a number"},
		{"a name alone", good + "score\n", "want a name and a weight"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ParseModel(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ParseModel = %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestOrder(t *testing.T) {
	var m Model
	m[Intent], m[Cost] = 1, -1
	var a, b, c Features
	a[Intent], b[Intent], c[Intent] = 0.5, 0.9, 0.5
	b[Cost] = 1
	got := m.Order([]Features{a, b, c})
	if len(got) != 3 || got[0] != 0 || got[1] != 2 || got[2] != 1 {
		t.Errorf("Order = %v, want 0 2 1: by utility, equal ones as they were", got)
	}
}
