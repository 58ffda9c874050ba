package lint

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// Baseline is the findings of an earlier run that a new one does not report:
// a library starts clean and only new mistakes fail. The file is JSON, sorted, so
// that it can be reviewed:
//
//	{"version":1,"findings":{"1f0c…":"SG203 pdf/SKILL.md","…":"…"}}
//
// A finding is known by its rule, skill, file and line's text, not by the line's
// number.
type Baseline struct {
	Version  int               `json:"version"`
	Findings map[string]string `json:"findings"`
}

// NewBaseline keeps the findings of a result.
func NewBaseline(res *Result) Baseline {
	b := Baseline{Version: 1, Findings: map[string]string{}}
	for _, f := range res.Findings {
		b.Findings[f.Fingerprint] = f.Rule + " " + f.Path
	}
	return b
}

// ReadBaseline decodes a baseline file.
func ReadBaseline(r io.Reader) (Baseline, error) {
	var b Baseline
	dec := json.NewDecoder(io.LimitReader(r, 64<<20))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&b); err != nil {
		return b, fmt.Errorf("baseline: %w", err)
	}
	if b.Version != 1 {
		return b, fmt.Errorf("baseline: version %d, want 1", b.Version)
	}
	return b, nil
}

// Write encodes b.
func (b Baseline) Write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(b)
}

// Subtract takes the findings of b out of res and counts them again. It returns
// how many were taken out and which entries of b no finding has any more.
func (b Baseline) Subtract(res *Result) (known int, gone []string) {
	met := map[string]bool{}
	res.Keep(func(f *Finding) bool {
		_, ok := b.Findings[f.Fingerprint]
		if ok {
			met[f.Fingerprint] = true
			known++
		}
		return !ok
	})
	for print, what := range b.Findings {
		if !met[print] {
			gone = append(gone, what)
		}
	}
	slices.Sort(gone)
	return known, gone
}
