package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/skillgate/skillgate/gate/disk"
)

// decoyCommands are the arguments that each command is run with, by its path. OUT is a folder for new files.
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
	"skillgate install":          {"install --yes --hook"},
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
	"skillgate tax apply":        {"tax apply --yes", "tax apply --undo --yes"},
	"skillgate enrich":           {"enrich --limit 1 --provider openai --base-url SERVER --model m"},
	"skillgate enrich learn":     {"enrich learn"},
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
	"skillgate rerank status":    {"rerank status"},
	"skillgate rerank start":     {"rerank start"},
	"skillgate rerank stop":      {"rerank stop"},
	"skillgate rerank install":   {"rerank install --name m MODEL"},
	"skillgate version":          {"version"},
	"skillgate version check":    {"version check"},
}

// hooked is what the hook and the observer are sent between the commands.
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

// swept are files and folders of the forms that commands remove, beside what a used home has. KEY is the name of
// the index there.
var swept = []string{
	"state/sessions/" + decoyHex32 + ".json", "state/sessions/tmp-7", "state/sessions/.skillgate-a1",
	"state/journal.7.jsonl", "state/journal.bad.jsonl.tmp", "state/journal.bad.3.jsonl", "state/.expansions-3",
	"state/.skillgate-a2", "state/experiments/01ARZ3NDEKTSV4RRFFQ69G5FAV.json",
	"state/plugin/claude/.claude-plugin/plugin.json", "state/plugin/.new-3/x", "state/plugin/.new-3.old/x",
	"state/rerank/models/m/model.json", "state/rerank/models/.stage-5/x",
	"cache/index/KEY/gen-0/manifest.json", "cache/index/KEY/tmp-9-9/base.zap", "cache/index/KEY/tmp-9/base.zap",
	"cache/index/" + decoyHex16 + "/gen-1/manifest.json", "cache/libraries/" + decoyHex16 + "/gen-1/manifest.json",
	"cache/libraries/" + decoyHex16 + "/lines/1.md", "cache/lint/" + decoyHex32 + ".json",
	"cache/suggest/" + decoyHex32 + ".json", "cache/run/lock", "cache/run/attempt",
	"cache/fetched/" + decoyHex16 + "/status.json", "cache/fetched/" + decoyHex16 + "/trees/tmp-1/x",
	"cache/fetched/" + decoyHex16 + "/git/HEAD", "cache/fetched/blobs/index.json", "cache/registry/x/y",
	"cache/attempt",
}

// The old age is past every span after which something is swept.
const decoyAge = 400 * 24 * time.Hour

// grounds is a used home beside a folder of decoys, which nothing may change.
type grounds struct {
	*sandbox
	outside string
	decoys  int
	mounted []string
}

// TestDecoys puts decoys behind links and hard links in the place of each folder and each file of skillgate's, and
// runs every command: none of them changes.
func TestDecoys(t *testing.T) {
	if raceDetector {
		t.Skip("runs processes, one after the other")
	}
	g := newGrounds(t)
	for level := range 5 {
		t.Run(fmt.Sprint("folders linked at depth ", level), func(t *testing.T) {
			g.test(t, func() { g.folders(t, level, g.link) })
		})
	}
	t.Run("files linked", func(t *testing.T) { g.test(t, func() { g.files(t, g.link) }) })
	t.Run("files with two names", func(t *testing.T) { g.test(t, func() { g.files(t, os.Link) }) })
}

// TestDecoysMounted does the same with folders that are mounted, in a process with mounts of its own.
func TestDecoysMounted(t *testing.T) {
	if raceDetector {
		t.Skip("runs processes, one after the other")
	}
	const inside = "SKILLGATE_TEST_MOUNTS"
	if os.Getenv(inside) == "" {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self, "-test.run=^TestDecoysMounted$", "-test.v")
		cmd.Env = append(os.Environ(), inside+"=1", "TMPDIR="+t.TempDir())
		cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
		out, err := cmd.CombinedOutput()
		if errors.Is(err, fs.ErrPermission) {
			t.Skip("may not mount: ", err)
		}
		t.Logf("%s", out)
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	g := newGrounds(t)
	for level := range 5 {
		t.Run(fmt.Sprint("folders mounted at depth ", level), func(t *testing.T) {
			g.test(t, func() { g.folders(t, level, g.mount) })
		})
	}
}

