package replay

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
)

func write(t *testing.T, file, text string) string {
	t.Helper()
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// journalLines logs two decisions, of which the first was followed, and returns the text of the journal file.
func journalLines(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	at := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	for i, prompt := range []string{"tune the violin", "bake a loaf"} {
		r := journal.New(journal.KindDecision, at.Add(time.Duration(i)*time.Minute))
		r.Session, r.PromptID = "s", "p"+prompt[:1]
		r.SetDecision(gate.Decision{Prompt: prompt, Lang: "en", Verdict: gate.Inject,
			Candidates: []gate.Candidate{{Name: "violin-tuning", Pool: "skill", Injected: true}}}, journal.Full, nil)
		require.NoError(t, journal.Append(dir, r))
	}
	o := journal.New(journal.KindOutcome, at.Add(time.Second))
	o.Session, o.PromptID, o.Outcome = "s", "pt", &journal.Outcome{Tool: journal.ToolSkill, Skill: "violin-tuning", Success: true, Source: "PostToolUse"}
	require.NoError(t, journal.Append(dir, o))
	text, err := os.ReadFile(filepath.Join(dir, journal.File))
	require.NoError(t, err)
	return string(text)
}

func TestExport(t *testing.T) {
	export := journalLines(t)
	first, _, _ := strings.Cut(export, "\n")
	tests := []struct {
		name    string
		text    string
		prompts int
		damaged int
	}{
		{"an export", export, 2, 0},
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
	for _, text := range []string{"hello\n", `{"v":1,"id":"x","kind":"decision","decision":{"verdict":"skip"},"outcomes":[]}` + "\n"} {
		file := write(t, filepath.Join(t.TempDir(), "e.jsonl"), text)
		if err := Export(file, t.TempDir())(t.Context(), store.Filter{}, &Notes{}, nil); err == nil {
			t.Errorf("Export of %s = nil, want an error", text)
		}
	}
}

func TestPromptsOfAnOldLogHoldNoSecret(t *testing.T) {
	canary := "glpat-" + "kV7pQz2LmX9rT4wB1cD5"
	export := journalLines(t)
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
