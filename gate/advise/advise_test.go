package advise

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/synonyms/source"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// healthy lists skills whose descriptions contain the words that users type.
var healthy = map[string]string{
	"violin-tuning":  "Tunes a violin by ear, string by string. Use when the user asks to tune a violin.",
	"bread-baking":   "Bakes bread and writes the recipe. Use when the user asks to bake a loaf of bread.",
	"garden-planner": "Plans garden beds by season. Use when the user asks to plan a garden bed.",
	"chess-opening":  "Explains chess openings. Use when the user asks about a chess opening.",
	"map-drawing":    "Draws hiking maps with contour lines. Use when the user asks to draw a hiking map.",
}

// shop is a machine with some skills and a log of prompts.
type shop struct {
	t       *testing.T
	dir     string
	entries []catalog.Entry
	prompts []*replay.Prompt
	words   string // text of synonyms.yaml
	price   string // result of Price for any skill
	held    bool   // an experiment withholds every suggestion
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
	require.NoError(s.t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
	e := catalog.Parse(catalog.Root{Source: catalog.Personal, Pool: catalog.Skill, Label: "personal"},
		catalog.File{Path: file, Folder: name}, []byte(text))
	s.entries = append(s.entries, e)
}

// ask adds a prompt of a finished turn. used is the skill that the model loaded, or "".
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

// side returns the machine with a dictionary.
func (s *shop) side(words string) (*replay.Side, error) {
	settings := gate.Default()
	settings.NeedMin = 0
	dict := synonyms.Default()
	if words != "" {
		d, err := source.Parse(source.File{Name: "synonyms.yaml", Data: []byte(words)})
		if err != nil {
			return nil, err
		}
		own, err := synonyms.Open(string(d.Compile()))
		if err != nil {
			return nil, err
		}
		dict = dict.With(own)
	}
	entries := slices.Clone(s.entries)
	open := func(*replay.Prompt) (*gate.Gate, error) {
		x, err := index.Memory(context.Background(), slices.Clone(entries), dict, none)
		if err != nil {
			return nil, err
		}
		return gate.OpenIndexes(settings, []string{"test"}, x), nil
	}
	return &replay.Side{Settings: settings, K: 10, Key: func(*replay.Prompt) string { return "" }, Open: open}, nil
}

func none(*catalog.Entry) float64 { return 0 }

// advise decides every prompt like the hook and returns the proposals.
func (s *shop) advise() []Proposal {
	s.t.Helper()
	current, err := s.side(s.words)
	require.NoError(s.t, err)
	err = replay.Run(s.t.Context(), replay.Job{Source: replay.Fixed(s.prompts), A: current, B: current,
		Notes: &replay.Notes{}}, func(r *replay.Result) error {
		d := r.B.Decision
		if s.held && d.Verdict == gate.Inject {
			d.Trial = &gate.Trial{Experiment: "e", Held: true}
			d.HoldBack()
		}
		r.Prompt.Recorded = d
		return r.Why
	})
	require.NoError(s.t, err)
	steps := 0
	list, now, err := Run(s.t.Context(), Input{
		Prompts: s.prompts, Current: current, Entries: s.entries, Risk: none,
		Machine:  s,
		Progress: func() { steps++ }, Say: fmt.Sprintf,
	})
	require.NoError(s.t, err)
	require.Equal(s.t, 0, now.Caught+now.Lost+now.Spared+now.Bothers+now.Other+now.Fewer)
	assert.Equal(s.t, len(s.prompts), now.Prompts)
	assert.Equal(s.t, Steps, steps)
	return list
}

func (s *shop) Dictionary() (file, text string, err error) {
	return filepath.Join(s.dir, "synonyms.yaml"), s.words, nil
}

func (s *shop) WithDictionary(_ context.Context, text string) (*replay.Side, error) {
	return s.side(text)
}

func (s *shop) Price([]*catalog.Entry) string { return s.price }

// faults lists faults of a library, each with the prompts that it affects.
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
	"a skill is named in the place of another, which is not the user's to change": {func(s *shop) {
		s.skill("letter-writer", "Writes letters and memos, and can write meeting minutes.")
		s.skill("scribe", "Takes minutes in a meeting and keeps a protocol of what was decided.")
		s.entries[len(s.entries)-1].Plugin = "office"
		for i, who := range []string{"the club", "the board", "our street", "the choir", "the team", "the parents"} {
			s.ask(10+i%4, fmt.Sprintf("write the meeting minutes of %s", who), "scribe")
		}
		for i, who := range []string{"grandma", "the mayor", "my friend"} {
			s.ask(15+i, fmt.Sprintf("write a letter to %s", who), "letter-writer")
		}
	}, Boundary, "scribe", `add to the description of letter-writer that "write the meeting minutes" belongs to scribe`},
	"a word that no dictionary knows": {func(s *shop) {
		s.skill("pottery-kiln", "Fires clay in a kiln. Use when the user asks about pottery.")
		s.skill("pottery-glaze", "Mixes glazes for clay. Use when the user asks about pottery.")
		s.skill("pottery-wheel", "Turns bowls of clay. Use when the user asks about pottery.")
		for i, p := range []struct{ text, skill string }{
			{"달곰토 가마 온도 봐줘", "pottery-kiln"}, {"우리 달곰토 유약 섞자", "pottery-glaze"}, {"달곰토 그릇 하나 돌려줘", "pottery-wheel"},
			{"달곰토 다시 구워줘", "pottery-kiln"}, {"새 달곰토 유약 골라줘", "pottery-glaze"}, {"달곰토 접시도 돌려줘", "pottery-wheel"},
			{"달곰토 말린 다음 구워줘", "pottery-kiln"}, {"파란 달곰토 유약 부탁해", "pottery-glaze"},
		} {
			s.ask(10+i%4, p.text, p.skill)
		}
	}, Words, "", "달곰토"},
	"an English word that the skills do not use": {func(s *shop) {
		s.skill("pottery-kiln", "Fires clay in a kiln. Use when the user asks about pottery.")
		s.skill("pottery-glaze", "Mixes glazes for clay. Use when the user asks about pottery.")
		s.skill("pottery-wheel", "Turns bowls of clay. Use when the user asks about pottery.")
		for i, skill := range []string{"kiln", "glaze", "wheel", "kiln", "glaze", "wheel", "kiln", "glaze"} {
			s.ask(10+i%4, fmt.Sprintf("now for mudwork number %c with aunt %c", 'a'+i, 'q'+i), "pottery-"+skill)
		}
	}, Words, "", "mudwork"},
	"a skill is named often and never used": {func(s *shop) {
		s.skill("weather-poem", "Writes a poem about the day and the weather, nice or not.")
		for i := range 12 {
			s.ask(10+i%4, fmt.Sprintf("is the weather nice enough for walk number %c", 'a'+i), "")
		}
	}, Off, "weather-poem", "suggested for"},
}

