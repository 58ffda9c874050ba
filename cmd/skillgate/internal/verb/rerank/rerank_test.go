package rerank

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/rerank"
)

func TestStart(t *testing.T) {
	h := apptest.New(t)
	apptest.StartHelper(t, h, gate.Default(), rerank.Status{Ready: true, Model: "minilm", PID: 7, Ranked: 12})
	out, err := h.Run(New(h.App), "start")
	require.NoError(t, err)
	assert.Contains(t, out, "ready: minilm")
	assert.Contains(t, out, "12 prompts ranked")
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
