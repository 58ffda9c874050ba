package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/listing"
	hostplugin "github.com/skillgate/skillgate/hooks/plugin"
	"github.com/skillgate/skillgate/hooks/register"
)

const goodAnswer = `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"x"}}` + "\n"

func healthy() probes {
	return probes{
		index:   func(context.Context) (indexState, error) { return indexState{Skills: 3}, nil },
		listing: func(context.Context) (listing.Tax, error) { return listing.Tax{}, nil },
		client:  func(context.Context) (string, error) { return "2.1.330 (Claude Code)\n", nil },
		module:  func(context.Context, string) (string, error) { return "", nil },
		met: func(_ context.Context, lists [][]string) ([]bool, error) {
			out := make([]bool, len(lists))
			for i, texts := range lists {
				out[i] = !slices.Contains(texts, "zeppelin")
			}
			return out, nil
		},
		hook: func(_ context.Context, _ trialCommand, stdin string) trialRun {
			r := trialRun{Took: 9 * time.Millisecond}
			if strings.Contains(stdin, "pull request for security problems") {
				r.Stdout = []byte(goodAnswer)
			}
			return r
		},
	}
}

func installed(t *testing.T, p *apptest.Home) dirs.Dirs {
	t.Helper()
	text, _, err := register.Install("f", nil, hooks.Claude.Handlers(p.Binary, false))
	require.NoError(t, err)
	p.Write(t, p.Settings, string(text), 0o600)
	d, err := p.App.Places()
	require.NoError(t, err)
	d.Hosts.Policy.Managed = filepath.Join(p.Dir, "managed-settings.json")
	d.Hosts.Policy.ManagedParts = filepath.Join(p.Dir, "managed-settings.d")
	return d
}

