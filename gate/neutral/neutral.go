// Package neutral makes text from skills, which anyone may have written, safe to show to a model. The resulting text
// cannot give orders or pose as the host or the user.
package neutral

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/skillgate/skillgate/gate/clip"
)

// maxSkillInput is the maximum length of a text that Text reads, in bytes. Real descriptions are shorter.
const maxSkillInput = 8 << 10

// Text returns text as one line that is safe to show to a model: valid UTF-8 of at most max characters. It
//
//   - removes control, zero-width and bidirectional characters and composes letters (NFC),
//   - removes or breaks up code fences, speaker labels ("Human:") and tags that imitate the host ("system-reminder",
//     "command-name"), even in look-alike letters,
//   - replaces angle brackets by ‹ and ›,
//   - leaves out sentences that give the model orders ("ignore previous instructions") or that no filter can read,
//   - collapses white space.
//
// This removes known forms of abuse. Against others, callers should show the text as one line in a list of skills.
func Text(text string, max int) string {
	text = text[:min(len(text), maxSkillInput)]
	var out []string
	for _, s := range sift(unmarked(text), max, isOrder) {
		if !s.gone && s.text != "" {
			out = append(out, s.text)
		}
	}
	return Shorten(strings.Join(out, " "), max)
}

// Judged returns all sentences that Text would check for orders if none was an order. This includes joined short
// sentences.
func Judged(text string) []string {
	var out []string
	sift(unmarked(text), maxSkillInput, func(s string) bool {
		out = append(out, s)
		return false
	})
	return out
}

func unmarked(text string) string {
	return dropTags(dropTurns(printable(unturned(norm.NFC.String(text)))))
}

// sift returns the sentences of the first room characters of text and marks the orders among them.
func sift(text string, room int, order func(string) bool) (kept []sentence) {
	for line := range strings.SplitSeq(text, "\n") {
		line = dropLabels(dropFences(line))
		for strings.TrimSpace(line) != "" && room >= 0 {
			one := sentence{}
			one.text, line, one.ended = cutSentence(line)
			one.text = strings.Join(strings.Fields(one.text), " ")
			one.gone = order(one.text)
			kept = append(kept, one)
			room -= utf8.RuneCountInString(one.text)
			for from := len(kept) - 2; from >= 0 && from >= len(kept)-maxPieces; from-- {
				if one.gone && kept[from].ended {
					break // the earlier sentence is complete, so it does not belong to this order
				}
				if splitOrder(kept[from:], order) {
					kept = append(kept[:from], sentence{text: one.text, ended: one.ended || !one.gone, gone: true})
					break
				}
			}
		}
	}
	return kept
}

// Survives reports whether Text returns text unchanged and text has at most max characters. Skills with names that do
// not survive are never suggested.
func Survives(text string, max int) bool {
	return text != "" && Text(text, max) == norm.NFC.String(text)
}

// Maximum lengths of a skill's name and of a displayed description, in characters.
const (
	MaxName        = 128
	MaxDescription = 280
)

// sentence is a sentence, or the part of a sentence that is on one line.
type sentence struct {
	text  string
	ended bool // ends with a punctuation mark, not only with a line break
	gone  bool // the sentence is an order, which Text leaves out
}

const (
	maxPieces  = 4 // maximum number of sentences or lines that form one order
	shortPiece = 4 // maximum number of words in a sentence that may be part of a longer order
)

// splitOrder reports whether the pieces together form an order. Every piece except the last must be short or have no
// end mark.
func splitOrder(pieces []sentence, order func(string) bool) bool {
	var all []string
	for i, p := range pieces {
		if p.text == "" || p.gone && p.ended || i < len(pieces)-1 && p.ended && strings.Count(p.text, " ") >= shortPiece {
			return false
		}
		all = append(all, p.text)
	}
	return order(strings.Join(all, " "))
}

