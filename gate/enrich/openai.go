package enrich

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxReply is the maximum number of bytes read from an answer. A batch of 20 skills takes about 40 KB.
const maxReply = 4 << 20

// OpenAI is an endpoint with the interface of OpenAI's chat completions, like those of Ollama, vLLM and llama.cpp.
type OpenAI struct {
	BaseURL string // including the version: "http://localhost:11434/v1"
	Key     string // bearer token, or ""
	Model   string
	Client  *http.Client // nil means http.DefaultClient
}

// NewOpenAI returns a provider that asks endpoint o for requests in languages.
func NewOpenAI(o OpenAI, languages []string, now func() time.Time) (*Model, error) {
	switch {
	case o.BaseURL == "":
		return nil, errors.New("the base URL is missing")
	case o.Model == "":
		return nil, errors.New("the model's name is missing")
	}
	return &Model{"openai", &openAI{OpenAI: o}, languages, now}, nil
}

type openAI struct {
	OpenAI
}

func (o *openAI) complete(ctx context.Context, q request) (reply, error) {
	type object = map[string]any
	format := object{"type": "json_schema",
		"json_schema": object{"name": "expansions", "strict": true, "schema": q.schema}}
	messages := []object{{"role": "system", "content": q.system}, {"role": "user", "content": q.user}}
	got, err := o.post(ctx, object{"model": o.Model, "messages": messages, "response_format": format})
	if fault, ok := errors.AsType[*Fault](err); ok && !fault.Temporary &&
		strings.Contains(fault.Error(), "response_format") {
		// The server does not support schemas, so it is asked without one; every answer is checked.
		got, err = o.post(ctx, object{"model": o.Model, "messages": messages})
	}
	return got, err
}

func (o *openAI) post(ctx context.Context, body any) (reply, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return reply{}, err
	}
	url := strings.TrimRight(o.BaseURL, "/") + "/chat/completions"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(text))
	if err != nil {
		return reply{}, &Fault{Err: err, Hint: "give a base URL such as http://localhost:11434/v1"}
	}
	req.Header.Set("Content-Type", "application/json")
	if o.Key != "" {
		req.Header.Set("Authorization", "Bearer "+o.Key)
	}
	client := o.Client
	if client == nil {
		client = http.DefaultClient
	}
	res, err := client.Do(req)
	if err != nil {
		return reply{}, &Fault{Temporary: true, Err: slow(ctx, err), Hint: "check that " + o.BaseURL + " responds"}
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxReply))
	if err != nil {
		return reply{}, &Fault{Temporary: true, Err: slow(ctx, fmt.Errorf("read answer: %w", err))}
	}
	if res.StatusCode != http.StatusOK {
		return reply{}, faultOf(res.StatusCode, retryAfter(res.Header),
			fmt.Errorf("%s: %s", res.Status, line(string(answer))))
	}
	var out struct {
		Model   string
		Choices []struct {
			Message struct{ Content string }
			Finish  string `json:"finish_reason"`
		}
		Usage struct {
			In  int `json:"prompt_tokens"`
			Out int `json:"completion_tokens"`
		}
	}
	if err := json.Unmarshal(answer, &out); err != nil || len(out.Choices) == 0 {
		return reply{}, &Fault{Temporary: true, Err: fmt.Errorf("%w: %s", errAnswer, line(string(answer)))}
	}
	out.Model = cmp.Or(out.Model, o.Model)
	return reply{
		text: out.Choices[0].Message.Content, model: out.Model, cut: out.Choices[0].Finish == "length",
		usage: Usage{In: out.Usage.In, Out: out.Usage.Out},
	}, nil
}

func slow(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errSlow
	}
	return err
}

// retryAfter returns the wait that a server asks for in seconds. The supported APIs send no dates.
func retryAfter(h http.Header) time.Duration {
	n, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || n < 0 {
		return 0
	}
	return time.Duration(n) * time.Second
}