func TestDoctorChecksOtherHosts(t *testing.T) {
	trusted := func(file string) string {
		return "[hooks.state.\"" + file + ":user_prompt_submit:0:0\"]\ntrusted_hash = \"sha256:f1\"\n"
	}
	tests := []struct {
		name   string
		host   *hooks.Host
		damage func(t *testing.T, p *apptest.Home, file string)
		answer string
		want   []string // status and part of the text of each finding
	}{
		{name: "Codex, not trusted", host: &hooks.Codex, answer: goodAnswer,
			want: []string{"ok hooks.json:", "ok test prompt: exit status 0, answer of 8", "warn does not trust the hook", "ok has not been measured"}},
		{name: "Codex, trusted", host: &hooks.Codex, answer: goodAnswer,
			damage: func(t *testing.T, p *apptest.Home, file string) {
				p.Write(t, filepath.Join(filepath.Dir(file), "config.toml"), trusted(file), 0o600)
			},
			want: []string{"ok hooks.json:", "ok test prompt", "ok Codex has trusted the hook, but doctor cannot check", "ok has not been measured"}},
		{name: "a line that blocks prompts once the program is gone", host: &hooks.Gemini,
			answer: strings.Replace(goodAnswer, "UserPromptSubmit", "BeforeAgent", 1),
			damage: func(t *testing.T, p *apptest.Home, file string) {
				p.Write(t, file, strings.Replace(p.Read(t, file), " || true", "", 1), 0o600)
			},
			want: []string{"ok settings.json:", "warn differs from the hook that this version registers", "ok test prompt", "ok has not been measured"}},
		{name: "a program that is gone", host: &hooks.Qwen,
			damage: func(t *testing.T, p *apptest.Home, file string) {
				p.Write(t, file, strings.Replace(p.Read(t, file), p.Binary, "/nowhere/skillgate", 1), 0o600)
			},
			want: []string{"fail registers a program that cannot be run"}},
		{name: "another host's answer", host: &hooks.Copilot, answer: goodAnswer,
			want: []string{"ok settings.json:", "fail not an answer that Copilot CLI accepts", "ok has not been measured"}},
		{name: "plain text", host: &hooks.Pi, answer: "Skills that fit\n",
			want: []string{"ok skillgate.js:", "ok test prompt", "ok has not been measured"}},
		{name: "a script", host: &hooks.Cline, answer: `{"cancel":false,"contextModification":"x"}` + "\n",
			want: []string{"ok UserPromptSubmit:2 runs", "ok test prompt", "ok Enable Hooks", "ok has not been measured"}},
		{name: "a file instead", host: &hooks.Droid, answer: goodAnswer,
			damage: func(t *testing.T, p *apptest.Home, file string) {
				p.Write(t, filepath.Join(filepath.Dir(file), "hooks.json"), "{}", 0o600)
			},
			want: []string{"ok settings.json:", "ok test prompt", "warn reads its hooks from the existing file", "ok has not been measured"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := apptest.NewInProject(t)
			d := installed(t, p)
			file := tt.host.Files(p.Dir, p.Project, p.Getenv)[0].Path
			text, _, err := register.Install(file, nil, tt.host.Handlers(p.Binary, false))
			require.NoError(t, err)
			p.Write(t, file, string(text), 0o700)
			if tt.damage != nil {
				tt.damage(t, p, file)
			}
			probe := healthy()
			good := probe.hook
			probe.hook = func(ctx context.Context, c trialCommand, stdin string) trialRun {
				if strings.Contains(stdin, "skillgate-doctor-"+tt.host.Name) {
					return trialRun{Stdout: []byte(tt.answer)}
				}
				return good(ctx, c, stdin)
			}
			var got []string
			for _, f := range checkAll(t.Context(), p.App, d, gate.Default(), nil, probe).Findings {
				if f.Check == tt.host.Name {
					got = append(got, string(f.Status)+" "+f.Text)
				}
			}
			matches := slices.EqualFunc(got, tt.want, func(got, want string) bool {
				status, part, _ := strings.Cut(want, " ")
				return strings.HasPrefix(got, status+" ") && strings.Contains(got, part)
			})
			if !matches {
				t.Errorf("doctor says of %s:\n%s\nwant\n%s", tt.host.Title, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

func TestDoctorRunsNothingOfARepository(t *testing.T) {
	const file = ".qwen/settings.json"
	tests := []struct{ name, file, command, want string }{
		{"another host's, two commands", file, "BINARY hook; touch pwned", "runs more than the hook"},
		{"another host's, a substitution", file, "BINARY hook $(touch pwned)", "runs more than the hook"},
		{"another host's, in quotes", file, "BINARY hook \"`touch pwned`\"", "runs more than the hook"},
		{"another host's, an assignment", file, "PATH=. BINARY hook", "runs more than the hook"},
		{"another host's, its own program", file, "$CLAUDE_PROJECT_DIR/skillgate hook", "programs of the project"},
		{"Claude Code's, two commands", ".claude/settings.json", "BINARY hook && touch pwned", "runs more than the hook"},
		{"Claude Code's, its own program", ".claude/settings.json", "$CLAUDE_PROJECT_DIR/skillgate hook", "programs of the project"},
		{"the hook alone", file, "exec 'BINARY' hook || true", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := apptest.NewInProject(t)
			d := installed(t, p)
			require.NoError(t, os.Remove(p.Settings))
			pwned := filepath.Join(p.Project, "pwned")
			p.Write(t, filepath.Join(p.Project, "skillgate"), "#!/bin/sh\ntouch '"+pwned+"'\n", 0o700)
			line, _ := json.Marshal(strings.Replace(tt.command, "BINARY", p.Binary, 1))
			p.Write(t, filepath.Join(p.Project, tt.file),
				`{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":`+string(line)+`,"timeout":5}]}]}}`, 0o600)
			probe := healthy()
			ran := false
			probe.hook = func(ctx context.Context, c trialCommand, stdin string) trialRun {
				ran = true
				return c.start(ctx, p.Project, os.Environ(), stdin)
			}
			said := false
			for _, f := range checkAll(t.Context(), p.App, d, gate.Default(), nil, probe).Findings {
				said = said || f.Status == statusWarn && strings.Contains(f.Text, "was not tested, because") && strings.Contains(f.Text, tt.want)
			}
			if _, err := os.Stat(pwned); err == nil || said != (tt.want != "") || ran == said {
				t.Errorf("doctor runs %q: %v, says that it does not: %v; the file it makes: %v", tt.command, ran, said, err)
			}
		})
	}
}

func TestDoctorWithoutClaudeCode(t *testing.T) {
	tests := []struct {
		name   string
		remove string // relative to the home folder
		want   status
	}{
		{"Claude Code is here", ".claude/settings.json", statusWarn},
		{"Claude Code is not here", ".claude", statusOK},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := apptest.NewInProject(t)
			d := installed(t, p)
			require.NoError(t, os.RemoveAll(filepath.Join(p.Dir, tt.remove)))
			file := hooks.Gemini.Files(p.Dir, p.Project, p.Getenv)[0].Path
			text, _, err := register.Install(file, nil, hooks.Gemini.Handlers(p.Binary, false))
			require.NoError(t, err)
			p.Write(t, file, string(text), 0o600)
			for _, f := range checkAll(t.Context(), p.App, d, gate.Default(), nil, healthy()).Findings {
				if f.Check == "registration" && f.Status != tt.want {
					t.Errorf("registration: %s %s, want %s", f.Status, f.Text, tt.want)
				}
			}
		})
	}
}

func TestDoctor(t *testing.T) {
	answer := func(r trialRun) func(*probes) {
		return func(p *probes) {
			p.hook = func(context.Context, trialCommand, string) trialRun { return r }
		}
	}
	words := func(text string) func(*testing.T, *apptest.Home, *dirs.Dirs) {
		return func(t *testing.T, p *apptest.Home, d *dirs.Dirs) { p.Write(t, workspace.DictFile(*d), text, 0o600) }
	}
	plugged := func(t *testing.T, p *apptest.Home, settings string) {
		t.Helper()
		dir := filepath.Join(p.State, "plugin", "claude")
		require.NoError(t, hostplugin.Write(dir, p.Binary))
		p.Write(t, filepath.Join(p.Dir, ".claude", "plugins", "installed_plugins.json"), `{"plugins":{"`+hostplugin.ID+`":[{"installPath":"`+dir+`"}]}}`, 0o600)
		p.Write(t, p.Settings, strings.Replace(settings, "{", `{"enabledPlugins":{"`+hostplugin.ID+`":true}`, 1), 0o600)
	}
	tests := []struct {
		name   string
		damage func(t *testing.T, p *apptest.Home, d *dirs.Dirs)
		probe  func(*probes)
		status status
		want   string // part of a finding with that status
	}{
		{name: "a healthy machine", status: statusOK, want: "skills and agents: 3; the index is up to date"},
		{name: "words that do something", status: statusOK, want: "Korean words: 1, sets of English words: 1",
			damage: words("korean:\n  결재판: {en: [approval board], also: [결재 판]}\nenglish:\n" +
				"  - {means: [code review], say: [eyeball my branch]}\n")},
		{name: "not installed", status: statusFail, want: "the hook is not registered",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) { os.Remove(p.Settings) }},
		{name: "settings with a comment", status: statusFail, want: "settings.json:1: not plain JSON",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) {
				p.Write(t, p.Settings, "// mine\n"+p.Read(t, p.Settings), 0o600)
			}},
		{name: "project settings with a trailing comma", status: statusFail, want: "settings.json:3: not plain JSON",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) {
				p.Write(t, filepath.Join(p.Project, ".claude", "settings.json"), "{\n  \"a\": 1,\n}\n", 0o600)
			}},
		{name: "broken project settings", status: statusFail, want: "settings.json:1:2",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) {
				p.Write(t, filepath.Join(p.Project, ".claude", "settings.json"), "{", 0o600)
			}},
		{name: "hooks turned off", status: statusFail, want: "disableAllHooks",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) {
				p.Write(t, filepath.Join(p.Project, ".claude", "settings.local.json"), `{"disableAllHooks":true}`, 0o600)
			}},
		{name: "hooks of the organisation only", status: statusFail, want: "allowManagedHooksOnly",
			damage: func(t *testing.T, p *apptest.Home, d *dirs.Dirs) {
				p.Write(t, d.Hosts.Policy.Managed, `{"allowManagedHooksOnly":true}`, 0o600)
			}},
		{name: "deleted binary", status: statusFail, want: "cannot be run",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) { os.Remove(p.Binary) }},
		{name: "two commands", status: statusFail, want: "prompts are answered twice",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) {
				p.Write(t, filepath.Join(p.Project, ".claude", "settings.json"),
					`{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"skillgate hook"}]}]}}`, 0o600)
			}},
		{name: "the plugin and the settings", status: statusFail, want: "prompts are answered twice",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) {
				plugged(t, p, strings.Replace(p.Read(t, p.Settings), "{", "{,", 1))
			}},
		{name: "the plugin without its program", status: statusFail, want: "cannot be run",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) {
				plugged(t, p, "{}")
				os.Remove(p.Binary)
			}},
		{name: "the plugin", status: statusOK, want: hostplugin.ID,
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) { plugged(t, p, "{}") }},
		{name: "the plugin with a file that was changed", status: statusWarn, want: "this version of skillgate in these files: hooks/register.ts",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) {
				plugged(t, p, "{}")
				p.Write(t, filepath.Join(p.State, "plugin", "claude", "hooks", "register.ts"), "throw 1", 0o600)
			}},
		{name: "the plugin in a folder that cannot be written", status: statusWarn, want: "is not writable, so the plugin",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) {
				plugged(t, p, "{}")
				lock(t, filepath.Join(p.State, "plugin", "claude"))
			}},
		{name: "the plugin in a client that does not take its module", status: statusWarn, want: "2.1.330 rejects the plugin: x is not an event",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) { plugged(t, p, "{}") },
			probe: func(p *probes) {
				p.module = func(context.Context, string) (string, error) { return "x is not an event", nil }
			}},
		{name: "the plugin and a client that cannot check it", status: statusWarn, want: "2.1.330 accepts the plugin: signal: killed",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) { plugged(t, p, "{}") },
			probe: func(p *probes) {
				p.module = func(context.Context, string) (string, error) { return "", errors.New("signal: killed") }
			}},
		{name: "the hook in a client with modules", status: statusOK, want: "not installed, so you see no suggestions"},
		{name: "the plugin in a client without modules", status: statusWarn, want: "2.1.197 cannot load the plugin",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) { plugged(t, p, "{}") },
			probe: func(p *probes) {
				p.client = func(context.Context) (string, error) { return "2.1.197 (Claude Code)\n", nil }
			}},
		{name: "condition on the hook", status: statusFail, want: "it never runs on a prompt",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) {
				p.Write(t, p.Settings, strings.Replace(p.Read(t, p.Settings), `"timeout": 5`, `"timeout": 5, "if": "Skill"`, 1), 0o600)
			}},
		{name: "hook that is async", status: statusFail, want: "a turn too late",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) {
				p.Write(t, p.Settings, strings.Replace(p.Read(t, p.Settings), `"timeout": 5`, `"timeout": 5, "async": true`, 1), 0o600)
			}},
		{name: "observer that the host does not wait for", status: statusWarn, want: "differs from the hook that this version registers",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) {
				handlers := hooks.Claude.Handlers(p.Binary, false)
				at := slices.IndexFunc(handlers, func(h hooks.Handler) bool { return h.Event == "SessionStart" })
				handlers[at].Args, handlers[at].Async, handlers[at].Timeout = []string{"observe"}, true, 0
				text, _, err := register.Install("f", nil, handlers)
				require.NoError(t, err)
				p.Write(t, p.Settings, string(text), 0o600)
			}},
		{name: "no observers", status: statusWarn, want: "differs from the hook that this version registers",
			damage: func(t *testing.T, p *apptest.Home, _ *dirs.Dirs) {
				text, _, err := register.Install("f", nil, hooks.Claude.Handlers(p.Binary, false)[:1])
				require.NoError(t, err)
				p.Write(t, p.Settings, string(text), 0o600)
			}},
		{name: "exit status 2", status: statusFail, want: "exit status 2 instead of 0: boom", probe: answer(trialRun{Code: 2, Stderr: []byte("boom\nmore")})},
		{name: "prose on stdout", status: statusFail, want: "not an answer that Claude Code accepts", probe: answer(trialRun{Stdout: []byte("hello")})},
		{name: "two objects", status: statusFail, want: "not an answer that Claude Code accepts", probe: answer(trialRun{Stdout: []byte(goodAnswer + goodAnswer)})},
		{name: "context at the top", status: statusFail, want: "not an answer that Claude Code accepts",
			probe: answer(trialRun{Stdout: []byte(`{"additionalContext":"x"}`)})},
		{name: "another event", status: statusFail, want: "not an answer that Claude Code accepts",
			probe: answer(trialRun{Stdout: []byte(strings.Replace(goodAnswer, "UserPromptSubmit", "Stop", 1))})},
		{name: "hook that hangs", status: statusFail, want: "did not exit", probe: answer(trialRun{Err: errors.New("did not exit within 2s")})},
		{name: "slow hook", status: statusWarn, want: "should be at most 100 ms", probe: answer(trialRun{Took: time.Second})},
		{name: "answer to a greeting", status: statusWarn, want: "the hook answered a greeting", probe: answer(trialRun{Stdout: []byte(goodAnswer)})},
		{name: "no index", status: statusWarn, want: "not indexed yet: shared",
			probe: func(p *probes) {
				p.index = func(context.Context) (indexState, error) { return indexState{Missing: []string{"shared"}}, nil }
			}},
		{name: "damaged index", status: statusFail, want: "checksum",
			probe: func(p *probes) {
				p.index = func(context.Context) (indexState, error) { return indexState{}, errors.New("open index: checksum") }
			}},
		{name: "dictionary that is no YAML", status: statusWarn, want: "synonyms.yaml: yaml: line", damage: words("korean:\n  결재판: {en: [approval board]\n")},
		{name: "dictionary with an unknown key", status: statusWarn, want: "your dictionary is not used",
			damage: words("koreen:\n  결재판: {en: [approval board]}\n")},
		{name: "word of no skill", status: statusWarn, want: "synonyms.yaml:2: no installed skill contains a word of the entry 비행선 (zeppelin)",
			damage: words("korean:\n  비행선: {en: [zeppelin]}\n")},
		{name: "phrase of no skill", status: statusWarn, want: `synonyms.yaml:2: no installed skill contains a word of the set that begins with "zeppelin"`,
			damage: words("english:\n  - {means: [zeppelin], say: [big cigar]}\n")},
		{name: "many such words", status: statusWarn, want: "(and 3 more)",
			damage: words("english:\n" + "  - {means: [zeppelin], say: [big cigar]}\n  - {means: [zeppelin], say: [a]}\n  - " +
				"{means: [zeppelin], say: [b]}\n  - {means: [zeppelin], say: [c]}\n  - {means: [zeppelin], say: [d]}\n  - " +
				"{means: [zeppelin], say: [e]}\n  - {means: [zeppelin], say: [f]}\n  - {means: [zeppelin], say: [g]}\n")},
		{name: "old client", status: statusWarn, want: "sends no prompt_id",
			probe: func(p *probes) {
				p.client = func(context.Context) (string, error) { return "2.1.99 (Claude Code)", nil }
			}},
		{name: "open permissions", status: statusWarn, want: "other users can read",
			damage: func(t *testing.T, p *apptest.Home, d *dirs.Dirs) {
				p.Write(t, filepath.Join(d.State, "journal.jsonl"), "", 0o644)
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := apptest.NewInProject(t)
			d := installed(t, p)
			probe := healthy()
			if tt.damage != nil {
				tt.damage(t, p, &d)
			}
			if tt.probe != nil {
				tt.probe(&probe)
			}
			r := checkAll(t.Context(), p.App, d, gate.Default(), nil, probe)
			// The test binary is not registered and is in a temporary folder.
			worst := statusOK
			found := false
			for _, f := range r.Findings {
				if strings.Contains(f.Text, "temporary or build folder") || strings.Contains(f.Text, ", but you are running ") {
					continue
				}
				if f.Status == statusFail || f.Status == statusWarn && worst == statusOK {
					worst = f.Status
				}
				found = found || f.Status == tt.status && strings.Contains(f.Text, tt.want) && (f.Fix != "" || tt.status == statusOK)
			}
			if worst != tt.status || !found {
				t.Errorf("doctor: %s with %+v; want %s and %q", worst, r.Findings, tt.status, tt.want)
			}
		})
	}
}

