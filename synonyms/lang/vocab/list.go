package vocab

// List is one of the word lists. Each list covers all languages.
type List uint8

// Beginnings, ends and parts of texts are matched with Begins, Ends and In.
const (
	Talk          List = iota // words and phrases without content, each with a Class
	Memory                    // first words of a note for the host's memory: always, 기억
	Crafts                    // verbs and nouns that name a kind of work, each with its Craft
	Determiner                // words that can start a verb's object: the, my, two
	AfterThat                 // words for "after that" at the start of a clause: 그다음
	Objectless                // words after a verb that show that it is a noun or shares another verb's object: is, of, or
	NoClause                  // stems with which -고 does not end a clause: 말(고), 그리(고), 광(고)
	NoClauseEnd               // ends of stems with which -고 does not end a clause: 라(고)
	SoEnd                     // verb endings that can come before a Channel: 정리해서 슬랙에
	Channel                   // beginnings of names of services to which results are delivered: 슬랙, notion
	Auxiliary                 // beginnings of words that form one verb with the -고 form before them: 하고 싶다
	After                     // nouns for "after" that follow a past verb or a word in Crafts: 다음, 후
	UseVerb                   // verbs and prepositions before a skill's name that ask to use it: run, via
	UseArticle                // words between a UseVerb and the name: the, our
	Used                      // beginnings of texts after a name that ask to use it: 쓰고, 실행
	NotUsed                   // beginnings of texts that match Used but do not ask to use the name: 사용법, 실행되
	Naming                    // parts of texts after a name that show that the name itself is meant: rename, 이름, 저장
	Route                     // beginnings of texts after /name that show that it is a path: endpoint, 경로
	WhatIs                    // beginnings of texts after a name that ask what it is: 이란, 가 뭐
	AskedAbout                // parts of texts after a name that ask about it: 뭐 하는, 쓰는 법
	NameJoint                 // words between names in a list in a prompt: and, 랑
	QuestionLead              // beginnings of a question that add nothing to it: tell me, btw
	OwnAffairs                // beginnings of questions about the user's own things: what is my, what's next
	Comparison                // beginnings of questions about the choice or use of a thing: when to use
	PastQuestion              // beginnings of questions about facts or past actions: who is, why did
	QuestionEnd               // ends of questions about a thing: 뭐야, 무슨 뜻
	WhyEnd                    // ends of questions about the reason for an action: 왜 그렇게 했어
	NotThis                   // beginnings of texts after a name that reject it: 말고, 빼고
	NegationEnd               // words and word pairs that end the reach of a negation: but, only, why not
	Commands                  // shell commands
	CommandVerb               // shell commands that are also English verbs
	CommandWord               // words that occur in command lines but not in sentences, such as names of branches
	Prose                     // words that occur in sentences but not in command lines
	Joints                    // words that join clauses or introduce a request, each with a Joint: then, want to
	Foreign                   // function words of Latin-script languages that have no folder
	TextExtension             // extensions of text files: go, md
	SystemFolder              // first folders of paths that look like a /command: home, tmp
	Stop                      // words that are neither indexed nor searched: the, of
	Stems                     // words that the stemmer gets wrong, each with its stem
	KeepsS                    // beginnings of words whose -ise is not a British -ize: surpris, advis
	Host                      // parts of host names that do not identify a site: www, com
	Generic                   // stems that say little about which skill is wanted
	CodeWork                  // stems and headwords for work on the current code, which needs no skill: fix, array
	AppPart                   // stems and headwords for parts and contents of an app under construction: page, icon
	TriggerLabel              // labels of a list of trigger phrases: keywords, 트리거
	UsageCue                  // phrases before an occasion on which a skill is used: use when
	OccasionLead              // words that are cut from the start of an occasion: the user, asks to
	UsageEnd                  // ends of a clause that says when to use the skill, in verb-last languages: 할 때
	UsageTail                 // words after a UsageEnd: 사용한다
	SaidBefore                // words before a quoted request: requests like
	SaidBehind                // words after a quoted request: 요청
	SaidLead                  // particles between a quoted request and a SaidBehind: 라는
	Or                        // words for "or" between occasions
	Refusal                   // beginnings of a clause that says what the skill is not for: do not use
	RefusalLead               // words between a Refusal and the excluded thing: for, when the user
	RefusalEnd                // ends of a clause that says what the skill is not for, in verb-last languages: 쓰지 마
	UseAnd                    // verb forms between a usage clause and a refusal: 사용하고
	UseSign                   // parts of a parenthesis that show that it names a skill to use instead: 사용, 대신
	NameFiller                // words that may follow a name, as in "use Y for that"
	Directive                 // words before the names of skills to use instead: prefer, see
	NotName                   // words after "use" that are not names of skills: it, only
	ExcludedTail              // words and particles that are cut from the end of an excluded thing: instead, 에는
	LeftOver                  // words and particles that do not exclude anything by themselves: 때, 에는
	SkillNoun                 // words for a skill or an agent
	ByParticle                // particles that mark the means of an action: 으로
	UsedParticle              // particles between a name and a verb such as use: 을, 를
	And                       // verb endings that link a verb to the next one: 고
	AndThen                   // words after a verb in -고 that mean "having done it": 나서, 난
	Past                      // ends of a past verb form before an After noun: 만든 (다음)
	NotPast                   // ends of words that match Past but are no verb forms: 버전
	RequestEnd                // ends of a sentence that asks for something: 해줘
	If                        // parts of texts that mark a condition: 하면
	NounVerb                  // ends of a verb form that modifies the next noun: (분석)하는
	Why                       // words that ask for a reason: 왜
	GoOn                      // beginnings of texts after a name that make the name alone a request: please, 부탁
	UseAdverb                 // adverbs between a name and a verb such as use: 먼저
	NameTail                  // words that show that the word before them is the name of a skill: directly, 를
	NameConnector             // words between two names in a description: and, 또는
	AndSoOn                   // words for "and so on" after a list of quotations: 등
	UseSignEnd                // ends of a parenthesis that names a skill to use instead: 스킬
	AgentWord                 // words for an agent in a prompt
	PlainStart                // beginnings of questions and small tasks that need no skill: define, translate
	PlainEnd                  // ends of questions and small tasks that need no skill: 번역해줘
	Asking                    // terms of usage clauses that do not say what a skill is for: user, request
	WhatQuestion              // beginnings of questions about what a thing is: what are
	Advice                    // parts of a WhatQuestion that ask for advice: best, should
	DoesQuestion              // beginnings of questions about what a thing does: what does
	DoesEnd                   // ends of a DoesQuestion: mean, return
	OwnDoes                   // beginnings of a DoesQuestion about the user's own things: what do we
	HowQuestion               // beginnings of questions about how a thing works: how does
	WorkEnd                   // ends of a HowQuestion: works
	Works                     // parts of a HowQuestion: work
	WhatBehind                // ends of questions such as "X is what"
	Negation                  // words and word pairs that negate a name after them: not, instead of
	Forbidden                 // parts of texts after a name that forbid its use: 지 마
	Yes                       // answers that mean yes, to a question of this program

	Count // number of lists
)
