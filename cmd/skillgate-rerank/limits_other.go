//go:build onnx && !linux

package main

import "runtime/debug"

// heapLimit is ample for requests and replies; the model lives outside Go's heap.
const heapLimit = 64 << 20

// bound keeps the process small.
func bound() {
	debug.SetMemoryLimit(heapLimit)
	debug.SetGCPercent(50)
}

// limitMemory has no means here: macOS does not enforce RLIMIT_DATA.
func limitMemory(int64) {}

// rss is not known here.
func rss() int64 { return 0 }
