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
	Expression     string
	Allow          string // exempts a match if this expression matches in it or in the rest of its last word
	AllowLine      string `yaml:"allow_line"`    // exempts a match if this expression matches in its line
	AllowCommand   string `yaml:"allow_command"` // exempts a match if this expression matches in its command
	About          string // exempts skills if this expression matches in their name, folder or description
	Unseen         bool   // matches text that readers do not see
	Open           bool   // exempts skills that speak of the match elsewhere; see Skill.speaksOf
	Prose          bool   // match paragraphs instead of lines
	Risk           float64
	Bad, Good      []string // examples of reported lines and of lines that are not reported

	re, allow, allowLine, allowCommand, about func() *regexp.Regexp // nil if the field is empty
}

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
	byRule              map[string][]*pattern // by rule ID; patterns for prose by rule ID + "prose"
}

var safety = sync.OnceValue(func() *safetyData {
	d := &safetyData{named: map[string]func() *regexp.Regexp{}, byRule: map[string][]*pattern{}}
	if err := yaml.Unmarshal(safetyText, d); err != nil {
		panic(fmt.Sprintf("safety.yaml: %v", err)) // the embedded file is malformed
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
