package lint

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/lint/source"
)

func files(text string) (out []ExampleFile) {
	for _, f := range txtar.Parse([]byte(text)).Files {
		out = append(out, ExampleFile{f.Name, string(f.Data)})
	}
	return out
}

// A mention of another skill or of a file is reported only if the text sends the model there.
func TestReferences(t *testing.T) {
	const others = "-- deployer/SKILL.md --\n---\nname: deployer\ndescription: Deploys.\ndisable-model-invocation: true\n---\n# D\n" +
		"-- flow/SKILL.md --\n---\nname: flow\ndescription: Steers packets.\n---\n# F\n-- flow/scripts/steer.py --\n-- flow/bounds.md --\n" +
		"-- deploy-er/SKILL.md --\n---\nname: deploy-er\ndescription: Deploys.\ndisable-model-invocation: true\n---\n# D\n" +
		"-- eth/scripts/send.sh --\n-- eth/scripts/send_all.py --\n-- eth/references/frames.md --\n# Sizes\n-- eth/docs/sizes.md --\n"
	for _, tt := range []struct {
		name, body, rule string
		want             int
	}{
		{"a skill that is there", "Then use the flow-x skill or the `flow` skill.", "SG145", 1},
		{"a skill that only the user may run", "Run the `/deployer` skill.", "SG145", 1},
		{"its command", "Then run `/deployer`.", "SG145", 1},
		{"a command of the host", "Then run `/compact`.", "SG145", 0},
		{"a path", "Prefix the routes with /admin-api to keep them apart, then /health-check must answer.", "SG145", 0},
		{"what the user is told to run", "Ask the user to run `/deployer`.", "SG145", 0},
		{"a skill that is not there", "Invoke the smoke-test skill.", "SG145", 1},
		{"one that may be there", "If installed, invoke the smoke-test skill.", "SG145", 0},
		{"one under a heading for later", "## Not built yet\n\nInvoke the smoke-test skill.", "SG145", 0},
		{"one of several candidates", "Candidates for this:\n\n- Invoke the smoke-test skill\n  for frames.", "SG145", 0},
		{"one in an example of what is said", "Say \"Invoke the smoke-test skill\".", "SG145", 0},
		{"one for users of a tool", "If using frames, invoke the smoke-test skill.", "SG145", 0},
		{"where tasks are routed", "- a → /flow\n- b → /flow\n- c → /flow\n- d → /flow\n- taps → /taps", "SG145", 1},
		{"one that must be installed", "Invoke the smoke-test skill.\n\nIf the smoke-test skill is missing, stop.", "SG145", 0},
		{"one that comes with the host", "Use the code-review skill.", "SG145", 0},
		{"a kind of skill", "Follow the per-service skill.", "SG145", 0},
		{"one in backquotes", "See the `smoke-test` skill for limits.", "SG145", 1},
		{"what one that the user runs has left", "It has the settings of the `deploy-er` skill.", "SG145", 0},
		{"in code", "```\nInvoke the smoke-test skill.\n```", "SG145", 0},
		{"a link to a sibling", "See [flow](../flow/SKILL.md).", "SG129", 0},
		{"a link to no sibling", "See [gone](../gone/SKILL.md).", "SG129", 1},
		{"a link with a place to fill in", "- [Name] of [Service name]\n- [gone](../gone/SKILL.md)", "SG129", 0},
		{"a file in backquotes", "Read `references/frames.md` and `references/none.md`.", "SG128", 1},
		{"a file to copy, in Japanese", "`references/none.md` をコピーして使用する。", "SG128", 1},
		{"a file to use, in Korean", "`references/none.md`를 복사해 사용한다.", "SG128", 1},
		{"a script", "```sh\npython scripts/none.py\n```", "SG128", 1},
		{"another skill's script", "The flow skill has `scripts/steer.py`.", "SG128", 0},
		{"a file of a skill that is told of", "See the build skill's `scripts/none.py`.", "SG128", 0},
		{"a file of this skill", "See this skill's `scripts/none.py`.", "SG128", 1},
		{"a file of the project", "Read `docs/none.md`.", "SG128", 0},
		{"a file that is made", "Write the result to `references/none.md`.", "SG128", 0},
		{"a reference of a folder that is not there", "Read `reference/none.md`.", "SG128", 1},
		{"a file that another skill has too", "Run `scripts/steer.py`.", "SG128", 1},
		{"a file of a folder that is not there", "See `assets/none.png`.", "SG128", 1},
		{"one that nothing says to use", "Charts are `assets/none.png`.", "SG128", 0},
		{"a script that is run for its output", "Run `scripts/none.py`, then read its output.", "SG128", 1},
		{"a script that makes something", "Run `scripts/none.py`, which creates a report.", "SG128", 1},
		{"a file behind an option for output", "```sh\ntool run --output scripts/none.py\n```", "SG128", 0},
		{"a file that the user makes further down", "Set the ports in `references/none.json`.\n\nCreate a `none.json` with them.", "SG128", 0},
		{"a listing of a file", "```sh\n# scripts/none.sh\necho\n```\nRun `scripts/none.sh`.", "SG128", 0},
		{"a file of the user's project", "Run `scripts/none.sh` from the project root.", "SG128", 0},
		{"in a pipeline's settings", "```yaml\nrun: python scripts/none.py\n```", "SG128", 0},
		{"below the host's variable", "Start ${CLAUDE_SKILL_DIR}/examples/none.py.", "SG128", 1},
		{"below the plugin's", "Start ${CLAUDE_PLUGIN_ROOT}/scripts/none.py.", "SG128", 1},
		{"below the user's folder for it", "Start ~/.claude/skills/eth/scripts/none.py.", "SG128", 1},
		{"below another skill's", "Start ~/.claude/skills/flow/scripts/none.py.", "SG128", 0},
		{"an import", "@references/none.md", "SG128", 1},
		{"a name in other letters", "참고: `references/주파수.md`", "SG128", 1},
		{"a link by reference", "See [it][1].\n\n[1]: notes/none.md", "SG128", 1},
		{"a tag", "<img alt=\"x\" src=\"none.png\">", "SG128", 1},
		{"a target with blanks", "See [it](<my notes.md>).", "SG128", 1},
		{"below a template", "```\n[Name here] [Day here]\n```\n![chart](none.png)", "SG128", 1},
		{"a heading", "See [it](#send-frames--wait).\n\n## Send frames & wait", "SG128", 0},
		{"a heading that is not there", "See [it](#wait).\n\n## Send", "SG128", 1},
		{"a heading of another file", "See [it](references/frames.md#sizes).", "SG128", 0},
		{"one that is not there", "See [it](references/frames.md#none).", "SG128", 1},
		{"an id", "<a id=\"here\"></a>\nSee [it](#here).", "SG128", 0},
		{"a call of the Skill tool", "Call Skill(smoke-test) first.", "SG145", 1},
		{"a call in code", "```\nSkill(skill=\"smoke-test\")\n```", "SG145", 1},
		{"a call in words", "Use the Skill tool with `skill: \"smoke-test\"`.", "SG145", 1},
		{"a call of one that is there", "Call Skill(\"flow\").", "SG145", 0},
		{"a call with the tool", "Call the Skill tool with \"smoke-test\".", "SG145", 1},
		{"a skill that is called so", "Load the skill named smoke-test.", "SG145", 1},
		{"the page of a skill that is not there", "Read `.claude/skills/smoke-test/SKILL.md`.", "SG129", 1},
		{"an agent in bold", "Ask the **frame-checker** agent to check it.", "SG145", 1},
		{"an agent that is mentioned", "Have @agent-frame-checker check it.", "SG145", 1},
		{"a folder of one machine", "Compare it with `/Users/marek/dev/frames/golden/`.", "SG129", 1},
		{"one in an argument", "Try `check --text 'see /Users/marek/dev/frames'`.", "SG129", 0},
		{"a name after an arrow, in a list of skills",
			"- sizes → `deploy-er`\n- ports → `deploy-er`\n- gaps → `deploy-er`\n- keys → `deploy-er`\n- rest → `frame-rates`", "SG145", 1},
		{"the root of a tree", "```\n/Users/marek/dev/frames/\n├── a\n└── b\n```", "SG129", 0},
		{"a script of a sibling in code", "```sh\npython ../flow/scripts/none.py\n```", "SG129", 1},
		{"a heading that goes on", "See [sizes](#the-sizes).\n\n## The sizes (of frames)", "SG128", 0},
		{"another heading", "See [sizes](#the-sizes).\n\n## Sizes (of frames)", "SG128", 1},
		{"a script of a sibling that is there", "```sh\npython ../flow/scripts/steer.py\n```", "SG129", 0},
		{"a name near that of a script", "```sh\npython send_alls.py\n```", "SG128", 1},
		{"a file from this skill", "Start by opening `assets/none.png` from this skill.", "SG128", 1},
		{"what is there at the top", "# FALSCH: `scripts/none.py`", "SG128", 0},
		{"a name near that of no script", "```sh\npython main.py\n```", "SG128", 0},
		{"below a placeholder for the folder", "Read `<<SKILL_DIR>>/references/none.md`.", "SG128", 1},
		{"below a default of the plugin's folder", "Run `bash \"${ROOT:-${CLAUDE_PLUGIN_ROOT}}/scripts/none.sh\"`.", "SG128", 1},
		{"an agent in a prompt", "```\nTask for @agent-frame-checker: check it.\n```", "SG145", 1},
		{"one of Windows", "Start from `C:\\Users\\Jana\\frames`.", "SG129", 1},
		{"one of whoever reads", "Start from `/home/user/frames` or `/Users/you/frames`.", "SG129", 0},
		{"one of a build machine", "Start from `/home/circleci/project`, `/home/vsts/work/1/s` or `/home/airflow/dags`.", "SG129", 0},
		{"one of an example's user", "Start from `/home/alice/frames`, `/Users/bob/frames`, `/Users/john/frames` or `C:\\Users\\jane.doe\\frames`.", "SG129", 0},
		{"a user with a longer name", "Start from `/home/alicekim/frames`.", "SG129", 1},
		{"a script in another folder", "Make it with ./tools/none.sh and check it.", "SG128", 0},
		{"a file that a program gets", "```sh\nconda env create -f assets/none.yml\n```", "SG128", 0},
		{"an import of the user's code", "Import assets with `import logo from './assets/none.png'`.", "SG128", 0},
		{"a setting", "| `source` | `source = \"./scripts/none.sh\"` |", "SG128", 0},
		{"the target of a copy", "```sh\ncp \"$(path)/a.sh\" scripts/none.sh\n```", "SG128", 0},
		{"a file of another repository", "**Reference**: `scripts/none.py` in frame-patterns.", "SG128", 0},
		{"a cloned repository", "Clone https://github.com/ann/frames. Then run `scripts/none.py`.", "SG128", 0},
		{"a checkout", "```sh\ngit clone https://git.example.net/frames\ncd frames\npython scripts/none.py\n```", "SG128", 0},
		{"scripts that are not there yet", "## Scripts to implement\n\n- run `scripts/none.py`", "SG128", 0},
		{"a number to be filled in", "Read `references/NNN-slug.md`.", "SG128", 0},
		{"files that may be there", "```sh\nls Makefile scripts/none.sh 2>/dev/null\n```", "SG128", 0},
		{"a name to be filled in", "Call Skill(skill=\"skill-name\").", "SG145", 0},
		{"a table of permissions", "| `Bash(./scripts/ *)` | run `./scripts/none.sh` |", "SG128", 0},
		{"imports in a template", "- @docs/none/rules.md", "SG128", 0},
		{"a path on another machine", "Verified on `/home/berta/forks/eth/build`.", "SG129", 0},
		{"agents of a library", "```python\n# deepagents\nsubagent_type=\"frame-reader\"\n```", "SG145", 0},
		{"a page beside this one", "For limits, see LIMITS.md.", "SG128", 1},
		{"a page of the project", "For limits, see README.md.", "SG128", 0},
		{"a heading of a file in backquotes", "See `references/frames.md#none`.", "SG128", 1},
		{"a video", "<video src=\"none.mp4\"></video>", "SG128", 1},
		{"a tool of another host", "Use the ReadFile tool for it.", "SG147", 1},
		{"one in backquotes", "Use the `run_terminal_cmd` tool for it.", "SG147", 1},
		{"a tool of the host", "Use the WebFetch tool for it.", "SG147", 0},
		{"a tool of a server", "Use the `read_file` tool of the files MCP server.", "SG147", 0},
		{"a page beside one that is there", "Sizes are in `docs/sizes.md`, limits in `docs/limits.md`.", "SG128", 1},
		{"a page to be made beside one", "Sizes are in `docs/sizes.md`. Write the limits to `docs/limits.md`.", "SG128", 0},
		{"a page of a folder of which no file is named", "Limits are in `docs/limits.md`.", "SG128", 0},
		{"an import given as an example", "Copy one, for example @${CLAUDE_PLUGIN_ROOT}/docs/limits.md.", "SG128", 1},
		{"one that is there", "Copy one, for example @${CLAUDE_PLUGIN_ROOT}/docs/sizes.md.", "SG128", 0},
		{"a page of a site", "See [it](wiki/none).", "SG128", 0},
		{"a name with a hyphen after the dot", "```sh\ndocker build -f scripts/Dockerfile.none-amd .\n```", "SG128", 0},
		{"the value of an option for the user's file", "```sh\nmutate run --target scripts/none.sh\n```", "SG128", 0},
		{"a line of output", "```\nscripts/none.py:12  send()\n```", "SG128", 0},
		{"a list of what is planned", "**Planned, not yet shipped:**\n\n```\nscripts/none.py  # sends\npython scripts/none.py\n```", "SG128", 0},
		{"a script of the past", "See how `scripts/none.py` ran on every call.", "SG128", 0},
		{"a question", "Check: is there a script (`scripts/none.py`) for it?", "SG128", 0},
		{"a file named after a colon", "- Create a checker: `scripts/none.py`\n- Run it.", "SG128", 0},
		{"what a skill writes step by step", "It generates step-by-step notes in `references/none.md`, which you read.", "SG128", 0},
		{"the caption of a call", "Use this:\n\n**`scripts/none.py`**:\n\n```sh\npython scripts/none.py\n```", "SG128", 1},
		{"a file of a skill that is named first", "Read `flow-notes`'s `references/none.md`.", "SG128", 0},
		{"a page with a path on the same page", "See bounds.md, that is [the bounds](../flow/bounds.md).", "SG128", 0},
		{"a path with its folder on the same page", "Run `scripts/none.py`, that is `<ROOT>/more/scripts/none.py`.", "SG128", 0},
		{"a file of another one's", "Sizes are in the steerer's `references/none.md`; see its `references/more.md`.", "SG128", 0},
		{"a date to be filled in", "Read `references/notes-YYYY-MM-DD.md`.", "SG128", 0},
		{"a file of the base skill", "Read the base\nskill's `references/none.md`.", "SG128", 0},
		{"a file that a command persists", "It persists `references/none.json`, which you read.", "SG128", 0},
		{"an identifier to be filled in", "See [it](../specs/FEATURE-ID.md) and [that](specs/DLT-ID.md).", "SG128", 0},
		{"a row of a list of versions", "| 2.0.0 | Renamed; read `references/none.md` |", "SG128", 0},
		{"an import in code", "```\n@src/none.py explain it\n```", "SG128", 0},
		{"a workflow of the host", "Then run `/deep-research`.", "SG145", 0},
		{"one of a skill that is there", "See `deploy-er` → `references/none.md`.", "SG128", 1},
		{"a copy", "- `scripts/send.sh` → `bin/none.sh`, which you run", "SG128", 0},
		{"a list of the future", "**Future:**\n\n- read `references/none.md`", "SG128", 0},
		{"a turn of a user", "User: which rules cover scripts/none.sh, to run it?", "SG128", 0},
		{"an output after an arrow", "```sh\nnpx tool list  # all → scripts/none.json\n```", "SG128", 0},
		{"a script to be named", "Run `scripts/my-script.sh`.", "SG128", 0},
		{"one of several places", "Register it in `prompts/registry.ts` or `prompts/<name>.ts`, then run it.", "SG128", 0},
		{"a dated page", "[a](notes/2025-11-21-000-move.md)", "SG128", 0},
		{"a default", "- root (default: `/Users/marek/dev/frames`)", "SG129", 0},
		{"a permission", "`Read(/Users/marek/dev/a.ts)` becomes `Read(**)`.", "SG129", 0},
		{"a role that the skill describes", "### Frame-checker\n\nAsk the `frame-checker` agent to check it.", "SG145", 0},
		{"a variable for an agent", "```js\nsubagent_type: agent,\n```", "SG145", 0},
		{"an agent-driven step", "Use the Skill tool to invoke `frame-checker` (agent-driven).", "SG145", 0},
		{"what it replaces", "It replaces the single `frame-checker` agent.", "SG145", 0},
		{"a placeholder for a plugin", "Then /plugin install plugin-name@none.", "SG145", 0},
		{"the end of a code span", "`stop !` and then `go`", "SG148", 0},
		{"a command that does not end", "Here: !`go", "SG148", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := library(t, Example{Files: files(others + "-- eth/SKILL.md --\n---\nname: eth\ndescription: Sends frames.\n---\n# Eth\n\n" + tt.body + "\n")})
			got := Run(l, Options{Rules: map[string]bool{tt.rule: true}}).Findings
			assert.Equal(t, tt.want, len(got), "%q: %s reports %v, want %d findings", tt.body, tt.rule, got, tt.want)
		})
	}
}

