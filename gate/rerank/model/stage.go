package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/rerank/onnx"
	"github.com/skillgate/skillgate/gate/rerank/tokenizer"
)

// Staged is a model that is prepared for installation.
type Staged struct {
	Installed
	store *disk.Folder
	made  *disk.Temp
}

// Stage prepares the model src for installation in store. src is a folder with model.onnx and tokenizer.json in the
// layout of Hugging Face or Optimum, or an .onnx file with tokenizer.json in its folder or the folder above. name is
// the name of the installed model; "" means the name of the source folder. Call Commit or Discard afterwards. If store
// is not a folder of skillgate, the error is a *disk.ForeignError.
func Stage(src, store, name string, now time.Time) (_ *Staged, err error) {
	in, err := find(src)
	if err != nil {
		return nil, err
	}
	name = cmp.Or(name, in.name)
	if name = safeName(name); name == "" {
		return nil, fmt.Errorf("%s: no usable model name; choose one with --name (letters, digits, \"-\" and \"_\")", src)
	}
	folder, err := disk.Make(store, disk.Models)
	if err != nil {
		return nil, err
	}
	sweep(folder, now)
	made, err := disk.NewTemp(store, staging+"*")
	if err != nil {
		folder.Close()
		return nil, err
	}
	s := &Staged{Installed: Installed{Dir: made.Path, Manifest: Manifest{
		Format: format, Name: name, Source: in.onnx, ONNX: "model.onnx", Installed: now.UTC(),
	}}, store: folder, made: made}
	defer func() {
		if err != nil {
			s.Discard()
		}
	}()
	info, err := onnx.Inspect(in.onnx)
	if err != nil {
		return nil, err
	}
	if err := s.takes(info); err != nil {
		return nil, fmt.Errorf("%s: %w", in.onnx, err)
	}
	if err := s.compile(in); err != nil {
		return nil, err
	}
	if err := s.weights(in.onnx, len(info.External) == 0); err != nil {
		return nil, err
	}
	for _, file := range info.External {
		if !onnx.Local(file) || file == manifestFile || file == tokenizerFile || file == s.ONNX {
			return nil, fmt.Errorf("%s: the weights are in %q but must be in the model's folder", in.onnx, file)
		}
		if err := s.place(filepath.Join(filepath.Dir(in.onnx), file), file); err != nil {
			return nil, fmt.Errorf("weights of the model: %w", err)
		}
	}
	for _, f := range s.Files {
		if f.Name != tokenizerFile {
			s.Bytes += f.Size
		}
	}
	return s, s.write()
}

// Commit installs the staged model. It replaces an installed model of the same name.
func (s *Staged) Commit(p Probe) (*Installed, error) {
	defer s.store.Close()
	s.Probe = p
	if err := s.write(); err != nil {
		return nil, err
	}
	if err := s.store.Replace(s.made, s.Name); err != nil {
		return nil, err
	}
	s.Dir = s.made.Path
	return &s.Installed, nil
}

const staging = ".stage-"

func sweep(store *disk.Folder, now time.Time) {
	entries, _ := store.Entries() // on an error, the next installation tries again
	for _, e := range entries {
		number, staged := strings.CutPrefix(e.Name(), staging)
		if !staged || strings.Trim(strings.TrimSuffix(number, ".old"), "0123456789") != "" {
			continue
		}
		if fi, err := e.Info(); err == nil && now.Sub(fi.ModTime()) > 24*time.Hour {
			_ = store.RemoveFolder(e.Name())
		}
	}
}

// Discard removes the staged model.
func (s *Staged) Discard() {
	_ = s.made.Remove() // a folder left behind is hidden and harmless
	_ = s.store.Close()
}

func (s *Staged) write() error {
	b, err := json.MarshalIndent(s.Manifest, "", "  ")
	if err != nil {
		return err
	}
	return disk.Write(filepath.Join(s.Dir, manifestFile), append(b, '\n'), disk.Options{})
}

type source struct {
	name, onnx, tokenizer, config string
}

var onnxNames = []string{
	"model.onnx", "onnx/model.onnx",
	"model_quantized.onnx", "onnx/model_quantized.onnx", "model_int8.onnx", "onnx/model_int8.onnx",
}

func find(src string) (source, error) {
	src, err := filepath.Abs(src)
	if err != nil {
		return source{}, err
	}
	fi, err := os.Stat(src)
	if err != nil {
		return source{}, err
	}
	in := source{onnx: src}
	if fi.IsDir() {
		in.onnx = ""
		for _, name := range onnxNames {
			if _, err := os.Stat(filepath.Join(src, name)); err == nil {
				in.onnx = filepath.Join(src, name)
				break
			}
		}
		if in.onnx == "" {
			return source{}, fmt.Errorf("%s: no model.onnx", src)
		}
	}
	dir := filepath.Dir(in.onnx)
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if _, err := os.Stat(filepath.Join(d, "tokenizer.json")); err == nil {
			in.name, in.tokenizer, in.config = filepath.Base(d), filepath.Join(d, "tokenizer.json"),
				filepath.Join(d, "config.json")
			return in, nil
		}
	}
	return source{}, fmt.Errorf("%s: no tokenizer.json in the model's folder or its parent folder", dir)
}

