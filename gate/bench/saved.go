package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/skillgate/skillgate/gate/disk"
)

// Report is a finished run: what `bench --json` prints and `bench --save` keeps.
type Report struct {
	Version     int            `json:"version"` // of this format
	Libraries   []string       `json:"libraries"`
	Skills      int            `json:"skills"`
	Settings    map[string]any `json:"settings,omitempty"` // those in force, by name
	K           int            `json:"k"`
	Seconds     float64        `json:"seconds"` // wall time of the decisions
	Prompts     int            `json:"prompts"`
	PerSecond   float64        `json:"prompts_per_second"`
	LeftOut     int            `json:"left_out"`               // prompts for libraries that were not loaded
	Reranked    int            `json:"reranked,omitempty"`     // prompts whose candidates a model ordered
	NotReranked map[string]int `json:"not_reranked,omitempty"` // prompts it did not, by reason
	Sections    []Section      `json:"sections"`
	Outcomes    []Outcome      `json:"outcomes,omitempty"`
	Differences []Difference   `json:"differences,omitempty"` // against the run compared with
	Published   Published      `json:"published,omitempty"`   // results that came with a public set
}

// reportVersion changes when a saved run can no longer be read as before.
const reportVersion = 1

// Sum fills in what follows from the outcomes and from K and Seconds.
func (r *Report) Sum(outcomes []Outcome) {
	r.Version, r.Outcomes, r.Prompts = reportVersion, outcomes, len(outcomes)
	r.Sections = Sections(outcomes, r.K)
	if r.Seconds > 0 {
		r.PerSecond = float64(r.Prompts) / r.Seconds
	}
}

// Write writes r as indented JSON.
func (r *Report) Write(w io.Writer) error { return write(w, r) }

// Write writes d as indented JSON.
func (d Diff) Write(w io.Writer) error { return write(w, d) }

func write(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(v)
}

// Save writes r to file, replacing it. A new file has mode 0600: it holds prompts.
func (r *Report) Save(file string) error {
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		return err
	}
	return disk.Write(file, text.Bytes(), disk.Options{})
}

// ReadReport reads a saved run with its outcomes.
func ReadReport(file string) (*Report, error) {
	var r Report
	if err := readJSON(file, &r); err != nil {
		return nil, err
	}
	if r.Version != reportVersion {
		return nil, fmt.Errorf("%s: saved run of version %d, want %d", file, r.Version, reportVersion)
	}
	if len(r.Outcomes) == 0 {
		return nil, fmt.Errorf("%s: no outcomes in it; write it with --save", file)
	}
	return &r, nil
}
