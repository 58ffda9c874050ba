// Package lang is the register of the human languages that the program knows.
//
// A language is a folder: a package with one value and, as YAML, its words, which
// package vocab looks up; words with English senses are below its folder dict,
// for package synonyms. Code that serves every language goes through All and asks
// the value; it names no language. To add one, write its folder, add it to All,
// and run go generate ./synonyms/lang/vocab ./synonyms.
//
// The package is at the bottom of the program, because triage, which knows
// nothing of skills, the dictionary and the index all build on it; it imports none
// of them.
package lang

import (
	"github.com/skillgate/skillgate/synonyms/lang/en"
	"github.com/skillgate/skillgate/synonyms/lang/internal/def"
	"github.com/skillgate/skillgate/synonyms/lang/ja"
	"github.com/skillgate/skillgate/synonyms/lang/ko"
)

// Language is what the program knows of a human language besides its words.
type Language = def.Language

// All lists the languages. English, which most skills are written in, is the
// first.
var All = [...]*Language{&en.Language, &ko.Language, &ja.Language}

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
