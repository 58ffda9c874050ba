package replay

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
)

func write(t *testing.T, file, text string) string {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// journalLines logs two decisions, the first followed, and returns what the
// journal's own file holds and what `log --json` prints.
func journalLines(t *testing.T) (export, listing string) {
	t.Helper()
	dir := t.TempDir()
	at := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	for i, prompt := range []string{"tune the violin", "bake a loaf"} {
		r := journal.New(journal.KindDecision, at.Add(time.Duration(i)*time.Minute))
		r.Session, r.PromptID = "s", "p"+prompt[:1]
		r.SetDecision(gate.Decision{Prompt: prompt, Lang: "en", Verdict: gate.Inject,
			Candidates: []gate.Candidate{{Name: "violin-tuning", Pool: "skill", Injected: true}}}, journal.Full, nil)
		if err := journal.Append(dir, r); err != nil {
			t.Fatal(err)
		}
	}
	o := journal.New(journal.KindOutcome, at.Add(time.Second))
	o.Session, o.PromptID, o.Outcome = "s", "pt", &journal.Outcome{Tool: journal.ToolSkill, Skill: "violin-tuning", Success: true, Source: "PostToolUse"}
	if err := journal.Append(dir, o); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, journal.File))
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Fold(t.Context(), at, time.Second); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	if err := db.Each(t.Context(), store.Filter{}, func(e store.Entry) error { return enc.Encode(e) }); err != nil {
		t.Fatal(err)
	}
	return string(text), b.String()
}

func TestExport(t *testing.T) {
	export, listing := journalLines(t)
	first, _, _ := strings.Cut(export, "\n")
	tests := []struct {
		name    string
		text    string
		prompts int
		damaged int
	}{
		{"an export", export, 2, 0},
		{"log --json, whose outcomes stand in the decisions", listing, 2, 0},
		{"cut off in the last line", export + first[:40], 2, 1},
		{"every line twice", export + export, 2, 0},
		{"lines of something else", "hello\n" + export + `{"a":1}` + "\n", 2, 2},
		{"a record of a newer version", export + `{"v":9,"id":"zz","kind":"dream","time":"2030-01-01T00:00:00Z"}` + "\n", 2, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := write(t, filepath.Join(t.TempDir(), "e.jsonl"), tt.text)
			var notes Notes
			var got []*Prompt
			err := Export(file, t.TempDir())(t.Context(), store.Filter{}, &notes, func(p *Prompt) error {
				got = append(got, p)
				return nil
			})
			if err != nil || len(got) != tt.prompts || notes.Damaged != tt.damaged {
				t.Fatalf("Export = %d prompts, %d damaged, %v; want %d and %d", len(got), notes.Damaged, err, tt.prompts, tt.damaged)
			}
			if got[0].Text != "tune the violin" || len(got[0].Uses) != 1 || len(got[1].Uses) != 0 {
				t.Errorf("uses = %v and %v, want that of the violin with its prompt", got[0].Uses, got[1].Uses)
			}
			if after, err := os.ReadFile(file); err != nil || string(after) != tt.text {
				t.Errorf("the export was changed: %v", err)
			}
		})
	}
	file := write(t, filepath.Join(t.TempDir(), "e.jsonl"), "hello\n")
	if err := Export(file, t.TempDir())(t.Context(), store.Filter{}, &Notes{}, nil); err == nil {
		t.Error("Export of a file without a record = nil, want an error")
	}
}

// What an earlier version wrote to its log with a secret in it is not printed again.
func TestPromptsOfAnOldLogHoldNoSecret(t *testing.T) {
	canary := "glpat-" + "kV7pQz2LmX9rT4wB1cD5"
	export, _ := journalLines(t)
	file := write(t, filepath.Join(t.TempDir(), "e.jsonl"), strings.Replace(export, "tune the violin", "tune with "+canary, 1))
	var texts []string
	err := Export(file, t.TempDir())(t.Context(), store.Filter{}, &Notes{}, func(p *Prompt) error {
		texts = append(texts, p.Text)
		return nil
	})
	if err != nil || len(texts) != 2 || texts[0] != "tune with [redacted:api_key]" {
		t.Errorf("Export = %q, %v, want the first without its key", texts, err)
	}
}

