// Package journal records the decision about each prompt and its outcome, and remembers each session.
//
//	journal.jsonl          the open journal, one Record per line
//	journal.<n>.jsonl      renamed by a fold, removed after its lines are in the database
//	journal.bad.jsonl      lines that no fold could read, unchanged
//	journal.db             SQLite, see package store
//	sessions/<hash>.json   session memory, see Session
//
// Append takes a shared lock on journal.jsonl and writes one whole line. A fold takes the exclusive lock and renames
// the file. A writer that finds the file renamed opens the new one, so no line is lost and writers never wait for the
// database.
//
// The package runs in the hook: it has no init work, goroutines or regular expressions.
package journal

import (
	"encoding/binary"
	"math/rand/v2"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/index"
)

// Version is the version of Record. Fields that a newer version adds are kept only in the stored text of the line.
const Version = 1

// Kind is the kind of a record.
type Kind string

const (
	KindDecision Kind = "decision" // a decision about a prompt
	KindOutcome  Kind = "outcome"  // a skill was loaded, typed or read, or an agent was run
	KindSession  Kind = "session"  // a session started or was compacted; Source says which
	KindTurn     Kind = "turn"     // the prompt of decision Of was answered in turn PromptID
	KindConfig   Kind = "config"   // the host reported a change of its configuration or of a skill
	KindDeclined Kind = "declined" // the agent called in Call did not run; its task's decision is deleted
)

// Record is one journal line. V and ID come first, so that a reader can find a record after a line that was cut off.
type Record struct {
	V          int       `json:"v"`
	ID         string    `json:"id"` // unique and sorted by time, see NewID
	Kind       Kind      `json:"kind"`
	Time       time.Time `json:"time"` // UTC
	Session    string    `json:"session,omitempty"`
	PromptID   string    `json:"prompt_id,omitempty"` // the host's id of the turn, which joins outcomes to decisions
	Cwd        string    `json:"cwd,omitempty"`
	Transcript string    `json:"transcript,omitempty"`
	Client     string    `json:"client,omitempty"`    // version of the host
	Skillgate  string    `json:"skillgate,omitempty"` // version of skillgate
	Settings   string    `json:"settings,omitempty"`  // fingerprint of the settings
	Analyzer   string    `json:"analyzer,omitempty"`  // version of the analyzer

	// The part of the prompt that is kept (see SetDecision):
	Prompts    string   `json:"prompts,omitempty"` // privacy level: full, terms, hash or none
	Terms      []string `json:"terms,omitempty"`   // distinct index terms, sorted
	PromptHash string   `json:"prompt_hash,omitempty"`
	Cut        bool     `json:"cut,omitempty"` // only the beginning of the prompt was kept

	Decision *gate.Decision `json:"decision,omitempty"` // set for KindDecision
	Outcome  *Outcome       `json:"outcome,omitempty"`  // set for KindOutcome
	Call     string         `json:"call,omitempty"`     // for SourceAgent and KindDeclined: id of the agent's call
	Of       string         `json:"of,omitempty"`       // for KindTurn: id of the decision
	Over     bool           `json:"over,omitempty"`     // for KindTurn: the turn ended without being interrupted
	Short    []string       `json:"short,omitempty"`    // names of cut fields, see Append
	// Source is the host's source for KindSession and KindConfig. For KindDecision it is the caller, "" for the hook.
	Source string `json:"source,omitempty"`
}

// SourceMCP is the Source of a decision made for an MCP client. The decision belongs to the MCP server's session,
// and skills loaded through the server are its outcomes.
const SourceMCP = "mcp"

// SourceAgent is the Source of a decision about a subagent's task.
const SourceAgent = "agent"

// Values of Outcome.Tool.
const (
	ToolSkill = "Skill" // the model loaded the skill with the Skill tool
	ToolTyped = "typed" // the user typed /name
	ToolRead  = "read"  // the model read the skill's SKILL.md
	ToolAgent = "agent" // the model ran the agent
	ToolMCP   = "mcp"   // the model loaded the skill through the MCP server
)

// Outcome is the use of a skill or agent.
type Outcome struct {
	Tool    string `json:"tool"`
	Skill   string `json:"skill"`          // name that the host uses
	Path    string `json:"path,omitempty"` // file that was read, for ToolRead
	Success bool   `json:"success"`
	Source  string `json:"source"`          // event with which the host reported the use, or "transcript"
	Agent   string `json:"agent,omitempty"` // the host's id of the subagent, "" for the main conversation
	// Call is the host's id of the tool call, "" for ToolTyped. A fold keeps one record per call.
	Call string `json:"call,omitempty"`
	// By is the registration that reported the use, if Call is "". A fold then keeps the records of one registration.
	By string `json:"by,omitempty"`
}

// New returns a record with its version, id and time set.
func New(kind Kind, now time.Time) Record {
	return Record{V: Version, ID: NewID(now), Kind: kind, Time: now.UTC()}
}

// Decided returns the record of decision d, without session and client fields. g is nil if no index was read.
func Decided(at time.Time, version string, d gate.Decision, g *gate.Gate, s gate.Settings) Record {
	r := New(KindDecision, at)
	r.Skillgate, r.Analyzer = version, index.AnalyzerVersion
	r.Settings = s.Fingerprint()
	var terms []string
	if g != nil && keepsTerms(s.Log.Prompts, d.Prompt) {
		terms = g.Terms(d.Prompt)
	}
	r.SetDecision(d, s.Log.Prompts, terms)
	return r
}

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// NewID returns a ULID: 48 bits of milliseconds since 1970 and 80 random bits as 26 characters that sort by time. It
// need not be secret, so the runtime's fast random generator is enough.
func NewID(now time.Time) string {
	var b [16]byte
	ms := uint64(now.UnixMilli())
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i))
	}
	binary.BigEndian.PutUint16(b[6:], uint16(rand.Uint32()))
	binary.BigEndian.PutUint64(b[8:], rand.Uint64())
	// The 128 bits are taken in groups of five from the right. The first character holds three.
	var out [26]byte
	var acc, bits uint
	at := len(out)
	for i := len(b) - 1; i >= 0; i-- {
		acc |= uint(b[i]) << bits
		for bits += 8; bits >= 5; bits -= 5 {
			at--
			out[at] = crockford[acc&31]
			acc >>= 5
		}
	}
	out[0] = crockford[acc&31]
	return string(out[:])
}
