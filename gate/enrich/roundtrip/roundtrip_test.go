package roundtrip

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/index/zapfile"
	"github.com/skillgate/skillgate/gate/rank"
)

// library is a few skills whose expansions fit them.
func library() ([]catalog.Entry, []enrich.Expansion) {
	var entries []catalog.Entry
	var list []enrich.Expansion
	add := func(name, description string, requests ...string) {
		id := "p/" + name
		entries = append(entries, catalog.Entry{
			ID: id, Name: name, Hash: name, Pool: catalog.Skill, Description: description, Capability: description, Body: description, ModelInvocable: true,
		})
		x := enrich.Expansion{ID: id, Name: name, Hash: name}
		for _, r := range requests {
			x.Phrases = append(x.Phrases, enrich.Phrase{Kind: "en", Text: r})
		}
		list = append(list, x)
	}
	add("invoice-reader", "Reads supplier invoices and extracts amounts and due dates.",
		"get the amounts out of these supplier bills", "which bills fall due this week", "extract the due dates from scanned invoices")
	add("bread-baker", "Plans sourdough baking: flour, hydration, proofing times.",
		"my sourdough loaf comes out flat", "how much flour and water for two loaves", "plan proofing times for sunday baking")
	add("bike-mechanic", "Diagnoses bicycle problems: brakes, gears, wheels.",
		"my velo squeaks downhill", "squeaks from the velo at every corner", "true a bent bicycle wheel")
	add("garden-planner", "Plans vegetable beds: sowing dates, crop rotation, watering.",
		"when do I sow tomatoes in a vegetable bed", "plan crop rotation for four beds", "how often to water the beds in july")
	add("tax-helper", "Prepares income tax returns: deductions, receipts, deadlines.",
		"which receipts count as deductions", "fill in my income tax return", "what is the deadline for the tax return")
	return entries, list
}

func check(t *testing.T, entries []catalog.Entry, list []enrich.Expansion, o Options) Report {
	t.Helper()
	dir := t.TempDir()
	_, err := index.Build(t.Context(), index.Options{Postings: zapfile.Write[index.Freq], Dir: dir, Scope: "test",
		Entries: entries, Expansion: enrich.Lookup(list), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	snapshot := index.Join(x)
	report, err := Check(t.Context(), snapshot, func(w rank.Weights) *rank.Ranker { return rank.New(snapshot, x.Dict, w) }, list, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestCheck(t *testing.T) {
	entries, list := library()
	report := check(t, entries, list, Options{})
	if report.Skills != 5 || report.Requests != 15 || len(report.Thieves) != 0 {
		t.Fatalf("Check of a clean library = %+v, want 15 requests of 5 skills and no thieves", report)
	}
	if report.With.First <= report.Without.First || report.With.First < 0.8 {
		t.Errorf("Check: first with %.2f, without %.2f, want more with, since squeaks and velo stand in requests alone, "+
			"and 0.8 at least", report.With.First, report.Without.First)
	}

	// A request that belongs to the baker stands in the mechanic's expansion.
	foreign := enrich.Phrase{Kind: "en", Text: "how long should sourdough flour and water proof before baking"}
	mechanic := &list[2]
	mechanic.Phrases = append(mechanic.Phrases, foreign)
	report = check(t, entries, list, Options{})
	i := slices.IndexFunc(report.Thieves, func(t Thief) bool { return t.ID == "p/bike-mechanic" && t.Text == foreign.Text })
	if i < 0 || len(report.Thieves) != 1 {
		t.Fatalf("Check with a planted phrase: thieves %+v, want that phrase alone", report.Thieves)
	}
	if !strings.Contains(report.Thieves[i].Why, "bread-baker") {
		t.Errorf("Why = %q, want the skill it belongs to", report.Thieves[i].Why)
	}
	if only := check(t, entries, list, Options{Only: map[string]bool{"p/tax-helper": true}}); only.Skills != 1 || only.Requests != 3 || len(only.Thieves) != 0 {
		t.Errorf("Check of tax-helper alone = %+v, want its 3 requests and no thieves of others", only)
	}
	store, err := enrich.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for _, x := range list {
		if err := store.Put(x); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{1, 0} { // the second time it is dropped already
		if n, err := Drop(store, report.Thieves); n != want || err != nil {
			t.Errorf("Drop changes %d skills, %v, want %d", n, err, want)
		}
	}
	if report = check(t, entries, store.All(), Options{}); len(report.Thieves) != 0 || report.Requests != 15 {
		t.Errorf("Check after Drop = %+v, want 15 requests and no thieves", report)
	}
}

func TestCheckNearMisses(t *testing.T) {
	entries, list := library()
	list[4].Near = []enrich.Near{
		{Text: "read the amounts on this supplier invoice", Skill: "invoice-reader"},
		{Text: "which income tax deductions do I get", Skill: "invoice-reader"}, // no near miss but a hit
		{Text: "anything", Skill: "not-installed"},
	}
	report := check(t, entries, list, Options{})
	if report.Near != 2 || report.NearRight != 0.5 {
		t.Errorf("Check: %d near misses, %.2f right, want 2 and 0.5", report.Near, report.NearRight)
	}
}

func TestCheckWithoutExpansions(t *testing.T) {
	entries, _ := library()
	report := check(t, entries, nil, Options{})
	if report.Requests != 0 || report.With != (Rates{}) || report.Thieves == nil {
		t.Errorf("Check of nothing = %+v, want zeros", report)
	}
}
