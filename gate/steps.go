package gate

import (
	"context"
	"slices"
)

// steps searches each step of a composite request separately and takes candidates from the steps in turn. whole has the
// candidates for the whole prompt.
func (r *run) steps(ctx context.Context, whole []candidate) ([]candidate, error) {
	lists := make([][]candidate, len(r.req.Prompt.Steps))
	for i, step := range r.req.Prompt.Steps {
		res, err := r.ranker.Search(ctx, r.ranker.Parse(window(step)))
		if err != nil {
			return nil, err
		}
		r.d.searched(&res)
		lists[i] = r.resolve(&res, r.pool(&res, poolSize, false))
		r.explain(&res, lists[i], compositeK)
	}
	var out []candidate
	seen := map[string]bool{}
	// A skill that matches the whole request often serves several of its steps.
	for _, c := range whole[:min(wholeFirst, len(whole))] {
		c.Step = stepOf(c.ID, lists)
		seen[c.ID] = true
		out = append(out, c)
	}
	for round := 0; round < poolSize; round++ {
		for i := range lists {
			for len(lists[i]) > 0 {
				c := lists[i][0]
				lists[i] = lists[i][1:]
				if seen[c.ID] {
					continue
				}
				seen[c.ID] = true
				c.Step = i + 1
				out = append(out, c)
				break
			}
		}
	}
	for _, c := range whole {
		if !seen[c.ID] {
			out = append(out, c)
		}
	}
	return out, nil
}

const wholeFirst = 2

func stepOf(id string, lists [][]candidate) int {
	step, best := 0, poolSize
	for i, list := range lists {
		at := slices.IndexFunc(list, func(c candidate) bool { return c.ID == id })
		if at >= 0 && at < best {
			step, best = i+1, at
		}
	}
	return step
}
