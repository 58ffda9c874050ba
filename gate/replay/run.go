package replay

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/system"
	"golang.org/x/sync/errgroup"
)

// Skipped is the reason why a prompt is not compared, or "".
type Skipped string

const (
	NotKept   Skipped = "not_kept"   // the log has at most the prompt's hash
	NotLogged Skipped = "not_logged" // the log has no decision for the prompt
	Failed    Skipped = "failed"     // the logged decision is an error, for example because there was no index
	CutOff    Skipped = "deadline"   // the deadline cut the logged decision short
	NoIndex   Skipped = "no_index"   // the prompt's skills have no index
)

// Result compares the decisions of both sides for one prompt.
type Result struct {
	Prompt  *Prompt
	A, B    Answer
	Skipped Skipped // "" if both sides answered
	Why     error   // the error if Skipped is NoIndex
	Change  Change
	Cause   string
}

// Job configures a run over past prompts.
type Job struct {
	Source Source
	Filter store.Filter
	A, B   *Side
	Notes  *Notes

	Progress func(done int) // called from one goroutine at a time; may be nil
}

// chunk is the number of prompts that are read before they are distributed to the processors. It is large so that
// waiting for the slowest processor costs little.
const chunk = 512

// Run decides every prompt on both sides and passes the results to yield in the order of the source. It stops at the
// first error of the source or of yield.
func Run(ctx context.Context, j Job, yield func(*Result) error) error {
	memoryA, memoryB := newMemory(), newMemory()
	askers := make([][2]*asker, runtime.GOMAXPROCS(0))
	for i := range askers {
		askers[i] = [2]*asker{newAsker(j.A, memoryA), newAsker(j.B, memoryB)}
		defer askers[i][0].close()
		defer askers[i][1].close()
	}
	var results []*Result
	n := 0
	flush := func() error {
		var next atomic.Int64
		var all errgroup.Group
		for _, a := range askers {
			all.Go(func() error {
				return system.Caught(func() error {
					for i := next.Add(1); int(i) <= len(results); i = next.Add(1) {
						if err := results[i-1].ask(ctx, a[0], a[1]); err != nil {
							return err
						}
					}
					return nil
				})
			})
		}
		if err := all.Wait(); err != nil {
			return err
		}
		for _, r := range results {
			if err := yield(r); err != nil {
				return err
			}
		}
		n += len(results)
		results = results[:0]
		if j.Progress != nil {
			j.Progress(n)
		}
		return nil
	}
	err := j.Source(ctx, j.Filter, j.Notes, func(p *Prompt) error {
		if results = append(results, &Result{Prompt: p}); len(results) == chunk {
			return flush()
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	return flush()
}

func (r *Result) ask(ctx context.Context, a, b *asker) error {
	p := r.Prompt
	switch {
	case p.Form() == Impossible:
		r.Skipped = NotKept
		return nil
	case a.side.Logged && p.Recorded == nil:
		r.Skipped = NotLogged
		return nil
	case a.side.Logged && cutOff(p.Recorded):
		r.Skipped = CutOff
		return nil
	case a.side.Logged && p.Recorded.Verdict == gate.Error:
		r.Skipped = Failed
		return nil
	}
	var err error
	if r.A, err = a.answer(ctx, p); err == nil {
		if r.B = r.A; a.side != b.side {
			r.B, err = b.answer(ctx, p)
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.Skipped, r.Why = NoIndex, err
		return nil
	}
	r.Change = Compare(r.A.Decision, r.B.Decision)
	r.Cause = cause(r.Change, &r.A, &r.B, a.side, b.side)
	return nil
}
