package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/synonyms/source"
)

// synonyms checks the user's own dictionary, where there is one: that it can be read, that nothing is
// wrong in it, and that its entries change anything here.
func (c *checkup) synonyms(ctx context.Context) {
	const check = "synonyms"
	file := workspace.DictFile(c.dirs)
	dict, err := workspace.ReadDict(file)
	switch {
	case err != nil:
		fix := "correct it, then skillgate index"
		var exit *app.Error
		if errors.As(app.OpenError(err), &exit) && exit.Hint != "" {
			fix = exit.Hint
		}
		c.add(check, statusWarn, fix, "%s; until then none of your words count", strings.TrimPrefix(err.Error(),
			"synonyms: "))
		return
	case dict == nil: // most people have none
		return
	}
	if problems := dict.Check(); len(problems) > 0 {
		c.addProblems(check, "correct the line, then skillgate index",
			"; until then none of your words count", problems)
		return
	}
	idle := workspace.RepeatedWords(dict, synonyms.Default())
	unmet, err := workspace.UnmetWords(dict, func(lists [][]string) ([]bool, error) { return c.probe.met(ctx, lists) })
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
		c.addProblems(check,
			"take the entry out, or give it other words (`skillgate synonyms explain WORD` shows what is searched)", "", idle)
		return
	}
	c.add(check, statusOK, "", "%s: %d Korean words, %d English sets", file, len(dict.Entries), len(dict.Sets))
}

func (c *checkup) addProblems(check, fix, then string, problems []source.Problem) {
	for i, p := range problems[:min(len(problems), workspace.ShownProblems)] {
		more := ""
		if n := len(problems) - workspace.ShownProblems; n > 0 && i == workspace.ShownProblems-1 {
			more = fmt.Sprintf(" (and %d more like it)", n)
		}
		c.add(check, statusWarn, fix, "%s%s%s", p, then, more)
	}
}

// errNotIndexed says that there is no index to look words up in, which has a check of its own.
var errNotIndexed = errors.New("no index")
