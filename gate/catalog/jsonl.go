package catalog

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/skillgate/skillgate/gate/clip"
)

// ReadJSONL reads a library of one JSON object a line:
//
//	{"id":"…","name":"…","description":"…","frontmatter":"…","body":"…"}
//
// frontmatter and body are the two parts of a SKILL.md; name and description
// fill what they leave open. Other keys are ignored, blank lines too. Lines may
// be of any length. name stands for the input in errors.
//
// A line that is not such an object or repeats an id is left out; the error names the
// first shownErrors of them, with file and line, and counts the rest.
func ReadJSONL(r io.Reader, name string) ([]Entry, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	var entries []Entry
	var errs []error
	bad := 0
	seen := map[string]int{} // id to line
	for n := 1; ; n++ {
		text, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			errs = append(errs, fmt.Errorf("catalog: %s:%d: %w", name, n, err))
			break
		}
		if n == 1 {
			text = trimBOM(text)
		}
		if len(bytes.TrimSpace(text)) > 0 {
			e, lineErr := libraryLine(text)
			if first, twice := seen[e.ID]; lineErr == nil && twice {
				lineErr = fmt.Errorf("id %q is that of line %d", e.ID, first)
			}
			if lineErr != nil {
				if bad++; bad <= shownErrors {
					errs = append(errs, fmt.Errorf("catalog: %s:%d: %w", name, n, lineErr))
				}
			} else {
				seen[e.ID] = n
				entries = append(entries, e)
			}
		}
		if err == io.EOF {
			break
		}
	}
	if bad > shownErrors {
		errs = append(errs, fmt.Errorf("catalog: %s: and %d lines more", name, bad-shownErrors))
	}
	return entries, errors.Join(errs...)
}

// shownErrors is how many bad lines an error names: of a file that is not a library every
// line is bad.
const shownErrors = 5

func libraryLine(text []byte) (Entry, error) {
	var line struct {
		ID          string `json:"id"`
		Name        string `json:"name"`
		Description string `json:"description"`
		Frontmatter string `json:"frontmatter"`
		Body        string `json:"body"`
	}
	if err := json.Unmarshal(text, &line); err != nil {
		return Entry{}, err
	}
	if clean(line.ID) == "" {
		return Entry{}, errors.New("no id")
	}
	e := Entry{ID: clean(line.ID), Pool: Skill, Source: Library, Size: int64(len(text)), ModelInvocable: true}
	e.Folder = path.Base(e.ID)
	sum := sha256.Sum256(text)
	e.Hash = hex.EncodeToString(sum[:])

	var doc strings.Builder
	if strings.TrimSpace(line.Frontmatter) != "" {
		doc.WriteString("---\n" + strings.TrimSuffix(line.Frontmatter, "\n") + "\n---\n")
	}
	doc.WriteString(line.Body)
	whole := doc.String()
	if len(whole) > MaxFile {
		e.problem(0, "%d bytes, limit %d: the rest is left out", len(whole), MaxFile)
		whole = clip.Bytes(whole, MaxFile)
	}
	fm := e.fill(whole)
	if clean(fm["description"].text()) == "" && clean(line.Description) != "" {
		e.describe(line.Description, fm)
	}
	e.Name = cmp.Or(clean(line.Name), clean(fm["name"].text()), clean(e.Folder))
	return e, nil
}
