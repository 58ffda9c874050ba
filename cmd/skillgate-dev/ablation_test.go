package main

import (
	"bytes"
	"strings"
	"testing"

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
		if !strings.Contains(head, want) {
			t.Errorf("the head %q has no %q", head, want)
		}
	}
	if strings.Contains(head, "steps") {
		t.Errorf("the head %q has a part that --of leaves out", head)
	}
}

func TestEveryPartCanBeSwitchedOff(t *testing.T) {
	for _, p := range parts {
		for name, value := range p.weights {
			if err := new(rank.Weights).Set(name, value); err != nil {
				t.Errorf("%s: %v", p.name, err)
			}
		}
		if len(p.weights) == 0 && p.off == (gate.Parts{}) {
			t.Errorf("%s switches nothing off", p.name)
		}
	}
}
