package vocab

// List is a list of words in all languages.
type List uint8

// The lists.
const (
	Talk                  List = iota // what words and phrases do in a conversation: a Class, 0 for parts of phrases
	Form                              // words put together from two short lists, which nothing is glued to: a Class
	Spelling                          // the usual form of chat spellings and foreign greetings
	Mistyped                          // words that are typed often and long enough to be recognised with one slip
	Pointer                           // words after which a countable has no content
	ThanksSign                        // what every text with thanks contains
	Greeted                           // words that make the greeting before them part of the work: "hello world"
	Slip                              // chat abbreviations typed with the other keyboard
	Memory                            // words that a note for the host's memory begins with
	Crafts                            // verbs and nouns of work: a Craft
	EditVerbs                         // verbs of small edits: an EditVerb
	EditEnding                        // what makes a verb form a request; longer ones come before those that they end in
	EditWords                         // the other words of small edits: an EditWord
	LineUnit                          // what follows the number of a line
	Particle                          // what may be taken off a noun; longer ones come before those that they end in
	NameParticle                      // what may follow a name or path
	Determiner                        // words that an object begins with
	Sequel                            // English words between two pieces of work that put one after the other
	AfterThat                         // words at the head of a clause that do
	Objectless                        // words that show the verb before them to be a noun or to share its object
	NoClause                          // what is before -고 where it ends no clause
	NoClauseEnd                       // ends of what is before -고 where it ends no clause
	Channel                           // places that results are delivered to
	Auxiliary                         // beginnings of words that make a -고 before them part of one verb
	After                             // nouns that put what follows after the verb before them
	UseVerb                           // verbs of use that govern a skill's name
	UseArticle                        // words between such a verb and the name
	Used                              // beginnings of what follows a name that is put to use
	NotUsed                           // beginnings of what looks like use and is not
	Naming                            // words about a name itself
	Route                             // beginnings of what follows a path of a web application
	WhatIs                            // beginnings of what follows a name that is asked about
	AskedAbout                        // what shows that a name is asked about
	NameJoint                         // words that join the names of a list
	QuestionLead                      // beginnings of a question that say nothing
	OwnAffairs                        // beginnings of questions about the person's own affairs
	Comparison                        // beginnings of questions about the choice or use of a thing
	PastQuestion                      // beginnings of questions about what was done
	QuestionEnd                       // ends of questions about a thing
	WhyEnd                            // ends of questions why something was done
	NegationSign                      // what every text with a negation contains
	NegatesNoun                       // words that negate the noun before them
	NegatesVerb                       // words that negate the verb in -지 before them
	BeforeVerb                        // ends of words that do not belong to the verb after them
	NotBareNoun                       // ends of words that are not a noun without particle
	AfterNo                           // words before which "no" negates nothing
	NegationEnd                       // words at which a negation ends
	Narrator                          // subjects with which "don't" tells something
	Unwilled                          // verbs that "don't" does not forbid
	RunWord                           // orders to run behind a command
	Function                          // words that make a line a sentence and not a command
	Commands                          // commands of a shell: a Command
	Subcommands                       // family and subcommand: how many bare words may follow, Refs or NeedVerb
	SubVerb                           // verbs after a noun such as "docker image"
	CommandPrefix                     // commands that run the command after them
	Branch                            // the usual names of branches and remotes
	TextName                          // names of text files without extension
	Foreign                           // words of grammar of languages in Latin script that have no folder
	TextExtension                     // extensions of text files
	DocumentExtension                 // extensions of documents, sheets, pictures and recordings
	ProjectFolder                     // usual first folders of a path
	SystemFolder                      // first folders of a path that looks like a /command
	Stop                              // words that say nothing about a topic: neither indexed nor searched
	Stems                             // stems of words that the stemmer keeps apart from their own other forms
	KeepsS                            // beginnings of words whose -ise is not British -ize
	Host                              // parts of host names that say nothing about a site
	Generic                           // stems that say little about which skill is meant
	CodeWork                          // stems and headwords of work on the code at hand, which needs no skill
	AppPart                           // stems and headwords of what an app under construction is made of and shows
	FollowUp                          // words that point back to what was said or made before
	TriggerLabel                      // labels of a list of trigger phrases
	UsageCue                          // what a clause says when it tells when to use the skill
	OccasionLead                      // what precedes the occasion itself in "the user asks to X"
	UsageEnd                          // ends of a clause that tells when to use the skill, where the verb is last
	UsageTail                         // what follows such an end: "할 때 사용한다"
	SaidBefore                        // what precedes a quotation of what users say
	SaidBehind                        // what follows it
	SaidLead                          // what joins that to the quotation
	ObjectParticle                    // particles of an object
	Or                                // words between two occasions
	Refusal                           // what a boundary clause begins with
	RefusalLead                       // what comes between a refusal and the excluded thing
	RefusalEnd                        // what a boundary clause ends with, where the verb is last
	UseAnd                            // what joins a use to such a clause
	UseSign                           // what shows that a parenthesis names a skill to use instead
	NameFiller                        // what may follow a name in "use Y for that"
	Directive                         // what comes before the names of skills to use instead
	NotName                           // words after "use" that are not the name of a skill
	ExcludedTail                      // what may be taken off the end of an excluded thing
	LeftOver                          // particles left over when a name is taken out
	NoPurpose                         // what a sentence says that tells what a skill is not for
	LineSign                          // what every small edit that names a line contains
	ValueParticle                     // particles of a new value or place
	NameNoun                          // ends of nouns that are the name of something
	SkillNoun                         // words for a skill or agent
	ByParticle                        // particles of what a thing is done with
	UsedParticle                      // other particles of a name that is put to use
	FolderBegin                       // beginnings of a word for a folder
	PathNoun                          // words for a file or folder between a path and its particle: an EditWord
	Only                              // the particle for "only"
	LineNoun                          // words for a line beside a number
	CraftBegin                        // beginnings of verbs of work: a Craft
	Behind                            // words for "after" behind a noun of work
	Span                              // beginnings of a span of time: after 후 they say when
	And                               // endings of a verb that another one follows
	AndThen                           // what makes such a verb come first
	AndThenEnd                        // the same written as one word
	AndDone                           // what makes such a verb done before a noun of time
	SpokenAnd                         // such endings as they are spoken
	SoEnd                             // endings of a verb for the sake of the next one
	Manner                            // ends of a last clause that says how and not what
	NounStem                          // what is before such an ending in nouns that look like verbs
	NounStemEnd                       // ends of the same
	VerbStemEnd                       // ends of verbs that look like such nouns
	Past                              // last letters of a verb before a noun of time
	NotPast                           // ends of other words with such a letter
	That                              // words before one of ThatThen
	ThatThen                          // words that make a sequel of one of That
	ClauseEnd                         // ends of a word that a clause may end with
	NotClauseEnd                      // ends of other words with such an end
	RequestEnd                        // ends of a sentence that asks
	IfEnd                             // ends of a condition
	NounVerb                          // ends of a verb that describes a noun
	Declares                          // ends of a sentence that tells something
	NotDeclares                       // ends of others with such an end
	Negated                           // ends of a verb before its negation
	Forbids                           // beginnings of a negation that forbids
	ForbidEnd                         // ends of a verb with its negation in one word
	WithoutEnd                        // ends of a noun with its negation in one word
	BoundNoun                         // nouns that belong to the word before them
	ObjectEnd                         // ends of the object of a negated verb
	WayEnd                            // ends of the way in which a negated verb is done
	Why                               // words of a question for a reason
	NounBefore                        // words for a skill or agent before its name
	GoOn                              // beginnings of what follows a name that is asked for alone
	UseAdverb                         // words between a name and a verb of use
	RunBefore                         // orders to run before a command
	RunTail                           // words behind a command that such an order begins
	RunMore                           // words before an order to run behind a command
	Lone                              // words that are something else where they are all there is: a Class
	Letters                           // beginnings of chat abbreviations in letters: a Class
	Sounds                            // letters that stand for a sound: a Sound
	Playful                           // last syllables in the place of a usual one
	PlayfulOpen                       // last syllables to which a final is added in play
	NameTail                          // words behind the name of a skill to use instead
	NameConnectorParticle             // particles and words behind a name that another one follows
	NameConnector                     // words between two names
	AndSoOn                           // ends of a list of quotations
	BareSubject                       // who asks, said without what
	UseSignEnd                        // ends of a parenthesis that names a skill to use instead
	AgentWord                         // what a prompt says that wants an agent
	PlainStart                        // beginnings of questions and errands that need no skill
	PlainEnd                          // ends of the same
	Correction                        // beginnings of a prompt that says the answer was wrong
	Asking                            // terms of sentences that say that a skill is used, not for what
	JointWords                        // words before and behind a verb that another one follows: a JointWord
	WhatQuestion                      // beginnings of a question for what a thing is
	Advice                            // what makes such a question one for advice
	DoesQuestion                      // beginnings of a question for what a thing does
	DoesEnd                           // ends of the same
	OwnDoes                           // beginnings of the same about the person's own affairs
	HowQuestion                       // beginnings of a question for how a thing works
	WorkEnd                           // ends of the same
	Works                             // what the same says elsewhere
	WhatBehind                        // ends of a question for what a thing is, said backwards
	Negations                         // words of a negation that stands before what it negates: a Negation
	NotMistyped                       // words near one of Mistyped that are others
	ShortTalk                         // words of two letters that a stretched one may be
	Ordinal                           // what follows the digits of a number in a list
	Yes                               // what agrees to a question of the program
)

