// Package def says what a language is made of. Package lang gives the type its
// public name; it is here so that each language can be a package of its own
// below lang.
package def

// Language is what the program knows of a human language besides its words,
// which are in YAML in the folder of its package.
type Language struct {
	Code string // ISO 639-1
	Name string // in English

	// Script reports the letters that tell the language, Shared those that it
	// shares with others; Shared may be nil.
	Script, Shared func(rune) bool
	ScriptName     string

	// Spaceless says that words are not separated by spaces.
	Spaceless bool

	// Cased says that the script has capitals, so that a sentence begins with one.
	Cased bool

	// VerbLast says that a sentence ends with its verb, and that a noun has its particle behind it.
	VerbLast bool

	// Usage is an expression of package regexp. It finds a clause in which a
	// skill's description says when to use the skill.
	Usage string

	// Says, Not and NotUse are how a description says in the language when the skill is
	// used and when not: formats of a list of quoted phrases, of what is excluded, and of
	// that and the skill to use instead. Catalog reads them back.
	Says, Not, NotUse string
}

// Writes reports whether the language is written with a letter.
func (l *Language) Writes(r rune) bool { return l.Script(r) || l.Shared != nil && l.Shared(r) }
