package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/rank"
)

func fitted(t *testing.T, args ...string) (string, error) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	var out bytes.Buffer
	cmd := newWeightsCommand()
	cmd.SetOut(&out)
	cmd.SetErr(&bytes.Buffer{})
	cmd.SetArgs(append([]string{benchFolder(t)}, args...))
	err := cmd.Execute()
	return out.String(), err
}

func TestWeightsAreFittedToEverySet(t *testing.T) {
	file := filepath.Join(t.TempDir(), "weights.txt")
	out, err := fitted(t, "--only", "cover,k1", "--most", "3", "--write", file)
	must(t, err)
	for _, want := range []string{
		"people: requests, library-ko", "public: hometax, hometax", "triggers, library-en+triggers", "mean gain",
	} {
		assert.Contains(t, out, want)
	}
	require.NotContains(t, out, "sessions")
	assert.NotContains(t, out, "native")
	text, err := os.ReadFile(file)
	must(t, err)
	assert.Contains(t, string(text), "#   skillgate-dev weights BENCH --only cover,k1 --passes 1 --most 3\n")
	got, err := rank.ParseWeights(string(text))
	must(t, err)
	want := rank.DefaultWeights()
	for _, name := range got.Names() {
		a, _, _, _ := got.Get(name)
		b, _, _, _ := want.Get(name)
		if a != b && name != "cover" && name != "k1" {
			t.Errorf("%s is %v, want %v as it was: it is not in --only", name, a, b)
		}
	}
}
