package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

var decoyCommands = map[string][]string{
	"skillgate":                  {""},
	"skillgate query":            {"query x", "query --library LIBRARY x"},
	"skillgate log":              {"log"},
	"skillgate log prune":        {"log prune --older 1d --yes", "log prune --prompts none --yes"},
	"skillgate log export":       {"log export --output OUT/export.jsonl"},
	"skillgate stats":            {"stats"},
	"skillgate report":           {"report --output OUT/report.html"},
	"skillgate advise":           {"advise"},
	"skillgate advise apply":     {"advise apply 1 --yes"},
	"skillgate advise undo":      {"advise undo", "advise undo --forget"},
	"skillgate doctor":           {"doctor"},
	"skillgate index":            {"index", "index --full", "index --background"},
	"skillgate install":          {"install --yes --plugin", "install --yes --hook", "install --yes --listing"},
	"skillgate uninstall":        {"uninstall --yes", "uninstall --purge --yes"},
	"skillgate lint":             {"lint LIBRARY"},
	"skillgate lint fix":         {"lint fix LIBRARY"},
	"skillgate lint suggest":     {"lint suggest pdf LIBRARY --fix --provider openai --base-url SERVER --model m"},
	"skillgate lint rules":       {"lint rules"},
	"skillgate lint hook":        {"lint hook"},
	"skillgate ir":               {"ir"},
	"skillgate ir init":          {"ir init --write LIBRARY/release-notes"},
	"skillgate ir check":         {"ir check LIBRARY/release-notes"},
	"skillgate ir render":        {"ir render LIBRARY/release-notes"},
	"skillgate ir schema":        {"ir schema"},
	"skillgate tax":              {"tax"},
	"skillgate enrich":           {"enrich --limit 1 --provider openai --base-url SERVER --model m"},
	"skillgate synonyms":         {"synonyms"},
	"skillgate synonyms add":     {"synonyms add 결재판 board"},
	"skillgate synonyms explain": {"synonyms explain x"},
	"skillgate experiment":       {"experiment"},
	"skillgate experiment start": {"experiment start"},
	"skillgate experiment stop":  {"experiment stop"},
	"skillgate calibrate":        {"calibrate", "calibrate --reset"},
	"skillgate replay":           {"replay"},
	"skillgate bench":            {"bench"},
	"skillgate mcp":              {"mcp"},
	"skillgate listing":          {"listing"},
	"skillgate rerank":           {"rerank"},
	"skillgate rerank start":     {"rerank start"},
	"skillgate rerank stop":      {"rerank stop"},
	"skillgate rerank install":   {"rerank install --name m MODEL"},
	"skillgate version":          {"version"},
	"skillgate version check":    {"version check"},
}

var hooked = []struct{ command, payload string }{
	{"hook", `{"hook_event_name":"UserPromptSubmit","session_id":"s1","prompt_id":"p1","prompt":"Review this pull request for security problems"}`},
	{"hook", `{"hook_event_name":"UserPromptSubmit","session_id":"s2","prompt_id":"p2","prompt":"write unit tests for the parser"}`},
	{"observe", `{"hook_event_name":"SessionStart","session_id":"s1","source":"startup"}`},
	{"observe", `{"hook_event_name":"PostToolUse","session_id":"s1","tool_name":"Skill","tool_input":{"skill":"pr-security-review"}}`},
	{"observe", `{"hook_event_name":"Stop","session_id":"s1"}`},
	{"observe", `{"hook_event_name":"SessionEnd","session_id":"s1"}`},
}

const (
	decoyHex16 = "0123456789abcdef"
	decoyHex32 = decoyHex16 + decoyHex16
)

