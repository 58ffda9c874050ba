package triage

import "strings"

// splitEn splits an English request.
func splitEn(text string) []string {
	cs := clausesEn(text)
	if len(cs) < 2 {
		return nil
	}
	var seen [write + 1]bool
	crafts, sequence, list := 0, false, false
	for i, c := range cs {
		heavy := c.craft != lightWork
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
	switch strings.ToLower(clause[words[1].start:words[1].end]) {
	case "the", "a", "an", "my", "our", "your", "its", "their", "his", "her", "it", "them", "this", "that", "these", "those", "all", "any", "each", "every", "some",
		"to", "into", "with", "for", "as", "up", "out", "new", "one", "two", "three":
		return true
	}
	return false
}

// clausesEn cuts text before each verb that a joint puts at the head of a
// clause. What is before the first verb belongs to the first clause.
func clausesEn(text string) []clause {
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
		c := craftEn(strings.ToLower(strings.Trim(w, "(*.,;:!?")))
		if c == noCraft {
			continue
		}
		j, ends, from, ok := jointEn(text, words, i)
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

// jointEn returns the joint before the verb at word i, whether it closes a
// list, and the index of the first word of the joint; ok is false when the
// verb does not open a clause.
func jointEn(text string, words []word, i int) (j joint, ends bool, from int, ok bool) {
	j, from = loose, i
	joined, asked := false, false
	for ; from > 0; from-- {
		before := text[words[from-1].start:words[from-1].end]
		if endsPart(before[len(before)-1]) && !connective(strings.ToLower(before)) {
			return j, ends, from, true
		}
		switch w := strings.ToLower(strings.TrimRight(before, ",:")); w {
		case "then", "finally", "afterwards", "afterward", "lastly", "next":
			j, joined = firm, true
		case "that", "this":
			if from < 2 || !strings.EqualFold(text[words[from-2].start:words[from-2].end], "after") {
				return j, ends, from, joined
			}
			from--
			j, joined = firm, true
		case "and", "&", "plus":
			ends, joined = true, true
		case "also", "please", "first", "now", "just", "lets", "let's":
		case "to", "me", "you":
			asked = true
		case "want", "need", "help", "can", "could", "would", "like", "i", "we":
			if !asked && w != "help" {
				return j, ends, from, joined
			}
		default:
			return j, ends, from, joined && !asked
		}
	}
	return j, ends, 0, true
}

// connective reports words of a joint that a comma may follow.
func connective(w string) bool {
	switch strings.TrimRight(w, ",:") {
	case "then", "finally", "afterwards", "afterward", "lastly", "next", "also", "that", "first", "please", "and":
		return strings.HasSuffix(w, ",") || strings.HasSuffix(w, ":")
	}
	return false
}

// endsPart reports the punctuation that ends a part of a sentence.
func endsPart(c byte) bool { return strings.IndexByte(",.;:!?", c) >= 0 }

// hasObject reports whether the verb at word i, of craft c and behind joint j,
// has something of its own to work on.
func hasObject(text string, words []word, i int, c craft, j joint) bool {
	if i+1 >= len(words) {
		return c.standsAlone()
	}
	if endsPart(text[words[i].end-1]) {
		return j == firm && c.standsAlone()
	}
	next := text[words[i+1].start:words[i+1].end]
	switch strings.ToLower(strings.TrimRight(next, ",.;:!?")) {
	case "is", "are", "was", "were", "has", "have", "can", "will", "should", "of", "in", "at", "on", "from", "by", "or":
		return false // a noun, or a verb that shares its object
	case "and":
		if i+2 >= len(words) {
			return false
		}
		other := craftEn(strings.ToLower(strings.TrimRight(text[words[i+2].start:words[i+2].end], ",.;:!?")))
		return c.standsAlone() && other.standsAlone() && c != other
	case "it", "them", "that", "this", "me", "us":
		return c.standsAlone() || !endsPart(next[len(next)-1]) && i+3 < len(words)
	}
	return true
}
