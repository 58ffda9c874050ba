package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/postgrestest"
)

// TestCollector sends decisions through an OpenTelemetry collector (OTELCOL is its program, with the receiver
// otlp and the exporter otlp_http) to skillgate-org collect. The collector is killed and started again, and so is what
// is behind it: each decision is there once.
func TestCollector(t *testing.T) {
	program := os.Getenv("OTELCOL")
	if program == "" {
		t.Skip("OTELCOL names no collector")
	}
	database := postgrestest.New(t).Address()
	front, back := freeAddress(t), freeAddress(t)
	home, bin := t.TempDir(), programs(t)
	// Without a queue what is taken was stored: one in memory would be lost with the process.
	config := fmt.Sprintf(`
receivers: {otlp: {protocols: {http: {endpoint: "%s"}}}}
exporters: {otlp_http: {endpoint: "http://%s", sending_queue: {enabled: false}, retry_on_failure: {enabled: false}}}
service:
  telemetry: {metrics: {level: none}}
  pipelines:
    logs: {receivers: [otlp], exporters: [otlp_http]}
    metrics: {receivers: [otlp], exporters: [otlp_http]}
`, front, back)
	file := filepath.Join(home, "collector.yaml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(home, ".claude", "skills"), os.DirFS("../../testdata/skills-e2e")); err != nil {
		t.Fatal(err)
	}
	shell := shell{home, []string{"PATH=" + bin + ":" + os.Getenv("PATH")}, strings.NewReplacer()}
	sh := func(command, want string) { t.Helper(); shell.run(t, command, want) }
	serve := func(command, host string) (stop func()) {
		t.Helper()
		cmd, out := shell.start(t, "exec "+command)
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
	collector := fmt.Sprintf("'%s' --config '%s'", program, file)
	collect := fmt.Sprintf("skillgate-org collect --database '%s' --listen %s", database, back)
	export := "skillgate-org export otlp --endpoint http://" + front + " --settle 0s --tries 1"
	said := 0
	say := func() {
		t.Helper()
		said++
		sh(fmt.Sprintf(`echo '{"hook_event_name":"UserPromptSubmit","session_id":"a","prompt_id":"p%d",`+
			`"prompt":"Review this pull request for security problems"}' | skillgate hook`, said), "")
	}
	have := func(n int) {
		t.Helper()
		sh(fmt.Sprintf("skillgate-org stats --database '%s' -- --json", database), fmt.Sprintf(`"decisions": %d`, n))
	}
	sh("skillgate index", "")
	stopCollect, stopCollector := serve(collect, back), serve(collector, front)
	say()
	sh(export, "sent 1 decision")
	have(1)

	stopCollector()
	say()
	say()
	sh(export+" || echo failed with $?", "failed with 3")
	have(1)
	stopCollector = serve(collector, front)
	say()
	sh(export, "sent 3 decisions")
	have(4)

	stopCollect()
	say()
	sh(export+" || echo failed with $?", "failed with 3")
	stopCollect = serve(collect, back)
	sh(export, "sent 1 decision")
	sh(export, "nothing new to send")
	have(5)
	stopCollector()
	stopCollect()
	ended(t, home)
}
