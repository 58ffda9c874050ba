package lint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/ir"
	"github.com/skillgate/skillgate/gate/lint/source"
)

var sg601 = &Rule{ID: "SG601", Severity: Error, Within: func(l *Library, s *Skill, report Report) {
	var fault *ir.Fault
	switch {
	case errors.As(s.IRErr, &fault):
		report.at(s.IRSrc.Line(fault.Line), "%s", fault.Text)
		return
	case s.IRErr != nil:
		report.at(s.Src.Whole(), "%s: %s", ir.File, s.IRErr)
		return
	case s.IR == nil:
		return
	}
	for _, p := range s.IR.Validate(l.Languages, s.Has) {
		report.at(s.IRSrc.Line(p.Line), "%s", p.Text)
	}
}}

func (s *Skill) intentPlace(line int) source.Place {
	if line == 0 {
		return s.Key("description")
	}
	return s.IRSrc.Line(line)
}

func isFile(d ir.Difference) bool { return d.Only == ir.File }

var sg602 = &Rule{ID: "SG602", Severity: Warning, Check: func(s *Skill, report Report) {
	if s.IR == nil {
		return
	}
	n := 0
	for _, d := range s.IR.Compare(s.Entry) {
		if !isFile(d) && s.alternative(d.Value) {
			continue
		}
		if n++; n > 10 {
			return
		}
		at := s.intentPlace(d.Line)
		if !isFile(d) {
			at = s.InDescription(d.Value)
		}
		report.at(at, "%s: %q is only in %s", d.Field, source.Short(d.Value), d.Only)
	}
}}

// alternative reports whether the description offers the skill beside one that
// intent.yaml names: "use simplify or deep-review". A boundary has room for one.
func (s *Skill) alternative(name string) bool {
	text := strings.Join(strings.Fields(s.Text()), " ")
	for _, b := range s.IR.Boundaries {
		for _, or := range []string{" or ", "/", ", ", " / ", " 또는 ", "나 "} {
			if b.Use != "" && strings.Contains(text, b.Use+or+name) {
				return true
			}
		}
	}
	return false
}

var sg603 = &Rule{ID: "SG603", Severity: Warning, NeedsAll: true, Within: func(l *Library, s *Skill, report Report) {
	if s.IR == nil {
		return
	}
	for i, b := range s.IR.Boundaries {
		if b.Use != "" && len(l.Named(b.Use)) == 0 {
			report.at(s.intentPlace(s.IR.Line(fmt.Sprintf("boundaries.%d", i))), "there is no skill %q", b.Use)
		}
	}
}}

var sg604 = &Rule{ID: "SG604", Severity: Warning, Within: func(l *Library, s *Skill, report Report) {
	m := l.measured(s)
	if m == nil {
		return
	}
	claims := slices.DeleteFunc(slices.Clone(m.Claims), func(c Claim) bool { return c.conflict() == "" })
	slices.SortStableFunc(claims, func(a, b Claim) int { return cmp.Compare(b.margin(), a.margin()) })
	told := map[string]bool{}
	var common []Claim
	var words []string
	claims = slices.DeleteFunc(claims, func(c Claim) bool {
		if c.Share > 0 {
			common, words = append(common, c), append(words, c.Trigger)
		}
		return c.Share > 0
	})
	if len(common) > 0 {
		c := common[0]
		text := oneWord(Probe{Text: c.Trigger, Share: c.Share}) + ": it finds " + c.conflict()
		if len(words) > 1 {
			text += "; likewise " + quoteList(words[1:], 3)
		}
		report(Problem{
			At: s.intentPlace(s.IR.Line(c.Path)), Text: text,
			Hint: "say what is done to what, in two words or more",
		})
	}
	for i, c := range claims {
		if told[c.Other] {
			continue
		}
		told[c.Other] = true
		text := fmt.Sprintf("%q finds %s", c.Trigger, c.conflict())
		if more := triggersOf(claims[i+1:], c.Other); len(more) > 0 {
			text += "; likewise " + quoteList(more, 3)
		}
		report.at(s.intentPlace(s.IR.Line(c.Path)), "%s", text)
	}
}}

