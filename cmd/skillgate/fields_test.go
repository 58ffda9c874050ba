package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/gate/golden"
	"github.com/stretchr/testify/require"
)

func recorded(version string) string {
	return filepath.Join("..", "..", "testdata", "clients", version)
}

func (m *machine) record(t *testing.T) []string {
	t.Helper()
	program, err := os.Open(m.claude.path)
	require.NoError(t, err)
	defer program.Close()
	// The program contains its list of events as plain text; the first match is complete.
	var events []string
	parts := bufio.NewScanner(program)
	parts.Buffer(nil, 16<<20)
	parts.Split(func(data []byte, end bool) (int, []byte, error) {
		const start = `["PreToolUse","PostToolUse"`
		at := bytes.Index(data, []byte(start))
		if at < 0 {
			return max(0, len(data)-len(start)), nil, nil // the program has 400 MB
		}
		if n := bytes.IndexByte(data[at:], ']'); n >= 0 {
			return at + n + 1, data[at : at+n+1], nil
		}
		return at, nil, nil
	})
	if !parts.Scan() || json.Unmarshal(parts.Bytes(), &events) != nil {
		t.Fatalf("%s has the events %q: %v", m.claude.path, parts.Bytes(), parts.Err())
	}
	hooks := map[string]any{}
	for _, event := range events {
		if strings.HasPrefix(event, "Worktree") { // its hook must create the work tree
			continue
		}
		command := fmt.Sprintf(`cat >"$HOME/seen/%s.$$"`, event)
		hooks[event] = []any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": command}}}}
	}
	settings, err := json.Marshal(map[string]any{"hooks": hooks})
	require.NoError(t, err)
	m.write("work/.claude/settings.json", string(settings))
	require.NoError(t, os.Mkdir(filepath.Join(m.home, "seen"), 0o700))
	return events
}

var ignored = []string{"new event PreSkillShellCommand"}

func (m *machine) fields(t *testing.T, events []string) {
	now := map[string][]string{}
	for _, event := range events {
		now["event "+event] = nil
	}
	add := func(what string, object map[string]any) {
		keys := slices.Concat(now[what], slices.Collect(maps.Keys(object)))
		slices.Sort(keys)
		now[what] = slices.Compact(keys)
	}
	err := fs.WalkDir(os.DirFS(m.home), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		transcript := strings.HasPrefix(path, ".claude/projects/") && strings.HasSuffix(path, ".jsonl")
		if !transcript && !strings.HasPrefix(path, "seen/") {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(m.home, path))
		if err != nil {
			return err
		}
		for line := range bytes.Lines(text) {
			var object map[string]any
			if json.Unmarshal(line, &object) != nil {
				continue
			}
			if !transcript {
				add("event "+object["hook_event_name"].(string), object)
				continue
			}
			kind, _ := object["type"].(string)
			add("transcript", map[string]any{kind: nil})
			if attachment, ok := object["attachment"].(map[string]any); ok {
				add("attachment "+attachment["type"].(string), attachment)
			}
		}
		return nil
	})
	require.NoError(t, err)
	var out strings.Builder
	for _, what := range slices.Sorted(maps.Keys(now)) {
		fmt.Fprintln(&out, strings.Join(append([]string{what + ":"}, now[what]...), " "))
	}
	version := m.claude.version
	if !*golden.Update && !exists(filepath.Join(recorded(version), "fields.txt")) {
		known, err := os.ReadDir(recorded(""))
		require.NoError(t, err)
		version = known[len(known)-1].Name()
	}
	file := filepath.Join(recorded(version), "fields.txt")
	before := map[string][]string{}
	was, err := os.ReadFile(file)
	if err != nil && !*golden.Update {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(was)) {
		what, names, _ := strings.Cut(strings.TrimSpace(line), ":")
		before[what] = strings.Fields(names)
	}
	if *golden.Update { // keep fields that only earlier runs have seen
		for what, names := range before {
			names = slices.Concat(names, now[what])
			slices.Sort(names)
			now[what] = slices.Compact(names)
		}
		var out strings.Builder
		for _, what := range slices.Sorted(maps.Keys(now)) {
			fmt.Fprintln(&out, strings.Join(append([]string{what + ":"}, now[what]...), " "))
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o644))
		return
	}
	for _, change := range differences(before, now) {
		if version == m.claude.version && strings.HasPrefix(change, "new attachment ") {
			t.Logf("%s: %s, which no recorded run came to", version, change)
			continue
		}
		if version == m.claude.version {
			t.Errorf("%s, against %s: %s", version, file, change)
		} else if !slices.Contains(ignored, change) {
			t.Logf("warning: %s, against %s: %s", m.claude.version, file, change)
		}
	}
}

func differences(before, now map[string][]string) []string {
	var out []string
	for _, what := range slices.Sorted(maps.Keys(now)) {
		was, ok := before[what]
		if !ok {
			out = append(out, "new "+what)
		}
		if len(was) == 0 || len(now[what]) == 0 {
			continue
		}
		for _, name := range now[what] {
			if !slices.Contains(was, name) {
				out = append(out, fmt.Sprintf("%s has a new %s", what, name))
			}
		}
		for _, name := range was {
			if !slices.Contains(now[what], name) {
				out = append(out, fmt.Sprintf("%s has no %s any more", what, name))
			}
		}
	}
	for _, what := range slices.Sorted(maps.Keys(before)) {
		if _, ok := now[what]; !ok && !strings.HasPrefix(what, "attachment ") {
			out = append(out, what+" is gone")
		}
	}
	return out
}

func TestChangedFieldIsNamed(t *testing.T) {
	before := map[string][]string{
		"event Stop": {"cwd", "prompt_id"}, "event Setup": nil, "event Notification": nil, "attachment file": {"content"},
	}
	now := map[string][]string{
		"event Stop": {"cwd", "source"}, "event DirectoryAdded": {"cwd"}, "event Notification": {"cwd"},
	}
	got := strings.Join(differences(before, now), "; ")
	const want = "new event DirectoryAdded; event Stop has a new source; event Stop has no prompt_id any more; event Setup is gone"
	if got != want {
		t.Errorf("differences = %q, want %q", got, want)
	}
}
