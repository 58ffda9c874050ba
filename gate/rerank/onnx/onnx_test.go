package onnx

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// models holds a trained cross-encoder and odd models, which the tests of cmd/skillgate-rerank make.
const (
	models = "../../../testdata/rerank"
	tiny   = models + "/tiny/model.onnx"
)

func read(t testing.TB, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	return b
}

func TestInspectReadsWhatAModelSays(t *testing.T) {
	info, err := Inspect(filepath.Join(models, "odd", "external.onnx"))
	require.NoError(t, err)
	require.Equal(t, int64(17), info.Opsets[""])
	assert.NotEqual(t, 0, info.Nodes)
	var names []string
	for _, v := range info.Inputs {
		names = append(names, v.Name)
		require.Equal(t, Int64, v.Type)
		assert.Equal(t, []int64{-1, -1}, v.Dims)
	}
	assert.Equal(t, []string{"input_ids", "attention_mask", "token_type_ids"}, names)
	if o := info.Outputs; len(o) != 1 || o[0].Name != "logits" || o[0].Type != Float || !slices.Equal(o[0].Dims, []int64{-1, 2}) {
		t.Errorf("outputs %+v, want logits [-1 2]", o)
	}
	assert.Equal(t, []string{"model.onnx_data"}, info.External)
}

func TestInspectRefusesWhatIsNoModel(t *testing.T) {
	good := read(t, tiny)
	tests := []struct {
		name string
		data []byte
	}{
		{"empty", nil},
		{"text", []byte("version https://git-lfs.github.com/spec/v1\noid sha256:0\n")},
		{"half a model", good[:len(good)/2]},
		{"without its last byte", good[:len(good)-1]},
		{"zeros", make([]byte, 4096)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "model.onnx")
			require.NoError(t, os.WriteFile(file, tt.data, 0o600))
			info, err := Inspect(file)
			assert.ErrorIs(t, err, ErrFormat, "Inspect(%d bytes) = %+v, %v, want ErrFormat", len(tt.data), info, err)
		})
	}
}

// A detached model differs from the original only in the place of its weights.
func TestDetachMovesTheWeightsOut(t *testing.T) {
	dir, whole := t.TempDir(), tiny
	split, weights := filepath.Join(dir, "split.onnx"), filepath.Join(dir, "weights")
	moved, err := Detach(whole, split, weights, "weights")
	require.NoError(t, err)
	a, err := Inspect(whole)
	require.NoError(t, err)
	b, err := Inspect(split)
	require.NoError(t, err)
	if !slices.Equal(b.External, []string{"weights"}) || a.Nodes != b.Nodes || len(a.Inputs) != len(b.Inputs) || b.Opsets[""] != a.Opsets[""] {
		t.Errorf("Detach made %+v of %+v", b, a)
	}
	sizes := map[string]int64{}
	for _, file := range []string{whole, split, weights} {
		fi, err := os.Stat(file)
		require.NoError(t, err)
		sizes[file] = fi.Size()
	}
	if sizes[weights] != moved || sizes[split] > sizes[whole]/3 || sizes[split]+sizes[weights] < sizes[whole]-1000 {
		t.Errorf("%d bytes became %d and %d, %d moved", sizes[whole], sizes[split], sizes[weights], moved)
	}
	again, err := Detach(split, filepath.Join(dir, "again.onnx"), filepath.Join(dir, "none"), "none")
	if _, serr := os.Stat(filepath.Join(dir, "none")); again != 0 || err != nil || !errors.Is(serr, os.ErrNotExist) {
		t.Errorf("Detach of a split model = %d, %v, file of weights: %v", again, err, serr)
	}
}

func TestLocalStaysInTheFolder(t *testing.T) {
	for name, want := range map[string]bool{"model.onnx_data": true, "sub/w.bin": true, "../w.bin": false,
		"/etc/passwd": false, "a/../../b": false, `..\w`: false, "": false} {
		assert.Equal(t, want, Local(name), name)
	}
}

// Any bytes give a model or ErrFormat, and any model can be detached.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"labels.onnx", "input.onnx"} {
		f.Add(read(f, filepath.Join(models, "odd", name)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		info, err := Parse(data)
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatalf("Parse = %v, want ErrFormat", err)
			}
			return
		}
		d := detacher{weights: io.Discard, name: "w"}
		small, err := d.model(data)
		if err != nil {
			t.Fatalf("detach from a model = %v", err)
		}
		if again, err := Parse(small); err != nil || again.Nodes != info.Nodes {
			t.Fatalf("detached model = %+v, %v, want %+v", again, err, info)
		}
		if info.Nodes == 0 || len(info.Opsets) == 0 || !slices.IsSorted(info.External) {
			t.Fatalf("Parse = %+v", info)
		}
	})
}
