package rerank

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
)

// Version is the version of the protocol. A helper that receives another version exits, so
// that a newer skillgate can start its own.
const Version = 1

// Operations of a Request.
const (
	OpRank   = "rank"
	OpStatus = "status"
	OpStop   = "stop"
)

// Request is the message of a client.
type Request struct {
	V        int     `json:"v"`
	Op       string  `json:"op"`
	Want     string  `json:"want"` // settings that the helper must have, see Config.Want
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

// Reply is a message of the helper.
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
	LoadMs     float64 `json:"load_ms"`      // time from the start of the process until ready
	MsPerToken float64 `json:"ms_per_token"` // measured time of one token of a pair
	RSS        int64   `json:"rss"`          // resident memory in bytes, 0 if unknown
	Uptime     float64 `json:"uptime_s"`
	Ranked     int     `json:"ranked"`
	Refused    int     `json:"refused"`
	LastReason string  `json:"last_reason,omitempty"`
}

// MaxLine is the limit of one message in either direction, in bytes.
const MaxLine = 256 << 10

var errLong = errors.New("message over the limit")

// Write writes one message to w.
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

// NewReader returns a reader for Read.
func NewReader(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, MaxLine) }

// Read reads one message from r into message.
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
