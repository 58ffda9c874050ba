// Command timing measures the hook from outside, as the host meets it: what install.sh
// installs, a process for every prompt, from its start to its end, with the page cache warm.
//
//	go run ./testdata/timing FOLDER FOLDER...
//
// It measures on the skills of the first folder (FOLDER/*/SKILL.md), on those of all others
// together, and on 80,000 made of the same texts with other words, and prints medians. A
// unit is an empty Go program, run in turns with the hook, so that a slow moment of the
// machine meets both. Peak memory is what Linux says of the process; it starts at
// that of its parent, which stays small.
//
// Exit status: 0 all figures within their limits, 1 some are not or it failed.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	largest = 80_000
	runs    = 200 // timed for a figure, after warmUps
	warmUps = 10
)

// prompts of everyday work; half as many again are made of the library.
var prompts = []string{
	"이 회의 녹취록을 회의록으로 정리해줘",
	"우리 서비스 로그에서 오류가 늘어난 원인을 찾아줘",
	"write unit tests for the payment module and run them",
	"review the open pull request for security problems and suggest fixes",
	"엑셀 매출 데이터를 월별로 집계하고 그래프로 그려줘",
	"turn this blog post into a short newsletter for customers",
	"고객 문의에 보낼 사과 메일 초안을 써줘",
	"set up a CI pipeline that builds the container and deploys it to staging",
}

var greetings = []string{"안녕하세요!", "thanks, that works", "ㅇㅇ 진행해줘"}

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("usage: go run ./testdata/timing FOLDER FOLDER...")
	}
	dir, err := os.MkdirTemp("", "skillgate-timing-")
	if err != nil {
		log.Fatal(err)
	}
	within, err := measure(dir, os.Args[1], os.Args[2:])
	if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
		log.Fatal(err)
	}
	if !within {
		os.Exit(1)
	}
}

// measure installs skillgate below dir and prints the figures.
func measure(dir, library string, others []string) (within bool, err error) {
	m := machine{home: filepath.Join(dir, "first"), skillgate: filepath.Join(dir, "bin", "skillgate"),
		empty: filepath.Join(dir, "empty")}
	paths, err := install(m.home, -1, library)
	if err != nil {
		return false, err
	}
	goEnv, err := exec.Command("go", "env", "GOPATH", "GOMODCACHE", "GOCACHE").Output()
	if err != nil {
		return false, err
	}
	caches := strings.Split(string(goEnv), "\n")
	setup := exec.Command("./install.sh", "--no-hook", "--prefix", dir)
	setup.Env = append(os.Environ(), "HOME="+m.home, "GOPATH="+caches[0], "GOMODCACHE="+caches[1], "GOCACHE="+caches[2])
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", m.empty+".linked",
		"./testdata/timing/empty")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	for _, cmd := range []*exec.Cmd{setup, build} {
		if out, err := cmd.CombinedOutput(); err != nil {
			return false, fmt.Errorf("%s: %w\n%s", cmd, err, out)
		}
	}
	program, err := os.ReadFile(m.empty + ".linked")
	if err == nil {
		err = os.WriteFile(m.empty, program, 0o700) // at once, as install.sh does
	}
	if err != nil {
		return false, err
	}
	if err := m.rows(paths, limits{hook: 3.6, greeting: 2.7, memory: 40}); err != nil {
		return false, err
	}
	for i, n := range []int{-1, largest} {
		var most limits
		if n == largest {
			most.hook = 8
		}
		m.home = filepath.Join(dir, fmt.Sprint(i))
		if paths, err = install(m.home, n, others...); err == nil {
			err = m.rows(paths, most)
		}
		if err != nil {
			return false, err
		}
	}
	return !m.over, nil
}

// install writes the skills of the folders as those of a user whose home is new, and returns
// their files: all of them, or n with words exchanged, where n is not negative.
func install(home string, n int, folders ...string) (files []string, err error) {
	var from []string
	for _, folder := range folders {
		paths, err := filepath.Glob(filepath.Join(folder, "*", "SKILL.md"))
		if err != nil || len(paths) == 0 {
			return nil, fmt.Errorf("%s: no */SKILL.md (%v)", folder, err)
		}
		from = append(from, paths...)
	}
	random := rand.New(rand.NewPCG(1, 1)) // the same arguments give the same skills
	var words []string
	for i := range max(len(from), n) {
		text, err := os.ReadFile(from[i%len(from)])
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("%s-%d", filepath.Base(filepath.Dir(from[i%len(from)])), i)
		if n >= 0 {
			text, words = exchange(text, words, random)
			text = nameLine.ReplaceAll(text, []byte("name: "+name))
		}
		file := filepath.Join(home, ".claude", "skills", name, "SKILL.md")
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, text, 0o600)); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

var (
	word     = regexp.MustCompile(`\pL{4,} `) // never a key of the frontmatter
	nameLine = regexp.MustCompile(`(?m)^name:.*$`)
)

