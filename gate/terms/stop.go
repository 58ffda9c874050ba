package terms

// Stop reports whether a lower-case English word says nothing about a topic.
// Such words are neither indexed nor searched. Words that can name a topic
// ("will", "may", "us") stay out of the list only where they are read as grammar.
func Stop(w string) bool {
	switch w {
	case "a", "an", "the", "and", "or", "but", "nor", "so", "yet", "if", "then", "else", "than", "that", "this", "these", "those",
		"i", "me", "my", "mine", "we", "us", "our", "ours", "you", "your", "yours", "he", "him", "his", "she", "her", "hers", "it", "its",
		"they", "them", "their", "theirs", "who", "whom", "whose", "which", "what", "when", "where", "why", "how",
		"am", "is", "are", "was", "were", "be", "been", "being", "do", "does", "did", "doing", "done", "have", "has", "had", "having",
		"can", "could", "shall", "should", "will", "would", "may", "might", "must", "let", "lets",
		"of", "to", "in", "on", "at", "by", "for", "with", "from", "into", "onto", "as", "about", "over", "under", "up", "down", "out", "off",
		"per", "via", "between", "within", "without", "through", "during", "before", "after", "above", "below", "against", "upon",
		"not", "no", "dont", "doesnt", "cant", "wont", "isnt", "arent", "wasnt", "didnt", "im", "ive", "ill", "id", "youre", "theres", "thats", "whats", "heres",
		"also", "just", "only", "even", "too", "very", "really", "there", "here", "now", "again", "still", "already", "some", "any", "all", "each", "every",
		"both", "few", "more", "most", "other", "others", "such", "own", "same", "one", "ones", "etc", "eg", "ie",
		"please", "thanks", "thank", "hi", "hello", "hey", "ok", "okay", "yes", "gonna", "wanna", "gotta":
		return true
	}
	return false
}
