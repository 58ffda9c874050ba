package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	installed "github.com/skillgate/skillgate/cmd/skillgate/internal/client"
	"github.com/skillgate/skillgate/gate/journal"
)

func TestEndToEndPlugin(t *testing.T) {
	eachClient(t, func(t *testing.T, m *machine) {
		m.must("index")
		if v, err := installed.Parse(m.claude.version); err != nil || v.Before(installed.Modules) {
			m.withoutModules(t)
			return
		}
		t.Run("valid", m.validPlugin)
		t.Run("asked for in a terminal", m.pluginAsked)
		t.Run("or a hook", m.pluginOrHook)
		m.must("install", "--hook", "--yes")
		t.Run("no place for it", m.pluginNowhere)
		m.must("install", "--listing", "--yes")
		t.Run("in place of the settings", m.pluginInstead)
		t.Run("shortened listing", m.shortListing)
		t.Run("subagent", m.pluginSubagent)
		t.Run("unlisted skill is loaded", m.unlisted)
		t.Run("commands", m.pluginCommands)
		t.Run("line under the prompt", m.pluginLine)
		t.Run("settings too", m.registeredTwice)
		t.Run("module that fails", m.brokenModule)
		t.Run("deleted binary", m.deletedBinary)
		t.Run("uninstalled", m.pluginGone)
	})
}

func (m *machine) pluginNowhere(t *testing.T) {
	place := filepath.Join(m.state(), "plugin")
	require.NoError(t, os.RemoveAll(place))
	m.write(strings.TrimPrefix(place, m.home), "in the way") // root can write to any folder
	defer os.Remove(place)
	if out, err := m.command(m.binary, "install", "--plugin", "--yes").CombinedOutput(); err == nil || !strings.Contains(string(out), place) {
		t.Errorf("install --plugin = %v, %s; want it to name %s", err, out, place)
	}
	const prompt = "Write a runbook for the engineers on call"
	a := m.ask(t, prompt)
	a.untouched(t, prompt)
	require.Equal(t, 1, strings.Count(a.text, contextMark), a.fresh)
	assert.True(t, a.names("oncall-runbook"), a.fresh)
}

func (m *machine) withoutModules(t *testing.T) {
	out, code := m.skillgate("install", "--plugin", "--yes")
	assert.Equal(t, 3, code, string(out))
	m.must("install", "--yes")
	_, ok := m.installedHooks(t)["UserPromptSubmit"]
	assert.True(t, ok, "install registers no hook in the settings, want one in a client without modules")
}

func (m *machine) pluginAsked(t *testing.T) {
	const question = "Install the plugin? [Y/n]"
	install := func(t *testing.T, answer, then string, args ...string) {
		t.Helper()
		c := m.opens(t, m.command(m.binary, append([]string{"install"}, args...)...))
		c.sees(question)
		c.press(answer + enter)
		c.sees(then)
	}
	t.Run("no", func(t *testing.T) {
		install(t, "n", "not confirmed")
		require.False(t, exists(filepath.Join(m.home, ".claude", "settings.json")))
		assert.False(t, exists(filepath.Join(m.state(), "plugin")), "install wrote something although the answer was no")
	})
	for _, args := range [][]string{nil, {"--listing"}} {
		t.Run(fmt.Sprintf("yes %q", args), func(t *testing.T) {
			install(t, "", "New sessions use the plugin", args...)
			if args == nil {
				t.Run("first line", m.pluginGreets)
			}
			const prompt = "Audit the dependencies for incompatible open source licenses"
			m.ask(t, prompt)
			if list := m.api.await(t, prompt).listing(); strings.Contains(list, leftOut) != (args != nil) ||
				strings.Contains(list, "\n- game-balance-sheet: ") == (args != nil) {
				t.Errorf("install %q: the list of skills is\n%s", args, list)
			}
			m.must("uninstall", "--yes")
		})
	}
}

func (m *machine) pluginOrHook(t *testing.T) {
	for i, args := range [][]string{{"--hook"}, nil, nil, {"--hook"}, {"--hook"}, nil} {
		m.must(append([]string{"install"}, args...)...) // no question without a terminal
		_, hook := m.installedHooks(t)["UserPromptSubmit"]
		if plugin := exists(filepath.Join(m.state(), "plugin", "claude")); hook != (args != nil) || plugin == hook {
			t.Errorf("step %d, install %q: hook in the settings %v, plugin %v", i, args, hook, plugin)
		}
		out, code := m.skillgate("doctor")
		assert.NotContains(t, string(out), "both register", "step %d, install %q: doctor = %d, %s", i, args, code, out)
	}
	const prompt = "Write a runbook for the engineers on call"
	if a := m.ask(t, prompt); strings.Count(a.text, contextMark) != 1 || !a.names("oncall-runbook") {
		t.Errorf("the model was given %q; want one hint, of oncall-runbook", a.fresh)
	}
	m.must("uninstall", "--yes")
}

