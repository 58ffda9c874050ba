package hooks

// Listing is how a host lists skills at the start of a session: every name, and
// descriptions as far as a budget has room for them.
type Listing struct {
	Fraction  float64 // part of the context window that is the budget
	BudgetVar string  // environment variable that sets the budget, in characters
	Bundled   int     // characters of it that the host's own skills take, which keep their descriptions longest
	MaxDesc   int     // characters of one description that are shown
	Window    int     // context window of most models the host runs, in tokens

	CharsPerToken     int // by which the window is turned into characters
	LongWindow        int // tokens above which it is another factor
	LongCharsPerToken int
}

// Chars turns a context window in tokens into characters.
func (l *Listing) Chars(window int) int {
	if window > l.LongWindow {
		return window * l.LongCharsPerToken
	}
	return window * l.CharsPerToken
}
