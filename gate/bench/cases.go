package bench

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/catalog/libraryfile"
)

// Need says whether a turn needs an installed skill.
type Need string

const (
	Nothing Need = "native"  // the turn needs no skill
	Skill   Need = "skill"   // a skill helps with the turn
	Unclear Need = "unclear" // careful readers disagree
)

// Case is one user turn with the answer expected of a router.
type Case struct {
	ID      string
	Query   string
	Lang    string
	Source  string // owner, repository or skill author; bootstrap samples and cross-validation folds keep a source whole
	Session string // session ID, or ""
	Need    Need
	Right   []string // IDs of the skills that serve the turn
	Wrong   string   // ID of a skill that must not be suggested, or ""
	People  bool     // a person typed the text to an agent; it was not written for a test
	Groups  []string // report groups of the case besides "all"
}

type caseLine struct {
	ID      string   `json:"id"`
	SID     string   `json:"sid"`
	Session string   `json:"session"`
	Turns   []string `json:"turns"`
	Query   string   `json:"query"`
	Lang    string   `json:"lang"`
	Kind    string   `json:"kind"`
	Class   string   `json:"class"`
	Label   string   `json:"label"`
	Gold    []string `json:"gold"`
	AlsoOK  []string `json:"also_ok"`
	GoldKo  []string `json:"gold_ko"`
	GoldEn  []string `json:"gold_en"`
	Owner   string   `json:"owner"`
	URL     string   `json:"url"`

	Skill         string `json:"skill"`
	ShouldTrigger *bool  `json:"should_trigger"`
	NotAbove      string `json:"not_above"`

	Steps [][]string `json:"steps"`
}

// ReadCases reads labelled turns or prompts from a file in JSON Lines, plain or gzip. A line is either an object with
// "id" and "query", or an unlabelled session, an object with "sid" and "turns", whose turns are Unclear. Several
// sessions may have the same sid.
//
// The need of a case comes from "label" (native, skill, unclear). If it is missing, "should_trigger" with "skill"
// decides, then "kind" (native, greeting, ack and command need no skill), then whether there are right skills. The
// right skills are "gold" and "also_ok". A file that is labelled for two libraries also has "gold_ko", which counts if
// library ends in "ko", and "gold_en", which counts otherwise. A "class" of "not:NAME" means that the skill NAME must
// not be suggested. The source of a case is "owner", else the repository of "skill", else the owner in "url", else the
// first right skill.
func ReadCases(file, library string) ([]Case, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := libraryfile.Unpacked(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return readCases(file, r, library)
}

func readCases(file string, in io.Reader, library string) ([]Case, error) {
	var out []Case
	lines := map[string]int{} // number of sessions by sid
	err := eachLine(file, in, func(n int, text []byte) error {
		var l caseLine
		if err := object(text, &l); err != nil {
			return err
		}
		if l.Turns != nil {
			sid := l.SID
			if lines[l.SID]++; lines[l.SID] > 1 {
				sid = fmt.Sprintf("%s+%d", l.SID, lines[l.SID])
			}
			for i, turn := range l.Turns {
				c := Case{ID: fmt.Sprintf("%s.%d", sid, i), Query: turn, Lang: l.Lang, Source: l.source(), Session: sid,
					Need: Unclear, People: true}
				c.Groups = groups(&c)
				out = append(out, c)
			}
			return nil
		}
		if l.ID == "" || strings.TrimSpace(l.Query) == "" {
			return fmt.Errorf(`"id" or "query" is missing`)
		}
		c := Case{ID: l.ID, Query: l.Query, Lang: l.Lang, Session: cmp.Or(l.Session, l.SID),
			People: l.URL != "" && l.Skill == ""}
		c.Right = slices.Concat(l.Gold, l.AlsoOK, l.GoldEn)
		if strings.HasSuffix(library, "ko") {
			c.Right = slices.Concat(l.Gold, l.AlsoOK, l.GoldKo)
		}
		switch {
		case l.Label != "":
			c.Need = Need(l.Label)
		case l.ShouldTrigger != nil && *l.ShouldTrigger:
			c.Need, c.Right = Skill, []string{l.Skill}
		case l.ShouldTrigger != nil:
			c.Need, c.Wrong = Unclear, l.Skill
		case l.Kind == kindNative || l.Kind == kindGreeting || l.Kind == kindAck || l.Kind == kindCommand:
			c.Need = Nothing
		case len(c.Right) > 0:
			c.Need = Skill
		default:
			c.Need = Unclear
		}
		if l.NotAbove != "" {
			c.Wrong = l.NotAbove
		}
		if name, ok := strings.CutPrefix(l.Class, "not:"); ok {
			c.Need, c.Wrong = Unclear, l.source()+"/"+name
		}
		l.Gold = c.Right
		c.Source = l.source()
		c.Groups = groups(&c)
		if c.Need == Nothing {
			c.Groups = append(c.Groups, cmp.Or(l.Label, l.Kind))
		}
		if l.Steps != nil {
			c.Need = Unclear // a request with several steps has more than one right skill
		}
		out = append(out, c)
		return nil
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s: the file has no cases", file)
	}
	return out, err
}

var owner = regexp.MustCompile(`^https?://[^/]+/([^/]+)/`)

func (l *caseLine) source() string {
	if l.Owner != "" {
		return l.Owner
	}
	if l.Skill != "" {
		parts := strings.Split(l.Skill, "/")
		return strings.Join(parts[:min(2, len(parts))], "/") // OWNER/REPOSITORY
	}
	if m := owner.FindStringSubmatch(l.URL); m != nil {
		return m[1]
	}
	if len(l.Gold) > 0 {
		return l.Gold[0]
	}
	return l.ID + l.SID
}

// Bounds of the report groups by prompt length, in characters.
const (
	shortPrompt = 50
	longPrompt  = 200
)

func groups(c *Case) []string {
	var out []string
	if c.Lang != "" {
		out = append(out, c.Lang)
	}
	if !c.People {
		return out
	}
	switch n := utf8.RuneCountInString(strings.TrimSpace(c.Query)); {
	case n < shortPrompt:
		out = append(out, "under "+strconv.Itoa(shortPrompt))
	case n <= longPrompt:
		out = append(out, strconv.Itoa(shortPrompt)+" to "+strconv.Itoa(longPrompt))
	default:
		out = append(out, "over "+strconv.Itoa(longPrompt))
	}
	return out
}

// In adds group to every case and returns cases.
func In(group string, cases []Case) []Case {
	for i := range cases {
		cases[i].Groups = append(slices.Clone(cases[i].Groups), group)
	}
	return cases
}

// Only returns the cases with need n. If n is Skill, cases without right skills are left out.
func Only(n Need, cases []Case) []Case {
	var out []Case
	for _, c := range cases {
		if c.Need == n && (n != Skill || len(c.Right) > 0) {
			out = append(out, c)
		}
	}
	return out
}
