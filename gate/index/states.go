package index

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/regular"
)

// statesFile is the name of the file in a generation that holds the state of each skill.
const statesFile = "states"

func (s *fileState) code(c *coder) {
	c.strings(&s.ID, &s.Name, &s.Folder, &s.Path, &s.Prefix, &s.Hash, &s.Part)
	c.signed(&s.Size, &s.ModTime, &s.Changed)
	codeNumbers(c, &s.Beside, &s.Anchors, &s.Expansion, &s.Others)
	codeNumbers(c, &s.Text, &s.Description)
	codeNumbers(c, &s.Family)
	codeList(c, &s.Boundaries, maxList, func(b *catalog.Boundary) {
		c.strings(&b.Not)
		codeList(c, &b.Use, maxList, func(name *string) { c.strings(name) })
	})
	codeList(c, &s.Problems, maxList, func(p *catalog.Problem) {
		codeNumbers(c, &p.Line)
		c.strings(&p.Text)
	})
}

// readStates reads a file of states and fails if it has more than `most`.
func readStates(file string, most int) ([]fileState, error) {
	text, err := regular.Read(file, 1<<31)
	if err != nil {
		return nil, err
	}
	c := &coder{text: text}
	var states []fileState
	codeList(c, &states, most, func(s *fileState) { s.code(c) })
	if c.cut || len(c.text) > 0 {
		return nil, fmt.Errorf("index: %s is damaged", file)
	}
	return states, nil
}

func writeStates(file string, states []*fileState) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<18)
	c := &coder{writing: true}
	codeList(c, &states, len(states), func(s **fileState) {
		(*s).code(c)
		w.Write(c.text) // Flush returns the error
		c.text = c.text[:0]
	})
	return errors.Join(w.Flush(), f.Sync())
}
