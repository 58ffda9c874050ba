// Package safety finds dangers in the text of a skill and its files: hidden text, orders against the user, secrets,
// commands that destroy or leak data, and hosts that pose as others.
//
// Each check takes a Skill and reports its findings in the order of the text, at most a few of each kind. The patterns
// are in safety.yaml. Text that warns of a danger, searches for it or forbids it is not reported. A check recognises
// such text by the words of the sentence around the match and by the label or heading above it; a word such as "risk"
// elsewhere in the line is not enough.
package safety

import (
	"fmt"
	"path"

	"github.com/skillgate/skillgate/gate/lint/source"
)

// Skill is the input of the checks. Only one goroutine may check it at a time, because it caches prepared texts.
type Skill struct {
	Name, Folder, Description string

	Page   *source.File   // SKILL.md
	Body   int            // offset in Page of the first byte after the frontmatter
	Beside []*source.File // scripts and Markdown

	files []*textFile // Page and Beside; nil until needed
	shown []*source.File
	prose []*textFile // the Markdown files, with each paragraph joined into one line; nil until needed
}

// Check reports one kind of danger in a skill.
type Check func(s *Skill, report func(Finding))

// Finding is one danger in the text of a skill.
type Finding struct {
	At     source.Place
	Phrase string // the dangerous phrase if it is in the description; At is then empty
	Text   string
	Risk   float64  // probability of harm, 0 to 1; 0 means the rule's own
	Usual  bool     // ordinary projects do or show it too
	Shown  bool     // an order in a code block, or data of a test
	Delete [][2]int // byte ranges of At's file that can be deleted safely
}

func finding(at source.Place, format string, args ...any) Finding {
	return Finding{At: at, Text: fmt.Sprintf(format, args...)}
}

func (s *Skill) texts() []*textFile {
	if s.files == nil {
		s.files = append(s.files, newText(s.Page, false))
		onSecurity := s.onSecurity()
		for _, src := range s.Beside {
			script := !expr("proseFile").MatchString(src.Path)
			// In a skill about attacks, Markdown references show examples of attacks.
			if name := path.Base(src.Path); script ||
				!onSecurity && !expr("securityTopic").MatchString(name) && !expr("attackWord").MatchString(name) {
				s.files = append(s.files, newText(src, script))
			} else {
				s.shown = append(s.shown, src)
			}
		}
	}
	return s.files
}
