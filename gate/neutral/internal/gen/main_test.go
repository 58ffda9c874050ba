package main

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTableIsCurrent(t *testing.T) {
	want, err := compile(os.DirFS("../../orders"))
	require.NoError(t, err)
	got, err := os.ReadFile("../../orders.bin")
	require.NoError(t, err)
	assert.Equal(t, want, got, "orders.bin is not what the lists say: run go generate ./gate/neutral")
}

func TestCompileRefuses(t *testing.T) {
	tests := []struct{ name, words, want string }{
		{"a word with a capital", "a: [Ignore]", "lower case and without accents"},
		{"a word with an accent", "a: [rápido]", "lower case and without accents"},
		{"a word too short to be looked up", "a: [x]", "too short"},
		{"a list that is not one", "a: word", "en.yaml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := fstest.MapFS{"en.yaml": {Data: []byte(tt.words)}}
			_, err := compile(files)
			assert.ErrorContains(t, err, tt.want)
		})
	}
}
