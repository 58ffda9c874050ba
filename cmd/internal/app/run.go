package app

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/gate/wording"
)

// Run runs root with a.Args and returns the exit status. Panics and faults in a mapped file that was truncated
// are reported as errors, since Go would end with status 2.
func (a *App) Run(root *cobra.Command) int {
	program := root.Name()
	system.FailWrites(false) // so that a write beyond the file size limit does not end the process with status 2
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
		root.SetOut(Raw(out)) // completions are for a shell, and Plain would break their leading colons
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
		hint = a.T("if the index is damaged, `skillgate index --full` rebuilds it")
	case !started:
		hint, err = a.usageError(cmd, err)
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
					return Fail(fmt.Sprintf("`%s --help` lists the commands", root.Name()), "unknown command %q",
						strings.Join(args, " "))
				}
				return nil
			}
		case "completion":
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// onRun makes cmd and its subcommands call f first. An error before that call is about arguments or flags.
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

// usageError returns the next step for a usage error of cobra, and the error in clearer words.
func (a *App) usageError(cmd *cobra.Command, err error) (hint string, reworded error) {
	if bad := (*pflag.NotExistError)(nil); errors.As(err, &bad) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		name, dash := bad.GetSpecifiedName(), "--"
		if letters := bad.GetSpecifiedShortnames(); letters != "" {
			name, dash = letters, "-"
		}
		err = fmt.Errorf(a.T("unknown flag %s"), dash+name)
		if near := wording.Nearest(name, names); near != "" {
			return a.Textf("did you mean --%s?", near), err
		}
	}
	if bad := (*pflag.InvalidValueError)(nil); errors.As(err, &bad) {
		kind := map[string]string{
			"int": "a whole number", "uint64": "a whole number of 0 or more", "float64": "a number",
			"bool": "true or false", "duration": "a duration such as 90s or 2h",
		}[bad.GetFlag().Value.Type()]
		if kind != "" {
			err = fmt.Errorf(a.T("--%s: %q is not %s"), bad.GetFlag().Name, bad.GetValue(), a.T(kind))
		}
	}
	said, rest := err.Error(), cmd.Flags().Args()
	if _, set, ok := strings.Cut(said, "none of the others can be; ["); ok {
		set, _, _ = strings.Cut(set, "]")
		err = fmt.Errorf(a.T("these flags cannot be used together: --%s"), strings.ReplaceAll(set, " ", ", --"))
	} else if missing, ok := strings.CutPrefix(said, `required flag(s) "`); ok {
		missing = strings.ReplaceAll(strings.TrimSuffix(missing, `" not set`), `", "`, ", --")
		err = fmt.Errorf(a.T("required flags are missing: --%s"), missing)
	} else if wrong := cmd.ValidateArgs(rest); wrong != nil && wrong.Error() == said {
		if cmd.HasAvailableSubCommands() {
			err = fmt.Errorf(a.T("unknown command %q"), rest[0])
		} else {
			err = fmt.Errorf(a.T("wrong number of arguments (%d); usage: %s"), len(rest), cmd.UseLine())
		}
	}
	if !cmd.HasAvailableSubCommands() || len(rest) == 0 {
		return a.exampleHint(cmd), err
	}
	cmd.SuggestionsMinimumDistance = 2
	for _, near := range cmd.SuggestionsFor(rest[0]) {
		if strings.HasPrefix(rest[0], near[:1]) {
			return a.Textf("did you mean `%s %s`?", cmd.CommandPath(), near), err
		}
	}
	return a.Textf("`%s --help` lists the commands", cmd.CommandPath()), err
}

func (a *App) exampleHint(cmd *cobra.Command) string {
	example, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n")
	if example, _, _ = strings.Cut(example, "  "); example != "" { // two blanks separate an example from its explanation
		return a.Textf("for example `%s`; see also `%s --help`", example, cmd.CommandPath())
	}
	return a.Textf("`%s --help` shows the usage", cmd.CommandPath())
}
