package safety

import (
	"regexp"
	"strings"
)

// flow holds names in a script: variables that contain data from a source, and functions that return such data.
type flow map[string]bool

// flowFrom follows data from matches of source through a script. A statement is a line up to its closing brackets.
func flowFrom(text string, source *regexp.Regexp) flow {
	f := flow{}
	list := statements(text)
	for i := range list {
		list[i] = withoutEnv(list[i])
	}
	for range 3 { // functions may be used before their definition
		before, function := len(f), ""
		for _, one := range list {
			if m := expr("defines").FindStringSubmatch(one); m != nil {
				function = m[1] + m[2]
			}
			if !source.MatchString(one) && !f.in(one) {
				continue
			}
			if m := expr("assigns").FindStringSubmatch(one); m != nil {
				for _, name := range strings.Split(m[1], ",") {
					f[strings.Trim(name, " *")] = true
				}
			}
			if function != "" && strings.Contains(one, "return") {
				f[function] = true
			}
		}
		if len(f) == before {
			break
		}
	}
	return f
}

func (f flow) in(code string) bool {
	if len(f) == 0 {
		return false
	}
	for _, word := range strings.FieldsFunc(code,
		func(r rune) bool { return r != '.' && (r > 0x7f || !nameByte(byte(r))) }) {
		for word = strings.Trim(word, "."); word != ""; {
			if f[word] {
				return true
			}
			i := strings.LastIndexByte(word, '.')
			word = word[:max(i, 0)] // if code contains the data, so does code.decode
		}
	}
	return false
}

// withoutEnv removes env from a Python call that starts a program, unless the program prints it or runs text.
func withoutEnv(one string) string {
	call := expr("startsProgram").FindStringIndex(one)
	if call == nil || expr("quotedBracket").MatchString(one) || expr("printsEnv").MatchString(one) {
		return one
	}
	depth, argument := 1, call[1]
	for i := call[1]; i < len(one) && depth > 0; i++ {
		switch one[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth == 0 || depth == 1 && one[i] == ',' {
			if expr("givesEnv").MatchString(one[argument:i]) {
				return one[:argument] + one[i:]
			}
			argument = i + 1
		}
	}
	return one
}

const maxStatement = 20 // maximum number of lines in a statement

func statements(text string) []string {
	var out []string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		one, open := lines[i], opened(lines[i])
		for n := 1; open > 0 && n < maxStatement && i+1 < len(lines); n++ {
			i++
			one += " " + strings.TrimSpace(lines[i])
			open += opened(lines[i])
		}
		out = append(out, one)
	}
	return out
}

func opened(line string) int {
	n := strings.Count(line, "(") + strings.Count(line, "[") - strings.Count(line, ")") - strings.Count(line, "]")
	t := strings.TrimRight(line, " \t\r{")
	if len(t) < len(strings.TrimRight(line, " \t\r")) && strings.HasSuffix(t, "=") {
		n++ // an object literal, such as body = {
	} else if strings.HasPrefix(strings.TrimSpace(line), "}") && n <= 0 {
		n--
	}
	return n
}
