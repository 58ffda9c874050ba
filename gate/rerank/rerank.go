// Package rerank asks a cross-encoder which of the first candidates fit a prompt
// best, without ever costing the prompt.
//
// The model runs in a helper process of its own, skillgate-rerank, since a static
// binary cannot host ONNX Runtime and a crash in it must not reach the hook. The
// helper listens on a Unix socket that only its user can reach (Place). One
// exchange is one connection, JSON objects one per line (Request, Reply):
//
//	client  {"v":1,"op":"rank","want":…,"budget_ms":180,"query":…,"docs":[…]}
//	helper  {"v":1,"kind":"accepted"}        within 20 ms, or the client leaves
//	helper  {"v":1,"kind":"alive"}           every 5 ms while it computes
//	helper  {"v":1,"kind":"scores","scores":[…],"scale":…}
//
// or {"kind":"refused","reason":…} in place of any of them. A helper that says
// nothing for 20 ms counts as dead: absent, crashed, stopped and hung helpers cost
// that much and no more. One that is too slow knows its own speed and refuses.
//
// Scores are logits; Blend turns them into an order. The client starts no
// goroutine and no process: it returns ErrNoHelper, and the command at hand calls
// Start after it has answered.
package rerank

import "errors"

// Doc is what the model reads of one candidate.
type Doc struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Contract    string `json:"contract,omitempty"` // what it needs, gives and does not do; the others are cut for it
	Passage     string `json:"passage,omitempty"`  // of the body
}

// Result is what the model says about the first documents. The zero Result says
// nothing.
type Result struct {
	Scores []float64 // logits, of the first len(Scores) documents; higher fits better
	Scale  float64   // spread of the model's logits over pairs that fit and pairs that do not
}

// ErrNoHelper says that no helper answers on the socket and one may be started.
var ErrNoHelper = errors.New("no rerank helper runs")

// What a helper does with a budget: it ranks at least two pairs of ShortPair tokens
// in Share of it, or refuses.
const (
	Share     = 0.85 // the rest is for the unforeseen
	ShortPair = 64
)

// Settings are those of the section rerank.
type Settings struct {
	Enabled    bool    `yaml:"enabled" json:"enabled"`
	Model      string  `yaml:"model" json:"model,omitempty"`     // installed model's name or folder
	Library    string  `yaml:"library" json:"library,omitempty"` // path of libonnxruntime
	DeadlineMs int     `yaml:"deadline_ms" json:"deadline_ms"`   // wall time for one rerank
	Blend      float64 `yaml:"blend" json:"blend"`               // 0: BM25F order, 1: the model's
	Pairs      int     `yaml:"pairs" json:"pairs"`               // candidates reranked, 2 to 50
}

// Limits on what goes to the helper: more than its token budget can hold.
const (
	maxQuery = 4096
	maxText  = 2048
)
