package report

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/source"
)

type object = map[string]any

// SARIF writes findings as a SARIF 2.1.0 log for code scanning services. version is the program's version.
func SARIF(out io.Writer, res *lint.Result, version string) error {
	index := map[string]int{}
	var rules []object
	for i, r := range lint.All {
		index[r.ID] = i
		t := r.Text()
		rules = append(rules, object{
			"id": r.ID, "shortDescription": message(t.Title), "fullDescription": message(t.Why),
			"help": message(r.Explain()), "helpUri": t.See, "properties": object{"tags": []string{r.Group()}},
			"defaultConfiguration": object{"level": level(r.Severity)},
		})
	}
	results := []object{}
	for _, f := range res.Findings {
		one := object{
			"ruleId": f.Rule, "ruleIndex": index[f.Rule], "level": level(f.Severity),
			"message": message(f.Text + " – " + f.Hint), "partialFingerprints": object{"skillgate/v1": f.Fingerprint},
		}
		if f.Path != "" {
			at := object{"artifactLocation": object{"uri": pathURI(f.Path)}}
			if f.Line > 0 {
				at["region"] = sarifRegion(f.Place)
			}
			one["locations"] = []object{{"physicalLocation": at}}
		}
		if f.Fix != nil {
			one["fixes"] = []object{sarifFix(f.Fix)}
		}
		results = append(results, one)
	}
	driver := object{"name": "skillgate lint", "informationUri": "https://github.com/skillgate/skillgate", "rules": rules}
	if version != "" {
		driver["version"] = version
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(object{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0",
		"runs": []object{{
			"tool": object{"driver": driver}, "invocations": []object{{"executionSuccessful": true}},
			"columnKind": "unicodeCodePoints", "results": results,
		}},
	})
}

func message(text string) object { return object{"text": text} }

func sarifRegion(p source.Place) object {
	region := object{"startLine": p.Line}
	if p.Col > 0 {
		region["startColumn"], region["endColumn"] = p.Col, p.EndCol
	}
	if p.Excerpt != "" {
		region["snippet"] = message(p.Excerpt)
	}
	return region
}

func sarifFix(c *lint.Change) object {
	var replacements []object
	for _, e := range c.Edits {
		replacements = append(replacements, object{
			"deletedRegion": object{"startLine": e.From.Line, "startColumn": e.From.Col, "endLine": e.To.Line,
				"endColumn": e.To.Col},
			"insertedContent": message(e.New),
		})
	}
	return object{"description": message(c.Label), "artifactChanges": []object{
		{"artifactLocation": object{"uri": pathURI(c.Path)}, "replacements": replacements}}}
}

func level(s lint.Severity) string { return [...]string{"none", "note", "warning", "error"}[s] }

func pathURI(path string) string {
	path = filepath.ToSlash(path)
	if filepath.IsAbs(path) {
		return (&url.URL{Scheme: "file", Path: path}).String()
	}
	// A colon in the first segment would be read as a scheme.
	return strings.ReplaceAll((&url.URL{Path: path}).EscapedPath(), ":", "%3A")
}