func printable(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7f }) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for before := rune(' '); len(text) > 0; {
		r, n := utf8.DecodeRuneInString(text)
		text = text[n:]
		if unicode.Is(unicode.Mn, r) && before < 0x80 || unicode.Is(unicode.Me, r) && r != 0x20e3 {
			continue // a combining mark on an ASCII letter, or an enclosing mark other than a keycap
		}
		joined := unicode.Is(unicode.Arabic, before)
		before = r
		switch {
		case r == utf8.RuneError && n == 1:
		case r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085' || r == '\v' || r == '\f':
			b.WriteByte('\n')
		case r < ' ' || r == 0x7f: // a control character may separate two words
			b.WriteByte(' ')
		case r < 0x80:
			b.WriteByte(byte(r))
		case r == 0x200c && joined && text != "": // zero-width non-joiner, which Arabic script needs
			b.WriteRune(r)
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Co, r):
		case unseen(r):
		case r == '＜' || r == '﹤':
			b.WriteByte('<')
		case r == '＞' || r == '﹥':
			b.WriteByte('>')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unturned puts text between a right-to-left override (U+202E) and its end (U+202C) into reading order.
func unturned(text string) string {
	for {
		before, turned, _ := strings.Cut(text, "\u202e")
		end := strings.Index(turned, "\u202c")
		if end < 0 {
			return text
		}
		letters := []rune(turned[:end])
		slices.Reverse(letters)
		text = before + string(letters) + turned[end:]
	}
}

// dropTurns removes conversation turns in data syntax, such as {"role": "system", "content": "…"}.
func dropTurns(text string) string {
	for from := 0; ; {
		at := strings.Index(strings.ToLower(text[from:]), "role")
		if at < 0 {
			return text
		}
		at += from
		from = at + len("role")
		sign := strings.TrimLeft(text[from:], "\"' ")
		if sign == "" || sign[0] != ':' && sign[0] != '=' {
			continue
		}
		name := strings.TrimLeft(sign[1:], "\"' ")
		speaker := slices.IndexFunc(speakers, func(s string) bool { return foldedPrefix(name, s) > 0 })
		if speaker < 0 {
			continue
		}
		said := strings.TrimLeft(name[foldedPrefix(name, speakers[speaker]):], "\"', ;\r\n\t-")
		if foldedPrefix(said, "content") == 0 && foldedPrefix(said, "text") == 0 && foldedPrefix(said, "message") == 0 &&
			foldedPrefix(said, "parts") == 0 {
			continue
		}
		end := strings.IndexAny(said, "\n}")
		if end < 0 {
			end = len(said)
		} else if said[end] == '}' {
			end++
		}
		head := strings.TrimRight(text[:at], "{[\"'- \t")
		text = head + "\n" + said[end:]
		from = len(head)
	}
}

// unseen reports whether r is an invisible letter or mark: a Hangul filler, a variation selector, the combining
// grapheme joiner, or a code point reserved for such characters.
func unseen(r rune) bool {
	switch {
	case r == 0x034f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x2065, r == 0x3164, r == 0xffa0,
		r == 0x2800,
		0x180b <= r && r <= 0x180f, 0xfe00 <= r && r <= 0xfe0f, 0xfff0 <= r && r <= 0xfff8, 0xe0000 <= r && r <= 0xe0fff:
		return true
	}
	return false
}

// hostTags are prefixes of the names of tags with which hosts mark their own text.
var hostTags = []string{
	"system", "human", "assistant", "user-prompt", "command-", "local-command", "bash-", "task-notification",
	"function_", "tool_", "tool-", "invoke", "parameter name", "antml", "pasted_content", "persisted-output",
	"available_skills", "instructions", "important", "thinking", "new-diagnostics", "ide_", "im_start", "im_end",
	"endoftext", "start_of_turn", "end_of_turn", "begin_of_text", "eot_id", "start_header", "end_header", "sys>",
}

// roleTags is the number of tags at the start of hostTags that are removed together with the text that they enclose.
const roleTags = 11

// squareTags are host tags in square or curly brackets.
var squareTags = []string{"system-reminder", "system-prompt", "system-message", "command-name", "command-message",
	"local-command", "user-prompt-submit", "inst]", "/inst]", "im_start", "im_end", "function_calls", "tool_result",
	"tool_use", "system]", "user]", "assistant]", "human]", "developer]"}

// frameTags are names of tags that may enclose the text shown to a model. Only closing tags are removed, because
// opening ones are common markup.
var frameTags = []string{"skill", "user", "prompt", "context", "reminder", "message", "document", "description",
	"untrusted", "data", "output", "result", "conversation", "turn", "rules"}

// Brackets that open and close tags.
const (
	openers = "<‹〈⟨❮❰ᐸ˂≺◁＜﹤«《"
	squares = "[{【〔「［｛"
	closers = ">›〉⟩❯❱ᐳ˃≻▷＞﹥»》"
	closing = "]}】〕」］｝"
)

func bracket(r rune) bool {
	if r < utf8.RuneSelf { // fast path; searching the lists below is slow
		return r == '<' || r == '>' || r == '[' || r == '{'
	}
	return strings.ContainsRune(openers+closers+squares, r)
}

// dropTags removes host tags and replaces the remaining angle brackets by ‹ and ›.
func dropTags(text string) string {
	text = decodeBrackets(text)
	if !strings.ContainsFunc(text, bracket) {
		return text
	}
	var b strings.Builder
	open := true // the rest of the text may contain a closing role tag
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case strings.HasPrefix(text, "<!--"):
			_, text, _ = strings.Cut(text[len("<!"):], "-->")
			b.WriteByte(' ')
			continue
		case strings.ContainsRune(openers, r):
			n := hostTag(text, size, hostTags, closers)
			if n > 0 && open && text[size] != '/' && hostTag(text, size, hostTags[:roleTags], closers) > 0 {
				end := closingTag(text[n:])
				n, open = n+end, end > 0
			}
			if n == 0 && strings.HasPrefix(strings.TrimLeft(text[size:], " "), "/") {
				n = hostTag(text, size, frameTags, closers)
			}
			if n > 0 {
				b.WriteByte(' ')
				text = text[n:]
				continue
			}
			if r == '<' {
				r = '‹'
			}
		case strings.ContainsRune(squares, r):
			if n := hostTag(text, size, squareTags, closing); n > 0 {
				b.WriteByte(' ')
				text = strings.TrimLeft(text[n:], colons)
				continue
			}
		case r == '>':
			r = '›'
		}
		b.WriteRune(r)
		text = text[size:]
	}
	return b.String()
}

