package vocab

// List is a list of words in all languages.
type List uint8

// The lists.
const (
	Talk          List = iota // words and phrases without content, each with a Class
	Memory                    // first words of a note for the host's memory
	Crafts                    // verbs and nouns of work, each with a Craft
	Determiner                // first words of an object
	AfterThat                 // words for "after that" at the start of a clause
	Objectless                // words that show that the verb before them is a noun or shares another verb's object
	NoClause                  // stems with which -고 does not end a clause
	NoClauseEnd               // ends of stems with which -고 does not end a clause
	SoEnd                     // verb endings for a purpose
	Channel                   // starts of places to which results are delivered
	Auxiliary                 // starts of words that form one verb with a -고 before them
	After                     // nouns for "after" that follow work
	UseVerb                   // verbs of use before a skill's name
	UseArticle                // words between a verb of use and the name
	Used                      // starts of texts after a name that show that it is used
	NotUsed                   // words after a name that show it is given to something, not used: rename, 이름, 저장
	Naming                    // words about naming
	Route                     // starts of texts after a /name that is a path of a web application
	WhatIs                    // starts of texts after a name that is asked about
	AskedAbout                // parts of texts after a name that is asked about
	NameJoint                 // words between names in a list
	QuestionLead              // starts of a question without content
	OwnAffairs                // starts of questions about one's own affairs
	Comparison                // starts of questions about the choice or use of a thing
	PastQuestion              // starts of questions about past actions
	QuestionEnd               // ends of questions about a thing
	WhyEnd                    // ends of questions for the reason of an action
	NotThis                   // starts of texts after a rejected name
	NegationEnd               // words and pairs of words that end the reach of a negation
	Commands                  // shell commands
	CommandVerb               // shell commands that are also English verbs
	CommandWord               // words that occur in command lines but not in sentences: branches, scripts
	Prose                     // words that occur in sentences but not in command lines
	Joints                    // words between two verbs of work, each with a Joint
	Foreign                   // function words of languages in Latin script without a folder
	TextExtension             // extensions of text files
	SystemFolder              // first folders of paths that look like a /command
	Stop                      // words without a topic, neither indexed nor searched
	Stems                     // words whose stem the stemmer would get wrong
	KeepsS                    // starts of words whose -ise is not British -ize
	Host                      // parts of host names that do not identify a site
	Generic                   // stems that say little about which skill is wanted
	CodeWork                  // stems and headwords of work on the present code, which needs no skill
	AppPart                   // stems and headwords for parts and contents of an app under construction
	TriggerLabel              // labels of a list of trigger phrases
	UsageCue                  // phrases that say when to use the skill
	OccasionLead              // words before the occasion in "the user asks to X"
	UsageEnd                  // ends of clauses that say when to use the skill, in languages with the verb last
	UsageTail                 // words after a UsageEnd: "할 때 사용한다"
	SaidBefore                // words before a quotation of what users say
	SaidBehind                // words after a quotation of what users say
	SaidLead                  // particles between a quotation and a SaidBehind
	Or                        // words for "or" between occasions
	Refusal                   // starts of a boundary clause
	RefusalLead               // words between a refusal and the excluded thing
	RefusalEnd                // ends of a boundary clause in languages with the verb last
	UseAnd                    // endings between a use and a boundary clause
	UseSign                   // parts of a parenthesis that names a skill to use instead
	NameFiller                // words that may follow a name, as in "use Y for that"
	Directive                 // words before the names of skills to use instead
	NotName                   // words after "use" that are not names of skills
	ExcludedTail              // ends of an excluded thing that can be cut
	LeftOver                  // particles that remain after a name is cut
	SkillNoun                 // words for a skill or agent
	ByParticle                // particles for the means of an action
	UsedParticle              // other particles after a name that is used
	And                       // verb endings that another verb follows
	AndThen                   // words after a verb in -고 that mean "having done it": 나서, 난
	Past                      // ends of a verb before a noun of time
	NotPast                   // ends of words that only look like Past
	RequestEnd                // ends of a sentence that asks
	If                        // parts of a text that end a condition
	NounVerb                  // ends of a verb that describes a noun
	Why                       // question words for a reason
	GoOn                      // starts of texts after a name that make the name alone a request
	UseAdverb                 // words between a name and a verb of use
	NameTail                  // words after the name of a skill to use instead
	NameConnector             // words between two names
	AndSoOn                   // ends of a list of quotations
	UseSignEnd                // ends of a parenthesis that names a skill to use instead
	AgentWord                 // words of prompts that ask for an agent
	PlainStart                // starts of questions and errands that need no skill
	PlainEnd                  // ends of questions and errands that need no skill
	Asking                    // terms of sentences that say that a skill is used but not for what
	WhatQuestion              // starts of questions about the nature of a thing
	Advice                    // parts of WhatQuestion questions that ask for advice
	DoesQuestion              // starts of questions about the effect of a thing
	DoesEnd                   // ends of DoesQuestion questions
	OwnDoes                   // starts of DoesQuestion questions about one's own affairs
	HowQuestion               // starts of questions about the workings of a thing
	WorkEnd                   // ends of HowQuestion questions
	Works                     // parts of HowQuestion questions
	WhatBehind                // ends of questions such as "X is what"
	Negation                  // words and pairs of words that negate a name after them
	Forbidden                 // words after a name that forbid its use
	Yes                       // answers that say yes to a question of the program

	Count // number of lists
)
