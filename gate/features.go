package gate

import (
	"math"
	"strings"
	"unicode"

	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/need"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
	"github.com/skillgate/skillgate/triage"
)

// A prompt that quotes a trigger asks for the skill with that trigger, however low need is.
const (
	verbatimShare = 0.75 // minimum share of the prompt's words that belong to the trigger
	verbatimDocs  = 2    // maximum number of skills with the trigger
)

// oneTopic is the maximum number of skills in a library about one topic. With such a library, a plain question may ask
// for a skill. One-topic plugins in the public data sets have 6 to 40 skills.
const oneTopic = 60

// plainWords is the maximum number of informative words in a prompt that asks for a skill just by naming its purpose.
const plainWords = 3

func (g *Gate) features(p triage.Prompt, res *rank.Result, skills []candidate) (need.Features, bool) {
	var x need.Features
	root := math.Sqrt(float64(max(res.Query.Tokens, 1)))
	five := skills[:min(5, len(skills))]
	rarest := g.ranker.MaxIDF()
	heads := make([]head, len(five))
	hits := make([]rank.Hit, len(skills))
	for i, c := range skills {
		hits[i] = rank.Hit{Doc: c.num, Score: c.Score}
	}
	e := g.ranker.Evidence(res, hits)
	informative, hand, parts := 0, 0, 0
	for i := range res.Query.Concepts {
		c := &res.Query.Concepts[i]
		if c.Weight == 0 {
			continue
		}
		if vocab.CodeWork.Has(c.Text) {
			hand++
		}
		if vocab.AppPart.Has(c.Text) {
			parts++
		}
		if !c.Generic {
			informative++
		}
		mass := c.Weight * c.IDF()
		if mass == 0 {
			continue
		}
		for j := range five {
			heads[j].meet(c, mass, five[j].num)
		}
	}
	x[need.Text] = g.Need.Text(p.Text)
	x[need.Known] = e.Known
	if len(five) > 0 && five[0].Score > 0 {
		best := five[0]
		rest, n := 0.0, 0.0
		for _, c := range skills[min(5, len(skills)):min(20, len(skills))] {
			rest += c.Score
			n++
		}
		x[need.Share], x[need.Mean], x[need.Z], x[need.NQC] = e.Share, e.Mean, math.Log1p(max(e.Z, 0)), e.NQC
		x[need.Met], x[need.Head], x[need.Phrase] = e.Met, e.Head, e.Phrase
		x[need.PerRoot] = math.Log1p(best.Score / root)
		x[need.PerRare] = math.Log1p(best.Score / (root * rarest))
		x[need.HeadCount] = float64(heads[0].terms) / float64(max(informative, 1))
		x[need.HeadTerms] = math.Log1p(float64(heads[0].terms))
		x[need.Rarest] = heads[0].rarest / rarest
		for _, h := range heads {
			if e.Asked > 0 { // 0 if the deadline passed before any word was searched
				x[need.AnyHead] = max(x[need.AnyHead], h.mass/e.Asked)
			}
		}
		x[need.Lead], x[need.Gap], x[need.Spread] = 1, 1, 1
		if len(skills) > 1 {
			x[need.Lead] = 1 - skills[1].Score/best.Score
		}
		if n > 0 {
			x[need.Gap], x[need.Spread] = 1-skills[5].Score/best.Score, 1-rest/n/best.Score
		}
		if n := g.snapshot.Length(best.num, index.Name); n > 0 {
			x[need.NameCover] = min(float64(heads[0].name)/float64(n), 1)
		}
		terms, fields := map[string]float64{}, map[string]float64{}
		for _, m := range best.Matched {
			terms[m.Term] += m.Score / best.Score
			fields[m.Field] += m.Score / best.Score
		}
		x[need.NameShare], x[need.TriggerShare] = fields[index.Name.String()], fields[index.Triggers.String()]
		x[need.BodyShare] = fields[index.Body.String()]
		for _, v := range terms {
			x[need.OneTerm] = max(x[need.OneTerm], v)
		}
	}
	x[need.Spaceless] = spaceless(p.Text)
	x[need.Small] = need.SmallOf(g.snapshot.Skills)
	x[need.Length] = math.Log1p(float64(res.Query.Tokens))
	x[need.Lines] = math.Log1p(float64(strings.Count(strings.TrimSpace(p.Text), "\n")))
	x[need.Code] = math.Log1p(float64(codeMarks(p.Text)))
	x[need.AtHand] = float64(hand) / float64(max(len(res.Query.Concepts), 1))
	x[need.AppParts] = float64(parts) / float64(max(len(res.Query.Concepts), 1))
	if triage.Mention(p.Text) {
		x[need.Question] = 1
	}
	if len(p.Steps) > 1 {
		x[need.Composite] = 1
	}
	if need.Plain(p.Text) && g.snapshot.Skills > oneTopic {
		x[need.PlainQuestion] = 1
	}
	if x[need.Question]+x[need.PlainQuestion] == 0 && len(heads) > 0 &&
		0 < informative && informative <= plainWords && heads[0].told == informative {
		x[need.Purpose] = 1
	}
	x.Against(g.background)
	x.Cross()
	return x, e.Phrase >= verbatimShare && e.Quoted <= verbatimDocs
}

