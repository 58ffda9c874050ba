// Package model installs and loads cross-encoders for reranking.
//
// An installed model is a folder in the store, named after the model:
//
//	model.json       the Manifest: inputs, output and checksums
//	model.onnx       the model; weights may be in other files
//	tokenizer.bin    the compiled tokenizer (gate/rerank/tokenizer)
//
// Stage creates such a folder from one in the layout of Hugging Face and makes all checks that do not need ONNX
// Runtime. The helper then runs the staged model once (Probe), and Commit installs it. Load opens an installed model.
package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/regular"
)

const format = 1

const (
	manifestFile  = "model.json"
	tokenizerFile = "tokenizer.bin"
)

// Manifest describes an installed model.
type Manifest struct {
	Format    int       `json:"format"`
	Name      string    `json:"name"`
	Source    string    `json:"source"`
	ONNX      string    `json:"onnx"`
	Tokenizer string    `json:"tokenizer"` // WordPiece or Unigram
	Inputs    []string  `json:"inputs"`    // names, in the order of the model's inputs
	Output    string    `json:"output"`
	MaxTokens int       `json:"max_tokens"` // maximum length of a pair of prompt and skill
	Bytes     int64     `json:"bytes"`      // total size of the weights
	Files     []File    `json:"files"`
	Probe     Probe     `json:"probe"`
	Installed time.Time `json:"installed"`
}

// File describes one file of a model as it was when installed.
type File struct {
	Name    string `json:"name"`
	Size    int64  `json:"size"`
	ModTime int64  `json:"mod_time"` // Unix nanoseconds
	SHA256  string `json:"sha256"`
}

// Probe is the result of a test run of a model.
type Probe struct {
	Runtime    string  `json:"runtime"` // version of ONNX Runtime
	Library    string  `json:"library"` // path of the ONNX Runtime library, or the name under which the loader found it
	Scale      float64 `json:"scale"`   // standard deviation of the logits over all pairs of test questions and answers
	MsPerToken float64 `json:"ms_per_token"`
	LoadMs     float64 `json:"load_ms"`
	Right      int     `json:"right"` // number of test questions with the right answer ranked first
	Asked      int     `json:"asked"` // number of test questions
}

// ErrNone means that no model is installed.
var ErrNone = errors.New("the rerank model is not installed")

// Installed is an installed model.
type Installed struct {
	Dir string
	Manifest
}

// TokenizerFile returns the path of the compiled tokenizer.
func (m *Installed) TokenizerFile() string { return filepath.Join(m.Dir, tokenizerFile) }

// ONNXFile returns the path of the model file.
func (m *Installed) ONNXFile() string { return filepath.Join(m.Dir, m.ONNX) }

// Load opens the model called name in store. name may also be the path of a model folder, or "" for the only model in
// store. Load fails if a file's size or modification time has changed since the installation. Verify also compares
// contents.
func Load(store, name string) (*Installed, error) {
	dir := name
	if name == "" {
		names, err := List(store)
		if err != nil {
			return nil, err
		}
		switch len(names) {
		case 0:
			return nil, ErrNone
		case 1:
			dir = filepath.Join(store, names[0])
		default:
			return nil, fmt.Errorf("several rerank models are installed (%s); set rerank.model", strings.Join(names, ", "))
		}
	} else if !strings.ContainsRune(name, filepath.Separator) {
		dir = filepath.Join(store, name)
	}
	m := &Installed{Dir: dir}
	b, err := regular.Read(filepath.Join(dir, manifestFile), 1<<20)
	if errors.Is(err, os.ErrNotExist) {
		if _, err := os.Stat(filepath.Join(dir, "tokenizer.json")); err == nil {
			return nil, fmt.Errorf("%[1]s is not installed; run `skillgate rerank install %[1]s`", dir)
		}
		return nil, fmt.Errorf("%q: %w", name, ErrNone)
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(b, &m.Manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, manifestFile), err)
	}
	if m.Format != format {
		return nil, fmt.Errorf("%s: the model has format %d instead of %d; install it again", dir, m.Format, format)
	}
	for _, f := range m.Files {
		fi, err := os.Stat(filepath.Join(dir, f.Name))
		if err != nil {
			return nil, fmt.Errorf("rerank model %s: %w", m.Name, err)
		}
		if fi.Size() != f.Size || fi.ModTime().UnixNano() != f.ModTime {
			return nil, fmt.Errorf("rerank model %s: %s has changed since it was installed; install it again", m.Name, f.Name)
		}
	}
	return m, nil
}

// List returns the names of the installed models in sorted order, or none if store does not exist.
func List(store string) ([]string, error) {
	entries, err := os.ReadDir(store)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(store, e.Name(), manifestFile)); err == nil && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// Verify compares every file of m with its checksum.
func (m *Installed) Verify() error {
	for _, f := range m.Files {
		sum, err := regular.SHA256(filepath.Join(m.Dir, f.Name))
		if err != nil {
			return err
		}
		if sum != f.SHA256 {
			return fmt.Errorf("%s: the SHA-256 checksum is %s instead of %s", filepath.Join(m.Dir, f.Name), sum, f.SHA256)
		}
	}
	return nil
}
