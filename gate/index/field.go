package index

import "math/bits"

// Field is one of the parts of a skill that are weighed apart (BM25F).
type Field uint8

const (
	Body        Field = iota // Markdown after the frontmatter, its opening twice
	Description              // what the skill does and when, without its boundaries
	Triggers                 // quoted phrases and listed triggers
	Headings                 // headings of the body
	Anchors                  // X of other skills' "Do NOT use for X (use this one)"
	Expansion                // what users would type, made by enrich; never shown
	Name                     // the name's words
	NumFields

	Meaning = NumFields // no field: what the whole of a skill's purpose is about (package meaning)
)

var fieldNames = [NumFields + 1]string{"body", "description", "triggers", "headings", "anchors", "expansion", "name",
	"meaning"}

// String returns the field's name in explanations and weight files.
func (f Field) String() string { return fieldNames[f] }

// A posting's frequency holds one term frequency per field, lowest bits first.
// Body comes first because most postings have nothing else and then cost one or
// two bytes. A frequency above a field's maximum is stored as the maximum, far
// beyond where BM25 saturates. Expansion holds a bit for each of its groups instead:
// one request, or the last of several.
var (
	fieldBits  = [NumFields]uint{8, 6, 6, 6, 6, MaxGroups, 4}
	fieldShift = shifts()
	fieldMask  = masks()
)

func shifts() (s [NumFields]uint) {
	var at uint
	for f, n := range fieldBits {
		s[f] = at
		at += n
	}
	return s
}

func masks() (m [NumFields]Freq) {
	for f, n := range fieldBits {
		m[f] = (1<<n - 1) << fieldShift[f]
	}
	return m
}

// Freq is the packed term frequencies of one posting.
type Freq uint64

// MaxGroups is how many groups the texts of an expansion are told apart as: text i
// is group i, and the last group is all the others.
const MaxGroups = 16

// AllGroups is the mask of every group.
const AllGroups uint16 = 1<<MaxGroups - 1

// Get returns the term frequency in f; that in Expansion is the number of groups.
func (q Freq) Get(f Field) int {
	if f == Expansion {
		return bits.OnesCount16(q.Groups())
	}
	return int(q>>fieldShift[f]) & (1<<fieldBits[f] - 1)
}

// Holds reports whether the term occurs in f.
func (q Freq) Holds(f Field) bool { return q&fieldMask[f] != 0 }

// Groups returns which groups of the expansion hold the term, group i as bit i.
func (q Freq) Groups() uint16 { return uint16(q >> fieldShift[Expansion]) }

// WithoutGroups returns q with the term taken out of the expansion's groups in mask.
func (q Freq) WithoutGroups(mask uint16) Freq {
	return q &^ (Freq(mask) << fieldShift[Expansion])
}

// inGroup returns q with the term in text i of the expansion.
func (q Freq) inGroup(i int) Freq {
	return q | 1<<(fieldShift[Expansion]+uint(min(i, MaxGroups-1)))
}

// Only reports whether no field but f holds the term.
func (q Freq) Only(f Field) bool {
	return q&^fieldMask[f] == 0
}

// add returns q with n more occurrences in f, any field but Expansion.
func (q Freq) add(f Field, n int) Freq {
	n = min(q.Get(f)+n, 1<<fieldBits[f]-1)
	return q&^fieldMask[f] | Freq(n)<<fieldShift[f]
}
