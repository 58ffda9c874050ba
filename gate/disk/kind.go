package disk

import (
	"io/fs"
	"strings"
)

// Kind is a kind of folder of skillgate's own.
type Kind int

// The kinds, each named for what it holds.
const (
	State       Kind = iota // the log and what else is kept for long, dirs.Dirs.State
	Sessions                // the memory of sessions
	Cache                   // what can be made again, dirs.Dirs.Cache
	Indexes                 // the indexes of installed skills
	Libraries               // the indexes of libraries
	Index                   // the generations of one index
	Generation              // one generation
	PostingFile             // the parts of a file of postings that is being made
	Lines                   // the skills of a library that is one file
)

// form says what a folder of a kind holds. A pattern is a name in which <n> stands for decimal
// digits, <N hex> for N lower-case hexadecimal digits and * for any text.
type form struct {
	name    string
	in      Kind     // the folder that it is made in, itself where that is nobody's
	files   []string // patterns
	folders []folder
	proof   string // pattern of the files of which the newest must be JSON where the folder has no marker
}

type folder struct {
	pattern string
	kind    Kind
	// whole says that the folder is one with the folder that it is in: the two are adopted together.
	whole bool
}

var generation = []string{"manifest.json", "files.json", "user.dict", "base.*", "delta.*", "SHA256SUMS"}

var forms = [...]form{
	State: {
		name: "state", in: State,
		files: []string{
			"journal.jsonl", "journal.<n>.jsonl", "journal.bad.jsonl", "journal.bad.<n>.jsonl", "journal.bad.jsonl.tmp",
			"journal.db*", "fold.lock",
			"export.json", "export.lock", "expansions.jsonl", ".expansions-<n>", "expansions.lock", "need_min.jsonl",
			"advice.json", "experiment.json", "experiment.bad-*.json",
		},
		folders: []folder{{"sessions", Sessions, false}, {"plugin", State, false}, {"rerank", State, false},
			{"experiments", State, false}},
	},
	Sessions: {
		name: "sessions", in: State, files: []string{"<32 hex>.json", "claims", ".lock", "tmp-<n>"},
		proof: "<32 hex>.json",
	},
	Cache: {
		name: "cache", in: Cache, files: []string{"attempt"},
		folders: []folder{{"index", Indexes, false}, {"libraries", Libraries, false}, {"lint", Cache, false},
			{"suggest", Cache, false}, {"run", Cache, false}, {"fetched", Cache, false}, {"registry", Cache, false},
			{"rerank-bench", Cache, false}},
	},
	Indexes:   {name: "indexes", in: Cache, folders: []folder{{"<16 hex>", Index, true}}},
	Libraries: {name: "libraries", in: Cache, folders: []folder{{"<16 hex>", Index, true}}},
	Index: {
		name: "index", in: Index, files: []string{"CURRENT", "CURRENT.tmp", "build.lock"},
		folders: []folder{{"gen-<n>", Generation, true}, {"tmp-<n>-<n>", Generation, true}, {"lines", Lines, true}},
	},
	Generation: {
		name: "generation", in: Index, files: generation, folders: []folder{{"base.zap.build", PostingFile, true},
			{"delta.zap.build", PostingFile, true}}, proof: "manifest.json",
	},
	PostingFile: {name: "postings", in: Generation, files: []string{"<n>.zap"}},
	Lines:       {name: "lines", in: Index, files: []string{"<n>.md"}},
}

func (k Kind) String() string { return forms[k].name }

// file reports whether a file of that name may be skillgate's in a folder of this kind.
func (k Kind) file(name string) bool {
	if name == Marker || strings.HasPrefix(name, TempPrefix) {
		return true
	}
	for _, p := range forms[k].files {
		if match(p, name) {
			return true
		}
	}
	return false
}

// folder returns what a folder of that name is in a folder of this kind.
func (k Kind) folder(name string) (folder, bool) {
	for _, f := range forms[k].folders {
		if match(f.pattern, name) {
			return f, true
		}
	}
	return folder{}, false
}

// holds reports whether e may be skillgate's in a folder of this kind.
func (k Kind) holds(e fs.DirEntry) bool {
	if e.IsDir() {
		_, ok := k.folder(e.Name())
		return ok
	}
	if k.file(e.Name()) {
		return true
	}
	f, ok := k.folder(e.Name())
	return ok && !f.whole && e.Type()&fs.ModeSymlink != 0 // what it leads to has a marker of its own
}

// match reports whether name is of the form of pattern.
func match(pattern, name string) bool {
	for pattern != "" {
		switch {
		case pattern[0] == '*':
			rest := pattern[1:]
			for i := range len(name) + 1 {
				if match(rest, name[i:]) {
					return true
				}
			}
			return false
		case pattern[0] == '<':
			what, rest, _ := strings.Cut(pattern[1:], ">")
			n, digits := 0, "0123456789"
			if length, ok := strings.CutSuffix(what, " hex"); ok {
				digits += "abcdef"
				for _, c := range length {
					n = 10*n + int(c-'0')
				}
			}
			has := len(name) - len(strings.TrimLeft(name, digits))
			if has == 0 || n > 0 && has < n {
				return false
			}
			if n > 0 {
				has = n
			}
			pattern, name = rest, name[has:]
		default:
			if name == "" || name[0] != pattern[0] {
				return false
			}
			pattern, name = pattern[1:], name[1:]
		}
	}
	return name == ""
}
