package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"google.golang.org/protobuf/proto"

	collector "go.opentelemetry.io/proto/slim/otlp/collector/logs/v1"
	logs "go.opentelemetry.io/proto/slim/otlp/logs/v1"
)

// Collector describes the receiver of the records.
type Collector struct {
	Address string            // URL, for example http://localhost:4318/v1/logs
	Headers map[string]string // sent with each request
	Client  *http.Client      // sends all requests and may retry them
}

// Refused is the error for a request that the collector did not accept and would not accept later.
type Refused struct {
	Code    int    // HTTP status, 0 if the address is not a URL
	Message string // names the collector, without its password
}

func (e *Refused) Error() string { return e.Message }

// ErrUnreachable means that the collector cannot be reached or is overloaded. A later attempt may succeed.
var ErrUnreachable = errors.New("cannot be reached")

// Redacted returns an address without its password.
func Redacted(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the collector"
	}
	return u.Redacted()
}

const maxAnswer = 1 << 20

// send sends m and returns the number of records that the collector rejected.
func (c *Collector) send(ctx context.Context, m *logs.LogsData) (rejected int64, err error) {
	text, err := proto.Marshal(m)
	if err != nil {
		return 0, err
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil {
		return 0, err
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Address, bytes.NewReader(packed.Bytes()))
	if err != nil {
		return 0, &Refused{Message: Redacted(c.Address) + " is not a URL"}
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	req.Header.Set("Content-Encoding", "gzip")
	for key, value := range c.Headers {
		req.Header.Set(key, value)
	}
	resp, err := c.Client.Do(req)
	var answer []byte
	if err == nil {
		defer resp.Body.Close()
		answer, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	}
	if err == nil {
		switch resp.StatusCode {
		case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			err = errors.New(resp.Status)
		}
	}
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s %w: %w", Redacted(c.Address), ErrUnreachable, err)
	case resp.StatusCode/100 != 2:
		message := Redacted(c.Address) + " refused: " + resp.Status
		if text := errorText(resp.Header.Get("Content-Type"), answer); text != "" {
			message += ": " + text
		}
		return 0, &Refused{resp.StatusCode, message}
	}
	var accepted collector.ExportLogsServiceResponse
	if proto.Unmarshal(answer, &accepted) == nil {
		rejected = accepted.GetPartialSuccess().GetRejectedLogRecords()
	}
	return rejected, nil
}

// errorText returns the beginning of an answer on one line, or "" if it is not text.
func errorText(contentType string, answer []byte) string {
	if !strings.HasPrefix(contentType, "text/") && !strings.HasPrefix(contentType, "application/json") {
		return ""
	}
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(answer), "")), " ")
	return text[:min(len(text), 200)]
}
