package main

import (
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	logs "go.opentelemetry.io/proto/slim/otlp/logs/v1"
)

// TestReadmeOfEvidence runs the commands of the README's last section after prompts to the hook. It uses the collector
// at OTELCOL (with receiver otlp, exporter file and extension bearertokenauth) or a receiver that writes the same file.
// A real collector is killed, restarted and finally asks for a token: each decision counts once.
func TestReadmeOfEvidence(t *testing.T) {
	page, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, section, _ := strings.Cut(string(page), "\n## Which skills are used")
	var commands []string
	for _, block := range shBlock.FindAllStringSubmatch(section, -1) {
		commands = append(commands, strings.Split(strings.TrimSpace(block[1]), "\n")...)
	}
	require.Len(t, commands, 4)
	collect, export, stats, report := commands[0], commands[1], commands[2], commands[3]
	program, host := os.Getenv("OTELCOL"), freeAddress(t)
	home, bin := t.TempDir(), programs(t)
	t.Cleanup(func() { ended(t, home) })
	shell := shell{home, []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "SKILLGATE_LISTEN=" + host},
		strings.NewReplacer("localhost:4318", host)}
	sh := func(command, want string) { t.Helper(); shell.run(t, command, want) }
	start := func(flags string) (stop func()) {
		t.Helper()
		if program == "" {
			return receive(t, host, filepath.Join(home, "decisions.jsonl"))
		}
		_, arguments, _ := strings.Cut(collect, " ")
		return answering(t, &shell, "exec '"+program+"' "+arguments+flags, host)
	}
	for _, err := range []error{
		os.CopyFS(filepath.Join(home, ".claude", "skills"), os.DirFS("../../testdata/skills-e2e")),
		exec.Command("cp", "collector.yaml", home).Run(),
	} {
		require.NoError(t, err)
	}
	said := 0
	say := func() {
		t.Helper()
		said++
		sh(strings.ReplaceAll(`echo '{"hook_event_name":"UserPromptSubmit","session_id":"a","prompt_id":"N",`+
			`"prompt":"Review this pull request for security problems"}' | skillgate hook`, "N", strings.Repeat("p", said)), "")
	}
	have := func(want string) { t.Helper(); sh(stats+" -- --json", `"decisions": `+want+",") }
	once := " --settle 0s"

	sh("skillgate index", "")
	stop := start("")
	say()
	sh(export, "ended yet: 1")
	sh(export+once, "sent 1 decision and 0 uses")
	sh(export, "nothing new to send")
	have("1")
	sh(report, "report.html")
	sh("skillgate-org stats --team another decisions.jsonl || echo failed", "no matching decisions")
	sh("skillgate-org advise nowhere.jsonl || echo failed with $?", "failed with 3")
	sh("skillgate-org stats -- --json || echo failed with $?", "no FILE given")

	stop()
	say()
	say()
	sh(export+once+" || echo failed with $?", "failed with 3")
	have("1")
	stop = start("")
	say()
	sh(export+once, "sent 3 decisions")
	stop()
	have("4")
	if program == "" {
		return
	}
	example := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(section)[1]
	token := filepath.Join(home, "token")
	for file, text := range map[string]string{token: "0123456789abcdef",
		filepath.Join(home, "token.yaml"): strings.Replace(example, "/etc/skillgate/token", token, 1)} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	stop = start(" --config token.yaml")
	say()
	sh(export+once+" || echo failed with $?", "failed with 3")
	sh("OTEL_EXPORTER_OTLP_HEADERS='Authorization=Bearer%20'$(cat token) "+export+once, "sent 1 decision")
	stop()
	have("5")
}

func answering(t *testing.T, s *shell, command, host string) (stop func()) {
	t.Helper()
	cmd, out := s.start(t, command)
	stop = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	t.Cleanup(stop)
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if answer, err := http.Get("http://" + host); err == nil {
			answer.Body.Close()
			return stop
		}
		if time.Now().After(end) {
			stop()
			t.Fatalf("%s does not answer: %s", command, out)
		}
	}
}

func receive(t *testing.T, host, file string) (stop func()) {
	t.Helper()
	at, err := net.Listen("tcp", host)
	require.NoError(t, err)
	out, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	server := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/logs" {
			return
		}
		var m logs.LogsData
		in, err := gzip.NewReader(r.Body)
		if err == nil {
			var text []byte
			if text, err = io.ReadAll(in); err == nil {
				err = proto.Unmarshal(text, &m)
			}
		}
		line, failed := protojson.Marshal(&m)
		require.NoError(t, err)
		assert.NoError(t, failed)
		_, err = out.Write(append(line, '\n'))
		assert.NoError(t, err)
	})}
	go server.Serve(at)
	stop = func() { server.Close(); out.Close() }
	t.Cleanup(stop)
	return stop
}
