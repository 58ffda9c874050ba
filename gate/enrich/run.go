package enrich

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Options holds the limits, checks and callbacks of Run.
type Options struct {
	Languages []string
	Batch     int           // skills per request
	Jobs      int           // concurrent requests
	Attempts  int           // attempts of one request before its skills are given up
	Timeout   time.Duration // time limit of one attempt
	Checker   *Checker

	// Save stores an expansion before the next one arrives. Run stops if it fails. Like Progress it is called from
	// one goroutine at a time.
	Save     func(Expansion) error
	Progress func(done, total int) // done counts skills that were written or given up; may be nil

	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
}

// Report is the result of a run.
type Report struct {
	Skills   int       `json:"skills"`  // number of skills asked about
	Written  int       `json:"written"` // expansions saved
	Phrases  int       `json:"phrases"`
	Dropped  Tally     `json:"dropped"` // rejected phrases by reason
	Failed   []Failure `json:"failed,omitempty"`
	Requests int       `json:"requests"`
	Usage    Usage     `json:"usage"`
	Seconds  float64   `json:"seconds"`
	Stopped  string    `json:"stopped,omitempty"` // reason for ending early
}

// Failure is a skill without an expansion.
type Failure struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// Waits between attempts. Each is twice as long as the one before. A wait requested by the provider is obeyed, up to
// the maximum.
const (
	firstBackoff = time.Second
	maxBackoff   = 2 * time.Minute
)

// maxGivenUp is the number of consecutive failed requests after which a run stops, because the provider is down.
const maxGivenUp = 3

// Run asks m about skills and saves the expansions that pass the checks. Each is saved at once, so a killed run loses
// only the pending requests. The report contains the errors of single skills. Run returns an error with the report if
// it could not continue: the provider refuses or keeps failing, or ctx ends.
func Run(ctx context.Context, m *Model, skills []Skill, o Options) (Report, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := &run{model: m, o: o, stop: stop, total: len(skills), report: Report{Skills: len(skills), Dropped: Tally{}}}
	start := o.Now()
	batches := make(chan []Skill)
	var workers sync.WaitGroup
	for range max(1, o.Jobs) {
		workers.Go(func() {
			for batch := range batches {
				r.batch(ctx, batch)
			}
		})
	}
send:
	for batch := range slices.Chunk(skills, max(1, o.Batch)) {
		select {
		case batches <- batch:
		case <-ctx.Done():
			break send
		}
	}
	close(batches)
	workers.Wait()
	r.report.Seconds = o.Now().Sub(start).Seconds()
	slices.SortFunc(r.report.Failed, func(a, b Failure) int { return cmp.Compare(a.ID, b.ID) })
	if err := context.Cause(ctx); err != nil {
		r.report.Stopped = err.Error()
		return r.report, err
	}
	return r.report, nil
}

type run struct {
	model *Model
	o     Options
	stop  context.CancelCauseFunc
	total int

	mu      sync.Mutex
	report  Report
	done    int
	givenUp int       // consecutive failed requests
	pause   time.Time // no request starts before this time: a rate limit applies to all workers
}

func (r *run) batch(ctx context.Context, skills []Skill) {
	for attempt := 1; len(skills) > 0 && ctx.Err() == nil; attempt++ {
		if r.wait(ctx) != nil {
			return
		}
		left, err := r.attempt(ctx, skills)
		if ctx.Err() != nil {
			return
		}
		var fault *Fault
		if errors.As(err, &fault) && !fault.Temporary {
			r.stop(err)
			return
		}
		answered := len(left) < len(skills)
		skills = left
		switch {
		case len(skills) == 0:
			r.answered()
		case answered:
			attempt = 0 // the remaining skills get all attempts again
			r.answered()
		case attempt >= max(1, r.o.Attempts):
			r.giveUp(skills, err)
			return
		case fault == nil && len(skills) > 1:
			// The answer had the wrong form. Smaller batches succeed more often.
			r.batch(ctx, skills[:len(skills)/2])
			skills = skills[len(skills)/2:]
			attempt--
		default:
			r.backOff(fault, attempt)
		}
	}
}

func (r *run) attempt(ctx context.Context, skills []Skill) ([]Skill, error) {
	one, cancel := context.WithTimeout(ctx, r.o.Timeout)
	defer cancel()
	list, usage, err := r.model.Expand(one, skills)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Requests++
	r.report.Usage.add(usage)
	left := slices.Clone(skills)
	for _, x := range list {
		at := slices.IndexFunc(left, func(s Skill) bool { return s.ID == x.ID })
		if at < 0 {
			continue
		}
		checked, dropped := r.o.Checker.Expansion(x)
		if bad := usable(checked, r.o.Languages, dropped); bad != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", x.ID, bad))
			continue
		}
		if failed := r.o.Save(checked); failed != nil {
			r.stop(failed)
			return left, failed
		}
		left = slices.Delete(left, at, at+1)
		r.report.Written++
		r.report.Phrases += len(checked.Phrases)
		r.report.Dropped.add(dropped)
		r.step(1)
	}
	if len(left) > 0 && err == nil {
		err = errAnswer
	}
	return left, err
}

func (r *run) step(n int) {
	r.done += n
	if r.o.Progress != nil {
		r.o.Progress(r.done, r.total)
	}
}

func (r *run) answered() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.givenUp = 0
}

func (r *run) giveUp(skills []Skill, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range skills {
		r.report.Failed = append(r.report.Failed, Failure{s.ID, err.Error()})
	}
	r.step(len(skills))
	if r.givenUp++; r.givenUp >= maxGivenUp {
		r.stop(fmt.Errorf("%d consecutive requests failed; the last error: %w", r.givenUp, err))
	}
}

func (r *run) backOff(fault *Fault, attempt int) {
	if fault == nil {
		return // the model answered in the wrong form, so there is no need to wait
	}
	d := fault.pause(attempt)
	r.mu.Lock()
	defer r.mu.Unlock()
	if until := r.o.Now().Add(d); until.After(r.pause) {
		r.pause = until
	}
}

func (r *run) wait(ctx context.Context) error {
	r.mu.Lock()
	d := r.pause.Sub(r.o.Now())
	r.mu.Unlock()
	if d <= 0 {
		return ctx.Err()
	}
	return r.o.Sleep(ctx, d)
}

// Sleep waits for d or until ctx ends.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
