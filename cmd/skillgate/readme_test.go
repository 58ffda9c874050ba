package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/cmd/internal/figure"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/golden"
	"github.com/spf13/cobra"
)

var pages = []string{"../../README.md", "README.md", "README.ko.md", "../../gate/README.md", "../../hooks/README.md",
	"../../hooks/plugin/README.md"}

const reference = "README.md"

var elsewhere = []string{"./install.sh", "npx skillgate install", "go test ./..."}

const readmePrompts = `{"id":"1","query":"고객 클레임에 보낼 답장을 써줘","gold":["customer-reply-ko"]}
{"id":"2","query":"write unit tests for the parser","gold":["unit-test-writer"]}
{"id":"3","query":"turn this transcript into minutes","gold":["meeting-minutes"]}
{"id":"4","query":"thanks a lot!","kind":"greeting"}
`

// TestReadme runs every command of the pages' console blocks, in order, each page in a
// home folder of its own with the skills of testdata/skills-e2e, and compares what they
// print with what the page shows. `go test ./cmd/skillgate -run Readme -update`
// rewrites the output.
func TestReadme(t *testing.T) {
	program := readmeProgram(t)
	for _, page := range pages {
		t.Run(page, func(t *testing.T) {
			before := readPage(t, page)
			home := readmeHome(t, program)
			after := consoleBlock.ReplaceAllStringFunc(before, func(block string) string {
				lines := strings.SplitAfter(block, "\n")
				out := lines[0]
				for i := 1; i < len(lines)-1; i++ {
					command, ok := strings.CutPrefix(lines[i], "$ ")
					if !ok {
						continue // shown output
					}
					shown := ""
					for j := i + 1; j < len(lines)-1 && !strings.HasPrefix(lines[j], "$ "); j++ {
						shown += lines[j]
					}
					got := home.run(t, strings.TrimSuffix(command, "\n"))
					if steady(got) != steady(shown) && !*golden.Update {
						t.Errorf("%s: %sprinted\n%swant, as it shows (-update rewrites that),\n%s", page, command, got, shown)
					}
					out += lines[i] + got
				}
				return out + lines[len(lines)-1]
			})
			if *golden.Update {
				golden.Write(t, page, []byte(after))
			}
		})
	}
}

// TestReadmeFigures compares the figures of the README with the files in testdata/figures that they come from;
// -update copies them.
func TestReadmeFigures(t *testing.T) {
	before := readPage(t, pages[0])
	n := 0
	after := figureMark.ReplaceAllStringFunc(before, func(found string) string {
		parts := figureMark.FindStringSubmatch(found)
		value, err := figure.Of(os.DirFS("../.."), strings.Split(parts[2], " / "))
		require.NoError(t, err)
		n++
		return parts[1] + value + parts[3]
	})
	if *golden.Update {
		golden.Write(t, pages[0], []byte(after))
	} else if after != before {
		t.Errorf("%s: figures differ from testdata/figures; -update copies them", pages[0])
	}
	if n != 6 {
		t.Errorf("%s has %d figures, want 6", pages[0], n)
	}
}

func TestReadmeIsShort(t *testing.T) {
	if n := len(readPage(t, pages[0])); n > 8<<10 {
		t.Errorf("%s has %d bytes, want at most 8192; the rest belongs into %q", pages[0], n, pages[1:])
	}
}

func TestReadmeShell(t *testing.T) {
	ci := readPage(t, "../../.ci/run")
	blocks := 0
	for _, page := range pages {
		for _, block := range shellBlock.FindAllStringSubmatch(readPage(t, page), -1) {
			blocks++
			for command := range strings.Lines(block[1]) {
				command = strings.TrimSpace(command)
				assert.Contains(t, elsewhere, command, page)
			}
		}
	}
	assert.NotEqual(t, 0, blocks, "%q have no sh block, want the commands %q", pages, elsewhere)
	for _, command := range elsewhere {
		words := strings.Fields(command)
		require.Contains(t, ci, words[0], command)
		assert.Contains(t, ci, words[len(words)-1], command)
	}
}

