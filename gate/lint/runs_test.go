package lint

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func found(t *testing.T, id string, files ...ExampleFile) []string {
	t.Helper()
	var out []string
	for _, f := range Run(library(t, Example{Files: files}), Options{Rules: map[string]bool{id: true}}).Findings {
		out = append(out, f.Text)
	}
	return out
}

func one(fields, body string) ExampleFile {
	text := page("forms", "Fills in forms. Use when a form is to be filled in.")
	if fields != "" {
		text = strings.Replace(text, "---\n", "---\n"+fields+"\n", 1)
	}
	return ExampleFile{"forms/SKILL.md", text + "\n" + body + "\n"}
}

func TestValues(t *testing.T) {
	for _, c := range []struct{ fields, want string }{
		{"model: sonet", `model is "sonet", which Claude Code 2.1.332 does not know`},
		{"model: gpt-5-codex", `model is "gpt-5-codex", which Claude Code 2.1.332 does not know`},
		{"effort: hihg", `effort is "hihg", which Claude Code 2.1.332 does not know`},
		{"context: forked", `context is "forked", which Claude Code 2.1.332 does not know`},
		{"shell: fish", `shell is "fish", which Claude Code 2.1.332 does not know`},
		{"allowed-tools: Read, Basn(git:*)", "unknown tool Basn"},
		{"allowed-tools: Read, Bash(git:*, Write", "allowed-tools has 1 opening and 0 closing parentheses: Read, Bash(git:*, Write"},
		{"allowed-tools: Read, Write, Terminal", "Claude Code 2.1.332 has no tool named Terminal"},
		{"allowed-tools:\n  - Read\n  - Writte", "unknown tool Writte"},
		{"hooks:\n  - matcher: Bash", "hooks is a list instead of a mapping of events to matchers"},
		{"hooks:\n  PreTooluse: []", "Claude Code 2.1.332 has no hook event named PreTooluse; did you mean PreToolUse?"},
		{"hooks:\n  Stop:\n    command: x", "hooks.Stop is a mapping instead of a list of matchers"},
		{"hooks:\n  Stop:\n    - command: x", "hooks.Stop: a matcher has no list of hooks"},
		{"hooks:\n  Stop:\n    - hooks:\n        - type: command", "hooks.Stop: a hook of type command has no command"},
		{"hooks:\n  Stop:\n    - hooks:\n        - command: x",
			`hooks.Stop: the type of a hook is "" instead of agent, command, http, mcp_tool or prompt`},
		{"model: opus[1m]\neffort: 3\ncontext: fork\nshell: bash", ""},
		{"model: us.anthropic.claude-opus-4-v1:0", ""},
		{"model: openai/gpt-5", ""},
		{"allowed-tools: Bash(git log:*) Read mcp__github__list", ""},
		{"allowed-tools: bash, read, search", ""},
		{"hooks:\n  Stop:\n    - hooks:\n        - type: prompt\n          prompt: x", ""},
		{"hooks:\n  Stop: &all\n    - hooks:\n        - &h {type: command, command: x}\n        - *h\n  SessionStart: *all", ""},
	} {
		if got := strings.Join(found(t, "SG147", one(c.fields, "")), "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.fields, got, c.want)
		}
	}
}

