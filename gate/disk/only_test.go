package disk_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

const module = "github.com/skillgate/skillgate/"

// excepted are the places outside package disk that may remove, rename or truncate, by package or by package and
// function, with the reason.
var excepted = map[string]string{
	"gate/golden":                             "rewrites the golden files of a test run with -update",
	"gate/neutral/internal/gen":               "a generator",
	"synonyms/internal/gen":                   "a generator",
	"cmd/skillgate-dev":                       "writes where a developer says",
	"cmd/internal/app/apptest":                "of tests alone",
	"cmd/skillgate-org/internal/postgrestest": "of tests alone",
	"cmd/internal/start.call":                 "writes and reads before the runtime of Go can",
	"cmd/skillgate-rerank.bound":              "writes to /proc",
	"gate/system.OpenFile":                    "passes flags on; callers are checked",
	"gate/system.Open":                        "passes flags on; callers are checked",
	"gate/regular.open":                       "passes flags on; callers are checked",
}

// openers are the functions that open with flags, with the index of that argument.
var openers = map[string]int{
	"os.OpenFile": 1, "os.Root.OpenFile": 1, "syscall.Open": 1, "syscall.Openat": 2,
	"golang.org/x/sys/unix.Open": 1, "golang.org/x/sys/unix.Openat": 2, "golang.org/x/sys/windows.Open": 1,
	module + "gate/system.OpenFile": 1, module + "gate/system.Open": 1, module + "gate/regular.OpenFile": 1,
}

// takes matches the names of functions that remove, rename or truncate their argument.
var takes = regexp.MustCompile(`(?i)^(remove|unlink|rmdir|delete|rename|movefile|replacefile|f?truncate|setendoffile|creat$|create$|createfile$|` +
	`writefile$|copyfile|clonefile|fallocate|openat2|(raw)?syscall(6|9|n|no.*)?$|nt(set|create).*file|setfileinformation)`)

// probe contains a use of each kind and some allowed uses. The name of each function contains the number of uses to
// be found.
const probe = `package main

import (
	"os"
	. "os"

	"golang.org/x/sys/unix"
)

type embeds struct{ *os.File }

func probe15(f *os.File, r *os.Root, e embeds, cut interface{ Truncate(int64) error }, flags int) []any {
	remove := os.Remove
	remove("")
	RemoveAll("")
	os.Rename("", "")
	os.Create("")
	os.WriteFile("", nil, 0)
	os.OpenFile("", os.O_RDWR|os.O_TRUNC, 0)
	os.OpenFile("", flags, 0)
	f.Truncate(0)
	e.Truncate(0)
	cut.Truncate(0)
	r.Remove("")
	r.OpenFile("", 1<<9, 0)
	unix.Unlinkat(0, "", 0)
	unix.Open("", unix.O_TRUNC, 0)

	os.OpenFile("", os.O_RDWR|os.O_CREATE, 0)
	os.CreateTemp("", "")
	os.Mkdir("", 0)
	return []any{r.RemoveAll}
}
`

// Outside package disk, every function that removes, renames over or truncates files is forbidden. It is recognised
// by its object, so that assigned, embedded or renamed functions count too.
func TestNothingElseRemoves(t *testing.T) {
	dir, err := filepath.Abs("../..")
	require.NoError(t, err)
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.LoadSyntax, Dir: dir, BuildFlags: []string{"-tags=onnx"},
		Overlay: map[string][]byte{filepath.Join(dir, "cmd", "skillgate-dev", "probe.go"): []byte(probe)},
	}, "./...")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(loaded), 100)
	used, probed := map[string]bool{}, 0
	for _, p := range loaded {
		require.Empty(t, p.Errors)
		name := strings.TrimPrefix(p.PkgPath, module)
		if name == "gate/disk" {
			continue
		}
		found := typed(p)
		for _, file := range p.IgnoredFiles {
			found = append(found, untyped(t, file)...)
		}
		for _, f := range found {
			if f.in == "probe15" {
				probed++
			}
			by := name
			if excepted[by] == "" {
				by += "." + f.in
			}
			assert.NotEmpty(t, excepted[by], "%s: %s: only package disk may do that", f.at, f.what)
			used[by] = true
		}
	}
	assert.Equal(t, 15, probed)
	for _, by := range slices.Sorted(maps.Keys(excepted)) {
		if !used[by] {
			t.Errorf("%s needs no exception", by)
		}
	}
}

