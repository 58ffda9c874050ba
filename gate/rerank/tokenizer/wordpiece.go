package tokenizer

import "unicode/utf8"

// wordPiece appends the IDs of the pieces of word: the longest known prefix, then the longest known continuation, and
// so on. If it finds no continuation, it appends only the ID of the unknown token.
func (t *Tokenizer) wordPiece(ids []int32, word string) []int32 {
	if word == "" {
		return ids
	}
	if utf8.RuneCountInString(word) > t.settings.MaxChars {
		return append(ids, t.settings.Unknown)
	}
	from := len(ids)
	node := int32(0)
	for at := 0; at < len(word); {
		id, end := int32(-1), 0
		if node >= 0 {
			id, end = t.longest(node, word, at)
		}
		if id < 0 {
			return append(ids[:from], t.settings.Unknown)
		}
		ids = append(ids, id)
		at, node = end, t.subword
	}
	return ids
}

// longest returns the value and end of the longest key below node that matches word from byte at. id is -1 if no key
// matches. A match never ends inside a character.
func (t *Tokenizer) longest(node int32, word string, at int) (id int32, end int) {
	id = -1
	for i := at; i < len(word); i++ {
		var ok bool
		if node, ok = t.trie.step(node, word[i]); !ok {
			break
		}
		if i+1 < len(word) && !utf8.RuneStart(word[i+1]) {
			continue
		}
		if v := t.values[node]; v >= 0 {
			id, end = v, i+1
		}
	}
	return id, end
}
