package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

// follower is a scripted model. It loads the skill that its system prompt or the first line of a hint names, except that
// it ignores hints in prompts that contain ignores and loads a wrong skill in those that contain misled.
func follower(ignores, misled string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.URL.Path != "/v1/messages" {
			http.NotFound(w, r)
			return
		}
		text := string(body)
		skill := ""
		if _, after, ok := strings.Cut(text, "The skill for the prompt is "); ok {
			skill, _, _ = strings.Cut(after, ".")
		} else if _, after, ok := strings.Cut(text, "hook additional context: "); ok {
			_, after, _ = strings.Cut(after, `\n- `)
			skill, _, _ = strings.Cut(after, ": ")
			switch {
			case strings.Contains(text, ignores):
				skill = ""
			case strings.Contains(text, misled):
				skill = "chart-picker"
			}
		}
		block, delta, stop := `{"type":"text","text":""}`, `{"type":"text_delta","text":"ok"}`, "end_turn"
		if skill != "" && !strings.Contains(text, `"tool_result"`) {
			input, _ := json.Marshal(fmt.Sprintf(`{"skill":%q}`, skill))
			block, stop = `{"type":"tool_use","id":"toolu_1","name":"Skill","input":{}}`, "tool_use"
			delta = `{"type":"input_json_delta","partial_json":` + string(input) + `}`
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, event := range []string{`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m",` +
			`"content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`,
			`{"type":"content_block_start","index":0,"content_block":` + block + `}`,
			`{"type":"content_block_delta","index":0,"delta":` + delta + `}`, `{"type":"content_block_stop","index":0}`,
			`{"type":"message_delta","delta":{"stop_reason":"` + stop + `","stop_sequence":null},"usage":{"output_tokens":1}}`,
			`{"type":"message_stop"}`} {
			var name struct{ Type string }
			_ = json.Unmarshal([]byte(event), &name) // one of the strings above
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name.Type, event)
		}
	})
}

// TestHelps needs the real client, which CLAUDE_BIN names.
func TestHelps(t *testing.T) {
	client, _, _ := strings.Cut(os.Getenv("CLAUDE_BIN"), string(os.PathListSeparator))
	if client == "" || testing.Short() {
		t.Skip("no client: set CLAUDE_BIN")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "bin", "skillgate")
	if out, err := exec.Command("go", "build", "-o", program, "../skillgate").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	var lines strings.Builder
	prompts := []struct{ query, gold string }{
		{"Turn this meeting transcript into minutes with decisions and action items, please", "meeting-notes-en"},
		{"Compare two OpenAPI files and list the breaking API changes, please", "api-contract-diff"},
		{"Explain why our BigQuery query costs so much and cut the bytes it scans, please", "bigquery-cost"},
		{"Delete the merged git branches, locally and on the remote, ignoring hints", "branch-cleanup"},
		{"Write the incident postmortem of the outage yesterday, and be misled", "incident-postmortem"},
		{"thanks, that is all", ""},
	}
	for i, p := range prompts {
		gold := []string{}
		kind := "native"
		if p.gold != "" {
			gold, kind = append(gold, p.gold), "single"
		}
		line, _ := json.Marshal(map[string]any{"id": fmt.Sprint(i), "query": p.query, "gold": gold, "kind": kind})
		fmt.Fprintf(&lines, "%s\n", line)
	}
	file, results := filepath.Join(dir, "prompts.jsonl"), filepath.Join(dir, "helps.jsonl")
	must(t, os.WriteFile(file, []byte(lines.String()), 0o600))
	server := httptest.NewServer(follower("ignoring hints", "be misled"))
	t.Cleanup(server.Close)
	t.Setenv("ANTHROPIC_BASE_URL", server.URL)
	t.Setenv("ANTHROPIC_API_KEY", "x")
	t.Setenv("SKILLGATE_DEADLINE_MS", "4000") // the machine may be busy
	run := func(more ...string) (int, string) {
		p := apptest.New(t)
		args := append([]string{"helps", "../../testdata/library", file, "--model", "claude-sonnet-4-5", "--client", client, "--program", program,
			"--results", results}, more...)
		root := newRoot(p.App)
		root.SetArgs(args)
		status, msg := 0, ""
		if err := root.ExecuteContext(t.Context()); err != nil {
			status, msg = 3, err.Error()
		}
		return status, msg + p.Out.String()
	}
	if status, out := run(); status != 0 || !strings.Contains(out, "| hints | 1 + 0 |") {
		t.Fatalf("the first prompt alone: %d, %s", status, out)
	}
	status, out := run("--yes")
	text, err := os.ReadFile(results)
	want := []string{"| listing | 5 + 1 | 0.00 [0.00, 0.43] | 0.00 [0.00, 0.43] | 0.00 ",
		"| hints | 5 + 1 | 0.60 [0.23, 0.88] | 0.20 [0.04, 0.62] | 0.00 ", "| told | 5 + 1 | 1.00 [0.57, 1.00] | 0.00 "}
	if status != 0 || slices.ContainsFunc(want, func(row string) bool { return !strings.Contains(out, row) }) {
		t.Errorf("helps = %d, %s; want %q\n%s", status, out, want, text)
	}
	if err != nil || strings.Count(string(text), "\n") != 3*len(prompts) {
		t.Errorf("the file of results has %d lines, %v; want each run once", strings.Count(string(text), "\n"), err)
	}
}
