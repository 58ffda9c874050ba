package register

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestUnset(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"nothing else in it", "{\n  \"share\": 0.1\n}\n", "{}\n"},
		{"others", `{"a":1,"share":0.1,"b":2}`, `{"a":1,"b":2}`},
		{"a comment and a trailing comma", "{\n  // mine\n  \"a\": 1, // one\n  \"share\": 0.1,\n}\n", "{\n  // mine\n  \"a\": 1, // one\n}\n"},
		{"a byte order mark and other line ends", "\ufeff{\r\n  \"a\": 1,\r\n  \"share\": 0.1\r\n}\r\n", "\ufeff{\r\n  \"a\": 1\r\n}\r\n"},
		{"another value", `{"share":0.2}`, `{"share":0.2}`},
		{"not in it", `{"b":2}`, `{"b":2}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Unset("f", []byte(tt.text), "share", "0.1")
			assert.NoError(t, err)
			assert.Equal(t, tt.want, string(got))
		})
	}
	_, err := Unset("f", []byte("[]"), "share", "0.1")
	assert.Error(t, err)
}
