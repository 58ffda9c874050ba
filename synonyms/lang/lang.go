// Package lang is the register of the human languages that the program knows.
//
// A language is a file with one value and a folder with its words as YAML for package vocab. The folder's subfolder
// dict has words with English senses for package synonyms. Code for all languages uses All and names no language. To
// add one, write its file and folder, add it to All, and run go generate ./synonyms/lang/vocab ./synonyms.
//
// Triage, the dictionary and the index build on this package, which imports none of them.
package lang

// Language describes a human language. Its words are in YAML in the folder of its code.
type Language struct {
	Code string // ISO 639-1
	Name string // in English

	// Script reports whether a letter identifies the language, Shared whether it also occurs in other languages.
	// Shared may be nil.
	Script, Shared func(rune) bool
	ScriptName     string

	// Spaceless says that words are not separated by spaces.
	Spaceless bool

	// Cased says that the script has capitals, so that a sentence starts with one.
	Cased bool

	// VerbLast says that a sentence ends with its verb and that particles follow their noun.
	VerbLast bool

	// Usage is a regular expression. It matches a clause in which a skill's description says when to use the skill.
	Usage string

	// Says, Not and NotUse are formats of sentences in a description. Says takes quoted phrases that ask for the skill,
	// Not takes a purpose that the skill does not serve, and NotUse also takes the skill to use instead. Package catalog
	// parses such sentences.
	Says, Not, NotUse string
}

// Writes reports whether the language uses a letter.
func (l *Language) Writes(r rune) bool { return l.Script(r) || l.Shared != nil && l.Shared(r) }

// All lists the languages. English, the language of most skills, is first.
var All = [...]*Language{&English, &Korean, &Japanese}

// OtherUsage is a Usage for languages without a folder.
const OtherUsage = `当[^。]{1,80}(时|候)|适用于|適用於|用于[^。]{1,60}(场景|任务|情况)` +
	`|触发词?|使用场景|(场景|任务|需要|问题)时使用|必须使用` +
	`|(?i)\b(us[ae]r?|utiliza[r]?) (si|se)\b|((\bu|ú)s[ae]r?(lo|la)?|\b(utili[cz]|ac?tiv|acion)[ae]r?)` +
	`( [^.,;:\s]+){0,3} (cuando|quando|siempre que|sempre que)\b|\b(deve|debe) (ser )?(usad[ao]|usarse|utilizad[ao]) ` +
	`|\butilise[rz]?( [^.,;:\s]+){0,3} (quand|lorsque|pour|si)\b` +
	`|\b(nutze|verwende|verwenden)( [^.;:\s]+){0,3} (bei|wenn|für|um)\b`

// Of returns the last language in All whose script occurs in s; English is first because texts in all scripts contain
// Latin names. Letters that languages share count only if no other language than English is found. Of returns nil if
// s has no letter of any language.
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

// CodeOf returns the code of the language of s, or that of English if Of returns nil.
func CodeOf(s string) string {
	if l := Of(s); l != nil {
		return l.Code
	}
	return All[0].Code
}

// Find returns the language with the given code, or nil.
func Find(code string) *Language {
	for _, l := range All {
		if l.Code == code {
			return l
		}
	}
	return nil
}

func Codes() []string {
	var out []string
	for _, l := range All {
		out = append(out, l.Code)
	}
	return out
}

// Caseless reports whether r is a letter of a language without capitals, which may start a sentence.
func Caseless(r rune) bool {
	for _, l := range All {
		if !l.Cased && l.Script(r) {
			return true
		}
	}
	return false
}
