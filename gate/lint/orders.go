package lint

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var sg503 = &Rule{ID: "SG503", Severity: Info, Risk: 0.5, Check: func(s *Skill, report Report) {
	scanProse(s, hostile, 5, replacesOrQuotes, func(h hit) {
		report.at(s.prosePlace(h), "%s: %q", h.p.what, printableShort(h.text()))
	})
}}

// replacesOrQuotes skips text that quotesAttack does, rules that those of the project
// replace, and comments that give no order but to the tool that they name.
func replacesOrQuotes(s *Skill, h hit) bool {
	return h.p.what == overrules && replaced.get().MatchString(h.text()+h.line[h.to:]) ||
		toolsComment.get().MatchString(h.text()) || quotesAttack(s, h)
}

// toolsComment finds the comment of one tool, as in <!-- claude-md-manager:ignore -->. With an order behind it
// the text that matched is longer.
var toolsComment = lazy(`^\s*<!--\s*[\w-]+:[\w-]+$`)

// overrules is what most of the texts against other instructions do.
const overrules = "overrules other instructions"

// replaced names the project alone: what else takes the place of rules is an attacker's to write.
var replaced = lazy(`(?i)^override existing (?:rules?|commands?|skills?) with (?:those|the ones) (?:of|from|in) ` +
	`(?:the|this|your) project\W*$`)

// scanProse is scanLines over SKILL.md with its paragraphs on one line each, and
// over the scripts as they are.
func scanProse(s *Skill, patterns []pattern, limit int, skip func(s *Skill, h hit) bool, report func(h hit)) {
	texts := s.texts()
	spoken := func(p pattern) bool { return texts[0].hasAny(p.words) }
	if len(texts[0].other) == 0 && !slices.ContainsFunc(patterns, spoken) {
		scanTexts(s, texts[1:], patterns, limit, skip, report)
		return
	}
	if s.prose == nil {
		s.prose = &textFile{}
		*s.prose = newText(NewSource(s.Src.Path, paragraphs(s.Src.Text)), false)
	}
	scanTexts(s, append([]textFile{*s.prose}, texts[1:]...), patterns, limit, skip, report)
}

// prosePlace is the place of what scanProse found.
func (s *Skill) prosePlace(h hit) Place {
	if h.t.script {
		return h.t.src.Span(h.start, h.end)
	}
	return s.Src.Span(h.start, h.end)
}

// paragraphs returns text with the lines of each paragraph joined, in as many bytes.
func paragraphs(text string) string {
	b := []byte(text)
	last, at := bodyLine{}, 0
	eachLine(text, 0, func(l bodyLine) bool {
		if at > 0 && !l.code && !l.fence && !last.code && !last.fence && flows(last.text) && continues(l.text) {
			for i := last.start + len(last.text); i < l.start; i++ {
				b[i] = ' '
			}
		}
		last, at = l, at+1
		return true
	})
	return string(b)
}

// flows reports whether a paragraph may go on behind the line.
func flows(line string) bool {
	t := strings.TrimSpace(line)
	return t != "" && t != "---" && t[0] != '#' && t[0] != '|' && !strings.HasSuffix(t, "-->") &&
		!strings.HasSuffix(t, ":")
}

// continues reports whether the line goes on with the paragraph before it.
func continues(line string) bool {
	t := strings.TrimSpace(line)
	return t != "" && t != "---" && !strings.ContainsRune("#|>-*+[<!", rune(t[0])) && !startsItem.get().MatchString(t)
}

var startsItem = lazy(`^(?:\d+[.)]|[A-Za-z_-]+:)\s`)

// quotesAttack skips text that shows an attack, forbids it or looks for it.
func quotesAttack(s *Skill, h hit) bool {
	before, behind := leadIn(h.line, h.from), h.line[h.to:]
	if h.t.script {
		shown := insideQuotes(h.line, h.from) && (s.onSecurity() && !printed.get().MatchString(h.line[:h.from]) ||
			h.inTest(s) && !h.t.shell() && !h.told())
		return shown || attackSearched.get().MatchString(before) || searchedIn.get().MatchString(behind) ||
			inListOfStrings(h.line, h.from) || strings.Contains(h.line, `r"`) || strings.Contains(h.line, `r'`)
	}
	if madeComment.get().MatchString(h.line) {
		return false
	}
	if insideQuotes(h.line, h.from) || strings.HasSuffix(h.line[:h.from], "**") && labelEnd.get().MatchString(
		behind) || speaksOf.get().MatchString(before) || isAttack.get().MatchString(behind) ||
		strings.ContainsAny(h.line, "❌🚫⛔") || s.labelled(h.t, h.n, h.from) {
		return true
	}
	if !s.onSecurity() {
		return false
	}
	line := strings.TrimSpace(h.line)
	return strings.HasPrefix(line, "|") || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") ||
		attackWord.get().MatchString(line) || h.t.src.inCode(h.n)
}

