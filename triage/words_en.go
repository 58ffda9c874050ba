package triage

// enCanon returns the usual form of chat spellings and foreign greetings, and
// one form for words that do the same in a conversation; other words come back
// unchanged. Apostrophes are gone: "that's" arrives as "thats".
func enCanon(w string) string {
	switch w {
	case "okay", "okey", "okie", "oki", "oke", "okk", "okok", "kk", "k", "kay", "mkay", "okeydokey", "okidoki", "okiedokie", "oks", "oky", "okya",
		"okayy", "alrighty", "aight", "ight", "alright":
		return "ok"
	case "yeah", "yea", "yep", "yup", "yah", "ya", "yeh", "yass", "yas", "yis", "yessir", "yesh", "yeap", "ye", "aye", "y", "oui", "ja", "uhuh",
		"yessum", "yurp", "yuh", "surely":
		return "yes"
	case "nope", "nah", "nay", "nop", "nopes", "n", "nein", "naw":
		return "no"
	case "thank", "thx", "thnx", "tnx", "thanx", "thks", "thnks", "tks", "tanks", "ty", "tysm", "tyvm", "tq", "thankyou", "thanku", "thankx", "thxs",
		"thanq", "gracias", "merci", "danke", "arigato", "arigatou", "gomawo", "kamsahamnida", "gamsahamnida", "tyty", "obrigado", "obrigada", "grazie", "txs", "shukran", "spasibo", "xiexie":
		return "thanks"
	case "plz", "pls", "plss", "plese", "pleas", "plox", "plx", "pleaz":
		return "please"
	case "u", "yall":
		return "you"
	case "ur":
		return "your"
	case "r":
		return "are"
	case "gud":
		return "good"
	case "gr8", "grt":
		return "great"
	case "im", "id", "ill", "ive":
		return "i"
	case "its", "itll":
		return "it"
	case "thats", "thatll", "thatd":
		return "that"
	case "youre", "youve":
		return "you"
	case "theres":
		return "there"
	case "wanna":
		return "want"
	case "gonna":
		return "will"
	case "cuz", "coz", "bc", "cos":
		return "because"
	case "noice", "nais":
		return "nice"
	case "kool":
		return "cool"
	case "awsome", "awesum":
		return "awesome"
	case "perfecto":
		return "perfect"
	case "hiya", "heya", "hya", "hai":
		return "hi"
	case "helo", "hallo", "hullo", "ello", "hola", "aloha", "bonjour", "namaste", "annyeong", "annyeonghaseyo", "salut", "konnichiwa", "konbanwa", "ohayo", "ohayou", "nihao",
		"buongiorno", "bonsoir", "privet", "salaam", "sawasdee", "servus", "moin", "hellow",
		"helloo":
		return "hello"
	case "mornin", "gm", "goodmorning", "mornings":
		return "morning"
	case "gn", "goodnight", "nite":
		return "night"
	case "byebye", "bai", "goodbye", "cya", "seeya", "ttyl", "ttys", "gtg", "g2g", "brb", "afk", "bbl", "adios", "farewell", "ciao", "toodles", "sayonara",
		"laters", "l8r":
		return "bye"
	case "sgtm", "wfm", "shipit", "lgtm2":
		return "lgtm"
	case "nvm", "nvmd":
		return "nevermind"
	case "lesgo", "leggo", "goahead", "letsgo", "gogogo", "gogo", "doit", "lfg", "goforit", "carryon", "keepgoing", "procede", "proceeed":
		return "proceed"
	case "soundsgood", "looksgood", "allgood", "welldone", "goodjob", "gj":
		return "good"
	case "np", "yw", "ywc", "yws", "denada":
		return "welcome"
	case "cont":
		return "continue"
	case "tbh", "ofc", "imo", "imho", "obviously", "honestly", "frankly", "basically", "totes":
		return "really"
	}
	return w
}

