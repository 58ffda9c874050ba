package apptest

import (
	"os"
	"os/exec"
	"testing"
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
