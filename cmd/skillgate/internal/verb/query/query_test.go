package query

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate"
)

func TestQueryReadsStandardInput(t *testing.T) {
	h := apptest.New(t)
	h.Write(t, filepath.Join(h.Dir, "shelf", "kites", "SKILL.md"), "---\nname: kites\ndescription: Builds kites from paper and bamboo.\n---\n# Kites\n", 0o600)
	h.Stdin = strings.NewReader("build a kite from bamboo")
	out, err := h.Run(New(h.App), "--json", "--library", filepath.Join(h.Dir, "shelf"), "-")
	var d gate.Decision
	if err != nil || json.Unmarshal([]byte(out), &d) != nil || len(d.Candidates) != 1 || d.Candidates[0].Name != "kites" {
		t.Errorf("query - = %v, %s, want the skill kites", err, out)
	}
}
