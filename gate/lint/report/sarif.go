package report

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/lint"
)

// The part of SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/) that
// is written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string          `json:"id"`
		Short   sarifText       `json:"shortDescription"`
		Full    sarifText       `json:"fullDescription"`
		Help    sarifText       `json:"help"`
		HelpURI string          `json:"helpUri"`
		Default sarifConfig     `json:"defaultConfiguration"`
		Props   sarifProperties `json:"properties"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifProperties struct {
		Tags []string `json:"tags"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int        `json:"startLine"`
		StartColumn int        `json:"startColumn,omitempty"`
		EndColumn   int        `json:"endColumn,omitempty"`
		Snippet     *sarifText `json:"snippet,omitempty"`
	}
)

// SARIF writes findings as a SARIF 2.1.0 log, as code scanning services read it.
// version is the program's.
func SARIF(out io.Writer, res *lint.Result, version string) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "skillgate lint", Version: version, InformationURI: "https://github.com/skillgate/skillgate", Rules: []sarifRule{}}
	index := map[string]int{}
	for i, r := range lint.All {
		index[r.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: r.ID, Short: sarifText{r.Title}, Full: sarifText{r.Why}, Help: sarifText{r.Explain()}, HelpURI: r.See,
			Default: sarifConfig{level(r.Severity)}, Props: sarifProperties{[]string{string(r.Group)}},
		})
	}
	for i := range res.Findings {
		f := &res.Findings[i]
		one := sarifResult{
			RuleID: f.Rule, RuleIndex: index[f.Rule], Level: level(f.Severity), Message: sarifText{f.Text + " – " + f.Hint},
			Fingerprints: map[string]string{"skillgate/v1": f.Fingerprint},
		}
		if f.Path != "" {
			at := sarifPhysical{Artifact: sarifArtifact{pathURI(f.Path)}}
			if f.Line > 0 {
				at.Region = &sarifRegion{StartLine: f.Line, StartColumn: f.Col, EndColumn: f.EndCol}
				if f.Excerpt != "" {
					at.Region.Snippet = &sarifText{f.Excerpt}
				}
			}
			one.Locations = []sarifLocation{{at}}
		}
		run.Results = append(run.Results, one)
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	})
}

func level(s lint.Severity) string {
	switch s {
	case lint.Error:
		return "error"
	case lint.Warning:
		return "warning"
	case lint.Info:
		return "note"
	}
	return "none"
}

// pathURI writes a path as a URI reference: relative where the path is.
func pathURI(path string) string {
	path = filepath.ToSlash(path)
	if filepath.IsAbs(path) {
		return (&url.URL{Scheme: "file", Path: path}).String()
	}
	// A colon in the first segment would read as a scheme.
	return strings.ReplaceAll((&url.URL{Path: path}).EscapedPath(), ":", "%3A")
}
