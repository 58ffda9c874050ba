// Package model keeps the cross-encoders that were installed for reranking.
//
// An installed model is a folder of the store, named for the model:
//
//	model.json       Manifest: what the model takes and gives, checksums
//	model.onnx       and the files with its weights, under the names it gives them
//	tokenizer.bin    the tokenizer's flat table (gate/rerank/tokenizer)
//
// Stage makes such a folder out of one in Hugging Face's layout, checks what can
// be checked without ONNX Runtime, and keeps it aside until Commit; between the
// two the helper runs the model once (Probe). Load opens an installed one.
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
	Inputs    []string  `json:"inputs"`    // in the model's order
	Output    string    `json:"output"`
	MaxTokens int       `json:"max_tokens"` // of a pair
	Bytes     int64     `json:"bytes"`      // of the weights
	Files     []File    `json:"files"`
	Probe     Probe     `json:"probe"`
	Installed time.Time `json:"installed"`
}

// File is one file as it was installed.
type File struct {
	Name    string `json:"name"`
	Size    int64  `json:"size"`
	ModTime int64  `json:"mod_time"` // Unix nanoseconds
	SHA256  string `json:"sha256"`
}

// Probe is what one run of the model showed.
type Probe struct {
	Runtime    string  `json:"runtime"` // version of ONNX Runtime
	Library    string  `json:"library"` // its file, or the name that the loader found
	Scale      float64 `json:"scale"`   // standard deviation of the logits over fitting and other pairs
	MsPerToken float64 `json:"ms_per_token"`
	LoadMs     float64 `json:"load_ms"`
	Right      int     `json:"right"` // of Asked plain questions, how many it ranks right
	Asked      int     `json:"asked"`
}

// ErrNone says that no model is installed.
var ErrNone = errors.New("no rerank model is installed")

// Installed is a model of the store.
type Installed struct {
	Dir string
	Manifest
}

// TokenizerFile returns the path of the tokenizer's table.
func (m *Installed) TokenizerFile() string { return filepath.Join(m.Dir, tokenizerFile) }

// ONNXFile returns the path of the model file.
func (m *Installed) ONNXFile() string { return filepath.Join(m.Dir, m.ONNX) }

// Load opens the model with that name in store, or in the folder that name is the
// path of; with "" the only one of the store. Files whose size or time is not as
// installed are an error; Verify compares their contents.
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
			return nil, fmt.Errorf("several rerank models are installed (%s): set rerank.model", strings.Join(names, ", "))
		}
	} else if !strings.ContainsRune(name, filepath.Separator) {
		dir = filepath.Join(store, name)
	}
	m := &Installed{Dir: dir}
	b, err := regular.Read(filepath.Join(dir, manifestFile), 1<<20)
	if errors.Is(err, os.ErrNotExist) {
		if _, err := os.Stat(filepath.Join(dir, "tokenizer.json")); err == nil {
			return nil, fmt.Errorf("%s is not an installed model but one to install", dir)
		}
		return nil, fmt.Errorf("rerank model %q: %w", name, ErrNone)
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(b, &m.Manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, manifestFile), err)
	}
	if m.Format != format {
		return nil, fmt.Errorf("%s: format %d, want %d: install the model again", dir, m.Format, format)
	}
	for _, f := range m.Files {
		fi, err := os.Stat(filepath.Join(dir, f.Name))
		if err != nil {
			return nil, fmt.Errorf("rerank model %s: %w", m.Name, err)
		}
		if fi.Size() != f.Size || fi.ModTime().UnixNano() != f.ModTime {
			return nil, fmt.Errorf("rerank model %s: %s has changed since it was installed", m.Name, f.Name)
		}
	}
	return m, nil
}

// List returns the names of the installed models, sorted. A store that does not
// exist is empty.
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

// Verify compares every file with its checksum.
func (m *Installed) Verify() error {
	for _, f := range m.Files {
		sum, err := regular.SHA256(filepath.Join(m.Dir, f.Name))
		if err != nil {
			return err
		}
		if sum != f.SHA256 {
			return fmt.Errorf("%s: SHA-256 %s, want %s", filepath.Join(m.Dir, f.Name), sum, f.SHA256)
		}
	}
	return nil
}
