package table

// State is the state of the grammar after a part of an eojeol. An affix leads from one state to another.
type State uint8

// The states of the word grammar, named after the part of the eojeol that was read last.
const (
	Start      State = iota // start of the eojeol
	AfterNoun               // a known noun
	AfterOne                // a known noun of one syllable
	AfterShort              // an unknown word of two syllables
	AfterLong               // a longer unknown word
	AfterBase               // a verb stem that takes 고, 지, 는
	AfterVowel              // a verb stem that takes ㄴ, ㄹ, 면
	AfterInf                // a verb form in 아/어
	Joint                   // a connective that another verb may follow: 고, 게, 지
	Modifier                // a form before a noun: 한, 하는, 할
	Nominal                 // a verb form used as a noun: 하기, 함
	Closed                  // a final ending of a verb
	Particle                // a particle
	Prefix                  // a prefix such as 재
	Grammar                 // a word without content
	AfterLone               // an unknown word of one syllable
	Number                  // a number: digits, 수십
	Numeral                 // a numeral before a counter: 두, 몇
	Counted                 // a number with its counter: 3개월, 두명
	States
)

// Set returns a set of states as a bit mask.
func Set(states ...State) uint32 {
	m := uint32(0)
	for _, s := range states {
		m |= 1 << s
	}
	return m
}

// Condition restricts the end of the last syllable before an affix.
type Condition uint8

const (
	Always Condition = iota
	IfConsonant
	IfOpen    // no final consonant
	IfOpenOrL // no final consonant, or ㄹ
)

// Affix is one reading of an affix.
type Affix struct {
	From uint32 // set of states after which the affix may follow
	To   State
	Cost uint8 // cost that the affix adds to an analysis, at most 63
	When Condition
}

// Pack returns a as a list item.
func (a Affix) Pack() uint32 {
	return a.From | uint32(a.To)<<19 | uint32(a.Cost)<<24 | uint32(a.When)<<30
}

// UnpackAffix returns the affix in a list item.
func UnpackAffix(v uint32) Affix {
	return Affix{v & (1<<States - 1), State(v >> 19 & 31), uint8(v >> 24 & 63), Condition(v >> 30)}
}