// One missing file, folder, skill or tool is one warning in the whole collection. The other findings are remarks.
func TestOneCause(t *testing.T) {
	page := func(name, body string) string {
		return "-- " + name + "/SKILL.md --\n---\nname: " + name + "\ndescription: Sends frames.\n---\n# Eth\n\n" + body + "\n"
	}
	for _, tt := range []struct {
		name, rule, first, second string
		warnings, remarks         int
	}{
		{"files of a missing folder", "SG128", "[a](more/a.md) [b](more/deep/b.md)", "Done.", 1, 1},
		{"missing files of a folder", "SG128", "[a](a.md) [b](b.md)", "Done.", 2, 0},
		{"the same folder of two skills", "SG128", "[a](more/a.md)", "[a](more/a.md)", 2, 0},
		{"a folder outside", "SG129", "[a](../tools/a.md)", "[b](../tools/deep/b.md)", 1, 1},
		{"files outside", "SG129", "[a](../a.md) [b](../b.md)", "[a](../a.md)", 2, 1},
		{"a skill", "SG145", "Invoke the smoke-test skill.", "Call Skill(smoke-test) first.", 1, 1},
		{"two skills", "SG145", "Invoke the smoke-test skill.", "Invoke the frame-test skill.", 2, 0},
		{"a tool", "SG147", "Call the `read_file` tool.", "Call the `read_file` tool.", 1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := library(t, Example{Files: files(page("eth", tt.first) + page("wifi", tt.second))})
			got := Run(l, Options{Rules: map[string]bool{tt.rule: true}})
			assert.Equal(t, []int{tt.warnings, tt.remarks}, []int{got.Summary.Warnings, got.Summary.Infos}, "%v", got.Findings)
			said := strings.HasSuffix(got.Findings[0].Text, "; remarks with the same cause: 1")
			assert.Equal(t, tt.remarks > 0, said, got.Findings[0].Text)
			last := got.Findings[len(got.Findings)-1].Fingerprint
			one := Run(l, Options{Rules: map[string]bool{tt.rule: true}, Keep: func(f *Finding) bool { return f.Fingerprint == last }})
			assert.Equal(t, 1, one.Summary.Warnings, "what is kept does not depend on what is not: %v", one.Findings)
		})
	}
}

