package advise

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/synonyms"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// healthy are skills that are found by what their users say.
var healthy = map[string]string{
	"violin-tuning":  "Tunes a violin by ear, string by string. Use when the user asks to tune a violin.",
	"bread-baking":   "Bakes bread and writes the recipe. Use when the user asks to bake a loaf of bread.",
	"garden-planner": "Plans garden beds by season. Use when the user asks to plan a garden bed.",
	"chess-opening":  "Explains chess openings. Use when the user asks about a chess opening.",
	"map-drawing":    "Draws hiking maps with contour lines. Use when the user asks to draw a hiking map.",
}

// shop is a machine with some skills and a log of what was asked there.
type shop struct {
	t       *testing.T
	dir     string
	entries []catalog.Entry
	prompts []*replay.Prompt
}

func newShop(t *testing.T) *shop {
	s := &shop{t: t, dir: t.TempDir()}
	for name, description := range healthy {
		s.skill(name, description)
	}
	for i := range 12 {
		s.ask(i%5, "please tune the violin of my neighbour", "violin-tuning")
		s.ask(i%5, "bake a loaf of bread for sunday", "bread-baking")
		s.ask(i%5, "what a nice day it is today", "")
	}
	return s
}

// skill installs a skill of the user's own.
func (s *shop) skill(name, description string) {
	s.t.Helper()
	file := filepath.Join(s.dir, name, "SKILL.md")
	text := fmt.Sprintf("---\nname: %s\ndescription: %s\n---\nHow it is done.\n", name, description)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		s.t.Fatal(err)
	}
	e := catalog.Parse(catalog.Root{Source: catalog.Personal, Pool: catalog.Skill, Label: "personal"},
		catalog.File{Path: file, Folder: name}, []byte(text))
	s.entries = append(s.entries, e)
}

// ask adds a prompt of a session whose turn has ended; used is the skill that the model
// loaded, "" for none.
func (s *shop) ask(session int, text, used string) {
	p := &replay.Prompt{
		ID: fmt.Sprint("d", len(s.prompts)), Session: fmt.Sprint("s",
			session), Text: text, Level: journal.Full, Lang: "en", Over: true,
		Time: noon.Add(time.Duration(len(s.prompts)) * time.Minute), Recorded: &gate.Decision{Verdict: gate.Silent},
	}
	if used != "" {
		p.Uses = []journal.Outcome{{Tool: journal.ToolSkill, Skill: used, Success: true}}
	}
	s.prompts = append(s.prompts, p)
}

// advise decides every prompt as the hook would have, and asks for proposals.
func (s *shop) advise() []Proposal {
	s.t.Helper()
	settings := gate.Default()
	settings.NeedMin = 0
	none := func(*catalog.Entry) float64 { return 0 }
	open := func(*replay.Prompt) (*gate.Gate, error) {
		x, err := index.Memory(context.Background(), append([]catalog.Entry{}, s.entries...), synonyms.Default(), none)
		if err != nil {
			return nil, err
		}
		return gate.OpenIndexes(settings, []string{"test"}, x), nil
	}
	current := &replay.Side{Settings: settings, K: 10, Key: func(*replay.Prompt) string { return "" }, Open: open}
	err := replay.Run(s.t.Context(), replay.Job{Source: replay.Fixed(s.prompts), A: current, B: current,
		Notes: &replay.Notes{}}, func(r *replay.Result) error {
		r.Prompt.Recorded = r.B.Decision
		return r.Why
	})
	if err != nil {
		s.t.Fatal(err)
	}
	list, err := Run(s.t.Context(), Input{
		Prompts: s.prompts, Current: current, Entries: s.entries, Risk: none,
		Config: func() (string, string, error) { return filepath.Join(s.dir, "skillgate.yaml"), "", nil },
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return list
}

// faults are what is wrong in a library, each with the prompts that suffer from it.
var faults = map[string]struct {
	plant func(*shop)
	kind  Kind
	skill string
	says  string
}{
	"a skill is never found by what people say": {func(s *shop) {
		s.skill("ledger-export", "Turns bookkeeping entries into a spreadsheet.")
		for i, who := range []string{"Ann", "the bakery", "our landlord", "Mr Brown", "the school", "my sister"} {
			s.ask(10+i%4, fmt.Sprintf("make the quarterly statement for %s", who), "ledger-export")
		}
	}, Trigger, "ledger-export", "quarterly statement"},
	"the same in Korean": {func(s *shop) {
		s.skill("ledger-export", "Turns bookkeeping entries into a spreadsheet.")
		for i, who := range []string{"빵집", "집주인", "학교", "동생", "옆집", "사무실"} {
			s.ask(10+i%4, fmt.Sprintf("%s 분기 정산표를 뽑아줘", who), "ledger-export")
		}
	}, Trigger, "ledger-export", "정산표"},
	"a skill is named in the place of another": {func(s *shop) {
		s.skill("letter-writer",
			"Writes letters, drafts, memos and meeting minutes for the team. Use when the user asks to write meeting minutes or a letter.")
		s.skill("scribe", "Keeps a protocol. Asked for what a group has decided.")
		for i, who := range []string{"the club", "the board", "our street", "the choir", "the team", "the parents"} {
			s.ask(10+i%4, fmt.Sprintf("write the meeting minutes of %s", who), "scribe")
		}
		for i, who := range []string{"grandma", "the mayor", "my friend"} {
			s.ask(15+i, fmt.Sprintf("write a letter to %s", who), "letter-writer")
		}
	}, Trigger, "scribe", "meeting minutes"},
	"a skill is named often and never used": {func(s *shop) {
		s.skill("weather-poem", "Writes a poem about the day and the weather, nice or not.")
		for i := range 12 {
			s.ask(10+i%4, fmt.Sprintf("is the weather nice enough for walk number %c", 'a'+i), "")
		}
	}, Off, "weather-poem", "named for"},
}

func TestPlantedFaultsComeFirst(t *testing.T) {
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			fault.plant(s)
			list := s.advise()
			if len(list) == 0 {
				t.Fatal("nothing is proposed")
			}
			p := list[0]
			if p.Kind != fault.kind || p.Skill != fault.skill || !strings.Contains(p.Text+p.Evidence, fault.says) {
				t.Errorf("the first proposal is %s of %s: %s (%s), want %s of %s", p.Kind, p.Skill, p.Text,
					p.Evidence, fault.kind, fault.skill)
			}
			if p.Effect == nil || p.Effect.HeldOut.Prompts == 0 || p.Worth <= 0 || p.Edit == nil || p.Risk == "" {
				t.Errorf("it stands on %+v", p)
			}
		})
	}
}

