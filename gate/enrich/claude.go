package enrich

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/disk"

	"github.com/skillgate/skillgate/gate/system"
)

// Claude is the Claude Code client in print mode, with the user's login. It runs in an empty folder without tools,
// hooks, skills, plugins, MCP servers and memory, so that it can only answer and cannot call skillgate.
type Claude struct {
	Path    string   // path of the client
	Model   string   // an alias or a name, "" for the user's default
	Environ []string // environment; only variables that the client needs are passed on
	Temp    string   // parent of the empty folder; "" means the system's temporary folder
}

// NewClaude returns a provider that asks client c for requests in languages.
func NewClaude(c Claude, languages []string, now func() time.Time) *Model {
	return &Model{"claude", &claude{c}, languages, now}
}

type claude struct{ Claude }

// arguments returns the arguments of print mode. The settings turn off hooks even in a client that does not know
// --safe-mode. An organisation's managed hooks still run; if skillgate's is one of them, SKILLGATE_DISABLED stops it.
func (c *claude) arguments(q request) []string {
	args := []string{
		"--print", "--output-format", "json", "--json-schema", string(q.schema), "--system-prompt", q.system,
		"--tools", "", "--safe-mode", "--setting-sources", "", "--settings", `{"disableAllHooks":true}`,
		"--strict-mcp-config", "--disable-slash-commands", "--no-session-persistence", "--effort", "low",
	}
	if c.Model != "" {
		args = append(args, "--model", c.Model)
	}
	return args
}

// environ returns the variables that locate the client's login, proxy and certificates. It omits those that mark a
// process as running inside a session.
func (c *claude) environ() []string {
	keep := []string{
		"HOME", "USER", "LOGNAME", "PATH", "SHELL", "LANG", "TMPDIR", "TZ", "NO_PROXY", "HTTP_PROXY", "HTTPS_PROXY",
		"no_proxy", "http_proxy", "https_proxy", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR",
		"CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX",
		"CLAUDE_CODE_USE_FOUNDRY", "CLAUDE_CODE_SKIP_BEDROCK_AUTH", "CLAUDE_CODE_SKIP_VERTEX_AUTH", "CLOUD_ML_REGION",
		"GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT",
	}
	var out []string
	for _, kv := range c.Environ {
		name, _, _ := strings.Cut(kv, "=")
		if slices.Contains(keep, name) || strings.HasPrefix(name, "ANTHROPIC_") || strings.HasPrefix(name, "AWS_") ||
			strings.HasPrefix(name, "XDG_") {
			out = append(out, kv)
		}
	}
	return append(out, "SKILLGATE_DISABLED=1", "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"CLAUDE_CODE_MAX_RETRIES=0")
}

func (c *claude) complete(ctx context.Context, q request) (reply, error) {
	dir, err := disk.NewTemp(c.Temp, "skillgate-enrich-")
	if err != nil {
		return reply{}, &Fault{Err: err}
	}
	defer dir.Remove()
	cmd := exec.CommandContext(ctx, c.Path, c.arguments(q)...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir.Path, c.environ(), strings.NewReader(q.user)
	stdout, stderr := limited{max: maxReply}, limited{max: 4 << 10}
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.SysProcAttr = system.Grouped()
	cmd.Cancel = func() error { return system.EndGroup(cmd.Process) }
	cmd.WaitDelay = 3 * time.Second
	err = cmd.Run()
	if ctx.Err() != nil {
		return reply{}, &Fault{Temporary: true, Err: slow(ctx, ctx.Err())}
	}
	if stdout.Len() == 0 && err != nil {
		fault := &Fault{Err: fmt.Errorf("claude: %w: %s", err, line(stderr.String()))}
		if strings.Contains(stderr.String(), "unknown option") {
			fault.Hint = "Claude Code 2.1.197 or later is required; run `claude update`"
		}
		var exit *exec.ExitError
		fault.Temporary = errors.As(err, &exit) && exit.ExitCode() < 0 // the client was killed by a signal
		return reply{}, fault
	}
	return parseClaude(stdout.Bytes())
}

func parseClaude(text []byte) (reply, error) {
	var out struct {
		Subtype    string
		IsError    bool `json:"is_error"`
		Status     int  `json:"api_error_status"`
		Result     string
		Structured json.RawMessage `json:"structured_output"`
		Cost       float64         `json:"total_cost_usd"`
		Usage      struct {
			In      int `json:"input_tokens"`
			Written int `json:"cache_creation_input_tokens"`
			Read    int `json:"cache_read_input_tokens"`
			Out     int `json:"output_tokens"`
		}
		ModelUsage map[string]struct {
			Out int `json:"outputTokens"`
		} `json:"modelUsage"`
	}
	if err := json.Unmarshal(text, &out); err != nil {
		return reply{}, &Fault{Temporary: true, Err: fmt.Errorf("%w: claude: %s", errAnswer, line(string(text)))}
	}
	got := reply{text: out.Result, usage: Usage{out.Usage.In + out.Usage.Written + out.Usage.Read, out.Usage.Out,
		out.Cost}}
	most := -1
	for model, u := range out.ModelUsage {
		if u.Out > most || u.Out == most && model < got.model {
			got.model, most = model, u.Out
		}
	}
	if out.IsError {
		err := fmt.Errorf("claude: %s", line(out.Result))
		if out.Status == 0 {
			// A subtype "error_…" means that a turn failed, for example because the answer did not fit the schema.
			return got, &Fault{Temporary: strings.HasPrefix(out.Subtype, "error_"), Err: err,
				Hint: "run `claude` once in a terminal to check that it works"}
		}
		return got, faultOf(out.Status, 0, err)
	}
	if len(out.Structured) > 0 && !bytes.Equal(out.Structured, []byte("null")) {
		got.text = string(out.Structured)
	}
	return got, nil
}

type limited struct {
	bytes.Buffer
	max int
}

func (l *limited) Write(p []byte) (int, error) {
	if room := l.max - l.Len(); room > 0 {
		l.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
