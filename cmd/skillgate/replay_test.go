package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/hot"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/observe"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/stretchr/testify/require"
)

type past struct {
	*testing.T
	home, cwd      string
	vars           map[string]string
	now            time.Time
	stdout, stderr bytes.Buffer
	prompts        int
	ids            string // prefix of prompt ids
}

func newPast(t *testing.T) *past {
	t.Helper()
	home := t.TempDir()
	p := &past{T: t, home: home, cwd: filepath.Join(home, "work"), now: time.Now().UTC()} // never before the real time, which ends deadlines
	p.vars = map[string]string{"HOME": home, "SKILLGATE_NEED_MIN": "0.2", "SKILLGATE_SCORE_MIN": "4", "SKILLGATE_DEADLINE_MS": "4000"}
	require.NoError(t, os.MkdirAll(filepath.Join(p.cwd, ".git"), 0o700))
	require.NoError(t, os.CopyFS(filepath.Join(home, ".claude", "skills"), os.DirFS(filepath.Join("..", "..", "testdata", "skills-e2e"))))
	p.must("index")
	return p
}

func (p *past) app(stdin string, args ...string) *app.App {
	a := &app.App{
		Args: args, Stdin: strings.NewReader(stdin), Stdout: &p.stdout, Stderr: &p.stderr, Cwd: p.cwd,
		Getenv: func(k string) string { return p.vars[k] }, Now: func() time.Time { return p.now },
	}
	for k, v := range p.vars {
		a.Environ = append(a.Environ, k+"="+v)
	}
	return a
}

func (p *past) process(stdin string) *hot.Process {
	a := p.app(stdin)
	return &hot.Process{Stdin: a.Stdin, Stdout: a.Stdout, Getenv: a.Getenv, Environ: a.Environ, Now: a.Now, Cwd: a.Cwd}
}

func (p *past) run(args ...string) (string, int) {
	p.Helper()
	p.stdout.Reset()
	p.stderr.Reset()
	a := p.app("", args...)
	code := a.Run(newRoot(a))
	return p.stdout.String(), code
}

func (p *past) must(args ...string) string {
	p.Helper()
	out, code := p.run(args...)
	if code != 0 {
		p.Fatalf("skillgate %s = %d\n%s%s", strings.Join(args, " "), code, out, p.stderr.String())
	}
	return out
}

func (p *past) ask(session, prompt string) string {
	p.Helper()
	p.prompts++
	id := fmt.Sprintf("%sp%d", p.ids, p.prompts)
	p.now = p.now.Add(3 * time.Second)
	text, err := json.Marshal(map[string]string{"hook_event_name": "UserPromptSubmit", "session_id": session, "prompt_id": id, "cwd": p.cwd, "prompt": prompt})
	require.NoError(p, err)
	p.stdout.Reset()
	hot.Hook(p.process(string(text)))
	return id
}

func (p *past) load(session, promptID, skill string) {
	p.now = p.now.Add(time.Second)
	observe.Run(p.process(fmt.Sprintf(`{"hook_event_name":"PostToolUse","session_id":%q,"prompt_id":%q,"cwd":%q,`+
		`"tool_name":"Skill","tool_input":{"skill":%q},"tool_response":{"success":true}}`,
		session, promptID, p.cwd, skill)), func(string, ...string) {})
}

type replayOut struct {
	Prompts, Compared, Unsure, Known int
	Changes                          map[replay.Change]int
	Skipped                          map[string]int
	Measures                         []replay.Compared
	Listed                           []struct {
		Change replay.Change
		Cause  string
		Form   replay.Form
		Prompt string
		A, B   struct {
			Verdict string
			Named   []string
			Best    string
		}
		Used []string
	}
	Problems []string
	Partial  bool
	Source   replay.Notes
}

func (p *past) replay(args ...string) (replayOut, int) {
	p.Helper()
	out, code := p.run(append([]string{"replay", "--json"}, args...)...)
	var r replayOut
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		p.Fatalf("replay %v = %d, %q, %s: %v", args, code, out, p.stderr.String(), err)
	}
	return r, code
}

var pastPrompts = []string{
	"Review this pull request for security problems in part %d",
	"쿠버네티스 매니페스트 %d번 점검해줘",
	"Write release notes for version %d from the merged pull requests",
	"이 PDF 문서 %d쪽의 표를 추출해서 엑셀로 만들어 줘",
	"Make slow SQL query number %d faster and propose an index",
	"경쟁사 %d곳의 가격과 최근 동향을 조사해서 비교표로 정리해 주세요",
	"안녕하세요! 회의록 %d건을 정리해 주세요",
	"what is a tuple of %d values in python",
	"고마워요",
	"git push origin branch-%d",
	"use the newsletter-editor skill for issue %d",
	"Write a runbook for service %d, then make slides about it and translate the subtitles",
}

