package report

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// TestRulesCostNothingAtStart checks that rules are initialised without code, because every
// process of the program contains all of them, also that of the hook. A rule whose expressions
// call a function would take several allocations.
func TestRulesCostNothingAtStart(t *testing.T) {
	const limit = 30 // allows a few small maps
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^init \S+/gate/lint @.* (\d+) allocs$`).FindSubmatch(out)
	if m == nil {
		return // packages without initialisation are not listed
	}
	if n, err := strconv.Atoi(string(m[1])); err != nil || n > limit {
		t.Errorf("%s, want at most %d allocs", m[0], limit)
	}
}
