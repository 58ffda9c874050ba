package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

func TestTableIsCurrent(t *testing.T) {
	want, err := compile(os.DirFS("../../orders"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../orders.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("orders.bin is not what the lists say: run go generate ./gate/neutral")
	}
}

func TestCompileRefuses(t *testing.T) {
	tests := []struct{ name, words, want string }{
		{"a word that is not folded", "a: [Ignore]", "not folded"},
		{"a word with an accent", "a: [rápido]", "not folded"},
		{"a word too short to be looked up", "a: [x]", "too short"},
		{"a list that is not one", "a: word", "en.yaml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := fstest.MapFS{"en.yaml": {Data: []byte(tt.words)}}
			if _, err := compile(files); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("compile: %v, want an error with %q", err, tt.want)
			}
		})
	}
}
