package lint

import (
	"fmt"
	"strings"
)

// All lists every rule in the order of IDs.
var All = []*Rule{
	sg100, sg101, sg102, sg103, sg104, sg105, sg106, sg107, sg108, sg109, sg110, sg111, sg113, sg114, sg117, sg118,
	sg119, sg123, sg124, sg125, sg126, sg128, sg129, sg134, sg136, sg137, sg138, sg144, sg145, sg147, sg148, sg203,
	sg206, sg213, sg301, sg305, sg405, sg501, sg502, sg503, sg504, sg505, sg506, sg507, sg508, sg509, sg510, sg511,
	sg512, sg601, sg602, sg603, sg604,
}

// Find returns the rule with that ID, or nil.
func Find(id string) *Rule {
	for _, r := range All {
		if strings.EqualFold(r.ID, id) {
			return r
		}
	}
	return nil
}

// ByID is like Find but returns an error if there is no such rule.
func ByID(id string) (*Rule, error) {
	if r := Find(id); r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("unknown rule %q; `skillgate lint rules` lists all rules", id)
}
