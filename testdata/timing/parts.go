package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// base measures the library of --library in an otherwise empty home.
func (t *timing) base() error {
	h, err := newHome(filepath.Join(t.dir, "base"))
	if err != nil {
		return err
	}
	if err := t.make("copy", h.skills(), t.library); err != nil {
		return err
	}
	r, err := t.skillgate(h, "index")
	if err != nil {
		return err
	}
	n, err := skillFiles(h.skills())
	if err != nil {
		return err
	}
	fmt.Fprintf(t.table.out, "\n%d skills\n", len(n))
	t.table.row("index build", r.wall.Seconds(), "s", 5)
	t.table.row("index build, peak memory", megabytes(r.rss), "MB", 0)
	if err := t.refresh(h, 0.5); err != nil {
		return err
	}
	files, err := h.prompts(t.library)
	if err != nil {
		return err
	}
	hooks, unit, err := t.hooks(h, files, t.runs)
	if err != nil {
		return err
	}
	p50 := hooks.percentile(50)
	t.table.row("the unit: an empty program, p50", unit.percentile(50), "ms", 0)
	t.table.row("hook, p50", p50, "ms", 10)
	t.table.row("hook, p50", p50/unit.percentile(50), "units", 3.6)
	t.table.row("hook, p95 over p50", hooks.percentile(95)/p50, "times", 2)
	t.table.row("hook, peak memory", megabytes(hooks.rss), "MB", 40)

	files, err = h.writePrompts("greeting", []string{"안녕하세요!", "thanks, that works", "ㅇㅇ 진행해줘"})
	if err != nil {
		return err
	}
	hooks, unit, err = t.hooks(h, files, t.runs)
	if err != nil {
		return err
	}
	t.table.row("greeting, p50", hooks.percentile(50)/unit.percentile(50), "units", 2.7)
	return nil
}

// prompts writes the everyday prompts and as many from the library.
func (h home) prompts(library string) ([]string, error) {
	own, err := fromLibrary(library, 2*len(general), 8)
	if err != nil {
		return nil, err
	}
	return h.writePrompts("prompt", append(own, general...))
}

// refresh measures the index command after one skill has changed.
func (t *timing) refresh(h home, limit float64) error {
	paths, err := skillFiles(h.skills())
	if err != nil {
		return err
	}
	var s sample
	for i := range 5 {
		f, err := os.OpenFile(paths[(i*31+7)%len(paths)], os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(f, "\nChanged for measurement number %d.\n", i)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		r, err := t.skillgate(h, "index")
		if err != nil {
			return err
		}
		s.add(r)
	}
	t.table.row("refresh after one changed file, p50", s.percentile(50)/1000, "s", limit)
	return nil
}

const (
	pluginCount   = 15
	pluginSkills  = 6
	projectSkills = 20
)

// plugins measures the same library beside plugins and a project's own skills.
func (t *timing) plugins() error {
	h, err := newHome(filepath.Join(t.dir, "plugins"))
	if err != nil {
		return err
	}
	installed, enabled := map[string]any{}, map[string]bool{}
	for i := range pluginCount {
		id := fmt.Sprintf("kit%d@market", i)
		dir := filepath.Join(h.dir, ".claude", "plugins", "cache", "market", fmt.Sprintf("kit%d", i), "1.0.0")
		if err := t.make("vary", fmt.Sprint(pluginSkills), filepath.Join(dir, "skills"), t.library); err != nil {
			return err
		}
		installed[id] = []map[string]string{{"scope": "user", "installPath": dir, "version": "1.0.0"}}
		enabled[id] = true
	}
	err = errors.Join(
		writeJSON(filepath.Join(h.dir, ".claude", "plugins", "installed_plugins.json"), map[string]any{"version": 2, "plugins": installed}),
		writeJSON(filepath.Join(h.dir, ".claude", "settings.json"), map[string]any{"enabledPlugins": enabled}),
		os.Mkdir(filepath.Join(h.work, ".git"), 0o700),
		t.make("copy", h.skills(), t.library),
		t.make("vary", fmt.Sprint(projectSkills), filepath.Join(h.work, ".claude", "skills"), t.library),
	)
	if err != nil {
		return err
	}
	if _, err := t.skillgate(h, "index"); err != nil {
		return err
	}
	files, err := h.prompts(t.library)
	if err != nil {
		return err
	}
	hooks, unit, err := t.hooks(h, files, t.runs)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.table.out, "\nthe same with %d plugins and a project of %d skills\n", pluginCount, projectSkills)
	t.table.row("hook, p50", hooks.percentile(50)/unit.percentile(50), "units", 9)
	t.table.row("hook, p95 over p50", hooks.percentile(95)/hooks.percentile(50), "times", 2)
	return nil
}

