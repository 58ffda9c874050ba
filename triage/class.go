package triage

// class says what a word or phrase without content does in a conversation, and
// how it combines with its neighbours.
type class uint16

const (
	greet  class = 1 << iota // hello, goodbye
	thank                    // thanks
	answer                   // yes, no, go on, stop, praise, a choice, a laugh
	fill                     // says nothing by itself

	lead // may be cut off the front of a request without a comma: "ok", "hey", "네"
	turn // turns to the request: "now", "can you", "이제"

	name  // English: who is spoken to; opens a clause or follows a carrying word: "thanks man"
	call  // the assistant's name: alone it is a greeting
	aside // English: a clause of its own, or after a carrying word at the end of one: "deal", "cool deal"
	count // English: a countable, only after a pointer or beside a number: "the second option", "step 3"

	noun  // Korean: may take particles
	part  // Korean: a particle, only after a noun or number
	stem  // Korean: takes endings of 하다
	tail  // Korean: an ending, after a stem or ending or as a word of its own
	alone // Korean: starts a word, and no short entry is glued to it
	last  // Korean: only at the end of a clause
)

// carries are the classes one of which a greeting or an answer must have.
const carries = greet | thank | answer
