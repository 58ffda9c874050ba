package ir

import (
	"fmt"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/synonyms/lang"
)

// Difference is a value that only one of intent.yaml and SKILL.md contains.
type Difference struct {
	Field string `json:"field"` // "triggers.ko", "boundaries", "references"
	Line  int    `json:"line"`  // line in intent.yaml; 0 if only SKILL.md has the value
	Only  string `json:"only"`  // file that has the value: File or "SKILL.md"
	Value string `json:"value"`
}

// String returns the field, the value and the file that has it.
func (d Difference) String() string {
	return fmt.Sprintf("%s: %q is only in %s", d.Field, d.Value, d.Only)
}

// Compare lists the differences between x and the description of e: triggers of each language, boundaries and the
// skills that they point to. It ignores case, spaces and quotation marks.
func (x *Intent) Compare(e catalog.Entry) []Difference {
	var out []Difference
	text := fold(e.Description + " " + e.WhenToUse + " " + strings.Join(e.Triggers, " "))
	mine := map[string]bool{}
	for _, code := range x.Languages() {
		for i, t := range x.Triggers[code] {
			mine[fold(t)] = true
			if !strings.Contains(text, fold(t)) {
				out = append(out, Difference{"triggers." + code, x.Line(fmt.Sprintf("triggers.%s.%d", code, i)), File,
					t})
			}
		}
	}
	for _, t := range catalog.Said(e.Description, e.WhenToUse) {
		if f := fold(t); f != "" && !mine[f] && !within(mine, f) {
			out = append(out, Difference{"triggers." + lang.CodeOf(t), 0, "SKILL.md", t})
		}
	}
	uses := map[string]bool{}
	for _, b := range e.Boundaries {
		for _, u := range b.Use {
			uses[strings.ToLower(u)] = true
		}
	}
	own := map[string]bool{}
	for i, b := range x.Boundaries {
		own[strings.ToLower(b.Use)] = true
		switch {
		case b.Use != "" && !uses[strings.ToLower(b.Use)]:
			out = append(out, Difference{"boundaries", x.Line(fmt.Sprintf("boundaries.%d", i)), File, b.Use})
		case b.Use == "" && !strings.Contains(text, fold(b.Not)):
			out = append(out, Difference{"boundaries", x.Line(fmt.Sprintf("boundaries.%d", i)), File, b.Not})
		}
	}
	for _, b := range e.Boundaries {
		for _, u := range b.Use {
			if !own[strings.ToLower(u)] {
				out = append(out, Difference{"boundaries", 0, "SKILL.md", u})
			}
		}
	}
	return out
}

func within(mine map[string]bool, f string) bool {
	for m := range mine {
		if strings.Contains(m, f) || len(m) >= 4 && strings.Contains(f, m) {
			return true
		}
	}
	return false
}

func fold(s string) string {
	s = strings.NewReplacer(`"`, "", "'", "", "“", "", "”", "", "‘", "", "’", "", "`", "").Replace(strings.ToLower(s))
	return strings.Join(strings.Fields(s), " ")
}
