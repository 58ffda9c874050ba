//go:build onnx

package main

import (
	"bytes"
	"os"
	"runtime/debug"
	"strconv"

	"golang.org/x/sys/unix"
)

// heapLimit is enough for requests and replies; the model is outside the Go heap.
const heapLimit = 64 << 20

// bound keeps the process small and makes it the first to be killed when memory is short.
func bound() {
	debug.SetMemoryLimit(heapLimit)
	debug.SetGCPercent(50)
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("500"), 0) // best effort
}

// headroom is the memory for a batch, the runtime and a few threads, in bytes.
const headroom = 512 << 20

// limitMemory limits the growth of the process to twice the size of the model plus headroom, so that a model
// that allocates too much fails without harm to others.
func limitMemory(model int64) {
	now := int64(statm(5))
	limit := uint64(now + 2*model + headroom)
	// Best effort: if memory runs out, the kernel kills this process first.
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: limit, Max: limit})
}

func rss() int64 { return int64(statm(1)) }

// statm returns one number of /proc/self/statm in bytes, or 0 if it cannot be read.
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
