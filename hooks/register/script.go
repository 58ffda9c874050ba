package register

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/hooks"
)

// shebang begins a file that is a handler itself.
const shebang = "#!/bin/sh\n"

func isScript(text []byte) bool { return bytes.HasPrefix(text, []byte("#!")) }

// inScript returns the handler of skillgate's in a script of Install's, whose name is the event's.
// A script that does anything else besides is its user's.
func inScript(file string, text []byte) []Found {
	command, ok := strings.CutPrefix(string(text), shebang)
	command = strings.TrimSuffix(command, "\n")
	words := shellWords(command)
	if !ok || !ours(words) {
		return nil
	}
	f := Found{Line: 2, Element: command}
	f.Event = filepath.Base(file)
	f.Command, f.Args, f.Shell, f.Lenient = words[0], words[1:], true, strings.HasSuffix(command, lenient)
	f.Form.Kind = hooks.Script
	if command != line(f.Handler) {
		return nil
	}
	return []Found{f}
}

// writeScript is Install for a file that is a handler itself. One that is not skillgate's stays.
func writeScript(file string, text []byte, w hooks.Handler) ([]byte, []Change, error) {
	after := []byte(shebang + line(w) + "\n")
	action := Added
	switch {
	case bytes.Equal(text, after):
		action = Kept
	case len(inScript(file, text)) > 0:
		action = Updated
	case len(bytes.TrimSpace(text)) > 0:
		return nil, nil, fmt.Errorf("%s: another program's hook is there, and the host runs one file of that name", file)
	}
	return after, []Change{change(w, action)}, nil
}
