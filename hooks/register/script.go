package register

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/hooks"
)

// Some hosts run a script or load a module as a handler. A script begins with shebang. The first line of a module is
// moduleMark, a checksum of all later lines, and the command.
const (
	shebang    = "#!/bin/sh\n"
	moduleMark = "// skillgate "
)

func isScript(text []byte) bool { return bytes.HasPrefix(text, []byte("#!")) }

func isProgram(text []byte) bool { return isScript(text) || bytes.HasPrefix(text, []byte(moduleMark)) }

func program(h hooks.Handler) []byte {
	if h.Kind == hooks.Script {
		return []byte(shebang + line(h) + "\n")
	}
	command, _ := json.Marshal(append([]string{h.Command}, h.Args...)) // encoding strings cannot fail
	rest := "const command = " + string(command) + "\n" + h.Code
	return []byte(moduleMark + checksum(rest) + ": " + line(h) + "\n" + rest)
}

func checksum(rest string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(rest)))[:16] }

// inProgram returns the handler in a script or module that Install wrote. It returns nil if somebody
// has changed the file, which then belongs to the user.
func inProgram(file string, text []byte) []Found {
	var f Found
	if rest, ok := strings.CutPrefix(string(text), shebang); ok {
		f.Kind, f.Line, f.Element = hooks.Script, 2, strings.TrimSuffix(rest, "\n")
		f.Event = filepath.Base(file)
	} else {
		head, rest, _ := strings.Cut(strings.TrimPrefix(string(text), moduleMark), "\n")
		sum, command, _ := strings.Cut(head, ": ")
		if sum != checksum(rest) {
			return nil
		}
		f.Kind, f.Line, f.Element = hooks.Module, 1, command
	}
	words := shellWords(f.Element)
	if !ours(words) {
		return nil
	}
	f.Command, f.Args, f.Shell, f.Lenient = words[0], words[1:], true, strings.HasSuffix(f.Element, lenient)
	if host := hooks.ToldBy(f.Args); host != nil && f.Event == "" {
		f.Event = host.PromptEvent
	}
	if f.Element != line(f.Handler) {
		return nil
	}
	return []Found{f}
}

// writeProgram implements Install for scripts and modules. It never replaces a file that skillgate did not write.
func writeProgram(file string, text []byte, w hooks.Handler) ([]byte, []Change, error) {
	after := program(w)
	action := Added
	switch {
	case bytes.Equal(text, after):
		action = Kept
	case isProgram(text) && len(inProgram(file, text)) > 0:
		action = Updated
	case len(bytes.TrimSpace(text)) > 0:
		return nil, nil, fmt.Errorf("%s was not replaced: it is another program's hook or a modified skillgate hook; "+
			"move it away and install again", file)
	}
	return after, []Change{change(w, action)}, nil
}
