package model

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/rerank/tokenizer"
)

// checkedIn is a file of testdata/rerank. tiny is a cross-encoder of 221 words, trained on generated pairs; the tests of
// cmd/skillgate-rerank make the odd models.
func checkedIn(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../../testdata/rerank", name))
	require.NoError(t, err)
	return string(b)
}

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "my-reranker")
	all := map[string]string{
		"model.onnx":     checkedIn(t, "tiny/model.onnx"),
		"tokenizer.json": checkedIn(t, "tiny/tokenizer.json"),
		"config.json":    `{"model_type":"bert","vocab_size":221,"max_position_embeddings":130}`,
	}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		if text == "" {
			continue
		}
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	return dir
}

var now = time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)

func install(t *testing.T, src, store, name string) *Installed {
	t.Helper()
	s, err := Stage(src, store, name, now)
	require.NoError(t, err)
	m, err := s.Commit(Probe{Runtime: "1.24.3", Scale: 2})
	require.NoError(t, err)
	return m
}

func held(t *testing.T, store string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(store)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Name() != disk.Marker {
			names = append(names, e.Name())
		}
	}
	return names
}

func TestStageSweeps(t *testing.T) {
	const old = 25 * time.Hour
	for name, tt := range map[string]struct {
		age  time.Duration
		file string
		stay bool
	}{
		".stage-1":     {old, "model.onnx", false},
		".stage-2.old": {old, "model.json", false},
		".stage-3":     {time.Hour, "model.onnx", true},
		".stage-mine":  {old, "model.json", true},
		"mine":         {old, "model.json", true},
	} {
		store := filepath.Join(t.TempDir(), "models")
		install(t, folder(t, nil), store, "")
		dir := filepath.Join(store, name)
		at := now.Add(-tt.age)
		err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, tt.file), []byte("{}"), 0o600),
			os.Chtimes(dir, at, at))
		require.NoError(t, err)
		install(t, folder(t, nil), store, "")
		stay := slices.Contains(held(t, store), name)
		assert.Equal(t, tt.stay, stay, "%s, %v old, stays: %v, want %v", name, tt.age, stay, tt.stay)
	}
}

func TestStageInAForeignFolder(t *testing.T) {
	mine := t.TempDir()
	file := filepath.Join(mine, ".stage-mine", "x")
	require.NoError(t, errors.Join(os.Mkdir(filepath.Dir(file), 0o700), os.WriteFile(file, nil, 0o600)))
	link := filepath.Join(t.TempDir(), "models")
	require.NoError(t, os.Symlink(mine, link))
	for _, store := range []string{mine, link} {
		_, err := Stage(folder(t, nil), store, "", now)
		_, foreign := errors.AsType[*disk.ForeignError](err)
		assert.True(t, foreign, "Stage = %v, want a ForeignError", err)
		assert.Equal(t, []string{".stage-mine"}, held(t, mine))
	}
	_, err := os.Stat(file)
	assert.NoError(t, err)
}

func TestInstallLoadAndVerify(t *testing.T) {
	store := filepath.Join(t.TempDir(), "models")
	install(t, folder(t, nil), store, "")
	m, err := Load(store, "")
	require.NoError(t, err)
	if m.Name != "my-reranker" || m.Tokenizer != "WordPiece" || m.MaxTokens != 128 || m.Output != "logits" || m.Probe.Scale != 2 ||
		!slices.Equal(m.Inputs, []string{"input_ids", "attention_mask", "token_type_ids"}) || !m.Installed.Equal(now) {
		t.Errorf("Load = %+v", m.Manifest)
	}
	assert.NoError(t, m.Verify())
	_, err = tokenizer.Open(m.TokenizerFile())
	assert.NoError(t, err)
	assert.Len(t, held(t, store), 1)
	install(t, folder(t, nil), store, "") // replaces itself
	install(t, folder(t, nil), store, "second")
	_, err = Load(store, "")
	assert.ErrorContains(t, err, "set rerank.model")
	if m, err := Load(store, filepath.Join(store, "second")); err != nil || m.Name != "second" {
		t.Errorf("Load by folder = %v, %v", m, err)
	}
}

func TestLoadNoticesChangedFiles(t *testing.T) {
	store := t.TempDir()
	m := install(t, folder(t, nil), store, "m")
	file := m.ONNXFile()
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	fi, _ := os.Stat(file)
	b[len(b)/2] ^= 1
	require.NoError(t, os.WriteFile(file, b, 0o600))
	_, err = Load(store, "m")
	assert.ErrorContains(t, err, "has changed")
	require.NoError(t, os.Chtimes(file, fi.ModTime(), fi.ModTime()))
	m, err = Load(store, "m")
	require.NoError(t, err)
	assert.ErrorContains(t, m.Verify(), "SHA-256")
	require.NoError(t, os.Remove(file))
	_, err = Load(store, "m")
	assert.Error(t, err, "Load of a model without its file succeeded")
	_, err = Load(store, "other")
	assert.ErrorIs(t, err, ErrNone)
	_, err = Load(filepath.Join(store, "gone"), "")
	assert.ErrorIs(t, err, ErrNone)
}

