package replay

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/system"
)

// Skipped says why a prompt was not compared.
type Skipped string

const (
	NotKept   Skipped = "not_kept"   // the log has its hash, or nothing
	NotLogged Skipped = "not_logged" // no decision was logged for it
	Failed    Skipped = "failed"     // the logged decision is an error: no index
	CutOff    Skipped = "deadline"   // the logged decision was cut short by the deadline
	NoIndex   Skipped = "no_index"   // its skills have no index to replay over
)

// Result is what both sides say about one prompt.
type Result struct {
	Prompt  *Prompt
	A, B    Answer
	Skipped Skipped // "" where both answered
	Why     error   // of NoIndex
	Change  Change
	Cause   string
}

// Job is one run over past prompts.
type Job struct {
	Source Source
	Filter store.Filter
	A, B   *Side
	Notes  *Notes

	Progress func(done int) // called from one goroutine; may be nil
}

// batch is how many prompts a worker takes at once: enough that handing them
// over costs nothing.
const batch = 32

// Run asks both sides about every prompt and hands the results to yield in the
// order of the source. It stops at the first error of source or yield.
func Run(ctx context.Context, j Job, yield func(*Result) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type work struct {
		results []*Result
		err     error
		done    chan struct{}
	}
	workers := runtime.GOMAXPROCS(0)
	todo := make(chan *work, workers)
	order := make(chan *work, 2*workers)
	memoryA, memoryB := newMemory(), newMemory()
	var wg sync.WaitGroup
	var failed error
	wg.Go(func() {
		defer close(order)
		defer close(todo)
		var open *work
		flush := func() error {
			if open == nil {
				return nil
			}
			w := open
			open = nil
			for _, c := range []chan *work{order, todo} {
				select {
				case c <- w:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		}
		failed = system.Caught(func() error {
			return j.Source(ctx, j.Filter, j.Notes, func(p *Prompt) error {
				if open == nil {
					open = &work{done: make(chan struct{})}
				}
				if open.results = append(open.results, &Result{Prompt: p}); len(open.results) == batch {
					return flush()
				}
				return ctx.Err()
			})
		})
		if failed == nil {
			failed = flush()
		}
	})
	for range workers {
		wg.Go(func() {
			a, b := newAsker(j.A, memoryA), newAsker(j.B, memoryB)
			for w := range todo {
				w.err = system.Caught(func() error {
					for _, r := range w.results {
						if err := r.ask(ctx, a, b); err != nil {
							return err
						}
					}
					return nil
				})
				close(w.done)
			}
			a.close()
			b.close()
		})
	}
	var err error
	n := 0
	for w := range order {
		if err != nil {
			continue
		}
		select {
		case <-w.done:
			err = w.err
		case <-ctx.Done():
			err = ctx.Err()
		}
		for _, r := range w.results {
			if err != nil {
				stop()
				break
			}
			err = yield(r)
			n++
		}
		if j.Progress != nil {
			j.Progress(n)
		}
	}
	wg.Wait()
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return errors.Join(failed, err)
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