// inTest reports whether a script is a test by its name or by a folder of the skill: what it quotes is
// what the program under test is given.
func (h hit) inTest(s *Skill) bool {
	return testName.get().MatchString(strings.TrimPrefix(h.t.src.Path, path.Dir(s.Src.Path)))
}

// told reports whether a script tells its reader the text that matched: it prints the
// text, or what it has set from it, or returns it.
func (h hit) told() bool {
	text := lazy(regexp.QuoteMeta(h.text()))
	f := flowFrom(h.t.src.Text, text)
	return slices.ContainsFunc(statements(h.t.src.Text), func(one string) bool {
		if at := text.get().FindStringIndex(one); at != nil {
			literal := literalAt(one, at[0]) // whose own words tell nothing
			one = strings.Replace(one, literal, "", 1)
			return tells.get().MatchString(one)
		}
		return tells.get().MatchString(one) && f.in(one)
	})
}

var (
	testName = lazy(`(?i)/(?:tests?|__tests__|specs?)/|/test_[^/]*$|[._-](?:test|spec)\.\w+$`)
	tells    = lazy(printing + `|\b(?:return|yield|raise|throw|exit|run|call|exec` +
		`|append|push|add|extend|insert|update|set\w*|dump\w*|input|write\w*|std(?:out|err))\b|print\w*\(` +
		`|\.(?:error|warn(?:ing)?|info|debug|critical)\(`)
	// what a script tells its reader
	printed        = lazy(printing)
	attackSearched = lazy(`(?i)re\.(?:compile|search|match)|regex|pattern|\bgrep\b|\.(?:test|match|includes|contains)\(` +
		`|^\s*(?:#|//)`)
	searchedIn  = lazy(`^[^"'\n]{0,40}["']\s*(?:not\s+)?in\s`)
	labelEnd    = lazy(`^[^.\n]{0,30}:\*\*`)
	madeComment = lazy(`^\s*(?:<!--|\[//\]:|\[comment\]:)`)
	speaksOf    = lazy(`(?i)\b(?:attempt\w*|tr(?:y|ies|ying) to|instructions? (?:to|that|like)|(?:ask|tell` +
		`|instruct|trick|manipulat|convinc|caus|get)\w*( (?:you|the (?:model|assistant|agent|llm|ai)|it|them` +
		`|claude))? (?:to|into)|say(?:s|ing)|such as|like|e\.g\.|for example|does not|do not|don['’]t|never` +
		`|cannot|can['’]t|must not|won['’]t|should not|if (?:it|they|someone|any|a|an|text|content` +
		`|the)|injection|attack\w*|jailbreak\w*|adversar\w*|red.?team\w*|phish\w*|payload\w*|detect\w*` +
		`|block\w*|reject\w*|refuse\w*|prevent\w*|avoid\w*|contain\w*|requests? to|trying to|designed to|aims? to)\b`)
	isAttack   = lazy(`(?i)^[^.\n]{0,80}\b(?:injection|attacks?|jailbreak|is malicious|are malicious|patterns?)\b`)
	attackWord = lazy(`(?i)injection|jailbreak|phish|adversar|red.?team|payload|attack|malicious|인젝션|공격`)
)

const printing = `(?i)\b(?:print\w*|echo|writes?|puts|log|say|emit|output|send\w*)\b`

// inCode reports whether line n is in a code fence.
func (s *Source) inCode(n int) bool {
	in := false
	eachLine(s.Text, 0, func(l bodyLine) bool {
		if l.start > int(s.lines[n-1]) {
			return false
		}
		in = l.code
		return true
	})
	return in
}

