package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/terms"
)

var sg202 = &Rule{ID: "SG202", Severity: Warning, Check: func(s *Skill, report Report) {
	if !s.Described() {
		return
	}
	text := singleQuoted.get().ReplaceAllStringFunc(unquote(s.Description), blank)
	for _, one := range sentences(text) {
		if usageFirst.get().MatchString(one) || occasion.get().MatchString(one) {
			continue // "Use when I say …" quotes the user
		}
		if m := otherPerson.get().FindStringIndex(one); m != nil {
			report.at(s.InDescription(one[m[0]:m[1]]), "says %q", strings.TrimSpace(one[m[0]:m[1]]))
			return
		}
	}
}}

var (
	otherPerson = lazy(`\b(I can|I will|I'll|I help|I am|I'm|You are (a|an|the)\b|You('re| are) [a-z]+ing\b` +
		`|You help\b|[Yy]ou can (use|create|build|run|ask)|[Hh]elp you\b|[Ww]e (can|will|help))|^(This (skill` +
		`|tool) )?([Ll]ets|[Aa]llows|[Ee]nables|[Gg]ives) you\b|저는|제가 |도와드립니다|도와드려요|해드립니다|해드려요|여러분`)
	occasion     = lazy(`(?i)\b(use (this|it|when)|when(ever)? |trigger|asks?\b|says?\b)`)
	singleQuoted = lazy(`(^|[\s(,:])'(?:[^'\n]|'[a-zA-Z]){2,120}'`)
)

func blank(s string) string { return strings.Repeat(" ", len(s)) }

var sg208 = &Rule{ID: "SG208", Severity: Warning, Check: func(s *Skill, report Report) {
	if !s.Described() {
		return
	}
	text := singleQuoted.get().ReplaceAllStringFunc(unquote(s.Text()), blank)
	for _, one := range sentences(text) {
		if isRefusal(one) {
			continue
		}
		if word, n, of := keyword(one); n >= stuffedItems && float64(n) >= stuffedShare*float64(of) {
			report(Problem{
				At: s.InDescription(word), Text: fmt.Sprintf("%d of %d list items begin with %q", n, of, word),
				Hint: fmt.Sprintf("say %q once and list what differs", word),
			})
			return
		}
	}
}}

const (
	stuffedItems = 6   // five kinds of one thing are a list that a reader needs
	stuffedShare = 0.6 // of the items; the rest may be other names of it
	keywordSize  = 3   // words of an item; longer ones say something
)

// keyword returns the word that most items of a sentence's list begin with, as it
// is written, how many do, and how many short items there are.
func keyword(sentence string) (word string, most, items int) {
	count := map[string]int{}
	for _, written := range strings.FieldsFunc(sentence,
		func(r rune) bool { return r == ',' || r == ';' || r == '、' || r == '·' || r == '|' }) {
		item := terms.Normal(written)
		if i := strings.LastIndexAny(item, ":："); i >= 0 {
			item = strings.TrimLeft(item[i:], ":： ") // "Triggers: veo"
		}
		found := terms.Scan(item)
		if len(found) == 0 || properName(written) || len(strings.Fields(item)) > keywordSize {
			continue
		}
		items++
		first := found[0]
		if len(first.Text) < 2 || first.Kind == terms.Ident || len(found) == 1 {
			continue
		}
		if count[first.Text]++; count[first.Text] > most {
			word, most = item[first.Start:first.End], count[first.Text]
		}
	}
	return word, most, items
}

// properName reports whether a list item is a name, which may well begin as its
// neighbours do: a skill, a command, a host, a product of a family.
func properName(item string) bool {
	words := strings.Fields(strings.Trim(item, " .()\n"))
	for len(words) > 1 && (words[0] == "or" || words[0] == "and") {
		words = words[1:]
	}
	if len(words) == 1 {
		return strings.ContainsAny(words[0], "-./_:@")
	}
	for _, w := range words {
		if first := []rune(w)[0]; !unicode.IsUpper(first) && !unicode.IsDigit(first) {
			return false
		}
	}
	return len(words) > 0
}

var sg212 = &Rule{ID: "SG212", Severity: Error, Check: func(s *Skill, report Report) {
	if !s.Described() || s.forCopying() {
		return
	}
	text := unquote(s.Text())
	if m := templateText.get().FindString(text); m != "" {
		m = strings.Trim(m, " .(")
		report.at(s.InDescription(m), "holds %q", m)
	}
}}

// forCopying reports whether a skill lies among templates: what it leaves to be filled in is meant so. Folders above
// those that are checked, and the skill's own, say nothing of that.
func (s *Skill) forCopying() bool {
	return slices.ContainsFunc(strings.Split(path.Dir(s.ID), "/"), func(folder string) bool {
		return folder == "template" || folder == "templates" || folder == "assets"
	})
}

