package listing

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// own are host skills of 4,200 columns in total, which are always listed.
var own = slices.Repeat([]Skill{{Name: "own", Text: strings.Repeat("x", 1050-len("- own: \n")), Kept: true}}, 4)

func uniform(n, name, text int) []Skill {
	var skills []Skill
	for i := range n {
		skills = append(skills, Skill{Name: fmt.Sprintf("%0*d", name, i), Text: strings.Repeat("x", text), Source: "personal"})
	}
	return skills
}

// The expected numbers are those in API requests of Claude Code 2.1.197, for skills with names of 10 letters and
// descriptions of 299 or 99 letters.
func TestListingAgreesWithClaudeCode(t *testing.T) {
	tests := []struct {
		name   string
		skills int
		text   int
		budget int
		want   int
	}{
		{"everything fits", 60, 299, 30_000, 60},
		{"window of a million tokens", 100, 299, 30_000, 81},
		{"window of a million tokens, three hundred skills", 300, 299, 30_000, 72},
		{"window of a million tokens, six hundred skills", 600, 299, 30_000, 59},
		{"short descriptions", 300, 99, 30_000, 216},
		{"window of 200,000 tokens", 100, 299, 8_000, 8},
		{"fixed budget", 100, 299, 12_000, 21},
		{"half the fraction", 100, 299, 15_000, 31},
		{"the host's own skills alone fill it", 60, 299, 3_000, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := Of(append(uniform(tt.skills, 10, tt.text), own...), Limits{tt.budget, 1536, 3})
			if l.Described != tt.want || l.Names != tt.skills || len(l.Dropped) != tt.skills-tt.want {
				t.Errorf("Of(%d skills, %d) = %d names, %d described, %d dropped; want %d described",
					tt.skills, tt.budget, l.Names, l.Described, len(l.Dropped), tt.want)
			}
		})
	}
}

func TestListing(t *testing.T) {
	skills := []Skill{
		{Name: "ab", Text: "1234", Source: "personal"},
		{Name: "none", Source: "personal"},
		{Name: "quiet", Text: "12345678", Source: "plugin/x", NameOnly: true},
		{Name: "long", Text: strings.Repeat("가", 50), Source: "plugin/x"},
	}
	l := Of(append(skills, own[0]), Limits{110, 20, 3})
	if l.Names != 4 || l.Described != 2 || l.Clipped != 1 || len(l.Without) != 1 || l.Chars != (5+6)+9+8+(7+22) {
		t.Errorf("Of = %+v", l)
	}
	if len(l.Sources) != 2 || l.Sources[1].NameChars != 15 || l.Sources[1].Chars != 37 {
		t.Errorf("Of sources = %+v", l.Sources)
	}
	if l := Of(own[:1], Limits{110, 20, 3}); l.Own != l.Total {
		t.Errorf("the host's own skills alone take %d of %d characters", l.Own, l.Total)
	}
}

// Each case was compared with the code and the requests of Claude Code.
func TestWhatFits(t *testing.T) {
	skill := func(name, text string, uses float64) Skill {
		return Skill{Name: name, Text: text, Source: "personal", Uses: uses}
	}
	tests := []struct {
		name   string
		skills []Skill
		budget int
		want   string // names of the skills with a description
	}{
		{"a Hangul syllable takes two columns", []Skill{skill("a", "가나다라", 0), skill("b", "abcd", 0)}, 7 + 9, "b"},
		{"a text that does not fit is skipped, later ones are tried", []Skill{skill("a", "123456789", 0), skill("b", "12", 0)}, 7 + 5, "b"},
		{"what is used more goes first", []Skill{skill("a", "1234", 0), skill("b", "1234", .5)}, 7 + 6, "b"},
		{"the host's own text stays, whatever it takes",
			[]Skill{skill("a", "1234", 9), {Name: "b", Text: "123456789", Kept: true}}, 10, ""},
		{"all of it to the last column", []Skill{skill("a", "1234", 0), skill("b", "1234", 0)}, 9 + 1 + 9, "a b"},
		{"one column too many", []Skill{skill("a", "1234", 0), skill("b", "1234", 0)}, 9 + 1 + 8, "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := Of(tt.skills, Limits{tt.budget, 1536, 3})
			var got []string
			for _, s := range tt.skills {
				if s.Source != "" && !slices.Contains(l.Dropped, s.Name) {
					got = append(got, s.Name)
				}
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("Of(%+v, %d) describes %q, want %q", tt.skills, tt.budget, got, tt.want)
			}
		})
	}
}

// The computed size is the length of the text, and the computed saving is what the shortened list leaves out.
func TestTextAndModule(t *testing.T) {
	skills := append(uniform(300, 10, 99), own...)
	limits := Limits{30_000, 1536, 3}
	r := Tax{Listing: Of(skills, limits)}
	if n := len(Text(skills, limits)); n != r.Total {
		t.Errorf("Text has %d characters, Of says %d", n, r.Total)
	}
	found := map[string]skill{}
	for i, s := range skills {
		if s.Source != "" {
			found[s.Name] = skill{text: s.Text, uses: float64(i % 2)}
		}
	}
	x := &Shortener{skills: found}
	sent := len([]rune(x.Shorten(Text(skills, limits), 2000)))
	off, on, few := r, r, append(uniform(2, 10, 99), own...)
	off.short(x, skills, 2000, false)
	if n := len(off.Savings); n == 0 || off.Savings[n-1].Chars != r.Total-sent || off.LeftOut != 0 || off.Total != r.Total {
		t.Errorf("with the option off it is %+v, want a saving of %d characters", off, r.Total-sent)
	}
	on.short(x, skills, 2000, true)
	if on.Total != sent || on.LeftOut == 0 || on.Names+on.LeftOut != r.Names || on.Described == 0 || on.Savings != nil {
		t.Errorf("with the option on it is %+v, want %d characters, and no saving", on, sent)
	}
	small := Tax{Listing: Of(few, limits)}
	if small.short(x, few, 2000, true); small.LeftOut != 0 || small.Total != Of(few, limits).Total {
		t.Errorf("where all of the skills stay it is %+v", small)
	}
}