// enWord returns the class of one English word in canonical form, 0 for words
// that count only inside a phrase, and whether the word is known at all.
func enWord(w string) (class, bool) {
	switch w {
	// hello, goodbye
	case "hi", "hey", "hello", "howdy", "yo", "greetings", "heyo", "ahoy":
		return greet | lead, true
	case "morning", "sup", "wassup", "whatsup", "evening", "afternoon", "gday", "bye", "night", "nights", "tgif", "hru", "wyd", "wsg":
		return greet, true

	// thanks
	case "thanks":
		return thank | lead, true
	case "cheers", "kudos", "appreciated", "thankful", "grateful":
		return thank, true

	// yes and agreement
	case "ok", "yes", "sure":
		return answer | lead, true
	case "indeed", "absolutely", "definitely", "certainly", "totally", "agreed", "agree", "approved", "approve", "accepted", "accept", "confirmed",
		"confirm", "affirmative", "correct", "right", "true", "exactly", "precisely", "roger", "gotcha", "understood", "noted", "granted",
		"acknowledged", "ack", "lgtm", "ditto", "same", "whatever", "either", "neither", "anything", "allowed", "righto", "fosho",
		"daccord", "dunno", "claro":
		return answer, true
	case "bet", "ready", "finally", "maybe", "perhaps", "seriously", "likewise", "ping", "fire", "clean", "fast", "legit", "none", "allow":
		return answer | aside, true

	// no and stop
	case "no", "stop", "wait", "cancel", "abort", "halt", "never", "undo", "nevermind", "rejected", "denied", "wrong", "incorrect", "enough",
		"disregard":
		return answer, true
	case "dont", "pause", "hold", "quit", "skip", "ignore", "revert", "reject", "decline":
		return answer | aside, true

	// go on
	case "go", "continue", "proceed", "next", "again", "retry", "redo", "rerun", "onward", "onwards", "begin", "start", "further", "more":
		return answer, true
	case "repeat", "ship", "run", "execute", "apply", "implement", "keep":
		return answer | aside, true

	// praise and feeling
	case "great", "good", "perfect", "awesome", "nice", "cool", "amazing", "excellent", "wonderful", "fantastic", "brilliant", "superb", "lovely",
		"neat", "sweet", "beautiful", "fine", "impressive", "incredible", "helpful", "bingo", "jackpot", "yippee", "hallelujah", "whew", "booyah",
		"bruh", "lmk", "idk", "outstanding", "fabulous", "splendid", "terrific", "magnificent", "flawless", "stellar", "bravo", "congrats",
		"congratulations", "yay", "woohoo", "hooray", "hurray", "woot", "gg", "wow", "whoa", "woah", "omg", "oops", "whoops", "sorry", "apologies",
		"lol", "lmao", "rofl", "lmfao", "xd", "hmm", "hm", "mm", "mhm", "uh", "um", "ah", "aha", "oh", "ooh", "ugh", "phew", "meh", "damn", "dang",
		"gosh", "geez", "jeez", "wtf", "huh", "eh", "nicely", "better", "best", "loved", "liked", "interesting", "funny", "glad", "slick", "clever",
		"genius", "legendary", "easy", "works", "worked", "working", "done", "finished", "fixed", "solved", "resolved", "sorted", "perfectly",
		"beautifully", "flawlessly", "gorgeous", "insane", "unreal", "spectacular", "phenomenal", "marvelous", "fab", "brill",
		"oof", "yikes", "bellissimo", "excelente", "genial":
		return answer, true
	case "dope", "sick", "lit", "smart", "legend", "champ", "welcome", "super", "boom", "wild", "crazy", "rad", "goated":
		return answer | aside, true

	// choice
	case "first", "second", "third", "fourth", "fifth", "former", "latter", "both", "#":
		return answer, true
	case "option", "options", "step", "steps", "part", "parts", "phase", "task", "tasks", "approach", "version", "suggestion", "suggestions",
		"recommendation", "recommendations", "choice", "item", "items", "section", "idea", "ideas", "plan", "direction", "number", "proposal",
		"solution", "todo", "todos", "change", "changes", "alternative", "variant", "list", "round", "point", "answer", "explanation", "result",
		"results", "work":
		return fill | count, true

	// turning to the request
	case "now", "then", "please", "also":
		return fill | turn, true

	// who is spoken to
	case "claude":
		return fill | name | call, true
	case "buddy", "bro", "man", "dude", "mate", "sir", "guys", "folks", "team", "friend", "pal", "boss", "everyone", "everybody", "world", "there",
		"maam", "dear", "chief", "bud", "homie", "gpt", "ai", "bot", "assistant", "fam", "babe", "hun", "people", "partner":
		return fill | name, true

	// function words
	case "and", "but", "so", "i", "you", "it", "that", "this", "these", "those", "them", "they", "he", "we", "us", "me", "my", "your", "our", "mine",
		"yours", "is", "was", "are", "were", "be", "been", "am", "will", "would", "can", "could", "should", "shall", "may", "might", "must", "do",
		"does", "did", "have", "had", "has", "having", "a", "the", "an", "of", "to", "for", "with", "in", "on", "at", "as", "by", "from", "or", "if",
		"than", "because", "until", "till", "very", "much", "really", "just", "too", "pretty", "quite", "truly", "deeply", "kinda", "rather", "only",
		"even", "still", "already", "yet", "well", "back", "here", "one", "ones", "other", "others", "another", "last", "previous", "lot", "lots",
		"bunch", "ton", "tons", "million", "bit", "way", "thing", "things", "everything", "something", "nothing", "time", "today", "tonight",
		"tomorrow", "minute", "moment", "sec", "day", "weekend", "while", "lets", "get", "got", "going", "want", "wanted", "like", "likes", "looks",
		"look", "looking", "looked", "seems", "seem", "sounds", "sound", "feels", "think", "thought", "guess", "hope", "know", "see", "said", "say",
		"asked", "mean", "trust", "believe", "actually", "literally", "anyway", "probably", "though", "tho", "exact", "such", "over", "up", "out",
		"off", "ahead", "along", "after", "before", "once", "always", "ever", "soon", "later", "quick", "quickly", "all", "remaining", "every",
		"each", "pointed", "ask", "stuff", "ultrathink", "completely", "fully", "entirely":
		return fill, true
	}
	return 0, enPhraseWord(w)
}

