package testmodel

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// testdata/rerank/tiny is what Tiny writes. Weights may differ in their last bits
// from one processor to another, so only the model's size is compared.
func TestCheckedInModelIsTheGeneratorsOwn(t *testing.T) {
	dir := t.TempDir()
	if err := Tiny(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"model.onnx", "tokenizer.json"} {
		want, err := os.ReadFile(filepath.Join("../../../testdata/rerank/tiny", name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) || name == "tokenizer.json" && !bytes.Equal(got, want) {
			t.Errorf("Tiny writes another %s: go run ./gate/rerank/testmodel/gen tiny testdata/rerank/tiny", name)
		}
	}
}
