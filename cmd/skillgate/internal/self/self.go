// Package self finds the program as users call it.
package self

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/hooks"
)

// Path is where the program lies that users call: in a folder of PATH where one leads to it, since that
// place outlives an upgrade.
func Path(a *app.App) (string, error) {
	self, err := system.CalledProgram()
	if err != nil {
		return "", err
	}
	info, err := os.Stat(self)
	if err != nil {
		return "", err
	}
	for _, dir := range filepath.SplitList(a.Getenv("PATH")) {
		name := filepath.Join(dir, "skillgate")
		if there, err := os.Stat(name); filepath.IsAbs(name) && err == nil && os.SameFile(there, info) {
			return name, nil
		}
	}
	return self, nil
}

// Temporary reports whether path is in a folder that is emptied now and then.
func Temporary(a *app.App, path string) bool {
	folders := []string{
		"/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/var/folders",
		a.Getenv("TMPDIR"), a.Getenv("GOCACHE"), a.Getenv("GOTMPDIR"),
	}
	for _, dir := range folders {
		if filepath.IsAbs(dir) && strings.HasPrefix(path, filepath.Clean(dir)+string(filepath.Separator)) {
			return true
		}
	}
	return strings.Contains(path, "/go-build")
}

// Again is the command that registers the program once more where host has it in a file of that scope,
// plugin for Claude Code's plugin.
func Again(host *hooks.Host, scope string) string {
	if scope == "plugin" {
		return "skillgate install --plugin"
	}
	return "skillgate install --host " + host.Name + " --scope " + scope
}
