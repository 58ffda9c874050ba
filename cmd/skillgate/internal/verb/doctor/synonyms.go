package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/synonyms/source"
	"github.com/skillgate/skillgate/synonyms/terms"
)

// synonyms checks the user's own dictionary, where there is one: that it can be read, that nothing is
// wrong in it, and that its entries change anything here.
func (c *checkup) synonyms(ctx context.Context) {
	const check = "synonyms"
	file := workspace.DictFile(c.dirs)
	dict, err := app.ReadDict(file)
	switch {
	case err != nil:
		fix := "skillgate synonyms check"
		var exit *app.Error
		if errors.As(err, &exit) && exit.Hint != "" {
			fix = exit.Hint
		}
		c.add(check, statusWarn, fix, "%s; until then none of your words count", strings.TrimPrefix(err.Error(),
			"synonyms: "))
		return
	case dict == nil: // most people have none
		return
	}
	if problems := dict.Check(); len(problems) > 0 {
		c.addProblems(check, "correct the line, then skillgate index; `skillgate synonyms check` lists all",
			"; until then none of your words count", problems)
		return
	}
	idle := repeated(dict, synonyms.Default())
	unmet, err := c.unmet(ctx, dict)
	if err != nil && !errors.Is(err, errNotIndexed) {
		c.add(check, statusWarn, "skillgate index --full", "%v", err)
	}
	for _, p := range unmet {
		if !slices.ContainsFunc(idle, func(q source.Problem) bool { return q.Place == p.Place }) {
			idle = append(idle, p)
		}
	}
	slices.SortStableFunc(idle, func(a, b source.Problem) int { return a.Line - b.Line })
	if len(idle) > 0 {
		c.addProblems(check, "take the entry out, or give it other words (`skillgate synonyms explain WORD` shows what is searched)", "", idle)
		return
	}
	c.add(check, statusOK, "", "%s: %d Korean words, %d English sets", file, len(dict.Entries), len(dict.Sets))
}

// addProblems adds the first problems of a dictionary, and says how many there are.
func (c *checkup) addProblems(check, fix, then string, problems []source.Problem) {
	for i, p := range problems[:min(len(problems), workspace.ShownProblems)] {
		more := ""
		if n := len(problems) - workspace.ShownProblems; n > 0 && i == workspace.ShownProblems-1 {
			more = fmt.Sprintf(" (and %d more like it)", n)
		}
		c.add(check, statusWarn, fix, "%s%s%s", p, then, more)
	}
}

// repeated finds the entries that say no more than the built-in dictionary does.
func repeated(dict *source.Dictionary, built *synonyms.Dict) []source.Problem {
	var out []source.Problem
	for _, e := range dict.Entries {
		same := slices.Equal(e.Senses, built.Senses(e.Head))
		for _, form := range append([]string{e.Head}, e.Also...) {
			words := built.Words(form)
			same = same && len(words) > 0 && words[0].Text == e.Head && words[0].Known && words[0].Generic == e.Generic
		}
		if same {
			out = append(out, source.Problem{Place: e.Place, Text: e.Head + " says what the built-in entry says"})
		}
	}
	for _, s := range dict.Sets {
		means := func(phrase string, others []string) bool {
			for _, p := range built.English(phrase) {
				if p.Start == 0 && p.End == len(phrase) {
					return !slices.ContainsFunc(others, func(o string) bool {
						return o != phrase && !slices.Contains(p.Means,
							terms.Joined(o))
					})
				}
			}
			return false
		}
		from, to := s.Say, s.Means
		if len(s.Same) > 0 {
			from, to = s.Same, s.Same
		}
		if !slices.ContainsFunc(from, func(phrase string) bool { return !means(phrase, to) }) {
			out = append(out, source.Problem{Place: s.Place, Text: fmt.Sprintf("the set of %q says what a built-in set says",
				from[0])})
		}
	}
	return out
}

// maxLookedUp is how many entries of a dictionary are looked up among the skills: a
// lookup takes some microseconds, and people write dozens.
const maxLookedUp = 2000

// unmet finds the entries none of whose words stands in any installed skill.
func (c *checkup) unmet(ctx context.Context, dict *source.Dictionary) ([]source.Problem, error) {
	var places []source.Problem
	var texts [][]string
	for _, e := range dict.Entries {
		places = append(places, source.Problem{Place: e.Place, Text: fmt.Sprintf("no installed skill has a word of %s (%s)",
			e.Head, strings.Join(e.Senses, ", "))})
		texts = append(texts, append(append([]string{e.Head}, e.Also...), e.Senses...))
	}
	for _, s := range dict.Sets {
		words := append(slices.Clone(s.Means), s.Same...)
		places = append(places, source.Problem{Place: s.Place, Text: fmt.Sprintf("no installed skill has a word of %q",
			words[0])})
		texts = append(texts, words)
	}
	texts = texts[:min(len(texts), maxLookedUp)]
	met, err := c.probe.met(ctx, texts)
	if err != nil {
		return nil, err
	}
	var out []source.Problem
	for i, ok := range met {
		if !ok {
			out = append(out, places[i])
		}
	}
	return out, nil
}

// errNotIndexed says that there is no index to look words up in, which has a check of
// its own.
var errNotIndexed = errors.New("no index")

// wordsMet reports for each list of texts whether any word of it stands in an installed
// skill. It fails with errNotIndexed where none is indexed.
func wordsMet(ctx context.Context, a *app.App, d dirs.Dirs, s gate.Settings, lists [][]string) ([]bool, error) {
	g, err := gate.Open(d, a.Cwd, s)
	if err != nil {
		return nil, errNotIndexed
	}
	defer g.Close()
	out := make([]bool, len(lists))
	for i, texts := range lists {
		for _, text := range texts {
			res, err := g.Ranker().Search(ctx, g.Ranker().Parse(terms.Normal(text)))
			if err != nil {
				return nil, err
			}
			for _, concept := range res.Query.Concepts {
				for j := range concept.Alts {
					out[i] = out[i] || concept.Alts[j].Docs() > 0
				}
			}
		}
	}
	return out, nil
}
