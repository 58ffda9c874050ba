package lint

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/synonyms/lang"
)

// reach is how far down a skill may stand and still be named: top_k of the gate.
const reach = 5

// Measurements is what the retriever says about the skills of a library, by their IDs.
type Measurements map[string]*Measured

// Measured is what the retriever says about one skill.
type Measured struct {
	Probes   []Probe
	Claims   []Claim            // triggers of intent.yaml
	Requests []findable.Request // that should find it, with their places

	designOnly bool // nothing but Claims was measured
}

// Probe is one prompt that should find the skill.
type Probe struct {
	Text  string `json:"prompt"`
	Kind  string `json:"kind"`            // "trigger" or "example"
	Lang  string `json:"lang"`            // code of its language
	Place int    `json:"place"`           // 1-based; 0: not among the first thirty
	First string `json:"first,omitempty"` // ID of the best hit where it is another skill
	By    string `json:"by,omitempty"`    // the word that puts it first
	Said  bool   `json:"said"`            // the skill gives it as what users say, not as part of a sentence
	Words int    `json:"-"`               // words of the prompt that the index knows
	// for a prompt of one word: share of the skills that have it in name, description or triggers
	Share float64 `json:"-"`
}

// Limits of what is measured of one skill.
const (
	maxProbes   = 5    // triggers per language
	fewProbes   = 3    // the same where there are manySkills
	manySkills  = 3000 // from where on a search costs several times as much
	maxExamples = 3    // example prompts from the body
	deadShare   = 0.05 // of the skills: a word that more of them have does not decide
)

// Measure searches for the skills of l with the prompts that should find them.
// only limits it to some skills; nil measures all. With concurrent the retriever
// is used from all processors, which an index in memory allows. set, which may be nil, is
// told of each skill that is done, never twice at a time.
func Measure(ctx context.Context, l *Library, r *findable.Retriever, only map[string]bool, concurrent bool,
	set func(done, total int)) (Measurements, error) {
	return measureWith(ctx, l, r, only, concurrent, set, (*prober).measure)
}

// MeasureDesigns is Measure of no more than what intent.yaml says.
func MeasureDesigns(ctx context.Context, l *Library, r *findable.Retriever, only map[string]bool, concurrent bool,
	set func(done, total int)) (Measurements, error) {
	return measureWith(ctx, l, r, only, concurrent, set,
		func(p *prober, ctx context.Context, s *Skill) (*Measured, error) {
			m := &Measured{designOnly: true}
			return m, p.claims(ctx, s, p.ByID[s.ID], m)
		})
}

func measureWith(ctx context.Context, l *Library, r *findable.Retriever, only map[string]bool, concurrent bool,
	set func(done, total int),
	how func(p *prober, ctx context.Context, s *Skill) (*Measured, error)) (Measurements, error) {
	var todo []*Skill
	for _, s := range l.Skills {
		if doc, ok := r.ByID[s.ID]; ok && s.Err == nil && r.Docs[doc].Offered && (only == nil || only[s.ID]) {
			todo = append(todo, s)
		}
	}
	results := make([]*Measured, len(todo))
	var mu sync.Mutex
	var first error
	done := 0
	var pool sync.Pool
	one := func(i int) {
		p, _ := pool.Get().(*prober)
		if p == nil {
			p = &prober{Prober: r.Prober(), lib: l}
		}
		defer pool.Put(p)
		m, err := how(p, ctx, todo[i])
		results[i] = m
		mu.Lock()
		defer mu.Unlock()
		first = cmp.Or(first, err)
		if done++; set != nil {
			set(done, len(todo))
		}
	}
	if concurrent {
		parallel(len(todo), one)
	} else {
		for i := range todo {
			one(i)
		}
	}
	if first != nil {
		return nil, first
	}
	out := make(Measurements, len(todo))
	for i, s := range todo {
		out[s.ID] = results[i]
	}
	return out, nil
}

func (p *prober) measure(ctx context.Context, s *Skill) (*Measured, error) {
	m := &Measured{}
	doc := p.ByID[s.ID]
	most := maxProbes
	if len(p.lib.Skills) > manySkills {
		most = fewProbes
	}
	prompts := s.prompts(most)
	searched := make([]string, len(prompts))
	for i := range prompts {
		searched[i] = prompts[i].Text
	}
	asking := p.Ask(&s.Entry, s.given(p.lib), s.written(p.lib), most, searched)
	for _, one := range prompts {
		probe, err := p.probe(ctx, doc, one)
		if err != nil {
			return nil, err
		}
		asking.Answer(one.Text)
		m.Probes = append(m.Probes, probe)
	}
	if err := p.claims(ctx, s, doc, m); err != nil {
		return nil, err
	}
	var err error
	m.Requests, err = asking.Places(ctx)
	return m, err
}

