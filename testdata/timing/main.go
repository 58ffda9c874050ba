// Command timing measures programs as a host runs them: a process for each prompt, from its
// start to its end, with a warm page cache.
//
//	go run ./testdata/timing [-runs 200] [-rows REGEXP] FOLDER NAME=PROGRAM [NAME=PROGRAM...]
//
// FOLDER contains library-ko, library-en and library-skillsbench as .jsonl.gz files with a skill on each line
// (name, frontmatter, body). Each PROGRAM is the bin/skillgate of an installation. All programs work in the
// same homes, each with its own index and state. In every round all of them run in random order, together with
// an empty Go program, whose time is the unit, an empty C program if there is a cc, and, when indexing, gzip -9
// of the skills' texts, whose time is the unit of indexing.
//
// Each row has the medians of wall time (also in units), processor time, page faults and peak memory. Each ratio
// of two medians has a 95 % interval, by bootstrap over the rounds. The last columns compare a program with the
// first one.
//
// A small separate process starts the programs, since Linux counts the memory of the starting process as that
// of the new one.
package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
)

const largest = 80_000

// prompts are everyday requests, one for each turn of a session.
var prompts = []string{
	"이 회의 녹취록을 회의록으로 정리해줘",
	"우리 서비스 로그에서 오류가 늘어난 원인을 찾아줘",
	"write unit tests for the payment module and run them",
	"review the open pull request for security problems and suggest fixes",
	"엑셀 매출 데이터를 월별로 집계하고 그래프로 그려줘",
	"turn this blog post into a short newsletter for customers",
	"고객 문의에 보낼 사과 메일 초안을 써줘",
	"set up a CI pipeline that builds the container and deploys it to staging",
	"find out why the nightly import of customer records takes twice as long as last week",
	"발표 자료의 문장을 더 짧고 쉽게 고쳐줘",
	"translate the release notes into German and keep the headings",
	"데이터베이스 스키마를 바꾸는 마이그레이션을 만들어줘",
}

var greetings = []string{"안녕하세요!", "thanks, that works", "ㅇㅇ 진행해줘"}

func main() {
	log.SetFlags(0)
	if len(os.Args) == 2 && os.Args[1] == spawner {
		debug.SetGCPercent(10)
		if err := serve(os.Stdin, os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}
	runs := flag.Int("runs", 200, "run `N` rounds per row of prompts; for indexing a fortieth of that, at least three")
	rows := flag.String("rows", "", "measure only the rows whose names match `REGEXP`")
	flag.Parse()
	only, err := regexp.Compile(*rows)
	if err != nil || flag.NArg() < 2 {
		log.Fatal("usage: go run ./testdata/timing [-runs N] [-rows REGEXP] FOLDER NAME=PROGRAM [NAME=PROGRAM...]")
	}
	dir, err := os.MkdirTemp("", "skillgate-timing-")
	if err == nil {
		err = measure(dir, flag.Arg(0), flag.Args()[1:], *runs, only)
		err = errors.Join(err, os.RemoveAll(dir))
	}
	if err != nil {
		log.Fatal(err)
	}
}

// rival is a program that runs in every round: a measured one, or a unit such as the empty program.
type rival struct {
	name, file string
	unit       bool
}

type bench struct {
	dir    string
	rivals []rival // the measured programs, then the units for hooks
	runs   int
	only   *regexp.Regexp
	spawn  func(job) (usage, error)
}

type home struct {
	dir    string
	skills []skill
}

// measure prepares the homes below dir and prints the rows.
func measure(dir, libraries string, programs []string, runs int, only *regexp.Regexp) error {
	b := bench{dir: dir, runs: runs, only: only}
	for _, p := range programs {
		name, file, ok := strings.Cut(p, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=PROGRAM", p)
		}
		b.rivals = append(b.rivals, rival{name: name, file: file})
	}
	if err := b.units(); err != nil {
		return err
	}
	stop, err := b.start()
	if err != nil {
		return err
	}
	defer stop()
	var ko, en, tasks []skill
	for _, l := range []struct {
		name string
		to   *[]skill
	}{{"ko", &ko}, {"en", &en}, {"skillsbench", &tasks}} {
		if *l.to, err = load(filepath.Join(libraries, "library-"+l.name+".jsonl.gz")); err != nil {
			return err
		}
	}
	fmt.Printf("%-30s %11s  %-19s %11s %6s %9s  %-19s %s\n",
		"row, skills, program", "wall", "units", "processor", "faults", "memory", "wall, × the first", "processor")
	for _, size := range []struct {
		skills []skill
		n      int
		row    func(*bench, home) error
	}{
		{ko, len(ko), (*bench).small},
		{en, len(en), (*bench).indexing},
		{slices.Concat(en, tasks), len(en) + len(tasks), (*bench).large},
		{slices.Concat(en, tasks), largest, (*bench).huge},
	} {
		names := []string{"hook", "first prompt", "later prompts", "greeting", "indexing", "one changed"}
		if !slices.ContainsFunc(names, func(n string) bool { return only.MatchString(row(n, size.n)) }) {
			continue
		}
		h, err := b.home(size.skills, size.n)
		if err != nil {
			return err
		}
		if err := errors.Join(size.row(&b, h), os.RemoveAll(h.dir)); err != nil {
			return err
		}
	}
	return nil
}

func row(name string, skills int) string { return fmt.Sprintf("%s, %d", name, skills) }

func (b *bench) units() error {
	unit := rival{"go", filepath.Join(b.dir, "empty"), true}
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", unit.file, "./testdata/timing/empty")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", build, err, out)
	}
	b.rivals = append(b.rivals, unit)
	c := rival{"c", filepath.Join(b.dir, "empty-c"), true}
	source := exec.Command("cc", "-O2", "-static", "-x", "c", "-o", c.file, "-")
	source.Stdin = strings.NewReader("int main(void) { return 0; }\n")
	if source.Run() == nil { // without cc, this unit is left out
		b.rivals = append(b.rivals, c)
	}
	return nil
}

