// Package build says what a binary was built from.
package build

import (
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/skillgate/skillgate/gate/index"
)

// release is set by the linker where a release is made: "skillgate=1.2.3;", in which the
// name and the semicolon make the version one that can be found in the binary.
var release string

// Info is what was built. Revision is of version control, and Modified says that the
// files differed from it.
type Info struct {
	Version  string `json:"version"` // of the release or the module, "(devel)" where it has none
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"` // operating system/architecture
	Analyzer string `json:"analyzer"` // index.AnalyzerVersion
}

// Read reads the build information in the binary.
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

// Mark returns a text that every binary of the same source contains, or "" if the source is not known.
func Mark() string {
	if b := Read(); release == "" && b.Revision != "" {
		return "build\tvcs.revision=" + b.Revision + "\n"
	}
	return release
}
