package vocab

// Class says what a word or phrase without content does in a conversation, and
// how it combines with its neighbours.
type Class uint16

// The classes.
const (
	Greet  Class = 1 << iota // hello, goodbye
	Thank                    // thanks
	Answer                   // yes, no, go on, stop, praise, a choice, a laugh
	Fill                     // says nothing by itself

	Lead // may be cut off the front of a request without a comma: "ok", "hey", "네"
	Turn // turns to the request: "now", "can you", "이제"

	Addressee // English: who is spoken to; opens a clause or follows a carrying word: "thanks man"
	Call      // the assistant's name: alone it is a greeting
	Aside     // English: a clause of its own, or after a carrying word at the end of one: "deal", "cool deal"
	Countable // English: only after a pointer or beside a number: "the second option", "step 3"

	Noun  // Korean: may take particles
	Part  // Korean: a particle, only after a noun or number
	Stem  // Korean: takes endings of 하다
	Tail  // Korean: an ending, after a stem or ending or as a word of its own
	Alone // Korean: starts a word, and no short entry is glued to it
	Last  // Korean: only at the end of a clause
)

// Carries are the classes one of which a greeting or an answer must have.
const Carries = Greet | Thank | Answer

var classNames = []string{"greet", "thank", "answer", "fill", "lead", "turn", "addressee", "call", "aside",
	"countable", "noun", "part", "stem",
	"tail", "alone", "last"}

// Sound says what a letter that stands alone sounds like.
type Sound uint8

// The sounds.
const (
	Laugh Sound = 1 << iota
	Cry
	Sigh
	Cheer
)

// Is reports a letter that stands for one of the sounds s.
func (s Sound) Is(letter rune) bool {
	sound, _ := Sounds.Value(string(letter))
	return Sound(sound)&s != 0
}

var soundNames = []string{"laugh", "cry", "sigh", "cheer"}

// Craft is a kind of work that usually has a skill of its own. Two clauses that
// name different crafts are two steps.
type Craft uint8

// The crafts.
const (
	NoCraft   Craft = iota
	LightWork       // work of no kind: make, show, 만들다
	Analyse
	Audit
	Benchmark
	Build
	Capture
	Commit
	Compare
	Convert
	Debug
	Deliver // hand the result over: post, upload, mail
	Deploy
	Design
	Document
	Download
	Implement
	Migrate
	Optimise
	Plan
	Plot
	Present
	Refactor
	Research
	Review
	Schedule
	Summarise
	Test
	Track
	Train
	Transcribe
	Translate
	Write
)

var craftNames = []string{"", "light work", "analyse", "audit", "benchmark", "build", "capture", "commit", "compare",
	"convert", "debug", "deliver",
	"deploy", "design", "document", "download", "implement", "migrate", "optimise", "plan", "plot", "present",
	"refactor", "research",
	"review", "schedule", "summarise", "test", "track", "train", "transcribe", "translate", "write"}

// JointWord says what a word does between two verbs of work, or behind one.
type JointWord uint16

// The words of joints.
const (
	JointAnd    JointWord = 1 << iota // adds a piece of work
	JointFiller                       // says nothing
	JointThat                         // after JointAfter, what was done before
	JointAfter
	JointLink   // between a verb and who asks or is asked: to, me
	JointAsk    // asks for the verb behind a JointLink
	JointHelp   // does so without one
	JointComma  // a comma may stand behind it
	JointObject // stands for the object of a verb
	JointPair   // joins the verb before it with one behind it
)

var jointWordNames = []string{"and", "filler", "that", "after", "link", "ask", "help", "comma", "object", "pair"}

// Negation says what a word is to a negation.
type Negation uint16

// The words of negations.
const (
	Without Negation = 1 << iota // negates what follows
	Other                        // negates what follows a NegationOf
	Except                       // is Other, and does without
	NegationOf
	Dont      // forbids the verb behind it, unless a Narrator is before it: "they don't load"
	Never     // is Dont, and forbids nothing behind a Narrator
	Wish      // behind a Narrator and a Dont: "I don't want"
	DoNot     // is as Dont with Not behind it: "do not"
	MustNot   // forbids with Not behind it, whatever is before it: "it must not"
	Not       // negates what follows, at the head of a part of a sentence
	NotMore   // behind Not: "not only" negates nothing
	No        // negates the noun behind it, at the head of a part
	BeforeNot // may stand before Not in a part
	BeforeNo  // may stand before No in a part
)

var negationNames = []string{"without", "other", "except", "of", "dont", "never", "wish", "do", "must", "not",
	"not more", "no", "before not", "before no"}

// EditVerb is what a direct small edit does.
type EditVerb uint8

// The verbs of edits.
const (
	NoEdit EditVerb = iota
	Open
	Move
	Rename
	Delete
	Fix
	Change
	Add
	Make
	Touch
	Restore
	Do // after a noun of action: 주석 처리해
)

var editVerbNames = []string{"", "open", "move", "rename", "delete", "fix", "change", "add", "make", "touch",
	"restore", "do"}

// EditWord says what a word is to a direct small edit.
type EditWord uint16

// The words of edits.
const (
	Before EditWord = 1 << iota // may stand before the verb
	Filler                      // says nothing about the edit
	Thing                       // a small thing that edits are about: typo, import, port
	Mark                        // a thing of a few characters, which needs no thought to add
	Into                        // what follows is the new value or place
	Place                       // what follows is the place
	Line
	Blank
	Folder
	Action // a noun of what is done, before the verb "do"
	Remark // a remark in code
)

var editWordNames = []string{"before", "filler", "thing", "mark", "into", "place", "line", "blank", "folder",
	"action", "remark"}

// Command says how a command of a shell line is meant as one.
type Command uint32

// The rules of commands. The families of commands with subcommands follow them.
const (
	OneWord   Command = 1 << iota // one bare word may follow
	TwoWords                      // two may
	Bare                          // may stand alone
	Code                          // the first argument is a flag, a path or the like
	TakesPath                     // in place of a subcommand a path or the like may stand
	TakesFlag                     // in place of a subcommand a flag may stand

	firstFamily = iota
)

var commandNames = []string{"one word", "two words", "bare", "code", "path", "flag",
	"tool", "framework", "git", "gh", "node", "python", "cargo", "go", "build", "docker", "kube", "infra", "package",
	"service", "cloud",
	"version", "tmux"}

// Family returns the family of commands whose subcommands the command has, ""
// where it has none.
func (c Command) Family() string {
	for i := firstFamily; i < len(commandNames); i++ {
		if c&(1<<i) != 0 {
			return commandNames[i]
		}
	}
	return ""
}

// What may follow a subcommand: a number of bare words, or
const (
	Refs     = 4 // names of branches only
	NeedVerb = 5 // words that say what to do: "docker image ls"
)

var subcommandNames = []string{"nothing", "one word", "two words", "three words", "refs", "verb"}