type head struct {
	mass   float64 // sum of the weights of matching concepts
	rarest float64 // highest idf of a matching concept
	terms  int     // number of informative matching concepts
	name   int     // number of concepts that occur in the skill's name
	told   int     // number of informative concepts that occur in the skill's name or triggers
}

func (h *head) meet(c *rank.Concept, mass float64, doc uint32) {
	met, name, trigger := 0.0, false, false
	for j := range c.Alts {
		q, ok := c.Alts[j].In(doc)
		if !ok || q.Only(index.Body) {
			continue
		}
		met = max(met, min(c.Alts[j].Weight, 1))
		name, trigger = name || q.Get(index.Name) > 0, trigger || q.Get(index.Triggers) > 0
	}
	if name {
		h.name++
	}
	if (name || trigger) && !c.Generic {
		h.told++
	}
	if met == 0 {
		return
	}
	h.mass += mass * met
	h.rarest = max(h.rarest, c.IDF())
	if !c.Generic {
		h.terms++
	}
}

// spaceless returns the share of text's letters that belong to scripts without spaces between words.
func spaceless(text string) float64 {
	n, of := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			of++
			if script.Spaceless(r) || unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
				n++
			}
		}
	}
	return float64(n) / float64(max(of, 1))
}

func codeMarks(text string) int {
	n := 0
	for _, word := range strings.Fields(text) {
		word = strings.Trim(word, ".,;:!?\"'()[]")
		switch {
		case strings.HasPrefix(word, "http://"), strings.HasPrefix(word, "https://"):
		case strings.Contains(word, "```"), strings.Contains(word, "()"), strings.Contains(word, "::"),
			strings.Contains(word, "=>"), strings.Contains(word, "!="):
			n++
		case strings.Contains(word, "/") && strings.Contains(word, "."), strings.HasPrefix(word, "./"),
			strings.HasPrefix(word, "src/"):
			n++
		case strings.Contains(word, "_") && len(word) > 3, isFileName(word), isCamel(word):
			n++
		}
	}
	return n
}

// codeFiles has the extensions of code and configuration files.
const codeFiles = " go py js ts tsx jsx java kt rs c h cc cpp hpp cs rb php swift scala sh sql css scss html vue " +
	"svelte json yaml yml toml ini env lock mod gradle xml md txt proto tf "

func isFileName(word string) bool {
	dot := strings.LastIndexByte(word, '.')
	return dot > 0 && len(word)-dot <= 6 && strings.Contains(codeFiles, " "+strings.ToLower(word[dot+1:])+" ")
}

func isCamel(word string) bool {
	return word != "" && 'a' <= word[0] && word[0] <= 'z' && strings.ContainsAny(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}
