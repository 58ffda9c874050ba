package gate

import "slices"

// Verdict is the kind of a decision.
type Verdict string

const (
	Inject Verdict = "inject" // one or more skills were suggested
	Force  Verdict = "force"  // the prompt asks for a skill by name
	Silent Verdict = "silent" // no skill is suggested; Reason says why
	Skip   Verdict = "skip"   // the prompt was not searched; Reason says why
	Error  Verdict = "error"  // an error occurred; the prompt went through unchanged
)

// Reason says why a prompt was skipped or no skill was suggested. It is "" if a skill was suggested.
type Reason string

const (
	Greeting      Reason = "greeting"        // a greeting and nothing else
	Ack           Reason = "ack"             // acknowledgement, thanks or go-ahead
	Command       Reason = "command"         // /command, !shell, #memory or a shell command line
	Machine       Reason = "machine"         // written by the host, not by a person
	Empty         Reason = "empty"           // the prompt has neither letters nor digits
	Repeat        Reason = "repeat"          // same as the session's previous prompt; the model already has the answer
	BelowScoreMin Reason = "below_score_min" // the best candidate scores less than score_min
	BelowNeedMin  Reason = "below_need_min"  // need is less than need_min
	PlainQuestion Reason = "plain_question"  // need is below sureNeed, and the prompt needs no skill (see need.Plain)
	ByChance      Reason = "by_chance"       // need reaches need_min, but the match looks accidental (see byChance)
	Known         Reason = "known"           // the session already has all the skills
	Budget        Reason = "budget"          // unsure, and the session has received CutBrief times session_chars units
	UserOnly      Reason = "user_only"       // the prompt names a skill that only the user can start
	NoCandidates  Reason = "no_candidates"   // no available skill contains a term of the prompt
	NoIndex       Reason = "no_index"        // no index could be opened
	Deadline      Reason = "deadline"        // deadline_ms passed before or during the search, so no skill was suggested
	LateInput     Reason = "late_input"      // the host's input did not arrive in time
	Disabled      Reason = "disabled"        // the setting "disabled" is true
	HeldBack      Reason = "held_back"       // an experiment withholds the suggestion
)

// Match is the contribution of one term to a candidate's score. The Score fields of Candidate.Matched add up to
// Candidate.Score. For the field "meaning" (see package meaning), Term is "" if there are other matches; otherwise Term
// is the prompt's closest word and Via the skill's closest phrase.
type Match struct {
	Term  string  `json:"term"`          // as written in the prompt
	Via   string  `json:"via,omitempty"` // index term that matched, if it differs from Term
	Field string  `json:"field"`         // name, description, triggers, headings, body, anchors, expansion, meaning
	Score float64 `json:"score"`
}

// Candidate is one ranked skill or agent.
type Candidate struct {
	Rank     int      `json:"rank"` // from 1, in display order
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Path     string   `json:"path"`
	Pool     string   `json:"pool"` // "skill" or "agent"
	Step     int      `json:"step"` // step of a composite request, from 1; 0 for other requests
	Score    float64  `json:"score"`
	Rerank   float64  `json:"rerank,omitempty"` // score after reranking, on the scale of Score
	Injected bool     `json:"injected"`
	Matched  []Match  `json:"matched"`
	HeldBack []string `json:"held_back"`      // IDs of the candidates that were dropped in favour of this one
	Kept     bool     `json:"kept,omitempty"` // Injected was true, but an experiment withheld the suggestion

	// Described reports whether the session already had the skill's description, so that only its name is shown. Loaded
	// reports whether the session already had the skill's whole text.
	Described bool `json:"described,omitempty"`
	Loaded    bool `json:"loaded,omitempty"`

	Description string `json:"-"` // description as shown to the model
}

// IndexUse describes an index that a decision read.
type IndexUse struct {
	Root       string `json:"root"` // Scope.Label, such as "shared", or Subfolder.Path
	Generation int    `json:"generation"`
	Skills     int    `json:"skills"`

	Below bool              `json:"below,omitempty"` // true for the index of a subfolder
	Names map[string]string `json:"names,omitempty"` // host names of the subfolder's skills; see Subfolder.Names
}

// Subfolders returns the folders of skills that the host had discovered in the session.
func (d *Decision) Subfolders() []Subfolder {
	var out []Subfolder
	for _, u := range d.Index {
		if u.Below {
			out = append(out, Subfolder{Path: u.Root, Names: u.Names})
		}
	}
	return out
}

// Timing has durations in milliseconds of wall time.
type Timing struct {
	Total  float64 `json:"total"`
	Search float64 `json:"search"`
	Rerank float64 `json:"rerank,omitempty"`
}

// Decision is the answer to one prompt. `query --json` prints it, and the journal stores it.
type Decision struct {
	Prompt     string      `json:"prompt"` // redacted text
	Lang       string      `json:"lang"`   // a code in lang.All, "mixed" or "other"
	Verdict    Verdict     `json:"verdict"`
	Reason     Reason      `json:"reason"`
	Need       float64     `json:"need"`               // calibrated probability that a skill helps, 0 to 1
	Model      string      `json:"model,omitempty"`    // ID of the need model, or "" if the prompt was not searched
	Brief      bool        `json:"brief,omitempty"`    // the decision is unsure, so skills are named without descriptions
	Spent      int         `json:"spent,omitempty"`    // UTF-16 units that earlier decisions added to the session
	Lean       bool        `json:"lean,omitempty"`     // Spent has reached session_chars, so skills are only named
	Sole       bool        `json:"sole,omitempty"`     // the host shortened its own list of skills
	Withheld   []string    `json:"withheld,omitempty"` // names of skills left out because the session has them
	Doubtful   bool        `json:"-"`                  // nothing is suggested if need is below sureNeed
	Candidates []Candidate `json:"candidates"`
	Context    string      `json:"context"` // text added to the model's context
	Chars      int         `json:"chars"`   // UTF-16 length of Context
	Index      []IndexUse  `json:"index"`
	Ms         Timing      `json:"ms"`
	Notes      []string    `json:"notes,omitempty"` // problems that did not stop the decision, for the log
	Trial      *Trial      `json:"trial,omitempty"` // nil outside of experiments
}

// Trial is a decision's part in an experiment.
type Trial struct {
	Experiment string `json:"experiment"` // ID of the experiment
	Held       bool   `json:"held"`       // the suggestion was withheld
}

// HoldBack withholds the suggestion of d and records it in the candidates' Kept fields.
func (d *Decision) HoldBack() {
	for i := range d.Candidates {
		c := &d.Candidates[i]
		c.Kept, c.Injected = c.Injected, false
	}
	d.Verdict, d.Reason, d.Context, d.Chars = Silent, HeldBack, "", 0
}

// Release reverts HoldBack, except that Context and Chars stay empty.
func (d *Decision) Release() {
	d.Candidates = slices.Clone(d.Candidates)
	for i := range d.Candidates {
		c := &d.Candidates[i]
		c.Injected, c.Kept = c.Injected || c.Kept, false
	}
	d.Verdict, d.Reason = Inject, ""
}
