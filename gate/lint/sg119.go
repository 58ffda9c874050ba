package lint

import (
	"fmt"
)

var angleBrackets = &Rule{
	ID:       "SG119",
	Title:    "angle brackets in the description or name",
	Why:      "the description goes into the model's context, where a tag reads as markup; quick_validate refuses both characters",
	Advice:   "write names without brackets: FILE instead of <file>",
	See:      validateURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Warning,
	Bad:      front("pdf", "Fills the form <file>. Use when a task names a .pdf file."),
	Good:     front("pdf", "Fills the form FILE. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		for _, key := range []string{"name", "description"} {
			v, _ := s.Front.Scalar(key)
			if m := bracketed.get().FindString(v); m != "" {
				report(Problem{At: s.inValue(key, m), Text: fmt.Sprintf("%s holds %q", key, m)})
			}
		}
	},
}

var bracketed = lazy(`<[^<>\s]{0,40}>|[<>]`)

// inValue is In behind the > or | that opens a block of text.
func (s *Skill) inValue(key, phrase string) Place {
	k, ok := s.Front.Key(key)
	if !ok {
		return s.Src.Line(1)
	}
	from := k.End
	if m := blockOpens.get().FindStringIndex(s.Src.Text[from:k.Until]); m != nil {
		from += m[1]
	}
	if start, end, ok := s.Src.find(phrase, from, k.Until); ok {
		return s.Src.Span(start, end)
	}
	return s.Src.Span(k.Start, k.End)
}

var blockOpens = lazy(`^["']?[ \t]*:[ \t]*[|>][-+0-9]*[ \t]*(?:#[^\n]*)?\r?\n`)
