package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVersionsHaveFoldersOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, dir := range []string{
		Dir("/c", "shared:/x"), dirOf("/c", "shared:/x", Format+1, AnalyzerVersion), dirOf("/c", "shared:/x", Format, AnalyzerVersion+"1"), Dir("/c", "shared:/y"),
	} {
		if seen[dir] || filepath.Dir(dir) != "/c/index" {
			t.Errorf("Dir = %s, want another folder below /c/index for each", dir)
		}
		seen[dir] = true
	}
}

func TestSweepVersions(t *testing.T) {
	now := time.Now()
	cache := t.TempDir()
	n := 0
	made := func(manifest string, age time.Duration) string {
		n++
		dir := filepath.Join(cache, "index", fmt.Sprintf("%016x", n))
		err := errors.Join(os.MkdirAll(filepath.Join(dir, "gen-1"), 0o700), os.WriteFile(filepath.Join(dir, "CURRENT"), []byte("gen-1\n"), 0o600),
			os.WriteFile(filepath.Join(dir, "gen-1", "manifest.json"), []byte(manifest), 0o600), os.Chtimes(dir, now, now.Add(-age)))
		require.NoError(t, err)
		return dir
	}
	const ours = `{"format":FORMAT,"analyzer":"ANALYZER"}`
	mine := strings.NewReplacer("FORMAT", fmt.Sprint(Format), "ANALYZER", AnalyzerVersion).Replace(ours)
	kept := []string{made(mine, 100*24*time.Hour), made(`{"format":99}`, time.Hour)}
	gone := []string{made(`{"format":1}`, 40*24*time.Hour), made(`{"format":99,"analyzer":"x"}`, 40*24*time.Hour)}
	SweepVersions(cache, now)
	for _, dir := range kept {
		_, err := os.Stat(dir)
		assert.NoError(t, err, filepath.Base(dir))
	}
	for _, dir := range gone {
		_, err := os.Stat(dir)
		assert.True(t, os.IsNotExist(err), "SweepVersions left %s", filepath.Base(dir))
	}
}
