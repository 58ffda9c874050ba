package gate

import "slices"

// Verdict is the kind of a decision.
type Verdict string

const (
	Inject Verdict = "inject" // candidates above the thresholds were named
	Force  Verdict = "force"  // the prompt names an installed skill
	Silent Verdict = "silent" // searched; nothing good enough
	Skip   Verdict = "skip"   // triage found that no skill is needed
	Error  Verdict = "error"  // an error occurred; the prompt went through unchanged
)

// Reason says why a prompt was skipped or no skill was suggested; "" otherwise.
type Reason string

const (
	Greeting      Reason = "greeting"        // hello or goodbye and nothing else
	Ack           Reason = "ack"             // acknowledgement, thanks or go-ahead
	Command       Reason = "command"         // /command, !shell, #memory, a shell line
	Machine       Reason = "machine"         // written by the host, not by a person
	Empty         Reason = "empty"           // no letter and no digit in it
	Repeat        Reason = "repeat"          // the session's previous prompt again; the model already has the answer
	BelowScoreMin Reason = "below_score_min" // the best candidate scores less than score_min
	BelowNeedMin  Reason = "below_need_min"  // need is less than need_min
	PlainQuestion Reason = "plain_question"  // need reaches need_min but not sureNeed, and the prompt is a plain question
	ByChance      Reason = "by_chance"       // need reaches need_min, but the match looks accidental (see byChance)
	Known         Reason = "known"           // the session already has the skills
	Budget        Reason = "budget"          // unsure, and the session has already been given much more than session_chars
	UserOnly      Reason = "user_only"       // the prompt names a skill that only the user can start
	NoCandidates  Reason = "no_candidates"   // no skill that may be named has a term of the prompt
	NoIndex       Reason = "no_index"        // no index could be opened
	Deadline      Reason = "deadline"        // deadline_ms passed before there was an answer, or cut the search short
	LateInput     Reason = "late_input"      // the host's input did not arrive in time
	Disabled      Reason = "disabled"        // the setting disabled is true
	HeldBack      Reason = "held_back"       // an experiment keeps this hint back
)

// Match is one term's part of a candidate's score. The Score fields of a
// candidate's Matched add up to its Score. In the field "meaning" (package meaning) Term is "" if there are other
// matches. If it is the only match, Term is the prompt's closest word and Via the closest phrase of the skill.
type Match struct {
	Term  string  `json:"term"`          // as written in the prompt
	Via   string  `json:"via,omitempty"` // the index term that matched, if it is another word
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
	Rerank   float64  `json:"rerank,omitempty"` // score after reranking, on the scale of Score
	Injected bool     `json:"injected"`
	Matched  []Match  `json:"matched"`
	HeldBack []string `json:"held_back"`      // IDs of entries of the same family that this one replaces
	Kept     bool     `json:"kept,omitempty"` // an experiment held the candidate back

	// Described reports whether the session already has the description, so that only the name is shown. Loaded
	// reports whether it had the skill's whole text.
	Described bool `json:"described,omitempty"`
	Loaded    bool `json:"loaded,omitempty"`

	Description string `json:"-"` // the index's text for display
}

// IndexUse is one index that a decision read.
type IndexUse struct {
	Root       string `json:"root"` // "shared", or the folder of the project or of a subfolder
	Generation int    `json:"generation"`
	Skills     int    `json:"skills"`

	Below bool              `json:"below,omitempty"` // index of a subfolder
	Names map[string]string `json:"names,omitempty"` // the host's names of its skills, as in Subfolder
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

// Timing is in milliseconds of wall time.
type Timing struct {
	Total  float64 `json:"total"`
	Search float64 `json:"search"`
	Rerank float64 `json:"rerank,omitempty"`
}

// Decision is the answer to one prompt, as `query --json` prints it and the journal keeps it.
type Decision struct {
	Prompt     string      `json:"prompt"` // redacted
	Lang       string      `json:"lang"`   // a code of lang.All, "mixed" or "other"
	Verdict    Verdict     `json:"verdict"`
	Reason     Reason      `json:"reason"`
	Need       float64     `json:"need"`               // calibrated probability that a skill helps, 0 to 1
	Model      string      `json:"model,omitempty"`    // ID of the need model; "" if the prompt was not searched
	Brief      bool        `json:"brief,omitempty"`    // unsure: candidates are named, not described
	Spent      int         `json:"spent,omitempty"`    // UTF-16 units added to the session by earlier decisions
	Lean       bool        `json:"lean,omitempty"`     // Spent reached session_chars: candidates are only named
	Sole       bool        `json:"sole,omitempty"`     // the host's list of skills was shortened
	Withheld   []string    `json:"withheld,omitempty"` // names left out because the session has them
	Doubtful   bool        `json:"-"`                  // nothing is named below sureNeed
	Candidates []Candidate `json:"candidates"`
	Context    string      `json:"context"` // text that the model is shown
	Chars      int         `json:"chars"`   // UTF-16 length of Context
	Index      []IndexUse  `json:"index"`
	Ms         Timing      `json:"ms"`
	Notes      []string    `json:"notes,omitempty"` // problems that did not stop the decision, for the log
	Trial      *Trial      `json:"trial,omitempty"` // the decision's part in an experiment, or nil
}

// Trial is a decision's part in an experiment.
type Trial struct {
	Experiment string `json:"experiment"` // ID of the experiment
	Held       bool   `json:"held"`       // the hint was held back
}

// HoldBack makes a decision silent. Kept marks the candidates that would have been named.
func (d *Decision) HoldBack() {
	for i := range d.Candidates {
		c := &d.Candidates[i]
		c.Kept, c.Injected = c.Injected, false
	}
	d.Verdict, d.Reason, d.Context, d.Chars = Silent, HeldBack, "", 0
}

// Release undoes HoldBack, except that Context and Chars stay empty.
func (d *Decision) Release() {
	d.Candidates = slices.Clone(d.Candidates)
	for i := range d.Candidates {
		c := &d.Candidates[i]
		c.Injected, c.Kept = c.Injected || c.Kept, false
	}
	d.Verdict, d.Reason = Inject, ""
}
