package system

import (
	"bytes"
	"os/exec"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestProcessesHaveTheUsualTimerSlack(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for slack, want := range map[uintptr]string{10_000_000: "50000\n", 60_000: "60000\n"} {
		require.NoError(t, unix.Prctl(unix.PR_SET_TIMERSLACK, slack, 0, 0, 0))
		cmd := exec.Command("/bin/cat", "/proc/self/timerslack_ns")
		var out bytes.Buffer
		cmd.Stdout = &out
		require.NoError(t, Start(&cmd.SysProcAttr, cmd.Start))
		require.NoError(t, cmd.Wait())
		assert.Equal(t, want, out.String())
	}
	require.NoError(t, unix.Prctl(unix.PR_SET_TIMERSLACK, 0, 0, 0, 0))
}
