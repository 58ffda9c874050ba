package ir

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang"
)

var langCode = lazy(`^[a-z]{2,3}$`)

// Validate returns the faults in the values of x. Every language in languages must have triggers. has reports
// whether the skill's folder contains a file; it may be nil to leave references unchecked.
func (x *Intent) Validate(languages []string, has func(rel string) bool) []Problem {
	v := validation{x: x}
	v.intent()
	v.triggers(languages)
	v.list("inputs", x.Inputs)
	v.list("outputs", x.Outputs)
	v.list("preconditions", x.Preconditions)
	v.boundaries()
	v.references(has)
	return v.problems
}

type validation struct {
	x        *Intent
	problems []Problem
}

func (v *validation) add(path, format string, args ...any) {
	v.problems = append(v.problems, Problem{v.x.Line(path), fmt.Sprintf(format, args...)})
}

func (v *validation) intent() {
	s := strings.TrimSpace(v.x.Intent)
	n := utf8.RuneCountInString(s)
	switch {
	case s == "":
		v.add("intent", "intent is missing; say in one sentence what the skill does")
	case n > maxIntent:
		v.add("intent", "intent has %d characters (limit %d)", n, maxIntent)
	case strings.Contains(s, "\n"):
		v.add("intent", "intent has several lines instead of one sentence")
	case sentences(s) > 1:
		v.add("intent", "intent has %d sentences instead of one; if the skill needs more, split it", sentences(s))
	}
}

func (v *validation) triggers(languages []string) {
	seen := map[string]string{}
	total := 0
	for _, code := range v.x.Languages() {
		l, list := lang.Find(code), v.x.Triggers[code]
		total += len(list)
		at := "triggers." + code
		if !langCode().MatchString(code) {
			v.add(at, "triggers: %q is not a language code such as en or ko", code)
		}
		if len(list) > maxTriggers {
			v.add(at, "triggers.%s has %d phrases (limit %d)", code, len(list), maxTriggers)
		}
		for i, t := range list {
			here := fmt.Sprintf("%s.%d", at, i)
			key := strings.ToLower(strings.Join(strings.Fields(t), " "))
			switch {
			case key == "":
				v.add(here, "triggers.%s contains an empty phrase", code)
			case seen[key] != "":
				v.add(here, "trigger %q is listed twice", t)
			case utf8.RuneCountInString(t) > maxPhrase:
				v.add(here, "a trigger has %d characters (limit %d)", utf8.RuneCountInString(t), maxPhrase)
			case l != nil && !l.Cased && !strings.ContainsFunc(t, l.Writes):
				v.add(here, "trigger %q is listed as %s but contains no %s", t, l.Name, l.ScriptName)
			case l != nil && l.Cased && strings.ContainsFunc(t, lang.Caseless):
				v.add(here, "trigger %q is listed as %s but contains %s", t, l.Name, lang.Of(t).ScriptName)
			}
			seen[key] = here
		}
	}
	if total == 0 {
		v.add("triggers", "triggers is empty; list what users say when they need the skill")
		return
	}
	for _, code := range languages {
		if len(v.x.Triggers[code]) == 0 {
			v.add("triggers", "triggers has no phrase in the language %q", code)
		}
	}
}

func (v *validation) list(field string, list []string) {
	if len(list) > maxItems {
		v.add(field, "%s has %d items (limit %d)", field, len(list), maxItems)
	}
	for i, s := range list {
		if strings.TrimSpace(s) == "" {
			v.add(fmt.Sprintf("%s.%d", field, i), "%s contains an empty item", field)
		}
	}
}

func (v *validation) boundaries() {
	if len(v.x.Boundaries) > maxItems {
		v.add("boundaries", "boundaries has %d items (limit %d)", len(v.x.Boundaries), maxItems)
	}
	for i, b := range v.x.Boundaries {
		if strings.TrimSpace(b.Not) == "" {
			v.add(fmt.Sprintf("boundaries.%d", i), "a boundary has an empty \"not\"")
		}
		for _, lang := range v.x.Languages() {
			for _, t := range v.x.Triggers[lang] {
				if strings.EqualFold(strings.TrimSpace(t), strings.TrimSpace(b.Not)) {
					v.add(fmt.Sprintf("boundaries.%d", i), "%q is both a trigger and a boundary", b.Not)
				}
			}
		}
	}
}

func (v *validation) references(has func(string) bool) {
	if len(v.x.References) > maxItems {
		v.add("references", "references has %d items (limit %d)", len(v.x.References), maxItems)
	}
	for i, r := range v.x.References {
		at := fmt.Sprintf("references.%d", i)
		clean := path.Clean(strings.ReplaceAll(r, `\`, "/"))
		switch {
		case strings.TrimSpace(r) == "":
			v.add(at, "references contains an empty item")
		case strings.HasPrefix(clean, "/") || strings.HasPrefix(clean, "~") || clean == ".." ||
			strings.HasPrefix(clean, "../"):
			v.add(at, "reference %q leads outside the skill's folder", r)
		case has != nil && !has(clean):
			v.add(at, "reference %q does not exist", r)
		}
	}
}
