package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/postgrestest"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/verb/pool"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/neutral"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/triage"
)

// BenchmarkRegistry measures a registry of many skills: imported and indexed skills per second, latency and refusals of
// lookups at RATE requests per second over kept connections, and the memory of the replica, which is a process of its
// own. The skills are recombined from real ones: the frontmatter of one, the body of another, a new name.
//
//	LIBRARIES=FOLDER:FOLDER SKILLS=50000 TENANTS=50 \
//		go test -run '^$' -bench Registry -benchtime 1x -timeout 2h ./cmd/skillgate-org
func BenchmarkRegistry(b *testing.B) {
	folders := filepath.SplitList(os.Getenv("LIBRARIES"))
	if len(folders) == 0 {
		b.Skip("LIBRARIES names no folders of skills")
	}
	number := func(name string, def int) int {
		n, err := strconv.Atoi(cmp.Or(os.Getenv(name), strconv.Itoa(def)))
		require.NoError(b, err)
		return n
	}
	skills, tenants, seconds, rate := number("SKILLS", 5000), number("TENANTS", 5), number("SECONDS", 20), number("RATE", 100)
	entries := realSkills(b, folders)
	database := postgrestest.New(b).Address()
	store, err := truth.Open(b.Context(), database)
	require.NoError(b, err)
	defer store.Close()
	random := rand.New(rand.NewPCG(1, 2))

	start, size, spent := time.Now(), 0, processor(b, os.Getpid())
	for t := range tenants {
		tenant := fmt.Sprintf("t%d", t)
		_, err := store.Import(b.Context(), "bench", tenant, "base", nil, func(yield func(truth.Skill, error) bool) {
			for i := range skills / tenants {
				k := mixed(entries, i, random)
				size += len(k.Text)
				if !yield(k, nil) {
					return
				}
			}
		})
		require.NoError(b, err)
	}
	b.ReportMetric(float64(skills)/time.Since(start).Seconds(), "imported/s")
	b.ReportMetric(float64(size)/float64(skills), "bytes/skill")
	b.ReportMetric((processor(b, os.Getpid())-spent)/float64(skills), "cpu-ms/imported") // without PostgreSQL

	program := filepath.Join(b.TempDir(), "skillgate-org")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	start = time.Now()
	serving, url := serveFor(b, program, database)
	var ready []string // tenants
	for ; len(ready) < tenants; time.Sleep(100 * time.Millisecond) {
		rows, err := store.DB.Query(b.Context(), `SELECT DISTINCT tenant FROM generation`)
		if err == nil {
			ready, err = pgx.CollectRows(rows, pgx.RowTo[string])
		}
		require.NoError(b, err)
	}
	indexed := len(ready) * (skills / tenants)
	b.ReportMetric(float64(indexed), "skills")
	b.ReportMetric(float64(indexed)/time.Since(start).Seconds(), "indexed/s")
	built := peak(b, serving.Process.Pid)
	spent = processor(b, serving.Process.Pid)
	b.ReportMetric(spent/float64(indexed), "cpu-ms/indexed")

	keys := make([]string, len(ready))
	for i, tenant := range ready {
		if keys[i], err = store.NewKey(b.Context(), "bench", truth.Identity{Tenant: tenant, Subject: "bench"}, time.Now().Add(time.Hour)); err != nil {
			b.Fatal(err)
		}
	}
	var unanswered atomic.Int32 // not even with a refusal
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4096}}
	// ask reports whether a lookup was answered and not refused.
	ask := func(key, prompt string) (answered bool) {
		body, _ := json.Marshal(map[string]any{"prompt": prompt})
		req, _ := http.NewRequest("POST", url+"/v1/lookup", bytes.NewReader(body))
		req.Header.Set("Authorization", "Bearer "+key)
		answer, err := client.Do(req)
		if err != nil {
			unanswered.Add(1)
			return false
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusServiceUnavailable {
			b.Errorf("%d %s", answer.StatusCode, text)
		}
		return answer.StatusCode == http.StatusOK
	}
	for _, key := range keys { // fetches the generations
		ask(key, "warm up the cache")
	}
	spent = processor(b, serving.Process.Pid) // another index may have been built meanwhile
	var mu sync.Mutex
	var took, refused []time.Duration
	asked := 0
	var all sync.WaitGroup
	start = time.Now()
	for i := range seconds * rate {
		asked++
		due := start.Add(time.Duration(i) * time.Second / time.Duration(rate))
		time.Sleep(time.Until(due))
		key, prompt := keys[random.IntN(len(keys))], entries[random.IntN(len(entries))].Description
		all.Go(func() {
			answered := ask(key, prompt[:min(len(prompt), 200)])
			mu.Lock()
			defer mu.Unlock()
			if d := time.Since(due); answered { // including the time waiting for the client
				took = append(took, d)
			} else {
				refused = append(refused, d)
			}
		})
	}
	all.Wait()
	b.ReportMetric((processor(b, serving.Process.Pid)-spent)/float64(asked), "cpu-ms/lookup")
	for what, took := range map[string][]time.Duration{"": took, "-refused": refused} {
		if slices.Sort(took); len(took) > 0 {
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms"+what)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms"+what)
		}
	}
	b.ReportMetric(float64(len(refused)), "refused")
	b.ReportMetric(float64(unanswered.Load()), "unanswered")
	b.ReportMetric(built, "MB-building")
	b.ReportMetric(peak(b, serving.Process.Pid), "MB-peak")
	b.ReportMetric(0, "ns/op")
}

