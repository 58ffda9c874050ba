package app

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
			assert.Equal(t, tt.want, whole.String())
			if _, err := io.Copy(NewPlain(&bytewise), iotest.OneByteReader(strings.NewReader(tt.text))); err != nil || bytewise.String() != tt.want {
				t.Errorf("%q byte by byte is shown as %q, %v, want %q", tt.text, bytewise.String(), err, tt.want)
			}
		})
	}
}

func TestPlainKeepsJSON(t *testing.T) {
	for _, text := range []string{"a\x1b\x7f\u009b\u202e\u2028b", "::error::", "##[error]", "\"\\"} {
		var out bytes.Buffer
		a := &App{Stdout: NewPlain(&out)}
		require.NoError(t, a.PrintJSON(map[string]string{"k": text}))
		var back map[string]string
		require.NoError(t, json.Unmarshal(out.Bytes(), &back), out.String())
		assert.Equal(t, text, back["k"], out.String())
	}
}
