package lint

import (
	"fmt"
	"strings"
)

var capabilityNotFirst = &Rule{
	ID:       "SG201",
	Title:    "description does not begin with what the skill does",
	Why:      "listings are cut from the end and people read the first words: they must say what the skill does, before when or how it is called",
	Advice:   "begin with one sentence in the third person: \"Fills PDF forms.\"; put \"Use when …\" behind it",
	See:      practiceURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Info,
	Bad:      front("pdf", "Use when the user has a .pdf file with fields."),
	Good:     front("pdf", "Fills and reads PDF forms. Use when the user has a .pdf file with fields."),
	Check: func(s *Skill, report Report) {
		if !s.Described() {
			return
		}
		list := sentences(s.Description)
		if len(list) == 0 {
			return
		}
		if m := usageFirst.get().FindString(list[0]); m != "" && !saysWhat(list[0]) {
			p := Problem{At: s.InDescription(firstWords(list[0], 3)), Text: fmt.Sprintf("begins with when to use the skill (%q), not with what it does", strings.TrimSpace(m))}
			for _, one := range list[1:] {
				if deed.get().MatchString(one) && !usageFirst.get().MatchString(one) {
					p.Hint = fmt.Sprintf("put %q first", printableShort(one))
					break
				}
			}
			report(p)
		}
	},
}

// deed finds a sentence that begins with what the skill does.
var deed = lazy(`^((This skill|It) (covers|provides|gives|helps|creates|generates|guides|handles|teaches|manages|builds)|Provides|Covers|Creates|Generates|Guides|Builds|Analyzes|Manages|Automates|Implements|Produces|Writes|Searches|Fetches|Converts|Recommends?|Orchestrates|Performs|Enforces|Teaches) `)

var usageFirst = lazy(`(?i)^["'*\[(]*(always |proactively |must )?(use(d)? (this skill |this |it |proactively )?(when(ever)?|if|for when)\b|(this skill|this) (should|must|can) be (used|invoked|activated|triggered) (when(ever)?|if|for|to|by)\b|this skill is (used|activated|triggered|invoked) when|when(ever)? (the |a )?(user|users|you|someone|asked)\b|if (the |a )?(user|users|you)\b|triggers?( on| when| with| phrases?)?\s*[:：]|trigger when|activate(s)? (when|on)|invoke when|do not use|don't use|called (by|when)|(사용자|유저)가 [^.]{0,60}(때|면|경우)|트리거\s*[:：]|다음(과 같은)? (경우|상황)|[^.,]{0,40}(요청|질문|말)(하면|할 때|받으면))`)

// saysWhat reports whether a sentence that opens with an occasion goes on to say
// what the skill then does: "When the user names a PDF, fills its form."
func saysWhat(sentence string) bool {
	if hasHangul(sentence) {
		// The verb of a Korean sentence stands last: 채운다, 조회합니다.
		end := strings.TrimRight(sentence, " .!")
		return !strings.HasSuffix(end, "사용한다") && !strings.HasSuffix(end, "사용합니다") && !strings.HasSuffix(end, "사용") &&
			!strings.HasSuffix(end, "사용하세요") && (strings.HasSuffix(end, "다") || strings.HasSuffix(end, "요"))
	}
	return goesOn.get().MatchString(sentence)
}

// goesOn finds the deed behind an English occasion: "… - guides completion of the
// work", "…, this skill fills it".
var goesOn = lazy(`( [-–—]+ |—)(it |this skill )?[a-z]+[^suh\W]s [a-z]|, (it|this skill) [a-z]+s `)

func firstWords(s string, n int) string {
	words := strings.Fields(s)
	return strings.Join(words[:min(n, len(words))], " ")
}
