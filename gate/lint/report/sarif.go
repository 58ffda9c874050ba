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
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Rule      sarifRuleRef    `json:"associatedRule"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifRuleRef struct {
		ID    string `json:"id"`
		Index int    `json:"index"`
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
		Baseline     string            `json:"baselineState,omitempty"`
		Fixes        []sarifFix        `json:"fixes,omitempty"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted *sarifText  `json:"insertedContent,omitempty"`
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
		EndLine     int        `json:"endLine,omitempty"`
		EndColumn   int        `json:"endColumn,omitempty"`
		Snippet     *sarifText `json:"snippet,omitempty"`
	}
)

// SARIFOptions is what a SARIF log says beside the findings.
type SARIFOptions struct {
	Version  string // of the program
	Baseline bool   // the findings are those that a baseline does not have
}

// SARIF writes findings as a SARIF 2.1.0 log, as code scanning services read it.
// Files that could not be read are notifications of the run too.
func SARIF(out io.Writer, res *lint.Result, o SARIFOptions) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{},
		Invocations: []sarifInvocation{{Successful: true}}}
	run.Tool.Driver = sarifDriver{Name: "skillgate lint", Version: o.Version,
		InformationURI: "https://github.com/skillgate/skillgate", Rules: []sarifRule{}}
	index := map[string]int{}
	for i, r := range lint.All {
		index[r.ID] = i
		t := r.Text()
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: r.ID, Short: sarifText{t.Title}, Full: sarifText{t.Why}, Help: sarifText{r.Explain()}, HelpURI: t.See,
			Default: sarifConfig{level(r.Severity)}, Props: sarifProperties{[]string{r.Group()}},
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
		if o.Baseline {
			one.Baseline = "new"
		}
		if f.Fix != nil {
			one.Fixes = []sarifFix{sarifFixOf(f.Fix)}
		}
		if f.Rule == lint.Unreadable {
			run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{
				Level: "error", Message: sarifText{f.Path + ": " + f.Text}, Rule: sarifRuleRef{f.Rule, one.RuleIndex},
				Locations: one.Locations,
			})
		}
		run.Results = append(run.Results, one)
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	})
}

func sarifFixOf(c *lint.Change) sarifFix {
	change := sarifChange{Artifact: sarifArtifact{pathURI(c.Path)}}
	for _, e := range c.Edits {
		r := sarifReplacement{Deleted: sarifRegion{StartLine: e.From.Line, StartColumn: e.From.Col, EndLine: e.To.Line,
			EndColumn: e.To.Col}}
		if e.New != "" {
			r.Inserted = &sarifText{e.New}
		}
		change.Replacements = append(change.Replacements, r)
	}
	return sarifFix{sarifText{c.Label}, []sarifChange{change}}
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
