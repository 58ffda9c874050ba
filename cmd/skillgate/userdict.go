package main

import (
	"github.com/skillgate/skillgate/gate/dirs"
)

// compileUserDict compiles the user's synonyms.yaml; nil where there is none.
func compileUserDict(d dirs.Dirs) ([]byte, error) {
	return nil, nil
}