// enPhraseWord reports words that have a meaning here only inside the phrases
// of enPhrase.
func enPhraseWord(w string) bool {
	switch w {
	case "job", "rest", "finish", "complete", "move", "moving", "feel", "free", "bottom", "top", "three", "four", "tests", "issue", "lifesaver",
		"boy", "home", "listening", "win", "god", "bad", "make", "made", "makes", "sense", "left", "where", "stopped", "pick", "call", "catch",
		"help", "helping", "helped", "helpful", "appreciate", "trouble", "problem", "worries", "worry", "need", "not", "dont", "cant", "mind",
		"forget", "fix", "fixing", "explaining", "clarifying", "info", "patience", "update", "heads", "dokie", "response", "needed", "meant", "none",
		"any", "above", "trick", "leave", "roll", "put", "take", "takes", "care", "long", "meet", "how", "hows", "whats", "what", "doing", "life",
		"anyone", "anybody", "around", "awake", "alive", "available", "online", "talk", "hear", "question", "questions", "favor", "planned",
		"suggested", "suggest", "proposed", "propose", "described", "recommended", "recommend", "discussed", "mentioned", "outlined", "choose",
		"decide", "whichever", "use", "using", "try", "give", "shot", "stick", "fair", "hang", "rock", "killed", "crushed", "spot", "hit", "copy",
		"send", "fire", "love", "deal", "chef", "hero", "keep", "saved", "effort", "beginning", "scratch", "current", "sleep", "far", "matter",
		"green", "light", "who", "carry", "thumbs", "gotta", "gets", "goes", "seen", "happy", "new", "year", "merry", "christmas", "holidays",
		"hands", "shape", "blown", "kiss":
		return true
	}
	return false
}

// maxPhrase is the number of words in the longest phrase of enPhrase.
const maxPhrase = 6

