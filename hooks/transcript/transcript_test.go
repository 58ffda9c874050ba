package transcript

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/replay"
)

type seen struct {
	Text string
	Uses []string // tool:skill, with ! if it failed
}

func read(t *testing.T, path string, f store.Filter) ([]seen, replay.Notes) {
	t.Helper()
	var out []seen
	var notes replay.Notes
	src := Source(path, func(p string) bool { return strings.HasSuffix(p, "/SKILL.md") }, nil)
	err := src(t.Context(), f, &notes, func(p *replay.Prompt) error {
		s := seen{Text: p.Text}
		for _, u := range p.Uses {
			text := u.Tool + ":" + u.Skill
			if !u.Success {
				text += "!"
			}
			s.Uses = append(s.Uses, text)
		}
		out = append(out, s)
		return nil
	})
	require.NoError(t, err, path)
	return out, notes
}

func write(t *testing.T, file, text string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

const (
	asked = `{"type":"user","uuid":"u1","sessionId":"s","timestamp":"2026-10-03T10:00:00Z","cwd":"/repo","version":"2.1` +
		`.288","isSidechain":false,"promptSource":"typed","promptId":"p1","message":{"role":"user","content":"tune my ` +
		`violin for tonight"}}`
	loaded = `{"type":"assistant","uuid":"a1","sessionId":"s","promptId":"p1","message":{"role":"assistant","content":[{` +
		`"type":"tool_use","id":"toolu_1","name":"Skill","input":{"skill":"violin-tuning"}}]}}`
)

func TestTranscriptLines(t *testing.T) {
	violin := []seen{{"tune my violin for tonight", []string{"Skill:violin-tuning"}}}
	tests := []struct {
		name    string
		lines   []string
		want    []seen
		damaged int
		machine int
	}{
		{"a prompt and the skill it loaded", []string{asked, loaded}, violin, 0, 0},
		{"streamed lines repeat a call", []string{asked, loaded, loaded}, violin, 0, 0},
		{"a refused call", []string{asked, loaded,
			`{"type":"user","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","is_error":true,"content":"no"}]}}`},
			[]seen{{"tune my violin for tonight", []string{"Skill:violin-tuning!"}}}, 0, 0},
		{"old client: content in blocks, no promptId, command for skill", []string{
			`{"parentUuid":null,"type":"user","uuid":"u","sessionId":"s","version":"1.0.30","message":{"role":"user",` +
				`"content":[{"type":"text","text":"draw a map"},{"type":"image","source":{}}]}}`,
			`{"type":"assistant","sessionId":"s","message":{"content":[{"type":"tool_use","id":"t","name":"Skill","input":{"command":"/maps"}}]}}`},
			[]seen{{"draw a map", []string{"Skill:maps"}}}, 0, 0},
		{"a skill's file that was read", []string{asked,
			`{"type":"assistant","sessionId":"s","message":{"content":[{"type":"tool_use","id":"t","name":"Read","input":{"fil` +
				`e_path":"/lib/strings/SKILL.md"}},{"type":"tool_use","id":"t2","name":"Read","input":{"file_path":"/repo/main.go` +
				`"}}]}}`},
			[]seen{{"tune my violin for tonight", []string{"read:strings"}}}, 0, 0},
		{"an agent is noted as one", []string{asked,
			`{"type":"assistant","sessionId":"s","message":{"content":[{"type":"tool_use","id":"t","name":"Task","input":{"subagent_type":"luthier","prompt":"x"}}]}}`},
			[]seen{{"tune my violin for tonight", []string{"agent:luthier"}}}, 0, 0},
		{"a typed skill is a prompt of its own", []string{
			`{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"<command-message>violin-tuning</com` +
				`mand-message>\n<command-name>/violin-tuning</command-name>\n<command-args>the old one</command-args>"}}`},
			[]seen{{"/violin-tuning the old one", []string{"typed:violin-tuning"}}}, 0, 0},
		{"a typed skill with the name of a command of the host", []string{
			`{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user",` +
				`"content":"<command-message>goal</command-message>\n<command-name>/goal</command-name>"}}`},
			[]seen{{"/goal", []string{"typed:goal"}}}, 0, 0},
		{"skillgate's own command and skill are no uses", []string{
			`{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"<command-message>skillgate:why</com` +
				`mand-message>\n<command-name>/skillgate:why</command-name>"}}`,
			`{"type":"assistant","sessionId":"s","message":{"content":[{"type":"tool_use","id":"t","name":"Skill","input":{"skill":"skillgate:find-skills"}}]}}`},
			[]seen{{"/skillgate:why", nil}}, 0, 0},
		{"no prompts: meta, summaries, sidechains, results, the host's commands", []string{
			`{"type":"user","sessionId":"s","isMeta":true,"message":{"role":"user","content":"Base directory for this skill: /x"}}`,
			`{"type":"user","sessionId":"s","isCompactSummary":true,"message":{"role":"user","content":"We spoke of violins"}}`,
			`{"type":"user","sessionId":"s","isSidechain":true,"message":{"role":"user","content":"look for luthiers"}}`,
			`{"type":"user","sessionId":"s","toolUseResult":{"stdout":"x"},"message":{"role":"user","content":"x y z"}}`,
			`{"type":"user","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}}`,
			`{"type":"user","sessionId":"s","message":{"role":"user","content":"<task-notification>done</task-notification>"}}`,
			`{"type":"user","sessionId":"s","origin":{"kind":"task-notification"},"message":{"role":"user","content":"a task is done"}}`,
			`{"type":"user","sessionId":"s","promptSource":"system","message":{"role":"user","content":"a scheduled text"}}`,
			`{"type":"user","sessionId":"s","message":{"role":"user","content":"<command-name>/clear</command-name>"}}`,
			`{"type":"summary","summary":"violin"}`, `{"type":"file-history-snapshot","snapshot":{}}`},
			nil, 0, 4},
		{"a skill that a subagent loads belongs to nobody's prompt", []string{asked, strings.Replace(loaded, `"uuid"`, `"isSidechain":true,"uuid"`, 1)},
			[]seen{{"tune my violin for tonight", nil}}, 0, 0},
		{"two sessions in one file", []string{asked,
			`{"type":"user","uuid":"u9","sessionId":"other","message":{"role":"user","content":"bake a loaf"}}`,
			strings.Replace(loaded, `"promptId":"p1",`, "", 1)},
			[]seen{{"tune my violin for tonight", []string{"Skill:violin-tuning"}}, {"bake a loaf", nil}}, 0, 0},
		{"a line cut off in the middle of the file", []string{asked[:60], asked, loaded}, violin, 1, 0},
		{"a record right behind one that was cut off", []string{`{"type":"assistant","mess` + asked, loaded}, violin, 1, 0},
		{"two records on one line", []string{asked + loaded}, violin, 1, 0},
		{"fields of unexpected types",
			[]string{strings.Replace(asked, `"version":"2.1.288"`, `"version":7,"origin":"x","new":{"deep":[1]}`, 1), loaded},
			violin, 0, 0},
		{"secrets are redacted", []string{strings.Replace(asked, "tune my violin for tonight",
			"mail ann@example.org the score", 1)}, []seen{{"mail [redacted:email] the score", nil}}, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := write(t, filepath.Join(t.TempDir(), "s.jsonl"), strings.Join(tt.lines, "\n")+"\n")
			got, notes := read(t, file, store.Filter{})
			assert.Empty(t, cmp.Diff(tt.want, got))
			require.Equal(t, tt.damaged, notes.Damaged)
			assert.Equal(t, tt.machine, notes.Machine)
		})
	}
}

func TestTranscriptFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "-repo", "s.jsonl"), asked+"\n"+loaded+"\n")
	// A resumed session repeats the first lines, followed by a new prompt. The file ends in the middle of a line that
	// is being written.
	write(t, filepath.Join(dir, "-repo", "t.jsonl"), asked+"\n"+loaded+"\n"+
		`{"type":"user","uuid":"u2","sessionId":"t","timestamp":"2026-10-04T10:00:00Z","cwd":"/repo/sub","message":{"role":`+
		`"user","content":"이번엔 첼로를 조율해줘"}}`+"\n"+`{"type":"user","uu`)
	write(t, filepath.Join(dir, "-repo", "s", "subagents", "agent-1.jsonl"), asked+"\n")
	write(t, filepath.Join(dir, "-repo", "notes.txt"), "no transcript\n")
	got, notes := read(t, dir, store.Filter{})
	want := []seen{{"tune my violin for tonight", []string{"Skill:violin-tuning"}}, {"이번엔 첼로를 조율해줘", nil}}
	if diff := cmp.Diff(want, got); diff != "" || notes.Repeated != 1 || notes.Damaged != 1 || notes.Files != 2 {
		t.Errorf("prompts (-want +got):\n%s\nnotes %+v, want 1 repeated, 1 damaged, 2 files", diff, notes)
	}
	at := time.Date(2026, 10, 4, 0, 0, 0, 0, time.UTC)
	for name, f := range map[string]store.Filter{
		"language": {Lang: "ko"}, "time": {Since: at}, "project": {Project: "/repo/sub"}, "session": {Session: "t"},
	} {
		if got, _ := read(t, dir, f); len(got) != 1 || got[0].Text != want[1].Text {
			t.Errorf("filter by %s = %v, want only %q", name, got, want[1].Text)
		}
	}
	if got, _ := read(t, dir, store.Filter{Skill: "violin-tuning"}); len(got) != 1 || got[0].Text != want[0].Text {
		t.Errorf("filter by skill = %v, want only %q", got, want[0].Text)
	}
	err := Source(t.TempDir(), nil, nil)(t.Context(), store.Filter{}, &notes, nil)
	assert.Error(t, err, "Source of an empty folder = nil, want an error")
}

