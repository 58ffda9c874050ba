package main

import (
	"errors"
	"io/fs"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/enrich"
)

// readEnrichment reads a file of expansions and returns the look-up that the index
// takes. "" gives nil.
func readEnrichment(file string) (func(id, hash string) []string, error) {
	if file == "" {
		return nil, nil
	}
	list, err := enrich.ReadFile(file)
	if err != nil {
		return nil, enrichmentError(err)
	}
	return enrich.Lookup(list), nil
}

// enrichmentError adds what a file of expansions looks like.
func enrichmentError(err error) error {
	hint := `one {"id","ko","en","kw"} object a line, with an id that no other line has`
	if errors.Is(err, fs.ErrNotExist) {
		hint = "`skillgate enrich export` writes such a file"
	}
	return &exitError{code: 3, err: err, hint: hint}
}

// expansions returns the look-up of the user's own expansions for the index.
func expansions(d dirs.Dirs) (func(id, hash string) []string, error) {
	s, err := enrich.Load(d.State)
	if err != nil {
		return nil, err
	}
	return s.Lookup, nil
}
