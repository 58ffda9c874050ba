package apptest

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Chromium is the browser to look at pages with. The test is skipped where there is none, and
// where tests are to be short; CHROMIUM_BIN names one.
func Chromium(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	if path := os.Getenv("CHROMIUM_BIN"); path != "" {
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome-headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium: install it or set CHROMIUM_BIN")
	return ""
}

// Look opens a page in that browser, without a network, and returns the document that its scripts
// have made of it. What the page writes to the console fails the test.
func Look(t testing.TB, browser, file string, flags ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=" + t.TempDir(), "--enable-logging=stderr",
		"--allow-file-access-from-files", "--virtual-time-budget=2000", "--dump-dom"}, flags...)
	cmd := exec.CommandContext(ctx, browser, append(args, "file://"+file)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &stdout, &stderr, time.Second
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", browser, err, stderr.String())
	}
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "CONSOLE") {
			t.Errorf("the console says %s", line)
		}
	}
	return stdout.String()
}
