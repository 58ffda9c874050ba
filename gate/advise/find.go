package advise

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/synonyms/lang/script"
)

const mostTried = 8

func (w *work) lacking() {
	w.lacks = map[*catalog.Entry]*group{}
	for _, p := range w.base {
		for _, u := range p.Used() {
			if e := w.entry(u); e != nil && !names(p.Recorded, e) {
				if w.lacks[e] == nil {
					w.lacks[e] = &group{}
				}
				w.lacks[e].add(p)
			}
		}
	}
}

func (w *work) missed(ctx context.Context) error {
	for _, e := range largest(w.lacks) {
		g := w.lacks[e]
		if !own(e) {
			continue
		}
		text, err := os.ReadFile(e.Path)
		if err != nil {
			continue // removed since it was indexed
		}
		p := Proposal{Skill: e.Name, Prompts: g.ids(),
			Evidence: w.Say("used after %s without being suggested: %s", w.count(g), g.examples())}
		edit := func(phrase string) (string, error) {
			return enrich.WithTriggers(string(text), e.Frontmatter, []string{phrase})
		}
		phrase, fixed, effect, err := w.best(ctx, g, string(text), e, e, edit)
		if err != nil {
			return err
		}
		if phrase == "" {
			continue
		}
		p.Evidence += w.Say("; %s contain the trigger", w.count(g.saying(phrase)))
		p.Kind, p.Text, p.Risk = Trigger, w.Say("add the trigger %q to the description of %s", phrase, e.Name),
			w.risk(effect)
		p.Edit = &Edit{File: e.Path, Old: string(text), New: fixed, Within: e.Within}
		w.add(p, effect)
	}
	return nil
}

func names(d *gate.Decision, e *catalog.Entry) bool {
	return slices.ContainsFunc(d.Candidates, func(c gate.Candidate) bool { return c.Injected && c.Name == e.Name })
}

func largest(groups map[*catalog.Entry]*group) []*catalog.Entry {
	list := slices.DeleteFunc(slices.Collect(maps.Keys(groups)),
		func(e *catalog.Entry) bool { return !groups[e].enough() })
	slices.SortFunc(list, func(a, b *catalog.Entry) int {
		return cmp.Or(cmp.Compare(len(groups[b].prompts), len(groups[a].prompts)), cmp.Compare(a.ID, b.ID))
	})
	return list[:min(len(list), mostTried)]
}

// best tries the phrases of g and returns the one that gets needed suggested for the most prompts of g's chosen half,
// the new text of changed's file, and the effect. If no phrase helps, it returns "". edit adds a phrase to the
// description in was, the file's current text.
func (w *work) best(ctx context.Context, g *group, was string, changed, needed *catalog.Entry,
	edit func(string) (string, error)) (best, text string, effect *Effect, err error) {
	most := 0
	for _, phrase := range w.phrases(g) {
		next, err := edit(phrase)
		if err != nil {
			continue // the description is full or cannot be extended
		}
		n := 0
		err = w.run(ctx, w.chosen(g), &replay.Side{Logged: true}, w.with(ctx, changed, next, needed), func(r *replay.Result) {
			if r.Skipped == "" && names(r.B.Decision, needed) {
				n++
			}
		})
		if err != nil {
			return "", "", nil, err
		}
		if n > most {
			best, text, most = phrase, next, n
		}
	}
	if best == "" {
		return "", "", nil, nil
	}
	effect, err = w.effect(ctx, w.with(ctx, changed, text, needed), w.rewritten(was, text, best, g, changed, needed))
	return best, text, effect, err
}

func (g *group) saying(phrase string) *group {
	out := &group{}
	for _, p := range g.prompts {
		if strings.Contains(strings.ToLower(p.Text), phrase) {
			out.prompts = append(out.prompts, p)
		}
	}
	return out
}

func (w *work) chosen(g *group) []*replay.Prompt {
	return slices.DeleteFunc(slices.Clone(g.prompts), func(p *replay.Prompt) bool { return !w.half[p.Session] })
}

