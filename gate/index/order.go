package index

import (
	"iter"
	"runtime"
	"sync"

	"github.com/skillgate/skillgate/gate/system"
)

// outcome is the result of a call. If the call panicked, err reports the panic.
type outcome[T any] struct {
	value T
	err   error
}

// inOrder calls f for 0 to n-1 on all processors and yields the results in order. Only a few results are buffered. When
// the loop ends, no call of f is running.
func inOrder[T any](n int, f func(i int) (T, error)) iter.Seq2[int, outcome[T]] {
	return func(yield func(int, outcome[T]) bool) {
		// Result i is sent to channel i modulo the number of channels, which limits the number of unread results.
		results := make([]chan outcome[T], 64*runtime.GOMAXPROCS(0))
		for i := range results {
			results[i] = make(chan outcome[T], 1)
		}
		numbers := make(chan int, len(results))
		var all sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			all.Go(func() {
				for i := range numbers {
					var out outcome[T]
					out.err = system.Caught(func() (err error) {
						out.value, err = f(i)
						return err
					})
					results[i%len(results)] <- out
				}
			})
		}
		defer func() {
			close(numbers)
			for range numbers { // drop the remaining numbers
			}
			all.Wait()
		}()
		given := 0
		for i := range n {
			for ; given < n && given < i+len(results); given++ {
				numbers <- given
			}
			if !yield(i, <-results[i%len(results)]) {
				return
			}
		}
	}
}