func (m *machine) pluginGreets(t *testing.T) {
	const line = "skillgate: skills that fit a prompt are named here"
	m.ask(t, "Count the boats in the harbour") // print mode shows no line and does not count
	c := m.terminal(t)
	c.sees(line)
	c.submit("Make this slow SQL query faster and propose an index")
	c.sees("skillgate: sql-query-tuner")
	assert.NotContains(t, c.text(), line)
	c = m.terminal(t)
	c.submit("Draft an NDA for a new supplier")
	c.sees("\u25cf ok")
	c.idle()
	assert.NotContains(t, c.text(), line)
}

func (m *machine) installedHooks(t *testing.T) map[string]any {
	t.Helper()
	var settings struct{ Hooks map[string]any }
	text, err := os.ReadFile(filepath.Join(m.home, ".claude", "settings.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &settings))
	return settings.Hooks
}

func (m *machine) validPlugin(t *testing.T) {
	for _, dir := range []string{filepath.Join("..", "..", "hooks", "plugin"), filepath.Join("..", "..")} {
		path, err := filepath.Abs(dir)
		require.NoError(t, err)
		out, err := m.command(m.claude.path, "plugin", "validate", "--strict", path).CombinedOutput()
		assert.NoError(t, err, "claude plugin validate --strict %s: %v\n%s", dir, err, out)
	}
}

func (m *machine) pluginInstead(t *testing.T) {
	assert.Empty(t, m.installedHooks(t))
	m.doctor(t)
	m.must("install", "--yes") // updates the plugin
	assert.Empty(t, m.installedHooks(t))
}

func (r apiRequest) listing() string {
	_, after, _ := strings.Cut(r.answer().text, "The following skills are available")
	return after
}

const leftOut = " more skills are installed but not listed here."

func (m *machine) shortListing(t *testing.T) {
	const prompt = "Audit the dependencies for incompatible open source licenses"
	a := m.ask(t, prompt)
	a.untouched(t, prompt)
	assert.True(t, a.names("license-audit"), "the model was given %q, want license-audit named", a.fresh)
	list := m.api.await(t, prompt).listing()
	for _, want := range []string{leftOut, "- skillgate:find-skills: ", "\n- security-review"} {
		assert.Contains(t, list, want)
	}
	assert.NotContains(t, list, "\n- game-balance-sheet")
	for _, tool := range m.api.await(t, prompt).Tools {
		if tool.Name == "mcp__plugin_skillgate_skillgate__skill_lookup" && !tool.Defer {
			return
		}
	}
	t.Error("the model is not offered skill_lookup at once")
}

func (m *machine) pluginSubagent(t *testing.T) {
	m.api.forget()
	const prompt, task = "Delegate the release", "Write release notes for our users from the merged pull requests"
	m.api.calls(prompt, "Agent", map[string]any{"description": "Notes", "prompt": task, "subagent_type": "general-purpose"})
	s := m.stream(t)
	s.send(prompt)
	s.until("result")
	r := m.api.await(t, task)
	if told, _ := r.told(); strings.Count(told, "Skills that match this prompt") != 1 || !strings.Contains(told, "\n- release-notes: ") {
		t.Errorf("the subagent was told %q, want one hint, of release-notes", told)
	}
	assert.Contains(t, r.listing(), leftOut)
	for _, d := range m.decisions(t) {
		if d.Source == journal.SourceAgent && d.Decision.Prompt == task {
			return
		}
	}
	t.Error("skillgate log has no decision about the subagent's task")
}

func (m *machine) unlisted(t *testing.T) {
	const prompt = "Write release notes for our users from the merged pull requests"
	m.api.followContext(true)
	defer m.api.followContext(false)
	assert.Contains(t, m.ask(t, prompt).text, "Launching skill: release-notes")
	m.api.followContext(false)
	m.ask(t, "Count the boats in the harbour")
	if list := m.api.await(t, "Count the boats").listing(); !strings.Contains(list, "\n- release-notes: ") || !strings.Contains(list, leftOut) {
		t.Errorf("after release-notes was used the list of skills is\n%s\nwant it in the list", list)
	}
}

func (m *machine) pluginCommands(t *testing.T) {
	for command, want := range map[string]string{
		"/skillgate:log": "followed", "/skillgate:why": ", need ", "/skillgate:lint": " remarks in ",
		"/skillgate:why it's a \"slow\" SQL query $(touch $HOME/ran) `touch $HOME/ran`": "sql-query-tuner",
	} {
		if a := m.ask(t, command); !strings.Contains(a.text, want) {
			t.Errorf("%s tells the model\n%s\nwant %q in it", command, a.text[max(0, len(a.text)-1500):], want)
		}
	}
	assert.False(t, exists(filepath.Join(m.home, "ran")), "a text after /skillgate:why was run")
}

func (m *machine) pluginLine(t *testing.T) {
	m.api.forget()
	c := m.terminal(t)
	c.submit("Make this slow SQL query faster and propose an index")
	c.sees("skillgate: sql-query-tuner")
	c.idle()
	c.submit("thanks")
	c.gone("skillgate: sql-query-tuner")
	c.idle()
	const first, deleted = "Write a runbook for the engineers on call", "Clean this CSV file of duplicate rows"
	release := m.api.holds(first)
	defer release()
	c.submit(first)
	m.api.await(t, first)
	c.submit(deleted)
	c.sees("Press up to edit queued messages", deleted)
	c.press(up)
	c.ponder()
	c.press(clearLine)
	release()
	c.sees("skillgate: oncall-runbook")
	c.idle()
	assert.NotContains(t, c.text(), "skillgate: csv-cleaner")
}

func (m *machine) registeredTwice(t *testing.T) {
	file := filepath.Join(m.home, ".claude", "settings.json")
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	defer os.WriteFile(file, before, 0o600)
	handler := func(arg string) string {
		return `[{"hooks":[{"type":"command","command":"` + m.binary + `","args":["` + arg + `"],"timeout":5}]}]`
	}
	twice := strings.Replace(string(before), "{", `{"hooks":{"UserPromptSubmit":`+handler("hook")+`,"PostToolUse":`+handler("observe")+`},`, 1)
	m.write(".claude/settings.json", twice)
	const prompt, used = "Review the accessibility of our web pages", "Clean this CSV file of duplicate rows"
	a := m.ask(t, prompt)
	a.untouched(t, prompt)
	assert.Equal(t, 1, strings.Count(a.text, contextMark))
	m.api.forget()
	m.api.calls(used, "Skill", map[string]string{"skill": "csv-cleaner"})
	m.prompt(t, used)
	assert.Len(t, m.ended(t, used).Outcomes, 1)
	if out, code := m.skillgate("doctor"); code != 3 || !strings.Contains(string(out), "prompts are answered twice") {
		t.Errorf("doctor = %d, %s; want it to say that both answer every prompt", code, out)
	}
}

func (m *machine) brokenModule(t *testing.T) {
	dir := filepath.Join(m.state(), "plugin", "claude")
	file := filepath.Join(dir, "hooks", "register.ts")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	defer os.WriteFile(file, text, 0o600)
	for name, broken := range map[string]string{
		"does not compile":    "export const register = (on => {",
		"throws":              "export const register = () => { throw new Error('gone') }",
		"calls what has gone": strings.ReplaceAll(string(text), "$.process.run", "$.process.execute"),
		"answers nonsense":    strings.Replace(string(text), "{ ...e, text }", "{ ...e, text: 7 as any }", 1),
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(file, []byte(broken), 0o600))
			require.NoError(t, os.Chmod(dir, 0o500))
			defer os.Chmod(dir, 0o700)
			const prompt = "Write a press release about the new office"
			a := m.ask(t, prompt)
			a.untouched(t, prompt)
			require.True(t, a.names("press-release-writer"), a.fresh)
			assert.Contains(t, m.api.await(t, prompt).listing(), "\n- game-balance-sheet", a.fresh)
			out, code := m.skillgate("doctor")
			require.Equal(t, 1, code)
			require.Contains(t, string(out), "this version of skillgate in these files: hooks/register.ts")
			assert.Equal(t, name == "does not compile", strings.Contains(string(out), " rejects the plugin: "))
		})
	}
}

func (m *machine) pluginGone(t *testing.T) {
	m.must("uninstall", "--yes")
	file := filepath.Join(m.home, ".claude", "settings.json")
	assert.False(t, exists(file), "after uninstall %s is still there, which only the plugin needed", file)
	const prompt = "Plan a three day trip to Busan"
	if a := m.ask(t, prompt); a.context != "" || strings.Contains(a.text, leftOut) || strings.Contains(a.text, "skillgate") {
		t.Errorf("after uninstall the model was told %q", a.text)
	}
	if exists(filepath.Join(m.state(), "plugin", "claude")) {
		t.Error("after uninstall the plugin's folder is still there")
	}
}