// Files that a hook runs and files that a reference links to are part of the skill.
func TestReferencesElsewhere(t *testing.T) {
	const page = "-- eth/SKILL.md --\n---\nname: eth\ndescription: Sends frames.\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n" +
		"          command: ./scripts/%.sh\n---\n# Eth\n-- eth/scripts/there.sh --\n-- eth/references/more.md --\n# More\n"
	for text, want := range map[string]int{
		strings.ReplaceAll(page, "%", "there"): 0,
		strings.ReplaceAll(page, "%", "none"):  1,
		strings.ReplaceAll(page, "%", "there") + "[x](more.md) [y](references/more.md) [z](none.md)\n": 1,
		strings.ReplaceAll(page, "%", "there") + "[x](#more) [y](../SKILL.md#none)\n":                  1,
	} {
		l := library(t, Example{Files: files(text)})
		assert.Equal(t, want, len(Run(l, Options{Rules: map[string]bool{"SG128": true}}).Findings), text)
	}
}

// Pages that SKILL.md names are checked as it is, and their contents if most of their headings are there.
func TestPagesThatAreNamed(t *testing.T) {
	const skill = "-- eth/SKILL.md --\n---\nname: eth\ndescription: Sends frames.\n---\n# Eth\nRead prompts/ask.md and templates/ask.md.\n" +
		"-- eth/prompts/ask.md --\n# A\n-- eth/templates/ask.md --\n# A\n"
	for text, want := range map[string]Severity{
		"-- eth/prompts/ask.md --\n[a](none.md)\n":                                                          Warning,
		"-- eth/templates/ask.md --\n[a](none.md)\n":                                                        Off,
		"-- eth/prompts/other.md --\n[a](none.md)\n":                                                        Off,
		"-- eth/references/more.md --\n# One\n# Two\n# Three\n[1](#one) [2](#two) [3](#three) [4](#four)\n": Warning,
		"-- eth/references/more.md --\n# One\n# Two\n[1](#one) [2](#two) [3](#three) [4](#four)\n":          Info,
	} {
		got := Off
		for _, f := range Run(library(t, Example{Files: files(skill + text)}), Options{Rules: map[string]bool{"SG128": true}}).Findings {
			got = max(got, f.Severity)
		}
		assert.Equal(t, want, got, text)
	}
}

