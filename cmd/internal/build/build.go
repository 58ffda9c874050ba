// Package build says what a binary was built from.
package build

import (
	"runtime"
	"runtime/debug"

	"github.com/skillgate/skillgate/gate/index"
)

// Info is what was built. Revision is of version control, and Modified says that the
// files differed from it.
type Info struct {
	Version  string `json:"version"` // of the module, "(devel)" where it has none
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
