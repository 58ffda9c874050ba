package terms

import (
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// Stem returns the stem of a lower-case word: Snowball's English stemmer, after
// spelling variants that it keeps apart are brought together. Words of other
// alphabets come back unchanged.
func Stem(w string) string {
	for i := 0; i < len(w); i++ {
		if w[i] < 'a' || w[i] > 'z' {
			return w
		}
	}
	if len(w) < 4 { // "aws", "gas" and "ios" are no plurals
		return w
	}
	if s := spelling(w); s != "" {
		return s
	}
	if abbreviations(w) {
		return w[:len(w)-1]
	}
	env := snowballstem.NewEnv(w)
	english.Stem(env)
	return env.Current()
}

// abbreviations reports whether w is the plural of an abbreviation without a
// vowel ("rfcs", "llms"), which Snowball takes for a word of its own.
func abbreviations(w string) bool {
	return len(w) <= 5 && w[len(w)-1] == 's' && w[len(w)-2] != 's' && !strings.ContainsAny(w, "aeiouy")
}

// spelling returns the stem of words whose Snowball stems differ from those of
// their own other forms, "" for all others.
func spelling(w string) string {
	switch w {
	case "analysis", "analyses", "analyse", "analysed", "analysing", "analyser", "analysers", "analyze", "analyzer", "analyzers":
		return "analyz"
	case "data":
		return "data"
	case "hypothesis", "hypotheses":
		return "hypothesi"
	case "diagnosis", "diagnoses", "diagnose", "diagnosing", "diagnosed", "diagnostics", "diagnostic":
		return "diagnos"
	case "synthesis", "syntheses", "synthesize", "synthesizes", "synthesized", "synthesizing", "synthesise":
		return "synthes"
	case "colour", "colours", "coloured", "colouring":
		return "color"
	case "behaviour", "behaviours", "behavioural":
		return "behavior"
	case "centre", "centres":
		return "center"
	case "catalogue", "catalogues":
		return "catalog"
	case "dialogue", "dialogues":
		return "dialog"
	case "licence", "licences":
		return "licens"
	case "cheque", "cheques":
		return "check"
	case "grey":
		return "gray"
	case "labour":
		return "labor"
	case "programme", "programmes":
		return "program"
	case "ran":
		return "run"
	case "wrote", "written":
		return "write"
	case "rewrote", "rewritten":
		return "rewrit"
	case "made":
		return "make"
	case "gave", "given":
		return "give"
	case "took", "taken":
		return "take"
	case "found":
		return "find"
	case "kept":
		return "keep"
	case "chose", "chosen":
		return "choos"
	case "froze", "frozen":
		return "freez"
	case "spent":
		return "spend"
	case "paid":
		return "pay"
	case "stole", "stolen":
		return "steal"
	case "shown":
		return "show"
	case "grew", "grown":
		return "grow"
	case "threw", "thrown":
		return "throw"
	case "hidden":
		return "hide"
	case "forgot", "forgotten":
		return "forget"
	case "built":
		return "build"
	case "sent":
		return "send"
	case "spoke", "spoken":
		return "speak"
	case "drew", "drawn":
		return "draw"
	case "sold":
		return "sell"
	case "bought":
		return "buy"
	case "taught":
		return "teach"
	case "broke", "broken":
		return "break"
	case "lost":
		return "lose"
	case "children":
		return "child"
	case "people":
		return "person"
	case "mice":
		return "mouse"
	case "indices", "indexes":
		return "index"
	case "matrices":
		return "matrix"
	case "vertices":
		return "vertex"
	case "appendices":
		return "appendix"
	case "criteria", "criterion":
		return "criteria"
	case "media", "medium":
		return w
	case "kubernetes":
		return "kubernetes"
	case "news":
		return "news"
	case "series":
		return "series"
	case "canvas":
		return "canvas"
	case "pandas":
		return "pandas"
	case "redis":
		return "redis"
	case "jenkins":
		return "jenkins"
	case "sales":
		return "sale"
	case "sass", "saas", "iaas", "paas":
		return w
	}
	// British -ise, -isation and -our beside -ize, -ization and -or.
	if n := len(w); n > 6 {
		for _, suffix := range []struct{ british, american string }{
			{"isations", "izations"}, {"isation", "ization"}, {"ising", "izing"}, {"ised", "ized"}, {"iser", "izer"}, {"ises", "izes"}, {"ise", "ize"},
		} {
			if len(w) > len(suffix.british)+3 && w[n-len(suffix.british):] == suffix.british && !keepsS(w) {
				env := snowballstem.NewEnv(w[:n-len(suffix.british)] + suffix.american)
				english.Stem(env)
				return env.Current()
			}
		}
	}
	return ""
}

// keepsS reports words whose -ise is no British -ize.
func keepsS(w string) bool {
	for _, root := range []string{"exerci", "enterpri", "expert", "promis", "comprom", "advis", "advert", "improvis", "supervis", "franchis", "merchand", "surpris", "rais", "precis", "concis", "otherwis", "likewis", "rais", "prais", "televis", "revis", "devis", "disguis", "excis", "incis", "paradis", "demis", "treatis"} {
		if len(w) >= len(root) && w[:len(root)] == root {
			return true
		}
	}
	return false
}