func (w *work) risk(e *Effect) string {
	worse := e.Chosen.Lost + e.Chosen.Bothers + e.HeldOut.Lost + e.HeldOut.Bothers
	switch other := e.Chosen.Other + e.HeldOut.Other; {
	case worse > 0:
		return w.Say("%d past prompts get worse suggestions, and %d get other ones that are not clearly worse", worse, other)
	case other > 0:
		return w.Say("low: %d past prompts get different suggestions, none of them clearly worse", other)
	}
	return w.Say("low: no other past prompt gets different suggestions")
}

const mostPhrases = 4

// phrases returns phrases that several prompts of g's chosen half contain and prompts for other skills rarely contain.
// Phrases in the most prompts come first, longer phrases before shorter ones.
func (w *work) phrases(g *group) []string {
	chosen := w.chosen(g)
	counts := map[string]int{}
	for _, p := range chosen {
		for phrase := range promptPhrases(p.Text) {
			counts[phrase]++
		}
	}
	need := 2
	if len(chosen) < 2 {
		return nil
	}
	var list []string
	for phrase, n := range counts {
		saying := g.saying(phrase)
		if n < need || !saying.enough() || !saying.varied() && !saying.whole(phrase) || w.elsewhere(g, phrase) > n/3 {
			continue
		}
		list = append(list, phrase)
	}
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	// The shorter of two phrases in the same prompts adds nothing.
	var out []string
	for _, phrase := range list {
		if len(out) == mostPhrases {
			break
		}
		if !slices.ContainsFunc(out, func(o string) bool {
			return counts[o] == counts[phrase] && strings.Contains(o, phrase)
		}) {
			out = append(out, phrase)
		}
	}
	return out
}

// elsewhere counts the prompts outside g that contain phrase and led to the use of a skill. A replay shows the effect
// on prompts that led to no use.
func (w *work) elsewhere(g *group, phrase string) int {
	n := 0
	for _, p := range w.base {
		if len(p.Used()) > 0 && strings.Contains(strings.ToLower(p.Text), phrase) && !slices.Contains(g.prompts, p) {
			n++
		}
	}
	return n
}

const (
	longestPhrase = 4   // maximum number of words in a phrase
	longestPrompt = 600 // bytes; longer prompts are not searched for phrases
)

const incidental = "0123456789./\\_@:#<>{}[]()=`\""

// promptPhrases returns the lower-case phrases of a prompt: up to four consecutive words that are distinctive. Korean
// phrases are also returned without their last syllable, which may be a particle.
func promptPhrases(text string) map[string]bool {
	out := map[string]bool{}
	if len(text) > longestPrompt {
		return out
	}
	var words []string
	flush := func() {
		for i := range words {
			for n := 1; n <= longestPhrase && i+n <= len(words); n++ {
				phrase := strings.Join(words[i:i+n], " ")
				if distinctive(words[i : i+n]) {
					out[phrase] = true
				}
				if last := []rune(words[i+n-1]); hangul(last) && len(last) > 2 && len(out) < 400 {
					out[phrase[:len(phrase)-len(string(last[len(last)-1:]))]] = true
				}
			}
		}
		words = words[:0]
	}
	for _, field := range strings.Fields(strings.ToLower(text)) {
		word := strings.Trim(field, ",.!?;:…~'\"“”‘’()")
		if word == "" || strings.ContainsAny(word, incidental) {
			flush()
			continue
		}
		words = append(words, word)
		if word != field {
			flush() // end of a sentence or clause
		}
	}
	flush()
	return out
}

// distinctive reports whether words can be a trigger: two words with at least two syllables (Korean) or four letters
// each, or one Korean word with at least three syllables.
func distinctive(words []string) bool {
	long := 0
	for _, word := range []string{words[0], words[len(words)-1]} {
		if r := []rune(word); len(r) <= 3 && !hangul(r) {
			return false // a trigger must not begin or end with a word like "the"
		}
	}
	for _, word := range words {
		r := []rune(word)
		if hangul(r) && len(r) > 1 || len(r) > 3 {
			long++
		}
	}
	return long >= 2 || len(words) == 1 && hangul([]rune(words[0])) && len([]rune(words[0])) > 2
}

func hangul(r []rune) bool { return len(r) > 0 && script.Syllable(r[len(r)-1]) }

