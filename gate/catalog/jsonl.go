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

// ReadJSONL reads a library of one JSON object per line:
//
//	{"id":"…","name":"…","description":"…","frontmatter":"…","body":"…"}
//
// frontmatter and body are the two parts of a SKILL.md. name overrides a name in the frontmatter; description applies
// only if the frontmatter has none.
// Other keys and blank lines are ignored, and lines may be of any length. Lines that are not such objects or repeat an
// id are left out; the error describes the first shownErrors of them and counts the rest. name is the input's name in
// the error.
func ReadJSONL(r io.Reader, name string) ([]Entry, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	var entries []Entry
	var errs []error
	bad := 0
	seen := map[string]int{} // line number, by id
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
				lineErr = fmt.Errorf("duplicate id %q, first used on line %d", e.ID, first)
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
		errs = append(errs, fmt.Errorf("catalog: %s: further lines with errors: %d", name, bad-shownErrors))
	}
	return entries, errors.Join(errs...)
}

// shownErrors is small because a file that is not a library has an error on every line.
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
		return Entry{}, errors.New("the id is missing")
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
		e.problem(0, "the text has %d bytes (limit %d); the rest is ignored", len(whole), MaxFile)
		whole = clip.Bytes(whole, MaxFile)
	}
	fm := e.fill(whole)
	if clean(fm["description"].text()) == "" && clean(line.Description) != "" {
		e.describe(line.Description, fm)
	}
	e.Name = cmp.Or(clean(line.Name), clean(fm["name"].text()), clean(e.Folder))
	return e, nil
}
