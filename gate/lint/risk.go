package lint

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/system"
)

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
			s.danger(r, func(p Problem) { risk.add(r, p) })
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
	folder := filepath.Dir(file)
	h := fnv.New64a()
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
