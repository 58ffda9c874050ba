package catalog

import "strings"

type extraction struct {
	triggers   []string
	boundaries []Boundary
	capability string
}

// extract parses a description and a when_to_use text, line breaks included. listed are the phrases of the
// frontmatter's trigger lists.
//
// A boundary clause is cut out and becomes Boundaries, a labelled list ("Triggers: …") is cut out and becomes
// Triggers. A "Use when …" sentence stays in the capability, and its quoted phrases and items become Triggers.
func extract(description, when string, listed []string) extraction {
	var x extractor
	x.text(description, false)
	x.text(when, true)
	for _, t := range listed {
		x.trigger(t)
	}
	return extraction{
		triggers:   x.triggers,
		boundaries: x.boundaries,
		capability: clean(strings.Join(x.keep, " ")),
	}
}

// Said returns the quoted phrases that, according to a description and a when_to_use text, users say: those among the
// triggers of extract, and those in contexts such as "requests like …" or "… 같은 요청 전반에서".
func Said(description, when string) []string {
	x := extractor{wide: true}
	x.text(description, false)
	x.text(when, true)
	return x.triggers
}

type extractor struct {
	wide       bool     // set by Said: extract quoted phrases only, but in more contexts
	keep       []string // sentences of the capability
	triggers   []string
	seen       map[string]bool // lower-case triggers found so far
	boundaries []Boundary
}

// text parses s. usage means that all of s is about when to use the skill.
func (x *extractor) text(s string, usage bool) {
	inList, inBoundary := false, false // a label without a list on its line applies to the bullets after it
	for _, sent := range sentences(plain(s)) {
		if !sent.bullet {
			inList, inBoundary = false, false
		}
		switch {
		case inList:
			x.items(sent.text)
			continue
		case inBoundary:
			x.boundaries = append(x.boundaries, exclusions(sent.text)...)
			continue
		}
		if names := x.redirect(sent.text); len(names) > 0 {
			x.boundaries[len(x.boundaries)-1].Use = names
			continue
		}
		text := sent.text
		if b, rest, ok := elsewhere(text); ok {
			x.boundaries = append(x.boundaries, b)
			text = rest
		}
		kept, clause := cutBoundary(text)
		if clause != "" {
			found := exclusions(clause)
			x.boundaries = append(x.boundaries, found...)
			inBoundary = len(found) == 0
		}
		kept, list, labelled := cutLabel(kept)
		if labelled {
			x.items(list)
			inList = strings.TrimSpace(list) == ""
		}
		if strings.TrimSpace(kept) == "" {
			continue
		}
		x.usage(kept, usage)
		x.keep = append(x.keep, kept)
	}
}

// redirect returns the skills in s if s is a sentence such as "Use Y instead." and the last boundary names no skill.
func (x *extractor) redirect(s string) []string {
	rest, ok := cutDirective(s)
	if n := len(x.boundaries); !ok || n == 0 || len(x.boundaries[n-1].Use) > 0 {
		return nil
	}
	names, _ := skillNames(rest, false)
	return names
}

const (
	maxTriggers = 64
	maxTrigger  = 160 // maximum bytes; longer phrases are sentences
)

func (x *extractor) trigger(s string) {
	s = strings.TrimRight(strings.Trim(clean(s), " ,;·•*`"), ".")
	for _, pair := range quotes {
		if inner, ok := strings.CutPrefix(s, pair.open); ok && strings.HasSuffix(inner, pair.close) {
			s = strings.TrimRight(strings.TrimSpace(strings.TrimSuffix(inner, pair.close)), " ,;.")
		}
	}
	key := strings.ToLower(s)
	if s == "" || len(s) > maxTrigger || len(x.triggers) >= maxTriggers || x.seen[key] {
		return
	}
	if x.seen == nil {
		x.seen = map[string]bool{}
	}
	x.seen[key] = true
	x.triggers = append(x.triggers, s)
}

// items adds the members of a list: its quoted phrases or, if there are none, the texts between its commas.
func (x *extractor) items(list string) {
	phrases, rest := takeQuoted(list)
	for _, p := range phrases {
		x.trigger(p)
	}
	if len(phrases) > 0 {
		// The unquoted rest of a quoted list is a clause: "…, or when the user asks for X".
		x.clauses(rest)
		return
	}
	for _, item := range splitList(list) {
		x.trigger(item)
	}
}
