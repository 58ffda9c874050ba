package lint

import "strings"

// All lists every rule in the order of ids.
var All = []*Rule{
	sg100, sg101, sg102, sg103, sg104, sg105, sg106, sg107,
	sg108, sg109, sg110, sg111, sg112, sg113, sg114, sg115,
	sg116, sg117, sg118, sg119, sg120, sg121, sg122, sg123,
	sg124, sg125, sg126, sg127, sg128, sg129, sg130, sg131,
	sg132, sg133, sg134, sg135, sg136, sg137, sg138, sg139,
	sg140, sg141, sg142, sg143, sg144, sg145, sg146,

	sg201, sg202, sg203, sg204, sg205, sg206, sg207, sg208,
	sg209, sg210, sg211, sg212, sg213, sg214, sg215, sg216, sg217, sg218, sg219,

	sg301, sg302, sg303, sg304, sg305, sg307, sg308, sg309,

	sg401, sg402, sg403, sg404, sg405, sg406,

	sg501, sg502, sg503, sg504, sg505, sg506, sg507, sg508,
	sg509, sg510, sg511, sg512,

	sg601, sg602, sg603, sg604,
}

// Find returns the rule with that id, nil when there is none.
func Find(id string) *Rule {
	for _, r := range All {
		if strings.EqualFold(r.ID, id) {
			return r
		}
	}
	return nil
}