func TestDoctorReadsTheLog(t *testing.T) {
	known := gate.Decision{Verdict: gate.Skip, Reason: gate.Ack, Candidates: []gate.Candidate{}}
	odd := gate.Decision{Verdict: gate.Skip, Reason: gate.Empty, Candidates: []gate.Candidate{},
		Notes: []string{hooks.OtherFormat}}
	renamed := gate.Decision{Verdict: gate.Error, Candidates: []gate.Candidate{},
		Notes: []string{`event "PromptSubmitted" ` + hooks.NotAPrompt}}
	late := gate.Decision{Verdict: gate.Error, Reason: gate.LateInput, Candidates: []gate.Candidate{}}
	cut := gate.Decision{Verdict: gate.Silent, Reason: gate.Deadline, Candidates: []gate.Candidate{}}
	tests := []struct {
		name  string
		log   []gate.Decision // oldest first
		warns string          // check and beginning of the warning, or ""
	}{
		{"nothing logged", nil, ""},
		{"prompts as ever", []gate.Decision{known, known, known}, ""},
		{"two odd ones", []gate.Decision{odd, odd}, ""},
		{"odd ones, and one since", []gate.Decision{odd, odd, odd, known}, ""},
		{"no text since an update", []gate.Decision{known, odd, odd, renamed}, "format: the newest 3 "},
		{"late now and then", []gate.Decision{late, cut, late, cut, late, cut, late, cut}, ""},
		{"late input", []gate.Decision{late, late, known, late, late, cut, late}, "answers: of the newest 7 prompts, 5 arrived too late"},
		{"slow searches", []gate.Decision{cut, cut, cut, cut, late, cut}, "answers: of the newest 6 prompts, 5 hit the search deadline"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := apptest.New(t)
			d := installed(t, p)
			for i, decision := range tt.log {
				p.Decide(t, time.Duration(len(tt.log)-i)*time.Minute, decision, journal.Full, fmt.Sprint("p", i))
			}
			settings, err := gate.Load(d, p.Cwd, nil)
			require.NoError(t, err)
			r := checkAll(t.Context(), p.App, d, settings, nil, healthy())
			var warns []string
			for _, f := range r.Findings {
				if f.Status == statusWarn && (f.Check == "format" || f.Check == "answers") {
					warns = append(warns, f.Check+": "+f.Text)
				}
			}
			if tt.warns == "" && len(warns) > 0 || tt.warns != "" && (len(warns) != 1 || !strings.HasPrefix(warns[0], tt.warns)) {
				t.Errorf("doctor warns %q, want %q", warns, tt.warns)
			}
		})
	}
}

