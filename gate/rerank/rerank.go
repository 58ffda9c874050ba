// Package rerank lets a cross-encoder rank the first candidates for a prompt. If the model fails, the BM25F order is
// kept.
//
// The model runs in a helper process, skillgate-rerank, because a static binary cannot load ONNX Runtime and a crash in
// it must not affect the hook. The helper listens on a Unix socket that only its user can access (Place). Each request
// uses a new connection. Each line is one JSON object (Request, Reply):
//
//	client  {"v":1,"op":"rank","want":…,"budget_ms":180,"query":…,"docs":[…]}
//	helper  {"v":1,"kind":"accepted"}        within 20 ms, or the client disconnects
//	helper  {"v":1,"kind":"alive"}           every 5 ms while it computes
//	helper  {"v":1,"kind":"scores","scores":[…],"scale":…}
//
// Any reply may be {"kind":"refused","reason":…} instead. A helper that is silent for 20 ms counts as dead, so that a
// missing or hung helper costs no more than that. A helper measures its speed and refuses requests if it is too slow.
//
// Scores are logits; Blend combines them with the candidates' scores. The client starts no goroutine and no process. If
// no helper is running, it returns ErrNoHelper, and the caller starts one after it has answered the prompt.
package rerank

import "errors"

// Doc holds the texts of one candidate that the model reads.
type Doc struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Contract    string `json:"contract,omitempty"` // frontmatter lines about inputs, outputs, requirements and limits
	Passage     string `json:"passage,omitempty"`  // the best passage of the body
}

// Result holds the model's scores. The zero Result has none.
type Result struct {
	Scores []float64 // logits of the first documents; higher is better
	Scale  float64   // usual standard deviation of the model's logits
}

// ErrNoHelper means that no helper is listening on the socket and that one may be started.
var ErrNoHelper = errors.New("no rerank helper is running")

// A helper refuses a request if even two short pairs of prompt and skill take too long.
const (
	Share     = 0.85 // share of the time budget that ranking may take; the rest is a reserve
	ShortPair = 64   // length of a short pair, in tokens
)

// Settings holds the settings of the section rerank.
type Settings struct {
	Enabled    bool    `yaml:"enabled" json:"enabled"`
	Model      string  `yaml:"model" json:"model,omitempty"`     // name or folder of an installed model
	Library    string  `yaml:"library" json:"library,omitempty"` // path of libonnxruntime
	DeadlineMs int     `yaml:"deadline_ms" json:"deadline_ms"`   // time limit of one reranking
	Blend      float64 `yaml:"blend" json:"blend"`               // 0: BM25F's order, 1: the model's order
	Pairs      int     `yaml:"pairs" json:"pairs"`               // number of candidates to rerank, 2 to 50
}

// Limits for texts sent to the helper, in bytes. They exceed what the helper can use.
const (
	maxQuery = 4096
	maxText  = 2048
)
