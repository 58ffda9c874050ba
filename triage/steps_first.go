package triage

import (
	"strings"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// splitVerbFirst splits a request in a language that puts the verb before its object.
func splitVerbFirst(text string) []string {
	cs := clausesFirst(text)
	if len(cs) < 2 {
		return nil
	}
	var seen [vocab.Write + 1]bool
	crafts, sequence, list := 0, false, false
	for i, c := range cs {
		heavy := c.craft != vocab.LightWork
		if heavy && !seen[c.craft] {
			seen[c.craft] = true
			crafts++
		}
		sequence = sequence || i > 0 && c.joint == firm && heavy && crafts > 1
		list = list || i > 1 && (c.ends || c.joint == firm)
	}
	switch {
	case crafts < 2:
		return nil
	case sequence, list && len(cs) > 2:
		return stepsOf(text, cs)
	}
	if len(cs) == 2 && cs[1].ends && !determined(text[cs[1].start:cs[1].end]) {
		return nil // "security and test agents"
	}
	return craftsApart(text, cs)
}

// determined reports a clause in which the word after the verb starts an
// object, or which is the verb alone: "translate it", "deploy to staging".
func determined(clause string) bool {
	words := fields(clause)
	if len(words) < 2 {
		return true
	}
	return vocab.Determiner.Has(strings.ToLower(clause[words[1].start:words[1].end]))
}

// clausesFirst cuts text before each verb that a joint puts at the head of a
// clause. What is before the first verb belongs to the first clause.
func clausesFirst(text string) []clause {
	words := fields(text)
	var cs []clause
	quoted := false
	for i := range words {
		w := text[words[i].start:words[i].end]
		if opensQuote(w) {
			quoted = !quoted
		}
		if quoted {
			continue
		}
		c := craftOf(strings.ToLower(strings.Trim(w, "(*.,;:!?")))
		if c == vocab.NoCraft {
			continue
		}
		j, ends, from, ok := jointFirst(text, words, i)
		if !ok || !hasObject(text, words, i, c, j) {
			continue
		}
		if len(cs) == 0 {
			if words[i].start > maxPreface {
				return nil
			}
			cs = append(cs, clause{joint: opening, craft: c})
			continue
		}
		cs[len(cs)-1].end = words[from].start
		cs = append(cs, clause{start: words[i].start, joint: j, craft: c, ends: ends})
	}
	if len(cs) > 0 {
		cs[len(cs)-1].end = len(text)
	}
	return cs
}

// opensQuote reports a word that opens or closes a quotation of several words.
func opensQuote(w string) bool {
	if strings.Count(w, "\"")%2 == 1 {
		return true
	}
	w = strings.TrimRight(w, ".,;:!?")
	return len(w) > 1 && strings.HasPrefix(w, "'") != strings.HasSuffix(w, "'")
}

// jointFirst returns the joint before the verb at word i, whether it closes a
// list, and the index of the first word of the joint; ok is false when the
// verb does not open a clause.
func jointFirst(text string, words []word, i int) (j joint, ends bool, from int, ok bool) {
	j, from = loose, i
	joined, asked := false, false
	for ; from > 0; from-- {
		before := text[words[from-1].start:words[from-1].end]
		if endsPart(before[len(before)-1]) && !connective(strings.ToLower(before)) {
			return j, ends, from, true
		}
		w := strings.ToLower(strings.TrimRight(before, ",:"))
		if vocab.Sequel.Has(w) {
			j, joined = firm, true
			continue
		}
		switch is := jointWordOf(w); {
		case is&vocab.JointThat != 0:
			if from < 2 || jointWordOf(strings.ToLower(text[words[from-2].start:words[from-2].end]))&vocab.JointAfter == 0 {
				return j, ends, from, joined
			}
			from--
			j, joined = firm, true
		case is&vocab.JointAnd != 0:
			ends, joined = true, true
		case is&vocab.JointFiller != 0:
		case is&vocab.JointLink != 0:
			asked = true
		case is&vocab.JointHelp != 0, is&vocab.JointAsk != 0 && asked:
		case is&vocab.JointAsk != 0:
			return j, ends, from, joined
		default:
			return j, ends, from, joined && !asked
		}
	}
	return j, ends, 0, true
}

// connective reports words of a joint that a comma may follow.
func connective(w string) bool {
	bare := strings.TrimRight(w, ",:")
	if bare == w {
		return false
	}
	return jointWordOf(bare)&vocab.JointComma != 0 || vocab.Sequel.Has(bare)
}

func jointWordOf(w string) vocab.JointWord {
	is, _ := vocab.JointWords.Value(w)
	return vocab.JointWord(is)
}

// endsPart reports the punctuation that ends a part of a sentence.
func endsPart(c byte) bool { return strings.IndexByte(",.;:!?", c) >= 0 }

// hasObject reports whether the verb at word i, of craft c and behind joint j,
// has something of its own to work on.
func hasObject(text string, words []word, i int, c vocab.Craft, j joint) bool {
	if i+1 >= len(words) {
		return standsAlone(c)
	}
	if endsPart(text[words[i].end-1]) {
		return j == firm && standsAlone(c)
	}
	next := text[words[i+1].start:words[i+1].end]
	bare := strings.ToLower(strings.TrimRight(next, ",.;:!?"))
	if vocab.Objectless.Has(bare) {
		return false
	}
	switch is := jointWordOf(bare); {
	case is&vocab.JointPair != 0:
		if i+2 >= len(words) {
			return false
		}
		other := craftOf(strings.ToLower(strings.TrimRight(text[words[i+2].start:words[i+2].end], ",.;:!?")))
		return standsAlone(c) && standsAlone(other) && c != other
	case is&vocab.JointObject != 0:
		return standsAlone(c) || !endsPart(next[len(next)-1]) && i+3 < len(words)
	}
	return true
}