// finding is a use of a forbidden function, in a function of a package.
type finding struct{ at, what, in string }

// typed finds the forbidden functions in the files of p that are built on this system.
func typed(p *packages.Package) (found []finding) {
	for _, file := range p.Syntax {
		each(file, func(in string, n ast.Node, calls map[*ast.Ident]*ast.CallExpr) {
			id, ok := n.(*ast.Ident)
			if !ok {
				return
			}
			fn, ok := p.TypesInfo.Uses[id].(*types.Func)
			if !ok {
				return
			}
			var flags ast.Expr
			name := full(fn)
			if at, ok := openers[name]; ok && calls[id] != nil && len(calls[id].Args) > at {
				flags = calls[id].Args[at]
			}
			if forbidden(fn, name, flags, p.TypesInfo) {
				found = append(found, finding{p.Fset.Position(id.Pos()).String(), name, in})
			}
		})
	}
	return found
}

// full returns the name of fn with its package and, for a method, its type.
func full(fn *types.Func) string {
	name := fn.Name()
	if recv := fn.Signature().Recv(); recv != nil {
		of := recv.Type()
		if p, ok := of.(*types.Pointer); ok {
			of = p.Elem()
		}
		if named, ok := of.(*types.Named); ok {
			name = named.Obj().Name() + "." + name
		}
	}
	if fn.Pkg() != nil {
		name = fn.Pkg().Path() + "." + name
	}
	return name
}

// forbidden reports whether fn removes, renames or truncates. flags are the flags of its call, or nil if it is not
// called.
func forbidden(fn *types.Func, name string, flags ast.Expr, info *types.Info) bool {
	if _, ok := openers[name]; ok {
		return flags == nil || truncates(flags, info)
	}
	recv := fn.Signature().Recv()
	if recv != nil && types.IsInterface(recv.Type()) {
		return fn.Name() == "Truncate" || fn.Name() == "RemoveAll" // its receiver may contain an *os.File or *os.Root
	}
	pkg := ""
	if fn.Pkg() != nil {
		pkg = fn.Pkg().Path()
	}
	switch {
	case pkg == "os", pkg == "io/ioutil", pkg == "syscall", strings.HasPrefix(pkg, "golang.org/x/sys/"):
		return takes.MatchString(fn.Name()) && name != "syscall.Conn.SyscallConn"
	}
	return false
}

// truncates reports whether flags may contain O_TRUNC. A variable may.
func truncates(flags ast.Expr, info *types.Info) bool {
	if v := info.Types[flags].Value; v != nil {
		n, exact := constant.Int64Val(v)
		return !exact || n&int64(os.O_TRUNC) != 0
	}
	return true
}

// untyped finds the forbidden functions by name in a file that is not built on this system.
func untyped(t *testing.T, file string) (found []finding) {
	t.Helper()
	if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
		return nil
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, nil, 0)
	require.NoError(t, err)
	watched := map[string]string{}
	for _, spec := range parsed.Imports {
		from := strings.Trim(spec.Path.Value, `"`)
		if from == "os" || from == "syscall" || strings.HasPrefix(from, "golang.org/x/sys/") {
			name := path.Base(from)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			watched[name] = from
		}
	}
	each(parsed, func(in string, n ast.Node, _ map[*ast.Ident]*ast.CallExpr) {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return
		}
		of, _ := sel.X.(*ast.Ident)
		name := sel.Sel.Name
		if of != nil && watched[of.Name] != "" && (takes.MatchString(name) || name == "O_TRUNC") || name == "Truncate" {
			found = append(found, finding{fset.Position(sel.Pos()).String(), fmt.Sprint(sel.X, ".", name), in})
		}
	})
	return found
}

// each calls fn with the nodes of a file, the name of the function around each, and the calls by the name of the
// called function.
func each(file *ast.File, fn func(in string, n ast.Node, calls map[*ast.Ident]*ast.CallExpr)) {
	calls := map[*ast.Ident]*ast.CallExpr{}
	for _, decl := range file.Decls {
		in := ""
		if f, ok := decl.(*ast.FuncDecl); ok {
			in = f.Name.Name
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				switch f := call.Fun.(type) {
				case *ast.Ident:
					calls[f] = call
				case *ast.SelectorExpr:
					calls[f.Sel] = call
				}
			}
			if n != nil {
				fn(in, n, calls)
			}
			return true
		})
	}
}
