package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const contextMark = "UserPromptSubmit hook additional context: "

type standIn struct {
	mu       sync.Mutex
	follow   bool
	rules    []rule
	requests []apiRequest
}

type rule struct {
	words string // part of the prompt
	tool  string // tool to call, or "" for a text answer
	input any    // input of the tool
	until <-chan struct{}
}

type apiRequest struct {
	Model    string       `json:"model"`
	Messages []apiMessage `json:"messages"`
	System   apiContent   `json:"system"`
	Tools    []apiTool    `json:"tools"`

	body []byte
}

type apiMessage struct {
	Role    string     `json:"role"`
	Content apiContent `json:"content"`
}

type apiTool struct {
	Name  string `json:"name"`
	Defer bool   `json:"defer_loading"`
}

type apiContent []apiBlock

type apiBlock struct {
	Type    string     `json:"type"`
	Text    string     `json:"text"`
	Content apiContent `json:"content"` // content of a tool's result
}

func (c *apiContent) UnmarshalJSON(text []byte) error {
	var s string
	if json.Unmarshal(text, &s) == nil {
		*c = apiContent{{Type: "text", Text: s}}
		return nil
	}
	return json.Unmarshal(text, (*[]apiBlock)(c))
}

func (c apiContent) texts() []string {
	var out []string
	for _, b := range c {
		out = append(append(out, b.Text), b.Content.texts()...)
	}
	return out
}

type answer struct {
	context string // newest context of the hook
	fresh   string // context since the last answer of the model
	user    []string
	text    string // all text
}

func (a answer) untouched(t *testing.T, prompt string) {
	t.Helper()
	assert.Contains(t, a.user, prompt)
}

func (a answer) names(skill string) bool { return strings.Contains(a.fresh, "\n- "+skill) }

func (r apiRequest) answer() answer {
	var a answer
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			a.fresh = ""
		}
		for _, text := range m.Content.texts() {
			a.text += text + "\n"
			if m.Role == "user" {
				a.user = append(a.user, text)
			}
			if _, after, ok := strings.Cut(text, contextMark); ok {
				a.context, _, _ = strings.Cut(after, "\n</system-reminder>")
				a.fresh = a.context
			}
		}
	}
	return a
}

func (r apiRequest) told() (text string, result bool) {
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			text, result = "", false
			continue
		}
		text += strings.Join(m.Content.texts(), "\n") + "\n"
		result = result || slices.ContainsFunc(m.Content, func(b apiBlock) bool { return b.Type == "tool_result" })
	}
	return text, result
}

func firstNamed(context string) string {
	_, after, _ := strings.Cut(context, "\n- ")
	name, _, _ := strings.Cut(after, ": ")
	return name
}

func (s *standIn) followContext(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.follow = on
}

func (s *standIn) calls(words, tool string, input any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, rule{words: words, tool: tool, input: input})
}

func (s *standIn) holds(words string) (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	until := make(chan struct{})
	s.rules = append(s.rules, rule{words: words, until: until})
	return sync.OnceFunc(func() { close(until) })
}

func (s *standIn) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests, s.rules = nil, nil
}

func (s *standIn) last() answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	var a answer
	for _, r := range s.requests {
		if len(r.Tools) > 0 {
			a = r.answer()
		}
	}
	return a
}

func (s *standIn) await(t *testing.T, words string) apiRequest {
	t.Helper()
	r, ok := s.seen(words, time.Minute)
	require.True(t, ok, "the client sent no request about %q", words)
	return r
}

func (s *standIn) seen(words string, wait time.Duration) (apiRequest, bool) {
	for end := time.Now().Add(wait); ; time.Sleep(20 * time.Millisecond) {
		s.mu.Lock()
		for _, r := range slices.Backward(s.requests) {
			if text, _ := r.told(); len(r.Tools) > 0 && strings.Contains(text, words) {
				s.mu.Unlock()
				return r, true
			}
		}
		s.mu.Unlock()
		if time.Now().After(end) {
			return apiRequest{}, false
		}
	}
}

func (s *standIn) decide(r apiRequest) rule {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	text, result := r.told()
	if result || len(r.Tools) == 0 {
		return rule{}
	}
	for _, rule := range s.rules {
		if strings.Contains(text, rule.words) {
			return rule
		}
	}
	if name := firstNamed(r.answer().context); s.follow && name != "" {
		return rule{tool: "Skill", input: map[string]string{"skill": name}}
	}
	return rule{}
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost || r.URL.Path != "/v1/messages" {
		http.NotFound(w, r)
		return
	}
	req := apiRequest{body: body}
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	do := s.decide(req)
	if do.until != nil {
		select {
		case <-do.until:
		case <-r.Context().Done():
			return
		}
	}
	block, delta, stop := `{"type":"text","text":""}`, `{"type":"text_delta","text":"ok"}`, "end_turn"
	if do.tool != "" {
		input, _ := json.Marshal(do.input)
		input, _ = json.Marshal(string(input))
		block = fmt.Sprintf(`{"type":"tool_use","id":"toolu_%d","name":%q,"input":{}}`, time.Now().UnixNano(), do.tool)
		delta, stop = `{"type":"input_json_delta","partial_json":`+string(input)+`}`, "tool_use"
	}
	var out bytes.Buffer
	event := func(name, data string) { fmt.Fprintf(&out, "event: %s\ndata: %s\n\n", name, data) }
	event("message_start", fmt.Sprintf(`{"type":"message_start","message":{"id":"msg_%d","type":"message","role":"assist`+
		`ant","model":%q,"content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,`+
		`"output_tokens":1}}}`, time.Now().UnixNano(), req.Model))
	event("content_block_start", `{"type":"content_block_start","index":0,"content_block":`+block+`}`)
	event("content_block_delta", `{"type":"content_block_delta","index":0,"delta":`+delta+`}`)
	event("content_block_stop", `{"type":"content_block_stop","index":0}`)
	event("message_delta", fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":1}}`, stop))
	event("message_stop", `{"type":"message_stop"}`)
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = w.Write(out.Bytes()) // if the client has exited, its test fails
}
