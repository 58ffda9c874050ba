package app

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skillgate/skillgate/gate/wording"
)

func (a *App) inWords(cmd *cobra.Command, err error) (hint string, said error) {
	if bad := (*pflag.NotExistError)(nil); errors.As(err, &bad) {
		name, dash := bad.GetSpecifiedName(), "--"
		if letters := bad.GetSpecifiedShortnames(); letters != "" {
			name, dash = letters, "-"
		}
		said = fmt.Errorf(a.T("there is no flag %s"), dash+name)
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		hint = a.usageHint(cmd)
		if near := wording.Nearest(name, names); near != "" {
			hint = fmt.Sprintf(a.T("did you mean --%s?"), near)
		}
		return hint, said
	}
	return a.usageHint(cmd), a.argument(cmd, err)
}

func (a *App) argument(cmd *cobra.Command, err error) error {
	if bad := (*pflag.InvalidValueError)(nil); errors.As(err, &bad) {
		kind := map[string]string{
			"int": "a whole number", "int64": "a whole number", "uint64": "a whole number of 0 or more", "float64": "a number",
			"bool": "true or false", "duration": "a span of time like 90s or 2h",
		}[bad.GetFlag().Value.Type()]
		switch _, notFloat := strconv.ParseFloat(bad.GetValue(), 64); {
		case kind == "":
			return err
		case kind == "a whole number" && notFloat != nil:
			kind = "a number"
		}
		return fmt.Errorf(a.T("--%s: %q is not %s"), bad.GetFlag().Name, bad.GetValue(), a.T(kind))
	}
	if bad := (*pflag.ValueRequiredError)(nil); errors.As(err, &bad) {
		return fmt.Errorf(a.T("--%s: its value is missing"), bad.GetSpecifiedName())
	}
	text := err.Error()
	if names, ok := strings.CutPrefix(text, `required flag(s) "`); ok {
		names, _, _ = strings.Cut(names, `" not set`)
		return fmt.Errorf(a.T("--%s is missing"), strings.ReplaceAll(names, `", "`, ", --"))
	}
	if strings.HasPrefix(text, "unknown command") && cmd.HasAvailableSubCommands() {
		return fmt.Errorf(a.T("there is no command %q"), cmd.Flags().Arg(0))
	}
	if strings.HasPrefix(text, "unknown command") {
		return fmt.Errorf(a.T("%q is too much: %s takes no arguments"), cmd.Flags().Arg(0), cmd.CommandPath())
	}
	if _, set, ok := strings.Cut(text, "] are set none of the others can be; ["); ok {
		set, _, _ = strings.Cut(set, "]")
		return fmt.Errorf(a.T("--%s cannot be used together"), strings.ReplaceAll(set, " ", a.T(" and --")))
	}
	if names, _, ok := strings.Cut(text, "] are set they must all be set; "); ok {
		_, names, _ = strings.Cut(names, "[")
		return fmt.Errorf(a.T("--%s go together"), strings.ReplaceAll(names, " ", a.T(" and --")))
	}
	var want, most, got int
	for _, form := range []struct {
		text string
		into []any
	}{
		{"requires at least %d arg(s), only received %d", []any{&want, &got}},
		{"accepts at most %d arg(s), received %d", []any{&most, &got}},
		{"accepts %d arg(s), received %d", []any{&want, &got}},
		{"accepts between %d and %d arg(s), received %d", []any{&want, &most, &got}},
	} {
		if n, _ := fmt.Sscanf(text, form.text, form.into...); n != len(form.into) {
			continue
		}
		use := strings.TrimSuffix(cmd.UseLine(), " [flags]")
		if got < want {
			return fmt.Errorf(a.T("%s is missing: %s"), missing(cmd, got), use)
		}
		return fmt.Errorf(a.T("%d arguments are too many: %s"), got, use)
	}
	return err
}

func missing(cmd *cobra.Command, given int) string {
	var names []string
	for _, word := range strings.Fields(cmd.Use)[1:] {
		stem, _, _ := strings.Cut(word, ".") // of BEFORE.json, or of PROMPT...
		if !strings.HasPrefix(word, "[") && !strings.HasPrefix(word, "-") && stem == strings.ToUpper(stem) {
			names = append(names, strings.TrimSuffix(word, "..."))
		}
	}
	if given >= len(names) {
		return "something"
	}
	return names[given]
}
