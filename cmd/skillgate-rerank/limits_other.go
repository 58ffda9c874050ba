//go:build onnx && !linux

package main

import "runtime/debug"

// heapLimit is enough for requests and replies; the model is outside the Go heap.
const heapLimit = 64 << 20

func bound() {
	debug.SetMemoryLimit(heapLimit)
	debug.SetGCPercent(50)
}

// limitMemory does nothing: macOS does not enforce RLIMIT_DATA.
func limitMemory(int64) {}

func rss() int64 { return 0 }
