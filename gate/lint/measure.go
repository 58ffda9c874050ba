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
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/synonyms/lang"
)

// reach is how far down a skill may stand and still be named: top_k of the gate.
const reach = 5

// Measurements is what the retriever says about the skills of a library.
type Measurements struct {
	ByID map[string]*Measured
}

// Measured is what the retriever says about one skill.
type Measured struct {
	Probes   []Probe
	Rivals   []Rival
	Claims   []Claim            // triggers of intent.yaml
	Requests []findable.Request // that should find it, with their places
}

// Probe is one prompt that should find the skill.
type Probe struct {
	Text  string  `json:"prompt"`
	Kind  string  `json:"kind"`  // "trigger", "example" or "capability"
	Lang  string  `json:"lang"`  // code of its language
	Place int     `json:"place"` // 1-based; 0: not among the first thirty
	Score float64 `json:"score"`
	First string  `json:"first,omitempty"` // ID of the best hit where it is another skill
	By    string  `json:"by,omitempty"`    // the word that puts it first
	Said  bool    `json:"said"`            // the skill gives it as what users say, not as part of a sentence
	Words int     `json:"-"`               // words of the prompt that the index knows
	// for a prompt of one word: share of the skills that have it in name, description or triggers
	Share float64 `json:"-"`
}

// Rival is another skill that answers to this one's own description.
type Rival struct {
	ID    string  `json:"id"`
	Name  string  `json:"name"`
	Ratio float64 `json:"ratio"` // its score on this skill's description, this skill's being 1
	Head  float64 `json:"head"`  // the same, of name, description and triggers alone
	Taken int     `json:"taken"` // of this skill's triggers, those that it is first for
	Of    int     `json:"of"`    // this skill's triggers
	// of the words in this skill's name and the names it writes, those that it has nowhere
	Separates []string `json:"separates"`
	Short     bool     `json:"short"` // this skill says too little of itself to be told from any other
}

// Limits of what is measured of one skill.
const (
	maxProbes    = 5    // triggers per language
	fewProbes    = 3    // the same where there are manySkills
	manySkills   = 3000 // from where on a search costs several times as much
	maxExamples  = 3    // example prompts from the body
	maxLongProbe = 400  // bytes of a description that are searched
	rivalRatio   = 0.75 // of the own score: what a rival must reach to be noted
	deadShare    = 0.05 // of the skills: a word that more of them have does not decide
)

// Measure searches for the skills of l with the prompts that should find them.
// only limits it to some skills; nil measures all. With concurrent the retriever
// is used from all processors, which an index in memory allows. set, which may be nil, is
// told of each skill that is done, never twice at a time.
func Measure(ctx context.Context, l *Library, r *findable.Retriever, only map[string]bool, concurrent bool,
	set func(done, total int)) (*Measurements, error) {
	return measureWith(ctx, l, r, only, concurrent, set, (*prober).measure)
}

// MeasureDesigns is Measure of no more than what intent.yaml says.
func MeasureDesigns(ctx context.Context, l *Library, r *findable.Retriever, only map[string]bool, concurrent bool,
	set func(done, total int)) (*Measurements, error) {
	return measureWith(ctx, l, r, only, concurrent, set,
		func(p *prober, ctx context.Context, s *Skill) (*Measured, error) {
			m := &Measured{}
			return m, p.claims(ctx, s, p.ByID[s.ID], m)
		})
}

