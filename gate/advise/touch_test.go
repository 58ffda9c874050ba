package advise

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/replay"
)

func TestTouched(t *testing.T) {
	s := newShop(t)
	s.skill("ledger-export", "Turns bookkeeping entries into a spreadsheet.")
	s.skill("letter-writer", "Writes letters and memos, and can write meeting minutes.")
	s.skill("scribe", "Takes minutes in a meeting and keeps a protocol of what was decided.")
	for i, text := range []string{"make the quarterly statement", "write the meeting minutes of the club",
		"a letter with the bookkeeping entries", "정산표를 뽑아줘", "분기 정산표로 편지를 쓰자", "spreadsheet please"} {
		s.ask(i%3, text, "")
	}
	current, err := s.side("")
	require.NoError(t, err)
	w := work{Input: Input{Prompts: s.prompts, Current: current, Entries: s.entries, Risk: none, Say: fmt.Sprintf}, half: map[string]bool{}}
	require.NoError(t, w.decide(t.Context()))
	g, err := current.Open(w.base[0])
	require.NoError(t, err)
	defer g.Close()
	w.ranker = g.Ranker()
	w.read()
	entry := func(name string) *catalog.Entry {
		for i := range w.Entries {
			if w.Entries[i].Name == name {
				return &w.Entries[i]
			}
		}
		t.Fatalf("no skill %s", name)
		return nil
	}
	written := func(e *catalog.Entry, edit func(text string) (string, error)) (was, text string) {
		was = "---\n" + e.Frontmatter + "\n---\n" + e.Body
		text, err := edit(was)
		require.NoError(t, err)
		return was, text
	}
	ledger, letter, scribe := entry("ledger-export"), entry("letter-writer"), entry("scribe")
	trigger := func(phrase string) (*replay.Side, func(*replay.Prompt) bool) {
		was, text := written(ledger, func(text string) (string, error) {
			return enrich.WithTriggers(text, ledger.Frontmatter, []string{phrase})
		})
		return w.with(t.Context(), ledger, text, ledger), w.rewritten(was, text, phrase, &group{}, ledger)
	}
	for name, change := range map[string]func() (*replay.Side, func(*replay.Prompt) bool){
		"a trigger":        func() (*replay.Side, func(*replay.Prompt) bool) { return trigger("quarterly statement") },
		"a Korean trigger": func() (*replay.Side, func(*replay.Prompt) bool) { return trigger("분기 정산표") },
		"a boundary": func() (*replay.Side, func(*replay.Prompt) bool) {
			was, text := written(letter, func(text string) (string, error) {
				return enrich.WithSentence(text, letter.Frontmatter, "Do NOT use for write the meeting minutes (use scribe).")
			})
			return w.with(t.Context(), letter, text, scribe), w.rewritten(was, text, "", &group{}, letter, scribe)
		},
		"a skill less": func() (*replay.Side, func(*replay.Prompt) bool) {
			return w.layered(t.Context(), []string{letter.ID}), shows(letter)
		},
		"a word": func() (*replay.Side, func(*replay.Prompt) bool) {
			text, err := (&word{surface: "정산표", korean: true}).entry("", "spreadsheet")
			require.NoError(t, err)
			side, err := w.reading(text)
			require.NoError(t, err)
			return side, w.saying("정산표", "spreadsheet")
		},
	} {
		t.Run(name, func(t *testing.T) {
			side, touches := change()
			every, err := w.effect(t.Context(), side, func(*replay.Prompt) bool { return true })
			require.NoError(t, err)
			few, err := w.effect(t.Context(), side, touches)
			require.NoError(t, err)
			if *every != *few || *few == (Effect{Part{Prompts: few.Chosen.Prompts}, Part{Prompts: few.HeldOut.Prompts}}) {
				t.Errorf("it does %+v to those that it can touch, and %+v to all", *few, *every)
			}
			n := 0
			for _, p := range w.base {
				if touches(p) {
					n++
				} else if strings.Contains(p.Text, "정산표") && name == "a word" {
					t.Errorf("%q is not replayed", p.Text)
				}
			}
			require.NotEqual(t, 0, n)
			assert.NotEqual(t, len(w.base), n)
		})
	}
}

func TestTriggerWithWordsOfTheBody(t *testing.T) {
	s := newShop(t)
	s.skill("ledger-export", "Turns bookkeeping entries into a spreadsheet.")
	last := &s.entries[len(s.entries)-1]
	body := strings.Repeat("Read the entries and sort them by account, then check each sum twice. ", 40)
	text := "---\nname: ledger-export\ndescription: Turns bookkeeping entries into a spreadsheet.\n---\n" + body +
		"Make the quarterly statement.\n"
	require.NoError(t, os.WriteFile(last.Path, []byte(text), 0o600))
	*last = catalog.Parse(catalog.Root{Source: catalog.Personal, Pool: catalog.Skill, Label: "personal"},
		catalog.File{Path: last.Path, Folder: "ledger-export"}, []byte(text))
	for i := range 30 {
		s.skill(fmt.Sprintf("statement-%d", i), fmt.Sprintf("Reads a statement of bank %d, as it comes.", i))
		s.skill(fmt.Sprintf("quarterly-%d", i), fmt.Sprintf("Plans a quarterly meeting of team %d.", i))
	}
	for i, who := range []string{"Ann", "the bakery", "our landlord", "Mr Brown", "the school", "my sister"} {
		s.ask(10+i%4, fmt.Sprintf("make the quarterly statement for %s", who), "ledger-export")
	}
	s.first(Trigger, "ledger-export", "quarterly statement")
}
