package lint

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/lint/measure"
	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/synonyms/lang"
)

// reach is the number of best-ranked skills that the gate may suggest (its top_k).
const reach = 5

const (
	maxProbes  = 5    // maximum number of triggers tried for each skill and language
	fewProbes  = 3    // replaces maxProbes in libraries of more than manySkills skills
	manySkills = 3000 // number of skills above which a search takes several times as long
	deadShare  = 0.05 // a word in at least this share of the skills cannot decide the order
)

// Measurement holds the options of Measure. The zero value measures all skills in sequence.
type Measurement struct {
	Only       map[string]bool       // IDs of the skills to measure; nil measures all
	Concurrent bool                  // use several goroutines, which requires an index in memory
	Designs    bool                  // measure only the triggers of intent.yaml
	Done       func(done, total int) // called after each skill, never concurrently; may be nil
}

// Measure searches for each skill of l with the prompts that should find it.
func Measure(ctx context.Context, l *Library, r *findable.Retriever, m Measurement) (measure.Results, error) {
	most := maxProbes
	if len(l.Skills) > manySkills {
		most = fewProbes
	}
	var todo []*Skill
	for _, s := range l.Skills {
		if doc, ok := r.ByID[s.ID]; ok && s.Err == nil && r.Docs[doc].Offered && (m.Only == nil || m.Only[s.ID]) {
			todo = append(todo, s)
		}
	}
	out := make(measure.Results, len(todo))
	var mu sync.Mutex
	var first error
	done := 0
	var pool sync.Pool
	each := func(i int) {
		p, _ := pool.Get().(*measure.Prober)
		if p == nil {
			p = &measure.Prober{Prober: r.Prober()}
		}
		defer pool.Put(p)
		s := todo[i]
		one := measure.Skill{Entry: &s.Entry, Intent: s.IR, DesignOnly: m.Designs}
		if !m.Designs {
			one.Prompts, one.Given, one.Written, one.Most = s.prompts(most), l.Known(s), s.generatedRequests(l), most
		}
		result, err := p.Measure(ctx, one)
		mu.Lock()
		defer mu.Unlock()
		out[s.ID], first = result, cmp.Or(first, err)
		if done++; m.Done != nil {
			m.Done(done, len(todo))
		}
	}
	if m.Concurrent {
		parallel(len(todo), each)
	} else {
		for i := range todo {
			each(i)
		}
	}
	return out, first
}

func (s *Skill) prompts(most int) []measure.Probe {
	var out []measure.Probe
	byLang := map[string][]string{}
	seen := set{}
	for _, t := range slices.Concat(s.Triggers, catalog.Said(s.Description, s.WhenToUse)) {
		key := strings.ToLower(strings.Join(strings.Fields(t), " "))
		if key == "" || strings.HasPrefix(key, "/") || expr("byOthers").MatchString(key) || !seen.add(key) {
			continue
		}
		code := lang.CodeOf(t)
		byLang[code] = append(byLang[code], t)
	}
	for _, l := range slices.Backward(lang.All[:]) {
		for _, t := range findable.Spread(byLang[l.Code], most) {
			out = append(out, measure.Probe{Text: t, Quoted: s.quotesTrigger(t)})
		}
	}
	return out
}

// quotesTrigger reports whether the skill presents a trigger as a user's words: in quotation marks, in a list of
// triggers, or in a field for triggers. Other text after "Use when" describes an occasion, in words that users may
// never type.
func (s *Skill) quotesTrigger(trigger string) bool {
	text := s.Text()
	for at := range source.Occurrences(text, trigger) {
		before := text[:at]
		for _, q := range []string{`"`, "“", "'", "‘", "「", "`"} {
			if strings.HasSuffix(before, q) && !expr("wordFollows").MatchString(text[at+len(trigger):]) {
				return true
			}
		}
		if stop := strings.LastIndexAny(before, ".!?"); expr("triggerList").MatchString(before[stop+1:]) {
			return true
		}
	}
	return slices.ContainsFunc([]string{"triggers", "trigger", "trigger_phrases"}, s.Front.has) &&
		!strings.Contains(text, trigger)
}

var sg301 = &Rule{ID: "SG301", Severity: Warning, Within: func(l *Library, s *Skill, report Report) {
	m := l.measured(s)
	if m == nil {
		return
	}
	found := func(p measure.Probe) bool { return p.Place > 0 && p.Place <= reach }
	n, severity := 0, Info.when(slices.ContainsFunc(m.Probes, found)) // other triggers find it
	for _, p := range m.Probes {
		if !p.Quoted || p.Words == 0 || found(p) || p.Words == 1 && p.Share >= deadShare || n == 3 ||
			expr("openPlace").MatchString(p.Text) {
			continue
		}
		n++
		place, first := fmt.Sprintf("has rank %d", p.Place), p.First
		if p.Place == 0 {
			place = fmt.Sprintf("is not among the first %d results", findable.Depth)
		}
		if other := l.byID[first]; other != nil {
			first = other.Name
		}
		report(Problem{At: s.InDescription(p.Text), Severity: severity,
			Text: fmt.Sprintf("for %q, this skill %s; %s ranks first", source.Short(p.Text), place, first)})
	}
}}

func (l *Library) measured(s *Skill) *measure.Result {
	if l.Measured == nil || !s.Described() {
		return nil
	}
	return l.Measured[s.ID]
}
