//go:build onnx

package main

import (
	"bytes"
	"os"
	"runtime/debug"
	"strconv"

	"golang.org/x/sys/unix"
)

// heapLimit is ample for requests and replies; the model lives outside Go's heap.
const heapLimit = 64 << 20

// bound keeps the process small and makes it the first to go when memory is short.
func bound() {
	debug.SetMemoryLimit(heapLimit)
	debug.SetGCPercent(50)
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("500"), 0) // best effort
}

// headroom is what a batch, the runtime and a few threads need besides the weights.
const headroom = 512 << 20

// limitMemory lets the process have twice the model's size and headroom more than
// it has now, so that a model that allocates without end fails alone.
func limitMemory(model int64) {
	now := int64(statm(5))
	limit := uint64(now + 2*model + headroom)
	// best effort: the kernel still has its own limit
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: limit, Max: limit})
}

// rss returns the resident memory in bytes.
func rss() int64 { return int64(statm(1)) }

// statm returns one number of /proc/self/statm in bytes, 0 where it cannot be read.
func statm(field int) int {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	parts := bytes.Fields(b)
	if field >= len(parts) {
		return 0
	}
	n, err := strconv.Atoi(string(parts[field]))
	if err != nil {
		return 0
	}
	return n * os.Getpagesize()
}
