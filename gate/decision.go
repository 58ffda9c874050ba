package gate

import "slices"

// Verdict is what was decided about a prompt.
type Verdict string

const (
	Inject Verdict = "inject" // candidates above the thresholds were named
	Force  Verdict = "force"  // the prompt names an installed skill
	Silent Verdict = "silent" // searched; nothing good enough
	Skip   Verdict = "skip"   // the pre-filter saw that no skill is needed
	Error  Verdict = "error"  // something broke; the prompt went through untouched
)

// Reason says why a prompt was skipped or stayed silent; "" when it was not.
type Reason string

const (
	Greeting      Reason = "greeting"        // hello or goodbye and nothing else
	Ack           Reason = "ack"             // acknowledgement, thanks or go-ahead
	Command       Reason = "command"         // /command, !shell, #memory, a shell line
	Machine       Reason = "machine"         // written by the host, not by a person
	Empty         Reason = "empty"           // no letter and no digit in it
	Repeat        Reason = "repeat"          // the session's previous prompt again, whose answer the model has
	BelowScoreMin Reason = "below_score_min" // the best candidate scores less than score_min
	BelowNeedMin  Reason = "below_need_min"  // need is less than need_min
	PlainQuestion Reason = "plain_question"  // need is not less than need_min, but too little for "what is X"
	ByChance      Reason = "by_chance"       // likewise, but too little for words that a skill seems to hold by accident
	Known         Reason = "known"           // what would be named was named before in this session
	Budget        Reason = "budget"          // unsure, and the session was given much more than session_chars before
	UserOnly      Reason = "user_only"       // the prompt names a skill that only the user can start
	NoCandidates  Reason = "no_candidates"   // no skill that may be named holds a term of the prompt
	NoIndex       Reason = "no_index"        // none could be opened
	Deadline      Reason = "deadline"        // deadline_ms was over before there was an answer, or before all was searched
	LateInput     Reason = "late_input"      // the host's input had not come when the time for it was over
	Disabled      Reason = "disabled"        // by the setting
	HeldBack      Reason = "held_back"       // an experiment keeps this hint back
)

// Match is one term's part of a candidate's score. The Score fields of a
// candidate's Matched add up to its Score. In the field meaning, which is what the skill is about, Term is ""
// beside other matches; alone it is the word that is closest, and Via a phrase of the skill's own.
type Match struct {
	Term  string  `json:"term"`          // as the prompt has it
	Via   string  `json:"via,omitempty"` // the index term it met, where that is another word
	Field string  `json:"field"`         // name, description, triggers, headings, body, anchors, expansion, meaning
	Score float64 `json:"score"`
}

// Candidate is one ranked skill or agent.
type Candidate struct {
	Rank     int      `json:"rank"` // 1-based, display order
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Path     string   `json:"path"`
	Pool     string   `json:"pool"` // "skill" or "agent"
	Step     int      `json:"step"` // 0, or 1.. in a composite request
	Score    float64  `json:"score"`
	Rerank   float64  `json:"rerank,omitempty"` // what it is ordered by where a model had its say, in the unit of Score
	Injected bool     `json:"injected"`
	Matched  []Match  `json:"matched"`
	HeldBack []string `json:"held_back"`      // IDs of same-family entries shown by this one
	Kept     bool     `json:"kept,omitempty"` // it would have been named, but for an experiment

	// Described says that the session had the description before, so that it is named only;
	// Loaded, that it had the skill's whole text.
	Described bool `json:"described,omitempty"`
	Loaded    bool `json:"loaded,omitempty"`

	Description string `json:"-"` // as the index keeps it, for display
}

// IndexUse names one index that a decision read.
type IndexUse struct {
	Root       string `json:"root"` // "shared", or the folder of the project or of a subfolder
	Generation int    `json:"generation"`
	Skills     int    `json:"skills"`

	Below bool              `json:"below,omitempty"` // of a subfolder
	Names map[string]string `json:"names,omitempty"` // what the host called its skills then, see Subfolder
}

// Subfolders are the folders of skills that the session had come upon.
func (d *Decision) Subfolders() []Subfolder {
	var out []Subfolder
	for _, u := range d.Index {
		if u.Below {
			out = append(out, Subfolder{Path: u.Root, Names: u.Names})
		}
	}
	return out
}

// Timing is in milliseconds of wall time.
type Timing struct {
	Total  float64 `json:"total"`
	Search float64 `json:"search"`
	Rerank float64 `json:"rerank,omitempty"`
}

// Decision is what `query --json` prints and what the journal keeps.
type Decision struct {
	Prompt     string      `json:"prompt"` // redacted
	Lang       string      `json:"lang"`   // a code of lang.All, "mixed" or "other"
	Verdict    Verdict     `json:"verdict"`
	Reason     Reason      `json:"reason"`
	Need       float64     `json:"need"`               // calibrated probability that a skill helps, 0 to 1
	Model      string      `json:"model,omitempty"`    // the need model that says so, where the prompt was searched
	Brief      bool        `json:"brief,omitempty"`    // not sure: candidates are named, not described
	Spent      int         `json:"spent,omitempty"`    // characters that the session was given before
	Lean       bool        `json:"lean,omitempty"`     // those were session_chars or more: candidates are only named
	Sole       bool        `json:"sole,omitempty"`     // the model's list of skills was shortened
	Withheld   []string    `json:"withheld,omitempty"` // names left out because the session has them
	Doubtful   bool        `json:"-"`                  // only a need of sureNeed names anything, whatever need_min is
	Candidates []Candidate `json:"candidates"`
	Context    string      `json:"context"` // what the model is shown, "" when nothing
	Chars      int         `json:"chars"`   // UTF-16 length of Context
	Index      []IndexUse  `json:"index"`
	Ms         Timing      `json:"ms"`
	Notes      []string    `json:"notes,omitempty"` // what went wrong on the way, for the log
	Trial      *Trial      `json:"trial,omitempty"` // where it takes part in an experiment
}

// Trial is a decision's part in an experiment.
type Trial struct {
	Experiment string `json:"experiment"` // its id
	Held       bool   `json:"held"`       // the hint was kept back
}

// HoldBack makes a decision that names skills one that is silent; its candidates say what
// would have been named.
func (d *Decision) HoldBack() {
	for i := range d.Candidates {
		c := &d.Candidates[i]
		c.Kept, c.Injected = c.Injected, false
	}
	d.Verdict, d.Reason, d.Context, d.Chars = Silent, HeldBack, "", 0
}

// Release undoes HoldBack, but for what the model would have been shown.
func (d *Decision) Release() {
	d.Candidates = slices.Clone(d.Candidates)
	for i := range d.Candidates {
		c := &d.Candidates[i]
		c.Injected, c.Kept = c.Injected || c.Kept, false
	}
	d.Verdict, d.Reason = Inject, ""
}
