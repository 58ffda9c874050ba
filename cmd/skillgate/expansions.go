package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// readEnrichment reads a file of expansions, one {"id","ko","en","kw"} object a
// line, and returns the look-up that the index takes. "" gives nil.
func readEnrichment(file string) (func(id, hash string) []string, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, &exitError{code: 3, err: fmt.Errorf("enrichment: %w", err), hint: `one {"id","ko","en","kw"} object a line, ids those of --library`}
	}
	defer f.Close()
	byID := map[string][]string{}
	r := bufio.NewReaderSize(f, 1<<20)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if len(line) > 1 {
			var x struct {
				ID         string `json:"id"`
				Ko, En, Kw []string
			}
			if err := json.Unmarshal(line, &x); err != nil {
				return nil, &exitError{code: 3, err: fmt.Errorf("enrichment: %s:%d: %w", file, n, err)}
			}
			if _, twice := byID[x.ID]; twice || x.ID == "" {
				return nil, &exitError{code: 3, err: fmt.Errorf("enrichment: %s:%d: id %q is missing or stands twice", file, n, x.ID)}
			}
			byID[x.ID] = append(append(x.Ko, x.En...), x.Kw...)
		}
		if errors.Is(err, io.EOF) {
			return func(id, _ string) []string { return byID[id] }, nil
		}
		if err != nil {
			return nil, &exitError{code: 3, err: fmt.Errorf("enrichment: %s: %w", file, err)}
		}
	}
}
