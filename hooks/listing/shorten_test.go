package listing

import (
	"strings"
	"testing"
)

func TestShorten(t *testing.T) {
	const text = "The following skills are available for use with the Skill tool:\n\n" +
		"- batch: Runs a change everywhere.\n" +
		"- violin-tuning: Tunes violins. Use it:\n- before a concert: always\n- and not after\n" +
		"- bread:baking\n" +
		"- new-one: Was installed a moment ago.\n" +
		"- 김치-담그기: 김치를 담근다.\n" +
		"- sails"
	held := func(name string) bool {
		return strings.Contains("violin-tuning bread:baking 김치-담그기 sails", name)
	}
	uses := map[string]float64{"bread:baking": 2, "violin-tuning": 1, "batch": 9}
	const more = " installed that this list leaves out. The Skill tool loads each by its name. Hints name those that " +
		"fit a prompt; the skill_lookup tool finds them by what they are for."
	const head = "The following skills are available for use with the Skill tool:\n\n- batch: Runs a change everywhere.\n"
	tests := []struct {
		name   string
		text   string
		budget int
		want   string // "" for no change
	}{
		{"nothing for the user's", text, 0, head + "- new-one: Was installed a moment ago.\n\n4 more skills are" + more},
		{"the most used that fits", text, 20, head + "- bread:baking\n- new-one: Was installed a moment ago.\n\n3 more skills are" + more},
		{"all that were used", text, 100,
			head + "- violin-tuning: Tunes violins. Use it:\n- before a concert: always\n- and not after\n- bread:baking\n- " +
				"new-one: Was installed a moment ago.\n\n2 more skills are" + more},
		{"room for everything", text, 2000, ""},
		{"one is left out", head + "- sails\n", 0, head[:len(head)-1] + "\n\n1 more skill is" + more},
		{"none of the user's", head, 0, ""},
		{"another text", "Skills are off.", 0, ""},
		{"empty", "", 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want == "" {
				want = tt.text
			}
			if got := Shorten(tt.text, held, uses, tt.budget); got != want {
				t.Errorf("Shorten(%q, %d) =\n%s\nwant\n%s", tt.text, tt.budget, got, want)
			}
		})
	}
}
