package index

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/jsonline"
	"github.com/skillgate/skillgate/gate/regular"
)

// Manifest describes a generation.
type Manifest struct {
	Format      int         `json:"format"`
	Analyzer    string      `json:"analyzer"` // AnalyzerVersion of the builder
	Generation  int         `json:"generation"`
	Created     time.Time   `json:"created"`
	Scope       string      `json:"scope"`              // "shared", or the folder of the project or library
	Fingerprint string      `json:"fingerprint"`        // Options.Fingerprint
	Skills      int         `json:"skills"`             // live documents in base and delta
	Places      int         `json:"places,omitempty"`   // number of skills including copies; 0 means as many as Skills
	Distinct    int         `json:"distinct,omitempty"` // skills that differ in name or content; 0 means unknown
	Base        Part        `json:"base"`               // totals of the last full build
	Delta       Part        `json:"delta"`              // totals of the changes since the last full build
	Dead        []uint32    `json:"dead,omitempty"`     // documents of base that were replaced or removed, ascending
	Roots       []RootState `json:"roots"`
	Enriched    int         `json:"enriched,omitempty"`   // skills with an expansion
	Note        string      `json:"note,omitempty"`       // Options.Note
	State       string      `json:"state,omitempty"`      // Options.State
	Risks       bool        `json:"risks,omitempty"`      // the documents' risks were computed (Options.Risk was set)
	Background  []float64   `json:"background,omitempty"` // result of Options.Background, kept while fewChanges is true
	Unmeasured  int         `json:"unmeasured,omitempty"` // changes since Background was measured
	Tables      uint32      `json:"tables,omitempty"`     // CRC-32 of the document tables, in an exported generation
}

// Part holds the totals of one segment.
type Part struct {
	Docs  int              `json:"docs"`
	Total [NumFields]int64 `json:"total"` // number of terms in each field, summed over the documents

	NoAgents bool `json:"no_agents,omitempty"` // no document is an agent; false means unknown
}

// content identifies the copies of a skill in different folders.
type content struct{ name, hash string }

func (m *Manifest) distinct() int { return cmp.Or(m.Distinct, m.Skills) }

func (m *Manifest) places() int { return cmp.Or(m.Places, m.Skills) }

// fewChanges reports whether at most one document in a thousand has changed since Background was measured. If so, the
// index is assumed to answer unrelated prompts as before.
func (m *Manifest) fewChanges() bool { return 1000*m.Unmeasured <= m.Base.Docs }

// RootState is the state of a folder at the last build. If its modification time changes, a refresh is due.
type RootState struct {
	Path    string `json:"path"`
	Label   string `json:"label"`
	ModTime int64  `json:"mtime"` // Unix nanoseconds; 0 if the folder does not exist
}

// Format is the version of a generation's file formats and of the rules for the flag Clean.
const Format = 15

// ErrNoRisks means that a generation was built without risks because trust.max_risk was not set, although it is set
// now.
var ErrNoRisks = errors.New("the index was built without the risk scores that trust.max_risk needs")

// ErrStale means that a generation was built by another version and must be rebuilt.
var ErrStale = errors.New("the index was built by another version of skillgate")

const maxManifest = 16 << 20 // bytes; a million dead documents need 7 MB

// Newest returns the manifest of the newest generation in dir. It returns the same errors as Open.
func Newest(dir string) (*Manifest, error) {
	gen, err := current(dir)
	if err != nil {
		return nil, err
	}
	return readManifest(gen)
}

func readManifest(dir string) (*Manifest, error) {
	text, err := regular.Read(filepath.Join(dir, "manifest.json"), maxManifest)
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(text)
	if err != nil {
		return nil, fmt.Errorf("%s/manifest.json: %w", dir, err)
	}
	return m, nil
}

// parseManifest decodes and checks a manifest. If only the analyzer differs, it returns the manifest together with
// ErrStale.
func parseManifest(text []byte) (*Manifest, error) {
	m := new(Manifest)
	if err := jsonline.Read(text, m); err != nil {
		return nil, err
	}
	switch {
	case m.Format != Format:
		return nil, fmt.Errorf("the format is %d instead of %d: %w", m.Format, Format, ErrStale)
	case m.Analyzer != AnalyzerVersion:
		return m, fmt.Errorf("the analyzer is %q instead of %q: %w", m.Analyzer, AnalyzerVersion, ErrStale)
	case m.Base.Docs < 0 || m.Delta.Docs < 0 || len(m.Dead) > m.Base.Docs:
		return nil, errors.New("the document counts are inconsistent")
	case !slices.IsSorted(m.Dead) || len(m.Dead) > 0 && int(m.Dead[len(m.Dead)-1]) >= m.Base.Docs:
		return nil, errors.New("the list of deleted documents is not ascending or contains unknown numbers")
	}
	for _, p := range []Part{m.Base, m.Delta} {
		for _, n := range p.Total {
			if n < 0 {
				return nil, errors.New("a field's number of terms is negative")
			}
		}
	}
	return m, nil
}

func writeManifest(dir string, m *Manifest) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return writeSynced(filepath.Join(dir, "manifest.json"), text)
}

func writeSynced(file string, text []byte) error {
	return disk.Write(file, text, disk.Options{Sync: true})
}
