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

// Need says what a turn wants of the skills at hand.
type Need string

const (
	Nothing Need = "native"  // no skill would help
	Skill   Need = "skill"   // one would
	Unclear Need = "unclear" // careful readers would not agree
)

// Case is one turn that somebody wrote, with what a router should make of it.
type Case struct {
	ID      string
	Query   string
	Lang    string
	Source  string // who wrote it: an owner, a repository, a skill's author; what folds and intervals go by
	Session string // turns of one session have the same, "" outside of sessions
	Need    Need
	Right   []string // ids of the skills that serve
	Wrong   string   // id of the skill that must not be named
	People  bool     // typed by a person to an agent, not written for a test
	Groups  []string // what it is reported under besides "all"
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

// ReadCases reads a file of turns or prompts with labels, one JSON object a line,
// gzip or plain. A line is
//
//	{"id","query",…}                         a turn or prompt
//	{"sid","turns":[texts],…}                a session without labels: as many cases, Unclear
//
// Several such lines with one sid are sessions of their own.
//
// What it needs is in "label" (native, skill, unclear), else in "kind" (native: nothing;
// any other that "gold" goes with: a skill), else in "should_trigger" with the "skill"
// that is meant; a "class" of "not:NAME" names a skill that must not be named, whatever else
// fits. Its right skills are "gold" and "also_ok"; of a file that is labelled for two
// libraries, "gold_ko" or "gold_en", by the last word of library. The owner is "owner",
// else the one in "url", else the first of the right skills.
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
	lines := map[string]int{} // with turns, by sid
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
			return fmt.Errorf("no id or no query")
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
			c.Need = Unclear // a request of several steps is not measured by one right skill
		}
		out = append(out, c)
		return nil
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s: no cases", file)
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
		return strings.Join(parts[:min(2, len(parts))], "/") // a repository
	}
	if m := owner.FindStringSubmatch(l.URL); m != nil {
		return m[1]
	}
	if len(l.Gold) > 0 {
		return l.Gold[0]
	}
	return l.ID + l.SID
}

// Lengths of prompts that are reported apart, in characters.
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

// In adds a group to every case.
func In(group string, cases []Case) []Case {
	for i := range cases {
		cases[i].Groups = append(slices.Clone(cases[i].Groups), group)
	}
	return cases
}

// Only returns the cases of one need.
func Only(n Need, cases []Case) []Case {
	var out []Case
	for _, c := range cases {
		if c.Need == n && (n != Skill || len(c.Right) > 0) {
			out = append(out, c)
		}
	}
	return out
}
