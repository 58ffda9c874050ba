package version

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/cmd/internal/build"
)

func TestVersion(t *testing.T) {
	h := apptest.New(t)
	out, err := h.Run(New(h.App))
	if err != nil || !strings.HasPrefix(out, "skillgate ") || !strings.Contains(out, runtime.Version()) {
		t.Errorf("version = %q, %v", out, err)
	}
	out, err = h.Run(New(h.App), "--json")
	var b build.Info
	if err != nil || json.Unmarshal([]byte(out), &b) != nil || b != build.Read() {
		t.Errorf("version --json = %q, %v, want %+v", out, err, build.Read())
	}
}

func TestCheck(t *testing.T) {
	answer := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	tests := []struct {
		name    string
		version string
		answer  http.HandlerFunc
		want    checked
		says    string
	}{
		{"a newer one", "1.2.3", answer(200, `{"version":"1.10.0"}`), checked{"1.2.3", "1.10.0", true, ""}, "Version 1.10.0 is available; this is 1.2.3."},
		{"the newest", "1.2.3", answer(200, `{"version":"1.2.3"}`), checked{"1.2.3", "1.2.3", false, ""}, "This version is 1.2.3; the newest release is 1.2.3."},
		{"newer than the newest", "2.0.0", answer(200, `{"version":"1.2.3"}`), checked{"2.0.0", "1.2.3", false, ""}, "the newest release is 1.2.3."},
		{"a build of a checkout", "(devel)", answer(200, `{"version":"1.2.3"}`), checked{"(devel)", "1.2.3", false, ""}, "the newest release is 1.2.3."},
		{"no such package", "1.2.3", answer(404, `{}`), checked{"1.2.3", "", false, "the response from HOST contains no version (404 Not Found)"},
			"Cannot tell whether there is a newer release: "},
		{"a page of a hotel", "1.2.3", answer(200, `<html>`), checked{"1.2.3", "", false, "the response from HOST contains no version (200 OK)"},
			"Cannot tell whether there is a newer release: "},
		{"a version that is none", "1.2.3", answer(200, `{"version":"\u001b[2J"}`),
			checked{"1.2.3", "", false, "the response from HOST contains no version (200 OK)"},
			"Cannot tell whether there is a newer release: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var asked *http.Request
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked = r
				tt.answer(w, r)
			}))
			defer server.Close()
			got := check(context.Background(), tt.version, registry(server.URL), fmt.Sprintf)
			tt.want.Unknown = strings.Replace(tt.want.Unknown, "HOST", strings.TrimPrefix(server.URL, "http://"), 1)
			if got != tt.want || !strings.Contains(got.said(fmt.Sprintf), tt.says) {
				t.Errorf("check = %+v, %q; want %+v, %q", got, got.said(fmt.Sprintf), tt.want, tt.says)
			}
			if asked.URL.String() != "/skillgate/latest" || asked.UserAgent() != "skillgate" || len(asked.Header) > 2 {
				t.Errorf("asked %s with %v, want nothing of this machine", asked.URL, asked.Header)
			}
		})
	}
}

func TestCheckOffline(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	for name, address := range map[string]string{"silent": silent.URL, "gone": gone.URL, "no address": "::",
		"a scheme alone": "https://", "a port alone": "https://:443", "another scheme": "ftp://example.com"} {
		t.Run(name, func(t *testing.T) {
			h := apptest.New(t)
			h.Getenv = registry(address)
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond) // less than the command's own timeout
			defer cancel()
			cmd := New(h.App)
			cmd.SetContext(ctx)
			if out, err := h.Run(cmd, "check"); err != nil ||
				!strings.HasPrefix(out, "Cannot tell whether there is a newer release: ") {
				t.Errorf("version check = %q, %v; want a sentence and no error", out, err)
			}
		})
	}
}

func registry(address string) func(string) string {
	return func(name string) string { return map[string]string{"npm_config_registry": address}[name] }
}
