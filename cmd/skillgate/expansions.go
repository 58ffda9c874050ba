package main

import (
	"errors"
	"io/fs"

	"github.com/skillgate/skillgate/gate/enrich"
)

// readEnrichment reads a file of expansions, "" for none.
func readEnrichment(file string) ([]enrich.Expansion, error) {
	if file == "" {
		return nil, nil
	}
	list, err := enrich.ReadFile(file)
	if err != nil {
		return nil, enrichmentError(err)
	}
	return list, nil
}

// enrichmentError adds what a file of expansions looks like.
func enrichmentError(err error) error {
	hint := `one {"id","ko","en","kw"} object a line, with an id that no other line has`
	if errors.Is(err, fs.ErrNotExist) {
		hint = "`skillgate enrich export` writes such a file"
	}
	return &exitError{code: 3, err: err, hint: hint}
}
