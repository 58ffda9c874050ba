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
	"syscall"
	"testing"
	"time"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/postgrestest"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/verb/pool"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/neutral"
)

// BenchmarkRegistry measures a registry of many skills: how many a second are imported and indexed,
// how long a lookup takes at 100 requests a second, and the memory of the replica, which is a process
// of its own beside PostgreSQL and the clients. The skills are made from real ones by recombination:
// the frontmatter of one, the body of another, a new name.
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
		if err != nil {
			b.Fatal(err)
		}
		return n
	}
	skills, tenants, seconds := number("SKILLS", 5000), number("TENANTS", 5), number("SECONDS", 20)
	entries := realSkills(b, folders)
	database := postgrestest.New(b).Address()
	store, err := truth.Open(b.Context(), database)
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	random := rand.New(rand.NewPCG(1, 2))

	start, size := time.Now(), 0
	for t := range tenants {
		tenant := fmt.Sprintf("t%d", t)
		err := store.SetTenant(b.Context(), "bench", tenant, 1, false, nil)
		if err == nil {
			err = store.SetPool(b.Context(), "bench", tenant, "base", nil)
		}
		if err == nil {
			_, err = store.Import(b.Context(), "bench", tenant, "base", func(yield func(truth.Skill, error) bool) {
				for i := range skills / tenants {
					e, of := entries[random.IntN(len(entries))], entries[random.IntN(len(entries))]
					name := fmt.Sprintf("%s-%d", e.Name, i)
					if !neutral.Survives(name, neutral.MaxName) { // together they look like a key
						name = fmt.Sprintf("skill-%d", i)
					}
					k := pool.Line(&catalog.Entry{Name: name, Pool: catalog.Skill, Frontmatter: e.Frontmatter, Description: e.Description, Body: of.Body}, "bench")
					size += len(k.Text)
					if !yield(k, nil) {
						return
					}
				}
			})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(skills)/time.Since(start).Seconds(), "imported/s")
	b.ReportMetric(float64(size)/float64(skills), "bytes/skill")

	program := filepath.Join(b.TempDir(), "skillgate-org")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	start = time.Now()
	serving, url := serveFor(b, program, database)
	for {
		var n int
		if err := store.DB.QueryRow(b.Context(), `SELECT count(*) FROM generation`).Scan(&n); err != nil {
			b.Fatal(err)
		}
		if n == tenants {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	b.ReportMetric(float64(skills)/time.Since(start).Seconds(), "indexed/s")
	built := peak(b, serving.Process.Pid)
	spent := processor(b, serving.Process.Pid)
	b.ReportMetric(spent/float64(skills), "cpu-ms/indexed")

	keys := make([]string, tenants)
	for t := range keys {
		if keys[t], err = store.NewKey(b.Context(), "bench", truth.Who{Tenant: fmt.Sprintf("t%d", t), Subject: "bench"}, time.Now().Add(time.Hour)); err != nil {
			b.Fatal(err)
		}
	}
	ask := func(key, prompt string) {
		body, _ := json.Marshal(map[string]any{"prompt": prompt})
		req, _ := http.NewRequest("POST", url+"/v1/lookup", bytes.NewReader(body))
		req.Header.Set("Authorization", "Bearer "+key)
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			b.Error(err)
			return
		}
		defer answer.Body.Close()
		if text, _ := io.ReadAll(answer.Body); answer.StatusCode != 200 {
			b.Errorf("%d %s", answer.StatusCode, text)
		}
	}
	for _, key := range keys { // fetches the generations
		ask(key, "warm up the cache")
	}
	spent = processor(b, serving.Process.Pid)
	const rate = 100
	took := make([]time.Duration, seconds*rate)
	var all sync.WaitGroup
	start = time.Now()
	for i := range took {
		due := start.Add(time.Duration(i) * time.Second / rate)
		time.Sleep(time.Until(due))
		key, prompt := keys[random.IntN(tenants)], entries[random.IntN(len(entries))].Description
		all.Go(func() {
			ask(key, prompt[:min(len(prompt), 200)])
			took[i] = time.Since(due) // a request that waits for the client counts as well
		})
	}
	all.Wait()
	b.ReportMetric((processor(b, serving.Process.Pid)-spent)/float64(len(took)), "cpu-ms/lookup")
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(built, "MB-building")
	b.ReportMetric(peak(b, serving.Process.Pid), "MB-peak")
	b.ReportMetric(0, "ns/op")
}

// realSkills reads the skills of folders.
func realSkills(b *testing.B, folders []string) []catalog.Entry {
	var out []catalog.Entry
	for _, folder := range folders {
		root := catalog.LibraryRoot(folder)
		files, _ := catalog.Files(b.Context(), []catalog.Root{root}, nil)
		for _, f := range files {
			e, err := catalog.Read(root, f)
			if err != nil {
				b.Fatal(err)
			}
			if e.Description != "" && len(e.Name) < 64 && !strings.Contains(e.Name, "/") {
				out = append(out, e)
			}
		}
	}
	return out
}

// serveFor starts a replica, which ends with the benchmark.
func serveFor(b *testing.B, program, database string) (*exec.Cmd, string) {
	cmd := exec.Command(program, "serve", "--database", database, "--listen", "127.0.0.1:0", "--cache", b.TempDir(), "--rate", "1000", "--burst", "1000")
	said, err := cmd.StderrPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	return cmd, listening(b, said)
}

// processor is the processor time that a process has used, in milliseconds: unlike the time that
// passes it says the same on a machine that does other work too.
func processor(b *testing.B, pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) * 1000 / 100 // Linux counts hundredths of a second
}

// peak is the most memory that a process had in use, in MB.
func peak(b *testing.B, pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if kb, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, _ := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(kb, "kB")), 64)
			return n / 1024
		}
	}
	return 0
}
