package catalog

// extraction is what a description says besides what the skill does.
type extraction struct {
	triggers   []string
	boundaries []Boundary
	capability string
}

func extract(description, when string, listed []string) extraction {
	return extraction{capability: clean(description + " " + when), triggers: listed}
}

func splitList(s string) []string { return []string{s} }
