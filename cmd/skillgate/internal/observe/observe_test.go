package observe

import (
	"bytes"
	"encoding/json"
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

	"github.com/skillgate/skillgate/cmd/internal/hot"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/triage"
)

type place struct {
	hot.Process
	state     string
	out       bytes.Buffer
	refreshed []string
	refresh   func(cwd string, flags ...string)
}

func newPlace(t *testing.T) *place {
	t.Helper()
	home := t.TempDir()
	vars := map[string]string{"HOME": home}
	p := &place{state: filepath.Join(home, ".local", "state", "skillgate")}
	now := time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)
	p.Process = hot.Process{
		Stdout: &p.out, Getenv: func(key string) string { return vars[key] },
		Now: func() time.Time { return now }, Cwd: home,
	}
	p.refresh = func(cwd string, _ ...string) { p.refreshed = append(p.refreshed, cwd) }
	return p
}

func (p *place) observe(t *testing.T, payload string) {
	t.Helper()
	p.Stdin = strings.NewReader(payload)
	require.Equal(t, 0, Run(&p.Process, p.refresh), p.out.String())
	assert.LessOrEqual(t, p.out.Len(), 0, p.out.String())
}

func (p *place) outcomes(t *testing.T) []string {
	t.Helper()
	db, err := store.Open(t.Context(), p.state)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Fold(t.Context(), p.Now(), 0)
	require.NoError(t, err)
	var b strings.Builder
	_, err = db.Export(t.Context(), &b)
	require.NoError(t, err)
	var out []string
	for line := range strings.Lines(b.String()) {
		var r journal.Record
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		s := string(r.Kind) + " " + r.Source
		if o := r.Outcome; o != nil {
			s = string(r.Kind) + " " + o.Tool + " " + o.Skill + " " + o.Source
			if !o.Success {
				s += " failed"
			}
		}
		out = append(out, s)
	}
	return out
}

