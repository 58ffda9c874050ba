package serve

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/rerank/tokenizer"
)

// batch is the number of pairs that run at once. Between batches the helper checks the time budget and whether the
// client is still connected.
const batch = 5

func (s *Server) rank(req rerank.Request, out *writer) {
	arrived := time.Now()
	s.mu.Lock()
	m, failed, perToken := s.model, s.failed, s.msPerToken
	s.lastUse = arrived
	s.mu.Unlock()
	refuse := func(reason string) {
		s.mu.Lock()
		s.refused++
		s.lastReason = reason
		s.mu.Unlock()
		out.send(rerank.Reply{Kind: rerank.Refused, Reason: reason})
	}
	switch {
	case failed != "":
		refuse(failed)
		return
	case m == nil:
		refuse("the helper is starting")
		return
	case len(req.Docs) < 2 || len(req.Docs) > maxDocs:
		refuse(fmt.Sprintf("the request has %d documents but must have 2 to %d", len(req.Docs), maxDocs))
		return
	}
	texts := tokenize(m.Tokenizer, req.Query, req.Docs)
	plan, ok := fit(texts, m, perToken, req.BudgetMs)
	if !ok {
		// The machine may have been busy when the time per token was measured. Lowering it step by step keeps the
		// helper from refusing forever.
		s.mu.Lock()
		s.msPerToken = perToken * 0.8
		s.mu.Unlock()
		refuse(fmt.Sprintf("this machine is too slow: %.3f ms per token, time limit %.0f ms", perToken, req.BudgetMs))
		return
	}
	out.send(rerank.Reply{Kind: rerank.Accepted})
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(aliveEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				out.send(rerank.Reply{Kind: rerank.Alive})
			}
		}
	}()
	scores, err := s.score(m, plan, arrived, req.BudgetMs, out)
	close(done)
	if err != nil {
		refuse(err.Error())
		return
	}
	s.mu.Lock()
	s.ranked++
	s.lastUse = time.Now()
	s.mu.Unlock()
	out.send(rerank.Reply{Kind: rerank.Scores, Scores: scores, Scale: m.Scale})
}

func (s *Server) score(m *Model, plan []tokenizer.Pair, arrived time.Time, budgetMs float64,
	out *writer) ([]float64, error) {
	left := func() time.Duration { return time.Duration(budgetMs*1e6) - time.Since(arrived) }
	wait := time.NewTimer(max(left()/2, 0))
	defer wait.Stop()
	select {
	case <-s.run:
	case <-wait.C:
		return nil, fmt.Errorf("the helper is busy with another prompt")
	}
	defer func() { s.run <- struct{}{} }()
	var scores []float64
	for from := 0; from < len(plan); from += batch {
		if out.left() {
			return nil, fmt.Errorf("the client closed the connection")
		}
		rows := Pad(plan[from:min(from+batch, len(plan))], m.Tokenizer.Pad())
		tokens := float64(len(rows) * len(rows[0].IDs))
		s.mu.Lock()
		need := time.Duration(tokens * s.msPerToken * 1e6)
		s.mu.Unlock()
		if from > 0 && need > left() {
			break
		}
		start := time.Now()
		stuck := time.AfterFunc(s.Stuck, s.Abort)
		got, err := m.Score(rows)
		stuck.Stop()
		if err == nil {
			err = Finite(got, len(rows))
		}
		if err != nil {
			return nil, err
		}
		s.learn(time.Since(start), tokens)
		scores = append(scores, got...)
	}
	return scores, nil
}

// learn updates the measured speed. Slower runs count more than faster ones.
func (s *Server) learn(took time.Duration, tokens float64) {
	now := took.Seconds() * 1000 / tokens
	s.mu.Lock()
	defer s.mu.Unlock()
	if now > s.msPerToken {
		s.msPerToken = (s.msPerToken + now) / 2
	} else {
		s.msPerToken = 0.7*s.msPerToken + 0.3*now
	}
}

// fit chooses which pairs to run, and their length, for a budget. It takes the greatest length at which five pairs fit
// into the budget, and then as many pairs as fit. At the smallest length, two pairs are enough.
func fit(texts []text, m *Model, msPerToken, budgetMs float64) ([]tokenizer.Pair, bool) {
	room := budgetMs * rerank.Share / msPerToken
	for _, limit := range []int{128, 96, rerank.ShortPair} {
		limit = min(limit, m.MaxTokens)
		var plan []tokenizer.Pair
		for _, t := range texts {
			plan = append(plan, t.pair(m.Tokenizer, limit))
		}
		n := 0
		for n < len(plan) && cost(plan[:n+1]) <= room {
			n++
		}
		least := min(batch, len(plan))
		if limit <= rerank.ShortPair {
			least = 2
		}
		if n >= least {
			return plan[:n], true
		}
	}
	return nil, false
}

func cost(plan []tokenizer.Pair) float64 {
	sum := 0
	for part := range slices.Chunk(plan, batch) {
		sum += len(part) * longest(part)
	}
	return float64(sum)
}

func longest(rows []tokenizer.Pair) int {
	return len(slices.MaxFunc(rows, func(a, b tokenizer.Pair) int { return cmp.Compare(len(a.IDs), len(b.IDs)) }).IDs)
}

// Pad returns rows of equal length. The added tokens have the ID id and the type Padding, which means an attention mask
// of 0.
func Pad(rows []tokenizer.Pair, id int32) []tokenizer.Pair {
	n := longest(rows)
	out := make([]tokenizer.Pair, len(rows))
	for i, r := range rows {
		out[i] = tokenizer.Pair{IDs: slices.Clone(r.IDs), Types: slices.Clone(r.Types)}
		for len(out[i].IDs) < n {
			out[i].IDs = append(out[i].IDs, id)
			out[i].Types = append(out[i].Types, Padding)
		}
	}
	return out
}

// Padding is the type of tokens that fill up a row.
const Padding = -1

// Finite returns an error unless scores consists of n finite numbers.
func Finite(scores []float64, n int) error {
	if len(scores) != n {
		return fmt.Errorf("the model returned %d scores for %d pairs", len(scores), n)
	}
	for _, v := range scores {
		if math.IsNaN(v) || math.Abs(v) > 1e9 {
			return fmt.Errorf("the model returned the invalid score %v", v)
		}
	}
	return nil
}