// Links that lead nowhere are remarks in folders whose pages come from other projects.
func TestCopiedPages(t *testing.T) {
	const links = "[a](a.md) [b](b.md) [c](c.md) "
	for more, want := range map[string]Severity{"": Warning, "[d](d.md)": Info, "[d](d.md) [there](there.md)": Warning} {
		l := library(t, Example{Files: files("-- eth/SKILL.md --\n---\nname: eth\ndescription: Sends frames.\n---\n# Eth\n" +
			"-- eth/references/there.md --\n# There\n-- eth/references/arp.md --\n" + links + more + "\n")})
		got := Run(l, Options{Rules: map[string]bool{"SG128": true}}).Findings
		require.NotEmpty(t, got, more)
		assert.Equal(t, want, got[0].Severity, more)
	}
}

// Of copies, the one outside hidden folders keeps the warnings. Files that are kept for reference have only remarks.
func TestCopiesAndRetiredFiles(t *testing.T) {
	const eth = "/eth/SKILL.md --\n---\nname: eth\ndescription: Sends frames.\n---\nSee [it](none.md).\n"
	for text, want := range map[string]map[string]Severity{
		"-- .codex/skills" + eth + "-- toolkit/skills" + eth: {".codex/skills/eth/SKILL.md": Info, "toolkit/skills/eth/SKILL.md": Warning},
		"-- skills" + eth + "-- deprecated/skills/old" + eth: {"skills/eth/SKILL.md": Warning, "deprecated/skills/old/eth/SKILL.md": Info},
	} {
		got := map[string]Severity{}
		for _, f := range Run(library(t, Example{Files: files(text)}), Options{Rules: map[string]bool{"SG128": true}}).Findings {
			got[f.Path] = f.Severity
		}
		assert.Equal(t, want, got)
	}
}

