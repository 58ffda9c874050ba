package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/synonyms/source"
)

// ShownProblems is the maximum number of problems of a dictionary that an error lists.
const ShownProblems = 5

const maxDict = 64 << 20 // maximum size of a synonyms.yaml; 100,000 entries take about 7 MB

// DictFile returns the path of the user's own dictionary, which need not exist. It returns "" without a config folder.
func DictFile(d dirs.Dirs) string {
	if d.Config == "" {
		return ""
	}
	return filepath.Join(d.Config, "synonyms.yaml")
}

// CompileDict compiles a dictionary file, and returns nil if there is none. The *Error names the file and line of up
// to five problems. The hook never calls it: it reads the compiled form in the index.
func CompileDict(file string) ([]byte, error) {
	text, err := ReadDictText(file)
	if text == nil || err != nil {
		return nil, err
	}
	dict, err := CheckDict(file, text)
	if err != nil {
		return nil, err
	}
	return dict.Compile(), nil
}

// Dict returns the dictionary for reading prompts: the user's on top of the built-in one.
func Dict(d dirs.Dirs) (*synonyms.Dict, error) {
	text, err := CompileDict(DictFile(d))
	if err != nil || text == nil {
		return synonyms.Default(), err
	}
	user, err := synonyms.Open(string(text))
	if err != nil {
		return nil, err
	}
	return synonyms.Default().With(user), nil
}

// CheckDict parses and checks the text of the dictionary file, with the same errors as CompileDict.
func CheckDict(file string, text []byte) (*source.Dictionary, error) {
	dict, err := source.Parse(source.File{Name: file, Data: text})
	if err != nil {
		return nil, badDict(file, err)
	}
	if problems := dict.Check(); len(problems) > 0 {
		return nil, dictError(file, problems)
	}
	return dict, nil
}

// ReadDict parses a dictionary file without checking it, and returns nil if there is none.
func ReadDict(file string) (*source.Dictionary, error) {
	text, err := ReadDictText(file)
	if text == nil || err != nil {
		return nil, err
	}
	dict, err := source.Parse(source.File{Name: file, Data: text})
	if err != nil {
		return nil, badDict(file, err)
	}
	return dict, nil
}

// ReadDictText returns the text of a dictionary file, or nil if there is none.
func ReadDictText(file string) ([]byte, error) {
	text, err := regular.Read(file, maxDict)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, badDict(file, err)
	}
	return text, nil
}

func badDict(file string, err error) error {
	return &Error{BadDictionary, file, fmt.Errorf("synonyms: %w", err)}
}

func dictError(file string, problems []source.Problem) error {
	var lines []string
	for _, p := range problems[:min(len(problems), ShownProblems)] {
		lines = append(lines, p.String())
	}
	if more := len(problems) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return badDict(file, errors.New(strings.Join(lines, "\n  ")))
}