func mixed(entries []catalog.Entry, i int, random *rand.Rand) truth.Skill {
	e, of := entries[random.IntN(len(entries))], entries[random.IntN(len(entries))]
	name := fmt.Sprintf("%s-%d", e.Name, i)
	if !neutral.Survives(name, neutral.MaxName) { // the combination looks like a key
		name = fmt.Sprintf("skill-%d", i)
	}
	return pool.Line(&catalog.Entry{Name: name, Pool: catalog.Skill, Frontmatter: e.Frontmatter,
		Description: e.Description, Body: of.Body}, "bench")
}

func realSkills(b *testing.B, folders []string) []catalog.Entry {
	var out []catalog.Entry
	for _, folder := range folders {
		root := catalog.LibraryRoot(folder)
		files, _ := catalog.Files(b.Context(), []catalog.Root{root}, nil)
		for _, f := range files {
			e, err := catalog.Read(root, f)
			require.NoError(b, err)
			if e.Description != "" && len(e.Name) < 64 && !strings.ContainsAny(e.Name, `/\`) {
				out = append(out, e)
			}
		}
	}
	return out
}

func serveFor(b *testing.B, program, database string) (*exec.Cmd, string) {
	cmd := exec.Command(program, "serve", "--database", database, "--listen", "127.0.0.1:0", "--cache", b.TempDir(), "--rate", "1000", "--burst", "1000")
	said, err := cmd.StderrPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	return cmd, listening(b, said)
}

// processor returns the processor time of a process in milliseconds, which does not depend on other load.
func processor(b *testing.B, pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	require.NoError(b, err)
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) * 1000 / 100 // Linux counts hundredths of a second
}

func peak(b *testing.B, pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(b, err)
	for line := range strings.SplitSeq(string(text), "\n") {
		if kb, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, _ := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(kb, "kB")), 64)
			return n / 1024
		}
	}
	return 0
}

// BenchmarkPool measures a lookup in one pool without HTTP and the database: processor time, which does not depend on
// other load, file size per skill, and allocations. The skills are recombined from real ones. POOLS is a folder that
// keeps the indexes; REMEMBER is the limit of remembered postings in MB, 0 for none.
//
//	LIBRARIES=FOLDER SIZES="1000 10000 100000" POOLS=FOLDER \
//		go test -run '^$' -bench Pool -benchtime 1000x -benchmem -timeout 5h ./cmd/skillgate-org
func BenchmarkPool(b *testing.B) {
	folders := filepath.SplitList(os.Getenv("LIBRARIES"))
	if len(folders) == 0 {
		b.Skip("LIBRARIES names no folders of skills")
	}
	entries := realSkills(b, folders)
	remember, err := strconv.Atoi(cmp.Or(os.Getenv("REMEMBER"), "96"))
	require.NoError(b, err)
	for size := range strings.FieldsSeq(cmp.Or(os.Getenv("SIZES"), "1000 10000")) {
		n, err := strconv.Atoi(size)
		require.NoError(b, err)
		random := rand.New(rand.NewPCG(1, uint64(n)))
		dir := filepath.Join(cmp.Or(os.Getenv("POOLS"), b.TempDir()), size)
		x, err := index.Open(dir)
		if err != nil {
			x = recombined(b, dir, entries, n, random)
		}
		files, err := filepath.Glob(filepath.Join(dir, "gen-*", "base.*"))
		require.NoError(b, err)
		bytes := int64(0)
		for _, file := range files {
			info, err := os.Stat(file)
			require.NoError(b, err)
			bytes += info.Size()
		}
		memory := rank.NewMemory(rank.DefaultWeights(), remember<<20)
		b.Run(size, func(b *testing.B) {
			spent, done := processor(b, os.Getpid()), 0
			for b.Loop() {
				y, err := x.Another()
				require.NoError(b, err)
				g := gate.OpenIndexes(gate.Default(), []string{""}, y)
				if remember > 0 {
					g.Ranker().Share(memory, size)
				}
				prompt := entries[random.IntN(len(entries))].Description
				g.Decide(b.Context(), gate.Request{Prompt: triage.Classify(prompt[:min(len(prompt), 200)]), K: 5})
				g.Close()
				done++
			}
			b.ReportMetric((processor(b, os.Getpid())-spent)/float64(done), "cpu-ms/lookup")
			b.ReportMetric(float64(bytes)/float64(n), "file-B/skill")
		})
		x.Close()
	}
}

// recombined builds a pool of n skills, each with the frontmatter of one skill, the body of another and a new name.
func recombined(b *testing.B, dir string, entries []catalog.Entry, n int, random *rand.Rand) *index.Index {
	all := make([]catalog.Entry, n)
	for i := range all {
		e, of := entries[random.IntN(len(entries))], entries[random.IntN(len(entries))]
		e.Name = fmt.Sprintf("%s-%d", e.Name, i)
		e.Folder, e.ID, e.Hash, e.Source = "base/"+e.Name, "base/"+e.Name, e.Name, catalog.Agents
		e.Body, e.Headings = of.Body, of.Headings
		all[i] = e
	}
	spent := processor(b, os.Getpid())
	_, err := index.Build(b.Context(), index.Options{
		Dir: dir, Scope: "bench", Entries: all, Background: gate.Background, Now: time.Now,
		Risk: func(*catalog.Entry) float64 { return 0 },
	})
	require.NoError(b, err)
	fmt.Fprintf(os.Stderr, "%d skills indexed, %.2f ms of processor time each\n", n,
		(processor(b, os.Getpid())-spent)/float64(n))
	x, err := index.Open(dir)
	require.NoError(b, err)
	return x
}