func closingTag(text string) int {
	for at := 0; ; at++ {
		i := strings.Index(text[at:], "</")
		if i < 0 {
			return 0
		}
		at += i
		if n := hostTag(text[at:], 1, hostTags[:roleTags], closers); n > 0 {
			return at + n
		}
	}
}

// decodeBrackets decodes the character entities of angle brackets, including "&amp;lt;" and "&#0060".
func decodeBrackets(text string) string {
	for range 3 {
		if !strings.Contains(text, "&") {
			return text
		}
		var b strings.Builder
		for rest := text; ; {
			before, after, ok := strings.Cut(rest, "&")
			b.WriteString(before)
			if !ok {
				break
			}
			name := after[:min(len(after), 12)]
			plain, n := "&", 0
			for _, e := range [...][2]string{{"amp;", "&"}, {"lt;", "<"}, {"gt;", ">"}, {"lt", "<"}, {"gt", ">"}} {
				if len(name) >= len(e[0]) && strings.EqualFold(name[:len(e[0])], e[0]) {
					plain, n = e[1], len(e[0])
					break
				}
			}
			if c := after[n:]; n == len("lt") && c != "" && 'a' <= c[0]|0x20 && c[0]|0x20 <= 'z' && !entityTag(c) {
				plain, n = "&", 0 // text such as "AT&LTE" or "?a=1&gtm_id=2"
			}
			if strings.HasPrefix(name, "#") {
				plain, n = numericBracket(name)
			}
			b.WriteString(plain)
			rest = after[n:]
		}
		if b.String() == text {
			return text
		}
		text = b.String()
	}
	return text
}

