package triage

import (
	"strings"

	"github.com/skillgate/skillgate/synonyms/lang"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// maxSlip is the length of the longest text that is tried as typed with the
// wrong keyboard; a longer one would have been noticed.
const maxSlip = 60

// slipped is conversation for a text typed with the wrong keyboard.
func slipped(text string) (Kind, bool) {
	if slipChat(text) {
		return Ack, true
	}
	for _, l := range lang.All {
		if l.Rekeyed == nil {
			continue
		}
		for _, meant := range l.Rekeyed(text) {
			if k, ok := conversation(meant); ok {
				return k, true
			}
		}
	}
	return Search, false
}

// slipChat reports a chat abbreviation typed without switching the keyboard:
// "dz" for ㅇㅋ. Only the commonest: most pairs of letters mean something else.
func slipChat(text string) bool {
	return vocab.Slip.Has(strings.TrimRight(strings.ToLower(text), " .!~?"))
}

// lettersClass returns the class of a run of letters that stand alone, 0 for
// part of a word.
func lettersClass(run string) vocab.Class {
	for _, l := range lang.All {
		if l.Letters != nil {
			return l.Letters(run)
		}
	}
	return 0
}
