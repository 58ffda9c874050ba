package index

// Field is one of the parts of a skill that are weighed apart (BM25F).
type Field uint8

const (
	Body        Field = iota // Markdown after the frontmatter
	Description              // what the skill does and when, without its boundaries
	Triggers                 // quoted phrases and listed triggers
	Headings                 // headings of the body
	Anchors                  // X of other skills' "Do NOT use for X (use this one)"
	Expansion                // what users would type, made by enrich; never shown
	Not                      // X of this skill's own "Do NOT use for X"; counts against it
	Name                     // the name's words
	NumFields
)

var fieldNames = [NumFields]string{"body", "description", "triggers", "headings", "anchors", "expansion", "not", "name"}

// String returns the field's name in explanations and weight files.
func (f Field) String() string { return fieldNames[f] }

// ParseField returns the field of that name.
func ParseField(name string) (Field, bool) {
	for f, n := range fieldNames {
		if n == name {
			return Field(f), true
		}
	}
	return 0, false
}

// A posting's frequency holds one term frequency per field, lowest bits first.
// Body comes first because most postings have nothing else and then cost one or
// two bytes. A frequency above a field's maximum is stored as the maximum, far
// beyond where BM25 saturates.
var (
	fieldBits  = [NumFields]uint{8, 6, 6, 6, 6, 6, 5, 4}
	fieldShift = shifts()
)

func shifts() (s [NumFields]uint) {
	var at uint
	for f, n := range fieldBits {
		s[f] = at
		at += n
	}
	return s
}

// Freq is the packed term frequencies of one posting.
type Freq uint64

// Get returns the term frequency in f.
func (q Freq) Get(f Field) int {
	return int(q>>fieldShift[f]) & (1<<fieldBits[f] - 1)
}

// Only reports whether the term stands in no field but f.
func (q Freq) Only(f Field) bool {
	return q&^((1<<fieldBits[f]-1)<<fieldShift[f]) == 0
}

// add returns q with n more occurrences in f.
func (q Freq) add(f Field, n int) Freq {
	n = min(q.Get(f)+n, 1<<fieldBits[f]-1)
	return q&^((1<<fieldBits[f]-1)<<fieldShift[f]) | Freq(n)<<fieldShift[f]
}

// Less returns q with n fewer occurrences in f, at least none.
func (q Freq) Less(f Field, n int) Freq {
	return q.add(f, -min(n, q.Get(f)))
}
