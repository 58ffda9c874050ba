package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/hot"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/observe"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/advise"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/replay"
)

// past is a machine with skills, an index and hooks that have run.
type past struct {
	*testing.T
	home, cwd      string
	vars           map[string]string
	now            time.Time
	stdout, stderr bytes.Buffer
	prompts        int
	ids            string // prefix of the ids of prompts
}

// newPast installs the skills of testdata. Thresholds are low, so that much is named.
func newPast(t *testing.T) *past {
	t.Helper()
	home := t.TempDir()
	p := &past{T: t, home: home, cwd: filepath.Join(home, "work"), now: time.Now().UTC()} // never behind the clock, by which deadlines end
	p.vars = map[string]string{"HOME": home, "SKILLGATE_NEED_MIN": "0.2", "SKILLGATE_SCORE_MIN": "4", "SKILLGATE_DEADLINE_MS": "4000"}
	if err := os.MkdirAll(filepath.Join(p.cwd, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(home, ".claude", "skills"), os.DirFS(filepath.Join("..", "..", "testdata", "skills-e2e"))); err != nil {
		t.Fatal(err)
	}
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

// process is p for hook and observe.
func (p *past) process(stdin string) *hot.Process {
	a := p.app(stdin)
	return &hot.Process{Stdin: a.Stdin, Stdout: a.Stdout, Getenv: a.Getenv, Environ: a.Environ, Now: a.Now, Cwd: a.Cwd}
}

// run runs a command and returns its output and exit status.
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

// ask runs the hook on one prompt of a session; its prompt_id is p1, p2, …
func (p *past) ask(session, prompt string) string {
	p.Helper()
	p.prompts++
	id := fmt.Sprintf("%sp%d", p.ids, p.prompts)
	p.now = p.now.Add(3 * time.Second)
	text, err := json.Marshal(map[string]string{"hook_event_name": "UserPromptSubmit", "session_id": session, "prompt_id": id, "cwd": p.cwd, "prompt": prompt})
	if err != nil {
		p.Fatal(err)
	}
	p.stdout.Reset()
	hot.Hook(p.process(string(text)))
	return id
}

// load reports that the model loaded a skill after a prompt.
func (p *past) load(session, promptID, skill string) {
	p.now = p.now.Add(time.Second)
	observe.Run(p.process(fmt.Sprintf(`{"hook_event_name":"PostToolUse","session_id":%q,"prompt_id":%q,"cwd":%q,`+
		`"tool_name":"Skill","tool_input":{"skill":%q},"tool_response":{"success":true}}`,
		session, promptID, p.cwd, skill)), func(string, ...string) {})
}

// edit changes a skill and brings the index up to date.
func (p *past) edit(skill, text string) {
	p.Helper()
	file := filepath.Join(p.home, ".claude", "skills", skill, "SKILL.md")
	old, err := os.ReadFile(file)
	if err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(file, append(old, text...), 0o600); err != nil {
		p.Fatal(err)
	}
	p.must("index")
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
	Failed, Problems []string
	Partial          bool
	Source           replay.Notes
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

// pastPrompts are varied by a number, so that there are as many as a test wants.
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

func TestReplayReproducesAThousandDecisions(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand hooks take seconds")
	}
	p := newPast(t)
	const n = 1000
	lines := filepath.Join(p.home, ".local", "state", "skillgate", "journal.jsonl")
	for i := range n {
		session := fmt.Sprintf("s%d", i/25)
		prompt := pastPrompts[i%len(pastPrompts)]
		if strings.Contains(prompt, "%d") {
			prompt = fmt.Sprintf(prompt, i/len(pastPrompts))
		}
		id := p.ask(session, prompt)
		switch {
		case i%40 == 7:
			p.ask(session, prompt) // a repeat
		case i%60 == 2:
			p.load(session, id, "release-notes")
		case i%150 == 149: // a generation of its own for what follows
			p.edit("release-notes", fmt.Sprintf("\nAlso mention change %d and the shipping calendar.\n", i))
		case i == 500: // the process died while it wrote
			text, err := os.ReadFile(lines)
			if err != nil {
				t.Fatal(err)
			}
			all := bytes.SplitAfter(bytes.TrimSpace(text), []byte("\n"))
			last := all[len(all)-1]
			if err := os.WriteFile(lines, append(text, last[:len(last)/2]...), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, code := p.run("replay", "--exact", "--json")
	var x replay.Exactness
	if err := json.Unmarshal([]byte(out), &x); err != nil {
		t.Fatalf("replay --exact = %d, %q, %s: %v", code, out, p.stderr.String(), err)
	}
	if code != 0 || x.Decisions != p.prompts || x.Reproduced != p.prompts || x.Different != 0 || len(x.Apart) != 0 {
		t.Errorf("replay --exact = %d, %d of %d decisions reproduced, %d different, apart %v, %+v; want all %d", code,
			x.Reproduced, x.Decisions, x.Different, x.Apart, x.Examples, p.prompts)
	}
	// The check can fail: under other settings the log is not ours to reproduce, and
	// a changed decision is noticed.
	p.vars["SKILLGATE_NEED_MIN"] = "0.3"
	if out, _ := p.run("replay", "--exact", "--json"); !strings.Contains(out, replay.ApartSettings) {
		t.Errorf("replay --exact under other settings = %s, want decisions apart", out)
	}
	p.vars["SKILLGATE_NEED_MIN"] = "0.2"
	host := filepath.Join(p.home, ".claude", "settings.json")
	if err := os.WriteFile(host, []byte(`{"skillOverrides":{"release-notes":"off"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := p.run("replay", "--exact", "--json"); code != 0 || !strings.Contains(out, replay.ApartPolicy) {
		t.Errorf("replay --exact under other host settings = %d, %s, want decisions apart", code, out)
	}
	if err := os.Remove(host); err != nil {
		t.Fatal(err)
	}
	export := filepath.Join(p.home, "export.jsonl")
	p.must("log", "export", "--output", export)
	text, err := os.ReadFile(export)
	if err != nil {
		t.Fatal(err)
	}
	forged := filepath.Join(p.home, "forged.jsonl")
	if err := os.WriteFile(forged, bytes.Replace(text, []byte(`"score":1`), []byte(`"score":9`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := p.run("replay", "--exact", "--from", forged); code != 1 || !strings.Contains(out, "1 different") {
		t.Errorf("replay --exact of a forged export = %d, %q, want 1 different and status 1", code, out)
	}
}

func TestReplayCompares(t *testing.T) {
	p := newPast(t)
	review := p.ask("s", "Review this pull request for security problems such as injection")
	p.load("s", review, "pr-security-review")
	missed := p.ask("s", "우리 서비스 장애 대응 위키 문서를 만들어줘")
	p.load("s", missed, "oncall-runbook")
	p.ask("s", "쿠버네티스 매니페스트 점검해줘")
	p.ask("s", "Write a press release about the new product and a blog post for the newsletter")
	p.ask("s", "고마워")
	if r, code := p.replay(); code != 0 || r.Compared != 5 || r.Changes[replay.Unchanged] != 5 || r.Partial {
		t.Fatalf("replay of an unchanged machine = %d, %+v, want 5 unchanged", code, r)
	}
	tests := []struct {
		name  string
		args  []string
		want  map[replay.Change]int
		cause string // in one of the causes
		code  int
	}{
		{"a higher threshold silences", []string{"--set", "need_min=1"}, map[replay.Change]int{replay.NowSilent: 3, replay.Unchanged: 2}, "need_min 0.2 → 1", 0},
		{"a lower top_k names fewer", []string{"--set", "top_k=1"}, nil, "top_k 5 → 1", 0},
		{"too many changes", []string{"--set", "need_min=1", "--max-changed", "2"}, nil, "", 1},
		{"changes within the limit", []string{"--set", "need_min=1", "--max-changed", "80%"}, nil, "", 0},
		{"a guarded measure falls", []string{"--set", "need_min=1", "--guard", "caught"}, nil, "", 1},
		{"a guarded measure stays", []string{"--set", "top_k=5", "--guard", "caught"}, nil, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p.T = t
			r, code := p.replay(tt.args...)
			if code != tt.code || (code == 1) != (len(r.Failed) == 1) {
				t.Errorf("replay %v = %d, failed %v, want %d", tt.args, code, r.Failed, tt.code)
			}
			for c, n := range tt.want {
				if r.Changes[c] != n {
					t.Errorf("replay %v: %v, want %d %s", tt.args, r.Changes, n, c)
				}
			}
			var causes []string
			for _, c := range r.Listed {
				causes = append(causes, c.Cause)
			}
			if !strings.Contains(strings.Join(causes, "\n"), tt.cause) {
				t.Errorf("replay %v: causes %q, want one with %q", tt.args, causes, tt.cause)
			}
		})
	}
	p.T = t

	t.Run("a changed skill takes over, and the term that did it is named", func(t *testing.T) {
		p.T = t
		dir := filepath.Join(p.home, "next", "oncall-runbook")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		text := "---\nname: oncall-runbook\ndescription: 장애 대응 위키 문서를 만들 때 사용. Writes incident runbooks. Korean triggers: \"장애 대응 위키\", \"위키 문서\"\n---\n# Runbook\n"
		if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, code := p.replay("--with-skill", dir, "--guard", "caught")
		if code != 0 || r.Compared-r.Changes[replay.Unchanged] == 0 {
			t.Fatalf("replay --with-skill = %d, %+v, want a change", code, r)
		}
		found := false
		for _, c := range r.Listed {
			found = found || len(c.B.Named) > 0 && c.B.Named[0] == "oncall-runbook" && strings.Contains(c.Cause, "위키")
		}
		if !found {
			t.Errorf("replay --with-skill listed %+v, want oncall-runbook named because of 위키", r.Listed)
		}
	})
	t.Run("own synonyms", func(t *testing.T) {
		p.T = t
		file := filepath.Join(p.home, "syn.yaml")
		if err := os.WriteFile(file, []byte("korean:\n  장애 대응: {en: [runbook]}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		out, code := p.run("replay", "--json", "--synonyms", file)
		if code != 0 {
			t.Errorf("replay --synonyms = %d, %s%s", code, out, p.stderr.String())
		}
	})
}

func TestReplayWrongUsage(t *testing.T) {
	p := newPast(t)
	if out, code := p.run("replay"); code != 3 || !strings.Contains(p.stderr.String(), "journal is empty") {
		t.Errorf("replay of an empty journal = %d, %q, %q", code, out, p.stderr.String())
	}
	p.ask("s", "Review this pull request for security problems")
	text := filepath.Join(p.home, "text.jsonl")
	if err := os.WriteFile(text, []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"unknown setting", []string{"--set", "need=1"}, "unknown setting"},
		{"no value", []string{"--set", "need_min"}, "key=value"},
		{"value out of range", []string{"--set", "need_min=7"}, "want 0 to 1"},
		{"missing library", []string{"--library", "/nowhere"}, "/nowhere"},
		{"missing synonyms", []string{"--synonyms", "/nowhere.yaml"}, "/nowhere.yaml"},
		{"folder without a skill", []string{"--with-skill", p.cwd}, "no SKILL.md"},
		{"missing source", []string{"--from", "/nowhere"}, "no such file"},
		{"file of something else", []string{"--from", text}, "neither journal lines"},
		{"unknown measure", []string{"--guard", "luck"}, "--guard"},
		{"limit that is none", []string{"--max-changed", "few"}, "--max-changed"},
		{"no prompt left", []string{"--session", "other"}, "no prompt to replay"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p.T = t
			if out, code := p.run(append([]string{"replay"}, tt.args...)...); code != 3 || !strings.Contains(p.stderr.String(), tt.want) {
				t.Errorf("replay %v = %d, %q, %q, want 3 and %q", tt.args, code, out, p.stderr.String(), tt.want)
			}
		})
	}
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

// A word of several prompts and sessions is proposed, applied and taken back, and the next index has it.
func TestAdviseWords(t *testing.T) {
	p := newPast(t)
	for i, text := range []string{"우리 팀 야간 뺑뺑이 안내장 좀 써줘", "이번 주 뺑뺑이 표 새로 만들어줘", "뺑뺑이 순서 다시 정리해줘", "다음 달 뺑뺑이 어떻게 돌릴지 적어줘",
		"뺑뺑이 안내장 좀 써줘", "다음 주 뺑뺑이 표 만들어줘", "우리 팀 뺑뺑이 순서 정리해줘", "이번 달 뺑뺑이 적어줘"} {
		session := fmt.Sprint("s", i)
		p.load(session, p.ask(session, text), "oncall-runbook")
	}
	var r struct{ Proposals []advise.Proposal }
	if err := json.Unmarshal([]byte(p.must("advise", "--json")), &r); err != nil || len(r.Proposals) == 0 {
		t.Fatalf("advise = %+v, %v, want a proposal", r, err)
	}
	first := r.Proposals[0]
	if first.Kind != advise.Words && first.Kind != advise.Trigger || !strings.Contains(first.Text, "뺑뺑") ||
		first.Effect == nil || first.Effect.HeldOut.Caught == 0 {
		t.Fatalf("the first proposal is %+v, want one for the word, measured where it was not chosen", first)
	}
	n := slices.IndexFunc(r.Proposals, func(x advise.Proposal) bool { return x.Kind == first.Kind }) + 1
	if out := p.must("advise", "apply", fmt.Sprint(n), "--yes"); !strings.Contains(out, "\n+") || !strings.Contains(out, "뺑뺑") {
		t.Errorf("apply prints %q, want the diff", out)
	}
	p.must("index")
	if out := p.must("query", "뺑뺑이 표 좀"); !strings.Contains(out, "oncall-runbook") {
		t.Errorf("after apply the word finds %q", out)
	}
	if out := p.must("advise"); !strings.Contains(out, "too early") {
		t.Errorf("advise does not list what was applied: %q", out)
	}
	p.must("advise", "undo")
	if text, err := os.ReadFile(first.Edit.File); string(text) != first.Edit.Old && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after undo the file is %q, %v", text, err)
	}
}

func TestReplayTranscripts(t *testing.T) {
	p := newPast(t)
	file := filepath.Join(p.home, ".claude", "projects", "-work", "s.jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	text := `{"type":"user","uuid":"u1","sessionId":"s","cwd":"` + p.cwd +
		`","message":{"role":"user","content":"Review this pull request for security problems such as injection"}}
{"type":"assistant","uuid":"a1","sessionId":"s","message":{"content":[{"type":"tool_use","id":"t1","name":"Skill","input":{"skill":"pr-security-review"}}]}}
{"type":"user","uuid":"u2","sess
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, code := p.replay("--from", "transcripts", "--set", "need_min=1")
	if code != 0 || r.Compared != 1 || r.Known != 1 || r.Changes[replay.NowSilent] != 1 || !r.Partial || r.Source.Damaged != 1 {
		t.Errorf("replay --from transcripts = %d, %+v, want one prompt now silent and a partial result", code, r)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != text {
		t.Errorf("the transcript was changed: %v", err)
	}
}

func TestReplayWhileOthersLog(t *testing.T) {
	p := newPast(t)
	p.ask("s", "Review this pull request for security problems such as injection")
	state := filepath.Join(p.home, ".local", "state", "skillgate")
	done := make(chan error)
	go func() {
		var err error
		for i := range 300 {
			r := journal.New(journal.KindDecision, time.Now())
			r.SetDecision(gate.Decision{Prompt: fmt.Sprint("thanks ", i), Verdict: gate.Skip, Reason: gate.Ack, Candidates: []gate.Candidate{}}, journal.Full, nil)
			if e := journal.Append(state, r); e != nil && !errors.Is(e, journal.ErrBusy) {
				err = e
			}
		}
		done <- err
	}()
	for range 5 {
		if r, code := p.replay(); code != 0 || r.Compared < 1 || r.Partial {
			t.Errorf("replay of a journal that others write to = %d, %+v", code, r)
		}
	}
	if err := <-done; err != nil {
		t.Errorf("Append during a replay = %v", err)
	}
}

func TestReplayDoesNotTouchANewerJournal(t *testing.T) {
	p := newPast(t)
	p.ask("s", "Review this pull request for security problems")
	p.must("log")
	db := filepath.Join(p.home, ".local", "state", "skillgate", "journal.db")
	bumpSchema(t, db)
	before, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	if _, code := p.run("replay"); code != 3 || !strings.Contains(p.stderr.String(), "newer skillgate") || !strings.Contains(p.stderr.String(), "hint") {
		t.Errorf("replay of a newer journal = %d, %q, want 3, why and a hint", code, p.stderr.String())
	}
	if after, err := os.ReadFile(db); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the newer journal was changed: %v", err)
	}
}

// bumpSchema makes a journal look like one of a later version.
func bumpSchema(t *testing.T, file string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
}
