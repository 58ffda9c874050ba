package report

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/lint"
)

// The part of SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/) that a finding is written in.
type (
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
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

// SARIF writes findings as a SARIF 2.1.0 log for code scanning services.
// Unreadable files also become notifications of the run. version is the program's version.
func SARIF(out io.Writer, res *lint.Result, version string) error {
	type object = map[string]any
	index := map[string]int{}
	var rules, unreadable []object
	for i, r := range lint.All {
		index[r.ID] = i
		t := r.Text()
		rules = append(rules, object{
			"id": r.ID, "shortDescription": sarifText{t.Title}, "fullDescription": sarifText{t.Why},
			"help": sarifText{r.Explain()}, "helpUri": t.See, "properties": object{"tags": []string{r.Group()}},
			"defaultConfiguration": object{"level": level(r.Severity)},
		})
	}
	results := []sarifResult{}
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
		if f.Fix != nil {
			one.Fixes = []sarifFix{sarifFixOf(f.Fix)}
		}
		if f.Rule == lint.Unreadable {
			unreadable = append(unreadable, object{
				"level": "error", "message": sarifText{f.Path + ": " + f.Text}, "locations": one.Locations,
				"associatedRule": object{"id": f.Rule, "index": one.RuleIndex},
			})
		}
		results = append(results, one)
	}
	driver := object{"name": "skillgate lint", "informationUri": "https://github.com/skillgate/skillgate", "rules": rules}
	if version != "" {
		driver["version"] = version
	}
	invocation := object{"executionSuccessful": true}
	if unreadable != nil {
		invocation["toolExecutionNotifications"] = unreadable
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(object{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0",
		"runs": []object{{
			"tool": object{"driver": driver}, "invocations": []object{invocation},
			"columnKind": "unicodeCodePoints", "results": results,
		}},
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

func pathURI(path string) string {
	path = filepath.ToSlash(path)
	if filepath.IsAbs(path) {
		return (&url.URL{Scheme: "file", Path: path}).String()
	}
	// A colon in the first segment would be read as a scheme.
	return strings.ReplaceAll((&url.URL{Path: path}).EscapedPath(), ":", "%3A")
}