func TestRunsNot(t *testing.T) {
	script := func(name, text string) []ExampleFile {
		return []ExampleFile{one("", "Run it."), {"forms/scripts/" + name, text}}
	}
	for _, c := range []struct {
		name  string
		files []ExampleFile
		want  bool
	}{
		{"a quotation mark in a command", []ExampleFile{one("", "Last: !`git log --format=\"%h`")}, true},
		{"a command that goes on", []ExampleFile{one("", "Last: !`git log |`")}, true},
		{"a command without an end", []ExampleFile{one("", "Last: !`git log")}, true},
		{"a whole command", []ExampleFile{one("", "Last: !`git log --format=\"%h\" | head -3`")}, false},
		{"a shell script", script("a.sh", "#!/bin/bash\nif true; then\n  echo a\n"), true},
		{"a whole shell script", script("a.sh", "#!/bin/bash\ncat <<'X'\nif (\nX\n[[ $1 =~ ^a ]] && echo a\n"), false},
		{"a command of another shell", []ExampleFile{one("shell: powershell", "Last: !`if (Test-Path x) { Get-Content x }`")}, false},
		{"a # between quotation marks", script("a.sh", "#!/bin/sh\nawk '{ # of '#' signs\nf(y)\n}' frames\n"), false},
		{"a fish script", script("a.sh", "#!/usr/bin/env fish\nif true\n  echo a\nend\n"), false},
		{"Python 2", script("a.py", "#!/usr/bin/env python2\nprint \"a\"\n"), false},
		{"a zsh script", script("a.sh", "#!/bin/zsh\nprint ${(f)x}\n"), false},
		{"a first line", script("a.py", "#!usr/bin/env python3\n"), true},
		{"a template", []ExampleFile{one("", ""), {"forms/templates/a.py", "def {{name}}(\n"}}, false},
	} {
		if got := found(t, "SG148", c.files...); len(got) > 0 != c.want {
			t.Errorf("%s: %q, want findings: %v", c.name, got, c.want)
		}
	}
}

// A list or quoted value with text after it is at fault, not a whole value on an earlier line.
func TestTextAfterValue(t *testing.T) {
	for fields, line := range map[string]int{
		"tools: [Read] Write\nmodel: opus":                            3,
		"a: \"Sends \\\"frames\\\" fast\"\nb: 1\nc: 2\nd: 3\n   e: 4": 7,
		"a: 'the wire''s end'\nb: 1\nc: 2\nd: 3\n   e: 4":             7,
	} {
		text := "---\nname: forms\n" + fields + "\n---\n"
		got := Run(library(t, Example{Files: []ExampleFile{{"forms/SKILL.md", text}}}), Options{Rules: map[string]bool{"SG103": true}}).Findings
		if len(got) != 1 || got[0].Line != line {
			t.Errorf("%q: %v, want line %d", fields, got, line)
		}
	}
}

// A link or a device in a repository's agents is not read.
func TestAgentsThatAreNoFiles(t *testing.T) {
	dir := t.TempDir()
	err := errors.Join(os.Mkdir(filepath.Join(dir, "agents"), 0o700), os.Symlink("/dev/zero", filepath.Join(dir, "agents", "x.md")),
		os.WriteFile(filepath.Join(dir, "agents", "y.md"), []byte("---\nname: reader\n---\n"), 0o600))
	if err != nil {
		t.Skip(err)
	}
	h := helpers{agents: map[string]bool{}, commands: map[string]bool{}}
	h.collect(dir, &outside{states: Outside{}})
	if !h.agents["reader"] || !h.agents["x"] {
		t.Errorf("agents: %v", h.agents)
	}
}

