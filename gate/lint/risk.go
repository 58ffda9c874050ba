package lint

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/lint/safety"
	"github.com/skillgate/skillgate/gate/system"
)

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

// danger runs a safety rule. Dangers that are shown, and usual ones where no host looks, are remarks.
func (s *Skill) danger(l *Library, r *Rule, report Report) {
	loose, in := l.isLoose(s), l.pluginOf(s.Path)
	if s.text == nil {
		s.text = &safety.Skill{Name: s.Name, Folder: s.Folder, Description: s.Description,
			Page: s.Src, Body: s.Front.Body, Beside: s.besides()}
		if s.part != "" {
			s.text.Folder = s.Src.Path
		}
	}
	r.Danger(s.text, func(f safety.Finding) {
		p := Problem{At: f.At, Text: f.Text, Risk: f.Risk}
		apart := isMarkdown(f.At.Path) && f.At.Path != s.Src.Path ||
			s.part == pagePart && in != nil && in.dir != s.top || // hosts do not read it there
			loose && (r == sg503 && !words("hostFiles")[path.Base(f.At.Path)] || !expr("settingsFile").MatchString(f.At.Path))
		p.Severity = cmp.Or(Info.when(r == sg507 && l.ownRepository(s, f.Text) || f.Shown && r != sg505 ||
			apart && (f.Usual && (loose || r != sg505) || r == sg512 || r == sg503 && s.part == filePart)),
			Warning.when(f.Usual || (r == sg505 || r == sg508) && isMarkdown(f.At.Path)))
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

// isLoose reports whether s is a file outside plugins and outside folders of skills, agents, commands and hooks.
func (l *Library) isLoose(s *Skill) bool {
	at := filepath.ToSlash(strings.TrimPrefix(s.Path, s.top))
	return s.part == filePart && l.pluginOf(s.Path) == nil &&
		(!expr("partFolder").MatchString(at) || strings.Contains(at, "/src/"))
}

// Risk returns the probability, 0 to 1, that a skill does harm, as the safety rules estimate it from its text and
// scripts. It reads e.Path's folder and may be called concurrently.
func Risk(e *catalog.Entry) float64 {
	s := unparsed(*e, e.Path, pageOf(e))
	if e.Path != "" && e.Pool == catalog.Skill {
		s.beside(filepath.Dir(e.Path))
	}
	risk := harm{}
	for _, r := range All {
		if r.Danger != nil {
			s.danger(new(Library), r, func(p Problem) { risk.add(r, p) })
		}
	}
	return risk.chance()
}

// Beside returns a hash over the paths, sizes and modification times of the files next to a SKILL.md that Risk and
// the rules read. It opens none of them. If file is not a SKILL.md, Beside returns 0.
func Beside(file string) uint64 {
	if !strings.EqualFold(filepath.Base(file), "SKILL.md") {
		return 0
	}
	folder, h := filepath.Dir(file), fnv.New64a()
	for _, rel := range listFiles(folder, true) {
		if info, err := os.Stat(filepath.Join(folder, filepath.FromSlash(rel))); err == nil {
			fmt.Fprintf(h, "%q %d %d\n", rel, info.Size(), system.Changed(info))
		}
	}
	return h.Sum64()
}

// harm computes the risk of one skill. It treats rules as independent and counts only the worst finding of each.
type harm map[*Rule]float64

func (h harm) add(r *Rule, p Problem) { h[r] = max(h[r], cmp.Or(p.Risk, r.Risk)) }

func (h harm) chance() float64 {
	safe := 1.0
	for _, r := range All {
		safe *= 1 - h[r]
	}
	return 1 - safe
}

// ownRepository reports whether a download is from a GitHub owner that a manifest names, or from a repository that the
// collection's README tells to install.
func (l *Library) ownRepository(s *Skill, download string) bool {
	m := expr("gitHubOwner").FindStringSubmatch(download)
	if m == nil || s.top == "" {
		return false
	}
	readme, _ := s.outside.read(filepath.Join(s.top, "README.md"), maxBeside)
	own := func(found []string) bool { return found[1] == m[1]+"/"+m[2] }
	return slices.ContainsFunc(expr("installsFrom").FindAllStringSubmatch(readme, -1), own) ||
		slices.ContainsFunc(l.parts, func(x *Skill) bool {
			return filepath.Base(x.Dir) == ".claude-plugin" && len(x.extra) > 0 &&
				strings.Contains(x.extra[0].Text, "github.com/"+m[1]+"/")
		})
}