func (b *bench) start() (stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, spawner)
	cmd.Stderr = os.Stderr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		return nil, err
	}
	to, from := json.NewEncoder(in), json.NewDecoder(out)
	b.spawn = func(j job) (u usage, err error) {
		err = errors.Join(to.Encode(j), from.Decode(&u))
		if u.Err != "" {
			err = fmt.Errorf("%q: %s", j.Args, u.Err)
		}
		return u, err
	}
	return func() { in.Close(); _ = cmd.Wait() }, nil
}

// small measures indexing, prompts and greetings with a library the size of a team's.
func (b *bench) small(h home) error {
	n := len(h.skills)
	return errors.Join(b.indexing(h), b.hook(row("first prompt", n), h, prompts, 1),
		b.hook(row("later prompts", n), h, prompts, len(prompts)), b.hook(row("greeting", n), h, greetings, 1))
}

// large measures prompts and the refresh after a change with a library of all public skills.
func (b *bench) large(h home) error {
	n := len(h.skills)
	return errors.Join(b.index(h), b.hook(row("hook", n), h, prompts, 1), b.changed(h))
}

func (b *bench) huge(h home) error {
	return errors.Join(b.index(h), b.hook(row("hook", largest), h, prompts, 1))
}

// index makes each program index the skills of a home.
func (b *bench) index(h home) error {
	for _, r := range b.programs() {
		if _, err := b.spawn(b.job(h, r, "", "index", "--full")); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) programs() []rival {
	return slices.DeleteFunc(slices.Clone(b.rivals), func(r rival) bool { return r.unit })
}

func (b *bench) job(h home, r rival, input string, args ...string) job {
	own := filepath.Join(h.dir, "of-"+r.name)
	return job{
		Args: append([]string{r.file}, args...), Input: input, Dir: h.dir,
		Env: []string{"HOME=" + h.dir, "PATH=/usr/bin:/bin", "XDG_CACHE_HOME=" + own, "XDG_STATE_HOME=" + own},
	}
}

// indexing measures building the index of all skills, in units of gzip -9 of their texts.
func (b *bench) indexing(h home) error {
	texts := filepath.Join(h.dir, "texts")
	var all strings.Builder
	for _, s := range h.skills {
		all.WriteString(s.text())
	}
	if err := os.WriteFile(texts, []byte(all.String()), 0o600); err != nil {
		return err
	}
	name := row("indexing", len(h.skills))
	if !b.only.MatchString(name) {
		return b.index(h)
	}
	rivals := append(b.programs(), rival{"gzip -9", "/bin/sh", true})
	return b.rounds(name, rivals, 0, max(3, b.runs/40), func(_ int, r rival) (job, bool) {
		if r.unit {
			return b.job(h, r, "", "-c", `exec gzip -9 -c "$0" >"$0.gz"`, texts), true
		}
		return b.job(h, r, "", "index", "--full"), true
	})
}

// changed measures indexing after a change of one skill.
func (b *bench) changed(h home) error {
	rounds := max(5, b.runs/10)
	seen := map[string]int{}
	return b.rounds(row("one changed", len(h.skills)), b.rivals, 0, rounds, func(i int, r rival) (job, bool) {
		if r.unit {
			return b.job(h, r, ""), true
		}
		s := h.skills[(i+seen[r.name])%len(h.skills)]
		s.Body += fmt.Sprintf("\nround %d of %s\n", i, r.name)
		return b.job(h, r, "", "index"), s.write(h.dir) == nil
	})
}

// hook measures the answers to prompts, one after another. A session has `session` prompts. If it has several, the
// first one does not count.
func (b *bench) hook(name string, h home, prompts []string, session int) error {
	warmUps, rounds := 12, b.runs*session/max(session-1, 1)
	return b.rounds(name, b.rivals, warmUps, rounds, func(i int, r rival) (job, bool) {
		counts := session == 1 || i%session > 0
		if r.unit {
			return b.job(h, r, ""), counts
		}
		input, err := json.Marshal(map[string]string{
			"hook_event_name": "UserPromptSubmit", "session_id": fmt.Sprintf("%s %d %d", name, session, i/session),
			"cwd": h.dir, "prompt": prompts[i%len(prompts)],
		})
		return b.job(h, r, string(input), "hook"), counts && err == nil
	})
}

// rounds runs the jobs that next returns for each rival, n times in random order, and prints the row. It leaves out the
// warm-ups and jobs that do not count.
func (b *bench) rounds(name string, rivals []rival, warmUps, n int, next func(int, rival) (j job, counts bool)) error {
	if !b.only.MatchString(name) {
		return nil
	}
	results := map[string][]usage{}
	order := slices.Clone(rivals)
	for i := range warmUps + n {
		rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, r := range order {
			j, counts := next(i, r)
			u, err := b.spawn(j)
			if err != nil {
				return err
			}
			if counts && i >= warmUps {
				results[r.name] = append(results[r.name], u)
			}
		}
	}
	unit := rivals[slices.IndexFunc(rivals, func(r rival) bool { return r.unit })].name
	by := wall
	if strings.HasPrefix(name, "indexing") {
		by = cpu // a build uses several cores
	}
	for _, r := range rivals {
		u := results[r.name]
		line := fmt.Sprintf("%-30s %8.2f ms  %-19s %8.2f ms %6.0f %6.1f MB", name+", "+r.name, median(u, wall),
			ratio(u, results[unit], by), median(u, cpu), median(u, faults), median(u, memory))
		if r != rivals[0] && !r.unit {
			first := results[rivals[0].name]
			line += fmt.Sprintf("  %-19s %s", ratio(u, first, wall), ratio(u, first, cpu))
		}
		fmt.Println(line)
	}
	return nil
}

func wall(u usage) float64   { return u.Wall }
func cpu(u usage) float64    { return u.CPU }
func faults(u usage) float64 { return float64(u.Faults) }
func memory(u usage) float64 { return u.MB }

func median(of []usage, by func(usage) float64) float64 {
	values := make([]float64, len(of))
	for i, u := range of {
		values[i] = by(u)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// ratio returns the ratio of two medians with its 95 % interval, by bootstrap over the rounds.
func ratio(of, to []usage, by func(usage) float64) string {
	const samples = 1000
	var ratios []float64
	a, b := make([]usage, len(of)), make([]usage, len(of))
	for range samples {
		for i := range a {
			n := rand.IntN(len(of))
			a[i], b[i] = of[n], to[n]
		}
		ratios = append(ratios, median(a, by)/median(b, by))
	}
	slices.Sort(ratios)
	return fmt.Sprintf("%.2f [%.2f, %.2f]", median(of, by)/median(to, by), ratios[samples/40], ratios[samples-samples/40])
}

// skill is a line of a library file.
type skill struct{ Name, Frontmatter, Body string }

func (s skill) text() string {
	return "---\n" + strings.TrimRight(s.Frontmatter, "\n") + "\n---\n" + s.Body
}

func (s skill) write(home string) error {
	file := filepath.Join(home, ".claude", "skills", s.Name, "SKILL.md")
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(s.text()), 0o600))
}

func load(file string) (skills []skill, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for lines := json.NewDecoder(text); ; {
		var s skill
		if err := lines.Decode(&s); errors.Is(err, io.EOF) {
			return skills, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		skills = append(skills, s)
	}
}

// home writes n skills to a new home. If fewer are given, they are repeated with some words exchanged.
func (b *bench) home(skills []skill, n int) (home, error) {
	h := home{dir: filepath.Join(b.dir, "home")}
	random := rand.New(rand.NewPCG(1, 1)) // a fixed seed makes the same skills each time
	var words []string
	for i := range n {
		s := skills[i%len(skills)]
		s.Name = fmt.Sprintf("%s-%d", cmp.Or(s.Name, "unnamed"), i) // some libraries use a name twice
		s.Name = unsafeInNames.ReplaceAllString(s.Name, "-")
		if n > len(skills) {
			var text string
			text, words = exchange(s.text(), words, random)
			_, text, _ = strings.Cut(nameLine.ReplaceAllString(text, "name: "+s.Name), "---\n")
			s.Frontmatter, s.Body, _ = strings.Cut(text, "\n---\n")
		}
		if err := s.write(h.dir); err != nil {
			return h, err
		}
		h.skills = append(h.skills, s)
	}
	return h, nil
}

var (
	word          = regexp.MustCompile(`\pL{4,} `) // does not match keys of the frontmatter
	nameLine      = regexp.MustCompile(`(?m)^name:.*$`)
	unsafeInNames = regexp.MustCompile(`[/\x00-\x1f]`)
)

// exchange replaces a random third of the longer words in text with others from words, and alters one in twenty of
// these. It returns words with those of text added.
func exchange(text string, words []string, random *rand.Rand) (changed string, all []string) {
	const most = 50_000
	changed = word.ReplaceAllStringFunc(text, func(w string) string {
		if len(words) < most {
			words = append(words, w)
		}
		if random.IntN(3) > 0 {
			return w
		}
		other := words[random.IntN(len(words))]
		if random.IntN(20) == 0 {
			return fmt.Sprintf("%s%x ", other[:len(other)-1], random.IntN(1<<16))
		}
		return other
	})
	return changed, words
}