func TestDeadReferences(t *testing.T) {
	other := ExampleFile{"letters/SKILL.md", page("letters", "Writes letters. Use when a letter is to be written.")}
	agent := ExampleFile{"agents/form-checker.md", "---\nname: form-checker\ndescription: d\n---\n"}
	command := ExampleFile{"commands/form-print.md", "Print it."}
	for _, c := range []struct{ rule, fields, body, want string }{
		{"SG128", "", "Read the [list of fields][f].\n\n[f]: https://forms.net", ""},
		{"SG128", "", "The cell a[i][j], or `[a b][c]`, is free.", ""},
		{"SG128", "", "See [line 10](SKILL.md#L10) and [that](#custom).\n\n## Other {#custom .wide}", ""},
		{"SG128", "", "Run `bash ${CLAUDE_SKILL_DIR}/check.sh`.", "check.sh does not exist"},
		{"SG128", "", "Run `node ${CLAUDE_PLUGIN_ROOT}/tools/a.mjs`.", "tools/a.mjs does not exist"},
		{"SG128", "", "@docs/rules.md", "docs/rules.md does not exist"},
		{"SG128", "allowed-tools: Bash(python scripts/gone.py:*)", "", "scripts/gone.py does not exist"},
		{"SG129", "", "See `../letters/references/gone.md`.", "../letters/references/gone.md does not exist"},
		{"SG129", "", "See `../letters/SKILL.md`.", ""},
		{"SG129", "", "The program writes `../out/forms.json`.", ""},
		{"SG129", "", "Read `/Users/dana/forms/list.md` first.", "/Users/dana/forms/list.md may not exist on other machines"},
		{"SG129", "", "Read `~/dev/forms/list.md` first.", "~/dev/forms/list.md may not exist on other machines"},
		{"SG129", "", "Read `/Users/you/forms/list.md` first.", ""},
		{"SG145", "", "Launch a Task with `subagent_type: \"form-reader\"`.", `no agent is named "form-reader"`},
		{"SG145", "", "Delegate to the `form-reader` subagent.", `no agent is named "form-reader"`},
		{"SG145", "", "Then use the form-reader agent.", `no agent is named "form-reader"`},
		{"SG145", "", "Delegate to the `form-checker` subagent, or use the long-running agent.", ""},
		{"SG145", "context: fork\nagent: Explroe", "", `no agent is named "Explroe"`},
		{"SG145", "context: fork\nagent: Explore", "", ""},
		{"SG145", "", "Then run `/form-send` on it.", `no skill is named "form-send"`},
		{"SG145", "", "Then run `/form-print` or call `/form-send/1`.", ""},
	} {
		got := strings.Join(found(t, c.rule, one(c.fields, c.body), other, agent, command), "; ")
		if got != c.want {
			t.Errorf("%s, %q %q: %q, want %q", c.rule, c.fields, c.body, got, c.want)
		}
	}
}

func TestMissingImports(t *testing.T) {
	for name, want := range map[string][]string{
		"a.py\nfrom .gone import f\nfrom helpers import g\nfrom b import h\nimport os\n":            {".gone", "helpers"},
		"a.py\nfrom ...helper import f\nfrom pack.io import g\nfrom pack.none import h\n":           {"pack.none"},
		"a.py\nX = '''\nfrom .gone import f\n'''\nfrom .b import g\n":                               nil,
		"a.js\nconst a = require('./gone')\nimport b from './b.js'\nimport c from '../c.mjs'\n":     {"./gone"},
		"a.sh\nsource \"$(dirname \"$0\")/gone.sh\"\n. ./b.sh\n":                                    {"gone.sh"},
		"a.sh\nsource \"$(cd \"$(dirname \"$0\")/../..\" && pwd)/lib/gone.sh\"\n":                   nil,
		"a.py\nfrom more.none import f\nfrom more.c import g\n":                                     {"more.none"},
		"a.js\nconst text = `\nconst b = require('./more/none')\nconst c = require('./none')`\n":    {"./more/none"},
		"a.sh\nsource \"${CLAUDE_PLUGIN_ROOT}/lib/gone.sh\"\nbash ${CLAUDE_PLUGIN_ROOT}/lib/b.sh\n": {"lib/gone.sh"},
		"a.sh\n[ -f lib.sh ] && source ./lib.sh\n":                                                  nil,
	} {
		file, text, _ := strings.Cut(name, "\n")
		l := library(t, Example{Files: []ExampleFile{one("", ""), {"forms/scripts/" + file, text},
			{"forms/scripts/b.py", ""}, {"forms/scripts/b.js", ""}, {"forms/scripts/b.sh", ""}, {"forms/c.mjs", ""},
			{".claude-plugin/plugin.json", "{}"}, {"lib/b.sh", ""}, {"forms/scripts/more/c.py", ""},
			{"__init__.py", ""}, {"helper.py", ""}, {"pack/__init__.py", ""}, {"pack/io/__init__.py", ""}}})
		var got []string
		for _, to := range l.Skills[0].missingImports("scripts/"+file, text) {
			got = append(got, to.target)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q takes in %q that are not there, want %q", name, got, want)
		}
	}
}
