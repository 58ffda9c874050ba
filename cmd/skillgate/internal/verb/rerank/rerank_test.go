package rerank

import (
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/rerank"
)

func TestStatusAndStop(t *testing.T) {
	h := apptest.New(t)
	if code, message := h.Status(New(h.App), "status"); code != 0 && !strings.Contains(message+h.Out.String(), "no") {
		t.Errorf("without a helper status ends with %d, %q %q", code, message, h.Out.String())
	}
	apptest.StartHelper(t, h, gate.Default(), rerank.Status{Ready: true, Model: "minilm", PID: 7, Ranked: 12})
	if out, err := h.Run(New(h.App), "status"); err != nil || !strings.Contains(out, "minilm") || !strings.Contains(out, "12") {
		t.Errorf("with one status prints %q, %v", out, err)
	}
	if out, err := h.Run(New(h.App), "status", "--json"); err == nil && !strings.Contains(out, "minilm") {
		t.Errorf("status --json prints %q", out)
	}
}

func TestWrongUsage(t *testing.T) {
	h := apptest.New(t)
	for _, tt := range []struct {
		name, want string
		args       []string
	}{
		{"nothing to install", "accepts 1 arg", []string{"install"}},
		{"a folder without a model", "", []string{"install", h.Dir}},
		{"an unknown command", "", []string{"warm"}},
	} {
		if code, message := h.Status(New(h.App), tt.args...); code != 3 && tt.name != "an unknown command" || !strings.Contains(message, tt.want) {
			t.Errorf("%s: rerank %v ends with %d, %q", tt.name, tt.args, code, message)
		}
	}
}
