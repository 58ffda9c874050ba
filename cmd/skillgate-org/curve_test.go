package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/triage"
)

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
