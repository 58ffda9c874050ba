package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/synonyms/source"
)

const (
	maxUserDict     = 64 << 20 // bytes of a synonyms.yaml; 100,000 entries take about 7 MB
	shownUserErrors = 5        // problems that an error lists; `synonyms check` lists all
)

// userDictFile is the user's own dictionary, which need not exist.
func userDictFile(d dirs.Dirs) string { return filepath.Join(d.Config, "synonyms.yaml") }

// compileUserDict compiles the user's synonyms.yaml; nil where there is none. The
// error names the file and line of everything that is wrong with it. It is for
// commands and background builds: the hook reads what a build left in the index.
func compileUserDict(d dirs.Dirs) ([]byte, error) { return compileDictFile(userDictFile(d)) }

// compileDictFile is compileUserDict for any file.
func compileDictFile(file string) ([]byte, error) {
	dict, err := readUserDict(file)
	if dict == nil || err != nil {
		return nil, err
	}
	if problems := dict.Check(); len(problems) > 0 {
		return nil, userDictError(file, problems)
	}
	return dict.Compile(), nil
}

// readUserDict parses a dictionary file; nil where there is none.
func readUserDict(file string) (*source.Dictionary, error) {
	text, err := readUserDictFile(file)
	if text == nil || err != nil {
		return nil, err
	}
	dict, err := source.Parse(source.File{Name: file, Data: text})
	if err != nil {
		return nil, userDictFailed(file, err)
	}
	return dict, nil
}

// readUserDictFile returns a file's text, nil where there is no file.
func readUserDictFile(file string) ([]byte, error) {
	f, err := regular.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, userDictFailed(file, err)
	}
	defer f.Close()
	fi, err := f.Stat()
	switch {
	case err != nil:
		return nil, userDictFailed(file, err)
	case fi.Size() > maxUserDict:
		return nil, userDictFailed(file, fmt.Errorf("%s: %d bytes, limit %d", file, fi.Size(), maxUserDict))
	}
	text, err := io.ReadAll(io.LimitReader(f, maxUserDict))
	if err != nil {
		return nil, userDictFailed(file, err)
	}
	return text, nil
}

func userDictFailed(file string, err error) error {
	return &exitError{code: 3, err: fmt.Errorf("synonyms: %w", err), hint: fmt.Sprintf("correct it; `skillgate synonyms check %s` reads the file again", file)}
}

// userDictError lists the first problems, one a line.
func userDictError(file string, problems []source.Problem) error {
	var lines []string
	for _, p := range problems[:min(len(problems), shownUserErrors)] {
		lines = append(lines, p.String())
	}
	if more := len(problems) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return userDictFailed(file, errors.New(strings.Join(lines, "\n  ")))
}
