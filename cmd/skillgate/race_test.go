//go:build race

package main

const raceDetector = true

const raceOptions = "atexit_sleep_ms=0"
