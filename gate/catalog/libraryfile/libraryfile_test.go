package libraryfile

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	line, err := json.Marshal(map[string]string{"id": "a", "name": "a", "description": "d", "body": strings.Repeat("word ", 60_000)})
	require.NoError(t, err)
	var zipped bytes.Buffer
	gz := gzip.NewWriter(&zipped)
	gz.Write(line)
	gz.Close()
	for name, text := range map[string]string{
		"lib.jsonl": string(line) + "\n", "lib.jsonl.gz": zipped.String(), "cut.jsonl.gz": zipped.String()[:zipped.Len()/2],
		"empty.jsonl": "",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for _, name := range []string{"lib.jsonl", "lib.jsonl.gz"} {
		entries, err := Read(filepath.Join(dir, name))
		if err != nil || len(entries) != 1 || len(entries[0].Body) != 300_000 {
			t.Errorf("Read(%s) = %d entries, %v; want one with its whole body", name, len(entries), err)
		}
	}
	if entries, err := Read(filepath.Join(dir, "empty.jsonl")); len(entries) != 0 || err != nil {
		t.Errorf("Read(empty) = %v, %v", entries, err)
	}
	for _, name := range []string{"cut.jsonl.gz", "missing.jsonl"} {
		_, err := Read(filepath.Join(dir, name))
		assert.ErrorContains(t, err, name)
	}
}