var hostile = []pattern{
	{[]string{"ignore", "disregard", "forget", "override"}, lazy(`(?i)\b(?:ignore|disregard|forget` +
		`|override) (?:(?:all|any|the|your|every|of|these|those|other) )*(?:previous|prior|above|earlier|preceding` +
		`|other|existing|system)(?: system)? (?:instructions?|prompts?|rules?|directives?|guidelines?|skills?` +
		`|commands?|messages?)`), overrules},
	{[]string{"ignore", "disregard", "forget"}, lazy(`(?i)\b(?:ignore|disregard|forget) (?:everything|anything` +
		`|whatever|what) (?:that )?(?:you were told|you have been told|(?:the )?(?:user|system prompt` +
		`|developer) (?:says?|said|wants?|told))`), "overrules other instructions"},
	{[]string{"precedence over", "priority over", "supersede", "overrides"}, lazy(
		`(?i)\b(?:(?:take|takes|taking|have|has) (?:absolute |full |the highest |highest )?(?:precedence` +
			`|priority) over|supersedes?|overrides?) (?:(?:the|any|all|your) )*(?:system prompt|anything the user` +
			`|what(?:ever)? the user|user['’]s (?:instructions|requests|wishes)|safety (?:rules|guidelines` +
			`|training|policies)|developer (?:instructions|message))`), "overrules other instructions"},
	{[]string{"not tell", "n't tell", "’t tell", "never tell", "not inform", "n't inform", "never inform",
		"not notify", "never notify", "not alert", "never alert", "not warn", "never warn", "not let the user",
		"n't let the user", "never let the user", "not mention", "n't mention", "never mention", "not reveal",
		"n't reveal", "never reveal", "not disclose", "never disclose", "not show", "n't show", "never show"},
		lazy(`(?i)\b(?:do not|don['’]t|never) (?:(?:tell|inform|notify|alert|warn) the user` +
			`|let the user know|(?:mention|reveal|disclose|show) (?:this|it` +
			`|that)(?: \w+){0,2} to the user) ?(?:about (?:this|these|the) (?:step|instruction` +
			`|file|upload|request|skill|command|transfer|copy)s?|(?:that|what) you (?:did|have` +
			`|are|were|will|do)\b|that (?:this|the (?:skill|data|files?))|\.|\)|$)`), "hides something from the user"},
	{[]string{"without telling", "without informing", "without notifying", "without alerting", "without the user",
		"silently ", "from the user"}, lazy(`(?i)\bwithout (?:telling|informing|notifying|alerting) the user\b` +
		`|\bwithout the user(?:['’]s knowledge| knowing| noticing)\b|\bsilently (?:upload|send|post` +
		`|exfiltrate|collect|transmit|forward)\b|\b(?:hide|keep) (?:this|it|that` +
		`|these)(?: \w+)? (?:secret |hidden )?from the user\b`), "hides something from the user"},
	{[]string{"you are now", "developer mode", "dan mode", "god mode", "safety filter", "safety restriction",
		"safety guideline", "safety polic", "safety training", "safety instruction", "content filter",
		"content restriction", "content guideline", "content polic"}, lazy(
		`(?i)\b(?:you are now (?:in )?(?:developer|dan|god|unrestricted|jailbroken)\b|enter (?:developer` +
			`|dan|god) mode|(?:bypass|disable|ignore) (?:(?:all|any|your|the) )*(?:safety` +
			`|content) (?:filters?|restrictions?|guidelines?|policies|training|instructions?))`), "lifts safety rules"},
	{[]string{"the user has"}, lazy(`(?i)(?:^|[.!:>*]\s*)the user has (?:already |previously )?(?:approved` +
		`|authori[sz]ed|consented to|pre-?approved|granted)[^.\n]{0,20}\b(?:all|every|any|everything|full)\b`),
		"makes up the user's approval"},
	{[]string{"<!--", "[//]:", "[comment]:"}, lazy(`(?i)^\s*(?:<!--|\[//\]:\s*#` +
		`|\[comment\]:\s*#)[^>\n]{0,40}\b(?:assistant|claude|ai|agent|model|llm|gpt|codex` +
		`|copilot)\b[^>\n]{0,120}\b(?:run|execute|send|upload|silently|without (?:asking|telling)|curl|wget` +
		`|delete|install|exfiltrate|ignore|do not (?:tell|mention))\b`),
		"gives the model orders in a comment that nobody sees"},
	{[]string{"무시", "몰래", "알리지", "말하지", "잊"}, lazy(
		`(?:이전|앞선|앞의|기존|위의|모든)(?:의)?\s*(?:모든\s*)?(?:시스템\s*)?(?:지시|지침` +
			`|명령|규칙|프롬프트)(?:사항)?(?:들)?[을를은는]?[^.\n]{0,8}(?:무시|잊)` +
			`|시스템 프롬프트[^.\n]{0,10}무시|사용자 몰래|사용자(?:에게` +
			`|한테)[^.\n]{0,20}(?:알리지|말하지) (?:마|말|않고)`), "overrules other instructions or hides something"},
	{[]string{"忽略", "不要告诉", "無視", "知らせ"}, lazy(`忽略(?:之前|以上|先前|前面|此前` +
		`|所有|全部)的?(?:所有|全部|一切)?的?(?:指令|指示|提示|规则)|不要告诉用户|(?:前` +
		`|以前|これまで)の(?:すべての|全ての)?(?:指示|命令|プロンプト)を無視` +
		`|ユーザーに(?:知らせ|伝え)(?:ない|ず)`), "overrules other instructions or hides something"},
}

