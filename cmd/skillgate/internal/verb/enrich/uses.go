package enrich

import (
	"context"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
)

// confirmedUses returns the confirmed uses of entries, which come in the order in which the host
// takes them. level is how much of a prompt the user lets be kept now (log.prompts).
func confirmedUses(ctx context.Context, db *store.DB, entries []catalog.Entry, level string) ([]enrich.Use, error) {
	var uses []enrich.Use
	found := map[[2]string]int{}
	of := func(o journal.Outcome) int { // the entry that was used, -1 for none
		key := [2]string{o.Skill, o.Path}
		i, ok := found[key]
		if !ok {
			i = slices.IndexFunc(entries, func(x catalog.Entry) bool {
				return journal.SameUse(x.Name, x.Path, o.Skill, o.Path)
			})
			found[key] = i
		}
		return i
	}
	err := db.Turns(ctx, store.Filter{Used: true, Asked: true}, func(t *store.Turn) error {
		if u, ok := useOf(t, entries, of, level); ok {
			uses = append(uses, u)
		}
		return nil
	})
	return uses, err
}

// useOf returns the use that a decision confirms: the one skill that was used after
// its prompt. A skill that the user typed by name was not found by the prompt.
func useOf(t *store.Turn, entries []catalog.Entry, of func(journal.Outcome) int, level string) (u enrich.Use,
	ok bool) {
	switch {
	case level == journal.Full && t.Asked.Level == journal.Full && !t.Asked.Cut:
		u.Text = t.Asked.Text
	case t.Asked.Level == journal.Terms && (level == journal.Full || level == journal.Terms):
		u.Text = strings.Join(t.Asked.Terms, " ")
	}
	if u.Text == "" || strings.HasPrefix(u.Text, "/") {
		return u, false
	}
	u.Time = t.Time
	for _, o := range t.Uses {
		if !o.Success || o.Tool == journal.ToolTyped {
			continue
		}
		i := of(o)
		if i < 0 {
			continue
		}
		x := &entries[i]
		if u.ID != "" && u.ID != x.ID && u.Name != x.Name {
			return enrich.Use{}, false // several skills: which of them the prompt asked for is not known
		}
		if u.ID == "" {
			u.ID, u.Name = x.ID, x.Name // entries come in the order in which the host takes them
		}
	}
	return u, u.ID != ""
}
