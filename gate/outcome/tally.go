package outcome

// Tally counts what came of prompts, or of the names that stood in their answers.
type Tally struct {
	Named    int   `json:"named"`
	Known    int   `json:"known"`    // of Named, in turns that have ended
	Followed int   `json:"followed"` // of Known
	Early    int   `json:"early"`    // followed, in turns of which no end is known
	Unknown  int   `json:"unknown"`  // the rest
	Rate     *Rate `json:"rate"`     // Followed of Known, clustered by session; null where Known is 0

	share Share
}

// Add counts what came of a prompt or a name; over is that of its turn.
func (t *Tally) Add(session string, s State, over bool) {
	t.Named++
	switch {
	case over:
		t.Known++
		t.share.Add(session, s == Followed)
	case s == Followed:
		t.Early++
	default:
		t.Unknown++
	}
	if over && s == Followed {
		t.Followed++
	}
}

// Close computes the rate of what was counted.
func (t *Tally) Close() { t.Rate = t.share.Rate() }
