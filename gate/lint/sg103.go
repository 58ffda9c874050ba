package lint

import (
	"strings"
)

var brokenYAML = &Rule{
	ID:       "SG103",
	Title:    "frontmatter is not YAML",
	Why:      "the host still loads the skill, but with no field set: no description, so nothing can find it",
	Advice:   "put the value in quotation marks, or behind >- on lines of its own",
	See:      skillsURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Fixes:    true,
	Bad:      front("pdf", "Fills PDF forms: text fields, check boxes, signatures."),
	Good:     front("pdf", `"Fills PDF forms: text fields, check boxes, signatures."`),
	Check: func(s *Skill, report Report) {
		f := s.Front
		if !f.Closed {
			return
		}
		if f.Err == nil {
			if !f.Mapping && strings.TrimSpace(s.Src.Text[f.Start:f.End]) != "" {
				report(Problem{At: s.Src.Line(2), Text: "the frontmatter is not a mapping of keys to values"})
			}
			return
		}
		at := s.Src.Line(f.Err.Line)
		if f.Err.Col > 0 {
			start := s.Src.offset(f.Err.Line, f.Err.Col)
			at = s.Src.Span(start, start+1)
		}
		if f.Err.Text == "control characters are not allowed" {
			if i := strings.IndexFunc(s.Src.Text[f.Start:f.End], control); i >= 0 {
				at = s.Src.Span(f.Start+i, f.Start+i+1)
			}
		}
		report(Problem{At: at, Text: "YAML: " + f.Err.Text, Fix: quoteValues(s)})
	},
}

// control reports whether YAML does not allow r.
func control(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7F && r < 0xA0 && r != 0x85
}

// quoteValues puts the plain values that hold ": " in quotation marks. It
// returns nil where the frontmatter is no YAML even then.
func quoteValues(s *Skill) *Fix {
	fix := &Fix{Label: "put the value in quotation marks"}
	for _, k := range s.Front.Keys {
		if _, ok := s.Front.looseColon(s.Src, k); !ok {
			continue
		}
		from, to, ok := plainValue(s, k)
		if !ok {
			return nil
		}
		value := strings.Join(strings.Fields(s.Src.Text[from:to]), " ")
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
		fix.Edits = append(fix.Edits, Edit{from, to, quoted})
	}
	if len(fix.Edits) == 0 {
		return nil
	}
	return s.keepsYAML(fix)
}

// plainValue is where the unquoted value of k stands, continued on indented lines.
func plainValue(s *Skill, k Key) (from, to int, ok bool) {
	colon := strings.IndexByte(s.Src.Text[k.End:k.Until], ':')
	if colon < 0 {
		return 0, 0, false
	}
	from = k.End + colon + 1
	value := s.Src.Text[from:k.Until]
	from += len(value) - len(strings.TrimLeft(value, " \t"))
	to = from + len(strings.TrimRight(s.Src.Text[from:k.Until], " \t\r\n"))
	for i, line := range strings.Split(s.Src.Text[from:to], "\n") {
		if i > 0 && line != "" && line[0] != ' ' && line[0] != '\t' || strings.Contains(line, " #") {
			return 0, 0, false
		}
	}
	return from, to, to > from
}
