//go:build race

package main

const raceDetector = true

// raceOptions spare each process the second that the race detector sleeps at its end.
const raceOptions = "atexit_sleep_ms=0"
