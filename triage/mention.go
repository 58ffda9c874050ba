package triage

import (
	"strings"

	"github.com/skillgate/skillgate/synonyms/lang"
	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

const maxQuestion = 200 // maximum length in bytes of a question about a thing

// Mention reports whether text only asks about a thing ("what is X?", "how does X work", "X가 뭐야?", "왜 그렇게 했어?")
// instead of asking for work on it.
func Mention(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) > maxQuestion || strings.IndexByte(text, '\n') >= 0 {
		return false
	}
	s := strings.ToLower(strings.TrimRightFunc(text, func(r rune) bool {
		return strings.ContainsRune("?!. ~？！。", r) || script.Letter(r)
	}))
	if i := lastStop(s); i >= 0 {
		s = strings.TrimSpace(s[i:])
	}
	return mentionFirst(s) || mentionLast(s)
}

func mentionFirst(s string) bool {
	for {
		rest, ok := vocab.QuestionLead.CutPrefix(s)
		if !ok {
			break
		}
		s = strings.TrimLeft(rest, " ,:-")
	}
	words := strings.Count(s, " ") + 1
	switch {
	case vocab.OwnAffairs.Begins(s):
		return false
	case vocab.Comparison.Begins(s):
		return true
	case vocab.WhatQuestion.Begins(s):
		return words <= 9 && !vocab.Advice.In(s)
	case vocab.DoesQuestion.Begins(s):
		return vocab.DoesEnd.Ends(s) || words <= 7 && !vocab.OwnDoes.Begins(s)
	case vocab.HowQuestion.Begins(s):
		return vocab.WorkEnd.Ends(s) || vocab.Works.In(s) && words <= 9
	case vocab.PastQuestion.Begins(s):
		return words <= 12
	}
	return vocab.WhatBehind.Ends(s)
}

func mentionLast(s string) bool {
	if !strings.ContainsFunc(s, lang.Caseless) {
		return false
	}
	return vocab.QuestionEnd.Ends(s) || vocab.Why.In(s) && vocab.WhyEnd.Ends(s)
}
