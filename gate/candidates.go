package gate

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/family"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/neutral"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/gate/secret"
)

type candidate struct {
	Candidate
	doc    index.Doc
	num    uint32
	lent   []rank.Match // matches added by shareExpansions
	forced bool
}

func (g *Gate) pool(res *rank.Result, k int, agents bool) []candidate {
	if k <= 0 || agents && !g.snapshot.Agents {
		return nil
	}
	byName := map[string]int{}
	byFamily := map[uint64]int{}
	// More than k hits are read, because copies and shadowed names are dropped.
	hits := g.ranker.Top(res, 2*k, func(n uint32) bool {
		return g.snapshot.Flags(n)&index.ForOthers == 0 && g.offered(n, agents)
	})
	lent := g.shareExpansions(res, hits)
	out := make([]candidate, 0, min(k, len(hits)))
	for _, hit := range hits {
		doc, err := g.doc(hit.Doc)
		if err != nil {
			continue
		}
		if i, ok := byName[doc.Name]; ok && doc.Source != string(catalog.Library) {
			if stronger(doc, out[i].doc) || !stronger(out[i].doc, doc) && g.snapshot.Before(hit.Doc, out[i].num) {
				g.replace(&out[i], hit, doc)
				out[i].lent = lent[hit.Doc]
			}
			continue
		}
		if f := g.snapshot.Family(hit.Doc); f != 0 {
			if i, ok := byFamily[f]; ok {
				out[i].HeldBack = append(out[i].HeldBack, doc.ID)
				continue
			}
			byFamily[f] = len(out)
		}
		byName[doc.Name] = len(out)
		var c candidate
		g.replace(&c, hit, doc)
		c.lent = lent[hit.Doc]
		out = append(out, c)
		if len(out) == k {
			break
		}
	}
	return out
}

// resolve moves a candidate to the HeldBack list of a better one if both have the same capability and the words of the
// prompt favour the better one. It first calls exclude.
func (g *Gate) resolve(res *rank.Result, list []candidate) []candidate {
	mass, members := []float64(nil), make([]family.Member, 0, resolved)
	for i := range res.Query.Concepts {
		c := &res.Query.Concepts[i]
		mass = append(mass, c.Weight*c.IDF())
	}
	if !g.Off.Excluded {
		list = exclude(res, list)
	}
	sketches := make([]string, 0, resolved)
	for _, c := range list[:min(resolved, len(list))] {
		sketches = append(sketches, c.doc.Sketch)
	}
	group := family.NewGroup(sketches)
	out := list[:0]
	for i, c := range list {
		if i >= resolved || g.Off.Families {
			out = append(out, c)
			continue
		}
		m := family.Member{Name: c.Name, Sketch: c.doc.Sketch, Score: c.Score, Knows: res.Query.Known(c.num)}
		by := slices.IndexFunc(members, func(a family.Member) bool { return group.HeldBack(a, m, mass) })
		if by >= 0 {
			out[by].HeldBack = append(out[by].HeldBack, c.ID)
			continue
		}
		members = append(members, m)
		out = append(out, c)
	}
	return out
}

// resolved is the number of top candidates that resolve compares with each other.
const resolved = 16

func (g *Gate) replace(c *candidate, hit rank.Hit, doc index.Doc) {
	pool := poolOf(doc.Flags)
	c.doc, c.num = doc, hit.Doc
	c.Candidate = Candidate{
		ID: doc.ID, Name: doc.Name, Path: doc.Path, Pool: string(pool), Description: doc.Description,
		HeldBack: []string{}, Matched: []Match{},
	}
	c.Score = hit.Score
}

// explain sets the matches of the first n candidates, and sets each score to the sum of its matches' scores.
func (g *Gate) explain(res *rank.Result, list []candidate, n int) {
	var parts []rank.Match
	for i := range list[:min(n, len(list))] {
		c := &list[i]
		c.Score = 0
		parts = append(g.ranker.ExplainIn(parts, res, c.num), c.lent...)
		c.Matched = slices.Grow(c.Matched, len(parts))
		if len(parts) == 1 && parts[0].Field == index.Meaning {
			parts[0].Via = g.ranker.Nearest(res, phrases(c.Name, secret.Redact(c.doc.Description)))
		}
		for _, m := range parts {
			c.Score += m.Score
			c.Matched = append(c.Matched, Match{Term: promptWord(m.Term), Via: m.Via, Field: m.Field.String(), Score: m.Score})
		}
	}
}

// stranger reports whether a candidate shares no word with the prompt.
func (c *candidate) stranger() bool {
	return len(c.Matched) == 1 && c.Matched[0].Field == index.Meaning.String()
}

// maxPhrases is the maximum number of a skill's phrases to compare with a prompt when only meaning matches.
const maxPhrases = 12

// phrases returns a skill's name and the parts of its description between punctuation.
func phrases(name, description string) []string {
	mark := func(r rune) bool { return strings.ContainsRune(".,;:()—。、，；：", r) }
	out := append([]string{name}, strings.FieldsFunc(description, mark)...)
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out[:min(len(out), maxPhrases)]
}

// promptWord returns the prompt's word for a term. The term of an ambiguous word may end with "#" and a sense.
func promptWord(term string) string {
	if word, sense, ok := strings.Cut(term, "#"); ok && word != "" && sense != "" {
		return word
	}
	return term
}

