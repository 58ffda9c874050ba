package gate

import (
	"context"
	"testing"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/need"
	"github.com/skillgate/skillgate/triage"
)

func TestFeaturesOfPurposeAndScript(t *testing.T) {
	g := open(t, entry(catalog.Personal, "invoice-filler", "Fill an invoice for a customer.", "# Invoices\n\nPrint it on the plotter.\n"),
		entry(catalog.Personal, "bread-baker", `Bakes bread. Use when the user says "feed the starter".`, "# Bread\n\nWeigh the flour.\n"))
	for _, test := range []struct {
		prompt             string
		purpose, spaceless float64
	}{
		{"the invoice, please", 1, 0},
		{"feed the starter", 1, 0},
		{"what is an invoice?", 0, 0},
		{"Translate the invoice", 0, 0},
		{"the invoice on the plotter", 0, 0},
		{"请写 invoice", 1, 2.0 / 9},
		{"เขียน", 0, 1},
	} {
		var x need.Features
		g.Decide(context.Background(), Request{Prompt: triage.Classify(test.prompt), Observe: func(f need.Features) { x = f }})
		if x[need.Purpose] != test.purpose || x[need.Spaceless] != test.spaceless {
			t.Errorf("%q: purpose %v, of scripts without spaces %.3f", test.prompt, x[need.Purpose], x[need.Spaceless])
		}
	}
}
