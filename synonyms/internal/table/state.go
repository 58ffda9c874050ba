package table

// State is what has been read of an eojeol up to a point; an affix leads from
// one to another.
type State uint8

// The states of the word grammar.
const (
	Start      State = iota // nothing yet
	AfterNoun               // a known noun
	AfterOne                // a known noun of one syllable
	AfterShort              // an unknown word of two syllables
	AfterLong               // a longer unknown word
	AfterBase               // a verb stem that takes 고, 지, 는
	AfterVowel              // a verb stem that takes ㄴ, ㄹ, 면
	AfterInf                // a verb form in 아/어
	Joint                   // a connective another verb may follow: 고, 게, 지
	Modifier                // a form before a noun: 한, 하는, 할
	Nominal                 // 하기, 함
	Closed                  // a finished ending
	Particle                // a particle
	Prefix                  // a prefix such as 재
	Grammar                 // a word without content
	AfterLone               // one unknown syllable
	States
)

// Set returns the set of states as a bit mask.
func Set(states ...State) uint16 {
	m := uint16(0)
	for _, s := range states {
		m |= 1 << s
	}
	return m
}

// Condition restricts what the last syllable before an affix ends in.
type Condition uint8

// The conditions of an affix.
const (
	Always Condition = iota
	IfConsonant
	IfOpen    // no final consonant
	IfOpenOrL // no final consonant, or ㄹ
)

// Affix is one way an affix may be read.
type Affix struct {
	From uint16 // set of states
	To   State
	Cost uint8 // at most 63
	When Condition
}

// Pack is a as a list item.
func (a Affix) Pack() uint32 {
	return uint32(a.From) | uint32(a.To)<<16 | uint32(a.Cost)<<20 | uint32(a.When)<<28
}

// UnpackAffix is the affix of a list item.
func UnpackAffix(v uint32) Affix {
	return Affix{uint16(v), State(v >> 16 & 15), uint8(v >> 20 & 63), Condition(v >> 28 & 3)}
}
