package hot

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/skillgate/skillgate/"

// bannedOnHookPath lists imports that would cost a prompt milliseconds, a database, a network or a second process, with
// our packages that may use them.
var bannedOnHookPath = map[string][]string{
	"compress/gzip":                       nil,
	"crypto/rand":                         nil,
	"database/sql":                        nil,
	"encoding/gob":                        nil,
	"encoding/xml":                        nil,
	"expvar":                              nil,
	"flag":                                nil,
	"github.com/jedib0t/go-pretty":        nil,
	"github.com/mattn/go-sqlite3":         nil,
	"github.com/modelcontextprotocol":     nil,
	"github.com/spf13/cobra":              nil,
	"github.com/yalue/onnxruntime_go":     nil,
	"golang.org/x/net":                    nil,
	"html/template":                       nil,
	"log":                                 {"cmd/internal/hot"}, // Fatal exits with 1 and writes to stderr
	"log/slog":                            nil,
	"net":                                 {"gate/rerank"}, // a socket of this machine
	"net/http":                            nil,
	"net/url":                             nil,
	"os/exec":                             {"cmd/internal/hot", "gate/rerank"}, // they start a refresh and the helper
	"plugin":                              nil,
	"regexp":                              nil, // every prompt would pay for compiling
	"testing":                             nil,
	"text/template":                       nil,
	module + "gate/bench":                 nil,
	module + "gate/enrich":                nil,
	module + "gate/journal/store":         nil,
	module + "gate/lint":                  nil,
	module + "gate/replay":                nil,
	module + "gate/tune":                  nil,
	module + "hooks/mcp":                  nil,
	module + "hooks/register":             nil,
	module + "synonyms/source":            nil, // YAML
	"github.com/blevesearch/bleve/v2":     nil, // its root package registers all analyzers
	"github.com/blevesearch/bleve/v2/cmd": nil,

	// scorch builds two Levenshtein automata at process start.
	"github.com/blevesearch/bleve/v2/index": nil,
}

func parsePackage(t *testing.T, pkg string) map[string]*ast.File {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", filepath.FromSlash(pkg), "*.go"))
	require.NoError(t, err, pkg)
	require.NotEmpty(t, files, pkg)
	out := map[string]*ast.File{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		out[file] = f
	}
	return out
}

func hookPackages(t *testing.T) []string {
	t.Helper()
	todo, seen := []string{"cmd/internal/hot"}, map[string]bool{}
	var out []string
	for len(todo) > 0 {
		pkg := todo[0]
		todo = todo[1:]
		if seen[pkg] {
			continue
		}
		seen[pkg] = true
		out = append(out, pkg)
		for _, f := range parsePackage(t, pkg) {
			for _, spec := range f.Imports {
				path, _ := strconv.Unquote(spec.Path.Value)
				if own, ok := strings.CutPrefix(path, module); ok {
					todo = append(todo, own)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

func TestHookPathHasNoBannedImport(t *testing.T) {
	packages := hookPackages(t)
	require.GreaterOrEqual(t, len(packages), 12)
	for _, pkg := range packages {
		for file, f := range parsePackage(t, pkg) {
			for _, spec := range f.Imports {
				path, _ := strconv.Unquote(spec.Path.Value)
				for banned, may := range bannedOnHookPath {
					exact := path == banned
					below := strings.Contains(banned, ".") && banned != "github.com/blevesearch/bleve/v2" && strings.HasPrefix(path, banned+"/")
					if (exact || below) && !slices.Contains(may, pkg) {
						t.Errorf("%s imports %s, which is banned on the hook's path", file, path)
					}
				}
			}
		}
	}
}

// Every prompt pays for package initialisation.
func TestHookPathHasNoInit(t *testing.T) {
	for _, pkg := range hookPackages(t) {
		for file, f := range parsePackage(t, pkg) {
			for _, decl := range f.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
					t.Errorf("%s has a func init", file)
				}
			}
		}
	}
}

// A panic in a goroutine without recover would end the process with status 2, and the host would erase the prompt. Code
// that only builds indexes may start goroutines.
func TestHookStartsNoGoroutine(t *testing.T) {
	builders := []string{"build.go"} // in gate/index; not called by the hook
	for _, pkg := range hookPackages(t) {
		for file, f := range parsePackage(t, pkg) {
			name := filepath.Base(file)
			if pkg == "gate/index" && slices.Contains(builders, name) {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if _, ok := n.(*ast.GoStmt); ok && !strings.HasPrefix(pkg, "gate/rerank/") {
					t.Errorf("%s starts a goroutine", file)
				}
				return true
			})
		}
	}
}