func TestReadmeMentions(t *testing.T) {
	for _, page := range pages {
		text := fence.ReplaceAllString(readPage(t, page), "")
		for _, code := range inlineCode.FindAllStringSubmatch(text, -1) {
			words := strings.Fields(code[1])
			switch {
			case words[0] == "skillgate" && len(words) > 1 && words[1] != "hook" && words[1] != "observe":
				a, _, _ := command(t)
				root := newRoot(a)
				root.InitDefaultHelpCmd()
				cmd, rest, err := root.Find(words[1:])
				if err == nil && cmd.HasAvailableSubCommands() && cmd.Args == nil && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
					err = fmt.Errorf("no such command below it: %s", rest[0])
				}
				if err == nil && !slices.Contains(rest, "--help") {
					err = cmd.ParseFlags(rest)
				}
				if err != nil {
					t.Errorf("%s mentions `%s`: %v", page, code[1], err)
				}
			case strings.HasPrefix(code[1], "go test ./") && slices.Contains(words, "-run"):
				name := words[slices.Index(words, "-run")+1]
				if !hasTest(t, filepath.Join("../..", words[2]), name) {
					t.Errorf("%s mentions `%s`: no test has %q in its name", page, code[1], name)
				}
			}
		}
		for _, link := range relativeLink.FindAllStringSubmatch(text, -1) {
			_, err := os.Stat(filepath.Join(filepath.Dir(page), link[1]))
			assert.NoError(t, err, page)
		}
	}
}

func hasTest(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	require.NoError(t, err)
	pattern := regexp.MustCompile(`(?m)^func Test\w*` + regexp.QuoteMeta(name))
	return slices.ContainsFunc(files, func(file string) bool { return pattern.MatchString(readPage(t, file)) })
}

func TestReadmeRecipes(t *testing.T) {
	text := readPage(t, reference)
	home := readmeHome(t, readmeProgram(t))
	run := func(command string) string { t.Helper(); return home.run(t, command) }
	run("git init -q && mkdir -p .claude/skills && cp -r ~/.claude/skills/pdf-table-ko .claude/skills")
	run("git add .claude && git -c user.name=ann -c user.email=ann@example.com commit -qm skills")
	ran := 0
	for _, block := range regexp.MustCompile("(?ms)^```json\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		command := regexp.MustCompile(`"command": "(\w+)", "args": \[(.*?)\]`).FindStringSubmatch(block[1])
		require.NotNil(t, command, "%s: no command in\n%s", reference, block[1])
		ran++
		run(command[1] + " " + strings.ReplaceAll(command[2], ",", "") + " </dev/null")
	}
	assert.Equal(t, 2, ran)
}

func readPage(t *testing.T, file string) string { t.Helper(); return string(readFile(t, file)) }

func TestReadmeSettings(t *testing.T) {
	_, table, ok := strings.Cut(readPage(t, reference), "<!-- settings:")
	require.True(t, ok, "%s has no table of settings", reference)
	table, _, _ = strings.Cut(table, "\n\n")
	shown := map[string]string{}
	for _, row := range settingsRow.FindAllStringSubmatch(table, -1) {
		shown[row[1]] = strings.TrimSpace(row[2])
	}
	def, err := yaml.Marshal(gate.Default())
	require.NoError(t, err)
	var values map[string]any
	require.NoError(t, yaml.Unmarshal(def, &values))
	want := map[string]string{}
	flatten("", values, want)
	want["need_min"] = "calibrated"
	for key, value := range want {
		if got, ok := shown[key]; !ok || got != value {
			t.Errorf("%s: setting %s has the default %q (shown: %v), want %q", reference, key, got, ok, value)
		}
	}
	for key := range shown {
		_, ok := want[key]
		assert.True(t, ok, "%s shows the setting %s, which does not exist", reference, key)
	}
}

func flatten(prefix string, values map[string]any, out map[string]string) {
	for key, value := range values {
		switch v := value.(type) {
		case map[string]any:
			if len(v) == 0 {
				out[prefix+key] = "{}"
			}
			flatten(prefix+key+".", v, out)
		case []any:
			words := []string{}
			for _, word := range v {
				words = append(words, fmt.Sprint(word))
			}
			out[prefix+key] = "[" + strings.Join(words, ", ") + "]"
		default:
			out[prefix+key] = fmt.Sprint(v)
		}
	}
}