func (w *work) thieves(ctx context.Context) error {
	type pair struct{ thief, victim *catalog.Entry }
	groups := map[pair]*group{}
	for _, p := range w.base {
		named := outcome.InjectedBy(p.Recorded)
		if len(named) == 0 {
			continue
		}
		turn := outcome.Turn{Named: named, Uses: p.Used()}
		if turn.State() == outcome.Followed {
			continue
		}
		thief := w.named(named[0])
		for _, u := range p.Used() {
			victim := w.entry(u)
			if thief == nil || victim == nil {
				continue
			}
			k := pair{thief, victim}
			if groups[k] == nil {
				groups[k] = &group{}
			}
			groups[k].add(p)
		}
	}
	tried := 0
	pairs := slices.SortedFunc(maps.Keys(groups), func(a, b pair) int {
		return cmp.Or(cmp.Compare(len(groups[b].prompts), len(groups[a].prompts)), cmp.Compare(a.thief.ID,
			b.thief.ID), cmp.Compare(a.victim.ID, b.victim.ID))
	})
	for _, k := range pairs {
		g := groups[k]
		if !g.enough() || !own(k.thief) || tried == mostTried {
			continue
		}
		tried++
		text, err := os.ReadFile(k.thief.Path)
		if err != nil {
			continue
		}
		edit := func(phrase string) (string, error) {
			return enrich.WithSentence(string(text), k.thief.Frontmatter, fmt.Sprintf("Do NOT use for %s (use %s).",
				phrase, k.victim.Name))
		}
		phrase, fixed, effect, err := w.best(ctx, g, string(text), k.thief, k.victim, edit)
		if err != nil {
			return err
		}
		if phrase == "" {
			continue
		}
		w.add(Proposal{
			Kind: Boundary, Skill: k.victim.Name, Prompts: g.ids(), Edit: &Edit{File: k.thief.Path, Old: string(text),
				New: fixed, Within: k.thief.Within},
			Text: w.Say("add to the description of %[1]s that %[2]q belongs to %[3]s", k.thief.Name, phrase, k.victim.Name),
			Evidence: w.Say("%s is suggested first for %s, but %s was used: %s; %s contain the phrase", k.thief.Name,
				w.count(g), k.victim.Name, g.examples(), w.count(g.saying(phrase))),
			Risk: w.risk(effect),
		}, effect)
	}
	return nil
}

func (w *work) named(n outcome.Named) *catalog.Entry {
	for i := range w.Entries {
		if e := &w.Entries[i]; e.Name == n.Name && string(e.Pool) == n.Pool {
			return e
		}
	}
	return nil
}

func (w *work) unused(ctx context.Context) error {
	groups := map[*catalog.Entry]*group{}
	wanted := map[*catalog.Entry]bool{}
	for _, p := range w.Prompts {
		for _, u := range p.Uses {
			if e := w.entry(u); e != nil {
				wanted[e] = true // includes skills that the user started by name
			}
		}
		if p.Recorded == nil || !p.Over {
			continue
		}
		for _, n := range outcome.NamedBy(p.Recorded) {
			if e := w.named(n); e != nil && own(e) {
				if groups[e] == nil {
					groups[e] = &group{}
				}
				groups[e].prompts = append(groups[e].prompts, p)
			}
		}
	}
	for _, e := range largest(groups) {
		g := groups[e]
		if wanted[e] || len(g.prompts) < minIgnored {
			continue
		}
		text, err := os.ReadFile(e.Path)
		if err != nil || !strings.HasPrefix(string(text), "---\n") || strings.Contains(e.Frontmatter,
			"disable-model-invocation") {
			continue
		}
		effect, err := w.effect(ctx, w.layered(ctx, []string{e.ID}), shows(e))
		if err != nil {
			return err
		}
		at := len("---\n")
		high := outcome.Wilson(0, len(g.prompts), float64(len(g.prompts))).High
		w.add(Proposal{
			Kind: Off, Skill: e.Name, Prompts: g.ids(), Edit: &Edit{File: e.Path, Old: string(text),
				New: string(text[:at]) + "disable-model-invocation: true\n" + string(text[at:]), Within: e.Within},
			Text: w.Say("stop suggesting %s; /%s still works", e.Name, e.Name),
			Evidence: w.Say("suggested for %s with finished turns but never used (use rate: 0 to %.0f %%, 95 %% interval)",
				w.count(g), 100*high),
			Risk: w.Say("the model can no longer load the skill by itself"),
		}, effect)
	}
	return nil
}