func writeJSON(file string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

const (
	loadHooks    = 400
	loadParallel = 16
)

// load runs many hooks at once while the index is rebuilt without a pause.
func (t *timing) load() error {
	h, err := newHome(filepath.Join(t.dir, "load"))
	if err != nil {
		return err
	}
	if err := t.make("copy", h.skills(), t.library); err != nil {
		return err
	}
	if _, err := t.skillgate(h, "index"); err != nil {
		return err
	}
	own, err := fromLibrary(t.library, loadHooks, 8)
	if err != nil {
		return err
	}
	var files []string
	for i := range loadHooks {
		text := map[string]string{"hook_event_name": "UserPromptSubmit", "session_id": fmt.Sprintf("load-%d", i), "cwd": h.work, "prompt": own[i%len(own)]}
		file := filepath.Join(h.dir, fmt.Sprintf("load-%03d.json", i))
		if err := writeJSON(file, text); err != nil {
			return err
		}
		files = append(files, file)
	}

	stop := make(chan struct{})
	rebuilds, rebuildErr := 0, error(nil)
	var builder sync.WaitGroup
	builder.Go(func() {
		for rebuildErr == nil {
			select {
			case <-stop:
				return
			default:
			}
			if _, rebuildErr = t.skillgate(h, "index", "--full"); rebuildErr == nil {
				rebuilds++
			}
		}
	})
	var mu sync.Mutex
	var s sample
	var errs []error
	next := make(chan string)
	var workers sync.WaitGroup
	for range loadParallel {
		workers.Go(func() {
			for file := range next {
				r, err := t.hook(h, file)
				mu.Lock()
				s.add(r)
				errs = append(errs, err)
				mu.Unlock()
			}
		})
	}
	start := time.Now()
	for _, file := range files {
		next <- file
	}
	close(next)
	workers.Wait()
	took := time.Since(start)
	close(stop)
	builder.Wait()
	if err := errors.Join(append(errs, rebuildErr)...); err != nil {
		return err
	}
	logged, bad, err := t.logged(h)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.table.out, "\n%d hooks, %d at a time, in %.1f s, during %d rebuilds\n", loadHooks, loadParallel, took.Seconds(), rebuilds)
	t.table.row("hooks without an answer, by an error", float64(bad), "", 0)
	t.table.row("lost log lines", float64(loadHooks-logged), "", 0)
	t.table.row("hook, p95", s.percentile(95), "ms", 0)
	return nil
}

// logged counts the sessions with a decision in the log, and decisions that are
// errors or that the deadline cut.
func (t *timing) logged(h home) (decisions, bad int, err error) {
	r, err := t.skillgate(h, "log", "--json", "--last", "100000")
	if err != nil {
		return 0, 0, err
	}
	seen := map[string]bool{}
	lines := bufio.NewScanner(strings.NewReader(string(r.out)))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var entry struct {
			Session  string `json:"session"`
			Decision struct {
				Verdict string `json:"verdict"`
			} `json:"decision"`
		}
		if err := json.Unmarshal(lines.Bytes(), &entry); err != nil {
			return 0, 0, err
		}
		seen[entry.Session] = true
		if entry.Decision.Verdict == "error" {
			bad++
		}
	}
	return len(seen), bad, lines.Err()
}

