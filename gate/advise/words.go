package advise

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/synonyms/source"
	"github.com/skillgate/skillgate/triage"
)

const (
	mostWords  = 3
	mostSenses = 3
)

type word struct {
	surface string
	korean  bool
	group
	needs map[*catalog.Entry]int // number of prompts in which each skill was used
}

func (w *work) words(ctx context.Context) error {
	file, text, err := w.Dictionary()
	if err != nil {
		return nil // `skillgate doctor` reports unreadable dictionaries
	}
	done := map[*replay.Prompt]bool{}
	for _, x := range w.unknown() {
		if slices.ContainsFunc(x.prompts, func(p *replay.Prompt) bool { return done[p] }) {
			continue // another word has been proposed for the same prompts
		}
		var best *Proposal
		var side *replay.Side
		most, means := 0, ""
		for _, sense := range w.senses(x) {
			next, err := x.entry(text, sense)
			if err != nil {
				continue // a dictionary cannot contain this word
			}
			s, err := w.reading(next)
			if err != nil {
				return err
			}
			n := 0
			err = w.run(ctx, w.chosen(&x.group), &replay.Side{Logged: true}, s, func(r *replay.Result) {
				if r.Skipped == "" && catches(r.Prompt, r.B.Decision) {
					n++
				}
			})
			if err != nil {
				return err
			}
			if n > most {
				most, side, means = n, s, sense
				best = &Proposal{Kind: Words, Edit: &Edit{File: file, Old: text, New: next},
					Text: w.Say("add %q to the dictionary with the meaning %q", x.surface, sense)}
			}
		}
		if best == nil {
			continue
		}
		if x.korean && w.written(x.surface) { // the dictionary determines how Korean texts are split, so reindex them
			if side, err = w.WithDictionary(ctx, best.Edit.New); err != nil {
				return err
			}
		}
		effect, err := w.effect(ctx, side, w.saying(x.surface, means))
		if err != nil {
			return err
		}
		best.Prompts, best.Risk = x.ids(), w.risk(effect)
		for e := range x.needs {
			best.Skills = append(best.Skills, e.Name)
		}
		slices.Sort(best.Skills)
		best.Evidence = w.Say("the term occurs in %s, after which %s was used without being suggested: %s",
			w.count(&x.group), strings.Join(best.Skills, ", "), x.examples())
		if !w.caughtBy(Trigger, effect, best.Skills) {
			w.add(*best, effect)
			for _, p := range x.prompts {
				done[p] = true
			}
		}
	}
	return nil
}

func (w *work) reading(text string) (*replay.Side, error) {
	parsed, err := source.Parse(source.File{Name: "synonyms.yaml", Data: []byte(text)})
	if err != nil {
		return nil, err
	}
	user, err := synonyms.Open(string(parsed.Compile()))
	if err != nil {
		return nil, err
	}
	return w.Current.Reading(synonyms.Default().With(user)), nil
}

func (w *work) written(word string) bool {
	return slices.ContainsFunc(w.Entries, func(e catalog.Entry) bool {
		texts := []string{e.Name, e.Description, e.WhenToUse, e.Body}
		if w.Expansion != nil {
			texts = append(texts, w.Expansion(e.ID, e.Hash)...)
		}
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, word) })
	})
}

// caughtBy reports whether skills is a single skill that a proposal of this kind already helps at least as much as e.
func (w *work) caughtBy(kind Kind, e *Effect, skills []string) bool {
	return len(skills) == 1 && slices.ContainsFunc(w.found, func(p Proposal) bool {
		return p.Kind == kind && p.Skill == skills[0] && p.Effect != nil && p.Effect.HeldOut.Worth() >= e.HeldOut.Worth()
	})
}

// unknown returns words of the prompts in w.lacks. Words in the most prompts come first, longer words before shorter
// ones. Korean words must be missing from the dictionary, other words from the skill.
func (w *work) unknown() []*word {
	if w.ranker == nil {
		return nil
	}
	groups := map[string]*word{}
	for e, g := range w.lacks {
		has := strings.ToLower(e.Name + " " + e.Description + " " + e.WhenToUse + " " + e.Body)
		for _, p := range g.prompts {
			if p.Form() != replay.Exact || len(p.Text) > longestPrompt {
				continue
			}
			for _, c := range w.ranker.Parse(triage.Classify(p.Text).Text).Concepts {
				surface := strings.ToLower(c.Surface)
				if c.Generic || strings.ContainsAny(surface, incidental) || c.Korean && c.Known ||
					len([]rune(c.Text)) < 2 || !c.Korean && !news(has, surface) {
					continue
				}
				if c.Korean {
					surface = c.Text
				}
				if groups[surface] == nil {
					groups[surface] = &word{surface: surface, korean: c.Korean, needs: map[*catalog.Entry]int{}}
				}
				groups[surface].add(p)
				groups[surface].needs[e]++
			}
		}
	}
	list := slices.DeleteFunc(slices.Collect(maps.Values(groups)), func(x *word) bool {
		return !x.enough() || !x.varied() || w.elsewhere(&x.group, x.surface) > len(x.prompts)/3
	})
	slices.SortFunc(list, func(a, b *word) int {
		return cmp.Or(cmp.Compare(len(b.prompts), len(a.prompts)), cmp.Compare(len(b.surface), len(a.surface)),
			cmp.Compare(a.surface, b.surface))
	})
	return list[:min(len(list), mostWords)]
}

