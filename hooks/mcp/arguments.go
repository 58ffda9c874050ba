package mcp

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// fill replaces placeholders in the text of a skill with arguments, as Claude Code 2.1.330 does:
//
//	$ARGUMENTS      all arguments
//	$ARGUMENTS[N]   word N, from 0; unchanged if there are fewer words
//	$N              the same
//	$name           the word at the position of name in names, or nothing
//	\$…             the placeholder itself, without the backslash
//
// If the text has no placeholder, the arguments are appended to it.
func fill(text, arguments string, names []string) string {
	words := shellWords(arguments)
	tokens := []string{`ARGUMENTS\[(\d+)\]`, `ARGUMENTS`, `(\d+)`}
	for _, name := range slices.SortedFunc(slices.Values(names),
		func(a, b string) int { return cmp.Compare(len(b), len(a)) }) {
		tokens = append(tokens, regexp.QuoteMeta(name))
	}
	token := regexp.MustCompile(`^(?:` + strings.Join(tokens, "|") + `)`)
	var out strings.Builder
	filled := false
	for {
		at := strings.IndexByte(text, '$')
		if at < 0 {
			break
		}
		before, after := text[:at], text[at+1:]
		m := token.FindStringSubmatch(after)
		value, ok := "", false
		if m != nil {
			value, ok = argument(m, after[len(m[0]):], arguments, words, names)
		}
		switch {
		case m != nil && strings.HasSuffix(before, `\`) && !strings.HasSuffix(before, `\\`):
			out.WriteString(before[:at-1] + "$" + m[0])
		case ok:
			filled = true
			out.WriteString(before + value)
		case m != nil:
			out.WriteString(before + "$" + m[0])
		default:
			out.WriteString(before + "$")
			m = []string{""}
		}
		text = after[len(m[0]):]
	}
	out.WriteString(text)
	if !filled && arguments != "" {
		out.WriteString("\n\nARGUMENTS: " + arguments)
	}
	return out.String()
}

func argument(m []string, rest, arguments string, words, names []string) (string, bool) {
	word := func(n string) (string, bool) {
		i, err := strconv.Atoi(n)
		if err != nil || i >= len(words) {
			return "", false
		}
		return words[i], true
	}
	switch {
	case m[1] != "":
		return word(m[1])
	case m[2] != "":
		if wordStart.MatchString(rest) {
			return "", false
		}
		return word(m[2])
	case m[0] == "ARGUMENTS":
		return arguments, true
	case strings.HasPrefix(rest, "[") || wordStart.MatchString(rest):
		return "", false
	}
	value, _ := word(strconv.Itoa(slices.Index(names, m[0])))
	return value, true
}

var wordStart = regexp.MustCompile(`^\w`)

func shellWords(text string) []string {
	var out []string
	var word strings.Builder
	in, quote := false, rune(0)
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			in, quote = true, r
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if in {
				out = append(out, word.String())
			}
			word.Reset()
			in = false
		default:
			in = true
			word.WriteRune(r)
		}
	}
	if quote != 0 { // the quote is not closed, so quotes are ordinary characters
		return strings.Fields(text)
	}
	if in {
		out = append(out, word.String())
	}
	return out
}

func argumentNames(frontmatter map[string]any) []string {
	var all []string
	switch v := frontmatter["arguments"].(type) {
	case string:
		all = strings.Fields(v)
	case []any:
		for _, name := range v {
			if s, ok := name.(string); ok {
				all = append(all, s)
			}
		}
	}
	return slices.DeleteFunc(all, func(name string) bool {
		_, err := strconv.Atoi(name)
		return err == nil || strings.TrimSpace(name) == ""
	})
}