// The folders above a collection do not make it retired, and settings count for retired files, too.
func TestRetired(t *testing.T) {
	s := &Skill{Src: source.New("old/skills/eth/SKILL.md", "")}
	s.Path, s.top = "/home/ann/old/skills/eth/SKILL.md", "/home/ann/old/skills"
	p := Problem{At: s.Src.Line(1)}
	assert.Equal(t, Warning, finding(sg128, Options{}, s, p).Severity)
	s.top = "/home/ann"
	assert.Equal(t, Info, finding(sg128, Options{}, s, p).Severity)
	assert.Equal(t, Error, finding(sg128, Options{Severity: map[string]Severity{"SG128": Error}}, s, p).Severity)
}

func TestGitIgnored(t *testing.T) {
	for lines, want := range map[string]Severity{
		"":                           Warning,
		"# references are not built": Warning,
		"dist/none.js":               Warning,
		"*.log\nreferences/\n":       Info,
		"eth/references/none.md\r\n": Info,
		"none.md":                    Info,
	} {
		got := Run(library(t, Example{Files: files("-- eth/SKILL.md --\n---\nname: eth\ndescription: Sends frames.\n---\n" +
			"Read `references/none.md`.\n-- eth/references/frames.md --\n# F\n-- .gitignore --\n" + lines + "\n")}),
			Options{Rules: map[string]bool{"SG128": true}}).Findings
		require.Len(t, got, 1, lines)
		assert.Equal(t, want, got[0].Severity, lines)
	}
}

// A path of one machine is a remark, unless it leads into the library.
func TestPathsOfOneMachine(t *testing.T) {
	for path, want := range map[string]Severity{"/Users/marek/dev/frames.md": Info, "/Users/marek/dev/skills/frames": Warning} {
		got := Run(library(t, Example{Files: files("-- eth/SKILL.md --\n---\nname: eth\ndescription: Sends frames.\n---\nStart in `" +
			path + "`.\n")}), Options{Rules: map[string]bool{"SG129": true}}).Findings
		require.Len(t, got, 1, path)
		assert.Equal(t, want, got[0].Severity, path)
	}
}

// A path in the text is a warning only if the text says to use the file, or lists it among files that exist.
func TestPathsInText(t *testing.T) {
	for line, want := range map[string]Severity{
		"Read `references/none.md`.":                                       Warning,
		"Zuerst `references/none.md`, dann senden.":                        Info,
		"- **`references/none.md`**: limits":                               Warning,
		"| limits | `references/none.md` |":                                Warning,
		"`scripts/none.sh` sends them.":                                    Info,
		"Run `scripts/none.sh`.":                                           Warning,
		"Run `scripts/none.py`.":                                           Info,
		"`scripts/none.sh` follows `scripts/send.sh`.":                     Warning,
		"```sh\ndeno run --allow-net scripts/none.sh\n```":                 Warning,
		"最初に `references/none.md` を読む。":                                    Warning,
		"먼저 `references/none.md`를 읽는다.":                                    Warning,
		"Start `${CLAUDE_SKILL_DIR}/scripts/none.py`.":                     Warning,
		"**Script:** `scripts/none.sh`":                                    Warning,
		"Run `${CLAUDE_SKILL_DIR}/scripts/find-removed.sh` to count them.": Warning,
	} {
		got := Run(library(t, Example{Files: files("-- eth/SKILL.md --\n---\nname: eth\ndescription: Sends frames.\n---\n# Eth\n\n" + line +
			"\n-- eth/scripts/send.sh --\n-- eth/references/frames.md --\n# F\n")}), Options{Rules: map[string]bool{"SG128": true}}).Findings
		require.Len(t, got, 1, line)
		assert.Equal(t, want, got[0].Severity, line)
	}
}

func TestSkillsThatNeedEachOther(t *testing.T) {
	one := func(name, needs string) string {
		return "-- " + name + "/SKILL.md --\n---\nname: " + name + "\ndescription: Does " + name + ".\nrequires-skills: " + needs + "\n---\n# X\n"
	}
	for needs, want := range map[string]int{"aa": 1, "none": 0} {
		l := library(t, Example{Files: files(one("aa", "bb") + one("bb", "cc") + one("cc", needs))})
		assert.Equal(t, want, len(Run(l, Options{Rules: map[string]bool{"SG145": true}}).Findings), needs)
	}
}

