// Package lang is the register of the human languages that the program knows.
//
// A language is a file with one value and a folder with its words as YAML, which
// package vocab looks up; words with English senses are below its folder dict,
// for package synonyms. Code that serves every language goes through All and asks
// the value; it names no language. To add one, write its file and folder, add it to All,
// and run go generate ./synonyms/lang/vocab ./synonyms.
//
// The package is at the bottom of the program, because triage, which knows
// nothing of skills, the dictionary and the index all build on it; it imports none
// of them.
package lang

// Language is what the program knows of a human language besides its words,
// which are in YAML in the folder of its code.
type Language struct {
	Code string // ISO 639-1
	Name string // in English

	// Script reports the letters that tell the language, Shared those that it
	// shares with others; Shared may be nil.
	Script, Shared func(rune) bool
	ScriptName     string

	// Spaceless says that words are not separated by spaces.
	Spaceless bool

	// Cased says that the script has capitals, so that a sentence begins with one.
	Cased bool

	// VerbLast says that a sentence ends with its verb, and that a noun has its particle behind it.
	VerbLast bool

	// Usage is an expression of package regexp. It finds a clause in which a
	// skill's description says when to use the skill.
	Usage string

	// Says, Not and NotUse are how a description says in the language when the skill is
	// used and when not: formats of a list of quoted phrases, of what is excluded, and of
	// that and the skill to use instead. Catalog reads them back.
	Says, Not, NotUse string
}

// Writes reports whether the language is written with a letter.
func (l *Language) Writes(r rune) bool { return l.Script(r) || l.Shared != nil && l.Shared(r) }

// All lists the languages. English, which most skills are written in, is the
// first.
var All = [...]*Language{&English, &Korean, &Japanese}

// OtherUsage is as a language's Usage, for languages that have no folder.
const OtherUsage = `当[^。]{1,80}(时|候)|适用于|適用於|用于[^。]{1,60}(场景|任务|情况)` +
	`|触发词?|使用场景|(场景|任务|需要|问题)时使用|必须使用` +
	`|(?i)\b(us[ae]r?|utiliza[r]?) (si|se)\b|((\bu|ú)s[ae]r?(lo|la)?|\b(utili[cz]|ac?tiv|acion)[ae]r?)` +
	`( [^.,;:\s]+){0,3} (cuando|quando|siempre que|sempre que)\b|\b(deve|debe) (ser )?(usad[ao]|usarse|utilizad[ao]) ` +
	`|\butilise[rz]?( [^.,;:\s]+){0,3} (quand|lorsque|pour|si)\b` +
	`|\b(nutze|verwende|verwenden)( [^.;:\s]+){0,3} (bei|wenn|für|um)\b`

// Of returns the language of the written word s: the last of All one of whose
// letters is in s, since text in another script mixes in Latin names; letters
// that languages share count where s has no other. It is nil where s has no
// letter of any.
func Of(s string) *Language {
	var own, shared *Language
	at := -1
	for _, r := range s {
		for i := len(All) - 1; i > at; i-- {
			if All[i].Script(r) {
				own, at = All[i], i
			} else if shared == nil && All[i].Writes(r) {
				shared = All[i]
			}
		}
	}
	if shared != nil && (own == nil || own == All[0]) {
		return shared
	}
	return own
}

// CodeOf returns the code of the language of s, that of English where Of has
// none.
func CodeOf(s string) string {
	if l := Of(s); l != nil {
		return l.Code
	}
	return All[0].Code
}

// Find returns the language with a code, nil where there is none.
func Find(code string) *Language {
	for _, l := range All {
		if l.Code == code {
			return l
		}
	}
	return nil
}

// Codes lists the codes of All.
func Codes() []string {
	var out []string
	for _, l := range All {
		out = append(out, l.Code)
	}
	return out
}

// Caseless reports a letter of a language without capitals, with which a
// sentence may begin as it is.
func Caseless(r rune) bool {
	for _, l := range All {
		if !l.Cased && l.Script(r) {
			return true
		}
	}
	return false
}
