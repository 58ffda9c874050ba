package store

import (
	"testing"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
)

// log.prompts does not answer for a decision that ended before any text was read.
func TestKeptOfErrors(t *testing.T) {
	var k Kept
	k.Add(journal.None, gate.Error)
	k.Add(journal.Hash, gate.Silent)
	k.Add(journal.Terms, gate.Silent)
	if want := (Kept{Prompts: 3, Terms: 1, Gone: 1}); k != want {
		t.Errorf("kept = %+v, want %+v", k, want)
	}
}
