package main

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// table prints figures as they come.
type table struct {
	out    io.Writer
	failed int
}

func (t *table) title() {
	fmt.Fprintf(t.out, "%-58s %14s   %-12s\n", "figure", "measured", "limit")
}

// row prints one figure. limit 0 is no limit.
func (t *table) row(name string, value float64, unit string, limit float64) {
	decimals := 1
	if unit == "" {
		decimals = 0
	}
	end := ""
	if limit > 0 || unit == "" {
		end = fmt.Sprintf("≤ %.*f %s", decimals, limit, unit)
		if value > limit {
			end += "  OVER"
			t.failed++
		}
	}
	fmt.Fprintf(t.out, "%-58s %14s   %s\n", name, fmt.Sprintf("%.*f %s", decimals, value, unit), end)
}

// sample is what some runs of one thing took.
type sample struct {
	times []time.Duration
	rss   int64 // highest, bytes
}

func (s *sample) add(r result) {
	s.times = append(s.times, r.wall)
	s.rss = max(s.rss, r.rss)
}

// percentile returns the p-th percentile in milliseconds, by nearest rank.
func (s *sample) percentile(p int) float64 {
	sorted := slices.Sorted(slices.Values(s.times))
	if len(sorted) == 0 {
		return 0
	}
	i := (len(sorted)*p+99)/100 - 1
	return float64(sorted[max(i, 0)].Microseconds()) / 1000
}

func megabytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }
