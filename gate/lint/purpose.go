package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/clip"
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
		p := Problem{At: s.InDescription(firstWords(list[0], 3)), Text: fmt.Sprintf(
			"begins with when to use the skill (%q), not with what it does", strings.TrimSpace(m))}
		for _, one := range list[1:] {
			if deed.get().MatchString(one) && !usageFirst.get().MatchString(one) {
				p.Hint = fmt.Sprintf("put %q first", printableShort(one))
				break
			}
		}
		report(p)
	}
}}

// deed finds a sentence that begins with what the skill does.
var deed = lazy(`^((This skill|It) (covers|provides|gives|helps|creates|generates|guides|handles|teaches|manages` +
	`|builds)|Provides|Covers|Creates|Generates|Guides|Builds|Analyzes|Manages|Automates|Implements|Produces` +
	`|Writes|Searches|Fetches|Converts|Recommends?|Orchestrates|Performs|Enforces|Teaches) `)

var usageFirst = lazy(`(?i)^["'*\[(]*(always |proactively |must )?(use(d)? (this skill |this |it ` +
	`|proactively )?(when(ever)?|if|for when)\b|(this skill|this) (should|must|can) be (used|invoked|activated` +
	`|triggered) (when(ever)?|if|for|to|by)\b|this skill is (used|activated|triggered|invoked) when` +
	`|when(ever)? (the |a )?(user|users|you|someone|asked)\b|if (the |a )?(user|users|you)\b|triggers?( on` +
	`| when| with| phrases?)?\s*[:：]|trigger when|activate(s)? (when|on)|invoke when|do not use` +
	`|don't use|called (by|when)|(사용자|유저)가 [^.]{0,60}(때|면|경우)` +
	`|트리거\s*[:：]|다음(과 같은)? (경우|상황)|[^.,]{0,40}(요청|질문|말)(하면|할 때|받으면))`)

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

var sg205 = &Rule{ID: "SG205", Severity: Info, Check: func(s *Skill, report Report) {
	if !s.Described() || !hasUsage(s) || internalOnly(s) {
		return
	}
	text := s.Description
	at := len(text)
	if at <= maxLead+leadSlack {
		return
	}
	for _, clause := range usageClauses() {
		if m := clause.find(text); m != nil {
			at = min(at, m[0])
		}
		if utf8.RuneCountInString(text[:at]) <= maxLead+leadSlack {
			return
		}
	}
	if n := utf8.RuneCountInString(text[:at]); at < len(text) && occasionAt(text, at) {
		clause := firstWords(text[at:], 3)
		report(Problem{
			At:   s.InDescription(clause),
			Text: fmt.Sprintf("the first %d characters do not say when to use the skill, recommended at most %d", n, maxLead),
			Hint: fmt.Sprintf("shorten what comes before %q", clause),
		})
	}
}}

// occasionAt reports whether the clause at that offset tells the reader when to
// use the skill: it begins a sentence, or speaks of the user, or is in another language.
// "Atoms that activate when the store is used" tells no occasion.
func occasionAt(text string, at int) bool {
	before := strings.TrimRight(text[:at], " \n\t*\"'(")
	if before == "" || strings.ContainsAny(before[len(before)-1:], ".!?:;-") || text[at] >= utf8.RuneSelf ||
		hasHangul(text[at:min(len(text), at+40)]) {
		return true
	}
	return asker.get().MatchString(text[at:])
}

var asker = lazy(`(?i)^\W*([a-z]+\W+){0,6}(users?|you|asks?|asked|requests?|triggers?|keywords?|phrases|says?` +
	`|mentions?)\b`)

// maxLead is the cap on listed descriptions of Claude Code 2.1.86, the tightest that
// was shipped.
const maxLead = 250

// leadSlack is by how many characters nobody should have to shorten a text.
const leadSlack = 25

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
	if len(telling) < minTelling && !hasHangul(s.Text()) && !onlyName(s) {
		report.at(s.DescriptionPlace(), "%s", countTelling(telling, s.Description))
	}
}}

// minTelling is how many words a description needs besides those of the name: one
// for what is done and one for what it is done to.
const minTelling = 2

// longestWord is how many characters a word of Chinese or Japanese has at most, as 渗透测试.
const longestWord = 5

func countTelling(telling []string, description string) string {
	switch {
	case len(wordsOf(description)) == 0:
		return "the description holds no word"
	case len(telling) == 0:
		return fmt.Sprintf("no word of %q tells this skill from another", printableShort(description))
	}
	return fmt.Sprintf("besides the name only %q tells this skill from another: %q", telling[0],
		printableShort(description))
}

