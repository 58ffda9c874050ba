package app

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestPlain(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain text", "skills/pdf: fine\n\tindented 회의록 👩‍👩‍👧\n", "skills/pdf: fine\n\tindented 회의록 👩‍👩‍👧\n"},
		{"an escape", "a\x1b[31mb\x1b]0;title\x07c", `a\u001b[31mb\u001b]0;title\u0007c`},
		{"a carriage return and a backspace", "a\rb\bc\x7f", `a\u000db\u0008c\u007f`},
		{"an eight-bit escape", "a\u009b31mb", `a\u009b31mb`},
		{"bytes that are not UTF-8", "a\x9bb\xc3", "a\uFFFDb"},
		{"turned writing", "a\u202eb\u2066c\u200ed\u061ce", `a\u202eb\u2066c\u200ed\u061ce`},
		{"a command of a workflow", "::error::x\n  ::set-output name=a::b\n", ": :error::x\n  : :set-output name=a::b\n"},
		{"an old command of a workflow", "x ##[error]y", `x ##\u005berror]y`},
		{"colons inside a line", "a::b\n", "a::b\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var whole, bytewise bytes.Buffer
			w := NewPlain(&whole)
			if n, err := io.WriteString(w, tt.text); n != len(tt.text) || err != nil {
				t.Errorf("Write = %d, %v", n, err)
			}
			if got := whole.String(); got != tt.want {
				t.Errorf("%q is shown as %q, want %q", tt.text, got, tt.want)
			}
			if _, err := io.Copy(NewPlain(&bytewise), iotest.OneByteReader(strings.NewReader(tt.text))); err != nil || bytewise.String() != tt.want {
				t.Errorf("%q byte by byte is shown as %q, %v, want %q", tt.text, bytewise.String(), err, tt.want)
			}
		})
	}
}

// What is escaped on the way is the same JSON.
func TestPlainKeepsJSON(t *testing.T) {
	for _, text := range []string{"a\x1b\x7f\u009b\u202e\u2028b", "::error::", "##[error]", "\"\\"} {
		var out bytes.Buffer
		a := &App{Stdout: NewPlain(&out)}
		if err := a.PrintJSON(map[string]string{"k": text}); err != nil {
			t.Fatal(err)
		}
		var back map[string]string
		if err := json.Unmarshal(out.Bytes(), &back); err != nil || back["k"] != text {
			t.Errorf("%q comes back from %s as %q, %v", text, out.String(), back["k"], err)
		}
	}
}
