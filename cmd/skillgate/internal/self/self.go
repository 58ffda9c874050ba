// Package self finds and copies the running program.
package self

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/hooks"
)

// Path returns the path by which users call the program. A matching entry of PATH is preferred, because it
// survives an upgrade.
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

// Temporary reports whether path is in a temporary or build folder.
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

// Again returns the command that registers the hook for host in scope once more. The scope "plugin" means Claude
// Code's plugin.
func Again(host *hooks.Host, scope string) string {
	if scope == "plugin" {
		return "skillgate install --plugin"
	}
	return "skillgate install --host " + host.Name + " --scope " + scope
}
