package app

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// inWords says an error of cmd's flags or arguments to people.
func inWords(cmd *cobra.Command, err error) error {
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
		return fmt.Errorf("--%s: %q is not %s", bad.GetFlag().Name, bad.GetValue(), kind)
	}
	if bad := (*pflag.ValueRequiredError)(nil); errors.As(err, &bad) {
		return fmt.Errorf("--%s: its value is missing", bad.GetSpecifiedName())
	}
	text := err.Error()
	if _, set, ok := strings.Cut(text, "] are set none of the others can be; ["); ok {
		set, _, _ = strings.Cut(set, "]")
		return fmt.Errorf("--%s cannot be used together", strings.ReplaceAll(set, " ", " and --"))
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
			return fmt.Errorf("something is missing: %s", use)
		}
		return fmt.Errorf("%d arguments are too many: %s", got, use)
	}
	return err
}
