// Package build reports which source a binary was built from.
package build

import (
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/skillgate/skillgate/gate/index"
)

// release is set by the linker for a release, for example to "skillgate=1.2.3;". The prefix and the semicolon
// make it findable in the binary.
var release string

// Info describes a build. Revision is the commit, and Modified is true if the work tree had changes.
type Info struct {
	Version  string `json:"version"` // version of the release or module, or "(devel)"
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"` // operating system/architecture
	Analyzer string `json:"analyzer"` // index.AnalyzerVersion
}

// Read returns the build information of the running program.
func Read() Info {
	b := Info{
		Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Analyzer: index.AnalyzerVersion,
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	if release != "" {
		b.Version = strings.TrimSuffix(strings.TrimPrefix(release, "skillgate="), ";")
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// Mark returns a text that every binary of the same source contains, or "" if the source is unknown.
func Mark() string {
	if b := Read(); release == "" && b.Revision != "" {
		return "build\tvcs.revision=" + b.Revision + "\n"
	}
	return release
}
