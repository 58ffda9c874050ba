package model

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/regular"
)

// Modules is where npm puts packages installed with the prefix that program, the
// helper, is in: install.sh --with-rerank does so.
func Modules(program string) string {
	if resolved, err := filepath.EvalSymlinks(program); err == nil {
		program = resolved
	}
	return filepath.Join(filepath.Dir(filepath.Dir(program)), "lib", "node_modules")
}

// Libraries returns the files and names under which libonnxruntime may be found,
// best first. Where setting or $ONNXRUNTIME_LIB names one (a file, or a folder that
// holds it: itself, below lib, or in npm's onnxruntime-node), nothing else is tried.
// Otherwise: the loader's own search, then npm's onnxruntime-node below the given
// folders of modules and npm's global ones. A project's folder is never searched: it
// comes with a cloned repository.
func Libraries(setting string, getenv func(string) string, home string, modules ...string) []string {
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
	for _, dir := range append(slices.Clone(modules), globalModules(getenv, home)...) {
		for _, file := range inFolder(filepath.Join(dir, npmPackage)) {
			if !slices.Contains(out, file) {
				out = append(out, file)
			}
		}
	}
	return out
}

const npmPackage = "onnxruntime-node"

// globalModules are the folders in which npm's global packages may lie, those of the
// settings that npm itself reads first.
func globalModules(getenv func(string) string, home string) []string {
	var out []string
	prefix := func(dir string) {
		if filepath.IsAbs(dir) {
			out = append(out, filepath.Join(dir, "lib", "node_modules"))
		}
	}
	prefix(getenv("NPM_CONFIG_PREFIX"))
	prefix(getenv("npm_config_prefix"))
	prefix(npmrcPrefix(home))
	for _, dir := range filepath.SplitList(getenv("NODE_PATH")) {
		if filepath.IsAbs(dir) {
			out = append(out, dir)
		}
	}
	// Without such settings npm takes the folder that node is installed in.
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		node := filepath.Join(dir, "node")
		if real, err := filepath.EvalSymlinks(node); err == nil && filepath.IsAbs(dir) {
			prefix(filepath.Dir(dir))
			prefix(filepath.Dir(filepath.Dir(real)))
		}
	}
	out = append(out, filepath.Join(home, "node_modules"))
	prefix(filepath.Join(home, ".npm-global"))
	for _, dir := range []string{"/usr/local", "/usr", "/opt/homebrew"} {
		prefix(dir)
	}
	// the pattern is well formed
	nvm, _ := filepath.Glob(filepath.Join(escape(home), ".nvm/versions/node/*/lib/node_modules"))
	slices.Reverse(nvm)
	return append(out, nvm...)
}

// npmrcPrefix returns the prefix that the user's ~/.npmrc sets; "" for none.
func npmrcPrefix(home string) string {
	text, err := regular.Head(filepath.Join(home, ".npmrc"), 64<<10)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(key) != "prefix" {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		if rest, ok := strings.CutPrefix(value, "~/"); ok {
			value = filepath.Join(home, rest)
		}
		return strings.ReplaceAll(value, "${HOME}", home)
	}
	return ""
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