// Planted faults come first even among 420 more skills, many of which have words of the prompts.
func TestPlantedFaultsComeFirst(t *testing.T) {
	verbs := []string{"checks", "writes", "plans", "cleans", "compares", "translates", "measures", "drafts", "reviews", "sorts"}
	things := []string{"invoice", "letter", "drawing", "schedule", "contract", "statement", "recipe", "garden", "ticket", "photo",
		"budget", "survey", "manual", "speech", "poster", "song", "lesson", "report", "map", "ledger", "menu"}
	for name, fault := range faults {
		for _, large := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, large %v", name, large), func(t *testing.T) {
				if large && testing.Short() {
					t.Skip("indexes 420 skills for each change that is tried")
				}
				s := newShop(t)
				for i := 0; large && i < 420; i++ {
					verb, thing, kind := verbs[i%len(verbs)], things[i/len(verbs)%len(things)], []string{"long", "quick"}[i/210]
					s.skill(fmt.Sprintf("%s-%s-%s", kind, thing, verb), fmt.Sprintf("%s a %s %s for customer group %d, step by step. "+
						"Use when somebody %s a %s %s of group %d.", verb, kind, thing, i, verb, kind, thing, i))
				}
				fault.plant(s)
				s.first(fault.kind, fault.skill, fault.says)
			})
		}
	}
}

// first requires that the first proposal is of that kind for a skill and contains a text.
func (s *shop) first(kind Kind, skill, says string) {
	s.t.Helper()
	list := s.advise()
	require.NotEmpty(s.t, list, "nothing is proposed")
	p, t := list[0], s.t
	if p.Effect == nil || p.Effect.HeldOut.Prompts == 0 || p.Worth <= 0 || p.Edit == nil || p.Risk == "" {
		t.Errorf("it stands on %+v", p)
	}
	if p.Kind != kind || p.Skill != skill || !strings.Contains(p.Text+p.Evidence, says) {
		t.Errorf("the first proposal is %s of %s: %s (%s), want %s of %s", p.Kind, p.Skill, p.Text, p.Evidence, kind, skill)
	}
	if p.Kind == Words && !strings.Contains(p.Text, says) {
		t.Errorf("the word is another one: %s", p.Text)
	}
	t.Logf("%-8s  held out: %d of %d caught, %d spared  %s", p.Kind, p.Effect.HeldOut.Caught, p.Effect.HeldOut.Prompts,
		p.Effect.HeldOut.Spared, p.Text)
}

// A prompt with two proposals is counted with the second.
func TestSharedPrompts(t *testing.T) {
	list := []Proposal{{Kind: Trigger, Prompts: []string{"a", "b", "c"}}, {Kind: Off, Prompts: []string{"a", "d"}},
		{Kind: Words, Prompts: []string{"b", "c", "d"}}, {Kind: Enrich, Prompts: []string{"a", "d"}}}
	share(list)
	for i, want := range []int{0, 0, 2, 2} {
		assert.Equal(t, want, list[i].Shared, i)
	}
}

