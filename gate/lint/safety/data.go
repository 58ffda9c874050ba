package safety

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

type pattern struct {
	ID, Rule, What string
	Keywords       []string // in lower case; a line must hold one of them for Expression to be tried
	With           []string // in lower case; a line must hold one of these too, if there are any
	Expression     string
	Allow          string // no hit if it matches the match up to the end of its word
	AllowLine      string `yaml:"allow_line"`    // no hit if it matches the line
	AllowCommand   string `yaml:"allow_command"` // no hit if it matches the command that holds the match
	About          string // no hit in a skill whose name or description matches it
	Prose          bool   // looked for in paragraphs, not in lines
	Risk           float64
	Bad, Good      []string // lines that are reported, and lines that are not

	re, allow, allowLine, allowCommand, about func() *regexp.Regexp // nil where there is no text
}

// allowed reports whether the match of p at m in line is none to report.
func (p *pattern) allowed(line string, m []int) bool {
	end := len(line)
	if i := strings.IndexAny(line[m[1]:], " \t"); i >= 0 {
		end = m[1] + i
	}
	from := strings.LastIndexAny(line[:m[0]], "`|&") + 1
	command, _, _ := strings.Cut(line[m[1]:], "`")
	return p.allow != nil && p.allow().MatchString(line[m[0]:end]) ||
		p.allowCommand != nil && p.allowCommand().MatchString(line[from:m[1]]+command) ||
		p.allowLine != nil && p.allowLine().MatchString(line)
}

//go:embed safety.yaml
var safetyText []byte

type safetyData struct {
	Define, Expressions map[string]string
	Words               map[string][]string
	Patterns            []*pattern
	named               map[string]func() *regexp.Regexp
	byRule              map[string][]*pattern // prose patterns under the rule's id and "prose"
}

var safety = sync.OnceValue(func() *safetyData {
	d := &safetyData{named: map[string]func() *regexp.Regexp{}, byRule: map[string][]*pattern{}}
	if err := yaml.Unmarshal(safetyText, d); err != nil {
		panic(fmt.Sprintf("safety.yaml: %v", err)) // it is part of the program
	}
	expand := func(text string) func() *regexp.Regexp {
		if text == "" {
			return nil
		}
		for strings.Contains(text, "{{") {
			before, rest, _ := strings.Cut(text, "{{")
			name, after, _ := strings.Cut(rest, "}}")
			text = before + d.Define[name] + after
		}
		return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
	}
	for name, text := range d.Expressions {
		d.named[name] = expand(text)
	}
	for _, p := range d.Patterns {
		p.re, p.allow, p.allowLine, p.about = expand(p.Expression), expand(p.Allow), expand(p.AllowLine), expand(p.About)
		p.allowCommand = expand(p.AllowCommand)
		key := p.Rule
		if p.Prose {
			key += "prose"
		}
		d.byRule[key] = append(d.byRule[key], p)
	}
	return d
})

func expr(name string) *regexp.Regexp { return safety().named[name]() }

func wordList(name string) []string { return safety().Words[name] }
