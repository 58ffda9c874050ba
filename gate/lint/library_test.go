package lint

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/system"
)

func TestParallelCallsEachOnce(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 1000} {
		calls := make([]atomic.Int32, n)
		parallel(n, func(i int) { calls[i].Add(1) })
		for i := range calls {
			got := calls[i].Load()
			assert.Equal(t, int32(1), got, "parallel(%d) called f(%d) %d times, want once", n, i, got)
		}
	}
}

// A panic in a worker reaches the caller, which may recover.
func TestParallelPanicsInTheCaller(t *testing.T) {
	err := system.Caught(func() error {
		parallel(1000, func(i int) {
			if i == 500 {
				panic("boom")
			}
		})
		return nil
	})
	assert.ErrorIs(t, err, system.ErrCaught)
}

// Test fixtures are not checked unless the command names them.
func TestLoadLeavesFixturesOut(t *testing.T) {
	l := library(t, Example{Files: []ExampleFile{
		{"tests/Fixtures/pdf/SKILL.md", "# PDF\n"}, {"testdata/skills/pdf/SKILL.md", "# PDF\n"},
		{"skills/fixtures/SKILL.md", page("fixtures", "Makes fixtures. Use when a test needs one.")},
	}})
	require.Len(t, l.Skills, 1)
	assert.Equal(t, "fixtures", l.Skills[0].Name)
	top := strings.TrimSuffix(l.Skills[0].Path, "/skills/fixtures/SKILL.md")
	below := []catalog.Root{catalog.LibraryRoot(top + "/tests/Fixtures")}
	skills, _ := Load(t.Context(), below, func(p string) string { return p })
	assert.Len(t, skills, 1)
}

func TestLinkToAPage(t *testing.T) {
	top := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(top, "skills", "okr"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(top, "okr.md"), []byte("# OKR\n"), 0o644))
	require.NoError(t, os.Symlink(filepath.Join(top, "okr.md"), filepath.Join(top, "skills", "okr", "SKILL.md")))
	skills, _ := Load(t.Context(), []catalog.Root{catalog.LibraryRoot(filepath.Join(top, "skills"))}, func(p string) string { return p })
	got := Run(NewLibrary(skills, nil), Options{Rules: map[string]bool{Unreadable: true}}).Findings
	require.Len(t, got, 1)
	assert.Equal(t, Info, got[0].Severity, got[0].Text)
}