func TestObserve(t *testing.T) {
	const head = `{"session_id":"s1","prompt_id":"p1","hook_event_name":`
	tests := []struct {
		name, payload string
		want          string // expected record, or ""
		loaded        string // skill that the session remembers afterwards
		forgets       bool
		refreshes     bool
	}{
		{name: "skill loaded", payload: head +
			`"PostToolUse","tool_name":"Skill","tool_input":{"skill":"office:pdf"},"tool_response":{"success":true,` +
			`"commandName":"office:pdf"}}`,
			want: "outcome Skill office:pdf PostToolUse", loaded: "office:pdf"},
		{name: "skill refused", payload: head + `"PostToolUse","tool_name":"Skill","tool_input":{"skill":"pdf"},"tool_response":{"success":false}}`,
			want: "outcome Skill pdf PostToolUse failed"},
		{name: "skill call failed", payload: head + `"PostToolUseFailure","tool_name":"Skill","tool_input":{"skill":"pdf"},"error":"x"}`,
			want: "outcome Skill pdf PostToolUseFailure failed"},
		{name: "response of another shape",
			payload: head + `"PostToolUse","tool_name":"Skill","tool_input":{"skill":"pdf"},"tool_response":"Launching skill: ` +
				`pdf","new_field":[1]}`,
			want: "outcome Skill pdf PostToolUse", loaded: "pdf"},
		{name: "skill loaded from the server",
			payload: head + `"PostToolUse","tool_name":"mcp__plugin_skillgate_skillgate__skill_load",` +
				`"tool_input":{"name":"office:pdf","arguments":"x"},"tool_response":[{"type":"text","text":"x"}]}`,
			want: "outcome mcp office:pdf PostToolUse", loaded: "office:pdf"},
		{name: "another tool of a server", payload: head + `"PostToolUse","tool_name":"mcp__x__skill_lookup","tool_input":{"name":"office:pdf"}}`},
		{name: "a tool with such a name that is no server's", payload: head + `"PostToolUse","tool_name":"my__skill_load","tool_input":{"name":"office:pdf"}}`},
		{name: "skill in a subagent", payload: head +
			`"PostToolUse","agent_id":"a1","tool_name":"Skill","tool_input":{"skill":"pdf"},"tool_response":{"success":true}}`,
			want: "outcome Skill pdf PostToolUse"},
		{name: "agent run by the Task tool",
			payload: head + `"PostToolUse","tool_name":"Task","tool_input":{"subagent_type":"reviewer","prompt":"x"},` +
				`"tool_response":{}}`,
			want: "outcome agent reviewer PostToolUse"},
		{name: "agent run by the Agent tool", payload: head + `"PostToolUse","tool_name":"Agent","tool_input":{"subagent_type":"reviewer"},"tool_response":{}}`,
			want: "outcome agent reviewer PostToolUse"},
		{name: "library skill read", payload: head + `"PostToolUse","tool_name":"Read","tool_input":{"file_path":"/lib/extra/deep/pdf/SKILL.md"},"tool_response":{}}`,
			want: "outcome read pdf PostToolUse", loaded: "pdf"},
		{name: "host skill read", payload: head +
			`"PostToolUse","tool_name":"Read","tool_input":{"file_path":"/home/ann/.claude/skills/pdf/SKILL.md"},` +
			`"tool_response":{}}`,
			want: "outcome read pdf PostToolUse", loaded: "pdf"},
		{name: "other file read", payload: head + `"PostToolUse","tool_name":"Read","tool_input":{"file_path":"/lib/extra/pdf/notes.md"},"tool_response":{}}`},
		{name: "SKILL.md outside of any library", payload: head + `"PostToolUse","tool_name":"Read","tool_input":{"file_path":"/tmp/SKILL.md"},"tool_response":{}}`},
		{name: "other tool", payload: head + `"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{}}`},
		{name: "typed command", payload: head +
			`"UserPromptExpansion","expansion_type":"slash_command","command_name":"pdf","command_args":"secret.pdf",` +
			`"command_source":"projectSettings","prompt":"/pdf secret.pdf"}`,
			want: "outcome typed pdf UserPromptExpansion", loaded: "pdf"},
		{name: "a command of skillgate's own", payload: head + `"UserPromptExpansion","command_name":"skillgate:why","prompt":"/skillgate:why"}`},
		{name: "a skill of skillgate's own", payload: head + `"PostToolUse","tool_name":"Skill","tool_input":{"skill":"skillgate:find-skills"},"tool_response":{}}`},
		{name: "session started", payload: head + `"SessionStart","source":"startup"}`, want: "session startup", loaded: "before", refreshes: true},
		{name: "session cleared", payload: head + `"SessionStart","source":"clear"}`, want: "session clear", forgets: true, refreshes: true},
		{name: "session compacted", payload: head + `"SessionStart","source":"compact"}`, want: "session compact", forgets: true, refreshes: true},
		{name: "compaction ended, which SessionStart reports as well", payload: head + `"PostCompact","trigger":"auto"}`, loaded: "before"},
		{name: "skills changed", payload: head + `"ConfigChange","source":"skills","file_path":"/x/SKILL.md"}`, want: "config skills", refreshes: true},
		{name: "unknown event", payload: head + `"SomethingNew"}`},
		{name: "not JSON", payload: "hello"},
		{name: "nothing", payload: ""},
		{name: "wrong types", payload: head + `"PostToolUse","tool_name":7,"tool_input":[]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			p.Environ = []string{"SKILLGATE_LIBRARIES=/lib/extra"}
			err := journal.UpdateSession(p.state, "s1", func(s *journal.Session) { s.Loaded, s.LastPrompt = []string{"before"}, "x" })
			require.NoError(t, err)
			p.observe(t, tt.payload)
			assert.Equal(t, tt.want, strings.Join(p.outcomes(t), "; "))
			s, err := journal.LoadSession(p.state, "s1")
			require.NoError(t, err)
			if tt.loaded != "" && !s.Knows(tt.loaded) {
				t.Errorf("the session remembers %q, want %q", s.Loaded, tt.loaded)
			}
			if tt.loaded == "" && s.Knows("pdf") {
				t.Errorf("the session remembers %q, want no pdf", s.Loaded)
			}
			assert.Equal(t, tt.forgets, s.LastPrompt == "")
			assert.Equal(t, tt.refreshes, len(p.refreshed) == 1)
			b, _ := os.ReadFile(filepath.Join(p.state, store.File))
			assert.NotContains(t, string(b), "secret.pdf")
		})
	}
}

func TestObserveThatIsLateForgetsNothing(t *testing.T) {
	const payload = `{"session_id":"s1","hook_event_name":"SessionStart","source":%q}`
	for _, source := range []string{"clear", "compact"} {
		t.Run(source, func(t *testing.T) {
			p := newPlace(t)
			told := func(skill string) {
				t.Helper()
				require.NoError(t, journal.UpdateSession(p.state, "s1", func(s *journal.Session) { s.Describe(skill) }))
			}
			told("before")
			p.Stdin = strings.NewReader(fmt.Sprintf(payload, source))
			hot.Begin(&p.Process)
			told("since")
			p.observe(t, fmt.Sprintf(payload, source))
			s, err := journal.LoadSession(p.state, "s1")
			if err != nil || s.Knows("before") || !s.Knows("since") {
				t.Errorf("the session knows %q, %v; want what it was told since it began", s.Described, err)
			}
		})
	}
}

func TestObserveLeavesOutWhatComesWithTheHost(t *testing.T) {
	const skill, agent = `"tool_name":"Skill","tool_input":{"skill":%q}`, `"tool_name":"Agent","tool_input":{"subagent_type":%q}`
	tests := []struct {
		name, tool, used string
		changed          bool // a skill was added after indexing
		want             string
	}{
		{"an agent of the host", agent, "general-purpose", false, ""},
		{"a skill of the host", skill, "keybindings-help", false, ""},
		{"a skill of another version of the host", skill, "deep-research", false, ""},
		{"a skill of a subfolder", skill, "rope-splicing", false, "outcome Skill rope-splicing PostToolUse"},
		{"a skill of a subfolder with the name of another", skill, "apps/web:run", false, "outcome Skill apps/web:run PostToolUse"},
		{"an agent of the user", agent, "bookbinder", false, "outcome agent bookbinder PostToolUse"},
		{"a skill of the user", skill, "pdf-table-ko", false, "outcome Skill pdf-table-ko PostToolUse"},
		{"a skill that the host may list later", skill, "sails", false, "outcome Skill sails PostToolUse"},
		{"an agent with a skill's name", agent, "pdf-table-ko", false, ""},
		{"a skill since the index was built", skill, "knots", true, "outcome Skill knots PostToolUse"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			home := filepath.Join(p.Cwd, ".claude")
			write := func(file, text string) {
				t.Helper()
				file = filepath.Join(home, file)
				require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
			}
			write("skills/pdf-table-ko/SKILL.md", "---\nname: pdf-table-ko\ndescription: Reads tables.\n---\nRead.\n")
			write("skills/sails/SKILL.md", "---\nname: sails\ndescription: Mends sails.\npaths: \"*.sail\"\n---\nMend.\n")
			write("agents/bookbinder.md", "---\nname: bookbinder\ndescription: Binds books.\n---\nBind.\n")
			d, err := dirs.FromEnv(p.Getenv, hooks.Places)
			require.NoError(t, err)
			_, err = workspace.Refresh(t.Context(), p.Cwd, workspace.Options{Dirs: d, Settings: gate.Default(), Now: p.Now})
			require.NoError(t, err)
			if tt.changed {
				write("skills/knots/SKILL.md", "---\nname: knots\ndescription: Ties knots.\n---\nTie.\n")
			}
			p.observe(t, `{"session_id":"s1","hook_event_name":"PostToolUse",`+fmt.Sprintf(tt.tool, tt.used)+`,"tool_response":{"success":true}}`)
			assert.Equal(t, tt.want, strings.Join(p.outcomes(t), "; "))
		})
	}
}

func TestObserveCountsAUseOnce(t *testing.T) {
	const skill = `"hook_event_name":"PostToolUse","tool_name":"Skill","tool_input":{"skill":%q},"tool_use_id":%q,"tool_response":{"success":true}`
	const typed = `"hook_event_name":"UserPromptExpansion","command_name":%q,"prompt":"/x"`
	tests := []struct {
		name          string
		first, second string // event after the session started
		want          int
		other         bool // the second event comes from another registration
	}{
		{"one call reported twice", `"prompt_id":"p1",` + fmt.Sprintf(skill, "pdf", "t1"), `"prompt_id":"p1",` + fmt.Sprintf(skill, "pdf", "t1"), 1, true},
		{"two calls", `"prompt_id":"p1",` + fmt.Sprintf(skill, "pdf", "t1"), `"prompt_id":"p1",` + fmt.Sprintf(skill, "pdf", "t2"), 2, true},
		{"calls of two prompts", `"prompt_id":"p1",` + fmt.Sprintf(skill, "pdf", "t1"), `"prompt_id":"p2",` + fmt.Sprintf(skill, "pdf", "t1"), 2, true},
		{"two skills", `"prompt_id":"p1",` + fmt.Sprintf(skill, "pdf", "t1"), `"prompt_id":"p1",` + fmt.Sprintf(skill, "xlsx", "t2"), 2, true},
		{"calls without an id", `"prompt_id":"p1",` + fmt.Sprintf(skill, "pdf", ""), `"prompt_id":"p1",` + fmt.Sprintf(skill, "pdf", ""), 2, false},
		{"a call without an id reported twice", `"prompt_id":"p1",` + fmt.Sprintf(skill, "pdf", ""), `"prompt_id":"p1",` + fmt.Sprintf(skill, "pdf", ""), 1, true},
		{"calls of two skills without an id", `"prompt_id":"p1",` + fmt.Sprintf(skill, "pdf", ""), `"prompt_id":"p1",` + fmt.Sprintf(skill, "xlsx", ""), 2, true},
		{"calls of two prompts without an id", `"prompt_id":"p1",` + fmt.Sprintf(skill, "pdf", ""), `"prompt_id":"p2",` + fmt.Sprintf(skill, "pdf", ""), 2, true},
		{"one typed skill reported twice", `"prompt_id":"p1",` + fmt.Sprintf(typed, "pdf"), `"prompt_id":"p1",` + fmt.Sprintf(typed, "pdf"), 1, true},
		{"a skill typed and then loaded", `"prompt_id":"p1",` + fmt.Sprintf(typed, "pdf"), `"prompt_id":"p1",` + fmt.Sprintf(skill, "pdf", "t1"), 2, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			p.Program = "/bin/skillgate"
			p.observe(t, `{"session_id":"s1",`+tt.first+`}`)
			if tt.other {
				p.Program = "/plugin/bin/skillgate"
			}
			p.observe(t, `{"session_id":"s1",`+tt.second+`}`)
			assert.Equal(t, tt.want, len(p.outcomes(t)))
		})
	}
}

func TestObserveRefreshesTheSessionsFolder(t *testing.T) {
	p := newPlace(t)
	dir := t.TempDir()
	p.observe(t, `{"hook_event_name":"SessionStart","source":"startup","session_id":"s","cwd":"`+dir+`"}`)
	assert.Equal(t, []string{dir}, p.refreshed)
}

func TestObserveFoldsWhereTheHostGoesOn(t *testing.T) {
	for event, folds := range map[string]bool{"SessionStart": false, "Stop": false, "ConfigChange": true} {
		p := newPlace(t)
		p.observe(t, `{"session_id":"s1","source":"startup","hook_event_name":"`+event+`"}`)
		_, err := os.Stat(filepath.Join(p.state, store.File))
		assert.Equal(t, folds, err == nil, "after %s the log's database: %v, want one: %v", event, err, folds)
	}
}

func TestObserveNeverFails(t *testing.T) {
	const payload = `{"hook_event_name":"SessionStart","source":"clear","session_id":"s1"}`
	tests := []struct {
		name  string
		setUp func(p *place) error
	}{
		{"disabled", func(p *place) error { p.Environ = []string{"SKILLGATE_DISABLED=true"}; return nil }},
		{"refresh that panics", func(p *place) error { p.refresh = func(string, ...string) { panic("x") }; return nil }},
		{"no clock", func(p *place) error { p.Now = nil; return nil }},
		{"file in the state folder's place", func(p *place) error {
			return errors.Join(os.MkdirAll(filepath.Dir(p.state), 0o700), os.WriteFile(p.state, nil, 0o600))
		}},
		{"damaged database", func(p *place) error {
			return errors.Join(os.MkdirAll(p.state, 0o700), os.WriteFile(filepath.Join(p.state, store.File), []byte(strings.Repeat("x", 9000)), 0o600))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			require.NoError(t, tt.setUp(p))
			p.observe(t, payload)
		})
	}
}

func TestEndOfTurn(t *testing.T) {
	const asked = `{"parentUuid":null,"type":"user","promptId":"p1","message":{"role":"user","content":"fill in forms"},"uuid":"u1"}` + "\n"
	const given = `{"parentUuid":"u1","type":"attachment","attachment":{"type":"hook_additional_context","content":["Skills: pdf"]},"uuid":"c1"}` + "\n"
	const spoke = `{"parentUuid":"u1","type":"assistant","uuid":"a1"}` + "\n"
	const before = `{"parentUuid":null,"type":"user","promptId":"p0","message":{"role":"user","content":"hello"},"uuid":"u0"}` + "\n"
	after := strings.ReplaceAll(spoke, "u1", "c1")
	tests := []struct {
		name, transcript string
		late             string // text that the host writes while observe waits
		known            bool
		want             []string // expected records
	}{
		{"the model was given the answer", asked + given + after, "", true, []string{"d1 p1 over"}},
		{"the answer did not reach the model", asked + spoke, "", false, []string{"d1 p1 over"}},
		{"the prompt did not", strings.ReplaceAll(asked, "forms", "a log") + spoke, "", false, nil},
		{"another format", "{}\n", "", true, []string{"d1 p1 over"}},
		{"lines that nobody knows", `{"parentUuid":{},"uuid":7}` + "\n\x00\n" + asked + given + after, "", true, []string{"d1 p1 over"}},
		{"no transcript", "", "", true, []string{"d1 p1 over"}},
		{"written late", before, asked + given + after, true, []string{"d1 p1 over"}},
		{"written in pieces", before + asked, given + after, true, []string{"d1 p1 over"}},
		{"written too late", before, "", false, []string{"d1 p1 over"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			p.observe(t, `{"session_id":"s1","prompt_id":"p0","hook_event_name":"Stop"}`)
			err := journal.UpdateSession(p.state, "s1", func(s *journal.Session) {
				d := gate.Decision{Verdict: gate.Inject, Context: "Skills: pdf", Candidates: []gate.Candidate{{Name: "pdf", Injected: true}}}
				s.Answered(triage.Classify("fill in forms"), journal.Turn{ID: "p1"}, d, "d1")
				assert.False(t, s.Knows("pdf"), "the session knows pdf before the turn has ended")
			})
			file := filepath.Join(p.state, "t.jsonl")
			waited := time.Duration(0)
			p.Sleep = func(d time.Duration) {
				if waited += d; tt.late != "" {
					assert.NoError(t, os.WriteFile(file, []byte(tt.transcript+tt.late), 0o600))
				}
			}
			if tt.transcript != "" && err == nil {
				err = os.WriteFile(file, []byte(tt.transcript), 0o600)
			}
			require.NoError(t, err)
			p.observe(t, `{"session_id":"s1","prompt_id":"p1","hook_event_name":"Stop","transcript_path":"`+file+`"}`)
			s, err := journal.LoadSession(p.state, "s1")
			require.NoError(t, err, s.Described)
			assert.Equal(t, tt.known, s.Knows("pdf"), s.Described)
			if waited > 2*time.Second {
				t.Errorf("the host waits %v for its own transcript, want less than 2 s", waited)
			}
			var got []string
			text, _ := os.ReadFile(filepath.Join(p.state, journal.File)) // absent if nothing was recorded
			for line := range strings.Lines(string(text)) {
				var r journal.Record
				require.NoError(t, json.Unmarshal([]byte(line), &r))
				if over := map[bool]string{true: "over"}[r.Over]; r.Kind == journal.KindTurn {
					got = append(got, r.Of+" "+r.PromptID+" "+over)
				}
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestSubfolderIsNamedUntilTheSessionIsResumed(t *testing.T) {
	for version, deploy := range map[string]string{"2.1.330": "packages/web:deploy", "2.1.197": "deploy"} {
		t.Run(version, func(t *testing.T) { namedUntilResumed(t, deploy) })
	}
}

func TestSubfolderNamesThatOthersHave(t *testing.T) {
	p := newPlace(t)
	repo := filepath.Join(p.Cwd, "repo")
	write := func(file, text string) {
		t.Helper()
		require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
	}
	write(filepath.Join(repo, ".git", "HEAD"), "")
	write(filepath.Join(repo, ".claude", "commands", "moor.md"), "Moor the boat.\n")
	d, err := dirs.FromEnv(p.Getenv, hooks.Places)
	require.NoError(t, err)
	o := workspace.Options{Dirs: d, Settings: gate.Default(), Now: p.Now}
	var below []gate.Subfolder
	for folder, skills := range map[string][]string{"quay": {"help", "moor", "review", "tides", "winch"}, "pier": {"tides"}} {
		root := filepath.Join(repo, folder, ".claude", "skills")
		o.Below, below = append(o.Below, root), append(below, gate.Subfolder{Path: root})
		for _, name := range skills {
			write(filepath.Join(root, name, "SKILL.md"), "---\nname: "+name+"\ndescription: Looks after boats.\n---\nLook.\n")
		}
	}
	_, err = workspace.Refresh(t.Context(), repo, o)
	require.NoError(t, err)
	opened, err := gate.Open(d, repo, gate.Default(), below...)
	replayed, err2 := gate.OpenRecorded(d, gate.Default(), repo, below)
	require.NoError(t, errors.Join(err, err2))
	for kind, g := range map[string]*gate.Gate{"Open": opened, "OpenRecorded": replayed} {
		defer g.Close()
		var got []string
		g.Docs(func(d index.Doc) bool { got = append(got, d.Name); return true })
		slices.Sort(got)
		want := []string{"moor", "pier:tides", "quay:help", "quay:moor", "quay:review", "quay:tides", "winch"}
		assert.Equal(t, want, got, kind)
	}
}

func namedUntilResumed(t *testing.T, deploy string) {
	p := newPlace(t)
	repo := filepath.Join(p.Cwd, "repo")
	p.Cwd = repo
	write := func(file, text string) {
		t.Helper()
		require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
	}
	web := filepath.Join(repo, "packages", "web", ".claude", "skills")
	write(filepath.Join(repo, ".git", "HEAD"), "")
	write(filepath.Join(repo, ".claude", "skills", "deploy", "SKILL.md"), "---\nname: deploy\ndescription: Deploys the server.\n---\nDeploy.\n")
	write(filepath.Join(web, "deploy", "SKILL.md"), "---\nname: deploy\ndescription: Uploads pictures of sails to the gallery.\n---\nUpload.\n")
	write(filepath.Join(web, "knots", "SKILL.md"), "---\nname: knots\ndescription: Ties knots in mooring ropes.\n---\nTie.\n")
	transcript := filepath.Join(repo, "t.jsonl")
	write(transcript, `{"parentUuid":"u1","attachment":{"type":"dynamic_skill","skillDir":"`+web+`","skillNames":["knots`+
		`","`+deploy+`"],"displayPath":"packages/web/.claude/skills"},"type":"attachment","uuid":"f1",`+
		`"timestamp":"2026-03-04T15:00:01Z"}`+"\n")
	d, err := dirs.FromEnv(p.Getenv, hooks.Places)
	require.NoError(t, err)
	var flags []string
	p.refresh = func(_ string, more ...string) { flags = append(flags, more...) }
	names := func(prompt string) string {
		t.Helper()
		s, err := journal.LoadSession(p.state, "s1")
		o := workspace.Options{Dirs: d, Settings: gate.Default(), Now: p.Now}
		for i := 1; i < len(flags); i += 2 {
			o.Below = append(o.Below, flags[i])
		}
		_, refreshErr := workspace.Refresh(t.Context(), p.Cwd, o)
		g, openErr := gate.Open(d, p.Cwd, gate.Default(), s.Subfolders...)
		require.NoError(t, errors.Join(err, refreshErr, openErr))
		defer g.Close()
		assert.Empty(t, g.StaleState())
		var out []string
		for _, c := range g.Decide(t.Context(), s.Request(triage.Classify(prompt))).Candidates {
			if c.Injected {
				out = append(out, c.Name)
			}
		}
		return strings.Join(out, " ")
	}
	const upload, tie = "upload the pictures of the sails to the gallery", "tie knots in the mooring ropes"
	assert.Empty(t, names(upload)+names(tie))
	const stop = `{"session_id":"s1","prompt_id":"p1","hook_event_name":"Stop","transcript_path":%q}`
	p.observe(t, fmt.Sprintf(stop, transcript))
	p.observe(t, fmt.Sprintf(stop, transcript))
	assert.Equal(t, "--below "+web, strings.Join(flags, " "))
	assert.Equal(t, "packages/web:deploy knots", names(upload)+" "+names(tie))
	denied := filepath.Join(repo, ".claude", "settings.json")
	write(denied, `{"permissions":{"deny":["Skill(packages/web:deploy)"]}}`)
	assert.Empty(t, names(upload))
	require.NoError(t, os.Remove(denied))
	p.observe(t, `{"session_id":"s1","hook_event_name":"SessionStart","source":"compact"}`)
	assert.Equal(t, "knots", names(tie))
	p.Now = func() time.Time { return time.Date(2026, 3, 4, 16, 0, 0, 0, time.UTC) }
	p.observe(t, `{"session_id":"s1","hook_event_name":"SessionStart","source":"resume"}`)
	p.observe(t, fmt.Sprintf(stop, transcript))
	assert.Empty(t, names(upload)+names(tie))
}
