package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	collector "go.opentelemetry.io/proto/slim/otlp/collector/logs/v1"
	logs "go.opentelemetry.io/proto/slim/otlp/logs/v1"
)

// Collector is where to send.
type Collector struct {
	Address string            // for example http://localhost:4318/v1/logs
	Headers map[string]string // of each request
	Client  *http.Client
	Tries   int                                              // of one request, at least 1
	Wait    func(ctx context.Context, d time.Duration) error // between them; nil: time passes
}

// Refused says that the collector does not take what it was sent, and would not take it later.
type Refused struct {
	Address string
	Code    int // of HTTP
	Status  string
	Text    string // what it said
}

func (e *Refused) Error() string {
	if e.Text == "" {
		return fmt.Sprintf("%s refused: %s", Redacted(e.Address), e.Status)
	}
	return fmt.Sprintf("%s refused: %s: %s", Redacted(e.Address), e.Status, e.Text)
}

// Unreachable says that the collector cannot take anything now.
type Unreachable struct {
	Address string
	Err     error
}

func (e *Unreachable) Error() string {
	return fmt.Sprintf("%s cannot be reached: %v", Redacted(e.Address), e.Err)
}

// Unwrap returns e.Err.
func (e *Unreachable) Unwrap() error { return e.Err }

// Redacted is an address without its password.
func Redacted(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the collector"
	}
	return u.Redacted()
}

// Pauses between tries double from the first to the last; half of each is random, so that a
// thousand machines do not come back at one moment.
const (
	firstPause = time.Second
	lastPause  = 30 * time.Second
)

const maxAnswer = 1 << 20

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
	pause := firstPause
	for try := 1; ; try++ {
		answer, after, err := c.try(ctx, packed.Bytes())
		if err == nil {
			var said collector.ExportLogsServiceResponse
			if proto.Unmarshal(answer, &said) == nil {
				rejected = said.GetPartialSuccess().GetRejectedLogRecords()
			}
			return rejected, nil
		}
		if _, refused := errors.AsType[*Refused](err); refused {
			return 0, err
		}
		if try >= c.Tries || ctx.Err() != nil {
			return 0, &Unreachable{c.Address, err}
		}
		wait := pause/2 + rand.N(pause/2)
		if after > 0 {
			wait = min(after, lastPause)
		}
		if err := c.wait(ctx, wait); err != nil {
			return 0, &Unreachable{c.Address, err}
		}
		pause = min(2*pause, lastPause)
	}
}

func (c *Collector) wait(ctx context.Context, d time.Duration) error {
	if c.Wait != nil {
		return c.Wait(ctx, d)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// try sends once. after is how long the collector asks to wait, 0 where it does not say.
func (c *Collector) try(ctx context.Context, packed []byte) (answer []byte, after time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Address, bytes.NewReader(packed))
	if err != nil {
		return nil, 0, &Refused{Address: c.Address, Status: "not an address"}
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	req.Header.Set("Content-Encoding", "gzip")
	for key, value := range c.Headers {
		req.Header.Set(key, value)
	}
	resp, err := c.Client.Do(req)
	if err != nil {
		return nil, 0, err
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	switch {
	case resp.StatusCode/100 == 2:
		return answer, 0, err
	case resp.StatusCode == http.StatusTooManyRequests, resp.StatusCode == http.StatusBadGateway,
		resp.StatusCode == http.StatusServiceUnavailable, resp.StatusCode == http.StatusGatewayTimeout:
		if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s > 0 {
			after = time.Duration(s) * time.Second
		}
		return nil, after, errors.New(resp.Status)
	}
	return nil, 0, &Refused{Address: c.Address, Code: resp.StatusCode, Status: resp.Status,
		Text: said(resp.Header.Get("Content-Type"), answer)}
}

func said(kind string, answer []byte) string {
	if !strings.HasPrefix(kind, "text/") && !strings.HasPrefix(kind, "application/json") {
		return ""
	}
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(answer), "")), " ")
	return text[:min(len(text), 200)]
}
