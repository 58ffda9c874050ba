package gate

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/skillgate/skillgate/gate/rerank"
)

// Reranker scores how well candidates fit a prompt. rerank.Client implements it.
type Reranker interface {
	// Rerank returns logits for as many docs as it can score in time, starting with the first.
	Rerank(ctx context.Context, query string, docs []rerank.Doc) (rerank.Result, error)
}

// rerank sorts the first candidates by a blend of their scores and the reranker's. Candidates that score too low to be
// suggested stay after the others, so that the number of suggestions does not change. After an error it returns list
// unchanged and adds a note. It may take up to rerank.deadline_ms, in addition to deadline_ms.
func (r *run) rerank(ctx context.Context, list []candidate) []candidate {
	s, d := r.Settings.Rerank, r.d
	if !s.Enabled || s.Blend == 0 || r.Reranker == nil || len(list) < 2 {
		return list
	}
	if ctx.Err() != nil {
		d.Notes = append(d.Notes, RerankNote+"deadline_ms had already passed")
		return list
	}
	start := time.Now()
	defer func() { d.Ms.Rerank = ms(time.Since(start)) }()
	n := min(s.Pairs, len(list))
	docs, scores := make([]rerank.Doc, n), make([]float64, n)
	for i, c := range list[:n] {
		docs[i] = rerank.Doc{Name: c.Name, Description: c.doc.Description}
		if file, err := r.Resolve(c.Path); err == nil {
			docs[i].Contract, docs[i].Passage = rerank.Body(file, words(c.Matched))
		}
		scores[i] = c.Score
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Duration(s.DeadlineMs)*time.Millisecond)
	defer cancel()
	result, err := r.Reranker.Rerank(limited, r.req.Prompt.Text, docs)
	r.NoHelper = errors.Is(err, rerank.ErrNoHelper)
	if err != nil {
		d.Notes = append(d.Notes, RerankNote+err.Error())
		return list
	}
	if len(result.Scores) == 0 {
		return list
	}
	out := slices.Clone(list)
	for i, score := range rerank.Blend(scores, result, s.Blend) {
		out[i].Rerank = score
	}
	floor := r.Settings.ScoreMin
	for _, c := range list {
		floor = max(floor, minShareOfBest*c.Score)
	}
	slices.SortStableFunc(out[:len(result.Scores)], func(a, b candidate) int {
		switch aboveA, aboveB := a.Score >= floor, b.Score >= floor; {
		case aboveA != aboveB && aboveA, aboveA == aboveB && a.Rerank > b.Rerank:
			return -1
		case aboveA != aboveB, a.Rerank < b.Rerank:
			return 1
		}
		return 0
	})
	return out
}

// RerankNote is the prefix of the note on why a decision was not reranked.
const RerankNote = "not reranked: "

// words returns the index terms in matched with the sums of their scores.
func words(matched []Match) []rerank.Word {
	var out []rerank.Word
	for _, m := range matched {
		text := cmp.Or(m.Via, m.Term)
		if i := slices.IndexFunc(out, func(w rerank.Word) bool { return w.Text == text }); i >= 0 {
			out[i].Weight += m.Score
			continue
		}
		out = append(out, rerank.Word{Text: text, Weight: m.Score})
	}
	return out
}
