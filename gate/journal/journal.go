// Package journal keeps what was decided about each prompt and what came of it,
// as the hook writes it: by appending lines, never by opening a database.
//
//	journal.jsonl          the open journal, one Record a line
//	journal.<n>.jsonl      rotated by a fold, removed once it is in the database
//	journal.bad.jsonl      lines that no fold could read, kept as they were
//	journal.db             SQLite, see package store
//	sessions/<hash>.json   session memory, see Session
//
// Append takes a shared lock on journal.jsonl and writes one whole line; a fold
// takes the exclusive lock, renames the file and lets go. Whoever gets the lock
// on a file that is no longer the one at the path opens it again, so no line is
// lost and writers never wait for a database.
//
// Package init does nothing and nothing here starts a goroutine or compiles a
// regular expression: all of this runs in the hook.
package journal

import (
	"encoding/binary"
	"math/rand/v2"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/index"
)

// Version is the version of Record. A reader keeps fields of newer versions
// only in the line itself.
const Version = 1

// Kind says what a record is about.
type Kind string

const (
	KindDecision Kind = "decision" // what was decided about a prompt
	KindOutcome  Kind = "outcome"  // a skill was loaded, typed or read, an agent was run
	KindSession  Kind = "session"  // a session started or was compacted; Source says which
	KindTurn     Kind = "turn"     // what turn a decision belongs to is known: Of and PromptID say it
	KindConfig   Kind = "config"   // the host saw its configuration or a skill change
	KindDeclined Kind = "declined" // the agent of Call was not run: its task's decision goes
)

// Record is one journal line. Version and ID come first in the line, so that a
// reader finds where a record starts after one that was cut off.
type Record struct {
	V          int       `json:"v"`
	ID         string    `json:"id"` // unique and in order of time, see NewID
	Kind       Kind      `json:"kind"`
	Time       time.Time `json:"time"` // UTC
	Session    string    `json:"session,omitempty"`
	PromptID   string    `json:"prompt_id,omitempty"` // the host's id of the turn, joins outcomes to decisions
	Cwd        string    `json:"cwd,omitempty"`
	Transcript string    `json:"transcript,omitempty"`
	Client     string    `json:"client,omitempty"`    // version of the host
	Skillgate  string    `json:"skillgate,omitempty"` // version of skillgate
	Settings   string    `json:"settings,omitempty"`  // fingerprint of the settings that decided
	Analyzer   string    `json:"analyzer,omitempty"`  // version of the analyzer; generations are in Decision.Index
	Policy     string    `json:"policy,omitempty"`    // id of what the host's settings allowed, where an index was read

	// What is kept of the prompt, see SetPrompt.
	Prompts    string   `json:"prompts,omitempty"`     // privacy level: full, terms, hash or none
	Terms      []string `json:"terms,omitempty"`       // distinct index terms, sorted
	PromptHash string   `json:"prompt_hash,omitempty"` // see PromptHash
	Cut        bool     `json:"cut,omitempty"`         // the prompt was longer than maxPrompt

	Decision *gate.Decision `json:"decision,omitempty"` // KindDecision
	Outcome  *Outcome       `json:"outcome,omitempty"`  // KindOutcome
	Call     string         `json:"call,omitempty"`     // SourceAgent and KindDeclined: the host's id of the agent's call
	Of       string         `json:"of,omitempty"`       // KindTurn: id of the decision
	Over     bool           `json:"over,omitempty"`     // KindTurn: the turn has come to its end, and was not broken off
	Short    []string       `json:"short,omitempty"`    // fields of which only a beginning is kept, see Append
	// KindSession and KindConfig: the host's source; KindDecision: who asked, "" for the hook
	Source string `json:"source,omitempty"`
}

// SourceMCP is the Source of a decision that a client of the MCP server asked for.
// Its session is the server's, and what was loaded through the server its outcome.
const SourceMCP = "mcp"

// SourceAgent is the Source of a decision about the task of a subagent.
const SourceAgent = "agent"

// How a skill came to be used.
const (
	ToolSkill = "Skill" // the model loaded it with the Skill tool
	ToolTyped = "typed" // the user typed /name
	ToolRead  = "read"  // the model read its SKILL.md
	ToolAgent = "agent" // the model ran an agent of that name
	ToolMCP   = "mcp"   // the model loaded it through the MCP server
)

// Outcome is what an outcome says: a skill or agent was used after a prompt.
type Outcome struct {
	Tool    string `json:"tool"`
	Skill   string `json:"skill"`          // as the host names it
	Path    string `json:"path,omitempty"` // of the file read, for ToolRead
	Success bool   `json:"success"`
	Source  string `json:"source"`          // who reported it: the host's event, or "transcript"
	Agent   string `json:"agent,omitempty"` // the host's id of the subagent that used it, "" for the main conversation
	// the host's id of the tool call, "" for ToolTyped; a fold keeps one record of each
	Call string `json:"call,omitempty"`
	// without Call: the registration that reported it; a fold keeps what one of them did
	By string `json:"by,omitempty"`
}

// New returns a record of that kind with version, id and time filled in.
func New(kind Kind, now time.Time) Record {
	return Record{V: Version, ID: NewID(now), Kind: kind, Time: now.UTC()}
}

// Decided is the record of a decision that skillgate of a version made at a time, without
// who asked for it. g is what decided, nil where no index was read.
func Decided(at time.Time, version string, d gate.Decision, g *gate.Gate, s gate.Settings) Record {
	r := New(KindDecision, at)
	r.Skillgate, r.Analyzer = version, index.AnalyzerVersion
	r.Settings = s.Fingerprint()
	var terms []string
	if g != nil && keepsTerms(s.Log.Prompts, d.Prompt) {
		terms = g.Terms(d.Prompt)
	}
	if g != nil {
		r.Policy = g.PolicyID()
	}
	r.SetDecision(d, s.Log.Prompts, terms)
	return r
}

// crockford is Crockford's base 32: no I, L, O or U, in ASCII order.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// NewID returns a ULID: 48 bits of milliseconds since 1970 and 80 random bits
// as 26 characters, which sort as the times do. It need not be a secret: the runtime's generator,
// which the system seeds, is at hand at once.
func NewID(now time.Time) string {
	var b [16]byte
	ms := uint64(now.UnixMilli())
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i))
	}
	binary.BigEndian.PutUint16(b[6:], uint16(rand.Uint32()))
	binary.BigEndian.PutUint64(b[8:], rand.Uint64())
	// 128 bits in groups of five from the right; the first character holds three.
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
