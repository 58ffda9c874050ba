package ir

import (
	"regexp"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/gate/catalog"
)

var (
	inputHeading  = lazy(`(?i)^#{1,6}\s.*(\binputs?\b|입력|준비물)`)
	beforeHeading = lazy(`(?i)^#{1,6}\s.*(\bprerequisites?\b|\bpreconditions?\b|\brequire(s|d|ments)?\b` +
		`|\bbefore you (start|begin)\b|전제|사전|필요)`)
	outputHeading  = lazy(`(?i)^#{1,6}\s.*(\boutputs?\b|\bdeliverables?\b|\bresults?\b|출력|산출물|결과)`)
	triggerHeading = lazy(`(?i)^#{1,6}\s*(triggers?( phrases?| words?| conditions?)?|when to (use|activate` +
		`|invoke)( this skill)?|use when|activation( phrases?| triggers?)?|트리거|사용 시점|언제 사용.*)\s*:?\s*$`)
	listItem = lazy(`^\s*(?:[-*+]|\d+[.)])\s+(.*)$`)
	emphasis = strings.NewReplacer("**", "", "__", "", "`", "")
)

const maxSection = 8 // maximum number of list items that Draft takes from a section

func below(body string, heading *regexp.Regexp) []string {
	var out []string
	in, code := false, false
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
			continue
		}
		switch {
		case code:
		case strings.HasPrefix(line, "#"):
			if in {
				return out
			}
			in = heading.MatchString(line)
		case in:
			out = append(out, line)
		}
	}
	return out
}

func section(body string, heading *regexp.Regexp) []string {
	var out []string
	for _, line := range below(body, heading) {
		if m := listItem().FindStringSubmatch(line); m != nil && line == strings.TrimLeft(line, " \t") {
			if item := strings.TrimSpace(emphasis.Replace(m[1])); item != "" && len(out) < maxSection {
				out = append(out, shorten(item, maxPhrase))
			}
		}
	}
	return out
}

// fewTriggers is the number of triggers below which Draft also reads the list of triggers in the body.
const fewTriggers = 3

// usage reads the section of a body about when to use the skill. It returns the phrases that users say, except the
// skill's own name, and the boundaries. Other bullets describe occasions, which nobody types.
func usage(name, body string) (triggers []string, boundaries []catalog.Boundary) {
	text := strings.TrimSpace(emphasis.Replace(strings.Join(below(body, triggerHeading()), "\n")))
	if text == "" {
		return nil, nil
	}
	front, err := yaml.Marshal(map[string]string{"when_to_use": text})
	if err != nil {
		return nil, nil // YAML cannot represent the text
	}
	e := catalog.Parse(catalog.LibraryRoot("/"), catalog.File{Folder: "x"}, []byte("---\n"+string(front)+"---\n"))
	for _, t := range catalog.Said("", text) {
		if !strings.EqualFold(t, name) {
			triggers = append(triggers, t)
		}
	}
	return triggers, e.Boundaries
}

// lazy returns a regular expression that is compiled at its first use. The hook's binary contains these expressions but
// uses none.
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
