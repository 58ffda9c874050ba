package doctor

import "github.com/skillgate/skillgate/cmd/skillgate/internal/self"

// programs looks whether the program that is called and this one, which it hands commands
// to, are of one source: an index that one writes the other may not be able to read.
func (c *checkup) programs() {
	called, err := self.Parts()
	switch {
	case err != nil:
		c.add("program", statusWarn, "install skillgate again, as you did: both come together",
			"%s does not fit this program: %v",
			called, err)
	case called != "":
		c.add("program", statusOK, "", "%s, of the same source as this program", called)
	}
}