func safeName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r) {
			return r
		}
		return -1
	}, name)
	return strings.TrimLeft(name, ".-")
}

// defaultTokens is the maximum length of a pair, in tokens, if the model specifies none.
const defaultTokens = 512

func (s *Staged) takes(info onnx.Info) error {
	for domain := range info.Opsets {
		if domain != "" && !strings.HasPrefix(domain, "com.microsoft") && domain != "ai.onnx.ml" {
			return fmt.Errorf("operator set %q is not part of ONNX Runtime", domain)
		}
	}
	seen := map[string]bool{}
	s.MaxTokens = defaultTokens
	for _, v := range info.Inputs {
		switch v.Name {
		case "input_ids", "attention_mask", "token_type_ids":
		default:
			return fmt.Errorf("unsupported input %q; a model may have only input_ids, attention_mask and token_type_ids",
				v.Name)
		}
		if v.Type != onnx.Int64 {
			return fmt.Errorf("input %q is %v but must be int64", v.Name, v.Type)
		}
		if len(v.Dims) != 2 || v.Dims[0] >= 0 {
			return fmt.Errorf("input %q has shape %v; export it with a dynamic batch size (two dimensions, first -1)", v.Name,
				v.Dims)
		}
		if v.Dims[1] >= 0 {
			return fmt.Errorf("input %q takes exactly %d tokens; export it with a dynamic sequence length", v.Name, v.Dims[1])
		}
		s.Inputs = append(s.Inputs, v.Name)
		seen[v.Name] = true
	}
	if !seen["input_ids"] {
		return errors.New("the model has no input \"input_ids\"")
	}
	for _, v := range info.Outputs {
		if s.Output == "" || v.Name == "logits" {
			s.Output = v.Name
			if v.Type != onnx.Float {
				return fmt.Errorf("output %q is %v but must be float32", v.Name, v.Type)
			}
			if n := len(v.Dims); n > 2 || n == 2 && v.Dims[1] > 2 {
				return fmt.Errorf("output %q has shape %v instead of 1 or 2 logits per pair; the model is not a reranker",
					v.Name, v.Dims)
			}
		}
	}
	if s.Output == "" {
		return errors.New("the model has no output")
	}
	return nil
}

const maxJSON = 128 << 20

func (s *Staged) compile(in source) error {
	text, err := regular.Read(in.tokenizer, maxJSON)
	if err != nil {
		return err
	}
	table, err := tokenizer.Compile(text)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Dir(in.tokenizer), err)
	}
	t, err := tokenizer.New(table)
	if err != nil {
		return err
	}
	s.Tokenizer = t.Kind()
	if err := s.config(in.config, t); err != nil {
		return err
	}
	file := filepath.Join(s.Dir, tokenizerFile)
	if err := disk.Write(file, table, disk.Options{}); err != nil {
		return err
	}
	return s.note(tokenizerFile)
}

func (s *Staged) config(file string, t *tokenizer.Tokenizer) error {
	text, err := regular.Read(file, maxJSON)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var c struct {
		Type       string `json:"model_type"`
		Vocabulary int    `json:"vocab_size"`
		Positions  int    `json:"max_position_embeddings"`
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if c.Vocabulary > 0 && (t.Size() > c.Vocabulary || t.Size() < c.Vocabulary*9/10) {
		return fmt.Errorf("wrong tokenizer: tokenizer.json has %d entries, but the model has embeddings for %d", t.Size(),
			c.Vocabulary)
	}
	if c.Type == "xlm-roberta" && t.Kind() != "Unigram" || c.Type == "bert" && t.Kind() != "WordPiece" {
		return fmt.Errorf("wrong tokenizer: tokenizer.json is for %s, but the model is of type %s", t.Kind(), c.Type)
	}
	if c.Positions > 0 {
		const reserved = 2 // XLM-R does not use its first positions
		s.MaxTokens = min(s.MaxTokens, c.Positions-reserved)
	}
	return nil
}

// weightsFile holds the weights that Detach separates from a model.
const weightsFile = "model.onnx_data"

func (s *Staged) weights(from string, split bool) error {
	if !split {
		return s.place(from, s.ONNX)
	}
	moved, err := onnx.Detach(from, filepath.Join(s.Dir, s.ONNX), filepath.Join(s.Dir, weightsFile), weightsFile)
	if err != nil {
		return err
	}
	if moved > 0 {
		if err := s.note(weightsFile); err != nil {
			return err
		}
	}
	return s.note(s.ONNX)
}

// place copies a file into the staged folder and records its checksum. It never links, so that later changes to the
// source do not affect the model.
func (s *Staged) place(from, name string) error {
	to := filepath.Join(s.Dir, name)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	in, err := regular.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return s.note(name)
}

func (s *Staged) note(name string) error {
	file := filepath.Join(s.Dir, name)
	fi, err := os.Stat(file)
	if err != nil {
		return err
	}
	sum, err := regular.SHA256(file)
	if err != nil {
		return err
	}
	s.Files = append(s.Files, File{Name: name, Size: fi.Size(), ModTime: fi.ModTime().UnixNano(), SHA256: sum})
	return nil
}