func TestFilesAround(t *testing.T) {
	const page = "---\nname: %s\ndescription: Sends frames.\n---\n# Eth\n"
	const skill = "-- skills/eth/SKILL.md --\n---\nname: eth\ndescription: Sends frames.\n---\n# Eth\n"
	for _, tt := range []struct {
		file, rule string
		want       int
	}{
		{"skills/arp/SKILLS.md --\n" + page, "SG137", 1},
		{"skills/arp/SKILL.txt --\n" + page, "SG137", 1},
		{"skills/arp/skills.md --\n# A list of skills\n", "SG137", 0},
		{".claude-plugin/plugin.json --\n{\"name\": \"eth\",}\n", "SG144", 1},
		{".claude-plugin/plugin.json --\n{\"name\": \"eth\"}\n", "SG144", 0},
		{".claude-plugin/plugin.json --\n\ufeff{\"name\": \"eth\"}\n", "SG144", 0},
		{".claude-plugin/plugin.json --\n\ufeff{\"name\": \"eth\",}\n", "SG144", 1},
		{"hooks/hooks.json --\n{\"hooks\": {\"Stop\": [}}\n", "SG144", 0}, // the file belongs to another program
		{"hooks/hooks.json --\n{\"hooks\": {\"Stop\": [}}\n-- .claude-plugin/plugin.json --\n{\"name\": \"eth\"}\n", "SG144", 1},
		{".claude-plugin/marketplace.json --\n{\"name\": \"m\", \"owner\": {\"name\": \"Ann\"}, " +
			"\"plugins\": [{\"name\": \"a\", \"source\": \"./gone\"}, {\"name\": \"b\", \"source\": \"./skills\"}]}\n", "SG144", 1},
		{"skills/arp/SKILL.md --\n" + page[:len(page)-len("# Eth\n")], "SG126", 1},
	} {
		l := library(t, Example{Files: files(skill + "-- " + tt.file)})
		got := Run(l, Options{Rules: map[string]bool{tt.rule: true}}).Findings
		assert.Equal(t, tt.want, len(got), "%s: %s reports %v", tt.file, tt.rule, got)
	}
}

