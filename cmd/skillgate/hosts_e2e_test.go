package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/skillgate/skillgate/hooks"
	"github.com/stretchr/testify/require"
)

type modelAPI struct {
	mu     sync.Mutex
	bodies []string
}

func (m *modelAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // fails if the client has exited
	m.mu.Lock()
	m.bodies = append(m.bodies, string(body))
	m.mu.Unlock()
	stream := strings.Contains(r.URL.Path, "stream") || strings.Contains(string(body), `"stream":true`) ||
		strings.HasSuffix(r.URL.Path, "/responses")
	events := []string{`{"object":"list","data":[],"models":[]}`}
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/chat/completions"):
		const head = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,`
		events = []string{head + `"delta":{"role":"assistant","content":"ok"}}]}`, head + `"delta":{},"finish_reason":"stop"}]}`, "[DONE]"}
		if !stream {
			events = []string{`{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,` +
				`"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}]}`}
		}
	case strings.HasSuffix(path, "/responses"):
		const item = `{"type":"message","id":"i","role":"assistant","status":"completed","content":[{"type":"output_text","text":"ok"}]}`
		events = []string{`{"type":"response.created","response":{"id":"r"}}`,
			`{"type":"response.output_item.done","output_index":0,"item":` + item + `}`,
			`{"type":"response.completed","response":{"id":"r","output":[` + item + `],"usage":` +
				`{"input_tokens":1,"output_tokens":1,"total_tokens":2}}}`}
	case strings.Contains(path, "enerateContent"):
		events = []string{`{"candidates":[{"content":{"role":"model","parts":[{"text":"ok"}]},"finishReason":"STOP","index":0}]}`}
	}
	if !stream {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, events[0])
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range events {
		fmt.Fprintf(w, "data: %s\n\n", event)
	}
}

type hostClient struct {
	files map[string]string // relative to the home folder; created before skillgate is installed
	env   []string
	args  []string // arguments before the prompt
	words bool     // each word of the prompt is an argument
}

func hostClients(url string) map[string]hostClient {
	return map[string]hostClient{
		"codex": {
			files: map[string]string{".codex/config.toml": "model = \"m\"\nmodel_provider = \"s\"\n[model_providers.s]\nname = \"s\"\n" +
				"base_url = \"" + url + "/v1\"\nwire_api = \"responses\"\n"},
			args: []string{"exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"},
		},
		"gemini": {
			files: map[string]string{".gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`},
			env:   []string{"GEMINI_API_KEY=x", "GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_CLI_TRUST_WORKSPACE=true"},
			args:  []string{"-m", "gemini-2.5-flash", "-p"},
		},
		"qwen": {
			files: map[string]string{".qwen/settings.json": `{"security":{"auth":{"selectedType":"openai"}}}`},
			env:   []string{"OPENAI_API_KEY=x", "OPENAI_BASE_URL=" + url + "/v1", "OPENAI_MODEL=m"},
			args:  []string{"-p"},
		},
		"copilot": {
			env: []string{"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=" + url + "/v1", "COPILOT_PROVIDER_TYPE=openai",
				"COPILOT_PROVIDER_API_KEY=x", "COPILOT_MODEL=m"},
			args: []string{"--allow-all-tools", "-p"},
		},
		"opencode": {files: map[string]string{".config/opencode/opencode.json": openCode(url)}, args: []string{"run"}, words: true},
		"kilo":     {files: map[string]string{".config/kilo/kilo.json": openCode(url)}, args: []string{"run"}, words: true},
		"pi": {
			files: map[string]string{".pi/agent/models.json": `{"providers":{"s":{"baseUrl":"` + url + `/v1","api":"openai-completions",` +
				`"apiKey":"x","models":[{"id":"m"}]}}}`},
			env:  []string{"PI_OFFLINE=1"},
			args: []string{"--model", "s/m", "-p"},
		},
	}
}

func openCode(url string) string {
	return `{"model":"s/m","small_model":"s/m","autoupdate":false,"share":"disabled","provider":{"s":{"npm":"@ai-sdk/openai-compatible",` +
		`"name":"s","options":{"baseURL":"` + url + `/v1","apiKey":"x"},"models":{"m":{"name":"m"}}}}}`
}

func TestEndToEndHosts(t *testing.T) {
	named := filepath.SplitList(os.Getenv("HOST_BIN"))
	if len(named) == 0 {
		t.Skip("no clients of other hosts: set HOST_BIN")
	}
	for _, entry := range named {
		name, path, _ := strings.Cut(entry, "=")
		t.Run(name, func(t *testing.T) {
			api := &modelAPI{}
			server := httptest.NewServer(api)
			t.Cleanup(server.Close)
			c, ok := hostClients(server.URL)[name]
			if !ok {
				t.Fatalf("HOST_BIN names %q, which this test does not know", name)
			}
			m := newMachine(t, client{path: path})
			for file, text := range c.files {
				m.write(file, text)
			}
			m.must("install", "--yes", "--host", name)
			const prompt = "Review this pull request for security problems such as injection and leaked secrets"
			argv := append(append([]string{path}, c.args...), prompt)
			if c.words {
				argv = append(append([]string{path}, c.args...), strings.Fields(prompt)...)
			}
			if filepath.Ext(path) == ".js" {
				argv = append([]string{"node"}, argv...)
			}
			ask := func() string {
				t.Helper()
				api.bodies = nil
				cmd := m.command(argv[0], argv[1:]...)
				cmd.Env = append(cmd.Env, c.env...)
				cmd.Env = append(cmd.Env, "PATH="+os.Getenv("PATH"))
				if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "ok") {
					t.Fatalf("%q: %v\n%s", argv, err, out)
				}
				api.mu.Lock()
				defer api.mu.Unlock()
				return strings.Join(api.bodies, "\n")
			}
			body := ask()
			quoted, _ := json.Marshal(prompt)
			if !strings.Contains(body, strings.Trim(string(quoted), `"`)) || !strings.Contains(body, `\n- pr-security-review: `) {
				t.Errorf("%s sent the API no hint of pr-security-review after the prompt:\n%s", hooks.Named(name).Title, body)
			}
			if d := m.lastDecision(t); d.Decision.Verdict != "inject" || d.PromptText() != prompt {
				t.Errorf("the log's last decision is %s about %q", d.Decision.Verdict, d.PromptText())
			}
			require.NoError(t, os.Rename(m.binary, m.binary+".gone"))
			if body := ask(); strings.Contains(body, "pr-security-review: ") || !strings.Contains(body, "Review this pull request") {
				t.Errorf("without the program %s sent\n%s", hooks.Named(name).Title, body)
			}
		})
	}
}
