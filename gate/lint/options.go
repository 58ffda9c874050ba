package lint

import "fmt"

// OptionsFor turns severities by rule, as settings have them, and the rules that alone
// are wanted into options. A rule that is asked for by name runs though it is off.
func OptionsFor(rules map[string]string, only []string) (Options, error) {
	severity, err := ParseRules(rules)
	if err != nil {
		return Options{}, err
	}
	o := Options{Severity: severity}
	for _, id := range only {
		r := Find(id)
		if r == nil {
			return o, fmt.Errorf("there is no rule %q", id)
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