func TestDoctorAsksForTheReadToolWithLibraries(t *testing.T) {
	for _, libraries := range [][]string{nil, {"/srv/skills"}} {
		p := apptest.NewInProject(t)
		d := installed(t, p)
		s := gate.Default()
		s.Libraries = libraries
		found := slices.ContainsFunc(checkAll(t.Context(), p.App, d, s, nil, healthy()).Findings, func(f finding) bool {
			return strings.Contains(f.Text, "differs from the hook that this version registers")
		})
		assert.Equal(t, libraries != nil, found)
	}
}

func TestDoctorSaysWhatIsWrongWithLibraries(t *testing.T) {
	asked := time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name string
		s    fetched.Status
		want string // part of the warning, or ""
	}{
		{"never asked", fetched.Status{}, "oci://example.com/x:1: not fetched yet"},
		{"gone at first", fetched.Status{Checked: asked, Error: "refused"},
			"nothing fetched yet; the last attempt, at 2026-03-04 15:00:00, failed: refused"},
		{"gone later", fetched.Status{Checked: asked, Digest: "sha256:x", Skills: 3, Error: "refused"},
			"the skills fetched earlier (3) stay in use; the last attempt, at 2026-03-04 15:00:00, failed: refused"},
		{"as it should be", fetched.Status{Checked: asked, Digest: "sha256:x", Skills: 3}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := apptest.NewInProject(t)
			d := installed(t, p)
			s := gate.Default()
			s.Libraries = []string{"oci://example.com/x:1"}
			if tt.s.Reference = s.Libraries[0]; !tt.s.Checked.IsZero() {
				err := os.MkdirAll(fetched.Folder(d.Cache, tt.s.Reference), 0o700)
				require.NoError(t, errors.Join(err, tt.s.Write(d.Cache)))
			}
			all := checkAll(t.Context(), p.App, d, s, nil, healthy()).Findings
			i := slices.IndexFunc(all, func(f finding) bool { return f.Check == "libraries" })
			if i < 0 || (all[i].Status == statusWarn) != (tt.want != "") || !strings.Contains(all[i].Text, tt.want) {
				t.Errorf("doctor says %+v, want the warning %q", all, tt.want)
			}
		})
	}
}

