package lint

// OptionsFor returns the options for the severities in settings and for the only rules to check; nil checks all.
// A rule named in only runs even if the settings turn it off. Errors name an unknown rule or severity, or a
// removed rule in only.
func OptionsFor(rules map[string]string, only []string) (Options, error) {
	severity, gone, err := parseRules(rules)
	if err != nil {
		return Options{}, err
	}
	o := Options{Severity: severity, Removed: gone}
	for _, id := range only {
		r, err := Named(id)
		if err != nil {
			return o, err
		}
		if o.Rules == nil {
			o.Rules = map[string]bool{}
		}
		o.Rules[r.ID] = true
		if severity[r.ID] == Off {
			delete(severity, r.ID) // asked for by name
		}
	}
	return o, nil
}
