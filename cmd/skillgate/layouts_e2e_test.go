package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	installed "github.com/skillgate/skillgate/cmd/skillgate/internal/client"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/transcript"
)

type layout struct {
	name, word string
	lines      []string
	later      bool // files do not determine the list
	older      bool // older clients differ
}

type layouts struct {
	name, cwd string
	args, env []string
	all       []*layout
}

func readLayouts(t *testing.T) (homes []*layouts) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "layouts.txt"))
	require.NoError(t, err)
	n := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		switch head, ok := strings.CutPrefix(line, "== "); {
		case ok:
			h := &layouts{cwd: "work"}
			var how string
			h.name, how, _ = strings.Cut(head, " | ")
			for word := range strings.FieldsSeq(how) {
				if folder, ok := strings.CutPrefix(word, "in:"); ok {
					h.cwd = folder
				} else if variable, ok := strings.CutPrefix(word, "env:"); ok {
					h.env = append(h.env, variable)
				} else {
					h.args = append(h.args, word)
				}
			}
			homes = append(homes, h)
		case line == "" || line[0] == '#':
		case line[0] == '\t':
			all := homes[len(homes)-1].all
			last := all[len(all)-1]
			switch line = strings.ReplaceAll(line[1:], "%", last.word); line {
			case "later":
				last.later = true
			case "older":
				last.older = true
			default:
				last.lines = append(last.lines, line)
			}
		default:
			n++
			h := homes[len(homes)-1]
			h.all = append(h.all, &layout{name: line, word: fmt.Sprintf("oak%03d", n)})
		}
	}
	return homes
}

func TestEndToEndLayouts(t *testing.T) {
	eachClient(t, func(t *testing.T, m *machine) {
		var all, equal atomic.Int64
		t.Cleanup(func() { t.Logf("%s: %d layouts, %d equal", m.claude.version, all.Load(), equal.Load()) })
		for _, h := range readLayouts(t) {
			t.Run(h.name, func(t *testing.T) {
				t.Parallel()
				different := h.compare(t, newMachine(t, m.claude))
				all.Add(int64(len(h.all)))
				equal.Add(int64(len(h.all) - different))
			})
		}
	})
}