func TestMetLooksIntoTheIndex(t *testing.T) {
	p := apptest.NewInProject(t)
	d, err := p.App.Places()
	require.NoError(t, err)
	lists := [][]string{{"비행선", "zeppelin"}, {"양식", "fill a form"}, {"form"}}
	_, err = newProbe(p.App, d, gate.Default()).met(t.Context(), lists)
	assert.ErrorIs(t, err, errNotIndexed)
	p.Write(t, filepath.Join(p.Dir, ".claude", "skills", "pdf", "SKILL.md"), "---\nname: pdf\ndescription: Fills forms.\n---\nRead the form.\n", 0o600)
	require.NoError(t, p.App.RefreshSkills(t.Context(), d, gate.Default()))
	if got, err := newProbe(p.App, d, gate.Default()).met(t.Context(), lists); err != nil || !slices.Equal(got, []bool{false, true, true}) {
		t.Errorf("met(%q) = %v, %v, want the last two", lists, got, err)
	}
}

func TestDoctorShowsManagedSettings(t *testing.T) {
	p := apptest.NewInProject(t)
	d := installed(t, p)
	p.Write(t, gate.ManagedFile(d), "top_k: 2\nfuture: 1\n", 0o600)
	s, err := gate.Load(d, p.Cwd, nil)
	r := checkAll(t.Context(), p.App, d, s, err, healthy())
	for _, want := range []finding{
		{Status: statusOK, Text: "skillgate.yaml overrides your settings"},
		{Status: statusFail, Text: "unknown setting future", Fix: "ask your administrator to correct it"},
		{Status: statusOK, Text: "skillgate's own settings are valid"},
	} {
		if !slices.ContainsFunc(r.Findings, func(f finding) bool {
			return f.Status == want.Status && strings.Contains(f.Text, want.Text) && f.Fix == want.Fix
		}) {
			t.Errorf("doctor finds %+v, want %+v", r.Findings, want)
		}
	}
}