var sg511 = &Rule{ID: "SG511", Severity: Info, Risk: 0.3, Check: func(s *Skill, report Report) {
	if m := hostTag.find(s.Description); m != nil {
		report.at(s.InDescription(s.Description[m[0]:m[1]]), "the description holds %s", s.Description[m[0]:m[1]])
	}
	n := 0
	found := func(src *Source, start, end int) {
		if n < 5 {
			report.at(src.Span(start, end), "holds %s", src.Text[start:end])
		}
		n++
	}
	texts := s.texts()
	if texts[0].hasAny(tagWords) || strings.Contains(texts[0].low, "human:") {
		s.tagsInBody(&texts[0], found)
	}
	for i := range texts[1:] {
		t := &texts[i+1]
		if !t.hasAny(tagWords) {
			continue
		}
		for k := 1; k <= len(t.src.lines); k++ {
			if line := t.src.line(k); !attackSearched.get().MatchString(line) {
				// of a script the model reads what it prints; in a shell any line may be, as of a here-document
				if m := wholeElement.get().FindStringIndex(line); m != nil &&
					(t.shell() || printed.get().MatchString(line[:m[0]])) {
					found(t.src, int(t.src.lines[k-1])+m[0], int(t.src.lines[k-1])+m[1])
				}
			}
		}
	}
}}

// tagsInBody calls found for tags in the prose, for whole elements in the code, and
// for turns of a dialogue.
func (s *Skill) tagsInBody(t *textFile, found func(src *Source, start, end int)) {
	human, blank, line := -1, true, s.Src.lineAt(min(s.Front.Body, len(s.Src.Text)))-1
	s.eachLine(func(l bodyLine) bool {
		line++
		text, tags := l.text, hostTag.get()
		if l.code {
			tags = wholeElement.get()
		} else {
			text = blankCode(text)
		}
		if l.fence {
			return true
		}
		if m := tags.FindStringIndex(text); m != nil && !s.tagShown(t, line, text, m) {
			found(s.Src, l.start+m[0], l.start+m[1])
		}
		switch {
		case l.code:
		case blank && strings.HasPrefix(l.text, "Human: "):
			human = l.start
		case blank && strings.HasPrefix(l.text, "Assistant: ") && human >= 0:
			found(s.Src, human, human+len("Human:"))
			human = -1
		}
		blank = strings.TrimSpace(l.text) == ""
		return true
	})
}

// tagShown reports whether a tag is spoken of, not used.
func (s *Skill) tagShown(t *textFile, n int, line string, m []int) bool {
	before := leadIn(line, m[0])
	return insideQuotes(line, m[0]) || warnsBefore.get().MatchString(before) || speaksOf.get().MatchString(before) ||
		s.labelled(t, n, m[0]) || s.onSecurity() && strings.HasPrefix(strings.TrimSpace(line), "|")
}

const (
	hostTags = `(?:system-reminder|command-name|command-message|command-args|local-command-stdout` +
		`|local-command-caveat|task-notification|user-prompt-submit-hook|function_calls|function_results|antml:[a-z_]+` +
		`|tool_result|bash-stdout)`
	chatMarks = `\[/?INST\]|<</?SYS>>|<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id` +
		`|end_header_id|eot_id)\|>`
)

var (
	tagWords = []string{"<system", "< system", "&lt;system", "</system", "command-name", "command-message",
		"command-args", "-command-", "task-notification", "user-prompt-submit", "function_", "antml:", "tool_result",
		"bash-stdout", "inst]", "<|", "<<sys"}
	hostTag      = lazy(`(?i)(?:<|&lt;)\s*/?\s*(?:` + hostTags + `|system)(?:\s[^<>\n]{0,80})?\s*(?:>|&gt;)|` + chatMarks)
	wholeElement = lazy(`(?i)<\s*(?:` + hostTags + `|system)(?:\s[^<>\n]{0,80})?>[^<\n]{12,}</`)
)
