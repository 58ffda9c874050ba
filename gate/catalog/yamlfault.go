package catalog

import (
	"errors"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// YAMLFault explains an error of yaml.v3 without names of Go types and parser tokens. what is the noun for a field,
// such as "setting". The explanation begins with the line number, if known.
func YAMLFault(err error, what string) string {
	var te *yaml.TypeError
	if !errors.As(err, &te) {
		line, text := cutLine(strings.TrimPrefix(err.Error(), "yaml: "))
		return line + parserMessage(text)
	}
	var out []string
	for _, e := range te.Errors {
		line, text := cutLine(e)
		if name, _, ok := strings.Cut(strings.TrimPrefix(text, "field "), " not found in type "); ok {
			text = "unknown " + what + " " + name
		} else if value, goType, ok := strings.Cut(strings.TrimPrefix(text, "cannot unmarshal "), " into "); ok {
			tag, given, _ := strings.Cut(value, " ") // value has the form !!str `many`
			if given == "" {
				given = tagKind(tag)
			}
			text = strings.TrimSpace(given + " is not " + goKind(goType))
		} else if rest, ok := strings.CutPrefix(text, "mapping key "); ok {
			name, at, _ := strings.Cut(rest, " already defined at ")
			text = name + " is already set on " + at
		}
		out = append(out, line+text)
	}
	return strings.Join(out, "; ")
}

// FaultLine splits the line number off the result of YAMLFault; line is 0 if there is none.
func FaultLine(text string) (line int, rest string) {
	at, rest := cutLine(text)
	line, _ = strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(at, "line "), ": "))
	return line, rest
}

func cutLine(s string) (line, rest string) {
	if before, after, ok := strings.Cut(s, ": "); ok && strings.HasPrefix(before, "line ") {
		return before + ": ", after
	}
	return "", s
}

func tagKind(tag string) string {
	switch tag {
	case "!!seq":
		return "a list"
	case "!!map":
		return "a mapping of keys to values"
	}
	return ""
}

func goKind(goType string) string {
	switch goType {
	case "int":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "string":
		return "text"
	}
	if strings.HasPrefix(goType, "[]") {
		return "a list"
	}
	return "a mapping of keys to values"
}

// parserMessage rewrites the parser's own messages, which name its tokens. It returns unknown messages unchanged.
func parserMessage(text string) string {
	for _, one := range [...]struct{ of, say string }{
		{"mapping values are not allowed in this context",
			"a colon and a space inside an unquoted value, or a key that is indented too far"},
		{"could not find expected ':'", "a line that is neither \"key: value\" nor part of the value above it"},
		{"did not find expected key",
			"a line that is indented differently from the keys around it, or text after a quoted value or list"},
		{"did not find expected '-' indicator", "a list item that is indented differently from the items around it"},
		{"did not find expected ',' or ']'", "a list in brackets that is not closed, or has no comma between two items"},
		{"did not find expected ',' or '}'", "a mapping in braces that is not closed, or has no comma between two keys"},
		{"did not find expected node content", "a missing value"},
		{"did not find expected alphabetic or numeric character", "a * or & that is not in quotation marks"},
		{"found character that cannot start any token",
			"an unquoted value that begins with a character such as a tab, @, ` or %"},
		{"found unexpected end of stream", "a quoted value that is not closed"},
		{"found a tab character", "a tab in the indentation, where YAML allows only spaces"},
		{"found unknown escape character", "an invalid escape in double quotation marks; write two backslashes for one"},
		{"unknown anchor", "an unquoted value that begins with *"},
		{"found undefined tag handle", "an unquoted value that begins with !"},
		{"found unexpected document indicator", "a --- line inside a quoted value"},
		{"control characters are not allowed", "control characters are not allowed"},
	} {
		if strings.Contains(text, one.of) {
			return one.say
		}
	}
	return text
}