var swept = []string{
	"state/sessions/" + decoyHex32 + ".json", "state/sessions/tmp-7", "state/sessions/.skillgate-a1",
	"state/journal.7.jsonl", "state/journal.bad.jsonl.tmp", "state/journal.bad.3.jsonl", "state/.expansions-3",
	"state/.skillgate-a2", "state/experiments/01ARZ3NDEKTSV4RRFFQ69G5FAV.json",
	"state/plugin/claude/.claude-plugin/plugin.json", "state/plugin/.new-3/x", "state/plugin/.new-3.old/x",
	"state/rerank/models/m/model.json", "state/rerank/models/.stage-5/x",
	"cache/index/KEY/gen-0/manifest.json", "cache/index/KEY/tmp-9-9/base.lists", "cache/index/KEY/tmp-9/base.lists",
	"cache/index/" + decoyHex16 + "/gen-1/manifest.json", "cache/libraries/" + decoyHex16 + "/gen-1/manifest.json",
	"cache/libraries/" + decoyHex16 + "/lines/1.md", "cache/lint/" + decoyHex32 + ".json",
	"cache/suggest/" + decoyHex32 + ".json", "cache/run/lock", "cache/run/attempt",
	"cache/fetched/" + decoyHex16 + "/status.json", "cache/fetched/" + decoyHex16 + "/trees/tmp-1/x",
	"cache/fetched/" + decoyHex16 + "/git/HEAD", "cache/fetched/blobs/index.json", "cache/registry/x/y",
	"cache/attempt",
}

type grounds struct {
	*sandbox
	*apptest.Decoys
}

func TestDecoys(t *testing.T) {
	t.Parallel()
	if raceDetector {
		t.Skip("runs processes, one after the other")
	}
	const inside = "SKILLGATE_TEST_MOUNTS"
	mounts := os.Getenv(inside) != ""
	if !mounts {
		self, err := os.Executable()
		require.NoError(t, err)
		cmd := exec.Command(self, "-test.run=^TestDecoys$", "-test.v")
		cmd.Env = append(os.Environ(), inside+"=1", "TMPDIR="+t.TempDir())
		cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
		out, err := cmd.CombinedOutput()
		if !errors.Is(err, fs.ErrPermission) {
			t.Logf("%s", out)
			require.NoError(t, err)
			return
		}
		t.Log("no folder is mounted: ", err)
	}
	g := newGrounds(t)
	for level := range 5 {
		g.test(t, fmt.Sprint("folders linked at depth ", level), func(top string) { g.Folders(top, level, g.Link) })
		if mounts && level%2 == 1 {
			g.test(t, fmt.Sprint("folders mounted at depth ", level), func(top string) { g.Folders(top, level, g.mount) })
		}
	}
	g.test(t, "files linked", func(top string) { g.Files(top, g.Link) })
	g.test(t, "files with two names", func(top string) { g.Files(top, os.Link) })
}

func newGrounds(t *testing.T) *grounds {
	m := newSandbox(t)
	g := &grounds{sandbox: m, Decoys: &apptest.Decoys{TB: t, Outside: filepath.Join(t.TempDir(), "outside")}}
	for _, dir := range []string{"library", "model", "bin", "tmp/skillgate-index-1/cache", "tmp/skillgate-log-2", "tmp/.new-3"} {
		require.NoError(t, os.MkdirAll(filepath.Join(m.home, dir), 0o700))
	}
	// A client that accepts the plugin.
	claude := "#!/bin/sh\n[ \"$1\" = --version ] && echo '2.1.332 (Claude Code)'\nexit 0\n"
	self, err := os.Executable()
	if err == nil {
		err = errors.Join(os.WriteFile(filepath.Join(m.home, "bin", "claude"), []byte(claude), 0o700),
			os.Symlink(self, filepath.Join(m.home, "bin", "skillgate")))
	}
	require.NoError(t, err)
	m.env = append(m.env, "PATH="+filepath.Join(m.home, "bin")+":"+os.Getenv("PATH"), "TMPDIR="+g.temp())
	require.NoError(t, someSkills(filepath.Join(m.home, "library")))
	g.everything(t)
	if r := g.run("install", "--yes", "--plugin"); r.code != 0 { // everything has uninstalled it
		t.Fatal(r.stderr)
	}
	key := filepath.Base(m.indexDir())
	for _, name := range swept {
		path := g.own(strings.Replace(name, "KEY", key, 1))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			require.NoError(t, os.WriteFile(path, []byte("{}"), 0o600))
		}
	}
	return g
}