func TestTranscriptHugeLine(t *testing.T) {
	// A pasted image of some megabytes is between two prompts. Another line is longer than the limit.
	image := fmt.Sprintf(`{"type":"user","uuid":"i","sessionId":"s","message":{"role":"user","content":[{"type":"image",`+
		`"source":{"data":%q}},{"type":"text","text":"what is this"}]}}`, strings.Repeat("A", 5<<20))
	file := write(t, filepath.Join(t.TempDir(), "s.jsonl"), image+"\n"+asked+"\n")
	got, _ := read(t, file, store.Filter{})
	require.Len(t, got, 2)
	assert.Equal(t, "what is this", got[0].Text)
	n, longest := 0, 0
	text := strings.NewReader("a\n" + strings.Repeat("x", replay.MaxLine+2<<20) + "\nb")
	if err := replay.EachLine(text, func(line []byte) error { n++; longest = max(longest, len(line)); return nil }); err != nil || n != 2 || longest != 1 {
		t.Errorf("eachLine over an endless line = %v, %d lines, longest %d; want the two short ones", err, n, longest)
	}
}

func TestRepeatedPromptIsMarked(t *testing.T) {
	again := strings.Replace(asked, `"uuid":"u1"`, `"uuid":"u2"`, 1)
	compact := `{"type":"system","subtype":"compact_boundary","sessionId":"s"}`
	third := strings.Replace(asked, `"uuid":"u1"`, `"uuid":"u3"`, 1)
	file := write(t, filepath.Join(t.TempDir(), "s.jsonl"), strings.Join([]string{asked, again, compact, third}, "\n"))
	var got []bool
	err := Source(file, nil, nil)(t.Context(), store.Filter{}, &replay.Notes{}, func(p *replay.Prompt) error {
		got = append(got, p.Repeat)
		return nil
	})
	require.NoError(t, err)
	assert.True(t, cmp.Equal(got, []bool{false, true, false}))
}

// FuzzTranscript checks that reading does not panic, that every prompt has a text, and that every use is in a prompt of
// the file.
func FuzzTranscript(f *testing.F) {
	f.Add([]byte(asked + "\n" + loaded + "\n"))
	f.Add([]byte(`{"type":"assistant","mess` + asked + loaded + "\n\x00\xff"))
	f.Add([]byte(`{"type":"user","message":{"role":"user","content":[{"type":"tool_result"}]}}{`))
	f.Fuzz(func(t *testing.T, text []byte) {
		file := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		tr := &found{path: file}
		if err := tr.scan(nil); err != nil {
			t.Fatalf("scan = %v", err)
		}
		for _, p := range tr.prompts {
			if strings.TrimSpace(p.Text) == "" || p.Level != journal.Full {
				line, _ := json.Marshal(p)
				t.Errorf("a prompt without a text: %s", line)
			}
		}
	})
}
