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
	Keywords       []string // in lower case; Expression is tried only on lines that contain one of them
	With           []string // in lower case; unless empty, the line must also contain one of them
	Expression     expression
	Allow          expression // exempts a match if this expression matches in it or in the rest of its last word
	AllowLine      expression `yaml:"allow_line"`    // exempts a match if this expression matches in its line
	AllowCommand   expression `yaml:"allow_command"` // exempts a match if this expression matches in its command
	About          expression // exempts skills if this expression matches in their name, folder or description
	Unseen         bool       // matches text that readers do not see
	Open           bool       // exempts skills that speak of the match elsewhere; see Skill.speaksOf
	Usual          bool       // ordinary projects do it too
	Prose          bool       // match paragraphs instead of lines
	Risk           float64
	Bad, Good      []string // examples of reported lines and of lines that are not reported
}

func (p *pattern) allowed(line string, m []int) bool {
	end := len(line)
	if i := strings.IndexAny(line[m[1]:], " \t"); i >= 0 {
		end = m[1] + i
	}
	from := strings.LastIndexAny(line[:m[0]], "`|&") + 1
	command, _, _ := strings.Cut(line[m[1]:], "`")
	return p.Allow.matches(line[m[0]:end]) || p.AllowCommand.matches(line[from:m[1]]+command) || p.AllowLine.matches(line)
}

// expression is a regular expression that is compiled on first use, or nil.
type expression func() *regexp.Regexp

func (e *expression) UnmarshalYAML(n *yaml.Node) error {
	*e = sync.OnceValue(func() *regexp.Regexp {
		text := n.Value
		for strings.Contains(text, "{{") {
			before, rest, _ := strings.Cut(text, "{{")
			name, after, _ := strings.Cut(rest, "}}")
			text = before + safety().Define[name] + after
		}
		return regexp.MustCompile(text)
	})
	return nil
}

func (e expression) matches(text string) bool { return e != nil && e().MatchString(text) }

//go:embed safety.yaml
var safetyText []byte

type safetyData struct {
	Define      map[string]string
	Expressions map[string]expression
	Words       map[string][]string
	Patterns    []*pattern
	byRule      map[string][]*pattern // by rule ID; patterns for prose by rule ID + "prose"
}

var safety = sync.OnceValue(func() *safetyData {
	d := &safetyData{byRule: map[string][]*pattern{}}
	if err := yaml.Unmarshal(safetyText, d); err != nil {
		panic(fmt.Sprintf("safety.yaml: %v", err)) // the embedded file is malformed
	}
	for _, p := range d.Patterns {
		key := p.Rule
		if p.Prose {
			key += "prose"
		}
		d.byRule[key] = append(d.byRule[key], p)
	}
	return d
})

func expr(name string) *regexp.Regexp { return safety().Expressions[name]() }
func wordList(name string) []string   { return safety().Words[name] }