func TestStageRefusesAndLeavesNothing(t *testing.T) {
	good := checkedIn(t, "tiny/model.onnx")
	outside := strings.Replace(checkedIn(t, "odd/external.onnx"), "model.onnx_data", "../../w.bin_xyz", 1)
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"no model", map[string]string{"model.onnx": ""}, "no model.onnx"},
		{"no tokenizer", map[string]string{"tokenizer.json": ""}, "no tokenizer.json"},
		{"cut model", map[string]string{"model.onnx": good[:len(good)-10]}, "not an ONNX model"},
		{"text in place of a model", map[string]string{"model.onnx": "version https://git-lfs"}, "not an ONNX model"},
		{"weights missing", map[string]string{"model.onnx": checkedIn(t, "odd/external.onnx")}, "weights of the model"},
		{"weights outside", map[string]string{"model.onnx": outside}, "must be in the model's folder"},
		{"an input that no tokenizer gives", map[string]string{"model.onnx": checkedIn(t, "odd/input.onnx")}, `input "pixel_values"`},
		{"three labels", map[string]string{"model.onnx": checkedIn(t, "odd/labels.onnx")}, "the model is not a reranker"},
		{"tokenizer of another kind", map[string]string{"config.json": `{"model_type":"xlm-roberta","vocab_size":221}`},
			"wrong tokenizer: tokenizer.json is for WordPiece"},
		{"tokenizer of another size", map[string]string{"config.json": `{"vocab_size":250002}`}, "wrong tokenizer: tokenizer.json has 221 entries"},
		{"tokenizer that is no JSON", map[string]string{"tokenizer.json": "{"}, "tokenizer.json"},
		{"byte pair encoding", map[string]string{"tokenizer.json": `{"model":{"type":"BPE"}}`}, "must be WordPiece or Unigram"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			store := t.TempDir()
			_, err := Stage(folder(t, tt.files), store, "", now)
			assert.ErrorContains(t, err, tt.want)
			assert.Empty(t, held(t, store))
		})
	}
}

func TestStageFindsTheUsualLayouts(t *testing.T) {
	store := t.TempDir()
	model := checkedIn(t, "tiny/model.onnx")
	nested := folder(t, map[string]string{"model.onnx": "", "onnx/model_quantized.onnx": model})
	for _, src := range []string{folder(t, nil), nested, filepath.Join(nested, "onnx/model_quantized.onnx")} {
		s, err := Stage(src, store, "", now)
		if err != nil {
			t.Errorf("Stage(%s) = %v", src, err)
			continue
		}
		// The weights are in a separate file, to which the model refers.
		if more := s.Bytes - int64(len(model)); s.Name != "my-reranker" || more < 0 || more > 1000 {
			t.Errorf("Stage(%s) = name %q, %d bytes, want my-reranker, %d", src, s.Name, s.Bytes, len(model))
		}
		s.Discard()
	}
}

func TestLibraries(t *testing.T) {
	home := t.TempDir()
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	name := map[string]string{"linux": "libonnxruntime.so.1", "darwin": "libonnxruntime.1.24.3.dylib"}[runtime.GOOS]
	put := func(dir, layout string) string {
		t.Helper()
		file := filepath.Join(home, dir, layout, name)
		require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, nil, 0o600)))
		return file
	}
	packed := func(napi string) string { return filepath.Join("onnxruntime-node/bin", napi, runtime.GOOS, arch) }
	for _, other := range []string{"linux/arm64", "linux/x64", "darwin/arm64", "darwin/x64"} {
		if other != runtime.GOOS+"/"+arch {
			put("a/node_modules/onnxruntime-node/bin/napi-v6", other)
		}
	}
	old, newer := put("a/node_modules", packed("napi-v3")), put("a/node_modules", packed("napi-v6"))
	plain := put("ort/lib", "")
	beside := put("prefix/lib/node_modules", packed("napi-v6"))
	tests := []struct {
		name    string
		setting string
		env     map[string]string
		modules string
		want    []string // after the loader's names if neither is set
	}{
		{name: "the setting alone", setting: "/x/lib.so", env: map[string]string{"ONNXRUNTIME_LIB": "/y"}, want: []string{"/x/lib.so"}},
		{name: "the variable alone", env: map[string]string{"ONNXRUNTIME_LIB": "/y"}, want: []string{"/y"}},
		{name: "npm's package, newest layout first", setting: filepath.Join(home, "a/node_modules/onnxruntime-node"), want: []string{newer, old}},
		{name: "a folder of modules", setting: filepath.Join(home, "a/node_modules"), want: []string{newer, old}},
		{name: "a project's folder", setting: filepath.Join(home, "a"), want: []string{newer, old}},
		{name: "an unpacked release", setting: filepath.Join(home, "ort"), want: []string{plain}},
		{name: "a folder without it", setting: filepath.Join(home, "prefix"), want: []string{filepath.Join(home, "prefix")}},
		{name: "beside the helper", modules: Modules(filepath.Join(home, "prefix/bin/skillgate-rerank")), want: []string{beside}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Libraries(tt.setting, func(k string) string { return tt.env[k] }, tt.modules)
			want := tt.want
			if tt.setting == "" && tt.env["ONNXRUNTIME_LIB"] == "" {
				want = append(loaderNames(), want...)
			}
			assert.Equal(t, want, got, "Libraries(%q, %v) = %v, want %v", tt.setting, tt.env, got, want)
		})
	}
}
