package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
	"github.com/skillgate/skillgate/synonyms/terms"
)

var sg201 = &Rule{ID: "SG201", Severity: Info, Check: func(s *Skill, report Report) {
	if !s.Described() {
		return
	}
	list := sentences(s.Description)
	if len(list) == 0 {
		return
	}
	if m := usageFirst.get().FindString(list[0]); m != "" && !saysWhat(list[0]) {
		report.at(s.InDescription(firstWords(list[0], 3)), "begins with when to use the skill (%q), not with what it does",
			strings.TrimSpace(m))
	}
}}

var usageFirst = lazy(`(?i)^["'*\[(]*(always |proactively |must )?(use(d)? (this skill |this |it ` +
	`|proactively )?(when(ever)?|if|for when)\b|(this skill|this) (should|must|can) be (used|invoked|activated` +
	`|triggered) (when(ever)?|if|for|to|by)\b|this skill is (used|activated|triggered|invoked) when` +
	`|when(ever)? (the |a )?(user|users|you|someone|asked)\b|if (the |a )?(user|users|you)\b|triggers?( on` +
	`| when| with| phrases?)?\s*[:：]|trigger when|activate(s)? (when|on)|invoke when|do not use` +
	`|don't use|called (by|when)|(사용자|유저)가 [^.]{0,60}(때|면|경우)` +
	`|트리거\s*[:：]|다음(과 같은)? (경우|상황)|[^.,]{0,40}(요청|질문|말)(하면|할 때|받으면))`)

func saysWhat(sentence string) bool {
	if hasHangul(sentence) {
		// The verb of a Korean sentence stands last: 채운다, 조회합니다.
		end := strings.TrimRight(sentence, " .!")
		return !strings.HasSuffix(end, "사용한다") && !strings.HasSuffix(end, "사용합니다") && !strings.HasSuffix(end, "사용") &&
			!strings.HasSuffix(end, "사용하세요") && (strings.HasSuffix(end, "다") || strings.HasSuffix(end, "요"))
	}
	return goesOn.get().MatchString(sentence)
}

var goesOn = lazy(`( [-–—]+ |—)(it |this skill )?[a-z]+[^suh\W]s [a-z]|, (it|this skill) [a-z]+s `)

func firstWords(s string, n int) string {
	words := strings.Fields(s)
	return strings.Join(words[:min(n, len(words))], " ")
}

var sg206 = &Rule{ID: "SG206", Severity: Warning, Check: func(s *Skill, report Report) {
	if !s.Described() {
		return
	}
	own := stems(s.Name + " " + s.Folder)
	var telling []string
	for _, w := range wordsOf(s.Text()) {
		if !vague.has(w) && !vocab.Stop.Has(w) && !own[terms.Stem(w)] && !slices.Contains(telling, w) {
			telling = append(telling, w)
		}
		if strings.ContainsFunc(w, script.Spaceless) && utf8.RuneCountInString(w) > longestWord {
			return // several words without a space
		}
	}
	if len(telling) < minTelling && !hasHangul(s.Text()) {
		report.at(s.DescriptionPlace(), "%s", countTelling(telling, s.Description))
	}
}}

const minTelling = 2

const longestWord = 5

func countTelling(telling []string, description string) string {
	switch {
	case len(wordsOf(description)) == 0:
		return "the description holds no word"
	case len(telling) == 0:
		return fmt.Sprintf("no word of %q tells this skill from another", source.Short(description))
	}
	return fmt.Sprintf("besides the name only %q tells this skill from another: %q", telling[0],
		source.Short(description))
}

var vague = set(`a all an and any anything assist assistance assistant assists best better common complex convenient
	different do does easy efficient enhance etc everything features for from functionality functions
	general generic handle handles handling help helper helpers helpful helps important improve in is it
	jobs just kinds like manage management manages many misc miscellaneous more multiple new of on
	operation operations or other perform performs personal powerful process processes processing
	productivity provide provides purpose quality related requests several simple skill skills smart
	some special stuff such support supports task tasks that the these thing things this tool tooling
	tools to useful use used user users using utilities advanced agent agents ai app application
	applications apps automatic automatically claude code coding comprehensive development effective
	expert guide project projects utility various ways well when with work workflow workflows works you
	your document documents file files data content information command commands working`)