// enPhrase returns the class of a phrase of 2 to maxPhrase canonical words, 0
// when it is none.
func enPhrase(p string) class {
	switch p {
	case "good morning", "good afternoon", "good evening", "good night", "good day", "hi there", "hello there", "hey there", "hi again",
		"hello again", "what is up", "whats up", "whats new", "hows life", "how goes it", "how are you", "how are things", "how is it going",
		"hows it going", "hows everything", "how do you do", "how have you been", "how are you doing", "how you doing", "long time no see",
		"nice to meet you", "good to see you", "hows your day", "how was your day", "how is your day", "hows your day going", "whats good",
		"what is good", "anyone home", "anybody home", "is anyone there", "is anybody there", "still there", "i am here", "i here", "i listening",
		"nice to see you", "happy to be back", "you there", "you around", "you awake", "you alive", "you up", "you online", "are you there",
		"are you around", "are you awake", "are you alive", "are you up", "are you online", "are you available", "anyone there", "anybody there",
		"anyone here", "anybody here", "anyone around", "can you hear me", "do you hear me", "you still there", "are you still there", "who are you",
		"i am back", "i back", "welcome back", "guess who is back", "see you", "see you later", "see you tomorrow", "see you soon", "see you around",
		"see yes", "talk later", "talk to you later", "talk soon", "talk to you soon", "talk to you tomorrow", "talk tomorrow", "catch you later", "take care",
		"have a good one", "have a good day", "have a nice day", "have a great day", "have a good night", "have a nice weekend",
		"have a good weekend", "have a great weekend", "sleep well", "call it a day", "call it a night", "lets call it a day", "be right back",
		"got to go", "gotta go", "have to go", "gotta run", "sweet dreams", "happy new year", "merry christmas", "merry xmas", "happy holidays",
		"happy monday", "happy tuesday", "happy wednesday", "happy thursday", "happy friday", "happy saturday", "happy sunday", "happy weekend",
		"happy birthday", "happy thanksgiving", "happy easter", "happy halloween", "top of the morning", "rise and shine", "knock knock",
		"back from lunch", "off to lunch", "going to lunch", "lunch time", "time for lunch", "catch yes later", "peace out", "take it easy",
		"sleep tight", "nighty night", "have fun", "good to be back", "good to have you back", "nice to be back", "hope you doing well",
		"hope you are doing well", "hope you are well", "hope you well", "hope all is well", "hope you had a good weekend",
		"hope you had a nice weekend", "hope you had a great weekend", "how was your weekend", "hows your weekend", "how was your night",
		"how was your evening", "how are you feeling", "how you feeling", "what are you up to", "what you up to", "whats cooking", "what is cooking",
		"how is life", "whats your name", "what is your name", "how old are you", "are you human", "are you a human", "are you a robot",
		"are you a bot", "are you real", "are you an ai", "are you a person", "you good", "you ok", "are you ok",

		"nice weather", "lovely weather", "beautiful day", "lovely day":
		return greet
	case "guten tag", "guten morgen", "guten abend", "gute night", "gute nacht", "bis morgen", "bis bald", "auf wiedersehen", "buenos dias",
		"buenos días", "buenas tardes", "buenas noches", "buen dia", "buen día", "hello zusammen", "hasta luego", "hasta mañana", "que tal", "qué tal", "bonne nuit",
		"bonne journée", "bonne journee", "au revoir", "à demain", "à bientôt", "ça va", "ca va", "bom dia", "boa tarde", "boa noite", "tudo bem",
		"buona sera", "buona notte", "a domani", "xin chao", "xin chào", "selamat pagi", "selamat malam", "dobrý den", "dzień dobry":
		return greet
	case "vielen dank", "besten dank", "thanks schön", "thanks schon", "thanks sehr", "muchas thanks", "mil thanks", "thanks mille",
		"mille thanks", "thanks beaucoup", "thanks bien", "muito thanks", "mange tak", "tack så mycket", "terima kasih", "cam on", "xie xie",
		"thanks gozaimasu", "much obliged":
		return thank

	case "thanks you", "many thanks", "much appreciated", "appreciate it", "appreciate that", "appreciate you", "appreciate the help",
		"appreciate your help", "appreciate this", "big help", "great help", "you rock", "you are the best", "you the best", "you are a lifesaver",
		"you saved me", "saved me", "for helping", "for the help", "for your help", "for all the help", "for all your help", "for helping me",
		"for helping out", "for your time", "for your effort", "for the effort", "for the quick fix", "for the fix", "for fixing it",
		"for fixing that", "for doing that", "for doing this", "for the explanation", "for explaining", "for explaining that",
		"for the quick response", "for your patience", "for the info", "for clarifying", "for the update", "for the heads up", "for your work", "you are a star", "you a star", "you are a legend", "you a legend", "you are a hero",
		"you a hero":
		return thank
	case "that helped", "it helped", "that helps", "very helpful", "so helpful", "super helpful", "really helpful", "helpful answer", "helped a lot",
		"helps a lot", "of help", "a big help", "a great help":
		return thank

	case "go ahead", "do everything", "do it all", "do them all", "finish the remaining", "feel free", "feel free to", "lets roll", "lets ship it",
		"hit me", "on it", "all three", "all four", "the other one", "other one", "on the left", "on the right", "the bottom one", "the top one",
		"bottom one", "top one", "the last one", "i take", "go on", "go for it", "go with", "go back", "go to", "do it", "do that", "do this",
		"do so", "please do", "do both", "do them", "do all", "do the rest", "do the same", "do the others", "keep going", "keep it up", "keep it",
		"keep that", "keep them", "keep those", "keep at it", "carry on", "move on", "move on to", "move forward", "move ahead", "moving on",
		"lets go", "lets do", "lets move", "lets continue", "lets proceed", "lets start", "lets begin", "lets see", "lets keep going", "get going",
		"get started", "get to it", "get on with it", "get it done", "ship it", "send it", "run it", "run that", "run this", "run them", "apply it",
		"apply that", "apply this", "apply them", "apply those", "apply these", "apply all", "apply the changes", "implement it", "implement that",
		"implement this", "implement them", "make it so", "make it happen", "make that happen", "finish it", "finish up", "finish that",
		"finish this", "finish them", "finish the rest", "finish the job", "finish what you started", "complete it", "complete the rest",
		"complete that", "the rest", "rest of it", "rest of them", "where you left off", "where we left off", "where you stopped",
		"where i left off", "where it stopped", "where we were", "where you were", "what you were doing", "what you are doing", "what you doing", "what you are working on", "pick up", "pick it up", "pick up from",
		"picking up from", "start over", "from scratch", "from the beginning", "the beginning", "the current one", "give it a try", "give it a go",
		"give it a shot", "give that a try", "try again", "try it", "try that", "try it again", "try once more", "try one more time",
		"one more time", "one more", "try the other one", "run it again", "start it", "start with", "begin with", "green light", "thumbs up",
		"you have my approval", "take it from here", "take it away", "over to you", "all yours", "be my guest", "hit it", "fire away", "as planned",
		"as you suggested", "as you suggest", "as suggested", "as proposed", "as you proposed", "as described", "as discussed", "as mentioned",
		"as outlined", "as recommended", "as you recommended", "as you recommend", "as is", "as you wish", "as you said", "as you like",
		"as you see fit", "keep on", "keep working", "give it another try", "give it another go", "give it another shot", "hurry up",
		"slow down", "go back one step", "back one step", "por favor", "mach weiter":
		return answer
	case "option a", "plan a", "all of them", "all of it", "all of the above", "all of those", "all of these", "any of them", "none of them",
		"none of those", "what i wanted", "what i needed", "what i want", "what i need", "what i meant", "what i had in mind",
		"what i was looking for", "what i asked for", "what i had hoped for", "i trust you", "what you suggested", "what you proposed", "what you recommended", "what you recommend",
		"what you suggest", "what you said", "what you think", "what you described", "what you think is best", "whatever you think",
		"whatever you think is best", "whatever you recommend", "whatever works", "whichever you prefer", "you decide", "you choose", "you pick",
		"your call", "your choice", "your pick", "up to you", "use that", "use it", "use this", "use those", "use the first one",
		"use the second one", "choose", "pick the first one", "pick one", "pick for me", "pick the best one", "pick the second one", "pick the best",
		"stick with", "stick to", "leave it", "leave that", "leave it as is", "leave them", "i will take", "take the first one",
		"take the second one", "take that one", "i pick", "i choose", "i prefer", "how about", "what about that":
		return answer

	case "sounds good", "sounds great", "sounds fine", "sounds right", "sounds like a plan", "looks good", "looks great", "looks fine",
		"looks right", "works for me", "fine by me", "fine with me", "ok dokie", "ok by me", "ok with me", "good to go", "good to me", "good enough",
		"fair enough", "fair point", "makes sense", "make sense", "made sense", "that makes sense", "i see", "got it", "got you", "i get it",
		"copy that", "roger that", "will do", "all good", "all set", "all right", "all clear", "no worries", "no problem", "no prob", "no need",
		"no need to worry", "not a problem", "no trouble", "you are right", "you right", "my bad", "my mistake", "my apologies", "my fault",
		"of course", "for sure", "for real", "why not", "by all means", "you bet", "true that", "hell yes", "heck yes", "well done", "good job",
		"great job", "nice job", "awesome job", "amazing job", "good work", "great work", "nice work", "awesome work", "amazing work",
		"excellent work", "fantastic work", "good one", "nice one", "good call", "great call", "good catch", "nice catch", "great catch",
		"good point", "good idea", "great idea", "nice idea", "good thinking", "good stuff", "great stuff", "keep up the good work", "spot on",
		"on point", "right on", "love it", "love that", "love this", "like it", "like that", "i dig it", "nailed it", "that will do", "that do",
		"that the one", "that is the one", "this is the one", "all tests pass", "tests pass", "tests passed", "tests pass now", "tests are green",
		"all green", "problem solved", "issue resolved", "issue fixed", "fixed the issue", "fixed the problem", "solved the problem",
		"solved the issue", "a lifesaver", "good boy", "good bot", "bad bot", "that was quick", "that was fast", "that was helpful", "wow fast",
		"nice and clean", "so clean", "very clean", "looks clean", "beautiful work", "at last", "oh god", "good god", "i dont know", "dont know",
		"not sure", "i am not sure", "i not sure", "maybe later", "me too", "you too", "same here", "for the win", "that did it", "did the trick",
		"i ready", "i am ready", "we are ready", "ready to go", "ready when you are", "you nailed it", "crushed it", "killed it", "killing it",
		"you crushed it", "hit the spot", "so far so good", "that is it", "that it", "that is all", "that all", "it for now", "it for today",
		"all for now", "all for today", "we are done", "i am done", "no more", "holy cow", "oh my god", "my god", "mind blown", "chef kiss",
		"in good shape", "in good hands", "never better", "not bad", "not too bad", "its a deal", "it is a deal", "works like a charm",
		"like a charm", "say less", "no cap", "cool beans", "sweet deal", "good deal", "very well", "could not be better", "couldnt be better",
		"please resume", "resume exactly where you left off", "resume exactly where we left off", "resume it", "resume that", "resume this", "resume now", "resume from", "resume where you left off",
		"resume where we left off", "resume the work", "resume work", "resume your work", "you can resume", "can you resume", "lets resume", "ok resume",
		"yes resume", "go resume", "now resume", "happy with it", "happy with that", "happy with this", "i think so", "i think so too", "i dont think so", "i guess so", "i suppose",
		"i suppose so", "i hope so", "i believe so", "if you say so", "your wish is my command", "dont care", "no idea", "not good",
		"not great", "not helpful", "i dont like it", "i dont like that", "i dont like this", "dont like it", "not right", "not correct",
		"that isnt right", "let me think", "let me think about it", "let me think about that", "let me see", "i will think about it",
		"sorry about that", "sorry about this", "okily dokily", "aye captain", "yes captain", "yes yes captain":
		return answer
	case "muy bien", "très bien", "tres bien", "bien sûr", "bien sur", "sehr gut", "alles klar", "alles gut", "va bene", "molto bene", "muito bom",
		"tudo certo", "de acuerdo", "está bien", "esta bien":
		return answer

	case "not what i asked for", "not what i meant", "not what i wanted", "not what i want", "not what i need", "not what i needed",
		"probably not", "maybe not", "absolutely not", "definitely not", "certainly not", "of course not", "not at all",
		"not yet", "not now", "not really", "not quite", "not this", "not that", "not that one", "not this one", "not for now", "not exactly",
		"not today", "not needed", "not necessary", "hold on", "hold up", "hang on", "wait a minute", "wait a sec", "wait a moment", "hold it",
		"never mind", "forget it", "forget that", "forget about it", "forget it then", "please dont", "dont do it", "dont do that", "dont do this",
		"dont worry", "dont worry about it", "dont bother", "dont mind", "dont need it", "dont need that", "dont need to", "dont continue",
		"dont proceed", "dont start", "dont stop", "do not", "do not do that", "do not do it", "do not proceed", "do not continue", "doesnt matter",
		"dont matter", "does not matter", "i dont care", "cancel it", "cancel that", "cancel this", "undo it", "undo that", "undo this", "undo all",
		"undo the last change", "undo the last one", "revert it", "revert that", "revert this", "revert them", "revert all",
		"revert the last change", "roll it back", "roll that back", "roll back that", "take it back", "take that back", "put it back",
		"put that back", "skip it", "skip that", "skip this", "skip this one", "skip that one", "ignore it", "ignore that", "ignore this", "stop it",
		"stop that", "stop there", "stop here", "leave it there", "that is not it", "that not it", "start again", "go again", "one sec", "a sec",
		"one second", "just a sec", "just a second", "just a minute", "just a moment", "give me a sec", "give me a second", "give me a minute",
		"give me a moment", "gimme a sec", "gimme a minute", "gimme a moment", "pause for a moment", "pause for a minute", "pause for a sec",
		"pause here", "pause there", "pause it", "pause that", "wait for me", "forget what i said", "forget everything", "ignore what i said",
		"ignore my last message", "ignore the last message", "disregard my last message", "scratch that", "abort mission", "reject it", "reject that",
		"reject this", "reject them", "reject all", "decline it", "decline that", "allow it", "allow that", "allow this", "allow all":
		return answer
	case "revert everything", "revert the changes", "revert your changes", "revert my changes", "revert those changes", "revert these changes",
		"revert that change", "revert this change", "revert the change", "revert your change", "revert the last changes", "revert your last change",
		"revert your last changes", "revert my last change", "revert my last changes", "revert the previous change", "revert your previous change",
		"revert all changes", "revert all of it", "revert all of that", "revert back", "undo your last edit", "undo your last edits",
		"undo the last edit", "undo your previous edit", "undo the last edits", "undo my last edit", "undo that edit", "undo this edit", "undo your edit", "undo your edits",
		"undo those edits", "undo these edits", "undo the edits", "discard it", "discard that", "discard this", "discard the changes",
		"discard your changes", "discard those changes", "discard these changes", "discard all changes", "discard everything",
		"roll back your changes", "roll back the changes", "roll back your last change", "roll back the last change":
		return answer

	case "i meant", "i meant the", "quick question", "question for you", "i have a question", "got a question", "have a question", "a few questions", "some questions",
		"a favor", "i need your help", "need your help", "i need help", "need some help", "can you help me", "can you help", "could you help me",
		"help me", "help me out", "ready for", "time to work":
		return fill
	case "can you", "could you", "would you", "will you", "i want you to", "i need you to", "i need", "i would like", "i want", "i d like",
		"next up", "next task", "after that", "one more thing", "another thing", "by the way":
		return fill | turn
	}
	return 0
}

// enPointer reports the words after which a countable is content-free.
func enPointer(w string) bool {
	switch w {
	case "the", "this", "that", "these", "those", "your", "first", "second", "third", "fourth", "fifth", "last", "next", "other", "previous", "same",
		"current", "remaining", "all", "each", "every", "both", "#", "st", "nd", "rd", "th", "good", "great", "nice", "of", "1st", "2nd", "more",
		"either", "another":
		return true
	}
	return false
}

// enFuzzy lists words that are typed often and long enough to be recognised
// with one slip.
var enFuzzy = [...]string{
	"absolutely", "agreed", "ahead", "alright", "amazing", "appreciate", "appreciated", "approved", "awesome", "beautiful", "brilliant",
	"cancel", "confirmed", "continue", "correct", "definitely", "exactly", "excellent", "fantastic", "first", "going", "great", "hello",
	"looks", "morning", "nevermind", "option", "perfect", "please", "proceed", "resume", "second", "sounds", "thanks", "understood",
	"wonderful", "works",
}
