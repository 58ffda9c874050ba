package model

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Modules returns the folder in which npm installs packages for the prefix of program, the
// helper, as install.sh --with-rerank does.
func Modules(program string) string {
	if resolved, err := filepath.EvalSymlinks(program); err == nil {
		program = resolved
	}
	return filepath.Join(filepath.Dir(filepath.Dir(program)), "lib", "node_modules")
}

// Libraries returns the files and names under which libonnxruntime may be found, best first. If setting or
// $ONNXRUNTIME_LIB names a file, or a folder with the library (directly, in lib or in npm's onnxruntime-node), nothing
// else is tried. Otherwise the loader's own search comes first, then npm's onnxruntime-node in modules, unless modules
// is empty. Project folders are never searched, because a cloned repository could contain a library.
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
	if modules != "" { // with "" the path would be relative to the project
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

// inFolder returns the libraries for this machine directly in dir or in the layout of
// npm's onnxruntime-node, newer layouts first.
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
