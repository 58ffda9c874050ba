package model

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate/rerank/testmodel"
	"github.com/skillgate/skillgate/gate/rerank/tokenizer"
)

// folder writes a model in Hugging Face's layout and returns its folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "my-reranker")
	all := map[string]string{
		"model.onnx":     string(testmodel.Broken("")),
		"tokenizer.json": string(testmodel.BERTTokenizer(testmodel.Words(300), true)),
		"config.json":    `{"model_type":"bert","vocab_size":300,"max_position_embeddings":130}`,
	}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		if text == "" {
			continue
		}
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var now = time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)

func install(t *testing.T, src, store, name string) *Installed {
	t.Helper()
	s, err := Stage(src, store, name, now)
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.Commit(Probe{Runtime: "1.24.3", Scale: 2})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestInstallLoadAndVerify(t *testing.T) {
	store := filepath.Join(t.TempDir(), "models")
	install(t, folder(t, nil), store, "")
	m, err := Load(store, "")
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "my-reranker" || m.Tokenizer != "WordPiece" || m.MaxTokens != 128 || m.Output != "logits" || m.Probe.Scale != 2 ||
		!slices.Equal(m.Inputs, []string{"input_ids", "attention_mask"}) || !m.Installed.Equal(now) {
		t.Errorf("Load = %+v", m.Manifest)
	}
	if err := m.Verify(); err != nil {
		t.Error(err)
	}
	if _, err := tokenizer.Open(m.TokenizerFile()); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(store)
	if err != nil || len(left) != 1 {
		t.Errorf("store holds %v, %v, want the model alone", left, err)
	}
	install(t, folder(t, nil), store, "") // in its own place
	install(t, folder(t, nil), store, "second")
	if _, err := Load(store, ""); err == nil || !strings.Contains(err.Error(), "set rerank.model") {
		t.Errorf("Load with two models = %v, want to be told to choose", err)
	}
	if m, err := Load(store, filepath.Join(store, "second")); err != nil || m.Name != "second" {
		t.Errorf("Load by folder = %v, %v", m, err)
	}
}

func TestLoadNoticesChangedFiles(t *testing.T) {
	store := t.TempDir()
	m := install(t, folder(t, nil), store, "m")
	file := m.ONNXFile()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fi, _ := os.Stat(file)
	b[len(b)/2] ^= 1
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(store, "m"); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("Load of a rewritten model = %v", err)
	}
	if err := os.Chtimes(file, fi.ModTime(), fi.ModTime()); err != nil {
		t.Fatal(err)
	}
	if m, err = Load(store, "m"); err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(); err == nil || !strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("Verify of a rewritten model = %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(store, "m"); err == nil {
		t.Error("Load of a model without its file succeeded")
	}
	if _, err := Load(store, "other"); !errors.Is(err, ErrNone) {
		t.Errorf("Load(other) = %v, want ErrNone", err)
	}
	if _, err := Load(filepath.Join(store, "gone"), ""); !errors.Is(err, ErrNone) {
		t.Errorf("Load from no store = %v, want ErrNone", err)
	}
}

func TestStageRefusesAndLeavesNothing(t *testing.T) {
	good := string(testmodel.Broken(""))
	outside := strings.Replace(external(t), "model.onnx_data", "../../w.bin_xyz", 1)
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"no model", map[string]string{"model.onnx": ""}, "no model.onnx"},
		{"no tokenizer", map[string]string{"tokenizer.json": ""}, "no tokenizer.json"},
		{"cut model", map[string]string{"model.onnx": good[:len(good)-10]}, "not an ONNX model"},
		{"text in place of a model", map[string]string{"model.onnx": "version https://git-lfs"}, "not an ONNX model"},
		{"weights missing", map[string]string{"model.onnx": external(t)}, "weights of the model"},
		{"weights outside", map[string]string{"model.onnx": outside}, "want a file beside the model"},
		{"an input that no tokenizer gives", map[string]string{"model.onnx": string(testmodel.Broken("input"))}, `input "pixel_values"`},
		{"three labels", map[string]string{"model.onnx": string(testmodel.Broken("labels"))}, "this is no reranker"},
		{"tokenizer of another kind", map[string]string{"config.json": `{"model_type":"xlm-roberta","vocab_size":300}`}, "wrong tokenizer: WordPiece"},
		{"tokenizer of another size", map[string]string{"config.json": `{"vocab_size":250002}`}, "wrong tokenizer: tokenizer.json has 300 entries"},
		{"tokenizer that is no JSON", map[string]string{"tokenizer.json": "{"}, "tokenizer.json"},
		{"byte pair encoding", map[string]string{"tokenizer.json": `{"model":{"type":"BPE"}}`}, "want WordPiece or Unigram"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			store := t.TempDir()
			_, err := Stage(folder(t, tt.files), store, "", now)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Stage = %v, want an error with %q", err, tt.want)
			}
			if left, _ := os.ReadDir(store); len(left) > 0 {
				t.Errorf("Stage left %v behind", left)
			}
		})
	}
}