func TestReplayReproducesTheLog(t *testing.T) {
	p := newPast(t)
	lines := filepath.Join(p.home, ".local", "state", "skillgate", "journal.jsonl")
	for i := range 200 {
		session := fmt.Sprintf("s%d", i/25)
		prompt := pastPrompts[i%len(pastPrompts)]
		if strings.Contains(prompt, "%d") {
			prompt = fmt.Sprintf(prompt, i/len(pastPrompts))
		}
		id := p.ask(session, prompt)
		switch {
		case i%40 == 7:
			p.ask(session, prompt) // repeated prompt
		case i%60 == 2:
			p.load(session, id, "release-notes")
		case i == 100: // a process died while writing a line
			text := readFile(t, lines)
			all := bytes.SplitAfter(bytes.TrimSpace(text), []byte("\n"))
			last := all[len(all)-1]
			require.NoError(t, os.WriteFile(lines, append(text, last[:len(last)/2]...), 0o600))
		}
	}
	r, _ := p.replay()
	if r.Compared != p.prompts || r.Changes[replay.Unchanged] != p.prompts {
		t.Errorf("replay: %d of %d prompts compared, changes %v, %+v; want all %d unchanged", r.Compared, r.Prompts,
			r.Changes, r.Listed, p.prompts)
	}
	p.vars["SKILLGATE_SCORE_MIN"] = "1000"
	if r, _ := p.replay(); r.Changes[replay.NowSilent] == 0 {
		t.Errorf("replay under score_min 1000: changes %v, want prompts that are silent now", r.Changes)
	}
	p.vars["SKILLGATE_SCORE_MIN"] = "4"
	host := filepath.Join(p.home, ".claude", "settings.json")
	require.NoError(t, os.WriteFile(host, []byte(`{"skillOverrides":{"release-notes":"off"}}`), 0o600))
	if r, _ := p.replay(); r.Changes[replay.Unchanged] == r.Compared {
		t.Errorf("replay without the skill release-notes: changes %v, want some", r.Changes)
	}
}

// A log may name skills in the folder of a host that is not supported.
func TestReplayOfAnUnknownHost(t *testing.T) {
	p := newPast(t)
	p.ask("s", "Review this pull request for security problems such as injection")
	lines := filepath.Join(p.home, ".local", "state", "skillgate", "journal.jsonl")
	text := strings.NewReplacer(`"personal/`, `"cursor/`, "/.claude/skills/", "/.cursor/skills/").Replace(string(readFile(t, lines)))
	require.Contains(t, text, `"cursor/pr-security-review"`)
	require.NoError(t, os.WriteFile(lines, []byte(text), 0o600))
	r, code := p.replay()
	if code != 0 || r.Prompts != 1 || r.Compared != 1 || len(r.Problems) != 0 {
		t.Errorf("replay = %d, %+v; want the prompt compared", code, r)
	}
	out, code := p.run("log", "--json")
	require.Equal(t, 0, code, out)
	require.Contains(t, out, `"cursor/pr-security-review"`)
}

func TestReplayOfTermsAndHashes(t *testing.T) {
	p := newPast(t)
	p.vars["SKILLGATE_LOG_PROMPTS"] = "terms"
	p.ask("s", "Review this pull request for security problems such as injection")
	p.ask("s", "thanks!")
	p.vars["SKILLGATE_LOG_PROMPTS"] = "hash"
	p.ask("s", "Make this slow SQL query faster")
	r, _ := p.replay("--set", "need_min=1")
	if r.Compared != 2 || r.Changes[replay.NowSilent] != 1 || r.Skipped["not_kept"] != 1 || len(r.Listed) != 1 || r.Listed[0].Form != replay.Approximate {
		t.Errorf("replay of terms, a greeting and a hash = %+v, want one now silent by its terms and one not kept", r)
	}
	if r, _ := p.replay(); r.Unsure != 2 || r.Compared != 0 {
		t.Errorf("replay against what was recorded = %+v, want the terms not compared", r)
	}
}

func TestReplayTranscripts(t *testing.T) {
	p := newPast(t)
	file := filepath.Join(p.home, ".claude", "projects", "-work", "s.jsonl")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	text := `{"type":"user","uuid":"u1","sessionId":"s","cwd":"` + p.cwd +
		`","message":{"role":"user","content":"Review this pull request for security problems such as injection"}}
{"type":"assistant","uuid":"a1","sessionId":"s","message":{"content":[{"type":"tool_use","id":"t1","name":"Skill","input":{"skill":"pr-security-review"}}]}}
{"type":"user","uuid":"u2","sess
`
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	r, code := p.replay("--from", "transcripts", "--set", "need_min=1")
	if code != 0 || r.Compared != 1 || r.Known != 1 || r.Changes[replay.NowSilent] != 1 || !r.Partial || r.Source.Damaged != 1 {
		t.Errorf("replay --from transcripts = %d, %+v, want one prompt now silent and a partial result", code, r)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != text {
		t.Errorf("the transcript was changed: %v", err)
	}
}
