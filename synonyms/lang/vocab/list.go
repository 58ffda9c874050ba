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

	Count // of the lists
)
