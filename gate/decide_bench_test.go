package gate_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/triage"
)

func onDisk(t testing.TB) *gate.Gate {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", "testdata", "library"))
	require.NoError(t, err)
	dir := t.TempDir()
	_, err = index.Build(context.Background(), index.Options{
		Dir: dir, Scope: "bench", Roots: []catalog.Root{catalog.LibraryRoot(root)}, Now: time.Now,
	})
	require.NoError(t, err)
	x, err := index.Open(dir)
	require.NoError(t, err)
	g := gate.OpenIndexes(gate.Default(), []string{"bench"}, x)
	t.Cleanup(func() { g.Close() })
	return g
}

// asked has prompts of different cost, with the most allocations
// that a decision may take: half as many again as it takes now.
var asked = []struct {
	name, prompt string
	allocations  float64
}{
	{"greeting", "안녕하세요!", 20},
	{"Korean", "이번 분기 매출 엑셀로 집계하고 그래프 그려줘", 2800},
	{"English", "review this Go package for races and leaked goroutines", 2500},
	{"mixed", "Terraform으로 GCP에 VPC 구성해줘", 1600},
	{"composite", "profile this CSV, then make a chart of the outliers, then put it on slides", 5500},
	{"native", "why does this function return null when the list is empty", 3400},
}

func TestAllocations(t *testing.T) {
	g := onDisk(t)
	for _, tt := range asked {
		t.Run(tt.name, func(t *testing.T) {
			got := testing.AllocsPerRun(20, func() {
				g.Decide(context.Background(), gate.Request{Prompt: triage.Classify(tt.prompt)})
			})
			assert.LessOrEqual(t, got, tt.allocations)
		})
	}
}

// Run with -count=10 before and after a change, and compare with benchstat.
func BenchmarkDecide(b *testing.B) {
	g := onDisk(b)
	for _, tt := range asked {
		b.Run(tt.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g.Decide(context.Background(), gate.Request{Prompt: triage.Classify(tt.prompt)})
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	root, err := filepath.Abs(filepath.Join("..", "testdata", "library"))
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	if _, err := index.Build(context.Background(), index.Options{
		Dir: dir, Scope: "bench", Roots: []catalog.Root{catalog.LibraryRoot(root)}, Now: time.Now,
	}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		x, err := index.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		x.Close()
	}
}
