package rank

// Generic reports whether an English stem says little about which skill is meant,
// however rare it is in a library: verbs of asking, words of time and feeling,
// and the small talk around a request.
func Generic(stem string) bool {
	switch stem {
	case "make", "creat", "get", "give", "take", "put", "use", "want", "need", "like", "know", "think", "see", "look", "show", "tell",
		"say", "go", "come", "keep", "seem", "feel", "try", "help", "work", "start", "stop", "happen", "turn", "thing", "stuff", "way",
		"lot", "bit", "kind", "sort", "part", "side", "case", "point", "someth", "anyth", "everyth", "noth", "someon", "anyon", "everyon",
		"actual", "basic", "realli", "honest", "probabl", "mayb", "quick", "quickli", "proper", "correct", "exact", "simpl", "easi",
		"nice", "good", "better", "best", "great", "bad", "wors", "new", "old", "big", "small", "littl", "long", "short", "much", "mani",
		"first", "second", "last", "next", "previous", "right", "wrong", "sure", "possibl", "whole", "full", "current", "differ", "anoth",
		"today", "tomorrow", "yesterday", "morn", "tonight", "afternoon", "even", "night", "week", "month", "year", "day", "hour", "minut",
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "time", "ago", "soon", "later", "alway", "never", "ever",
		"guy", "folk", "boss", "team", "person", "friend", "colleagu", "client", "two", "three", "four", "five", "ten", "half", "coupl",
		"instead", "anyway", "though", "although", "because", "sinc", "until", "while", "around", "back", "away", "everi", "els", "alreadi",
		"got", "gon", "kinda", "sorta", "wan", "dunno", "btw", "fyi", "asap", "pls", "plz", "thx", "ya", "yeah", "yep", "nope", "hmm", "oh", "um",
		"call", "ask", "hope", "guess", "suppos", "expect", "wonder", "care", "mean", "matter", "figur", "end", "done", "fine", "ok",
		"without", "rather", "onli", "ourselv", "myself", "yourself", "itself", "per", "upon", "across", "along", "toward", "among", "behind":
		return true
	}
	return false
}
