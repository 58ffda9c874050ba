package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type chatServer struct {
	*httptest.Server
	mu       sync.Mutex
	asked    map[string]int
	answered map[string]int
	requests int
	hold     int           // answers are withheld from this request on
	held     chan struct{} // closed when the first answer is withheld
}

var promptName = regexp.MustCompile(`(?m)^name: (.*)$`)

func newChatServer(t *testing.T, hold int) *chatServer {
	s := &chatServer{asked: map[string]int{}, answered: map[string]int{}, hold: hold, held: make(chan struct{})}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.CloseClientConnections)
	return s
}

func (s *chatServer) serve(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Messages []struct{ Content string }
	}
	body, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(body, &in); err != nil || len(in.Messages) != 2 {
		http.Error(w, "no request", http.StatusBadRequest)
		return
	}
	var parts []string
	s.mu.Lock()
	s.requests++
	var names []string
	for i, m := range promptName.FindAllStringSubmatch(in.Messages[1].Content, -1) {
		names = append(names, m[1])
		s.asked[m[1]]++
		word := strings.ReplaceAll(m[1], "-", " ")
		parts = append(parts, fmt.Sprintf(`{"n":%d,"ko":["%s 부탁해요"],"en":["please do the %s"],"kw":[]}`, i+1, word, word))
	}
	if s.hold > 0 && s.requests >= s.hold {
		if s.requests == s.hold {
			close(s.held)
		}
		s.mu.Unlock()
		<-r.Context().Done() // requests without an answer
		return
	}
	for _, name := range names {
		s.answered[name]++
	}
	s.mu.Unlock()
	json.NewEncoder(w).Encode(map[string]any{
		"choices": []any{map[string]any{"message": map[string]any{"content": `{"skills":[` + strings.Join(parts, ",") + `]}`}}},
	})
}

func enrichCommand(t *testing.T, home, url string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("skillgate",
		append([]string{"enrich", "--provider", "openai", "--base-url", url + "/v1", "--model", "m"}, args...)...)
	cmd.Dir = home
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	return cmd
}

func newEnrichHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(home, ".claude", "skills"), os.DirFS(filepath.Join("..", "..", "testdata", "skills-e2e"))))
	return home
}

func TestEnrichKilledAndResumed(t *testing.T) {
	home := newEnrichHome(t)
	first := newChatServer(t, 7)
	cmd := enrichCommand(t, home, first.URL)
	require.NoError(t, cmd.Start())
	select {
	case <-first.held:
	case <-time.After(60 * time.Second):
		t.Fatal("the run made fewer than 7 requests in a minute")
	}
	// A worker stores an answer before it sends its next request, so with
	// three workers at most the newest three answers are missing.
	cmd.Process.Kill()
	cmd.Wait()

	second := newChatServer(t, 0)
	out, err := enrichCommand(t, home, second.URL, "--json").Output()
	require.NoError(t, err)
	var report struct {
		Run *struct {
			Written int
			Failed  []any
		}
	}
	require.NoError(t, json.Unmarshal(out, &report))
	twice := 0
	for name := range first.answered {
		if second.asked[name] > 0 {
			twice++
		}
	}
	require.GreaterOrEqual(t, len(first.answered), 18)
	assert.LessOrEqual(t, twice, 18)
	for name, n := range second.asked {
		assert.Equal(t, 1, n, name)
	}
	if report.Run == nil || report.Run.Written != len(second.asked) || len(report.Run.Failed) > 0 {
		t.Errorf("second run: %+v, want %d written", report.Run, len(second.asked))
	}

	// A third run has nothing to do. One changed skill causes one request.
	third := newChatServer(t, 0)
	if out, err := enrichCommand(t, home, third.URL).Output(); err != nil || third.requests != 0 || !strings.Contains(string(out), "already enriched") {
		t.Errorf("third run: %v, %d requests, %s, want none", err, third.requests, out)
	}
	file := filepath.Join(home, ".claude", "skills", "csv-cleaner", "SKILL.md")
	text := readFile(t, file)
	require.NoError(t, os.WriteFile(file, append(text, "\nKeep the header row.\n"...), 0o600))
	if out, err := enrichCommand(t, home, third.URL).Output(); err != nil || third.requests != 1 || len(third.asked) != 1 || third.asked["csv-cleaner"] != 1 {
		t.Errorf("after one skill changed: %v, %d requests about %v, %s, want one about csv-cleaner", err, third.requests, third.asked, out)
	}
}

func TestEnrichSecondWriter(t *testing.T) {
	home := newEnrichHome(t)
	server := newChatServer(t, 1)
	cmd := enrichCommand(t, home, server.URL)
	require.NoError(t, cmd.Start())
	defer func() {
		cmd.Process.Kill()
		cmd.Wait()
	}()
	<-server.held
	out, err := enrichCommand(t, home, server.URL).CombinedOutput()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 3 || !strings.Contains(string(out), "another `skillgate enrich` is running") {
		t.Errorf("second enrich = %v, %s, want status 3 and who is in the way", err, out)
	}
	// An interrupted run ends with status 3 and a hint.
	cmd.Process.Signal(os.Interrupt)
	if exit, ok := cmd.Wait().(*exec.ExitError); !ok || exit.ExitCode() != 3 {
		t.Errorf("interrupted enrich ended with %v, want status 3", exit)
	}
}
