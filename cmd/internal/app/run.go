package app

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/system"
)

// Run runs root with a.Args and returns the exit status. A panic, whose own status
// would be 2, and a fault in a mapped file that was cut are errors like any other.
func (a *App) Run(root *cobra.Command) int {
	program := root.Name()
	system.FailWrites(false) // the runtime would end with status 2
	out := a.keepErrors()
	a.Stderr = NewPlain(a.Stderr)
	a.foldLines()
	started := false
	onRun(root, func() { started = true })
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SetArgs(a.Args)
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	if len(a.Args) > 0 &&
		slices.Contains([]string{"completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}, a.Args[0]) {
		root.SetOut(Raw(out)) // it is for a shell, whose completions begin lines with colons
	}
	root.SetErr(a.Stderr)
	refuseUnknownTopics(root)
	cmd := root
	err := system.Caught(func() (err error) { cmd, err = root.ExecuteC(); return err })
	err = OpenError(err)
	var exit *Error
	findings := errors.As(err, &exit) && exit.Err == nil
	if (err == nil || findings) && out.err != nil && err != ErrDone {
		err, exit, findings = out.err, nil, false
	}
	hint := ""
	code := StatusFailed
	switch {
	case err == nil:
		a.tellForeign()
		return 0
	case findings:
		a.tellForeign()
		return exit.Code
	case exit != nil:
		if code, hint = exit.Code, a.T(exit.Hint); exit.format != "" {
			hint, err = a.exampleHint(cmd), fmt.Errorf(a.T(exit.format), exit.args...)
		}
	case errors.Is(err, system.ErrCaught):
		hint = a.T("where the index is damaged, `skillgate index --full` makes a new one")
	case !started:
		hint, err = a.inWords(cmd, err)
	}
	if foreign, ok := errors.AsType[*disk.ForeignError](err); ok {
		hint = a.MendForeign(foreign)
	} else if system.Unwritable(err) {
		hint = cmp.Or(a.mendUnwritable(err), hint)
	}
	if name := strings.TrimPrefix(cmd.CommandPath(), program); name != "" {
		program += ":" + name
	}
	fmt.Fprintf(a.Stderr, "%s: %v\n", program, err)
	if hint != "" {
		fmt.Fprintf(a.Stderr, a.T("%s: hint: %s\n"), root.Name(), hint)
	}
	return code
}

func refuseUnknownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = func(_ *cobra.Command, args []string) error {
				if _, rest, err := root.Find(args); err != nil || len(rest) > 0 {
					return Fail(fmt.Sprintf("`%s --help` lists the commands", root.Name()), "there is no command %q",
						strings.Join(args, " "))
				}
				return nil
			}
		case "completion":
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// onRun calls f before cmd or a command below it starts its work: an error that comes
// without that call is one of its arguments or flags.
func onRun(cmd *cobra.Command, f func()) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			f()
			return run(cmd, args)
		}
	}
	for _, sub := range cmd.Commands() {
		onRun(sub, f)
	}
}

func (a *App) usageHint(cmd *cobra.Command) string {
	if rest := cmd.Flags().Args(); cmd.HasAvailableSubCommands() && len(rest) > 0 {
		for _, letters := range []int{1, 2} { // to change; two only behind the same beginning
			cmd.SuggestionsMinimumDistance = letters
			for _, meant := range cmd.SuggestionsFor(rest[0]) {
				if letters == 1 || strings.HasPrefix(meant, rest[0][:1]) {
					return fmt.Sprintf(a.T("did you mean `%s %s`?"), cmd.CommandPath(), meant)
				}
			}
		}
		return fmt.Sprintf(a.T("`%s --help` lists the commands"), cmd.CommandPath())
	}
	return a.exampleHint(cmd)
}

func (a *App) exampleHint(cmd *cobra.Command) string {
	example, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n")
	if example, _, _ = strings.Cut(example, "  "); example != "" { // behind two blanks is what it does
		return fmt.Sprintf(a.T("for example `%s`; `%s --help` says more"), example, cmd.CommandPath())
	}
	return fmt.Sprintf(a.T("`%s --help` says how it is used"), cmd.CommandPath())
}
