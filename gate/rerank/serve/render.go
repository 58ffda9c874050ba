package serve

import (
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/rerank/tokenizer"
)

// text holds the token IDs of one pair before it is shortened.
type text struct {
	query, name, description, contract, passage []int32
}

func tokenize(t *tokenizer.Tokenizer, query string, docs []rerank.Doc) []text {
	q := t.Append(nil, query)
	out := make([]text, len(docs))
	for i, d := range docs {
		out[i] = text{q, t.Append(nil, d.Name), t.Append(nil, d.Description), t.Append(nil, d.Contract),
			t.Append(nil, d.Passage)}
	}
	return out
}

// pair returns a row of at most limit tokens:
//
//	query | name description contract passage
//
// The query gets at most three eighths of them. The middle of a longer query is cut out, because the request is before
// or after pasted text. Name and contract get up to half of the rest. Description and passage share the remainder;
// each may use tokens that the other does not need.
func (t text) pair(tok *tokenizer.Tokenizer, limit int) tokenizer.Pair {
	room := max(limit-tok.Overhead(), 2)
	query := ends(t.query, max(room*3/8, 1))
	room -= len(query)
	name := head(t.name, room/4)
	contract := head(t.contract, room/2-len(name))
	room -= len(name) + len(contract)
	passage := head(t.passage, max(room/2, room-len(t.description)))
	description := head(t.description, room-len(passage))
	doc := make([]int32, 0, limit)
	for _, part := range [][]int32{name, description, contract, passage} {
		doc = append(doc, part...)
	}
	return tok.Join(query, doc)
}

func head(ids []int32, n int) []int32 { return ids[:max(0, min(n, len(ids)))] }

func ends(ids []int32, n int) []int32 {
	if len(ids) <= n {
		return ids
	}
	first := n - n/4
	return append(append(make([]int32, 0, n), ids[:first]...), ids[len(ids)-(n-first):]...)
}
