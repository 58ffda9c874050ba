package lint

import (
	"bytes"
	"embed"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/txtar"
	"gopkg.in/yaml.v3"
)

// Text is the documentation of a rule. Files such as text/SG104.txt are txtar archives:
// a head in YAML, then the files of both examples. These placeholders in the files are replaced:
//
//	{CR} {U+202E} {0xFF}   stand for a character or byte
//	{500×text}             stands for text repeated 500 times, as lines if alone on its line
//	{a,b}                  in a file name makes one file per word, which replaces {} in the text
type Text struct {
	Title  string  `json:"title"`  // short name of the mistake
	Why    string  `json:"why"`    // consequence of the mistake
	Advice string  `json:"advice"` // how to correct the mistake
	See    string  `json:"see"`    // URL of the rule's source
	Since  string  `json:"since"`  // first release with the rule
	Bad    Example `json:"bad"`    // a library that the rule reports
	Good   Example `json:"good"`   // a library that the rule does not report
}

// Example is a small library that illustrates a rule.
type Example struct {
	Files     []ExampleFile
	Installed bool // the files form a user's skills folder, and project/ the skills folder of a project
	written   []ExampleFile
}

// ExampleFile is one file of an Example; Path is relative to the library.
type ExampleFile struct {
	Path, Text string
}

// Text returns the rule's documentation.
func (r *Rule) Text() *Text { return texts()[r.ID] }

//go:embed text/SG*.txt
var textFiles embed.FS

var texts = sync.OnceValue(func() map[string]*Text {
	out := make(map[string]*Text, len(All))
	for _, r := range All {
		file, err := textFiles.ReadFile("text/" + r.ID + ".txt")
		if err == nil {
			out[r.ID], err = parseText(file)
		}
		if err != nil {
			panic(fmt.Sprintf("text of %s: %v", r.ID, err)) // the embedded file is malformed
		}
	}
	return out
})

func parseText(file []byte) (*Text, error) {
	t := &Text{}
	archive := txtar.Parse(file)
	decoder := yaml.NewDecoder(bytes.NewReader(archive.Comment))
	decoder.KnownFields(true)
	if err := decoder.Decode(t); err != nil {
		return nil, err
	}
	examples := map[string]*Example{"bad": &t.Bad, "good": &t.Good}
	for _, f := range archive.Files {
		side, name, _ := strings.Cut(f.Name, "/")
		e := examples[side]
		if e == nil {
			return nil, fmt.Errorf("file %q", f.Name)
		}
		e.written = append(e.written, ExampleFile{name, string(f.Data)})
		e.Files = append(e.Files, spellOut(name, string(f.Data))...)
	}
	return t, nil
}

func spellOut(name, text string) []ExampleFile {
	repeat := func(re *regexp.Regexp, end string) {
		text = re.ReplaceAllStringFunc(text, func(s string) string {
			m := re.FindStringSubmatch(s)
			n, _ := strconv.Atoi(m[1]) // m[1] holds only digits
			return strings.Repeat(m[2]+end, n)
		})
	}
	repeat(expr("repeatedLines"), "\n")
	repeat(expr("repeatedWords"), "")
	text = expr("unwritable").ReplaceAllStringFunc(text, func(s string) string {
		code, base := strings.Trim(s, "{}"), "\r"
		if n, err := strconv.ParseUint(strings.TrimPrefix(code, "0x"), 16, 8); err == nil {
			base = string([]byte{byte(n)})
		} else if n, err := strconv.ParseInt(strings.TrimPrefix(code, "U+"), 16, 32); err == nil {
			base = string(rune(n))
		}
		return base
	})
	words := expr("severalFiles").FindStringSubmatch(name)
	if words == nil {
		return []ExampleFile{{name, text}}
	}
	var out []ExampleFile
	for _, w := range strings.Split(words[1], ",") {
		out = append(out, ExampleFile{strings.Replace(name, words[0], w, 1), strings.ReplaceAll(text, "{}", w)})
	}
	return out
}

// MarshalText encodes the example as its String.
func (e Example) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// String returns the files as `lint rules ID` prints them: a single SKILL.md, or each file after a line with its path.
func (e Example) String() string {
	var b strings.Builder
	for _, f := range e.written {
		if len(e.written) > 1 || path.Base(f.Path) != skillFile {
			fmt.Fprintf(&b, "-- %s --\n", f.Path)
		}
		b.WriteString(f.Text)
	}
	return b.String()
}

// Explain returns the documentation of a rule as `lint rules ID` prints it.
func (r *Rule) Explain() string {
	t, indent := r.Text(), expr("lineBegin")
	return fmt.Sprintf("%s  %s\n\n%s, %s, since %s\n\nWhy:  %s.\nDo:   %s.\nSee:  %s\n\nReported:\n%s\nNot reported:\n%s",
		r.ID, t.Title, r.Group(), r.Severity, t.Since, strings.TrimSuffix(t.Why, "."), strings.TrimSuffix(t.Advice, "."),
		t.See, indent.ReplaceAllString(t.Bad.String(), "    $1"), indent.ReplaceAllString(t.Good.String(), "    $1"))
}
