package central

import (
	"compress/gzip"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	collector "go.opentelemetry.io/proto/slim/otlp/collector/logs/v1"
	logs "go.opentelemetry.io/proto/slim/otlp/logs/v1"
)

// maxRequest bounds a request, unpacked, in bytes.
const maxRequest = 32 << 20

// maxAtOnce is how many requests are taken at once; each is in memory, packed and unpacked.
const maxAtOnce = 16

// retryAfter is what a sender is asked to wait while the database does not answer or too many send, in seconds.
const retryAfter = "5"

// Receiver takes OTLP over HTTP: POST /v1/logs, in Protocol Buffers or JSON. What it
// answered with 200 is committed. Metrics are accepted and not kept: the views count
// records.
type Receiver struct {
	Store *Store
	Token string // what Authorization: Bearer must have; "": nothing
	Log   *slog.Logger
	Now   func() time.Time

	taking atomic.Int32 // requests
}

// ServeHTTP answers one request.
func (rc *Receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/healthz" && r.Method == http.MethodGet {
		if err := rc.Store.pool.Ping(r.Context()); err != nil {
			http.Error(w, "the database does not answer", http.StatusServiceUnavailable)
		}
		return
	}
	if r.URL.Path != "/v1/logs" && r.URL.Path != "/v1/metrics" {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "POST an OTLP request", http.StatusMethodNotAllowed)
		return
	}
	if given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); rc.Token != "" &&
		(!ok || subtle.ConstantTimeCompare([]byte(given), []byte(rc.Token)) != 1) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "a token is needed", http.StatusUnauthorized)
		return
	}
	defer rc.taking.Add(-1)
	if rc.taking.Add(1) > maxAtOnce {
		w.Header().Set("Retry-After", retryAfter)
		http.Error(w, "too much is sent at the moment", http.StatusServiceUnavailable)
		return
	}
	text, err := body(r)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large), errors.Is(err, errLarge):
		http.Error(w, fmt.Sprintf("a request may have %d bytes", maxRequest), http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "application/x-protobuf" && kind != "application/json" {
		http.Error(w, "want application/x-protobuf or application/json", http.StatusUnsupportedMediaType)
		return
	}
	answer := &collector.ExportLogsServiceResponse{}
	if r.URL.Path == "/v1/logs" {
		var m logs.LogsData
		if kind == "application/json" {
			err = protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(text, &m)
		} else {
			err = proto.Unmarshal(text, &m)
		}
		if err != nil {
			http.Error(w, "not an OTLP request", http.StatusBadRequest)
			return
		}
		records, rejected := Read(&m, rc.Now())
		if err := rc.Store.Add(r.Context(), records); err != nil {
			rc.Log.Error("not stored", "error", err)
			if said, ok := errors.AsType[*pgconn.PgError](err); ok &&
				(strings.HasPrefix(said.Code, "22") || strings.HasPrefix(said.Code, "54")) {
				http.Error(w, "the database cannot hold these records", http.StatusBadRequest) // nor will it later
				return
			}
			w.Header().Set("Retry-After", retryAfter)
			http.Error(w, "the database does not answer", http.StatusServiceUnavailable)
			return
		}
		if rejected > 0 {
			answer.PartialSuccess = &collector.ExportLogsPartialSuccess{RejectedLogRecords: int64(rejected),
				ErrorMessage: "records without log.record.uid or with a time out of range"}
		}
	}
	w.Header().Set("Content-Type", kind)
	if kind == "application/json" {
		text, err = protojson.Marshal(answer)
	} else {
		text, err = proto.Marshal(answer)
	}
	if err == nil {
		_, err = w.Write(text)
	}
	if err != nil {
		rc.Log.Warn("not answered", "error", err)
	}
}

var errLarge = errors.New("too large")

// body is a request's, unpacked.
func body(r *http.Request) ([]byte, error) {
	from := io.Reader(http.MaxBytesReader(nil, r.Body, maxRequest))
	switch r.Header.Get("Content-Encoding") {
	case "", "identity":
	case "gzip":
		unpacked, err := gzip.NewReader(from)
		if err != nil {
			return nil, errors.New("the body is not gzip")
		}
		from = unpacked
	default:
		return nil, errors.New("want Content-Encoding gzip or none")
	}
	text, err := io.ReadAll(io.LimitReader(from, maxRequest+1))
	if err == nil && len(text) > maxRequest {
		err = errLarge
	}
	return text, err
}

// clean is a text that PostgreSQL can hold: UTF-8 without zero bytes.
func clean(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return strings.ReplaceAll(s, "\x00", "")
}
