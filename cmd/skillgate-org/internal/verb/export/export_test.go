package export

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
)

func logged(t *testing.T, vars map[string]string) *apptest.Home {
	t.Helper()
	h := apptest.New(t)
	getenv := h.Getenv
	h.Getenv = func(key string) string {
		if v, ok := vars[key]; ok {
			return v
		}
		return getenv(key)
	}
	h.Watch(t)
	h.Decide(t, 3*time.Hour, gate.Decision{Prompt: "merge the wombat files", Verdict: gate.Inject, Lang: "en",
		Candidates: []gate.Candidate{{Name: "pdf", Pool: "skill", Injected: true}}}, journal.Full, "p1")
	return h
}

type collector struct {
	*httptest.Server
	mu     sync.Mutex
	paths  []string
	bodies strings.Builder
	token  string
}

func collect(t *testing.T, status int) *collector {
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.paths, c.token = append(c.paths, r.URL.Path), r.Header.Get("Authorization")
		in, err := gzip.NewReader(r.Body)
		if err == nil {
			_, err = io.Copy(&c.bodies, in)
		}
		assert.NoError(t, err)
		w.WriteHeader(status)
	}))
	t.Cleanup(c.Close)
	return c
}

func TestOTLP(t *testing.T) {
	c := collect(t, http.StatusOK)
	h := logged(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": c.URL + "/", "OTEL_EXPORTER_OTLP_HEADERS": "Authorization=Bearer%20secret"})
	out, err := h.Run(New(h.App))
	require.NoError(t, err, h.Err.String())
	assert.Contains(t, out, "sent 1 decision and 0 uses to "+c.URL+"/v1/logs (export.prompts: none)", h.Err.String())
	if c.token != "Bearer secret" || strings.Contains(c.bodies.String(), "wombat") || !strings.Contains(c.bodies.String(), "pdf") {
		t.Errorf("the collector got the token %q and %q", c.token, c.bodies.String())
	}
	if out, err := h.Run(New(h.App)); err != nil || out != "nothing new to send\n" {
		t.Errorf("otlp again: %v, %s", err, out)
	}
	if out, err := h.Run(New(h.App), "--json"); err != nil || !strings.Contains(out, `"decisions": 0`) {
		t.Errorf("otlp --json: %v, %s", err, out)
	}
}

func TestOTLPOfASetting(t *testing.T) {
	logs := collect(t, http.StatusOK)
	h := logged(t, map[string]string{"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": logs.URL + "/a"})
	h.Write(t, h.Dir+"/.config/skillgate/skillgate.yaml", "export: {prompts: full}\n", 0o600)
	if out, err := h.Run(New(h.App)); err != nil || !strings.Contains(out, "(export.prompts: full)") {
		t.Errorf("otlp: %v, %s", err, out)
	}
	require.Contains(t, logs.bodies.String(), "wombat")
	assert.Equal(t, "/a", strings.Join(logs.paths, " "))
}

func TestOTLPRefuses(t *testing.T) {
	refusing := collect(t, http.StatusUnauthorized)
	for _, tt := range []struct {
		name string
		args []string
		vars map[string]string
		want string
	}{
		{"no collector", nil, nil, "no collector given"},
		{"no address", []string{"--endpoint", "localhost"}, nil, "is not a collector's URL"},
		{"another protocol", []string{"--endpoint", "ftp://localhost"}, nil, "is not a collector's URL"},
		{"a password is not repeated", []string{"--endpoint", "ftp://ann:hunter2@localhost"}, nil, "is not a collector's URL"},
		{"headers without a value", []string{"--endpoint", "http://localhost"},
			map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "hunter2"}, "entries must be NAME=VALUE"},
		{"attributes badly encoded", []string{"--endpoint", "http://localhost"},
			map[string]string{"OTEL_RESOURCE_ATTRIBUTES": "team=%zz"}, "the value of team has invalid percent-encoding"},
		{"a certificate that is not there", []string{"--endpoint", "http://localhost"},
			map[string]string{"OTEL_EXPORTER_OTLP_CERTIFICATE": "/none"}, "cannot read a certificate from /none"},
		{"a collector that refuses", []string{"--endpoint", refusing.URL}, nil, "nothing is lost"},
		{"a collector that is gone", []string{"--endpoint", "http://127.0.0.1:1"}, nil, "stay in the log for the next run"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := logged(t, tt.vars)
			code, text := h.Status(New(h.App), tt.args...)
			if code != 3 || !strings.Contains(text, tt.want) || strings.Contains(text, "hunter2") {
				t.Errorf("otlp %q: status %d, %s, want 3 and %q", tt.args, code, text, tt.want)
			}
		})
	}
	h := apptest.New(t)
	if code, text := h.Status(New(h.App), "--endpoint", "http://localhost"); code != 3 || !strings.Contains(text, "there is no log") {
		t.Errorf("otlp without a log: %d %s", code, text)
	}
}
