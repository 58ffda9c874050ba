//go:build !linux

package system

func resetTimerSlack() {}