// exchange replaces every third word of a text by one of words, every twentieth of those by
// one that there was not before, and returns words with those of the text.
func exchange(text []byte, words []string, random *rand.Rand) (changed []byte, all []string) {
	const most = 50_000
	changed = word.ReplaceAllFunc(text, func(w []byte) []byte {
		if len(words) < most {
			words = append(words, string(w))
		}
		if random.IntN(3) > 0 {
			return w
		}
		other := words[random.IntN(len(words))]
		if random.IntN(20) == 0 {
			return fmt.Appendf(nil, "%s%x ", other[:len(other)-1], random.IntN(1<<16))
		}
		return []byte(other)
	})
	return changed, words
}

// machine is what is measured, in a home.
type machine struct {
	home, skillgate, empty string
	over                   bool // a limit
}

// limits of figures in units and megabytes; 0 is none.
type limits struct{ hook, greeting, memory float64 }

// rows indexes the skills of the home, registers the hook there and prints the figures.
func (m *machine) rows(files []string, most limits) error {
	fmt.Printf("\n%d skills\n", len(files))
	index, err := m.run(nil, m.skillgate, "index", "--full")
	if err != nil {
		return err
	}
	if _, err := m.run(nil, m.skillgate, "install", "--yes"); err != nil {
		return err
	}
	m.row("index build", index.wall.Seconds(), "s", 0)
	m.row("index build, peak memory", index.memory, "MB", 0)
	texts := slices.Clone(prompts)
	for i := range len(prompts) / 2 {
		text, err := os.ReadFile(files[i*len(files)*2/len(prompts)])
		if err != nil {
			return err
		}
		_, description, _ := strings.Cut(string(text), "\ndescription:")
		words := strings.Fields(description)
		texts = append(texts, "please "+strings.Join(words[:min(10, len(words))], " "))
	}
	hook, unit, err := m.median(texts, 1)
	if err != nil {
		return err
	}
	m.row("an empty program, the unit", unit.wall.Seconds()*1000, "ms", 0)
	m.row("hook, p50", hook.wall.Seconds()*1000, "ms", 0)
	m.row("hook, p50", hook.wall.Seconds()/unit.wall.Seconds(), "units", most.hook)
	m.row("hook, peak memory", hook.memory, "MB", most.memory)
	hook, unit, err = m.median(texts, len(texts))
	if err != nil {
		return err
	}
	m.row("in long sessions, p50", hook.wall.Seconds()*1000, "ms", 0)
	m.row("in long sessions, p50", hook.wall.Seconds()/unit.wall.Seconds(), "units", 0)
	hook, unit, err = m.median(greetings, 1)
	if err != nil {
		return err
	}
	m.row("greeting, p50", hook.wall.Seconds()*1000, "ms", 0)
	m.row("greeting, p50", hook.wall.Seconds()/unit.wall.Seconds(), "units", most.greeting)
	return nil
}

// row prints one figure.
func (m *machine) row(name string, value float64, unit string, most float64) {
	limit := ""
	if most > 0 {
		limit = fmt.Sprintf("   ≤ %.1f %s", most, unit)
		if value > most {
			limit += "  OVER"
			m.over = true
		}
	}
	fmt.Printf("%-28s %14s%s\n", name, fmt.Sprintf("%.1f %s", value, unit), limit)
}

// result is one run of a process, or the median time and most memory of many.
type result struct {
	wall   time.Duration
	memory float64 // MB
}

// median times the hook on prompts in turn, in turns with the empty program. A session has so
// many prompts: what the hook has to remember of it grows.
func (m *machine) median(prompts []string, session int) (hook, unit result, err error) {
	var hooks, units []result
	for i := range warmUps + runs {
		input, err := json.Marshal(map[string]string{
			"hook_event_name": "UserPromptSubmit", "session_id": fmt.Sprintf("timing-%d-%d", session, i/session), "cwd": m.home,
			"prompt": prompts[i%len(prompts)],
		})
		if err != nil {
			return hook, unit, err
		}
		h, err1 := m.run(input, m.skillgate, "hook")
		u, err2 := m.run(nil, m.empty)
		if err := errors.Join(err1, err2); err != nil {
			return hook, unit, err
		}
		if i >= warmUps {
			hooks, units = append(hooks, h), append(units, u)
		}
	}
	return middle(hooks), middle(units), nil
}

func middle(results []result) result {
	slices.SortFunc(results, func(a, b result) int { return int(a.wall - b.wall) })
	out := results[len(results)/2]
	for _, r := range results {
		out.memory = max(out.memory, r.memory)
	}
	return out
}

// run measures one process, whose standard streams are pipes as the host's are.
func (m *machine) run(input []byte, name string, args ...string) (result, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = []string{"HOME=" + m.home, "PATH=/usr/bin:/bin"}
	stdin, err1 := cmd.StdinPipe()
	stdout, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		return result{}, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return result{}, err
	}
	_, _ = stdin.Write(input) // the empty program reads nothing
	stdin.Close()
	answer, err := io.ReadAll(stdout)
	if err := errors.Join(err, cmd.Wait()); err != nil {
		return result{}, fmt.Errorf("%s: %w\n%s", cmd, err, answer)
	}
	r := result{wall: time.Since(start)}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.memory = float64(usage.Maxrss) / 1024
	}
	return r, nil
}
