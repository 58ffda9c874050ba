//go:build unix

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/cmd/skillgate/internal/observe"
	"github.com/skillgate/skillgate/gate/system/systemtest"
	"github.com/stretchr/testify/require"
)

func TestOwnFilesGoneWrong(t *testing.T) {
	t.Parallel()
	p := newPast(t)
	p.vars["SKILLGATE_NEED_MIN"], p.vars["SKILLGATE_SCORE_MIN"] = "0", "0"
	skills := filepath.Join(p.home, ".claude", "skills")
	most, err := filepath.Glob(filepath.Join(skills, "[^p]*")) // copying them again and again takes long
	require.NoError(t, err)
	for _, skill := range most {
		require.NoError(t, os.RemoveAll(skill))
	}
	for _, s := range []string{"s2", "s3"} { // the first line is folded, the second is not
		p.load(s, p.ask(s, securityPrompt), "pr-security-review")
		if s == "s2" {
			p.must("log")
		}
	}
	for file, text := range map[string]string{
		".config/skillgate/skillgate.yaml": "top_k: 5\n", "work/.claude/skillgate.yaml": "top_k: 4\n",
		".config/skillgate/synonyms.yaml":        "korean:\n  깔딱: {en: [paddle]}\n",
		".claude/settings.json":                  "{}",
		".claude/plugins/installed_plugins.json": `{"version": 2, "plugins": {}}`,
	} {
		file = filepath.Join(p.home, file)
		require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
	}
	binary := filepath.Join(p.home, "bin", "skillgate")
	self, err := os.Executable()
	require.NoError(t, errors.Join(err, os.Mkdir(filepath.Dir(binary), 0o700), os.WriteFile(binary, readFile(t, self), 0o700)))
	state := filepath.Join(p.home, ".local", "state", "skillgate")
	var files []string
	for _, name := range []string{"journal.db-wal", "journal.db-shm", "journal.1.jsonl", "journal.bad.jsonl", "need_min.jsonl", "advice.json",
		"experiment.json", "export.json", "expansions.jsonl", "expansions.lock", "../../../.cache/skillgate/attempt"} {
		files = append(files, filepath.Join(state, name))
	}
	session := filepath.Join(state, "sessions", "e8bc163c82eee18733288c7d4ac636db.json") // session s1, used by the hook
	for _, name := range []string{"work/.claude/settings.json", "work/.claude/settings.local.json", ".claude/skills/odd/SKILL.md",
		"work/.claude/skills/odd/SKILL.md", "work/.agents/skills/odd/SKILL.md", ".cache/skillgate/run/attempt"} {
		files = append(files, filepath.Join(p.home, name))
	}
	files = append(files, session)
	for _, args := range [][]string{{"index"}, {"lint"}, {"query", "--library", skills, securityPrompt}} {
		if code := p.command("", args...); code > 1 {
			t.Fatalf("%v: status %d\n%s", args, code, p.stderr.String())
		}
	}
	tops := []string{".local", ".cache", ".config", ".claude", "work"}
	for _, top := range tops {
		err := filepath.WalkDir(filepath.Join(p.home, top), func(path string, d fs.DirEntry, err error) error {
			again := strings.Contains(path, "libraries") // same files as the index
			if err == nil && d.Type().IsRegular() && !again && !strings.HasPrefix(path, skills) {
				files = append(files, path)
			}
			return err
		})
		require.NoError(t, err)
	}
	slices.Sort(files)
	files = slices.Compact(files)

	places := []struct {
		name string
		make func(string) error
	}{
		{"a pipe", systemtest.Mkfifo},
		{"a device", func(path string) error { return os.Symlink("/dev/zero", path) }},
		{"a folder", func(path string) error { return os.Mkdir(path, 0o700) }},
		{"4 GB", func(path string) error { return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 4<<30)) }},
		{"CP949", func(path string) error {
			return os.WriteFile(path, []byte(strings.Repeat("\xc7\xd1\xb1\xb9\xbe\xee\n", 50)), 0o600)
		}},
	}
	commands := [][]string{
		{}, {"query", securityPrompt}, {"query", "--json", "--explain", securityPrompt}, {"query", "--library", skills, securityPrompt},
		{"log"}, {"log", "last"}, {"log", "export"}, {"log", "prune", "--older", "90d", "--yes"}, {"log", "prune", "--prompts", "hash", "--yes"},
		{"stats"}, {"report", "--quick"}, {"report"}, {"advise"}, {"advise", "undo"}, {"doctor"}, {"index"}, {"index", "--full"}, {"lint"},
		{"lint", "hook"}, {"tax"}, {"ir", "init", filepath.Join(skills, "pr-security-review")}, {"enrich", "--dry-run"}, {"synonyms"},
		{"synonyms", "explain", securityPrompt}, {"synonyms", "add", "콩닥", "paddle"}, {"experiment"}, {"experiment", "start"},
		{"experiment", "stop"}, {"calibrate"}, {"calibrate", "--reset"}, {"replay"}, {"replay", "--set", "need_min=0.6"}, {"listing"},
		{"mcp"}, {"version"}, {"install", "--binary", binary, "--yes"}, {"uninstall", "--yes"}, {"observe"},
	}
	whole := t.TempDir()
	replace := func(to, from string) {
		t.Helper()
		for _, top := range tops {
			to := filepath.Join(to, top)
			require.NoError(t, errors.Join(os.RemoveAll(to), os.CopyFS(to, os.DirFS(filepath.Join(from, top)))))
		}
	}
	replace(whole, p.home)
	fine := map[string]bool{} // commands that succeed when nothing is broken
	for _, args := range commands {
		replace(p.home, whole)
		code := p.ends(args)
		fine[strings.Join(args, " ")] = code < 3
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	for _, file := range files {
		replace(p.home, whole)
		place := places[random.IntN(len(places))]
		for _, args := range [][]string{{"hook"}, commands[random.IntN(len(commands))]} {
			os.Remove(session) // a session gets a description only once
			p.now = time.Now() // the deadline depends on it
			what, _ := filepath.Rel(p.home, file)
			ends := func() (code int, unnamed bool) {
				require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.RemoveAll(file), place.make(file)))
				code = p.ends(args)
				return code, code == 3 && fine[strings.Join(args, " ")] &&
					!strings.Contains(p.stdout.String()+p.stderr.String(), filepath.Base(file))
			}
			code, unnamed := ends()
			if unnamed { // it may have failed because of an earlier command, such as `experiment start`
				replace(p.home, whole)
				code, unnamed = ends()
			}
			quiet := len(args) > 0 && (args[0] == "hook" || args[0] == "observe")
			switch {
			case code != 0 && code != 1 && code != 3 || quiet && (code != 0 || p.stderr.Len() > 0):
				t.Errorf("%s in place of %s: %v: status %d\n%s", place.name, what, args, code, p.stderr.String())
			case quiet && args[0] == "hook" && p.stdout.Len() == 0 && !strings.Contains(what, "/index/"):
				t.Errorf("%s in place of %s: the hook does not answer", place.name, what)
			case unnamed:
				t.Errorf("%s in place of %s: %v does not name the file:\n%s", place.name, what, args, p.stderr.String())
			}
		}
	}
}

func (p *past) ends(args []string) int {
	p.Helper()
	done := make(chan int, 1)
	go func() {
		switch p.stdout.Reset(); {
		case len(args) == 0:
			_, code := p.run([]string{}...)
			done <- code
		case args[0] == "observe":
			p.stderr.Reset()
			done <- observe.Run(p.process(`{"hook_event_name":"Stop","session_id":"s1","cwd":"`+p.cwd+`"}`), func(string, ...string) {})
		case args[0] == "hook":
			p.prompts++ // a repeated prompt is not answered
			prompt := payload(fmt.Sprint(securityPrompt, " number ", p.prompts))
			done <- p.command(strings.Replace(prompt, "{", `{"session_id":"s1",`, 1), args...)
		default:
			done <- p.command("", args...)
		}
	}()
	select {
	case code := <-done:
		return code
	case <-time.After(time.Minute): // far more than a busy machine needs
		p.Fatalf("%v waits", args)
		return 0
	}
}
