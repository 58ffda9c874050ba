package rerank

import (
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
