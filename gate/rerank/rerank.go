// Package rerank asks a cross-encoder which of the first candidates fit a prompt
// best. Whatever happens to the model, the prompt is answered.
//
// The model runs in a helper process, skillgate-rerank, because a static binary cannot host ONNX Runtime and a
// crash in it must not reach the hook. The helper listens on a Unix socket that only its user can access (Place).
// Each request is a connection of its own, with one JSON object on each line (Request, Reply):
//
//	client  {"v":1,"op":"rank","want":…,"budget_ms":180,"query":…,"docs":[…]}
//	helper  {"v":1,"kind":"accepted"}        within 20 ms, or the client leaves
//	helper  {"v":1,"kind":"alive"}           every 5 ms while it computes
//	helper  {"v":1,"kind":"scores","scores":[…],"scale":…}
//
// Any reply may be {"kind":"refused","reason":…} instead. A helper that is silent for
// 20 ms counts as dead, so that absent, crashed, stopped and hung helpers cost no more
// than that. A helper knows its own speed and refuses if it is too slow.
//
// Scores are logits; Blend turns them into an order. The client starts no goroutine and no process: it returns
// ErrNoHelper, and the caller starts the helper after it has answered the prompt.
package rerank

import "errors"

// Doc is the text of one candidate that the model reads.
type Doc struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Contract    string `json:"contract,omitempty"` // requirements and limits; the other texts are cut before it
	Passage     string `json:"passage,omitempty"`  // best passage of the body
}

// Result holds the model's scores of the first documents. The zero Result has none.
type Result struct {
	Scores []float64 // logits of the first len(Scores) documents; higher is better
	Scale  float64   // typical standard deviation of the model's logits
}

// ErrNoHelper means that no helper listens on the socket and one may be started.
var ErrNoHelper = errors.New("no rerank helper runs")

// A helper must be able to rank two pairs of ShortPair tokens in Share of the budget, or it refuses.
const (
	Share     = 0.85 // the rest of the budget is a reserve
	ShortPair = 64
)

// Settings are the settings of the section rerank.
type Settings struct {
	Enabled    bool    `yaml:"enabled" json:"enabled"`
	Model      string  `yaml:"model" json:"model,omitempty"`     // name or folder of the installed model
	Library    string  `yaml:"library" json:"library,omitempty"` // path of libonnxruntime
	DeadlineMs int     `yaml:"deadline_ms" json:"deadline_ms"`   // wall time limit of one rerank
	Blend      float64 `yaml:"blend" json:"blend"`               // 0: order of BM25F, 1: of the model
	Pairs      int     `yaml:"pairs" json:"pairs"`               // number of candidates to rerank, 2 to 50
}

// Limits on texts for the helper, in bytes. They allow more than the helper can use.
const (
	maxQuery = 4096
	maxText  = 2048
)