// largeLibrary measures the libraries of --large together.
func (t *timing) largeLibrary() error {
	if len(t.large) == 0 {
		return nil
	}
	h, err := newHome(filepath.Join(t.dir, "large"))
	if err != nil {
		return err
	}
	if err := t.make(append([]string{"copy", h.skills()}, t.large...)...); err != nil {
		return err
	}
	r, err := t.skillgate(h, "index")
	if err != nil {
		return err
	}
	paths, err := skillFiles(h.skills())
	if err != nil {
		return err
	}
	files, err := h.prompts(h.skills())
	if err != nil {
		return err
	}
	fmt.Fprintf(t.table.out, "\n%d skills\n", len(paths))
	t.table.row("index build", r.wall.Seconds(), "s", 0)
	hooks, unit, err := t.hooks(h, files, t.runs)
	if err != nil {
		return err
	}
	t.table.row("hook, p50", hooks.percentile(50), "ms", 15)
	t.table.row("hook, p50", hooks.percentile(50)/unit.percentile(50), "units", 0)
	t.table.row("hook, peak memory", megabytes(hooks.rss), "MB", 0)
	return nil
}

const (
	shortPrompt = 15  // index terms of a prompt that the tighter limit holds for
	deadline    = 150 // ms, the default of deadline_ms
)

// largest measures skills made from --large.
func (t *timing) largest() error {
	if len(t.large) == 0 || t.skills == 0 {
		return nil
	}
	h, err := newHome(filepath.Join(t.dir, "largest"))
	if err != nil {
		return err
	}
	if err := t.make(append([]string{"vary", fmt.Sprint(t.skills), h.skills()}, t.large...)...); err != nil {
		return err
	}
	r, err := t.skillgate(h, "index")
	if err != nil {
		return err
	}
	fmt.Fprintf(t.table.out, "\n%d skills\n", t.skills)
	t.table.row("index build", r.wall.Seconds(), "s", 240)
	t.table.row("index build, peak memory", megabytes(r.rss), "MB", 1.2*1024)
	if err := t.refresh(h, 2); err != nil {
		return err
	}
	files, err := h.prompts(h.skills())
	if err != nil {
		return err
	}
	short, err := t.short(h, files)
	if err != nil {
		return err
	}
	hooks, unit, err := t.hooks(h, short, t.runs)
	if err != nil {
		return err
	}
	t.table.row(fmt.Sprintf("hook, %d prompts of up to %d index terms, p50", len(short), shortPrompt), hooks.percentile(50)/unit.percentile(50), "units", 8)
	t.table.row("the same, p95", hooks.percentile(95)/unit.percentile(50), "units", 0)
	t.table.row("the same, slowest", hooks.percentile(100), "ms", deadline)
	t.table.row("the same, peak memory", megabytes(hooks.rss), "MB", 0)

	long, err := fromLibrary(h.skills(), 20, 25)
	if err != nil {
		return err
	}
	for _, size := range []int{1_000, 4_000, 20_000, 100_000, 1_000_000} {
		text, err := pasted(h.skills(), size)
		if err != nil {
			return err
		}
		long = append(long, text)
	}
	if files, err = h.writePrompts("long", long); err != nil {
		return err
	}
	if hooks, _, err = t.hooks(h, files, max(t.runs/2, len(files))); err != nil {
		return err
	}
	t.table.row("hook, long prompts of up to 1 MB, p50", hooks.percentile(50), "ms", 0)
	t.table.row("the same, slowest", hooks.percentile(100), "ms", deadline)
	t.table.row("the same, peak memory", megabytes(hooks.rss), "MB", 0)
	return nil
}

// short returns the files of prompts with at most shortPrompt index terms, as the
// hook logs them.
func (t *timing) short(h home, files []string) ([]string, error) {
	var out []string
	for _, file := range files {
		if _, err := t.hook(h, file); err != nil {
			return nil, err
		}
		r, err := t.skillgate(h, "log", "--json", "--last", "1")
		if err != nil {
			return nil, err
		}
		var entry struct {
			Terms []string `json:"terms"`
		}
		if err := json.Unmarshal(r.out, &entry); err != nil {
			return nil, err
		}
		if n := len(entry.Terms); n > 0 && n <= shortPrompt {
			out = append(out, file)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no prompt of up to %d index terms", shortPrompt)
	}
	return out, nil
}
