// Package compile reads the word lists of the languages and compiles them into the table of package vocab.
//
// A file is a mapping from the name of a list to its words:
//
//	determiner: [the, this, that]       # a plain list
//	talk:                               # words grouped by their values
//	  - greet: [hi, hey, hello]
//	  - answer | last: [done]
//	stem: {analysis: [analyses]}
//
// A list may be spread over several files and languages, but may contain each word only once.
package compile

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

//go:embed lists.yaml
var specText []byte

// Spec describes a list: see lists.yaml.
type Spec struct {
	Name   string
	Values []string
	Flags  bool // the value of Values[i] is 1<<i instead of i
	Text   bool // the value of a word is a text
	Match  string
}

func (s *Spec) grouped() bool { return s.Text || s.Values != nil }

// Specs contains the Spec of each list.
var Specs = func() (specs [vocab.Count]Spec) {
	if err := yaml.Unmarshal(specText, &specs); err != nil {
		panic("lists.yaml: " + err.Error())
	}
	return specs
}()

// Lists contains the entries of each list, in the order of the files and their lines.
type Lists [vocab.Count][]Entry

// Entry is a word of a list with its value.
type Entry struct {
	Word  string
	Value uint32
	Text  string // the value, if it is a text
	File  string
	Line  int
}

// Read reads the YAML files in the folders of root, in the order of their paths. The error names file and line.
func Read(root fs.FS) (*Lists, error) {
	files, err := fs.Glob(root, "*/*.yaml")
	if err != nil {
		return nil, err
	}
	r := &reader{at: map[key]int{}}
	for _, name := range files {
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, err
		}
		if err := r.read(name, data); err != nil {
			return nil, err
		}
	}
	return &r.lists, r.lists.shadowed()
}

// shadowed returns an error for words that have no effect because another word of their list always matches first.
func (x *Lists) shadowed() error {
	var all []error
	for l, list := range x {
		spec := &Specs[l]
		if spec.Match == "" {
			continue
		}
		for i, e := range list {
			others := list
			if strings.HasPrefix(spec.Match, "first") {
				others = list[:i]
			}
			for _, o := range others {
				hides := false
				switch spec.Match {
				case "begin", "first begin":
					hides = strings.HasPrefix(e.Word, o.Word)
				case "end", "first end":
					hides = strings.HasSuffix(e.Word, o.Word)
				case "inside":
					hides = strings.Contains(e.Word, o.Word)
				}
				if hides && o.Word != e.Word {
					all = append(all, fmt.Errorf("%s:%d: %q of list %s has no effect, because %q at %s:%d matches first",
						e.File, e.Line, e.Word, spec.Name, o.Word, o.File, o.Line))
				}
			}
		}
	}
	return errors.Join(all...)
}

type key struct {
	list vocab.List
	word string
}

type reader struct {
	lists Lists
	at    map[key]int // position of a word in its list
	file  string
}

func (r *reader) fail(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.file, n.Line, fmt.Sprintf(format, args...))
}

func (r *reader) read(name string, data []byte) error {
	r.file = name
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return fmt.Errorf("%s:%s", name, strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml:"), " line "))
	}
	if len(doc.Content) == 0 {
		return nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return r.fail(root, "not a mapping from names of lists to words")
	}
	for i := 0; i < len(root.Content); i += 2 {
		k, v := root.Content[i], root.Content[i+1]
		list := slices.IndexFunc(Specs[:], func(s Spec) bool { return s.Name == k.Value })
		if list < 0 {
			return r.fail(k, "there is no list %q", k.Value)
		}
		if err := r.list(vocab.List(list), v, nil); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) list(l vocab.List, n *yaml.Node, group *yaml.Node) error {
	spec := &Specs[l]
	switch {
	case n.Kind == yaml.ScalarNode:
		return r.add(l, n, group)
	case n.Kind == yaml.SequenceNode:
		for _, c := range n.Content {
			if err := r.list(l, c, group); err != nil {
				return err
			}
		}
		return nil
	case n.Kind != yaml.MappingNode:
		return r.fail(n, "not a list of words")
	}
	for i := 0; i < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if group != nil || !spec.grouped() {
			return r.fail(k, "a group is not allowed here in list %s", spec.Name)
		}
		if err := r.list(l, v, k); err != nil {
			return err
		}
	}
	return nil
}

const mostBytes = 255 // maximum number of bytes in a word, because its length is stored in one byte

func (r *reader) add(l vocab.List, n *yaml.Node, group *yaml.Node) error {
	spec := &Specs[l]
	e := Entry{Word: n.Value, File: r.file, Line: n.Line}
	switch {
	case e.Word == "" || len(e.Word) > mostBytes:
		return r.fail(n, "a word of list %[2]s has %[1]d bytes but must have 1 to %[3]d", len(e.Word), spec.Name, mostBytes)
	case group == nil && spec.grouped():
		return r.fail(n, "list %s requires a value for %q", spec.Name, e.Word)
	}
	switch {
	case spec.Text:
		e.Text = group.Value
	case spec.grouped():
		names := []string{group.Value}
		if spec.Flags {
			names = strings.Split(group.Value, "|")
		}
		for _, name := range names {
			i := slices.Index(spec.Values, strings.TrimSpace(name))
			if i < 0 {
				return r.fail(group, "list %s has no value named %q", spec.Name, strings.TrimSpace(name))
			}
			if spec.Flags {
				i = 1 << i
			}
			e.Value |= uint32(i)
		}
	}
	k := key{l, e.Word}
	if i, again := r.at[k]; again {
		old := r.lists[l][i]
		return r.fail(n, "%q is already in list %s, at %s:%d", e.Word, spec.Name, old.File, old.Line)
	}
	r.at[k] = len(r.lists[l])
	r.lists[l] = append(r.lists[l], e)
	return nil
}

// Table compiles the lists for package vocab. Equal lists give equal bytes.
func (x *Lists) Table() []byte {
	total := 0
	for _, list := range x {
		total += len(list)
	}
	slots := 1
	for slots < 2*total {
		slots *= 2
	}
	dir := len(vocab.Magic)
	first := dir + 8*len(x)
	out := make([]byte, first+4+4*slots)
	copy(out, vocab.Magic)
	put := func(at, v int) { binary.LittleEndian.PutUint32(out[at:], uint32(v)) }
	put(first, slots)
	texts := map[string]int{}
	record := func(word string, value uint32) int {
		at := len(out)
		out = append(append(out, byte(len(word))), word...)
		out = binary.LittleEndian.AppendUint32(out, value)
		return at
	}
	for _, list := range x {
		for _, e := range list {
			if _, ok := texts[e.Text]; !ok && e.Text != "" {
				texts[e.Text] = record(e.Text, 0)
			}
		}
	}
	for l, list := range x {
		put(dir+8*l, len(out))
		for _, e := range list {
			if e.Text != "" {
				e.Value = uint32(texts[e.Text])
			}
			at := record(e.Word, e.Value)
			slot := vocab.Hash(vocab.List(l), e.Word)
			for ; ; slot++ {
				if i := first + 4 + 4*int(slot&uint32(slots-1)); binary.LittleEndian.Uint32(out[i:]) == 0 {
					put(i, at)
					break
				}
			}
		}
		put(dir+8*l+4, len(out))
	}
	return out
}
