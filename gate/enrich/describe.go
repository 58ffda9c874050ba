package enrich

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

const maxDescriptionLength = 1024

// ErrNoRoom means that a description has no room for another phrase.
var ErrNoRoom = errors.New("the description has no room for more text")

// WithTriggers returns the text of a SKILL.md after adding as many of the triggers to its description as fit.
// frontmatter is the raw frontmatter of the text. Nothing else changes. WithTriggers reads the result back to check
// that the description contains the old text and the new triggers.
func WithTriggers(text, frontmatter string, triggers []string) (string, error) {
	return describe(text, frontmatter, func(old string) string { return triggerSentence(old, triggers) })
}

// WithSentence is like WithTriggers but adds any sentence. It returns ErrNoRoom if the description would exceed the
// limit of the specification.
func WithSentence(text, frontmatter, sentence string) (string, error) {
	return describe(text, frontmatter, func(old string) string {
		if utf8.RuneCountInString(old)+1+utf8.RuneCountInString(sentence) > maxDescriptionLength {
			return ""
		}
		return sentence
	})
}

// WithDescription returns the text of a SKILL.md with its description replaced. The new one is on a single line,
// followed by the comments of the old one. Nothing else changes.
func WithDescription(text, frontmatter, description string) (string, error) {
	description = strings.Join(strings.Fields(description), " ")
	return edit(text, frontmatter, func(key, value *yaml.Node, _ []string) (string, error) {
		return inQuotes(key, value, description), nil
	}, func(back string) bool { return back == description })
}

func describe(text, frontmatter string, sentenceFor func(old string) string) (string, error) {
	var old, sentence string
	return edit(text, frontmatter, func(key, value *yaml.Node, lines []string) (string, error) {
		old = strings.TrimSpace(value.Value)
		if sentence = sentenceFor(old); sentence == "" {
			return "", ErrNoRoom
		}
		if value.Style != yaml.LiteralStyle && value.Style != yaml.FoldedStyle {
			return inQuotes(key, value, old+" "+sentence), nil
		}
		last := lines[len(lines)-1]
		indent := last[:len(last)-len(strings.TrimLeft(last, " "))]
		end := lineEnd(lines[0])
		return strings.TrimSuffix(strings.Join(lines, ""), end) + end + indent + sentence, nil
	}, func(back string) bool {
		return strings.Contains(back, sentence) && strings.HasPrefix(strings.TrimSpace(back), old)
	})
}

// inQuotes returns the line for a key with text as its quoted value, followed by the comments of the old value.
func inQuotes(key, value *yaml.Node, text string) string {
	line := strings.Repeat(" ", key.Column-1) + key.Value + ": " + quoteYAML(text)
	for _, comment := range []string{key.LineComment, value.HeadComment, value.LineComment} {
		if comment != "" {
			line += " " + strings.ReplaceAll(comment, "\n", " ")
		}
	}
	return line
}

func lineEnd(line string) string {
	if strings.HasSuffix(line, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// edit passes the lines of the description to change and puts its result in their place. It then reads the description
// back and fails unless right accepts it.
func edit(text, frontmatter string, change func(key, value *yaml.Node, lines []string) (string, error),
	right func(back string) bool) (string, error) {
	at := strings.Index(text, frontmatter)
	if frontmatter == "" || at < 0 {
		return "", errors.New("the skill has no frontmatter")
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(frontmatter), &doc); err != nil {
		return "", fmt.Errorf("frontmatter: %w", err)
	}
	key, value, end := descriptionOf(&doc, frontmatter)
	if value == nil {
		return "", errors.New("the frontmatter has no description")
	}
	lines := strings.SplitAfter(frontmatter, "\n")
	end = withoutBlank(lines, key.Line, end)
	if c := key.FootComment; c != "" {
		end = withoutBlank(lines, key.Line, end-strings.Count(c, "\n")-1)
	}
	changed, err := change(key, value, lines[key.Line-1:end])
	if err != nil {
		return "", err
	}
	if end < len(lines) {
		changed += lineEnd(lines[key.Line-1])
	}
	next := strings.Join(lines[:key.Line-1], "") + changed + strings.Join(lines[end:], "")
	var back struct{ Description string }
	if err := yaml.Unmarshal([]byte(next), &back); err != nil || !right(back.Description) {
		return "", errors.New("the description cannot be edited automatically; change it by hand")
	}
	return text[:at] + next + text[at+len(frontmatter):], nil
}

func withoutBlank(lines []string, first, end int) int {
	for end > first && strings.TrimSpace(lines[end-1]) == "" {
		end--
	}
	return max(first, end)
}

// descriptionOf returns the YAML nodes of the description's key and value, and the line of the frontmatter on which the
// value ends. value is nil if there is no description.
func descriptionOf(doc *yaml.Node, frontmatter string) (key, value *yaml.Node, end int) {
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, nil, 0
	}
	pairs := doc.Content[0].Content
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i].Value != "description" || pairs[i+1].Kind != yaml.ScalarNode {
			continue
		}
		end := strings.Count(frontmatter, "\n")
		if !strings.HasSuffix(frontmatter, "\n") {
			end++
		}
		if i+2 < len(pairs) {
			// A comment before the next key belongs to that key.
			end = pairs[i+2].Line - 1
			if c := pairs[i+2].HeadComment; c != "" {
				end -= strings.Count(c, "\n") + 1
			}
		}
		return pairs[i], pairs[i+1], end
	}
	return nil, nil, 0
}

// triggerSentence returns a sentence with as many triggers as fit after old, or "" if none fits.
func triggerSentence(old string, triggers []string) string {
	const start, stop = "Use when the user says ", "."
	room := maxDescriptionLength - utf8.RuneCountInString(old) - 1 - len(start) - len(stop)
	var parts []string
	for _, t := range triggers {
		part := `"` + t + `"`
		if room -= utf8.RuneCountInString(part) + len(", "); room < 0 {
			break
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	return start + strings.Join(parts, ", ") + stop
}

func quoteYAML(s string) string {
	return "'" + strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "'", "''") + "'"
}