func measureWith(ctx context.Context, l *Library, r *findable.Retriever, only map[string]bool, concurrent bool,
	set func(done, total int),
	how func(p *prober, ctx context.Context, s *Skill) (*Measured, error)) (*Measurements, error) {
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
	out := &Measurements{ByID: make(map[string]*Measured, len(todo))}
	for i, s := range todo {
		out.ByID[s.ID] = results[i]
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
	for _, look := range []func(context.Context, *Skill, uint32, *Measured) error{
		p.capability, p.claims,
	} {
		if err := look(ctx, s, doc, m); err != nil {
			return nil, err
		}
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
	probe.Place, probe.Score = p.Place(doc)
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

// knownWords counts the words of the last search that the index knows.
func (p *prober) knownWords() (n int) {
	for i := range p.Res.Query.Concepts {
		if c := &p.Res.Query.Concepts[i]; c.Known || c.IDF() > 0 {
			n++
		}
	}
	return n
}

// prompts lists prompts that a skill says it is for, at most that many triggers per language.
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
	for at := range occurrences(text, trigger) {
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

// followedByWord reports whether a word follows the phrase: the phrase is
// then the head of a longer one.
func followedByWord(rest string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " \n"))
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

var triggerList = lazy(`(?i)(triggers?|keywords?|phrases|트리거|키워드|호출어)[^:：]{0,16}[:：]`)

// byOthers reports whether a trigger says who runs the skill, not what a user says.
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

// examples lists the quoted prompts that the body gives as list items below a
// heading about examples or triggers.
func (s *Skill) examples() []string {
	var out []string
	in := false
	s.eachLine(func(l bodyLine) bool {
		switch {
		case l.code || l.fence || l.text == "":
		case l.text[0] == '#':
			in = exampleHeading.get().MatchString(l.text)
		case in:
			if m := exampleItem.get().FindStringSubmatch(l.text); m != nil && !strings.ContainsAny(m[1], "{}[]<>") {
				out = append(out, m[1])
			}
		}
		return len(out) < 20
	})
	return out
}

// claim is what the skill says it does. Where that comes first, sentences that say
// when to use it are left out; a description that begins with them is taken whole.
func (s *Skill) claim() string {
	list := sentences(s.Capability)
	if len(list) == 0 || usageFirst.get().MatchString(list[0]) {
		return s.Capability
	}
	kept := list[:1]
	for _, one := range list[1:] {
		if !usageFirst.get().MatchString(one) {
			kept = append(kept, one)
		}
	}
	return strings.Join(kept, " ")
}

// capability searches with what the skill says of itself and notes who else answers.
func (p *prober) capability(ctx context.Context, s *Skill, doc uint32, m *Measured) error {
	text := s.claim()
	if len(text) > maxLongProbe {
		text = strings.ToValidUTF8(text[:maxLongProbe], "")
	}
	probe, err := p.probe(ctx, doc, Probe{Text: text, Kind: "capability", Lang: lang.CodeOf(s.Capability)})
	if err != nil {
		return err
	}
	m.Probes = append(m.Probes, probe)
	mine := p.parts(doc)
	slices.SortStableFunc(mine, func(a, b part) int { return cmp.Compare(b.score, a.score) })
	if probe.Place == 0 || probe.Score <= 0 {
		return nil
	}
	ownHead := p.head(doc)
	central := p.central(doc)
	for _, h := range p.Hits {
		if p.Same(h.Doc, doc) || h.Score < rivalRatio*probe.Score {
			continue
		}
		other := p.Docs[h.Doc]
		r := Rival{ID: other.ID, Name: other.Name, Ratio: h.Score / probe.Score, Head: p.head(h.Doc) / ownHead}
		if r.Name == s.Name {
			r.Name = r.ID
		}
		r.Short = len(mine) < minClaimed
		theirs := map[string]bool{}
		for _, x := range p.parts(h.Doc) {
			theirs[x.term] = true
		}
		for _, x := range mine {
			if !theirs[x.term] && central[x.term] && len(r.Separates) < 3 && p.headShare(x.term) <= deadShare &&
				!rank.Generic(x.term) {
				r.Separates = append(r.Separates, p.surface(x.term))
			}
		}
		for _, one := range m.Probes {
			if one.Kind == "trigger" {
				r.Of++
				if one.First == other.ID {
					r.Taken++
				}
			}
		}
		if m.Rivals = append(m.Rivals, r); len(m.Rivals) == 5 {
			break
		}
	}
	return nil
}

// head is what a document scores in its name, description and triggers.
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

// central lists the words of the last search that doc is about: those in its name,
// and names that it writes.
func (p *prober) central(doc uint32) map[string]bool {
	out := map[string]bool{}
	for i := range p.Res.Query.Concepts {
		c := &p.Res.Query.Concepts[i]
		out[c.Text] = nameLike(c.Surface)
		for j := range c.Alts {
			if q, ok := c.Alts[j].In(doc); ok && q.Get(index.Name) > 0 {
				out[c.Text] = true
			}
		}
	}
	return out
}

// nameLike reports whether a word is written as no common word is, at the
// beginning of a sentence neither: letters with a capital or a digit behind the first.
func nameLike(word string) bool {
	letters, marked := false, false
	for i, r := range word {
		letters = letters || unicode.IsLetter(r)
		marked = marked || i > 0 && (unicode.IsDigit(r) || unicode.IsUpper(r))
	}
	return letters && marked
}

// share is the share of the skills that have the word of a one-word prompt in
// their name, description or triggers.
func (p *prober) share(prompt string) float64 {
	best := 0.0
	for _, c := range p.Ranker.Parse(prompt).Concepts {
		for _, a := range c.Alts {
			best = max(best, p.headShare(a.Term))
		}
	}
	return best
}

// headShare is the share of the skills that have a term outside their body.
func (p *prober) headShare(term string) float64 {
	base, _, _ := strings.Cut(term, "#")
	return float64(p.Heads(base)) / float64(max(p.Snapshot.Skills, 1))
}