func entityTag(text string) bool {
	return slices.ContainsFunc(hostTags, func(tag string) bool { return foldedPrefix(text, tag) > 0 })
}

// numericBracket decodes entities such as "#60;" and "#x3c". name is the text after the "&".
func numericBracket(name string) (plain string, n int) {
	digits, base := name[1:], 10
	set := "0123456789"
	if strings.HasPrefix(digits, "x") || strings.HasPrefix(digits, "X") {
		digits, base, set = digits[1:], 16, "0123456789abcdefABCDEF"
	}
	rest := strings.TrimLeft(digits, set)
	code, err := strconv.ParseInt(digits[:len(digits)-len(rest)], base, 32)
	if err != nil || code != '<' && code != '>' {
		return "&", 0
	}
	return string(rune(code)), len(name) - len(strings.TrimPrefix(rest, ";"))
}

// hostTag returns the length in bytes of the host tag at the start of text, or 0. The opening bracket has size bytes.
// Any rune in closers may end the tag.
func hostTag(text string, size int, tags []string, closers string) int {
	name := strings.TrimLeft(text[size:], " /\\|\n!-"+openers)
	for _, tag := range tags {
		n := foldedPrefix(name, tag)
		if n == 0 {
			continue
		}
		if end := strings.IndexAny(text[size:], openers+closers+closing); end >= 0 &&
			!strings.ContainsAny(text[size:size+end], "<") {
			if r, w := utf8.DecodeRuneInString(text[size+end:]); strings.ContainsRune(closers, r) {
				return size + end + w
			}
		}
		end := strings.IndexAny(name, "<> \t\n") // an unclosed tag loses only its name
		if end < 0 {
			end = len(name)
		}
		return len(text) - len(name) + max(end, n)
	}
	return 0
}

// dropFences replaces runs of at least three backticks, three tildes or two hashes by a blank.
func dropFences(line string) string {
	for _, fence := range [...]string{"```", "~~~", "##"} {
		for {
			i := strings.Index(line, fence)
			if i < 0 {
				break
			}
			line = line[:i] + " " + strings.TrimLeft(line[i:], fence[:1])
		}
	}
	return line
}

// speakers are lower-case names of speakers. afterSpeaker are words that may follow the name in a speaker label.
var (
	speakers = []string{
		"human", "assistant", "system", "user", "claude", "developer", "tool", "admin", "administrator", "anthropic",
		"operator", "chatgpt", "gpt", "llm", "ai", "copilot", "gemini", "moderator", "supervisor", "benutzer",
		"nutzer", "entwickler", "assistent", "utilisateur", "systeme", "developpeur", "assistente", "пользователь",
		"система", "ассистент", "разработчик", "администратор", "человек", "usuario", "asistente", "sistema",
		"humano", "desarrollador", "herramienta", "administrador", "사용자", "시스템", "어시스턴트", "도우미", "개발자", "관리자", "인간",
		"사람", "비서", "유저", "用户", "用戶", "使用者", "系统", "系統", "助手", "助理", "人类", "人類", "开发者", "開發者", "管理员", "管理員", "工具",
		"ユーザー", "システム", "アシスタント", "人間", "開発者", "管理者", "ツール",
	}
	afterSpeaker = []string{
		"message", "prompt", "note", "reply", "says", "said", "turn", "response", "result", "results", "output",
		"reminder", "notification", "announcement", "instruction", "instructions", "notice", "override", "input",
		"mensaje", "dice", "respuesta", "메시지", "프롬프트", "지시", "알림", "공지", "안내", "消息", "提示", "指令", "回复",
		"说", "メッセージ", "プロンプト", "指示", "の発言",
	}
)

const colons = ":：﹕∶꞉ː׃፡᠄"

func endsLabel(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ':' || r == '>' || r == ']'
	}
	return strings.ContainsRune(colons+"›»", r)
}

