package system

import (
	"errors"
	"strings"
	"testing"
)

func TestCaught(t *testing.T) {
	own := errors.New("mine")
	tests := []struct {
		name   string
		f      func() error
		text   string
		caught bool
	}{
		{"nothing", func() error { return nil }, "", false},
		{"an error", func() error { return own }, "mine", false},
		{"a panic", func() error { panic("boom") }, "internal error: boom", true},
		{"an index outside", func() error { var b []byte; _ = b[len(b)]; return nil }, "index out of range", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Caught(tt.f)
			if (err == nil) != (tt.text == "") || errors.Is(err, ErrCaught) != tt.caught {
				t.Fatalf("Caught = %v, caught: %v", err, tt.caught)
			}
			if err != nil && !strings.Contains(err.Error(), tt.text) {
				t.Errorf("Caught = %v, want %q in it", err, tt.text)
			}
		})
	}
}
