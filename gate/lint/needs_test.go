package lint

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestNeeds(t *testing.T) {
	for _, c := range []struct {
		re   string
		want needs
	}{
		{`\bcurl\s[^|]*\|\s*sh`, needs{{"curl"}, {"|"}, {"sh"}}},
		{`(?i)(?:curl|wget) `, needs{{"curl", "wget"}}},
		{`ab?c`, needs{{"abc", "ac"}}},
		{`(?:nc|ncat|netcat)\s`, needs{{"nc", "ncat", "netcat"}}},
		{`drop database`, needs{{"database"}}},
		{`(?:curl\s|x)`, nil},
		{`(?:curl\s*-d|x\s+wget)`, needs{{"curl", "wget"}}},
		{`(?:curl)?x*`, nil},
		{`(?:abc){2}`, needs{{"abc"}}},
		{`(?:abc){0,2}`, nil},
		{`[ab]cd`, needs{{"acd", "bcd"}}},
		{`[a-z]cd`, needs{{"cd"}}},
	} {
		e := lazy(c.re)
		e.get()
		if !reflect.DeepEqual(e.needs, c.want) {
			t.Errorf("%s needs %q, want %q", c.re, e.needs, c.want)
		}
	}
}

func TestMayMatch(t *testing.T) {
	if lazy(`curl\s+\S`).mayMatch("wget it") {
		t.Error("a text without the literal may match")
	}
	for _, text := range []string{"ſsh", "ss\u212A"} { // letters that match s and k where case is ignored
		if re := lazy(`(?i)^ssh|ssk`); !re.get().MatchString(text) || !re.mayMatch(asciiLower(text)) {
			t.Errorf("%q matches, and may not", text)
		}
	}
	patterns := slices.Concat(sending, asking, destroying, piping, decoding, hostile, bareAddress)
	met := 0
	for _, r := range All {
		if r.Group() != "safety" {
			continue
		}
		for _, f := range r.Text().Bad.Files {
			text := newText(NewSource(f.Path, f.Text), false)
			for line := range strings.Lines(f.Text) {
				low := asciiLower(line)
				for _, p := range patterns {
					if !hasAny(low, p.words) || !p.re.get().MatchString(line) {
						continue
					}
					met++
					if !p.re.mayMatch(low) || !text.mayMatch(p.re) {
						t.Errorf("%s: %q matches %s, and may not by %q", r.ID, line, p.re.text, p.re.needs)
					}
				}
			}
		}
	}
	if met < 5 {
		t.Errorf("%d lines of examples match, want some", met)
	}
}

func TestCutsWords(t *testing.T) {
	for text, want := range map[string]bool{
		`c""url`: true, `c''url x`: true, `""a`: false, `a""`: false, `a"""b`: false, `A""b`: false, `a"" a""b`: true,
		"$IFS": true, "${IFS}x": true, "cat$IFS$9x": true, "$IFSX": false, "IFS=x": false, "{IFS}": false, "$IFS_": false,
	} {
		if cutsWords(text) != want {
			t.Errorf("cutsWords(%q) = %v", text, !want)
		}
	}
}