func lock(t *testing.T, dir string) {
	t.Helper()
	if os.Geteuid() != 0 {
		require.NoError(t, os.Chmod(dir, 0o500))
		t.Cleanup(func() { os.Chmod(dir, 0o700) })
		return
	}
	for _, args := range [][]string{{"--bind", dir, dir}, {"-o", "remount,ro,bind", dir}} {
		if out, err := exec.Command("mount", args...).CombinedOutput(); err != nil {
			t.Skipf("root writes into any folder, and mounts nothing here: %v %s", err, out)
		}
	}
	t.Cleanup(func() { exec.Command("umount", dir).Run() })
}

func TestValidate(t *testing.T) {
	tests := []struct{ name, script, want, failed string }{
		{"refused", `printf 'Validating\n\n✘ Found 2 errors:\n\n  ❯ x is not an event\n  ❯ y\n\n⚠ Found 1 warning:\n\n  ❯ z\n'; exit 1`,
			"x is not an event", ""},
		{"taken, though not for the plugin directory", `printf 'Validating\n\n✘ Found 1 problem:\n\n  ❯ README.md: missing\n'`, "", ""},
		{"killed", `echo Validating; kill -9 $$`, "", "killed"},
		{"no network", `echo 'getaddrinfo ENOTFOUND' >&2; exit 1`, "", "getaddrinfo ENOTFOUND"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := apptest.New(t)
			p.Write(t, filepath.Join(p.Dir, "bin", "claude"), "#!/bin/sh\n"+tt.script+"\n", 0o700)
			p.Getenv = func(string) string { return filepath.Join(p.Dir, "bin") }
			got, err := validate(t.Context(), p.App, p.Dir)
			if got != tt.want || (err != nil) != (tt.failed != "") || err != nil && !strings.Contains(err.Error(), tt.failed) {
				t.Errorf("validate = %q, %v; want %q, an error with %q", got, err, tt.want, tt.failed)
			}
		})
	}
}

func TestDoctorNamesUnknownVariables(t *testing.T) {
	p := apptest.NewInProject(t)
	d := installed(t, p)
	p.Environ = []string{"SKILLGATE_TOPK=3", "SKILLGATE_TOP_K=3", "SKILLGATE_WEATHER=rain", "SKILLGATE_DATABASE=x",
		"SKILLGATE_EMPTY=", "MY_SKILLGATE_TOPK=3"}
	said := map[string]string{}
	for _, f := range checkAll(t.Context(), p.App, d, gate.Default(), nil, healthy()).Findings {
		if strings.Contains(f.Text, "has no effect") && f.Status == statusWarn {
			said[f.Text] = f.Fix
		}
	}
	want := map[string]string{
		"SKILLGATE_TOPK has no effect: there is no such setting": "did you mean SKILLGATE_TOP_K?",
	}
	assert.Equal(t, want, said)
}
