// Package source parses and checks the YAML of dictionaries and compiles it into the table of package synonyms.
//
// A file has any of four parts:
//
//	korean:
//	  단위 테스트: {en: [unit test], also: [유닛 테스트]}
//	  돌리다: {en: [run, execute], generic: true}
//	spaceless:
//	  議事録: {en: [meeting minutes]}
//	english:
//	  - {means: [code review], say: [PR feedback, look over my diff]}
//	  - {same: [kubernetes, k8s, kube]}
//	function:
//	  - [우리, 그리고, 싶다]
//
// A Korean headword is a noun without a particle, or a verb or adjective in -다. A word with spaces is a compound. The
// keys of an entry are "en", one to three English senses in base form, best first; "also", spellings and synonyms of
// the headword and, for languages without spaces, its inflected forms; and "generic", which marks words that say little
// about which skill is wanted. An English set maps phrases that people say (say) to phrases in descriptions (means), or
// lists equivalent phrases (same). Function words have no content.
package source

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// File is one YAML file of a dictionary.
type File struct {
	Name string
	Data []byte
}

// Place is a line of a file.
type Place struct {
	File string
	Line int
}

// Entry is one headword.
type Entry struct {
	Head    string
	Senses  []string
	Also    []string
	Generic bool

	Spaceless bool // the word is in a language without spaces
	Place
}

// Set is one English synonym set: Means and Say, or Same.
type Set struct {
	Means, Say, Same []string
	Place
}

// Function is a word without content.
type Function struct {
	Word string
	Place
}

// Dictionary is the content of the files, in their order.
type Dictionary struct {
	Entries  []Entry
	Sets     []Set
	Function []Function
}

// Parse parses files. The error names the file and line of the first fault in the format. Check checks the content.
func Parse(files ...File) (*Dictionary, error) {
	d := &Dictionary{}
	for _, f := range files {
		var doc yaml.Node
		if err := yaml.Unmarshal(f.Data, &doc); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		if len(doc.Content) == 0 {
			continue
		}
		if err := d.part(f.Name, doc.Content[0]); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (d *Dictionary) part(file string, n *yaml.Node) error {
	return pairs(file, n, func(k, v *yaml.Node) error {
		switch part := k.Value; {
		case slices.Contains(parts(), part):
			return pairs(file, v, func(k, v *yaml.Node) error {
				e := Entry{Head: spaces(k.Value), Spaceless: part == spaceless, Place: Place{file, k.Line}}
				err := pairs(file, v, func(k, v *yaml.Node) (err error) {
					switch k.Value {
					case "en":
						e.Senses, err = words(file, v)
					case "also":
						e.Also, err = words(file, v)
					case "generic":
						if err = v.Decode(&e.Generic); err != nil {
							err = fmt.Errorf("%s:%d: generic is %q but must be true or false", file, v.Line, v.Value)
						}
					default:
						err = fmt.Errorf("%s:%d: unknown key %q; the keys are en, also and generic", file, k.Line, k.Value)
					}
					return err
				})
				d.Entries = append(d.Entries, e)
				return err
			})
		case part == "english":
			if v.Kind != yaml.SequenceNode && v.Tag != "!!null" {
				return fmt.Errorf("%s:%d: the value of \"english\" is not a list", file, v.Line)
			}
			for _, item := range v.Content {
				s := Set{Place: Place{file, item.Line}}
				err := pairs(file, item, func(k, v *yaml.Node) (err error) {
					switch k.Value {
					case "means":
						s.Means, err = words(file, v)
					case "say":
						s.Say, err = words(file, v)
					case "same":
						s.Same, err = words(file, v)
					default:
						err = fmt.Errorf("%s:%d: unknown key %q; the keys are means, say and same", file, k.Line, k.Value)
					}
					return err
				})
				if err != nil {
					return err
				}
				d.Sets = append(d.Sets, s)
			}
			return nil
		case part == "function":
			if v.Kind != yaml.SequenceNode {
				return fmt.Errorf("%s:%d: the value of \"function\" is not a list of lists", file, v.Line)
			}
			for _, group := range v.Content {
				all, err := words(file, group)
				if err != nil {
					return err
				}
				for _, w := range all {
					d.Function = append(d.Function, Function{w, Place{file, group.Line}})
				}
			}
			return nil
		}
		return fmt.Errorf("%s:%d: unknown key %q; the keys are %s, english and function", file, k.Line, k.Value,
			strings.Join(parts(), ", "))
	})
}

func pairs(file string, n *yaml.Node, f func(k, v *yaml.Node) error) error {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("%s:%d: the value must be a mapping of keys to values", file, n.Line)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Kind != yaml.ScalarNode {
			return fmt.Errorf("%s:%d: a key must be a string, not a list or mapping", file, n.Content[i].Line)
		}
		if err := f(n.Content[i], n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func words(file string, n *yaml.Node) ([]string, error) {
	if n.Kind == yaml.ScalarNode {
		return []string{spaces(n.Value)}, nil
	}
	if n.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("%s:%d: the value must be a word or a list of words", file, n.Line)
	}
	var out []string
	for _, c := range n.Content {
		if c.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("%s:%d: the value must be a word, not a list or mapping", file, c.Line)
		}
		out = append(out, spaces(c.Value))
	}
	return out, nil
}

func spaces(s string) string { return strings.Join(strings.Fields(s), " ") }

// ReadFiles reads the built-in dictionary from the folder synonyms: dict, and the folder dict of each language.
func ReadFiles(root fs.FS) ([]File, error) {
	var out []File
	for _, pattern := range []string{"dict/*.yaml", "lang/*/dict/*.yaml"} {
		names, err := fs.Glob(root, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			data, err := fs.ReadFile(root, name)
			if err != nil {
				return nil, err
			}
			out = append(out, File{name, data})
		}
	}
	return out, nil
}
