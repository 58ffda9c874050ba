package lent

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFilesAreThere(t *testing.T) {
	for _, file := range Files {
		_, err := os.Stat(filepath.Join("..", "..", file))
		assert.NoError(t, err)
	}
}

func TestRead(t *testing.T) {
	var tables [][]byte
	program := []byte("\x7fELF and code ")
	for i := range Files {
		tables = append(tables, bytes.Repeat([]byte{'a' + byte(i)}, 10+i))
		program = append(append(program, tables[i]...), " more"...)
	}
	places, err := Places(program, tables)
	require.NoError(t, err)
	damaged := bytes.Replace(program, []byte("aa"), []byte("ab"), 1)
	tests := []struct {
		name    string
		program []byte
		places  string
		file    string
		want    string
		err     string
	}{
		{"first", program, places, Files[0], string(tables[0]), ""},
		{"last", program, places, Files[len(Files)-1], string(tables[len(Files)-1]), ""},
		{"another version", append([]byte("more "), program...), places, Files[0], "", "is damaged or from a different version"},
		{"damaged", damaged, places, Files[0], "", "is damaged or from a different version"},
		{"cut short", program[:20], places, Files[0], "", "is damaged or from a different version"},
		{"empty", nil, places, Files[0], "", "is damaged or from a different version"},
		{"missing", nil, places, Files[0], "", "no such file"},
		{"a table that is not lent", program, places, "a/table.bin", "", "does not know the position of"},
		{"not told", program, "", Files[0], "", "does not know the position of"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "skillgate")
			if tt.name != "missing" {
				require.NoError(t, os.WriteFile(file, tt.program, 0o600))
			}
			got, err := read(file, tt.places, tt.file)
			if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("read = %q, %v; want %q, %q", got, err, tt.want, tt.err)
			}
		})
	}
	_, err = Places(program[:30], tables)
	assert.Error(t, err, "Places finds tables that the program does not have")
}
