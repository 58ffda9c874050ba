package vocab

// List is a list of words in all languages.
type List uint8

// The lists.
const (
	Talk                  List = iota // what words and phrases without content do in a conversation: a Class
	Memory                            // words that a note for the host's memory begins with
	Crafts                            // verbs and nouns of work: a Craft
	Determiner                        // words that an object begins with
	AfterThat                         // words at the head of a clause that do
	Objectless                        // words that show the verb before them to be a noun or to share its object
	NoClause                          // what is before -고 where it ends no clause
	NoClauseEnd                       // ends of the same
	SoEnd                             // endings of a verb for the sake of the next one
	Channel                           // beginnings of places that results are delivered to
	Auxiliary                         // beginnings of words that make a -고 before them part of one verb
	After                             // nouns that put what follows after the verb or noun of work before them
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
	NotThis                           // beginnings of what follows a name that is not wanted
	NegationEnd                       // words and pairs of words that such a negation does not reach over
	Commands                          // commands of a shell
	CommandVerb                       // those that are English verbs as well
	CommandWord                       // bare words of a command line that no sentence has: branches, scripts
	Prose                             // words that make a line a sentence and not a command
	Joints                            // words between two verbs of work: a Joint
	Foreign                           // words of grammar of languages in Latin script that have no folder
	TextExtension                     // extensions of text files
	SystemFolder                      // first folders of a path that looks like a /command
	Stop                              // words that say nothing about a topic: neither indexed nor searched
	Stems                             // stems of words that the stemmer keeps apart from their own other forms
	KeepsS                            // beginnings of words whose -ise is not British -ize
	Host                              // parts of host names that say nothing about a site
	Generic                           // stems that say little about which skill is meant
	CodeWork                          // stems and headwords of work on the code at hand, which needs no skill
	AppPart                           // stems and headwords of what an app under construction is made of and shows
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
	SkillNoun                         // words for a skill or agent
	ByParticle                        // particles of what a thing is done with
	UsedParticle                      // other particles of a name that is put to use
	And                               // endings of a verb that another one follows
	AndThen                           // what makes such a verb come first
	Past                              // ends of a verb before a noun of time
	NotPast                           // ends of other words with such a letter
	RequestEnd                        // ends of a sentence that asks
	If                                // ends of a condition, within a text
	NounVerb                          // ends of a verb that describes a noun
	Why                               // words of a question for a reason
	GoOn                              // beginnings of what follows a name that is asked for alone
	UseAdverb                         // words between a name and a verb of use
	NameTail                          // words behind the name of a skill to use instead
	NameConnectorParticle             // particles and words behind a name that another one follows
	NameConnector                     // words between two names
	AndSoOn                           // ends of a list of quotations
	BareSubject                       // who asks, said without what
	UseSignEnd                        // ends of a parenthesis that names a skill to use instead
	AgentWord                         // what a prompt says that wants an agent
	PlainStart                        // beginnings of questions and errands that need no skill
	PlainEnd                          // ends of the same
	Asking                            // terms of sentences that say that a skill is used, not for what
	WhatQuestion                      // beginnings of a question for what a thing is
	Advice                            // what makes such a question one for advice
	DoesQuestion                      // beginnings of a question for what a thing does
	DoesEnd                           // ends of the same
	OwnDoes                           // beginnings of the same about the person's own affairs
	HowQuestion                       // beginnings of a question for how a thing works
	WorkEnd                           // ends of the same
	Works                             // what the same says elsewhere
	WhatBehind                        // ends of a question for what a thing is, said backwards
	Negation                          // words and pairs of words that negate a name that follows
	Forbidden                         // what forbids the use of a name before it
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
	Name  string // in the sources
	Kind  Kind
	Names []string
	Match Match
}

// Lists describes the lists.
var Lists = [...]Spec{
	Talk:                  {Name: "talk", Kind: Flags, Names: classNames},
	Memory:                {Name: "memory"},
	Crafts:                {Name: "craft", Kind: Enum, Names: craftNames},
	Determiner:            {Name: "determiner"},
	AfterThat:             {Name: "after that"},
	Objectless:            {Name: "objectless"},
	NoClause:              {Name: "no clause"},
	SoEnd:                 {Name: "so end", Match: End},
	Channel:               {Name: "channel", Match: Begin},
	NoClauseEnd:           {Name: "no clause end", Match: End},
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
	NotThis:               {Name: "not this", Match: Begin},
	Forbidden:             {Name: "forbidden", Match: Inside},
	NegationEnd:           {Name: "negation end"},
	Commands:              {Name: "command"},
	CommandVerb:           {Name: "command verb"},
	CommandWord:           {Name: "command word"},
	Prose:                 {Name: "prose"},
	Joints:                {Name: "joint", Kind: Flags, Names: jointNames},
	Foreign:               {Name: "foreign"},
	TextExtension:         {Name: "text extension"},
	SystemFolder:          {Name: "system folder"},
	Stop:                  {Name: "stop"},
	Stems:                 {Name: "stem", Kind: Text},
	KeepsS:                {Name: "keeps s", Match: Begin},
	Host:                  {Name: "host"},
	Generic:               {Name: "generic"},
	CodeWork:              {Name: "code work"},
	AppPart:               {Name: "app part"},
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
	SkillNoun:             {Name: "skill noun", Match: FirstBegin},
	ByParticle:            {Name: "by particle", Match: FirstBegin},
	UsedParticle:          {Name: "used particle", Match: FirstBegin},
	And:                   {Name: "and", Match: FirstEnd},
	AndThen:               {Name: "and then"},
	Past:                  {Name: "past", Match: End},
	NotPast:               {Name: "not past", Match: End},
	RequestEnd:            {Name: "request end", Match: End},
	If:                    {Name: "if", Match: Inside},
	NounVerb:              {Name: "noun verb", Match: FirstEnd},
	Why:                   {Name: "why", Match: Inside},
	GoOn:                  {Name: "go on", Match: Begin},
	UseAdverb:             {Name: "use adverb", Match: FirstBegin},
	NameTail:              {Name: "name tail"},
	NameConnectorParticle: {Name: "connector particle"},
	NameConnector:         {Name: "name connector", Match: FirstBegin},
	AndSoOn:               {Name: "and so on", Match: FirstEnd},
	BareSubject:           {Name: "bare subject"},
	UseSignEnd:            {Name: "use sign end", Match: End},
	AgentWord:             {Name: "agent word", Match: Inside},
	PlainStart:            {Name: "plain start", Match: Begin},
	PlainEnd:              {Name: "plain end", Match: End},
	Asking:                {Name: "asking"},
	WhatQuestion:          {Name: "what question", Match: Begin},
	Advice:                {Name: "advice", Match: Inside},
	DoesQuestion:          {Name: "does question", Match: Begin},
	DoesEnd:               {Name: "does end", Match: End},
	OwnDoes:               {Name: "own does", Match: Begin},
	HowQuestion:           {Name: "how question", Match: Begin},
	WorkEnd:               {Name: "work end", Match: End},
	Works:                 {Name: "works", Match: Inside},
	WhatBehind:            {Name: "what behind", Match: End},
	Negation:              {Name: "negation"},
	Yes:                   {Name: "yes"},
}