// external is a model whose weights lie in model.onnx_data.
func external(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := testmodel.Encoder(dir, testmodel.Shape{Layers: 1, Hidden: 32, Heads: 2, FFN: 64, Vocabulary: 300, Positions: 64, External: true, Labels: 1}, 1); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "model.onnx"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestStageFindsTheUsualLayouts(t *testing.T) {
	store := t.TempDir()
	model := string(testmodel.Broken(""))
	nested := folder(t, map[string]string{"model.onnx": "", "onnx/model_quantized.onnx": model})
	for _, src := range []string{folder(t, nil), nested, filepath.Join(nested, "onnx/model_quantized.onnx")} {
		s, err := Stage(src, store, "", now)
		if err != nil {
			t.Errorf("Stage(%s) = %v", src, err)
			continue
		}
		if s.Name != "my-reranker" || s.Bytes != int64(len(model)) {
			t.Errorf("Stage(%s) = name %q, %d bytes, want my-reranker, %d", src, s.Name, s.Bytes, len(model))
		}
		s.Discard()
	}
}

func TestLibraries(t *testing.T) {
	home := t.TempDir()
	for _, file := range []string{
		"node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1",
		"node_modules/onnxruntime-node/bin/napi-v3/linux/x64/libonnxruntime.so.1",
		"node_modules/onnxruntime-node/bin/napi-v6/linux/arm64/libonnxruntime.so.1",
		"node_modules/onnxruntime-node/bin/napi-v6/darwin/x64/libonnxruntime.1.24.3.dylib",
		"node_modules/onnxruntime-node/bin/napi-v6/darwin/arm64/libonnxruntime.1.24.3.dylib",
	} {
		if err := os.MkdirAll(filepath.Join(home, filepath.Dir(file)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, file), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := func(kv map[string]string) func(string) string { return func(k string) string { return kv[k] } }
	if got := Libraries("/x/lib.so", env(map[string]string{"ONNXRUNTIME_LIB": "/y"}), home); !slices.Equal(got, []string{"/x/lib.so"}) {
		t.Errorf("Libraries(setting) = %v, want it alone", got)
	}
	if got := Libraries("", env(map[string]string{"ONNXRUNTIME_LIB": "/y"}), home); !slices.Equal(got, []string{"/y"}) {
		t.Errorf("Libraries($ONNXRUNTIME_LIB) = %v, want it alone", got)
	}
	got := Libraries("", env(nil), home)
	if len(got) < len(loaderNames())+1 || !slices.Equal(got[:len(loaderNames())], loaderNames()) || !strings.Contains(got[len(loaderNames())], "napi-v6") {
		t.Errorf("Libraries() = %v, want the loader's names, then npm's newest layout", got)
	}
	if err := os.Rename(filepath.Join(home, "node_modules"), filepath.Join(home, "lib")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(home, "prefix"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(home, "lib"), filepath.Join(home, "prefix/node_modules")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(home, "prefix"), filepath.Join(home, "lib")); err != nil {
		t.Fatal(err)
	}
	got = Libraries("", env(nil), "/nobody", Modules(filepath.Join(home, "bin/skillgate-rerank")))
	if !slices.ContainsFunc(got, func(f string) bool { return strings.HasPrefix(f, filepath.Join(home, "lib/node_modules")) }) {
		t.Errorf("Libraries beside the helper = %v, want those of its prefix", got)
	}
	if got := Libraries(filepath.Join(home, "lib/node_modules/onnxruntime-node"), env(nil), home); len(got) == 0 || !strings.Contains(got[0], "napi-v6") {
		t.Errorf("Libraries(npm folder) = %v, want the library in it", got)
	}
}
