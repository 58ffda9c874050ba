package vocab

// Class is the role that a word or phrase without content has in a conversation.
type Class uint16

const (
	Greet  Class = 1 << iota // hello, goodbye
	Thank                    // thanks
	Answer                   // yes, no, go on, stop, praise, a choice, a laugh
	Fill                     // filler: says nothing by itself
	Tail                     // a particle or an ending; the only entries of one letter that count inside a word
	Last                     // counts only at the end of a clause
	Call                     // the assistant's name: alone it is a greeting
)

// Carries is the set of classes of which a greeting or an answer must contain at least one.
const Carries = Greet | Thank | Answer

// Craft is a kind of work that usually has its own skill. Two clauses with different crafts are two steps.
type Craft uint8

// The crafts. From Audit on, a verb of the craft is a request by itself: 요약하고 번역해줘 is two requests, 고치고 정리해줘 is one.
const (
	NoCraft   Craft = iota
	LightWork       // work of no particular kind: make, show, 만들다
	Analyse
	Benchmark
	Build
	Capture
	Compare
	Convert
	Debug
	Deliver // hands the result over: post, upload, mail
	Design
	Download
	Optimise
	Plot
	Schedule
	Track

	Audit
	Commit
	Deploy
	Document
	Implement
	Migrate
	Plan
	Present
	Refactor
	Research
	Review
	Summarise
	Test
	Train
	Transcribe
	Translate
	Write
)

// Alone reports whether a verb of the craft is a request by itself.
func (c Craft) Alone() bool { return c >= Audit }

// Joint is a set of roles that a word can have before a verb.
type Joint uint16

const (
	JointSequel Joint = 1 << iota // starts the next step: then
	JointAnd                      // adds another task: and
	JointFiller                   // can be skipped: please, now
	JointAsk                      // precedes the verb of a request: me, want to
)
