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

// Manifest is what a generation says about itself.
type Manifest struct {
	Format      int         `json:"format"`
	Analyzer    string      `json:"analyzer"` // AnalyzerVersion of the builder
	Generation  int         `json:"generation"`
	Created     time.Time   `json:"created"`
	Scope       string      `json:"scope"`              // "shared", or the folder of the project or library
	Fingerprint string      `json:"fingerprint"`        // of all that went in beside the skills: user synonyms, expansions
	Skills      int         `json:"skills"`             // documents alive in base and delta
	Places      int         `json:"places,omitempty"`   // where they lie, copies counted; as many where 0
	Distinct    int         `json:"distinct,omitempty"` // those of them that differ in name or content; unknown where 0
	Base        Part        `json:"base"`               // the last full build
	Delta       Part        `json:"delta"`              // what changed since
	Dead        []uint32    `json:"dead,omitempty"`     // of base: replaced by delta or gone, ascending
	Roots       []RootState `json:"roots"`
	Enriched    int         `json:"enriched,omitempty"`   // skills with an expansion
	Note        string      `json:"note,omitempty"`       // Options.Note
	State       string      `json:"state,omitempty"`      // Options.State
	Risks       bool        `json:"risks,omitempty"`      // each skill's risk is in it
	Background  []float64   `json:"background,omitempty"` // what Options.Background said of it, or before fewChanges
	Tables      uint32      `json:"tables,omitempty"`     // CRC-32 of the document tables, in an exported generation
}

// Part counts one segment's documents and their terms.
type Part struct {
	Docs  int              `json:"docs"`
	Total [NumFields]int64 `json:"total"` // terms per field, the sum over its documents

	NoAgents bool `json:"no_agents,omitempty"` // none of its documents is an agent; unknown where false
}

// content is what makes skills one: copies in several folders share it.
type content struct{ name, hash string }

// distinct is how many of the skills differ in name or content.
func (m *Manifest) distinct() int { return cmp.Or(m.Distinct, m.Skills) }

// places is how many skills there are, copies of one counted each.
func (m *Manifest) places() int { return cmp.Or(m.Places, m.Skills) }

// fewChanges reports whether so few documents changed since the last full build that the index answers unrelated
// prompts as it did: one in a thousand.
func (m *Manifest) fewChanges() bool { return 1000*(len(m.Dead)+m.Delta.Docs) <= m.Base.Docs }

// RootState is a folder as the builder found it; a changed time asks for a refresh.
type RootState struct {
	Path    string `json:"path"`
	Label   string `json:"label"`
	ModTime int64  `json:"mtime"` // Unix nanoseconds, 0 when the folder does not exist
}

// Format is the version of the files of a generation.
const Format = 14

// ErrNoRisks says that a generation was built while trust.max_risk left nothing out, and
// cannot say which skills a limit leaves out.
var ErrNoRisks = errors.New("built without the risks that trust.max_risk asks for")

// ErrStale says that a generation was made by another version and must be rebuilt.
var ErrStale = errors.New("made by another version of the analyzer")

const maxManifest = 16 << 20 // bytes; a million dead documents take 7 MB

// Newest returns the manifest of the newest generation in dir. Its errors are Open's.
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

// parseManifest decodes and checks a manifest. It returns the manifest beside
// ErrStale where only the analyzer differs.
func parseManifest(text []byte) (*Manifest, error) {
	m := new(Manifest)
	if err := jsonline.Read(text, m); err != nil {
		return nil, err
	}
	switch {
	case m.Format != Format:
		return nil, fmt.Errorf("format %d, want %d: %w", m.Format, Format, ErrStale)
	case m.Analyzer != AnalyzerVersion:
		return m, fmt.Errorf("analyzer %q, want %q: %w", m.Analyzer, AnalyzerVersion, ErrStale)
	case m.Base.Docs < 0 || m.Delta.Docs < 0 || len(m.Dead) > m.Base.Docs:
		return nil, errors.New("impossible document counts")
	case !slices.IsSorted(m.Dead) || len(m.Dead) > 0 && int(m.Dead[len(m.Dead)-1]) >= m.Base.Docs:
		return nil, errors.New("impossible list of dead documents")
	}
	for _, p := range []Part{m.Base, m.Delta} {
		for _, n := range p.Total {
			if n < 0 {
				return nil, errors.New("negative number of terms")
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

// writeSynced writes a file of mode 0600 and flushes it.
func writeSynced(file string, text []byte) error {
	return disk.Write(file, text, disk.Options{Sync: true})
}
