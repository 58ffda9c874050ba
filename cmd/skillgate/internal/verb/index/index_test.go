package index

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate/index"
)

func TestIndex(t *testing.T) {
	h := apptest.NewInProject(t)
	skill := func(path, name string) {
		h.Write(t, filepath.Join(h.Dir, path, name, "SKILL.md"), "---\nname: "+name+"\ndescription: Builds kites.\n---\n", 0o600)
	}
	skill(".claude/skills", "kites")
	skill("project/.claude/skills", "paper")
	out, err := h.Run(New(h.App, nil), "--json")
	var sums []index.Summary
	if err != nil || json.Unmarshal([]byte(out), &sums) != nil || len(sums) != 2 || sums[0].Skills != 1 || sums[1].Skills != 1 {
		t.Fatalf("index --json = %v, %s, want one skill of the user and one of the project", err, out)
	}
	if out, err = h.Run(New(h.App, nil)); err != nil || strings.Count(out, "up to date") != 2 {
		t.Errorf("index again = %q, %v, want two indexes that are up to date", out, err)
	}
	skill(".claude/skills", "bamboo")
	if out, err = h.Run(New(h.App, nil), "--background"); err != nil || out != "" || h.Err.Len() > 0 {
		t.Errorf("index --background = %v, prints %q and %q, want nothing", err, out, h.Err.String())
	}
	if out, err = h.Run(New(h.App, nil), "--full"); err != nil || !strings.Contains(out, "2 skills") {
		t.Errorf("index --full = %q, %v, want two skills of the user", out, err)
	}
}
