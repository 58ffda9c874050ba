package rank

import "github.com/skillgate/skillgate/synonyms/lang/vocab"

// Generic reports whether an English stem says little about which skill is meant,
// however rare it is in a library: verbs of asking, words of time and feeling,
// and the small talk around a request.
func Generic(stem string) bool { return vocab.Generic.Has(stem) }
