package model

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Modules is where npm puts packages installed with the prefix that program, the
// helper, lies in: install.sh --with-rerank does so.
func Modules(program string) string {
	if resolved, err := filepath.EvalSymlinks(program); err == nil {
		program = resolved
	}
	return filepath.Join(filepath.Dir(filepath.Dir(program)), "lib", "node_modules")
}

// Libraries returns the files and names under which libonnxruntime may be found,
// best first. Where setting or $ONNXRUNTIME_LIB names one (a file, or a folder
// that holds it), nothing else is tried. Otherwise: the loader's own search, then
// npm's onnxruntime-node below the given folders of modules and the usual ones of
// home. A project's folder is never searched: it comes with a cloned repository.
func Libraries(setting string, getenv func(string) string, home string, modules ...string) []string {
	for _, named := range []string{setting, getenv("ONNXRUNTIME_LIB")} {
		if named == "" {
			continue
		}
		if fi, err := os.Stat(named); err == nil && fi.IsDir() {
			if found := inFolder(named); len(found) > 0 {
				return found
			}
		}
		return []string{named}
	}
	out := loaderNames()
	if prefix := getenv("NPM_CONFIG_PREFIX"); filepath.IsAbs(prefix) {
		modules = append(modules, filepath.Join(prefix, "lib/node_modules"))
	}
	for _, dir := range filepath.SplitList(getenv("NODE_PATH")) {
		if filepath.IsAbs(dir) {
			modules = append(modules, dir)
		}
	}
	modules = append(modules,
		filepath.Join(home, "node_modules"), filepath.Join(home, ".npm-global/lib/node_modules"),
		"/usr/local/lib/node_modules", "/usr/lib/node_modules", "/opt/homebrew/lib/node_modules")
	nvm, _ := filepath.Glob(filepath.Join(home, ".nvm/versions/node/*/lib/node_modules")) // the pattern is well formed
	slices.Reverse(nvm)
	for _, dir := range append(modules, nvm...) {
		out = append(out, inFolder(filepath.Join(dir, "onnxruntime-node"))...)
	}
	return out
}

func loaderNames() []string {
	if runtime.GOOS == "darwin" {
		return []string{"libonnxruntime.dylib"}
	}
	return []string{"libonnxruntime.so.1", "libonnxruntime.so"}
}

// inFolder returns the libraries for this machine in dir: lying there, or laid out
// as npm's onnxruntime-node does; those of newer layouts first.
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

// escape makes dir mean itself in a pattern.
func escape(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}