// What a collection holds under a longer name or path resolves, and what belongs to others is no mistake of the page.
func TestNamesAndPathsOfTheCollection(t *testing.T) {
	const eth = "-- eth/SKILL.md --\n---\nname: eth\ndescription: Sends frames.\n---\n# Eth\n\n"
	skill := func(name string) string {
		return "-- " + name + "/SKILL.md --\n---\nname: " + name + "\ndescription: Counts.\n---\n# C\n"
	}
	const plugin = "-- p/.claude-plugin/plugin.json --\n{\"name\": \"p\"}\n-- p/commands/stop.md --\n---\ndescription: Stops.\n---\nStop.\n" +
		"-- p/skills/frame-send/SKILL.md --\n---\nname: p:frame:send\ndescription: Sends.\n---\n"
	const hidden = "-- skills/eth/SKILL.md --\n---\nname: eth\ndescription: Sends frames.\nuser-invocable: false\n" +
		"disable-model-invocation: true\n---\n# E\n"
	const flow = "-- skills/flow/SKILL.md --\n---\nname: flow\ndescription: Steers packets.\n---\n# F\n"
	const far = "-- .agents/skills/eth/SKILL.md --\n---\nname: eth\ndescription: Sends frames.\n---\n[limits](../../limits.md)\n"
	for _, tt := range []struct {
		name, rule, files string
		want              Severity // Off for no finding
	}{
		{"a name with the plugin and a group", "SG145", plugin + "Run `/p:frame:send` first.\n", Off},
		{"such a name that is not there", "SG145", plugin + "Run `/p:frame:sent` first.\n", Warning},
		{"a tool in a boundary", "SG305", "-- eth/SKILL.md --\n---\nname: eth\ndescription: Sends. Do NOT use for sizes (use size-cli).\n---\n# E\n", Off},
		{"a skill in a boundary", "SG305", "-- eth/SKILL.md --\n---\nname: eth\ndescription: Sends. Do NOT use for sizes (use size-finder).\n---\n# E\n", Warning},
		{"one that may be there", "SG305", "-- eth/SKILL.md --\n---\nname: eth\ndescription: Sends. Do NOT use for sizes " +
			"(use size-finder when available).\n---\n# E\n", Off},
		{"a key of the application's own", "SG114", "-- eth/SKILL.md --\n---\nname: eth\ndescription: Sends.\nallowed_tools: Read\n---\n# E\n", Info},
		{"a key for the host", "SG114", "-- .claude/skills/eth/SKILL.md --\n---\nname: eth\ndescription: Sends.\nallowed_tools: Read\n---\n# E\n", Warning},
		{"a path in a skill about commands", "SG128", "-- .claude/skills/create-slash-commands/SKILL.md --\n---\nname: create-slash-commands\n" +
			"description: Writes.\n---\nRun `.claude/commands/none.md`.\n-- .claude/commands/a.md --\n# A\n", Off},
		{"the agent of a fork", "SG145", "-- eth/SKILL.md --\n---\nname: eth\ndescription: Sends.\ncontext: fork\nagent: none\n---\n# E\n", Warning},
		{"an agent without a fork", "SG145", "-- eth/SKILL.md --\n---\nname: eth\ndescription: Sends.\nagent: none\n---\n# E\n", Off},
		{"a skill that is installed from a lock file", "SG145", eth + "Then use the frame-count skill.\n-- skills-lock.json --\n" +
			"{\"version\": 1, \"skills\": {\"frame-count\": {\"source\": \"ann/frames\"}}}\n", Off},
		{"a folder that no host reads", "SG128", strings.ReplaceAll(eth, "eth/", ".frames/skills/eth/") + "See [it](none.md).\n", Info},
		{"one that a host reads", "SG128", strings.ReplaceAll(eth, "eth/", ".agents/skills/eth/") + "See [it](none.md).\n", Warning},
		{"a file of the list of another skill", "SG128", eth + "**From the `flow` skill:**\n- `references/none.md`\n", Off},
		{"a file below a longer path", "SG128", eth + "```sh\ncd apps/web/assets/fonts\n```\nSee `assets/fonts/none.txt`.\n", Off},
		{"a picture in backquotes", "SG128", eth + "See `assets/none.png`.\n", Info},
		{"a picture", "SG128", eth + "![it](assets/none.png)\n", Warning},
		{"a script as chezmoi names it", "SG128", eth + "Run `${CLAUDE_SKILL_DIR}/none.sh`.\n-- eth/executable_none.sh --\n", Off},
		{"what is looked for in each plugin", "SG129", eth + "Check for a `skills/none/SKILL.md` within each plugin.\n", Off},
		{"a state", "SG129", eth + "The state is in `skills/eth/.state/now.json`.\n", Off},
		{"another repository beside this one", "SG129", "-- CLAUDE.md --\nSee [it](../other/README.md).\n", Info},
		{"a file that is run further down", "SG128", eth + "- `scripts/none.sh` sends them.\n\n```sh\nbash scripts/none.sh\n```\n" +
			"-- eth/scripts/a.sh --\n", Warning},
		{"a link on a page that SKILL.md names", "SG128", eth + "See more.md.\n-- eth/more.md --\n[a](none.md)\n", Warning},
		{"a link on another page", "SG128", eth + "-- eth/more.md --\n[a](none.md)\n", Off},
		{"a heading of SKILL.md", "SG128", eth + "See more.md.\n-- eth/more.md --\n[a](SKILL.md#none)\n", Warning},
		{"a script of the project", "SG128", "-- .claude/skills/" + eth[3:] + "Run `bash scripts/none.sh`.\n-- scripts/a.sh --\n", Warning},
		{"one of another project", "SG128", eth + "Run `bash scripts/none.sh`.\n-- scripts/a.sh --\n", Off},
		{"one of a project for another host", "SG128", "-- .agents/skills/" + eth[3:] + "Run `bash scripts/none.sh`.\n-- scripts/a.sh --\n", Warning},
		{"a script of an agent's hook", "SG128", "-- .claude/agents/tap.md --\n---\nname: tap\ndescription: Taps.\nhooks:\n  Stop:\n    - hooks:\n" +
			"        - type: command\n          command: \"sh ${CLAUDE_PROJECT_DIR:-.}/scripts/none.sh\"\n---\nAs ${CLAUDE_PROJECT_DIR}/scripts/b.sh.\n", Warning},
		{"an agent of the project", "SG128", "-- .claude/skills/" + eth[3:] + "Read `.claude/agents/none.md`.\n-- .claude/agents/a.md --\n", Warning},
		{"one of the user's project", "SG128", eth + "Read `.claude/agents/none.md`.\n-- agents/a.md --\n", Off},
		{"a skill at the end of rows", "SG145", eth + "| a | b |\n|---|---|\n" + strings.Repeat("| counts | `red-frame-count` |\n", 4) +
			"| sends | `red-frame-send` |\n" + skill("red-frame-count"), Warning},
		{"a package at the end of a row", "SG145", eth + "| a | b |\n|---|---|\n| sends | `red-frame-send` |\n" + skill("red-frame-count"), Off},
		{"a skill that is part of another one", "SG101", eth + "-- eth/parts/tap/SKILL.md --\n# Tap\n", Info},
		{"a page in place of a skill", "SG129", "-- .claude/skills/eth.md --\n[a](../none/SKILL.md)\n", Info},
		{"a skill that is switched off", "SG128", strings.ReplaceAll(eth, "eth/", "skills-disabled/eth/") + "See [it](none.md).\n", Info},
		{"a script that may be absent", "SG128", eth + "Run `scripts/none.sh` (if it exists):\n```sh\nbash scripts/none.sh\n```\n-- eth/scripts/a.sh --\n", Off},
		{"what others provide", "SG128", eth + "| run `scripts/none.sh` | 由 `map` skill 提供 |\n-- eth/scripts/a.sh --\n", Off},
		{"a skill named after vendors", "SG128", strings.ReplaceAll(eth, "eth/", "vendor/") + "See [it](none.md).\n", Warning},
		{"one of a vendored collection", "SG128", strings.ReplaceAll(eth, "eth/", "vendor/frames/eth/") + "See [it](none.md).\n", Info},
		{"a script for each release", "SG128", eth + "Before each release, run `scripts/none.sh`.\n-- eth/scripts/a.sh --\n", Warning},
		{"an import of an application", "SG128", "-- app/src/hooks/use.ts --\nimport { a } from \"../none\";\n", Info},
		{"one of a hook", "SG128", "-- hooks/use.ts --\nimport { a } from \"./none\";\n", Warning},
		{"one that .gitignore lists", "SG128", "-- hooks/use.ts --\nimport { a } from \"../none/b\";\n-- .gitignore --\nnone/\n", Info},
		{"an underscore in a name", "SG108", "-- skills/eth_x/SKILL.md --\n---\nname: eth_x\ndescription: Sends.\n---\n# E\n", Info},
		{"a long description for Claude Code", "SG104", "-- .claude/skills/eth/SKILL.md --\n---\nname: eth\ndescription: " +
			strings.Repeat("Sends. ", 150) + "\n---\n# E\n", Info},
		{"one for other hosts", "SG104", "-- skills/eth/SKILL.md --\n---\nname: eth\ndescription: " +
			strings.Repeat("Sends. ", 150) + "\n---\n# E\n", Warning},
		{"a skill that runs in the session", "SG147", "-- skills/eth/SKILL.md --\n---\nname: eth\ndescription: Sends.\ncontext: inline\n---\n", Off},
		{"a skill that nothing starts", "SG134", hidden + flow, Error},
		{"one that another skill reads", "SG134", hidden + flow + "Read skills/eth/SKILL.md.\n", Info},
		{"a zero byte in the text", "SG124", flow + "a\x00b\n", Error},
		{"zero bytes after the text", "SG124", flow + "\x00\x00", Warning},
		{"empty settings", "SG144", flow + "-- .claude/settings.json --\n", Off},
		{"settings that end early", "SG144", flow + "-- .claude/settings.json --\n{\n", Error},
		{"an address to be filled in", "SG144", flow + "-- .mcp.json --\n{\"mcpServers\": {\"taps\": {\"type\": \"http\", \"url\": \"\"}}}\n", Info},
		{"an address of the wrong kind", "SG144", flow + "-- .mcp.json --\n{\"mcpServers\": {\"taps\": {\"type\": \"http\", \"url\": 5}}}\n", Error},
		{"a marketplace inside another one", "SG144", "-- .claude-plugin/marketplace.json --\n{\"name\": \"m\", \"owner\": {\"name\": \"A\"}, " +
			"\"plugins\": []}\n-- p/.claude-plugin/marketplace.json --\n{\"name\": \"p\", \"plugins\": [{\"name\": \"p\"}]}\n", Off},
		{"a manifest for Codex", "SG144", flow + "-- .codex-plugin/plugin.json --\n{\n", Error},
		{"a link that leads nowhere", "SG129", far, Warning},
		{"a sample to be copied", "SG128", "-- skills/eth/template.ts --\nimport {a} from '../lib/a';\n" + flow +
			"-- skills/eth/SKILL.md --\n---\nname: eth\ndescription: Sends.\n---\n# E\n", Info},
		{"a script that is a template of Terraform", "SG148", flow + "-- hooks/start.sh --\necho \"${frames.size}\"\n", Off},
		{"code of an experiment", "SG101", flow + "-- spikes/eth/SKILL.md --\n# E\n", Info},
		{"a default password", "SG504", flow + "-- hooks/a.yaml --\nurl: https://minioadmin:minioadmin@minio.forms-prod.net:9000\n", Off},
		{"one that is nowhere", "SG128", "-- .claude/skills/eth/SKILL.md --\n---\nname: eth\ndescription: Sends.\n---\n" +
			"Run `python scripts/send.py`.\n-- .claude/skills/eth/scripts/get.py --\n", Warning},
		{"a script of the project for its agents", "SG128", "-- .claude/skills/eth/SKILL.md --\n---\nname: eth\ndescription: Sends.\n---\n" +
			"Run `bash .claude/scripts/send.sh`.\n", Warning},
		{"a misspelt script of the collection", "SG128", "-- commands/ask.md --\nRun `scripts/log_frame.js`.\n-- scripts/log_frames.js --\n", Warning},
		{"a misspelt script below the skill's root", "SG128", eth + "Run `${CLAUDE_SKILL_DIR}/scripts/log_frame.js`.\n-- eth/scripts/log_frames.js --\n", Warning},
		{"a script below the folder of the skill", "SG128", eth + "Run `python {skill_dir}/scripts/none.py`.\n-- eth/scripts/a.py --\n", Warning},
		{"a page in another folder of the skill", "SG128", eth + "Compare `reference/sizes.md`.\n-- eth/references/sizes.md --\n", Warning},
		{"a page of a workflow", "SG128", eth + "Follow the steps defined in `workflow/none.md`.\n-- eth/workflow/a.md --\n", Warning},
		{"a list of the files of a folder", "SG128", eth + "- `taps/a.md`: a\n- `taps/none.md`: none\n-- eth/taps/a.md --\n", Warning},
		{"the same of the user's project", "SG128", "-- CLAUDE.md --\n- `taps/a.md`: a\n- `taps/none.md`: none\n-- taps/a.md --\n", Info},
		{"a file to read first", "SG128", eth + "The exceptions are in `references/none.md` — read that file first.\n-- eth/references/a.md --\n", Warning},
		{"the list of a page about the user's project", "SG128", eth + "See references/a.md.\n-- eth/references/a.md --\n- `resources/none.md`: sizes\n", Off},
		{"a misspelt skill with its path", "SG145", eth + "Read `.claude/skills/frame-sends/SKILL.md`.\n" + skill("frame-send"), Warning},
		{"another skill with its path", "SG145", eth + "Read `.claude/skills/size-finder/SKILL.md`.\n" + skill("frame-send"), Off},
		{"a value in a row", "SG145", eth + "| a | b |\n|---|---|\n" + strings.Repeat("| counts | `red-frame-count` |\n", 4) +
			"| format | `human-readable` or `json` |\n" + skill("red-frame-count"), Off},
		{"a row with the path of its value", "SG145", eth + "| a | b |\n|---|---|\n" + strings.Repeat("| counts | `red-frame-count` |\n", 4) +
			"| sends | `red-frame-send` | `taps/red-frame-send` |\n" + skill("red-frame-count"), Off},
		{"a skill as Codex names it", "SG145", eth + "| a | b |\n|---|---|\n" + strings.Repeat("| counts | `$red-frame-count` |\n", 4) +
			"| sends | `$red-frame-send` |\n" + skill("red-frame-count"), Warning},
		{"a short name in a family", "SG145", strings.ReplaceAll(eth, "name: eth", "name: lan-eth") + "Invoke the frame-send skill.\n" +
			skill("lan-frame-send"), Info},
		{"a short name of others", "SG145", eth + "Invoke the frame-send skill.\n" + skill("lan-frame-send"), Warning},
		{"an installed package in a folder of its name", "SG128", "-- hooks/eth/__init__.py --\n-- hooks/__init__.py --\n-- hooks/eth/send.py --\n" +
			"from eth.frames import send\n", Off},
		{"a module on the path of its caller", "SG128", "-- hooks/send.py --\nfrom taps import a\nfrom frames import b\n-- hooks/taps.py --\n" +
			"-- shared/frames.py --\n", Info},
		{"a module that is nowhere", "SG128", "-- hooks/send.py --\nfrom taps import a\nfrom frames import b\n-- hooks/taps.py --\n", Warning},
		{"a package of the plugin", "SG128", "-- hooks/eth/__init__.py --\n-- hooks/send.py --\nfrom eth.frames import send\n", Warning},
		{"a link from the top of the repository", "SG128", eth + "-- eth/references/a.md --\n[a](taps/a.js)\n-- taps/a.js --\n", Info},
	} {
		l := library(t, Example{Files: files(tt.files)})
		for _, s := range append(l.Skills, l.parts...) {
			s.Reach = s.top // as in a repository
		}
		got := Run(l, Options{Rules: map[string]bool{tt.rule: true}}).Findings
		severity := Off
		if assert.LessOrEqual(t, len(got), 1, "%s: %v", tt.name, got); len(got) > 0 {
			severity = got[0].Severity
		}
		assert.Equal(t, tt.want, severity, tt.name)
	}
}
