package rerank

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
)

// Version is the protocol version. A helper that receives another version exits, so that a newer skillgate can start
// its own helper.
const Version = 1

// Operations of a Request.
const (
	OpRank   = "rank"
	OpStatus = "status"
	OpStop   = "stop"
)

// Request is a client's message.
type Request struct {
	V        int     `json:"v"`
	Op       string  `json:"op"`
	Want     string  `json:"want"` // configuration that the helper must have; see Config.Want
	BudgetMs float64 `json:"budget_ms,omitempty"`
	Query    string  `json:"query,omitempty"`
	Docs     []Doc   `json:"docs,omitempty"`
}

// Kinds of a Reply.
const (
	Accepted = "accepted"
	Alive    = "alive"
	Scores   = "scores"
	Refused  = "refused"
	State    = "status"
)

// Reply is a helper's message.
type Reply struct {
	V      int       `json:"v"`
	Kind   string    `json:"kind"`
	Reason string    `json:"reason,omitempty"`
	Scores []float64 `json:"scores,omitempty"`
	Scale  float64   `json:"scale,omitempty"`
	Status *Status   `json:"status,omitempty"`
}

// Status describes a running helper.
type Status struct {
	PID        int     `json:"pid"`
	Version    string  `json:"version"`
	Want       string  `json:"want"`
	Model      string  `json:"model"`
	Library    string  `json:"library"`
	Runtime    string  `json:"runtime"` // version of ONNX Runtime
	Ready      bool    `json:"ready"`
	LoadMs     float64 `json:"load_ms"`      // time from the start of the process until it was ready
	MsPerToken float64 `json:"ms_per_token"` // measured time per token of a pair
	RSS        int64   `json:"rss"`          // resident memory in bytes; 0 if unknown
	Uptime     float64 `json:"uptime_s"`
	Ranked     int     `json:"ranked"`
	Refused    int     `json:"refused"`
	LastReason string  `json:"last_reason,omitempty"`
}

// MaxLine is the maximum length of a message in either direction, in bytes.
const MaxLine = 256 << 10

var errLong = errors.New("the message is too long")

// Write writes message to w as one line of JSON.
func Write(w io.Writer, message any) error {
	b, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if len(b) >= MaxLine {
		return errLong
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// NewReader returns a reader that Read can use.
func NewReader(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, MaxLine) }

// Read reads one line of JSON from r into message.
func Read(r *bufio.Reader, message any) error {
	line, err := r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return errLong
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(line, message)
}