func news(has, surface string) bool {
	return slices.ContainsFunc(strings.Fields(surface), func(word string) bool {
		return len(word) > 3 && !strings.Contains(has, word)
	})
}

// senses returns possible meanings of x: words from the names and descriptions of the skills in x.needs. Words of the
// skills with the most prompts come first, rarer words before common ones.
func (w *work) senses(x *word) []string {
	prompts, skills := map[string]int{}, map[string]int{}
	for i := range w.Entries {
		e := &w.Entries[i]
		for t := range nouns(e) {
			skills[t]++
			prompts[t] += x.needs[e]
		}
	}
	for t, n := range prompts {
		if n == 0 {
			delete(prompts, t)
		}
	}
	return slices.SortedFunc(maps.Keys(prompts), func(a, b string) int {
		return cmp.Or(cmp.Compare(prompts[b], prompts[a]), cmp.Compare(skills[a], skills[b]), cmp.Compare(a, b))
	})[:min(len(prompts), mostSenses)]
}

func nouns(e *catalog.Entry) map[string]bool {
	out := map[string]bool{}
	name := strings.FieldsFunc(strings.ToLower(e.Name[strings.LastIndexByte(e.Name, ':')+1:]), notLetter)
	if len(name) > 1 && len(name) < 4 {
		out[strings.Join(name, " ")] = true
	}
	about, _, _ := strings.Cut(strings.ToLower(e.Description), ". ")
	for _, t := range append(name, strings.FieldsFunc(about, notLetter)...) {
		if len(t) > 3 {
			out[t] = true
		}
	}
	return out
}

func notLetter(r rune) bool { return r < 'a' || r > 'z' }

func (x *word) entry(text, sense string) (string, error) {
	file := source.File{Name: "synonyms.yaml", Data: []byte(text)}
	add := source.AddSet
	if x.korean {
		add = func(f source.File, say, means string) ([]byte, error) {
			return source.Add(f, source.Entry{Head: say, Senses: []string{means}})
		}
	}
	next, err := add(file, x.surface, sense)
	return string(next), err
}

// rest returns the prompts in w.lacks that no proposal covers, and their skills.
func (w *work) rest() (*group, []*catalog.Entry) {
	done := map[string]bool{}
	for _, p := range w.found {
		for _, id := range p.Prompts {
			done[id] = true
		}
	}
	rest := &group{}
	var list []*catalog.Entry
	for e, g := range w.lacks {
		for _, p := range g.prompts {
			if !done[p.ID] {
				rest.add(p)
				if !slices.Contains(list, e) {
					list = append(list, e)
				}
			}
		}
	}
	slices.SortFunc(rest.prompts, func(a, b *replay.Prompt) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.ID, b.ID))
	})
	slices.SortFunc(list, func(a, b *catalog.Entry) int {
		return cmp.Or(cmp.Compare(len(w.lacks[b].prompts), len(w.lacks[a].prompts)), cmp.Compare(a.ID, b.ID))
	})
	return rest, list
}

func (w *work) listed(list []*catalog.Entry) string {
	var out []string
	for _, e := range list[:min(len(list), 5)] {
		out = append(out, e.Name)
	}
	if len(list) > len(out) {
		out = append(out, w.Say("%d more", len(list)-len(out)))
	}
	return strings.Join(out, ", ")
}

func namesOf(list []*catalog.Entry) []string {
	var out []string
	for _, e := range list {
		out = append(out, e.Name)
	}
	return out
}

const mostAsked = 5

func (w *work) enrich(context.Context) error {
	rest, list := w.rest()
	list = slices.DeleteFunc(list, func(e *catalog.Entry) bool { return w.Price([]*catalog.Entry{e}) == "" })
	if !rest.enough() || len(list) == 0 {
		return nil
	}
	asked := list[:min(len(list), mostAsked)]
	text := w.Say("have a model write sample requests for %s (%s)", w.listed(asked), w.Price(asked))
	if more := len(list) - len(asked); more > 0 {
		text += w.Say("; %d more skills were needed but not suggested: try these first", more)
	}
	names := namesOf(asked)
	command := "skillgate enrich"
	for _, name := range names {
		command += " --only " + system.ShellQuote(name)
	}
	w.add(Proposal{
		Kind: Enrich, Skills: names, Prompts: rest.ids(), Text: text, Command: command,
		Evidence: w.Say("%s needed skills that were not suggested, and no cheaper proposal helps", w.count(rest)),
		Risk:     w.Say("the cost of the model; run `skillgate replay` afterwards to see the effect"),
	}, nil)
	return nil
}

func finds(d *gate.Decision, e *catalog.Entry) bool {
	return slices.ContainsFunc(d.Candidates, func(c gate.Candidate) bool {
		return c.ID == e.ID || c.Name == e.Name || slices.Contains(c.HeldBack, e.ID)
	})
}