var templateText = lazy(`(?i)(^|[.\s\[(])(TODO:|TBD\b|FIXME:|lorem ipsum|your (description|text) here|(insert|add` +
	`|write) (a |your )?(short |brief )?description|describe what (this|the) skill does|\[TODO\b` +
	`|description goes here|replace (this )?with (a |the |your )?description|here is where the description` +
	`|trigger with relevant phrases based on skill purpose|use when appropriate context detected|여기에 설명)|^\s*\[(skill ` +
	`|your )?(name|description)\]`)

var sg213 = &Rule{ID: "SG213", Severity: Warning, Check: func(s *Skill, report Report) {
	d, ok := s.Front.Scalar("description")
	d = strings.TrimSpace(d)
	if !ok || d == "" {
		return
	}
	tail := d[max(0, len(d)-60):]
	if i := strings.IndexAny(tail, " \n"); i >= 0 && len(d) > 60 {
		tail = tail[i+1:]
	}
	m := cutInside.get().FindStringSubmatchIndex(d)
	switch {
	case m != nil:
		report.at(s.InDescription(d[m[2]:m[3]]), "a sentence breaks off in %q", d[m[2]:m[3]])
	case endsInComment(s.Front):
		report(Problem{At: s.InDescription(lastTwoWords(d)), Text: fmt.Sprintf("a YAML comment begins behind %q", tail),
			Hint: "put the description in quotation marks: a # behind a space begins a comment"})
	case strings.HasSuffix(d, "...") || strings.HasSuffix(d, "…"):
		report.at(s.InDescription(lastTwoWords(d)), "ends in %q", tail)
	case dangling(d):
		report.at(s.InDescription(lastTwoWords(d)), "ends in the middle of a clause: %q", tail)
	case fragment(s, d):
		report.at(s.InDescription(lastTwoWords(d)), "is cut after %d characters: %q", utf8.RuneCountInString(d), tail)
	}
}}

// endsInComment reports whether a description on one line without quotation marks is
// followed by a comment that is close enough to be meant as part of it.
func endsInComment(f *Front) bool {
	k, _ := f.Key("description")
	return k.Node != nil && k.Node.Style == 0 && strings.HasPrefix(k.Node.LineComment, "#") &&
		!strings.HasPrefix(k.Node.LineComment, "# ")
}

// cutInside finds a sentence that was shortened before the next was put behind it.
var cutInside = lazy(`([A-Za-z-]+\.\.\.)\s+(Use |Trigger|Activate|Do NOT|Part of)`)

// cutLengths are the lengths, in characters, that tools cut texts to. Those who
// mark the place take three characters more.
var cutLengths = []int{197, 200, 247, 250, 255, 256, 300, 497, 498, 499, 500, 512, 1000, 1023, 1024}

// fragment reports whether a text of one of those lengths stops inside a word,
// brackets or quotation marks. What it stops in is not a word where neither the rest
// of the text nor the body has it.
func fragment(s *Skill, d string) bool {
	end, _ := utf8.DecodeLastRuneInString(d)
	if !slices.Contains(cutLengths, utf8.RuneCountInString(d)) || !unicode.IsLetter(end) && end != '-' {
		return false
	}
	if strings.Count(d, "(") > strings.Count(d, ")") || strings.Count(d, `"`)%2 == 1 || strings.Count(d, "`")%2 == 1 {
		return true
	}
	if unicode.In(end, unicode.Han, unicode.Hiragana, unicode.Katakana) {
		return false // no space says where its words end
	}
	at := strings.LastIndexFunc(d, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) + 1
	last := strings.ToLower(d[at:])
	return last != "" && !hasWord(strings.ToLower(d[:at]), last) && !hasWord(strings.ToLower(s.BodyText()), last)
}

// hasWord reports whether word stands in text between other characters than letters.
func hasWord(text, word string) bool {
	for at := range occurrences(text, word) {
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		if !unicode.IsLetter(before) && !unicode.IsLetter(after) {
			return true
		}
	}
	return false
}

// dangling reports whether a text ends in a word or mark that something must follow.
func dangling(d string) bool {
	if strings.HasSuffix(d, ",") || strings.HasSuffix(d, " (") || strings.Count(d, "(") > strings.Count(d, ")")+1 {
		return true
	}
	words := strings.Fields(d)
	switch last := strings.ToLower(words[len(words)-1]); last {
	case "and", "or", "the", "a", "an", "of", "to", "for", "with", "when", "및", "또는", "그리고":
		return len(words) > 4
	}
	return false
}

func lastTwoWords(s string) string {
	words := strings.Fields(s)
	return strings.Join(words[max(0, len(words)-2):], " ")
}
