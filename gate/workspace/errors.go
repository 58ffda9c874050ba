package workspace

import (
	"fmt"

	"github.com/skillgate/skillgate/gate/regular"
)

// Problem is a reason why skills cannot be opened.
type Problem int

// The problems that the user can solve.
const (
	BadLibrary    Problem = iota // a path is missing or not a library
	NoSkills                     // a library is empty
	BadDictionary                // the user's synonyms.yaml has errors
	BadState                     // the state folder cannot be read
	CannotBuild                  // the cache folder cannot be written
)

// Error says why skills cannot be opened.
type Error struct {
	Problem Problem
	File    string // path of the library, dictionary or folder
	Err     error
}

// Error returns the text of e.Err, which names the file.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

func badLibrary(path string, err error) error {
	return &Error{BadLibrary, path, fmt.Errorf("library %s: %w", path, regular.Reason(err))}
}

func noSkills(library string) error {
	return &Error{NoSkills, library, fmt.Errorf("no skills found in %s", library)}
}