func triggersOf(claims []Claim, other string) []string {
	var out []string
	for _, c := range claims {
		if c.Other == other {
			out = append(out, c.Trigger)
		}
	}
	return out
}

// margin is how far the other skill is ahead: 0 is level, 1 is this skill not found.
func (c *Claim) margin() float64 {
	if c.Own == 0 {
		return 1
	}
	return 1 - 1/max(c.Ratio, 1e-9)
}

// Claim is what the retriever makes of one trigger of a skill's intent.yaml.
type Claim struct {
	Path    string  // of the trigger in intent.yaml, as in "triggers.ko.0"
	Trigger string  //
	Own     int     // place of the skill itself, 0 where it is not found
	Other   string  // name of the best other skill, "" where there is none
	Ratio   float64 // the other's score, this skill's being 1; 0 where it is not found
	Head    float64 // the same, of name, description and triggers alone
	Same    bool    // a trigger of the other's is nearly all of this one
	Sent    bool    // a boundary of intent.yaml names the other
	Share   float64 // of a trigger of one word that skills in plenty have: the share that has it
}

func (c *Claim) conflict() string {
	switch {
	case c.Other == "":
		return ""
	case c.Own == 0:
		return fmt.Sprintf("%s, and this skill not among the first %d", c.Other, findable.Depth)
	case c.Ratio > 1:
		return fmt.Sprintf("%s first, which scores %.0f %% more than this skill", c.Other, 100*(c.Ratio-1))
	case !c.Sent && (c.Same && c.Ratio >= sameClaim || c.Ratio >= nearClaim && c.Head >= nearClaim):
		return fmt.Sprintf("%s too, which scores %.0f %% less than this skill", c.Other, 100*(1-c.Ratio))
	}
	return ""
}

const (
	nearClaim  = 0.8 // of this skill's score: from here on a word more or less decides
	sameClaim  = 0.7 // the same, where the other says nearly all of the trigger's words side by side
	nearlyAll  = 0.6 // of a trigger's words
	fewClaimed = 2   // words; skills may share one
	plenty     = 5   // skills that have a word: which of them it finds first says nothing of that one
)

func (p *prober) claims(ctx context.Context, s *Skill, doc uint32, m *Measured) error {
	if s.IR == nil {
		return nil
	}
	for _, code := range s.IR.Languages() {
		for i, t := range s.IR.Triggers[code] {
			hits, err := p.Search(ctx, t)
			if err != nil {
				return err
			}
			c := Claim{Path: fmt.Sprintf("triggers.%s.%d", code, i), Trigger: t}
			own := 0.0
			c.Own, own = p.Place(doc)
			for _, h := range hits {
				if p.Same(h.Doc, doc) {
					continue
				}
				c.Other = p.Docs[h.Doc].Name
				if own > 0 {
					c.Ratio, c.Head = h.Score/own, p.head(h.Doc)/p.head(doc)
				}
				c.Same = p.claimed(h.Doc)
				if p.knownWords() == 1 {
					if share := p.share(t); share*float64(p.Snapshot.Skills) >= plenty {
						c.Share = share
					}
				}
				c.Sent = slices.ContainsFunc(s.IR.Boundaries, func(b ir.Boundary) bool { return strings.EqualFold(b.Use, c.Other) })
				break
			}
			m.Claims = append(m.Claims, c)
		}
	}
	return nil
}

func (p *prober) claimed(doc uint32) bool {
	for _, m := range p.Ranker.Explain(&p.Res, doc) {
		n := len(strings.Fields(m.Term))
		if m.Run && (m.Field == index.Triggers || m.Field == index.Description) && n >= fewClaimed &&
			float64(n) >= nearlyAll*float64(len(p.Res.Query.Concepts)) {
			return true
		}
	}
	return false
}
