package doctor

import (
	"bytes"
	"os"

	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate/system"
)

// programs checks that this program and the small one, which hosts call, are built from the same source.
// Otherwise one may not be able to read the index that the other has written.
func (c *checkup) programs() {
	running, err := os.Executable()
	if err != nil {
		return
	}
	called, err := system.CalledProgram()
	if err != nil || sameFile(running, called) {
		return
	}
	if text, err := os.ReadFile(called); err == nil && !bytes.Contains(text, []byte(build.Mark())) {
		c.add("program", statusWarn, "reinstall skillgate the way you first installed it; this installs both programs",
			"%s and %s are different builds of skillgate", called, running)
	}
}
