package lint

import (
	"context"
	"slices"
	"testing"

	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms"
)

// What is proposed makes a skill's own requests find it, is of its own body, and takes no request from a neighbour.
func TestAdvise(t *testing.T) {
	till := func(phrases ...string) ExampleFile {
		body := "## When to use\n\n"
		for _, phrase := range phrases {
			body += "- \"" + phrase + "\"\n"
		}
		return ExampleFile{"till/SKILL.md", page("till", "Balances the till. Use when the user says \"balance the till\" or \"count the drawer\".") + body}
	}
	others := []ExampleFile{
		{"drawer/SKILL.md", page("drawer", "Builds a drawer out of oak boards, with dovetails and runners, and hangs the drawer in a chest.")},
		{"stock/SKILL.md", page("stock",
			"Counts the stock of a shop, in the count of the shelf. Use when the user says \"count the stock\" or \"count the "+
				"shelf\".")},
		{"bakery/SKILL.md", page("bakery", "Plans bakes and warms the oven of a bakery.") + "## Example requests\n\n- \"warm the drawer oven\"\n"},
	}
	for _, tt := range []struct {
		name string
		till ExampleFile
		want []string
	}{
		{"a phrase that helps", till("reconcile the cash drawer", "feed the neighbour's cat"), []string{"reconcile the cash drawer"}},
		{"the shorter of two that help alike", till("reconcile the cash drawer evenings", "reconcile the cash drawer"), []string{"reconcile the cash drawer"}},
		{"a phrase that takes a neighbour's request", till("warm the drawer oven"), nil},
		{"nothing new", till("count the till drawer"), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := library(t, Example{Files: append([]ExampleFile{tt.till}, others...)})
			x, err := index.Memory(context.Background(), l.Entries(), synonyms.Default(), nil)
			if err != nil {
				t.Fatal(err)
			}
			r, err := findable.NewRetriever(index.Join(x), x.Dict)
			if err != nil {
				t.Fatal(err)
			}
			if l.Measured, err = Measure(context.Background(), l, r, nil, false, nil); err != nil {
				t.Fatal(err)
			}
			s := l.Named("till")[0]
			got, err := Advise(context.Background(), l, r, s)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Add, tt.want) {
				t.Errorf("Advise() adds %q, want %q", got.Add, tt.want)
			}
			missed := slices.IndexFunc(got.Missed, func(m Missed) bool { return m.Prompt == "count the drawer" })
			if missed < 0 {
				t.Fatalf("Advise() says that %+v are missed, want \"count the drawer\" among them", got.Missed)
			}
			if m := got.Missed[missed]; m.First == "" || m.First == s.ID || m.By == "" || (m.With < m.Place) != (tt.want != nil) {
				t.Errorf("Advise() says %+v, want who is first, by which word, and a better place only with a change", m)
			}
		})
	}
}
