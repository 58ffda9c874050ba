package apptest

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// AreFew checks that a program has no more commands below root than it may have, and no more names of flags. What there
// is to learn stays little: one more takes another one's place. All programs together may have 80 commands.
func AreFew(t testing.TB, root *cobra.Command, commands, flags int) {
	t.Helper()
	var paths []string
	names := map[string]bool{}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { names[f.Name] = true })
		for _, sub := range cmd.Commands() {
			paths = append(paths, sub.CommandPath())
			walk(sub)
		}
	}
	walk(root)
	t.Logf("%s has %d commands and %d names of flags", root.Name(), len(paths), len(names))
	if len(paths) > commands || len(names) > flags {
		t.Errorf("want at most %d commands and %d names of flags; it has:\n%s", commands, flags, strings.Join(paths, "\n"))
	}
}
