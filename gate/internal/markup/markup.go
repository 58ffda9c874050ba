// Package markup writes HTML and escapes whatever comes from outside.
package markup

import (
	"fmt"
	"html"
	"io"
	"reflect"
	"strings"
)

// Text is HTML that is written as it is.
type Text string

// Fprintf formats as fmt does, with the markup of whatever is a string or writes itself as one
// escaped; only a Text stays. It serves text and attributes in quotes, not addresses, styles or
// scripts. Errors are those of out, which a bufio.Writer keeps.
func Fprintf(out io.Writer, format string, args ...any) {
	for i, arg := range args {
		switch arg := arg.(type) {
		case Text:
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

// Sprintf is Fprintf that returns what it writes.
func Sprintf(format string, args ...any) Text {
	var b strings.Builder
	Fprintf(&b, format, args...)
	return Text(b.String())
}
