package findable

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// Query is one query of a trigger-evaluation file. Its flag says whether the skill should be used for it.
type Query struct {
	Text   string
	Should bool
}

// Queries returns the queries of a trigger-evaluation file in either published form: a list of
// {"query","should_trigger"} objects, or an object with such a list as a member. It returns none for other texts.
func Queries(text []byte) []Query {
	var members map[string]json.RawMessage
	lists := []json.RawMessage{text}
	if json.Unmarshal(text, &members) == nil {
		lists = nil
		for _, name := range slices.Sorted(maps.Keys(members)) {
			lists = append(lists, members[name])
		}
	}
	var out []Query
	for _, list := range lists {
		var items []struct {
			Query         string `json:"query"`
			ShouldTrigger *bool  `json:"should_trigger"`
		}
		if !bytes.HasPrefix(bytes.TrimSpace(list), []byte("[")) || json.Unmarshal(list, &items) != nil {
			continue
		}
		for _, i := range items {
			if i.Query != "" && i.ShouldTrigger != nil {
				out = append(out, Query{i.Query, *i.ShouldTrigger})
			}
		}
	}
	return out
}
