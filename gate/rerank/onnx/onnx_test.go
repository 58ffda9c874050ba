package onnx

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// models has a trained cross-encoder and odd ones, which cmd/skillgate-rerank's tests make.
const (
	models = "../../../testdata/rerank"
	tiny   = models + "/tiny/model.onnx"
)

func read(t testing.TB, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestInspectReadsWhatAModelSays(t *testing.T) {
	info, err := Inspect(filepath.Join(models, "odd", "external.onnx"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Opsets[""] != 17 || info.Nodes == 0 {
		t.Errorf("Inspect = %+v, want operator set 17", info)
	}
	var names []string
	for _, v := range info.Inputs {
		names = append(names, v.Name)
		if v.Type != Int64 || !slices.Equal(v.Dims, []int64{-1, -1}) {
			t.Errorf("input %+v, want int64 of two free sizes", v)
		}
	}
	if want := []string{"input_ids", "attention_mask", "token_type_ids"}; !slices.Equal(names, want) {
		t.Errorf("inputs %v, want %v", names, want)
	}
	if o := info.Outputs; len(o) != 1 || o[0].Name != "logits" || o[0].Type != Float || !slices.Equal(o[0].Dims, []int64{-1, 2}) {
		t.Errorf("outputs %+v, want logits [-1 2]", o)
	}
	if want := []string{"model.onnx_data"}; !slices.Equal(info.External, want) {
		t.Errorf("external %v, want %v", info.External, want)
	}
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
			if err := os.WriteFile(file, tt.data, 0o600); err != nil {
				t.Fatal(err)
			}
			if info, err := Inspect(file); !errors.Is(err, ErrFormat) {
				t.Errorf("Inspect(%d bytes) = %+v, %v, want ErrFormat", len(tt.data), info, err)
			}
		})
	}
}

// A model split in two is the one that was written in two, save where weights lie.
func TestDetachMovesTheWeightsOut(t *testing.T) {
	dir, whole := t.TempDir(), tiny
	split, weights := filepath.Join(dir, "split.onnx"), filepath.Join(dir, "weights")
	moved, err := Detach(whole, split, weights, "weights")
	if err != nil {
		t.Fatal(err)
	}
	a, err := Inspect(whole)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Inspect(split)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(b.External, []string{"weights"}) || a.Nodes != b.Nodes || len(a.Inputs) != len(b.Inputs) || b.Opsets[""] != a.Opsets[""] {
		t.Errorf("Detach made %+v of %+v", b, a)
	}
	sizes := map[string]int64{}
	for _, file := range []string{whole, split, weights} {
		fi, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
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
		if got := Local(name); got != want {
			t.Errorf("Local(%q) = %v, want %v", name, got, want)
		}
	}
}

// Any bytes are a model or an error, and a model has inputs of its own names only.
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