// If no phrase and no word helps, a model is proposed.
func TestWhatNothingElseFinds(t *testing.T) {
	tests := []struct {
		name, price string
		requests    []string
		want        []Kind
	}{
		{"each is another one", "1 request", []string{"이번 달 마감을 시작하자", "거래처 돈이 들어왔는지 보자", "하루 매출이 맞지 않는다", "직원 월급을 보낼 날이다"}, []Kind{Enrich}},
		{"a model has written some", "", []string{"이번 달 마감을 시작하자", "거래처 돈이 들어왔는지 보자", "하루 매출이 맞지 않는다", "직원 월급을 보낼 날이다"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newShop(t)
			s.price = tt.price
			s.skill("ledger-export", "Turns bookkeeping entries into a spreadsheet.")
			s.entries[len(s.entries)-1].Plugin = "books" // the user may not change it
			for i, text := range tt.requests {
				s.ask(10+i, text, "ledger-export")
			}
			var kinds []Kind
			for _, p := range s.advise() {
				kinds = append(kinds, p.Kind)
				if p.Edit != nil || !strings.HasPrefix(p.Command, "skillgate enrich ") || p.Risk == "" ||
					len(p.Prompts) != len(tt.requests) || !slices.Equal(p.Skills, []string{"ledger-export"}) {
					t.Errorf("%s has edit %v, command %q, skills %q and %d prompts", p.Kind, p.Edit, p.Command, p.Skills, len(p.Prompts))
				}
			}
			assert.Equal(t, tt.want, kinds)
		})
	}
}

func TestNothingToPropose(t *testing.T) {
	for name, change := range map[string]func(*shop){
		"a healthy library":                  func(*shop) {},
		"an experiment keeps all hints back": func(s *shop) { s.held = true }, // advise treats them as made
		"one prompt of one session": func(s *shop) {
			s.skill("ledger-export", "Turns bookkeeping entries into a spreadsheet.")
			for range 5 {
				s.ask(20, "make the quarterly statement for Ann", "ledger-export")
			}
		},
	} {
		s := newShop(t)
		change(s)
		assert.Empty(t, s.advise(), name)
	}
}

// A prompt that is typed again and again gives no phrase, unless it is the whole prompt.
func TestOnePromptTypedAgain(t *testing.T) {
	for prompt, want := range map[string]bool{
		"make the quarterly statement for Ann before the banks close on Friday (%d)": false, "quarterly statement": true,
	} {
		s := newShop(t)
		s.skill("ledger-export", "Turns bookkeeping entries into a spreadsheet.")
		for i := range 8 {
			s.ask(10+i, strings.ReplaceAll(prompt, "%d", fmt.Sprint(i)), "ledger-export")
		}
		got := slices.ContainsFunc(s.advise(), func(p Proposal) bool { return p.Kind == Trigger || p.Kind == Words })
		assert.Equal(t, want, got, prompt)
	}
}

// A skill may be missed after many prompts of which no three share a phrase. Words of two prompts are not enough.
func TestWordsOfTwoPromptsAreNotEnough(t *testing.T) {
	s := newShop(t)
	s.skill("ledger-export", "Turns bookkeeping entries into a spreadsheet.")
	for i, text := range []string{"march is nearly over", "quarterly statement for Ann", "tax season again",
		"quarterly statement for Bob", "the landlord calls", "money came in"} {
		s.ask(10+i, text, "ledger-export")
	}
	for _, p := range s.advise() {
		if p.Kind == Trigger || p.Kind == Words {
			t.Errorf("proposed: %s (%s)", p.Text, p.Evidence)
		}
	}
}

// A proposal that makes the other sessions worse is not made, however good it is where it was chosen.
func TestWorseWhereNothingWasChosen(t *testing.T) {
	for held, want := range map[Part]int{{Prompts: 10, Bothers: 1}: 0, {Prompts: 10}: 1, {Prompts: 10, Spared: 1}: 1} {
		var w work
		w.add(Proposal{Kind: Off}, &Effect{Chosen: Part{Prompts: 10, Spared: 9}, HeldOut: held})
		assert.Equal(t, want, len(w.found), held)
	}
}

func TestApplyAndUndo(t *testing.T) {
	s := newShop(t)
	fault := faults["a skill is never found by what people say"]
	fault.plant(s)
	p := s.advise()[0]
	state := t.TempDir()
	require.NoError(t, Apply(state, &p, noon))
	text, err := os.ReadFile(p.Edit.File)
	require.NoError(t, err)
	require.Contains(t, string(text), "quarterly statement")
	list, err := Load(state)
	if err != nil || len(list) != 1 || list[0].Skill != "ledger-export" {
		t.Fatalf("Load = %+v, %v", list, err)
	}
	assert.ErrorIs(t, Apply(state, &p, noon), ErrChanged)
	if list, _ := Load(state); len(list) != 1 {
		t.Errorf("what failed is remembered as applied: %+v", list)
	}
	if back, err := Undo(state, noon.Add(time.Hour), false); err != nil || back == nil {
		t.Fatalf("Undo = %v, %v", back, err)
	}
	if text, _ := os.ReadFile(p.Edit.File); string(text) != p.Edit.Old {
		t.Errorf("after Undo the file is %s", text)
	}
	if back, err := Undo(state, noon, false); back != nil || err != nil {
		t.Errorf("a second Undo = %v, %v, want nothing to take back", back, err)
	}
}