// Kind is what a list says about its words.
type Kind uint8

// The kinds of lists.
const (
	Plain Kind = iota // nothing
	Flags             // one or more of Names: bit i for name i
	Enum              // one of Names: i for name i
	Text              // a text
)

// Match is how a list is compared with a text.
type Match uint8

// The ways to compare. In the last two the first word that fits counts, so that
// a longer one comes before those that it begins or ends with.
const (
	Whole  Match = iota // a word is looked up
	Begin               // the text begins with a word of the list
	End                 // it ends with one
	Inside              // it holds one
	FirstBegin
	FirstEnd
)

// Spec describes a list.
type Spec struct {
	Name   string // in the sources
	Kind   Kind
	Names  []string
	Match  Match
	None   string // a group of words of which it says nothing
	Adds   bool   // several groups may say something of a word
	Joined bool   // a word is a head and a tail
}

// Lists describes the lists.
var Lists = [...]Spec{
	Talk:                  {Name: "talk", Kind: Flags, Names: classNames, None: "phrase"},
	Form:                  {Name: "form", Kind: Flags, Names: classNames, Joined: true},
	Spelling:              {Name: "spelling", Kind: Text},
	Mistyped:              {Name: "mistyped"},
	Pointer:               {Name: "pointer"},
	ThanksSign:            {Name: "thanks sign", Match: Inside},
	Greeted:               {Name: "greeted"},
	Slip:                  {Name: "slip"},
	Memory:                {Name: "memory"},
	Crafts:                {Name: "craft", Kind: Enum, Names: craftNames},
	EditVerbs:             {Name: "edit verb", Kind: Enum, Names: editVerbNames},
	EditEnding:            {Name: "edit ending"},
	EditWords:             {Name: "edit word", Kind: Flags, Names: editWordNames, Adds: true},
	LineUnit:              {Name: "line unit"},
	Particle:              {Name: "particle", Match: FirstEnd},
	NameParticle:          {Name: "name particle"},
	Determiner:            {Name: "determiner"},
	Sequel:                {Name: "sequel"},
	AfterThat:             {Name: "after that"},
	Objectless:            {Name: "objectless"},
	NoClause:              {Name: "no clause"},
	NoClauseEnd:           {Name: "no clause end", Match: End},
	Channel:               {Name: "channel"},
	Auxiliary:             {Name: "auxiliary", Match: Begin},
	After:                 {Name: "after"},
	UseVerb:               {Name: "use verb"},
	UseArticle:            {Name: "use article"},
	Used:                  {Name: "used", Match: Begin},
	NotUsed:               {Name: "not used", Match: Begin},
	Naming:                {Name: "naming", Match: Inside},
	Route:                 {Name: "route", Match: Begin},
	WhatIs:                {Name: "what is", Match: Begin},
	AskedAbout:            {Name: "asked about", Match: Inside},
	NameJoint:             {Name: "name joint"},
	QuestionLead:          {Name: "question lead", Match: FirstBegin},
	OwnAffairs:            {Name: "own affairs", Match: Begin},
	Comparison:            {Name: "comparison", Match: Begin},
	PastQuestion:          {Name: "past question", Match: Begin},
	QuestionEnd:           {Name: "question end", Match: End},
	WhyEnd:                {Name: "why end", Match: End},
	NegationSign:          {Name: "negation sign", Match: Inside},
	NegatesNoun:           {Name: "negates noun"},
	NegatesVerb:           {Name: "negates verb"},
	BeforeVerb:            {Name: "before verb", Match: End},
	NotBareNoun:           {Name: "not bare noun", Match: End},
	AfterNo:               {Name: "after no"},
	NegationEnd:           {Name: "negation end"},
	Narrator:              {Name: "narrator"},
	Unwilled:              {Name: "unwilled"},
	RunWord:               {Name: "run word"},
	Function:              {Name: "function"},
	Commands:              {Name: "command", Kind: Flags, Names: commandNames, None: "plain"},
	Subcommands:           {Name: "subcommand", Kind: Enum, Names: subcommandNames},
	SubVerb:               {Name: "subverb"},
	CommandPrefix:         {Name: "command prefix"},
	Branch:                {Name: "branch"},
	TextName:              {Name: "text name"},
	Foreign:               {Name: "foreign"},
	TextExtension:         {Name: "text extension"},
	DocumentExtension:     {Name: "document extension"},
	ProjectFolder:         {Name: "project folder"},
	SystemFolder:          {Name: "system folder"},
	Stop:                  {Name: "stop"},
	Stems:                 {Name: "stem", Kind: Text},
	KeepsS:                {Name: "keeps s", Match: Begin},
	Host:                  {Name: "host"},
	Generic:               {Name: "generic"},
	CodeWork:              {Name: "code work"},
	AppPart:               {Name: "app part"},
	FollowUp:              {Name: "follow up"},
	TriggerLabel:          {Name: "trigger label", Match: FirstBegin},
	UsageCue:              {Name: "usage cue"},
	OccasionLead:          {Name: "occasion lead", Match: FirstBegin},
	UsageEnd:              {Name: "usage end", Match: FirstEnd},
	UsageTail:             {Name: "usage tail", Match: FirstEnd},
	SaidBefore:            {Name: "said before", Match: FirstEnd},
	SaidBehind:            {Name: "said behind", Match: FirstBegin},
	SaidLead:              {Name: "said lead", Match: FirstBegin},
	ObjectParticle:        {Name: "object particle", Match: FirstEnd},
	Or:                    {Name: "or"},
	Refusal:               {Name: "refusal", Match: FirstBegin},
	RefusalLead:           {Name: "refusal lead", Match: FirstBegin},
	RefusalEnd:            {Name: "refusal end"},
	UseAnd:                {Name: "use and"},
	UseSign:               {Name: "use sign", Match: Inside},
	NameFiller:            {Name: "name filler", Match: FirstBegin},
	Directive:             {Name: "directive", Match: FirstBegin},
	NotName:               {Name: "not name"},
	ExcludedTail:          {Name: "excluded tail", Match: FirstEnd},
	LeftOver:              {Name: "left over"},
	NoPurpose:             {Name: "no purpose", Match: Inside},
	LineSign:              {Name: "line sign", Match: Inside},
	ValueParticle:         {Name: "value particle"},
	NameNoun:              {Name: "name noun", Match: End},
	SkillNoun:             {Name: "skill noun", Match: FirstBegin},
	ByParticle:            {Name: "by particle", Match: FirstBegin},
	UsedParticle:          {Name: "used particle", Match: FirstBegin},
	FolderBegin:           {Name: "folder begin", Match: Begin},
	PathNoun:              {Name: "path noun", Kind: Flags, Names: editWordNames, Match: FirstBegin},
	Only:                  {Name: "only", Match: FirstEnd},
	LineNoun:              {Name: "line noun"},
	CraftBegin:            {Name: "craft begin", Kind: Enum, Names: craftNames, Match: Begin},
	Behind:                {Name: "behind"},
	Span:                  {Name: "span", Match: Begin},
	And:                   {Name: "and", Match: FirstEnd},
	AndThen:               {Name: "and then"},
	AndThenEnd:            {Name: "and then end", Match: End},
	AndDone:               {Name: "and done"},
	SpokenAnd:             {Name: "spoken and", Match: End},
	SoEnd:                 {Name: "so end", Match: End},
	Manner:                {Name: "manner", Match: End},
	NounStem:              {Name: "noun stem"},
	NounStemEnd:           {Name: "noun stem end", Match: End},
	VerbStemEnd:           {Name: "verb stem end", Match: End},
	Past:                  {Name: "past"},
	NotPast:               {Name: "not past", Match: End},
	That:                  {Name: "that"},
	ThatThen:              {Name: "that then"},
	ClauseEnd:             {Name: "clause end", Match: End},
	NotClauseEnd:          {Name: "not clause end", Match: End},
	RequestEnd:            {Name: "request end", Match: End},
	IfEnd:                 {Name: "if end", Match: End},
	NounVerb:              {Name: "noun verb", Match: FirstEnd},
	Declares:              {Name: "declares", Match: End},
	NotDeclares:           {Name: "not declares", Match: End},
	Negated:               {Name: "negated", Match: FirstEnd},
	Forbids:               {Name: "forbids", Match: Begin},
	ForbidEnd:             {Name: "forbid end", Match: End},
	WithoutEnd:            {Name: "without end", Match: FirstEnd},
	BoundNoun:             {Name: "bound noun"},
	ObjectEnd:             {Name: "object end", Match: End},
	WayEnd:                {Name: "way end", Match: End},
	Why:                   {Name: "why", Match: Inside},
	NounBefore:            {Name: "noun before", Match: FirstEnd},
	GoOn:                  {Name: "go on", Match: Begin},
	UseAdverb:             {Name: "use adverb", Match: FirstBegin},
	RunBefore:             {Name: "run before", Match: FirstBegin},
	RunTail:               {Name: "run tail", Match: FirstEnd},
	RunMore:               {Name: "run more", Match: FirstEnd},
	Lone:                  {Name: "lone", Kind: Flags, Names: classNames},
	Letters:               {Name: "letters", Kind: Flags, Names: classNames, Match: FirstBegin},
	Sounds:                {Name: "sound", Kind: Flags, Names: soundNames, None: "breath"},
	Playful:               {Name: "playful", Kind: Text},
	PlayfulOpen:           {Name: "playful open"},
	NameTail:              {Name: "name tail"},
	NameConnectorParticle: {Name: "connector particle"},
	NameConnector:         {Name: "name connector", Match: FirstBegin},
	AndSoOn:               {Name: "and so on", Match: FirstEnd},
	BareSubject:           {Name: "bare subject"},
	UseSignEnd:            {Name: "use sign end", Match: End},
	AgentWord:             {Name: "agent word", Match: Inside},
	PlainStart:            {Name: "plain start", Match: Begin},
	PlainEnd:              {Name: "plain end", Match: End},
	Correction:            {Name: "correction"},
	Asking:                {Name: "asking"},
	JointWords:            {Name: "joint word", Kind: Flags, Names: jointWordNames, Adds: true},
	WhatQuestion:          {Name: "what question", Match: Begin},
	Advice:                {Name: "advice", Match: Inside},
	DoesQuestion:          {Name: "does question", Match: Begin},
	DoesEnd:               {Name: "does end", Match: End},
	OwnDoes:               {Name: "own does", Match: Begin},
	HowQuestion:           {Name: "how question", Match: Begin},
	WorkEnd:               {Name: "work end", Match: End},
	Works:                 {Name: "works", Match: Inside},
	WhatBehind:            {Name: "what behind", Match: End},
	Negations:             {Name: "negation", Kind: Flags, Names: negationNames, Adds: true},
	NotMistyped:           {Name: "not mistyped"},
	ShortTalk:             {Name: "short talk"},
	Ordinal:               {Name: "ordinal"},
	Yes:                   {Name: "yes"},
}