func TestHealthyLibraryNeedsNoAdvice(t *testing.T) {
	if list := newShop(t).advise(); len(list) != 0 {
		t.Errorf("advise = %+v, want nothing", list)
	}
}

func TestOnePromptOrSessionIsNotEnough(t *testing.T) {
	s := newShop(t)
	s.skill("ledger-export", "Turns bookkeeping entries into a spreadsheet.")
	for range 5 {
		s.ask(20, "make the quarterly statement for Ann", "ledger-export")
	}
	if list := s.advise(); len(list) != 0 {
		t.Errorf("advise on five prompts of one session = %+v, want nothing", list)
	}
}

func TestApplyAndUndo(t *testing.T) {
	s := newShop(t)
	fault := faults["a skill is never found by what people say"]
	fault.plant(s)
	p := s.advise()[0]
	state := t.TempDir()
	if err := Apply(state, &p, noon); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(p.Edit.File)
	if err != nil || !strings.Contains(string(text), "quarterly statement") {
		t.Fatalf("after Apply the file is %s, %v", text, err)
	}
	list, err := Load(state)
	if err != nil || len(list) != 1 || list[0].Skill != "ledger-export" {
		t.Fatalf("Load = %+v, %v", list, err)
	}
	if err := Apply(state, &p, noon); !errors.Is(err, ErrChanged) {
		t.Errorf("Apply of a proposal for a file that has changed = %v, want ErrChanged", err)
	}
	if list, _ := Load(state); len(list) != 1 {
		t.Errorf("what failed is remembered as applied: %+v", list)
	}
	if back, err := Undo(state, noon.Add(time.Hour)); err != nil || back == nil {
		t.Fatalf("Undo = %v, %v", back, err)
	}
	if text, _ := os.ReadFile(p.Edit.File); string(text) != p.Edit.Old {
		t.Errorf("after Undo the file is %s", text)
	}
	if back, err := Undo(state, noon); back != nil || err != nil {
		t.Errorf("a second Undo = %v, %v, want nothing to take back", back, err)
	}
}

func TestMeasuredAgain(t *testing.T) {
	asked := func(day int, named bool) *replay.Prompt {
		p := &replay.Prompt{Time: noon.AddDate(0, 0, day), Session: fmt.Sprint("s", day), Over: true,
			Uses: []journal.Outcome{{Tool: journal.ToolSkill, Skill: "ledger-export", Success: true}},
			Recorded: &gate.Decision{Verdict: gate.Inject, Candidates: []gate.Candidate{{Name: "other",
				Injected: true}}}}
		if named {
			p.Recorded.Candidates[0].Name = "ledger-export"
		}
		return p
	}
	var log []*replay.Prompt
	for day := -6; day <= 12; day++ {
		if day != 0 {
			log = append(log, asked(day, day > 0))
		}
	}
	tests := []struct {
		name string
		kind Kind
		days int
		want Verdict
	}{
		{"after three days", Trigger, 3, Early},
		{"after a fortnight it is named", Trigger, 14, Held},
		{"it was to be named no longer, and is", Off, 14, Not},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := Applied{At: noon, Kind: tt.kind, Skill: "ledger-export"}
			before, after, got := a.Again(log, noon.AddDate(0, 0, tt.days))
			if got != tt.want {
				t.Errorf("Again = %v, %v, %s, want %s", before, after, got, tt.want)
			}
		})
	}
}