// dropLabels removes speaker labels at the start of a line or sentence. Inside a sentence it replaces a label's colon
// by a dash, because the line break before the label may have been lost.
func dropLabels(line string) string {
	if !strings.ContainsFunc(line, endsLabel) {
		return line
	}
	var b strings.Builder
	start := true // the next word starts a sentence
	before := ' '
	for at := 0; at < len(line); {
		r, size := utf8.DecodeRuneInString(line[at:])
		if !unicode.IsLetter(before) && !unicode.IsDigit(before) || wide(r) {
			if end, text := label(line[at:], start); end > 0 {
				if start {
					said := strings.TrimRight(b.String(), "#*_->[( \t")
					b.Reset()
					b.WriteString(said + " ")
				} else {
					b.WriteString(text + " – ")
				}
				at += end
				before = ' '
				continue
			}
		}
		switch {
		case strings.ContainsRune(".!?;。！？", r):
			start = true
		case !strings.ContainsRune(" \t#*_->[()]'\"`“”‘’…", r):
			start = false
		}
		before = r
		b.WriteRune(r)
		at += size
	}
	return b.String()
}

// label returns the length in bytes of the speaker label at the start of text, and the name in it, or 0. start says
// whether text starts a sentence.
func label(text string, start bool) (end int, name string) {
	first, _ := utf8.DecodeRuneInString(text)
	first = Fold(first)
	for _, s := range speakers {
		if r, _ := utf8.DecodeRuneInString(s); Fold(r) != first {
			continue
		}
		n := foldedPrefix(text, s)
		if n == 0 {
			continue
		}
		name, rest := text[:n], text[n:]
		rest = strings.TrimLeft(rest, " \t*_])}'\"`")
		for _, word := range afterSpeaker {
			if k := foldedPrefix(rest, word); k > 0 {
				rest = strings.TrimLeft(rest[k:], " \t*_])}'\"`")
				break
			}
		}
		if strings.HasPrefix(rest, "(") {
			if i := strings.IndexByte(rest, ')'); i > 0 && i < 40 {
				rest = strings.TrimLeft(rest[i+1:], " *_]")
			}
		}
		r, size := utf8.DecodeRuneInString(rest)
		next, _ := utf8.DecodeRuneInString(rest[min(len(rest), size):])
		capital := !unicode.IsLower([]rune(name)[0])
		switch {
		case strings.ContainsRune(colons, r) && size > 0:
			if !capital && (unicode.IsLetter(next) || unicode.IsDigit(next) || next == '/' || next == ':') {
				continue // not a label, such as user:name or system:node
			}
		case start && size > 0 && strings.ContainsRune(">›»", r):
		default:
			continue
		}
		rest = strings.TrimLeft(rest[size:], " \t*_")
		return len(text) - len(rest), name
	}
	return 0, ""
}

// cutSentence returns the first sentence of line, the rest of line, and whether an end mark ends the sentence.
func cutSentence(line string) (sentence, rest string, ended bool) {
	for i, r := range line {
		switch r {
		case '.', '!', '?':
			next := line[i+1:]
			if next != "" && !strings.ContainsRune(" \t\"')", rune(next[0])) {
				continue // not an end mark, as in file.go or 1.5
			}
			after := strings.TrimLeft(next, " ")
			if strings.HasSuffix(line[:i], "..") && after != "" && unicode.IsLower(rune(after[0])) {
				continue // not an end mark: an ellipsis, as in "AAAA... user@host"
			}
			return line[:i+1], next, true
		case '。', '！', '？':
			n := i + utf8.RuneLen(r)
			return line[:n], line[n:], true
		}
	}
	return line, "", false
}

// Shorten cuts text to max characters, at a blank if there is one near the end.
func Shorten(text string, max int) string {
	if utf8.RuneCountInString(text) <= max {
		return text
	}
	head := clip.Chars(text, max-1)
	if i := strings.LastIndexByte(head, ' '); i > len(head)*3/4 {
		head = head[:i]
	}
	return strings.TrimRight(head, " ,;:-") + "…"
}
