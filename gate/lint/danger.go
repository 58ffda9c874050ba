package lint

import "github.com/skillgate/skillgate/gate/lint/safety"

var (
	sg501 = &Rule{ID: "SG501", Severity: Error, Fixes: true, Risk: 0.6, Danger: safety.Concealed}
	sg502 = &Rule{ID: "SG502", Severity: Error, Risk: 0.4, Danger: safety.Turned}
	sg503 = &Rule{ID: "SG503", Severity: Warning, Risk: 0.5, Danger: safety.Orders}
	sg504 = &Rule{ID: "SG504", Severity: Warning, Risk: 0.2, Danger: safety.Keys}
	sg505 = &Rule{ID: "SG505", Severity: Error, Risk: 0.6, Danger: safety.Leaks}
	sg506 = &Rule{ID: "SG506", Severity: Warning, Risk: 0.4, Danger: safety.Damage}
	sg507 = &Rule{ID: "SG507", Severity: Warning, Risk: 0.2, Danger: safety.Downloads}
	sg508 = &Rule{ID: "SG508", Severity: Error, Risk: 0.4, Danger: safety.LookAlikes}
	sg509 = &Rule{ID: "SG509", Severity: Warning, Risk: 0.2, Danger: safety.Addresses}
	sg510 = &Rule{ID: "SG510", Severity: Error, Risk: 0.6, Danger: safety.Encoded}
	sg511 = &Rule{ID: "SG511", Severity: Warning, Risk: 0.3, Danger: safety.Markup}
	sg512 = &Rule{ID: "SG512", Severity: Warning, Fixes: true, Risk: 0.02, Danger: safety.Stray}
)

func (s *Skill) danger(r *Rule, report Report) {
	if s.text == nil {
		s.text = &safety.Skill{Name: s.Name, Folder: s.Folder, Description: s.Description,
			Page: s.Src, Body: s.Front.Body, Beside: s.besides()}
		if s.part != "" {
			s.text.Folder = s.Src.Path
		}
	}
	r.Danger(s.text, func(f safety.Finding) {
		p := Problem{At: f.At, Text: f.Text, Risk: f.Risk}
		if f.Phrase != "" {
			p.At = s.InDescription(f.Phrase)
		}
		if f.Delete != nil && f.At.Path == s.Src.Path {
			p.Fix = &Fix{Label: "delete the hidden characters"}
			for _, d := range f.Delete {
				p.Fix.Edits = append(p.Fix.Edits, Edit{d[0], d[1], ""})
			}
		}
		report(p)
	})
}
