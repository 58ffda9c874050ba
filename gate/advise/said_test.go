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
	w.add(Proposal{Kind: Off, Says: say("name %s no longer; /%s still works", "a", "a"),
		Edit: &Edit{File: state + "/SKILL.md", New: "---\n"}}, nil)
	p := &w.found[0]
	const english = "name a no longer; /a still works"
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
