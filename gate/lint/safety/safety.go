// Package safety finds in the text of a skill and of the files beside it what a reader should see before trusting it:
// hidden text, orders against the user, secrets, commands that destroy or send away, hosts that pose as others.
//
// Each check takes a Skill and reports its findings in the order of the text, at most a few of a kind. What the checks
// look for is data in safety.yaml. A text may show a thing in order to warn of it, to look for it or to forbid it:
// that is no finding. What decides is what the text says about the match itself: the words of its sentence before and
// after it, the label or heading above it. A word such as "risk" anywhere in the line is not enough.
package safety

import (
	"fmt"
	"path"
	"strings"

	"github.com/skillgate/skillgate/gate/lint/source"
)

// Skill is what a host or a model reads of a skill. Checks keep in it what they have made of the texts, so one
// goroutine at a time may check it.
type Skill struct {
	Name, Folder, Description string

	Page   *source.File   // SKILL.md
	Body   int            // offset in Page of the first byte after the frontmatter
	Beside []*source.File // scripts and Markdown

	files []textFile // Page and Beside; nil until a check asks
	prose []textFile // those of them that are Markdown with each paragraph on one line; nil until a check asks
}

// Check reports what one kind of danger a skill holds.
type Check func(s *Skill, report func(Finding))

// Finding is one danger in the text of a skill.
type Finding struct {
	At     source.Place
	Phrase string // of the description, where it is that which holds the danger; At is empty then
	Text   string
	Risk   float64  // the chance that the skill does harm, 0 to 1; 0 is that of the check's rule
	Delete [][2]int // from and to of the bytes of At's file that can be deleted without loss
}

func finding(at source.Place, format string, args ...any) Finding {
	return Finding{At: at, Text: fmt.Sprintf(format, args...)}
}

func (s *Skill) texts() []textFile {
	if s.files == nil {
		s.files = append(s.files, newText(s.Page, false))
		for _, src := range s.Beside {
			ext := strings.ToLower(path.Ext(src.Path))
			script := ext != ".md" && ext != ".markdown"
			// A skill on attacks shows them in its references.
			if name := path.Base(src.Path); script ||
				!s.onSecurity() && !expr("securityTopic").MatchString(name) && !expr("attackWord").MatchString(name) {
				s.files = append(s.files, newText(src, script))
			}
		}
	}
	return s.files
}