func (g *grounds) temp() string { return filepath.Join(g.home, "tmp") }

func (g *grounds) own(name string) string {
	if rest, ok := strings.CutPrefix(name, "state"); ok {
		return filepath.Join(g.home, ".local", "state", "skillgate", rest)
	}
	return filepath.Join(g.home, ".cache", "skillgate", strings.TrimPrefix(name, "cache"))
}

func (g *grounds) test(t *testing.T, name string, plant func(top string)) {
	t.Run(name, func(t *testing.T) { g.round(t, plant) })
}

func (g *grounds) round(t *testing.T, plant func(top string)) {
	kept, home := g.home+".kept", g.home
	out, err := exec.Command("cp", "-a", home, kept).CombinedOutput()
	require.NoError(t, err, string(out))
	defer func() {
		mounts, err := os.ReadFile("/proc/self/mountinfo")
		for line := range strings.Lines(string(mounts)) {
			place := strings.Fields(line)[4] // current mount point; a command may have moved a parent folder
			if strings.HasPrefix(place, home+"/") {
				err = errors.Join(err, unix.Unmount(place, unix.MNT_DETACH))
			}
		}
		if err != nil {
			t.Fatal(err) // the clean-up must not delete mounted files
		}
		require.NoError(t, errors.Join(os.RemoveAll(home), os.RemoveAll(g.Outside), os.Rename(kept, home)))
	}()
	g.t, g.TB, g.Count = t, t, 0
	plant(g.own("state"))
	plant(g.own("cache"))
	for _, name := range []string{"skillgate-doctor-4", "skillgate-replay-5", "skillgate-past-6"} {
		require.NoError(t, g.Link(g.temp(), filepath.Join(g.temp(), name)))
	}
	require.NotEqual(t, 0, g.Count, "no decoy was made")
	unchanged, temporary := g.Watch(g.Outside), g.Watch(g.temp())
	g.everything(t)
	unchanged()
	temporary()
	t.Logf("%d decoys", g.Count)
}

func (g *grounds) everything(t *testing.T) {
	out := t.TempDir()
	refuses := httptest.NewServer(http.NotFoundHandler())
	defer refuses.Close()
	a, _, _ := command(t)
	seen := 0
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
		if cmd.RunE == nil || cmd.Name() == "help" {
			return
		}
		lines, ok := decoyCommands[cmd.CommandPath()]
		if !ok {
			t.Errorf("%s is not in decoyCommands", cmd.CommandPath())
		}
		seen++
		for _, line := range lines {
			line = strings.NewReplacer("OUT", out, "SERVER", refuses.URL, "LIBRARY", filepath.Join(g.home, "library"),
				"MODEL", filepath.Join(g.home, "model")).Replace(line)
			if r := g.run(strings.Fields(line)...); r.code != 0 && r.code != 1 && r.code != 3 {
				t.Errorf("skillgate %s: status %d, %s", line, r.code, r.stderr)
			}
		}
		if seen%3 == 0 { // interleaved with the commands
			h := hooked[seen/3%len(hooked)]
			g.finish(g.sandbox.command(strings.NewReader(h.payload), h.command))
		}
	}
	root := newRoot(a)
	for _, h := range hooked {
		g.finish(g.sandbox.command(strings.NewReader(h.payload), h.command))
	}
	walk(root)
	assert.GreaterOrEqual(t, seen, len(decoyCommands))
}

func (g *grounds) mount(decoy, place string) error {
	if err := os.Mkdir(place, 0o700); err != nil {
		return err
	}
	return unix.Mount(decoy, place, "", unix.MS_BIND, "")
}
