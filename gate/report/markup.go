package report

import (
	"fmt"
	"html"
	"io"
	"reflect"
	"strings"
)

// markup is HTML that is written as it is.
type markup string

// fprintf formats as fmt does, with the markup of whatever is a string or writes itself as one
// escaped; only a markup stays. It serves text and attributes in quotes, not addresses, styles or
// scripts. Errors are those of out, which a bufio.Writer keeps.
func fprintf(out io.Writer, format string, args ...any) {
	for i, arg := range args {
		switch arg := arg.(type) {
		case markup:
			continue
		case fmt.Stringer:
			args[i] = html.EscapeString(arg.String())
		case error:
			args[i] = html.EscapeString(arg.Error())
		default:
			if v := reflect.ValueOf(arg); v.Kind() == reflect.String {
				args[i] = html.EscapeString(v.String())
			}
		}
	}
	fmt.Fprintf(out, format, args...)
}

func sprintf(format string, args ...any) markup {
	var b strings.Builder
	fprintf(&b, format, args...)
	return markup(b.String())
}