func printableShort(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if short := clip.Chars(s, 80); short != s {
		return short + "…"
	}
	return s
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
	your document documents file files data content information`)

var sg207 = &Rule{ID: "SG207", Severity: Warning, Check: func(s *Skill, report Report) {
	if !s.Described() {
		return
	}
	text := unquote(s.Text())
	if !everyTask.mayMatch(strings.ToLower(text)) {
		return
	}
	for _, one := range sentences(text) {
		if isRefusal(one) {
			continue
		}
		at := everyTask.get().FindStringSubmatchIndex(one)
		if at == nil || !inUse.get().MatchString(one[:at[1]]) || onNeed.get().MatchString(one[:at[0]]) ||
			onNeed.get().MatchString(one[at[0]:at[1]]) {
			continue
		}
		m := one[at[0]:at[1]]
		if at[3] > 0 {
			m = one[at[2]:at[3]] // without what stands behind the claim
		} else {
			m = strings.TrimRight(strings.TrimSuffix(m, " or "), " .-")
		}
		report.at(s.InDescription(m), "says %q, which takes in prompts that it does nothing for", m)
		return
	}
}}

// everyTask finds a claim to every request. What goes on to say which requests
// ("any request involving the robot") claims no more than those.
var everyTask = lazy(`(?i)\b(always use (this|it)( skill)?( first)?( (for|on|in) (all|every|any) [a-z]+)?` +
	`|(use (this skill )?|used |apply )(for|on|in|before|at the start of) ` + anyWork +
	`|(before|at the start of) ` + anyWork +
	`|(when|before|after) (starting|beginning|executing|making|completing|doing) ` + anyWork +
	`|use (this skill |this |it )?(first )?before starting work` +
	`|(activates?|enforces?) [^.]{0,60} for ` + anyWork +
	`|must (always )?be used (for|in|before) ` + anyWork +
	`)(\s*[.,;:!?)—–]|\s*$|\s+(including|regardless|without|even|first|and|or|to check|-)(\s|$))` +
	`|\b(use when starting an? (new )?(session|conversation))(\.|$| or | - )` +
	`|(항상|언제나|무조건) (이 스킬을 )?(사용|호출|실행)(한다|합니다|하세요|할 것` +
	`|해야)|모든 (요청|작업|대화|질문)(에|에서|마다) (사용|적용|호출|실행)`)

const anyWork = `(every|any|all|each) ((coding |creative (or constructive )?|multi-step |code )?(work|tasks?` +
	`|changes?|projects?)|conversations?|sessions?|requests?|prompts?|questions?|messages?|responses?|interactions?` +
	`|actions?)`

// inUse finds what makes of "before any change" a claim of the skill: a rule of
// its work ("asks before any change") is none.
var inUse = lazy(`(?i)\b(use|used|invoke|invoked|apply|enforces?|activates?|activated|triggers?|triggered|consult)\b` +
	`|사용|호출|실행|적용`)

// onNeed finds a condition that a claim stands behind: "when you need the selection before any task".
var onNeed = lazy(`(?i)\b(?:when|if) (?:you|the user) needs?\b`)

var sg209 = &Rule{ID: "SG209", Severity: Warning, Check: func(s *Skill, report Report) {
	if !s.Described() {
		return
	}
	if onlyName(s) {
		report.at(s.DescriptionPlace(), "%q adds nothing to the name %q", printableShort(s.Description), s.Name)
	}
}}

// onlyName reports whether a description has words of the name and besides them
// only such as fit every skill.
func onlyName(s *Skill) bool {
	own := stems(s.Name + " " + s.Folder)
	repeats := false
	for _, t := range terms.Scan(s.Text()) {
		switch {
		case own[t.Text]:
			repeats = true
		case !vague.has(t.Text) && !vague.has(strings.ToLower(t.Text)) && !vagueStem(t.Text) && !nameFiller.has(t.Text):
			return false
		}
	}
	return repeats
}

// vagueStem reports whether the stem of a vague word is w.
func vagueStem(w string) bool {
	for v := range vague.words() {
		if strings.HasPrefix(v, w) && terms.Stem(v) == w {
			return true
		}
	}
	return false
}

var sg210 = &Rule{ID: "SG210", Severity: Info, Within: func(l *Library, s *Skill, report Report) {
	m := l.measured(s)
	if m == nil || m.BodyTerms < minBodyTerms || m.Claimed < minClaimed ||
		float64(m.InBody) >= metShare*float64(m.Claimed) {
		return
	}
	body := s.BodyText()
	head := body[:min(len(body), 4<<10)]
	if otherScript(s.Capability) || otherScript(head) || pointer.get().MatchString(head) {
		return
	}
	in := stems(body)
	telling := m.Telling
	if len(l.Skills) < minLibrary {
		telling = nil // of so few skills each word is in many
		for _, t := range terms.Scan(s.claim()) {
			if !vagueStem(t.Text) && !slices.Contains(telling, t.Text) {
				telling = append(telling, t.Text)
			}
		}
	}
	var missing []string
	met := 0
	for _, t := range telling {
		if base, _, _ := strings.Cut(t, "#"); in[base] {
			met++
		} else {
			missing = append(missing, base)
		}
	}
	if len(missing) >= minMissing && met <= 1 {
		report.at(s.DescriptionPlace(), "of %d words in the description the body has %d; it says nothing of %s",
			m.Claimed, m.InBody, quoteList(surfaces(s.Description, missing), 5))
	}
}}

// pointer finds a body that sends the reader to the instructions elsewhere.
var pointer = lazy(`(?i)\b(get|load|fetch|read|follow) (the )?(full|complete|actual|real) (instructions|skill` +
	`|guide)\b|\bcli-stub\b`)

// surfaces returns stems as text writes them.
func surfaces(text string, stems []string) []string {
	written := map[string]string{}
	for _, t := range terms.Scan(text) {
		if _, ok := written[t.Text]; !ok {
			written[t.Text] = strings.ToLower(text[t.Start:t.End])
		}
	}
	out := make([]string, 0, len(stems))
	for _, stem := range stems {
		out = append(out, cmp.Or(written[stem], stem))
	}
	return out
}

// otherScript reports whether a text is mostly in another script than Latin: its
// words are met by none in English.
func otherScript(text string) bool {
	latin, other := 0, 0
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r):
		case unicode.Is(unicode.Latin, r):
			latin++
		default:
			other++
		}
	}
	// A syllable or an ideograph is worth two to three Latin letters.
	return 2*other > latin
}

const (
	minBodyTerms = 200 // a shorter body may only point to a command or to other files
	minClaimed   = 8   // words of the description; of fewer, none may be met by chance
	minMissing   = 4   // telling words that the body lacks
	// of library-en's 6,979 skills with such bodies 33 share less; with another skill's body 19 of 20 do
	metShare = 0.40
)

var sg216 = &Rule{ID: "SG216", Severity: Info, Within: func(l *Library, s *Skill, report Report) {
	m := l.measured(s)
	if m == nil || len(l.Skills) < minLibrary || m.Words < minVocabulary {
		return
	}
	if m.Known > 0 || foundByTrigger(s, m) {
		return
	}
	var words []string
	for _, w := range wordsOf(s.claim()) {
		if !vocab.Stop.Has(w) && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	report.at(s.DescriptionPlace(),
		"what it says it does is in words that each stand in more than %.0f %% of the skills: %s", 100*deadShare,
		quoteList(words, 6))
}}

// foundByTrigger reports whether one of the phrases that users say, other than the
// name, brings the skill to the top.
func foundByTrigger(s *Skill, m *Measured) bool {
	own := stems(s.Name + " " + s.Folder)
	for _, p := range m.Probes {
		if p.Kind == "trigger" && p.Said && p.Place == 1 {
			if slices.ContainsFunc(terms.Scan(p.Text), func(t terms.Token) bool { return !own[t.Text] }) {
				return true
			}
		}
	}
	return false
}

const minVocabulary = 3 // words; fewer are SG206's

var sg219 = &Rule{ID: "SG219", Severity: Info, Check: func(s *Skill, report Report) {
	if m := statusFirst.get().FindString(s.Description); m != "" {
		report.at(s.DescriptionPlace(), "begins with %q, not with what it does", strings.TrimSpace(m))
	}
}}

// statusFirst finds a note on the state of a skill in front of its description.
var statusFirst = lazy(`(?i)^\s*(?:[\[(](?:preview|beta|alpha|wip|draft|experimental|deprecated|internal|new|project` +
	`|gitignored|legacy)\b[^\])]{0,40}[\])]` +
	`|(?:preview|beta|wip|draft|deprecated|legacy)\s*[:—–-])`)