// newGrounds uses a home with each command.
func newGrounds(t *testing.T) *grounds {
	m := newSandbox(t)
	g := &grounds{sandbox: m, outside: filepath.Join(t.TempDir(), "outside")}
	for _, dir := range []string{"library", "model"} {
		if err := os.MkdirAll(filepath.Join(m.home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(m.home, "library"), os.DirFS(filepath.Join("..", "..", "testdata", "skills-e2e"))); err != nil {
		t.Fatal(err)
	}
	g.everything(t)
	key := filepath.Base(m.indexDir())
	for _, name := range swept {
		path := g.own(strings.Replace(name, "KEY", key, 1))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return g
}

// own returns the path of what is in state or cache.
func (g *grounds) own(name string) string {
	if rest, ok := strings.CutPrefix(name, "state"); ok {
		return filepath.Join(g.home, ".local", "state", "skillgate", rest)
	}
	return filepath.Join(g.home, ".cache", "skillgate", strings.TrimPrefix(name, "cache"))
}

// test makes the decoys in a copy of the home, runs everything and compares.
func (g *grounds) test(t *testing.T, plant func()) {
	kept, home := g.home+".kept", g.home
	if out, err := exec.Command("cp", "-a", home, kept).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v, %s", err, out)
	}
	defer func() {
		for _, place := range g.mounted {
			if err := unix.Unmount(place, unix.MNT_DETACH); err != nil {
				t.Fatal(err) // what is mounted must not be removed
			}
		}
		g.mounted = nil
		if err := errors.Join(os.RemoveAll(home), os.RemoveAll(g.outside), os.Rename(kept, home)); err != nil {
			t.Fatal(err)
		}
	}()
	g.t, g.decoys = t, 0
	plant()
	if g.decoys == 0 {
		t.Fatal("no decoy was made")
	}
	before := inventory(t, g.outside)
	g.everything(t)
	after := inventory(t, g.outside)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if after[name] != before[name] {
			t.Errorf("%s is now %q, was %q", name, after[name], before[name])
		}
		delete(after, name)
	}
	for name := range after {
		t.Errorf("%s is new", name)
	}
	t.Logf("%d decoys with %d files and folders", g.decoys, len(before))
}

// everything runs every command.
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
		for i, h := range hooked {
			if (seen+i)%len(hooked) == 0 { // each after some commands
				g.finish(g.sandbox.command(strings.NewReader(h.payload), h.command))
			}
		}
	}
	root := newRoot(a)
	for _, h := range hooked {
		g.finish(g.sandbox.command(strings.NewReader(h.payload), h.command))
	}
	walk(root)
	if seen < len(decoyCommands) {
		t.Errorf("%d commands, decoyCommands has %d", seen, len(decoyCommands))
	}
}

// folders puts a decoy in the place of each folder at a depth below state and cache.
func (g *grounds) folders(t *testing.T, level int, put func(decoy, place string) error) {
	t.Helper()
	for _, top := range []string{"state", "cache"} {
		var found []string
		root := g.own(top)
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			rel, _ := filepath.Rel(root, path)
			depth := 0
			if rel != "." {
				depth = strings.Count(rel, "/") + 1
			}
			if depth == level {
				found = append(found, path)
				return fs.SkipDir
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range found {
			decoy := g.decoy(place)
			err := os.Rename(place, decoy)
			if err == nil {
				err = foreign(decoy)
			}
			if err == nil {
				err = put(decoy, place)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// files puts a decoy in the place of each file of state and cache but the markers.
func (g *grounds) files(t *testing.T, put func(decoy, place string) error) {
	t.Helper()
	for _, top := range []string{"state", "cache"} {
		err := filepath.WalkDir(g.own(top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || d.Name() == disk.Marker {
				return err
			}
			decoy := g.decoy(path)
			return errors.Join(os.Rename(path, decoy), age(decoy, g.decoys), put(decoy, path))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// decoy returns a new place outside.
func (g *grounds) decoy(place string) string {
	g.decoys++
	dir := filepath.Join(g.outside, fmt.Sprint(g.decoys))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		g.t.Fatal(err)
	}
	return filepath.Join(dir, filepath.Base(place))
}

// link makes an old link, every second one by way of "..".
func (g *grounds) link(decoy, place string) error {
	if g.decoys%2 == 0 {
		up, err := filepath.Rel(filepath.Dir(place), decoy)
		if err != nil {
			return err
		}
		decoy = filepath.Dir(up) + "/../" + filepath.Base(filepath.Dir(decoy)) + "/" + filepath.Base(decoy)
	}
	old := unix.NsecToTimespec(time.Now().Add(-decoyAge).UnixNano())
	return errors.Join(os.Symlink(decoy, place),
		unix.UtimesNanoAt(unix.AT_FDCWD, place, []unix.Timespec{old, old}, unix.AT_SYMLINK_NOFOLLOW))
}

func (g *grounds) mount(decoy, place string) error {
	if err := os.Mkdir(place, 0o700); err != nil {
		return err
	}
	if err := unix.Mount(decoy, place, "", unix.MS_BIND, ""); err != nil {
		return err
	}
	g.mounted = append(g.mounted, place)
	return nil
}

// foreign makes a tree one that is not skillgate's, and every second entry of it old.
func foreign(dir string) error {
	n := 0
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == disk.Marker {
			return os.Remove(path)
		}
		if d.IsDir() {
			mine := filepath.Join(path, "mine.txt")
			if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
				return err
			}
			all = append(all, mine)
		}
		all = append(all, path)
		return nil
	})
	for _, path := range slices.Backward(all) {
		n++
		err = errors.Join(err, age(path, n))
	}
	return err
}

// age makes what has an even number old.
func age(path string, n int) error {
	if n%2 > 0 {
		return nil
	}
	old := time.Now().Add(-decoyAge)
	return os.Chtimes(path, old, old)
}

// inventory describes all that is below dir, by path.
func inventory(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var text []byte
		if info.Mode().IsRegular() {
			if text, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		all[path] = fmt.Sprintf("%d %v %d %v %x", info.Sys().(*syscall.Stat_t).Ino, info.Mode(), info.Size(), info.ModTime(),
			sha256.Sum256(text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
