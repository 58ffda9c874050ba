package replay

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
)

// Equal texts of many prompts are held once and read as before.
func TestTextsShare(t *testing.T) {
	long := strings.Repeat("what the index says of it ", 400) + "meeting-minutes"
	prompt := func(name string) *Prompt {
		return &Prompt{
			Text: "minutes, please", Session: strings.Clone("s1"),
			Uses: []journal.Outcome{{Tool: journal.ToolSkill, Skill: name}},
			Recorded: &gate.Decision{Verdict: gate.Inject, Candidates: []gate.Candidate{
				{ID: "personal/" + name, Name: name, Matched: []gate.Match{{Term: name}}, HeldBack: []string{name}},
			}},
		}
	}
	a, b := prompt(long[len(long)-len("meeting-minutes"):]), prompt(strings.Clone("meeting-minutes"))
	want := prompt("meeting-minutes")
	texts := store.Texts{}
	Share(texts, a)
	Share(texts, b)
	Share(texts, &Prompt{}) // no decision was logged
	if !reflect.DeepEqual(a, want) || !reflect.DeepEqual(b, want) {
		t.Errorf("Share changed what is said: %+v, %+v, want %+v", a, b, want)
	}
	all := []string{a.Uses[0].Skill, b.Uses[0].Skill}
	for _, p := range []*Prompt{a, b} {
		c := p.Recorded.Candidates[0]
		all = append(all, c.Name, c.Matched[0].Term, c.HeldBack[0])
	}
	for i, s := range all {
		if unsafe.StringData(s) != unsafe.StringData(all[0]) {
			t.Errorf("text %d is a copy of its own", i)
		}
		if unsafe.StringData(s) == unsafe.StringData(long[len(long)-len(s):]) {
			t.Errorf("text %d holds the %d bytes that it was cut from", i, len(long))
		}
	}
}
