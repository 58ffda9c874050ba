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

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/golden"
)

const readme = "../../README.md"

// elsewhere are the commands of README.md's sh blocks, which .ci/run carries out:
// they build and test the whole repository.
var elsewhere = []string{"./install.sh", "go test ./..."}

// readmePrompts is the file of labelled prompts that README.md measures.
const readmePrompts = `{"id":"1","query":"고객 클레임에 보낼 답장을 써줘","gold":["customer-reply-ko"]}
{"id":"2","query":"write unit tests for the parser","gold":["unit-test-writer"]}
{"id":"3","query":"turn this transcript into minutes","gold":["meeting-minutes"]}
{"id":"4","query":"thanks a lot!","kind":"greeting"}
`

// TestReadme runs every command of README.md's console blocks, in order, in one
// home folder with the skills of testdata/skills-e2e, and compares what they print
// with what README.md shows. `go test ./cmd/skillgate -run Readme -update`
// rewrites the output.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binary")
	}
	before, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	home := readmeHome(t)
	after := consoleBlock.ReplaceAllStringFunc(string(before), func(block string) string {
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
				t.Errorf("%s: %sprinted\n%swant, as it shows (-update rewrites that),\n%s", readme, command, got, shown)
			}
			out += lines[i] + got
		}
		return out + lines[len(lines)-1]
	})
	if *golden.Update {
		golden.Write(t, readme, []byte(after))
	}
}

// TestReadmeShell checks that the commands README.md shows without running them
// are those that .ci/run runs.
func TestReadmeShell(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	ci, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	blocks := shellBlock.FindAllStringSubmatch(string(text), -1)
	if len(blocks) == 0 {
		t.Fatalf("%s has no sh block, want the commands %q", readme, elsewhere)
	}
	for _, block := range blocks {
		for command := range strings.Lines(block[1]) {
			if command = strings.TrimSpace(command); !slices.Contains(elsewhere, command) {
				t.Errorf("%s shows %q in a sh block, want it in a console block, or among %q", readme, command, elsewhere)
			}
		}
	}
	for _, command := range elsewhere {
		words := strings.Fields(command)
		if !strings.Contains(string(ci), words[0]) || !strings.Contains(string(ci), words[len(words)-1]) {
			t.Errorf(".ci/run does not run %q, which %s shows", command, readme)
		}
	}
}

// TestReadmeSettings compares README.md's table of settings with the settings.
func TestReadmeSettings(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "<!-- settings:")
	if !ok {
		t.Fatalf("%s has no table of settings", readme)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	shown := map[string]string{}
	for _, row := range settingsRow.FindAllStringSubmatch(table, -1) {
		shown[row[1]] = strings.TrimSpace(row[2])
	}
	def, err := yaml.Marshal(gate.Default())
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	if err := yaml.Unmarshal(def, &values); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	flatten("", values, want)
	want["need_min"] = "calibrated"
	for key, value := range want {
		if got, ok := shown[key]; !ok || got != value {
			t.Errorf("%s: setting %s has the default %q (shown: %v), want %q", readme, key, got, ok, value)
		}
	}
	for key := range shown {
		if _, ok := want[key]; !ok {
			t.Errorf("%s shows the setting %s, which does not exist", readme, key)
		}
	}
}

// flatten writes nested settings with dotted keys and plain values.
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
	consoleBlock = regexp.MustCompile("(?ms)^```console\n.*?^```$")
	shellBlock   = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
	settingsRow  = regexp.MustCompile("(?m)^\\| `([a-z_.]+)`(?: p)? \\|([^|]*)\\|")
	// varying are the parts of an output that differ from run to run.
	varying = []struct {
		pattern *regexp.Regexp
		in      string
	}{
		{regexp.MustCompile(`\d\d-\d\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\d`), "DATE"},
		{regexp.MustCompile(`[0-9A-HJKMNP-TV-Z]{26}`), "ID"},
		{regexp.MustCompile(`[-+]?\d*\.\d+`), "N"}, // scores and times; their order is in the output
		{regexp.MustCompile(`─+`), "─"},
		{regexp.MustCompile(` +`), " "},
		{regexp.MustCompile(`(?m) +$`), ""},
	}
)

// steady replaces what varies.
func steady(text string) string {
	for _, v := range varying {
		text = v.pattern.ReplaceAllString(text, v.in)
	}
	return text
}

// homeFolder is a user's home with skills and skillgate, not yet installed.
type homeFolder struct{ dir string }

func readmeHome(t *testing.T) homeFolder {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-tags", "netgo osusergo sqlite_omit_load_extension", "-o", filepath.Join(dir, ".local/bin/skillgate"), ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	if err := os.CopyFS(filepath.Join(dir, ".claude/skills"), os.DirFS("../../testdata/skills-e2e")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "work"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "work/prompts.jsonl"), []byte(readmePrompts), 0o600); err != nil {
		t.Fatal(err)
	}
	h := homeFolder{dir}
	h.run(t, "skillgate index")
	return h
}

// run returns what a shell command prints for a user in their work folder, with
// their home called /home/ann. Findings (status 1) are no failure.
func (h homeFolder) run(t *testing.T, command string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = filepath.Join(h.dir, "work")
	cmd.Env = []string{"HOME=" + h.dir, "PATH=" + filepath.Join(h.dir, ".local/bin") + ":/usr/bin:/bin", "TZ=UTC"}
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 {
		t.Errorf("%s: %v, want exit status 0 or 1; it printed\n%s", command, err, out)
	}
	var text strings.Builder
	skip := false
	for line := range strings.Lines(string(out)) {
		// A test's home is in the temporary folder, a user's is not.
		if strings.Contains(line, "lies in a temporary or build folder") {
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
