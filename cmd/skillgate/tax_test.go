package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

func TestTax(t *testing.T) {
	p := newPlace(t)
	skill := func(path, description, more string) {
		p.write(t, filepath.Join(p.home, path, "SKILL.md"), "---\nname: "+filepath.Base(path)+"\ndescription: "+description+"\n"+more+"---\nBody\n", 0o600)
	}
	skill(".claude/skills/aa", "12345678", "when_to_use: now\n") // "12345678 - now"
	skill(".claude/skills/quiet", "12345678", "")
	skill(".claude/skills/off", "12345678", "")
	skill(".claude/skills/manual", "12345678", "disable-model-invocation: true\n")
	skill("project/.claude/skills/bb", strings.Repeat("x", 30), "")
	skill("library/cc", "12345678", "")
	p.write(t, filepath.Join(p.home, ".config", "skillgate", "skillgate.yaml"), "libraries: ["+filepath.Join(p.home, "library")+"]\n", 0o600)
	p.write(t, p.settings, `{"skillOverrides":{"quiet":"name-only","off":"off"},"skillListingMaxDescChars":20,"env":{"SLASH_COMMAND_TOOL_CHAR_BUDGET":"5000"}}`, 0o600)

	if code, msg := p.run(newTaxCommand, "--json"); code != 0 {
		t.Fatalf("tax --json = %d, %s", code, msg)
	}
	var r taxReport
	if err := json.Unmarshal(p.stdout.Bytes(), &r); err != nil {
		t.Fatalf("tax --json printed %q: %v", p.stdout.String(), err)
	}
	// "- aa: 12345678 - now\n", "- quiet\n", "- bb: " and 20 letters and "\n"
	if r.Names != 3 || r.Described != 2 || r.Clipped != 1 || r.Chars != 21+8+27 || r.Budget != 5000 || r.MaxDescChars != 20 || r.Libraries != 1 {
		t.Errorf("tax = %+v", r)
	}
	if len(r.Savings) != 2 || r.Savings[0].Chars != 29 || r.Savings[1].Chars != 27 || len(r.Problems) != 0 {
		t.Errorf("tax: savings %+v, problems %v", r.Savings, r.Problems)
	}

	if code, msg := p.run(newTaxCommand, "--budget", "4240"); code != 0 || !strings.Contains(p.stdout.String(), "1 descriptions dropped, chosen by name alone: bb") {
		t.Errorf("tax --budget 4240 = %d, %s:\n%s", code, msg, p.stdout.String())
	}
	if code, _ := p.run(newTaxCommand, "--window", "0"); code != 3 {
		t.Errorf("tax --window 0 = %d, want 3", code)
	}
}
