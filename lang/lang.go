// Package lang is the register of the human languages that the program knows.
//
// A language is a folder: a package with one value and, as YAML, its words.
// Code that serves every language goes through All and asks the value; it names
// no language. The package stands at the bottom of the program, because triage,
// which knows nothing of skills, the dictionary and the index all build on it;
// it imports none of them.
package lang

import (
	"github.com/skillgate/skillgate/lang/en"
	"github.com/skillgate/skillgate/lang/internal/def"
	"github.com/skillgate/skillgate/lang/ko"
)

// Language is what the program knows of a human language besides its words.
type Language = def.Language

// All lists the languages. English, which most skills are written in, is the
// first.
var All = [...]*Language{&en.Language, &ko.Language}

// Of returns the language of the written word s: the last of All one of whose
// letters is in s, since text in another script mixes in Latin names; nil where
// s has no letter of any.
func Of(s string) *Language {
	at := -1
	for _, r := range s {
		for i := len(All) - 1; i > at; i-- {
			if All[i].Script(r) {
				at = i
			}
		}
	}
	if at < 0 {
		return nil
	}
	return All[at]
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
