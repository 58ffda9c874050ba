// Package def says what a language is made of. Package lang gives the type its
// public name; it is here so that each language can be a package of its own
// below lang.
package def

// Language is what the program knows of a human language besides its words,
// which are in YAML in the folder of its package.
type Language struct {
	Code string // ISO 639-1
	Name string // in English

	// Script reports the letters of the language. Languages may share some.
	Script func(rune) bool

	// Cased says that the script has capitals, so that a sentence begins with one.
	Cased bool
}
