package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/rank"
)

func ablated(t *testing.T, args ...string) (string, error) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	var out bytes.Buffer
	cmd := newAblationCommand()
	cmd.SetOut(&out)
	cmd.SetErr(&bytes.Buffer{})
	cmd.SetArgs(append([]string{benchFolder(t)}, args...))
	err := cmd.Execute()
	return out.String(), err
}

func TestAblationShowsWhatAPartIsWorth(t *testing.T) {
	out, err := ablated(t, "--only", "Korean|quoted", "--of", "phrases|dictionary|body")
	must(t, err)
	head, _, _ := strings.Cut(out, "\n")
	for _, want := range []string{"measure", "with all", "phrases", "dictionary", "body"} {
		assert.Contains(t, head, want)
	}
	assert.NotContains(t, head, "steps")
}

func TestEveryPartCanBeSwitchedOff(t *testing.T) {
	for _, p := range parts {
		for name, value := range p.weights {
			assert.NoError(t, new(rank.Weights).Set(name, value), p.name)
		}
		if len(p.weights) == 0 && p.off == (gate.Parts{}) {
			t.Errorf("%s switches nothing off", p.name)
		}
	}
}