func (p *prober) probe(ctx context.Context, doc uint32, probe Probe) (Probe, error) {
	hits, err := p.Search(ctx, probe.Text)
	if err != nil {
		return probe, err
	}
	probe.Place, _ = p.Place(doc)
	probe.Words = p.knownWords()
	if probe.Words == 1 {
		probe.Share = p.share(probe.Text)
	}
	if len(hits) > 0 && !p.Same(hits[0].Doc, doc) {
		probe.First = p.Docs[hits[0].Doc].ID
		if x, ok := p.decides(hits[0].Doc, doc); ok {
			probe.By = p.say(x)
		}
	}
	return probe, nil
}

func (p *prober) knownWords() (n int) {
	for i := range p.Res.Query.Concepts {
		if c := &p.Res.Query.Concepts[i]; c.Known || c.IDF() > 0 {
			n++
		}
	}
	return n
}

func (s *Skill) prompts(most int) []Probe {
	var out []Probe
	byLang := map[string][]string{}
	seen := map[string]bool{}
	for _, t := range slices.Concat(s.Triggers, catalog.Said(s.Description, s.WhenToUse)) {
		key := strings.ToLower(strings.Join(strings.Fields(t), " "))
		if key == "" || seen[key] || strings.HasPrefix(key, "/") || byOthers(key) {
			continue
		}
		seen[key] = true
		code := lang.CodeOf(t)
		byLang[code] = append(byLang[code], t)
	}
	for _, l := range slices.Backward(lang.All[:]) {
		for _, t := range findable.Spread(byLang[l.Code], most) {
			out = append(out, Probe{Text: t, Kind: "trigger", Lang: l.Code, Said: s.says(t)})
		}
	}
	for _, x := range findable.Spread(s.examples(), maxExamples) {
		if key := strings.ToLower(strings.Join(strings.Fields(x), " ")); !seen[key] {
			out = append(out, Probe{Text: x, Kind: "example", Lang: lang.CodeOf(x), Said: true})
		}
	}
	return out
}

// says reports whether the skill gives a trigger as something users say: in
// quotation marks, in a list of triggers, or in a field for them. What follows
// "Use when" without them is an occasion, whose words users may never say.
func (s *Skill) says(trigger string) bool {
	text := s.Text()
	for at := range source.Occurrences(text, trigger) {
		before := text[:at]
		for _, q := range []string{`"`, "“", "'", "‘", "「", "`"} {
			if strings.HasSuffix(before, q) && !followedByWord(text[at+len(trigger):]) {
				return true
			}
		}
		if stop := strings.LastIndexAny(before, ".!?"); triggerList.get().MatchString(before[stop+1:]) {
			return true
		}
	}
	for _, key := range triggerKeys {
		if _, ok := s.Front.Key(key); ok {
			return !strings.Contains(text, trigger)
		}
	}
	return false
}

func followedByWord(rest string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " \n"))
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

var triggerList = lazy(`(?i)(triggers?|keywords?|phrases|트리거|키워드|호출어)[^:：]{0,16}[:：]`)

func byOthers(trigger string) bool {
	for _, p := range []string{"invoked by ", "called by ", "triggered by ", "delegated by ", "run by ", "invoked as ",
		"called from "} {
		if strings.HasPrefix(trigger, p) {
			return true
		}
	}
	return false
}

var (
	exampleHeading = lazy(`(?i)^#{1,6}\s.*\b(example (prompts?|requests?|queries|usage)|sample (prompts?` +
		`|requests?)|trigger(s| phrases?| examples?)?|usage examples?|when to use)\b|^#{1,6}\s.*(사용 예|예시|트리거|호출 예)`)
	exampleItem = lazy(`^\s*(?:[-*+]|\d+[.)])\s+(?:\*\*)?["“]([^"“”]{6,160})["”](?:\*\*)?[.,]?\s*$`)
)

func (s *Skill) examples() []string {
	var out []string
	in := false
	s.eachLine(func(l source.Line) bool {
		switch {
		case l.Code || l.Fence || l.Text == "":
		case l.Text[0] == '#':
			in = exampleHeading.get().MatchString(l.Text)
		case in:
			if m := exampleItem.get().FindStringSubmatch(l.Text); m != nil && !strings.ContainsAny(m[1], "{}[]<>") {
				out = append(out, m[1])
			}
		}
		return len(out) < 20
	})
	return out
}

func (p *prober) head(doc uint32) float64 {
	sum := 0.0
	for _, m := range p.Ranker.Explain(&p.Res, doc) {
		switch m.Field {
		case index.Name, index.Description, index.Triggers:
			sum += m.Score
		}
	}
	return max(sum, 1e-9)
}

func (p *prober) share(prompt string) float64 {
	best := 0.0
	for _, c := range p.Ranker.Parse(prompt).Concepts {
		for _, a := range c.Alts {
			best = max(best, p.headShare(a.Term))
		}
	}
	return best
}

func (p *prober) headShare(term string) float64 {
	base, _, _ := strings.Cut(term, "#")
	return float64(p.Heads(base)) / float64(max(p.Snapshot.Skills, 1))
}