func (h *layouts) compare(t *testing.T, m *machine) (different int) {
	require.NoError(t, os.RemoveAll(filepath.Join(m.home, ".claude", "skills")))
	m.project = filepath.Join(m.home, h.cwd)
	for _, dir := range []string{"work/.git/objects", "work/.git/refs/heads", h.cwd} {
		require.NoError(t, os.MkdirAll(filepath.Join(m.home, dir), 0o700))
	}
	m.write("work/.git/HEAD", "ref: refs/heads/main\n")
	m.join(t, ".claude.json", map[string]any{"projects": map[string]any{m.project: map[string]any{"hasTrustDialogAccepted": true},
		filepath.Join(m.home, "work"): map[string]any{"hasTrustDialogAccepted": true}}})
	api := &trying{}
	for _, l := range h.all {
		for _, line := range l.lines {
			if file, ok := strings.CutPrefix(line, "read "); ok {
				api.reads = append(api.reads, filepath.Join(m.home, file))
			} else {
				m.lay(t, line)
			}
		}
	}
	m.server.Config.Handler = api
	d, err := dirs.FromEnv(func(key string) string { return map[string]string{"HOME": m.home}[key] }, hooks.Places)
	require.NoError(t, err)
	forecast := offers(t, d, m.project)
	api.names = slices.Collect(maps.Keys(forecast))
	args := []string{"-p", trial}
	for _, arg := range h.args {
		args = append(args, strings.ReplaceAll(arg, "$H", m.home))
	}
	cmd := m.command(m.claude.path, args...)
	cmd.Env = append(cmd.Env, h.env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	files, err := filepath.Glob(filepath.Join(m.home, ".claude", "projects", "*", "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	told, _ := transcript.Listing(files[0], 0, time.Time{})
	has := map[string]string{}
	for _, s := range told.Skills {
		if api.accepted[s.Name] {
			has[s.Name] = html.UnescapeString(s.Text)
		}
	}
	v, err := installed.Parse(m.claude.version)
	old := err == nil && v.Before(installed.Version{2, 1, 330})
	known := offers(t, d, m.project, m.observed(t, d, files[0])...)
	for _, l := range h.all {
		diff := l.difference(has, known, "")
		if !l.later {
			diff = append(diff, l.difference(has, forecast, " at first")...)
		}
		if len(diff) > 0 {
			different++
			say := t.Errorf
			if l.older && old {
				say = t.Logf
			}
			say("%s:\n\t%s", l.name, strings.Join(diff, "\n\t"))
		}
	}
	return different
}

func (l *layout) difference(has, offered map[string]string, when string) (diff []string) {
	for _, name := range slices.Sorted(maps.Keys(has)) {
		text := strings.ReplaceAll(has[name], " - ", " ") // before when_to_use
		switch o, ok := offered[name]; {
		case !strings.Contains(name+text, l.word):
		case !ok:
			diff = append(diff, fmt.Sprintf("%q (%s) is not offered%s", name, text, when))
		case o != "" && text != "" && !strings.HasPrefix(text, strings.ReplaceAll(o, " - ", " ")):
			diff = append(diff, fmt.Sprintf("%q is %q, offered%s as %q", name, text, when, o))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(offered)) {
		if _, ok := has[name]; !ok && strings.Contains(name+offered[name], l.word) {
			diff = append(diff, fmt.Sprintf("%q (%s) is offered%s, and the client does not have it", name, offered[name], when))
		}
	}
	return diff
}

func (m *machine) observed(t *testing.T, d dirs.Dirs, file string) []gate.Subfolder {
	t.Helper()
	id := strings.TrimSuffix(filepath.Base(file), ".jsonl")
	stop, _ := json.Marshal(map[string]string{"hook_event_name": "Stop", "session_id": id, "cwd": m.project, "transcript_path": file})
	cmd := m.command(m.binary, "observe")
	cmd.Stdin = bytes.NewReader(stop)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("observe: %v\n%s", err, out)
	}
	s, err := journal.LoadSession(d.State, id)
	require.NoError(t, err)
	return s.Subfolders
}

func offers(t *testing.T, d dirs.Dirs, cwd string, known ...gate.Subfolder) map[string]string {
	t.Helper()
	o := workspace.Options{Dirs: d, Settings: gate.Default(), Now: time.Now}
	for _, f := range known {
		if filepath.IsAbs(f.Path) {
			o.Below = append(o.Below, f.Path)
		}
	}
	_, refreshErr := workspace.Refresh(t.Context(), cwd, o)
	g, err := gate.Open(d, cwd, gate.Default(), known...)
	require.NoError(t, errors.Join(refreshErr, err))
	defer g.Close()
	docs, err := g.Offers()
	require.NoError(t, err)
	out := map[string]string{}
	for _, doc := range docs {
		if doc.Flags&(index.IsAgent|index.IsLibrary) == 0 {
			out[doc.Name] = doc.Description
		}
	}
	return out
}

func (m *machine) lay(t *testing.T, line string) {
	t.Helper()
	line = strings.ReplaceAll(line, "$H", m.home)
	words := strings.Fields(line)
	object := func(text string) (value map[string]any) {
		require.NoError(t, json.Unmarshal([]byte(text), &value), line)
		return value
	}
	left, right, _ := strings.Cut(line, " = ")
	market := func(name string, source map[string]any, folder string) {
		m.join(t, ".claude/plugins/known_marketplaces.json", map[string]any{name: map[string]any{
			"source": source, "installLocation": filepath.Join(m.home, folder), "lastUpdated": "2026-01-01T00:00:00.000Z"}})
	}
	switch words[0] {
	case "row", "plugin":
		name, in, ok := strings.Cut(words[1], "/")
		if !ok {
			in = "market"
		}
		if !strings.HasPrefix(in, "oak") { // other layouts list their skills
			market(in, map[string]any{"source": "github", "repo": "a/" + in}, "clones/"+in)
			m.join(t, "clones/"+in+"/.claude-plugin/marketplace.json", map[string]any{"name": in, "owner": map[string]any{"name": "x"},
				"plugins": []any{map[string]any{"name": name, "source": "./" + name}}})
		}
		row := map[string]any{"scope": words[2], "installPath": filepath.Join(m.home, layoutFile(words[3])), "version": "1.0.0",
			"installedAt": "2026-01-01T00:00:00.000Z", "lastUpdated": "2026-01-01T00:00:00.000Z"}
		if len(words) > 4 {
			row["projectPath"] = filepath.Join(m.home, words[4])
		}
		id := name + "@" + in
		m.join(t, ".claude/plugins/installed_plugins.json", map[string]any{"version": 2, "plugins": map[string]any{id: []any{row}}})
		if words[0] == "plugin" {
			m.join(t, ".claude/settings.json", map[string]any{"enabledPlugins": map[string]any{id: true}})
		}
		return
	case "market":
		name, kind, folder := words[1]+"m", words[2], words[3]
		source, file := map[string]any{"source": kind, "path": filepath.Join(m.home, folder)}, folder+"/.claude-plugin/marketplace.json"
		if kind == "github" {
			source = map[string]any{"source": kind, "repo": "a/" + name}
		} else if kind == "file" {
			file = folder
		}
		market(name, source, folder)
		m.join(t, file, map[string]any{"name": name, "owner": map[string]any{"name": "x"}})
		m.join(t, file, object(right))
		return
	}
	file, text, ok := strings.Cut(line, " <")
	target, linked := "", false
	if !ok {
		file, target, linked = strings.Cut(line, " -> ")
	}
	switch {
	case ok:
		m.write(pageOf(file), strings.ReplaceAll(strings.TrimPrefix(text, " "), `\n`, "\n"))
	case linked:
		at := filepath.Join(m.home, file)
		require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.Symlink(filepath.Join(m.home, target), at)))
	case right != "":
		m.join(t, layoutFile(left), object(right))
	default:
		file, front, _ := strings.Cut(line, ": ")
		file = pageOf(file)
		if front != "" {
			front += "\n"
		}
		if !strings.Contains(front, "description:") {
			front = "description: Text of " + file + ".\n" + front
		}
		m.write(file, "---\n"+front+"---\nBody of "+file+".\n")
	}
}

func layoutFile(file string) string {
	if rest, ok := strings.CutPrefix(file, "cache/"); ok {
		plugin, rest, _ := strings.Cut(rest, "/")
		return filepath.Join(".claude/plugins/cache/market", plugin, "1.0.0", rest)
	}
	return file
}

func pageOf(file string) string {
	switch filepath.Ext(file) {
	case ".md", ".MD", ".txt", ".markdown", ".json", ".go":
		return layoutFile(file)
	}
	return layoutFile(file) + "/SKILL.md"
}

func (m *machine) join(t *testing.T, file string, value any) {
	t.Helper()
	var have any
	if text, err := os.ReadFile(filepath.Join(m.home, file)); err == nil {
		require.NoError(t, json.Unmarshal(text, &have), file)
	}
	text, err := json.Marshal(joined(have, value))
	require.NoError(t, err)
	m.write(file, string(text))
}

func joined(a, b any) any {
	switch b := b.(type) {
	case map[string]any:
		if a, ok := a.(map[string]any); ok {
			for key, value := range b {
				a[key] = joined(a[key], value)
			}
			return a
		}
	case []any:
		if a, ok := a.([]any); ok {
			return append(a, b...)
		}
	}
	return b
}

const trial = "Try the skills of this session"

type trying struct {
	reads, names []string
	accepted     map[string]bool
}

func (a *trying) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Model    string
		Tools    []json.RawMessage
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&req) != nil {
		http.NotFound(w, r)
		return
	}
	turns := 0
	for _, m := range req.Messages {
		if m.Role == "assistant" {
			turns++
		}
		var results []struct {
			ID    string `json:"tool_use_id"`
			Error bool   `json:"is_error"`
		}
		if json.Unmarshal(m.Content, &results) != nil {
			continue
		}
		for _, result := range results {
			var n int
			if _, err := fmt.Sscanf(result.ID, "toolu_try_%d", &n); err == nil && !result.Error {
				a.accepted[a.names[n]] = true
			}
		}
	}
	all, _ := json.Marshal(req.Messages)
	var blocks []map[string]any
	if ours := len(req.Tools) > 0 && bytes.Contains(all, []byte(trial)); ours && turns < len(a.reads) {
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_read_%d", turns), "name": "Read",
			"input": map[string]string{"file_path": a.reads[turns]}})
	} else if ours && turns == len(a.reads) {
		a.accepted = map[string]bool{}
		for line := range strings.SplitSeq(string(all), `\n- `) {
			line, _, _ = strings.Cut(line, `\n`)
			name, _, _ := strings.Cut(line, ": ")
			name, _, _ = strings.Cut(name, " (") // name that the client reports
			if strings.Contains(line, "oak") {
				a.names = append(a.names, name)
			}
		}
		slices.Sort(a.names)
		a.names = slices.Compact(a.names)
		for i, name := range a.names {
			blocks = append(blocks, map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_try_%d", i), "name": "Skill",
				"input": map[string]string{"skill": name}})
		}
	}
	stop := "tool_use"
	if len(blocks) == 0 {
		blocks, stop = []map[string]any{{"type": "text", "text": "ok"}}, "end_turn"
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(name string, data map[string]any) {
		data["type"] = name
		text, _ := json.Marshal(data)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, text)
	}
	event("message_start", map[string]any{"message": map[string]any{"id": fmt.Sprintf("msg_%d", time.Now().UnixNano()), "type": "message",
		"role": "assistant", "model": req.Model, "content": []any{}, "usage": map[string]int{"input_tokens": 1, "output_tokens": 1}}})
	for i, b := range blocks {
		start, delta := maps.Clone(b), map[string]any{"type": "text_delta", "text": b["text"]}
		if input, ok := b["input"]; ok {
			text, _ := json.Marshal(input)
			start["input"], delta = map[string]any{}, map[string]any{"type": "input_json_delta", "partial_json": string(text)}
		} else {
			start["text"] = ""
		}
		event("content_block_start", map[string]any{"index": i, "content_block": start})
		event("content_block_delta", map[string]any{"index": i, "delta": delta})
		event("content_block_stop", map[string]any{"index": i})
	}
	event("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop}, "usage": map[string]int{"output_tokens": 1}})
	event("message_stop", map[string]any{})
}