func (g *Gate) offered(n uint32, agents bool) bool {
	flags := g.snapshot.Flags(n)
	if flags&index.ModelInvocable == 0 || flags&index.IsAgent != 0 != agents {
		return false
	}
	if g.host && flags&index.HasPaths != 0 {
		return false // the host lists the skill only after the model has read a file that matches its paths
	}
	if flags&index.Plain != 0 && len(g.below)+len(g.unlisted) == 0 && g.Settings.Trust.MaxRisk >= 1 &&
		(!g.host || g.policy.AllowsAll(poolOf(flags))) {
		return true // the policy refuses no name, so the record is not needed
	}
	read := g.snapshot.Brief
	if len(g.below) > 0 {
		read = g.snapshot.Doc // withHostName needs the path, which Brief does not read
	}
	doc, err := read(n)
	if err != nil {
		return false
	}
	if len(doc.Others) == 0 {
		if g.policy.Several(doc.Plugin) {
			doc, err = g.snapshot.Doc(n)
		}
		return err == nil && g.allows(doc)
	}
	for home := range doc.Homes {
		if g.allows(home) {
			return true
		}
	}
	return false
}

func poolOf(flags uint16) catalog.Pool {
	if flags&index.IsAgent != 0 {
		return catalog.Agent
	}
	return catalog.Skill
}

func (g *Gate) allows(doc index.Doc) bool {
	pool := poolOf(doc.Flags)
	may := func(name string) bool {
		return g.policy.Allows(name, pool, catalog.Source(doc.Source), doc.Plugin, doc.Path)
	}
	if g.host && (!may(doc.Name) || g.unlisted[doc.Name] && pool == catalog.Skill && doc.Flags&index.IsLibrary == 0) {
		return false
	}
	if len(g.below) > 0 && doc.Source == string(catalog.Project) {
		if known, err := g.withHostName(doc); err != nil || !may(known.Name) {
			return false
		}
	}
	return g.trusts(doc)
}

// stronger reports whether the host prefers a to b, a skill of the same name. If neither is stronger, the one from the
// first index is used.
func stronger(a, b index.Doc) bool { return level(a) < level(b) }

func level(d index.Doc) int {
	pool := poolOf(d.Flags)
	if d.Flags&index.IsCommand != 0 {
		pool = catalog.Command
	}
	return catalog.Level(catalog.Entry{ID: d.ID, Pool: pool, Source: catalog.Source(d.Source)})
}

func there(doc index.Doc) (exists, same bool) {
	if doc.Path == "" {
		return true, true
	}
	fi, err := os.Stat(doc.Path)
	if err != nil {
		return false, false
	}
	return true, fi.Size() == doc.Size && fi.ModTime().UnixNano() == doc.ModTime
}

// present drops candidates among the first n if their files are gone or their names contain characters that must not be
// shown. It records changed files.
func (g *Gate) present(list []candidate, n int) []candidate {
	if !g.host || g.recorded {
		return list
	}
	for i := 0; i < len(list) && i < n; {
		exists, same := there(list[i].doc)
		if !same {
			g.changed = append(g.changed, list[i].doc.Path)
		}
		if !exists {
			g.Notes = append(g.Notes, FileGone+list[i].doc.Path)
			list = slices.Delete(list, i, i+1)
			continue
		}
		if list[i].doc.Flags&index.Clean == 0 && !neutral.Survives(list[i].Name, neutral.MaxName) {
			g.Notes = append(g.Notes, fmt.Sprintf("skill left out because its name cannot be displayed: %q", list[i].Name))
			list = slices.Delete(list, i, i+1)
			continue
		}
		i++
	}
	return list
}

// exclude moves a candidate to the HeldBack list of a better one if the candidate's description says so: it has a
// clause "Do NOT use for X (use Y)", the prompt matches X, and Y is the better candidate.
func exclude(res *rank.Result, list []candidate) []candidate {
	out := list[:0]
	for i, c := range list {
		by := -1
		if i < resolved {
			by = slices.IndexFunc(out, func(y candidate) bool { return sends(res, &c, &y) })
		}
		if by >= 0 {
			out[by].HeldBack = append(out[by].HeldBack, c.ID)
			continue
		}
		out = append(out, c)
	}
	return out
}

func sends(res *rank.Result, c, y *candidate) bool {
	return slices.ContainsFunc(c.doc.Exclusions, func(x index.Exclusion) bool {
		return slices.ContainsFunc(x.Use, func(name string) bool { return calledAs(y, name) }) && res.Query.Meets(x.Terms)
	})
}

func calledAs(y *candidate, name string) bool {
	full := strings.ToLower(y.Name)
	_, last, _ := strings.Cut(full, ":")
	return name == full || name == last
}

// trusts reports whether the skill's risk, as lint estimated it, is at most trust.max_risk. It records skills with a
// higher risk, for the log.
func (g *Gate) trusts(doc index.Doc) bool {
	limit := g.Settings.Trust.MaxRisk
	risk := float64(doc.Risk) / 255
	// The stored risk is rounded to 1/255; the tolerance lets a risk of 0.6 pass a limit of 0.6.
	if risk <= limit+1.0/510 {
		return true
	}
	note := fmt.Sprintf("skill left out because its risk is too high: %s (risk %.2f, trust.max_risk %.2f)",
		doc.ID, risk, limit)
	if len(g.distrusted) < maxDistrusted && !slices.Contains(g.distrusted, note) {
		g.distrusted = append(g.distrusted, note)
	}
	return false
}

const maxDistrusted = 5