var (
	figureMark   = regexp.MustCompile(`(<!-- figure: (.*?) -->).*?(<!-- end -->)`)
	consoleBlock = regexp.MustCompile("(?ms)^```console\n.*?^```$")
	shellBlock   = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
	fence        = regexp.MustCompile("(?ms)^```.*?^```$")
	inlineCode   = regexp.MustCompile("`([^`\\s][^`\\n]*)`")
	relativeLink = regexp.MustCompile(`\]\(([^):#]+)[^):]*\)`)
	settingsRow  = regexp.MustCompile("(?m)^\\| `([a-z_.]+)`(?: p)? \\|([^|]*)\\|")
	// varying matches the parts of an output that differ between runs.
	varying = []struct {
		pattern *regexp.Regexp
		in      string
	}{
		{regexp.MustCompile(`\d\d-\d\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\d`), "DATE"},
		{regexp.MustCompile(`[0-9A-HJKMNP-TV-Z]{26}`), "ID"},
		{regexp.MustCompile(`[-+]?\d*\.\d+`), "N"}, // scores and times; the output shows their order
		{regexp.MustCompile(`─+`), "─"},
		// a busy machine makes the hook slow
		{regexp.MustCompile(`warn( +hook .* ms); the median should be at most 100 ms\n +fix: .*\n`), "ok$1\n"},
		{regexp.MustCompile(` +`), " "},
		{regexp.MustCompile(`(?m) +$`), ""},
	}
)

func steady(text string) string {
	for _, v := range varying {
		text = v.pattern.ReplaceAllString(text, v.in)
	}
	return text
}

type homeFolder struct{ dir string }

func readmeProgram(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the binary")
	}
	file := filepath.Join(t.TempDir(), "skillgate")
	program, err := builtProgram()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, program, 0o700))
	return file
}

func readmeHome(t *testing.T, program string) homeFolder {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".local/bin"), 0o700))
	require.NoError(t, os.Link(program, filepath.Join(dir, ".local/bin/skillgate")))
	require.NoError(t, os.CopyFS(filepath.Join(dir, ".claude/skills"), os.DirFS("../../testdata/skills-e2e")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "work"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "work/prompts.jsonl"), []byte(readmePrompts), 0o600))
	h := homeFolder{dir}
	h.run(t, "skillgate index")
	return h
}

func (h homeFolder) run(t *testing.T, command string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = filepath.Join(h.dir, "work")
	cmd.Env = []string{"HOME=" + h.dir, "PATH=" + filepath.Join(h.dir, ".local/bin") + ":/usr/bin:/bin", "TZ=UTC",
		"SKILLGATE_DEADLINE_MS=4000"} // the machine may be busy
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 {
		t.Errorf("%s: %v, want exit status 0 or 1; it printed\n%s", command, err, out)
	}
	var text strings.Builder
	skip := false
	for line := range strings.Lines(string(out)) {
		// A test's home is in a temporary folder; a user's is not.
		if strings.Contains(line, "is in a temporary or build folder") {
			skip = true
			continue
		}
		if skip && strings.Contains(line, "fix: ") {
			continue
		}
		skip = false
		text.WriteString(strings.ReplaceAll(line, h.dir, "/home/ann"))
	}
	if s := text.String(); s != "" && !strings.HasSuffix(s, "\n") {
		text.WriteByte('\n')
	}
	return text.String()
}

var notRun = regexp.MustCompile(`\| jq|--follow|--changed|--from transcripts|rerank.enabled|^skillgate (enrich --(limit|provider)|` +
	`rerank (install|start)|version check|mcp|lint suggest|advise (apply|undo)|install --(plugin|host|listing)|uninstall( --purge)?$)`)

func TestExamplesRun(t *testing.T) {
	home := readmeHome(t, readmeProgram(t))
	home.run(t, "skillgate install --yes && mkdir skills && cp -r ~/.claude/skills/pdf-table-ko skills/pdf && "+
		"cp -r ~/.claude/skills/csv-cleaner skills/docx && skillgate ir init --write skills/docx && echo > list.txt")
	home.run(t, `for id in customer-reply-ko unit-test-writer meeting-minutes; do echo '{"id":"'$id'","description":"Use it."}'; done |
		gzip > library.jsonl.gz`)
	home.run(t, `echo '{"hook_event_name":"UserPromptSubmit","session_id":"a1","prompt":"review this PR"}' | skillgate hook`)
	a, _, _ := command(t)
	ran := 0
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Example) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), "  ") // explanation of an example
			if !strings.HasPrefix(line, "skillgate ") || notRun.MatchString(line) {
				continue
			}
			ran++
			if strings.HasPrefix(line, "skillgate experiment start") {
				home.run(t, "skillgate experiment stop; true")
			}
			if out := home.run(t, line); out == "" && !strings.Contains(line, ">") {
				t.Errorf("%s: `%s` prints nothing", cmd.CommandPath(), line)
			}
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(a))
	assert.GreaterOrEqual(t, ran, 60)
}
