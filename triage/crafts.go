package triage

import (
	"strings"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// standsAlone reports the crafts whose name alone is a request: 요약하고
// 번역해줘 is two, 고치고 정리해줘 is one.
func standsAlone(c vocab.Craft) bool {
	switch c {
	case vocab.Audit, vocab.Commit, vocab.Deploy, vocab.Document, vocab.Implement, vocab.Migrate, vocab.Plan,
		vocab.Present, vocab.Refactor, vocab.Research, vocab.Review, vocab.Summarise, vocab.Test, vocab.Train,
		vocab.Transcribe, vocab.Translate, vocab.Write:
		return true
	}
	return false
}

// craftOf returns the craft of a verb in base form or of a noun of work.
func craftOf(w string) vocab.Craft {
	craft, _ := vocab.Crafts.Value(w)
	return vocab.Craft(craft)
}

// craftIn returns the craft that a word which is not Latin names by the noun it holds.
func craftIn(w string) vocab.Craft {
	for i := 0; i < len(w); {
		if w[i] < 0xE0 {
			i++
			continue
		}
		// Every noun below starts a word or follows another noun in it.
		for n := 12; n >= 6; n -= 3 {
			if i+n <= len(w) {
				if c := craftOf(w[i : i+n]); c != vocab.NoCraft {
					return c
				}
			}
		}
		i += 3
	}
	for head := range vocab.CraftBegin.All() {
		if strings.HasPrefix(w, head) {
			craft, _ := vocab.CraftBegin.Value(head)
			return vocab.Craft(craft)
		}
	}
	return vocab.NoCraft
}
