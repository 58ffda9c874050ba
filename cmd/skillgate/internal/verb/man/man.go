// Package man is the command that writes the manual pages, made from what --help says.
package man

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate/disk"
)

// elsewhere is the next step where a folder cannot be written.
const elsewhere = "`skillgate man FOLDER` writes them to another folder"

// New returns the command.
func New(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "man [FOLDER]",
		Short: "Write the manual pages",
		Long: `man writes skillgate.1, and a page for each command, into FOLDER, which it makes.
Without FOLDER that is man/man1 of your data folder (~/.local/share), where man
finds them by itself if ~/.local/bin is in PATH.`,
		Example: "  skillgate man && man skillgate-query\n  skillgate man /usr/local/share/man/man1",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			folder, err := target(a, args)
			if err != nil {
				return err
			}
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return app.Hint(err, elsewhere)
			}
			n := 0
			err = pages(cmd.Root(), func(name, text string) error {
				n++
				return disk.Write(filepath.Join(folder, name), []byte(text), disk.Options{Shared: true})
			})
			if err != nil {
				return app.Hint(err, elsewhere)
			}
			_, err = fmt.Fprintf(a.Stdout, "wrote %d pages to %s; `man -l %s` shows the first\n", n, folder,
				filepath.Join(folder, "skillgate.1"))
			return err
		},
	}
}

// target is the folder in args, or the user's own for pages of section 1.
func target(a *app.App, args []string) (string, error) {
	if len(args) > 0 {
		if args[0] == "" || args[0] == "-" {
			return "", app.Fail(elsewhere, "FOLDER is %q: the pages are files, and want a folder", args[0])
		}
		return a.Absolute(args[0]), nil
	}
	data := a.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) {
		d, err := a.Places()
		if err != nil {
			return "", err
		}
		data = filepath.Join(d.Home, ".local", "share")
	}
	return filepath.Join(data, "man", "man1"), nil
}

// pages hands over the page of cmd and of each command below it.
func pages(cmd *cobra.Command, write func(name, text string) error) error {
	if err := write(title(cmd)+".1", page(cmd)); err != nil {
		return err
	}
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if err := pages(sub, write); err != nil {
			return err
		}
	}
	return nil
}

func title(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// page is cmd's page as troff of man(7).
func page(cmd *cobra.Command) string {
	var b strings.Builder
	section := func(name string) { fmt.Fprintf(&b, ".SH %s\n", name) }
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"skillgate %s\"\n", strings.ToUpper(escape(title(cmd))), escape(build.Read().Version))
	section("NAME")
	fmt.Fprintf(&b, "%s \\- %s\n", escape(title(cmd)), escape(cmd.Short))
	section("SYNOPSIS")
	fmt.Fprintf(&b, ".B %s\n", escape(cmd.UseLine()))
	section("DESCRIPTION")
	text := cmp.Or(cmd.Long, cmd.Short+".")
	fmt.Fprintf(&b, ".nf\n%s\n.fi\n", escape(text)) // its lines are broken for 80 columns
	if cmd.HasAvailableSubCommands() {
		section("COMMANDS")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", escape(title(sub)), escape(sub.Short))
			}
		}
	}
	if cmd.HasAvailableLocalFlags() {
		section("OPTIONS")
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden {
				return
			}
			value, usage := pflag.UnquoteUsage(f)
			if f.Shorthand != "" {
				fmt.Fprintf(&b, ".TP\n.B \\-%s, \\-\\-%s\n%s\n", f.Shorthand, escape(f.Name), escape(usage))
				return
			}
			fmt.Fprintf(&b, ".TP\n.BI \\-\\-%s \" %s\"\n%s\n", escape(f.Name), escape(value), escape(usage))
		})
	}
	if cmd.Example != "" {
		section("EXAMPLES")
		fmt.Fprintf(&b, ".nf\n%s\n.fi\n", escape(cmd.Example))
	}
	if cmd.HasParent() {
		section("SEE ALSO")
		fmt.Fprintf(&b, ".BR %s (1)\n", escape(title(cmd.Parent())))
	}
	return b.String()
}

// escape keeps troff from taking text for its own.
func escape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	var b strings.Builder
	for _, r := range strings.Join(lines, "\n") {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		}
	}
	return b.String()
}