// finder knows skills by ID.
type finder map[string]*Found

func (f finder) ByUse(_ string, u journal.Outcome) *Found { return f[u.Skill] }
func (f finder) ByID(id string) *Found                    { return f[id] }

func TestGoldLabelsGoStale(t *testing.T) {
	find := finder{"same": {ID: "same", Hash: "1"}, "edited": {ID: "edited", Hash: "2"}}
	file := write(t, filepath.Join(t.TempDir(), "g.jsonl"), strings.Join([]string{
		`{"id":"g1","query":"a","gold":["same"],"hashes":{"same":"1"}}`,
		`{"id":"g2","query":"b","gold":["edited"],"hashes":{"edited":"1"}}`,
		`{"id":"g3","query":"c","gold":["gone"],"hashes":{"gone":"1"}}`,
		`{"id":"g4","query":"d","gold":["edited"]}`, // no hash: it holds while the skill exists
		`{"id":"g5","query":"e","gold":[]}`,
		`{"id":"g6","gold":["same"]}`,
		`broken`}, "\n"))
	var notes Notes
	var got []string
	err := Gold(file, find)(t.Context(), store.Filter{}, &notes, func(p *Prompt) error {
		text := p.ID
		for _, l := range p.Labels {
			if l.Stale {
				text += " stale"
			}
		}
		if p.Nothing {
			text += " nothing"
		}
		got = append(got, text)
		return nil
	})
	want := "g1, g2 stale, g3 stale, g4, g5 nothing"
	if strings.Join(got, ", ") != want || err != nil || notes.Damaged != 2 {
		t.Errorf("Gold = %v, %v, %d damaged; want %s and 2 damaged", got, err, notes.Damaged, want)
	}
}

func TestWriteGold(t *testing.T) {
	find := finder{"violin": {ID: "personal/violin", Name: "violin", Hash: "h"}}
	use := func(skill string) []journal.Outcome {
		return []journal.Outcome{{Tool: journal.ToolSkill, Skill: skill, Success: true}}
	}
	prompts := []*Prompt{
		{ID: "1", Text: "tune the violin for tonight", Level: journal.Full, Uses: use("violin")},
		{ID: "2", Text: "tune the violin for tonight", Level: journal.Full, Uses: use("violin")}, // the same again
		{ID: "3", Text: "bake a loaf", Level: journal.Full},
		{ID: "4", Terms: []string{"violin"}, Level: journal.Terms, Uses: use("violin")},
		{ID: "5", Text: "play the cello", Level: journal.Full, Uses: use("cello")},
		{ID: "6", Text: "thanks", Level: journal.Full, Uses: use("violin")},
	}
	file := filepath.Join(t.TempDir(), "gold.jsonl")
	w, err := WriteGold(t.Context(), file, Fixed(prompts), store.Filter{}, find, &Notes{})
	if want := (GoldWritten{Labels: 1, Unknown: 1, Missing: 1, NoText: 1}); err != nil || w != want {
		t.Errorf("WriteGold = %+v, %v, want %+v", w, err, want)
	}
	text, err := os.ReadFile(file)
	if want := `{"id":"1","query":"tune the violin for ` +
		`tonight","gold":["personal/violin"],"hashes":{"personal/violin":"h"},"names":{"personal/violin":"violin"},` +
		`"from":"Skill"}` + "\n"; err != nil || string(text) != want {
		t.Errorf("gold file = %s, %v, want %s", text, err, want)
	}
	if _, err := WriteGold(t.Context(), file, Fixed(nil), store.Filter{}, find, &Notes{}); err == nil {
		t.Error("WriteGold over a file = nil, want an error")
	}
}
