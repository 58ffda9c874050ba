package advise

import (
	"fmt"
	"testing"
	"time"
)

// What was applied is remembered in English, whatever language it was shown in.
func TestAppliedIsEnglish(t *testing.T) {
	state := t.TempDir()
	korean := func(format string, args ...any) string { return "한국어: " + fmt.Sprintf(format, args...) }
	w := work{Input: Input{Say: korean}}
	w.add(Proposal{Kind: Settings, Says: say("set %s to %s (now %s)", "top_k", "2", "3"),
		Edit: &Edit{File: state + "/skillgate.yaml", New: "top_k: 2\n"}}, nil)
	p := &w.found[0]
	const english = "set top_k to 2 (now 3)"
	if p.Text != "한국어: "+english {
		t.Errorf("it is shown as %q", p.Text)
	}
	if err := Apply(state, p, time.Now()); err != nil {
		t.Fatal(err)
	}
	list, err := Load(state)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if a := list[0]; a.Text != english || a.Said(nil) != english || a.Said(korean) != "한국어: "+english {
		t.Errorf("remembered is %+v", a)
	}
	if old := (Applied{Text: "100 %"}); old.Said(korean) != "100 %" {
		t.Errorf("of an older version: %q", old.Said(korean))
	}
}
