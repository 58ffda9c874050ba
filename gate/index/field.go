package index

import "math/bits"

// Field is a part of a skill with a weight of its own (BM25F).
type Field uint8

const (
	Body        Field = iota // Markdown after the frontmatter; the opening counts twice
	Description              // the description without its boundaries
	Triggers                 // quoted phrases and listed triggers
	Headings
	Anchors   // X of other skills' "Do NOT use for X (use this one)"
	Expansion // texts that users might type, made by enrich; never shown
	Name
	NumFields

	Meaning = NumFields // in explanations, the part of a score from package meaning; not a field of the index
)

var fieldNames = [NumFields + 1]string{"body", "description", "triggers", "headings", "anchors", "expansion", "name",
	"meaning"}

// String returns the field's name in explanations and weight files.
func (f Field) String() string { return fieldNames[f] }

// The frequency of a posting packs the term frequencies of all fields. Body has the lowest bits: most terms occur in no
// other field, so their frequencies take only one or two bytes. Higher frequencies are stored as the field's maximum,
// far beyond the point where BM25 saturates. Expansion has one bit for each group instead of a count.
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

// Freq is the packed term frequencies of a posting.
type Freq uint64

// MaxGroups is the number of groups into which the texts of an expansion are divided. Text i is in group i, and all
// further texts are in the last group.
const MaxGroups = 16

// AllGroups has a bit for every group.
const AllGroups uint16 = 1<<MaxGroups - 1

// Get returns the term frequency in f. For Expansion it returns the number of groups.
func (q Freq) Get(f Field) int {
	if f == Expansion {
		return bits.OnesCount16(q.Groups())
	}
	return int(q>>fieldShift[f]) & (1<<fieldBits[f] - 1)
}

// Holds reports whether the term occurs in f.
func (q Freq) Holds(f Field) bool { return q&fieldMask[f] != 0 }

// Groups returns the groups of the expansion that have the term; bit i is group i.
func (q Freq) Groups() uint16 { return uint16(q >> fieldShift[Expansion]) }

// WithoutGroups returns q without the groups of the expansion in mask.
func (q Freq) WithoutGroups(mask uint16) Freq {
	return q &^ (Freq(mask) << fieldShift[Expansion])
}

// inGroup returns q with text i of the expansion added.
func (q Freq) inGroup(i int) Freq {
	return q | 1<<(fieldShift[Expansion]+uint(min(i, MaxGroups-1)))
}

// Only reports whether the term occurs in no field other than f.
func (q Freq) Only(f Field) bool {
	return q&^fieldMask[f] == 0
}

// add returns q with n more occurrences in f, which must not be Expansion.
func (q Freq) add(f Field, n int) Freq {
	n = min(q.Get(f)+n, 1<<fieldBits[f]-1)
	return q&^fieldMask[f] | Freq(n)<<fieldShift[f]
}
