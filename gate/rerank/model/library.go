package model

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Modules returns the folder PREFIX/lib/node_modules for the helper program PREFIX/bin/NAME. `install.sh --with-rerank`
// installs ONNX Runtime there.
func Modules(program string) string {
	if resolved, err := filepath.EvalSymlinks(program); err == nil {
		program = resolved
	}
	return filepath.Join(filepath.Dir(filepath.Dir(program)), "lib", "node_modules")
}

// Libraries returns candidates for libonnxruntime, best first: file paths, or names for the system's loader. If setting
// or $ONNXRUNTIME_LIB names a file, or a folder that contains the library (directly, in lib or in npm's
// onnxruntime-node), only that counts. Otherwise the name for the loader comes first, and then npm's onnxruntime-node
// in the folder modules, unless modules is "". Project folders are never searched, because a cloned repository could
// contain a malicious library.
func Libraries(setting string, getenv func(string) string, modules string) []string {
	for _, named := range []string{setting, getenv("ONNXRUNTIME_LIB")} {
		if named == "" {
			continue
		}
		for _, dir := range []string{named, filepath.Join(named, "lib"), filepath.Join(named, npmPackage),
			filepath.Join(named, "node_modules", npmPackage)} {
			if found := inFolder(dir); len(found) > 0 {
				return found
			}
		}
		return []string{named}
	}
	out := loaderNames()
	if modules != "" { // "" would make the path relative to the project
		out = append(out, inFolder(filepath.Join(modules, npmPackage))...)
	}
	return out
}

const npmPackage = "onnxruntime-node"

func loaderNames() []string {
	if runtime.GOOS == "darwin" {
		return []string{"libonnxruntime.dylib"}
	}
	return []string{"libonnxruntime.so.1", "libonnxruntime.so"}
}

// inFolder returns the libraries for this platform in dir, either directly in it or in the layout of npm's
// onnxruntime-node. Newer layouts come first.
func inFolder(dir string) []string {
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	pattern := "libonnxruntime.so*"
	if runtime.GOOS == "darwin" {
		pattern = "libonnxruntime*.dylib"
	}
	found, _ := filepath.Glob(filepath.Join(escape(dir), pattern))
	packed, _ := filepath.Glob(filepath.Join(escape(dir), "bin/napi-v*", runtime.GOOS, arch, pattern))
	slices.Reverse(packed)
	return append(found, packed...)
}

func escape(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}
