package disk

import (
	"io/fs"
	"strconv"
	"strings"
)

// Kind is a kind of folder that belongs to skillgate.
type Kind int

const (
	State       Kind = iota // the log and other lasting files: dirs.Dirs.State
	Sessions                // the memory of sessions
	Experiments             // the plans of experiments that have ended
	Plugins                 // plugins that skillgate installs in hosts
	Plugin                  // the files of one plugin
	Rerank                  // rerank's permanent files
	Models                  // rerank's models
	Model                   // the files of one model
	Cache                   // files that can be created again: dirs.Dirs.Cache
	Indexes                 // the indexes of installed skills
	Libraries               // the indexes of libraries
	Index                   // the generations of one index
	Generation
	Parts   // unfinished postings of an earlier version
	Lines   // one file for each skill of a library that is a single file
	Results // results of lint and suggest, named by a hash of the input
	Run     // the socket of rerank's helper, in the cache or in a system folder
	Fetched
	Reference // the status and the trees of one fetched library
	Trees     // the trees of one fetched library, by name
	Layout    // an OCI image layout
	Blobs     // blobs by digest algorithm
	Digests   // blobs of one algorithm, by digest
	Pool      // the generations of a pool that a replica serves
	Offered   // the skills that a replica has prepared for clients
	Tree      // files with any name, in a folder that this program has created
)

// form describes the contents of a folder of a kind. In a pattern <n> stands for decimal digits, <N hex> for N
// lower-case hexadecimal digits, <N id> for N characters of journal.NewID and * for any text.
type form struct {
	in      Kind     // kind of the parent folder, or the kind itself if the parent is not skillgate's
	files   []string // patterns of file names
	folders []folder
	proof   string // pattern of JSON files; if there are any and the marker is missing, the newest must be readable
	must    string // name of a file that every folder of the kind has
	any     bool   // every file name is allowed
}

type folder struct {
	pattern string
	kind    Kind
	// whole says that the folder has no marker of its own: the marker of its parent counts.
	whole bool
}

var forms = [...]form{
	State: {
		in: State,
		files: []string{
			"journal.jsonl", "journal.<n>.jsonl", "journal.bad.jsonl", "journal.bad.<n>.jsonl", "journal.bad.jsonl.tmp",
			"journal.db*", "fold.lock",
			"export.json", "export.lock", "expansions.jsonl", ".expansions-<n>", "expansions.lock", "need_min.jsonl",
			"advice.json", "experiment.json", "experiment.bad-*.json",
		},
		folders: []folder{{"sessions", Sessions, false}, {"plugin", Plugins, false}, {"rerank", Rerank, false},
			{"experiments", Experiments, false}},
	},
	Sessions:    {in: State, files: []string{"<32 hex>.json", "claims", ".lock", "tmp-<n>"}, proof: "<32 hex>.json"},
	Experiments: {in: State, files: []string{"<26 id>.json"}, proof: "<26 id>.json"},
	Plugins: {in: State, folders: []folder{{"claude", Plugin, true}, {".new-<n>", Tree, true},
		{".new-<n>.old", Tree, true}}},
	Plugin: {in: Plugins, any: true, must: ".claude-plugin/plugin.json"},
	Rerank: {in: State, folders: []folder{{"models", Models, false}}},
	Models: {in: Rerank, folders: []folder{{".stage-<n>", Tree, true}, {".stage-<n>.old", Tree, true},
		{"*", Model, true}}},
	Model: {in: Models, any: true, must: "model.json"},
	Cache: {
		in: Cache, files: []string{"attempt"},
		folders: []folder{{"index", Indexes, false}, {"libraries", Libraries, false}, {"lint", Results, false},
			{"suggest", Results, false}, {"run", Run, false}, {"fetched", Fetched, false}, {"registry", Tree, true},
			{"rerank-bench", Tree, true}},
	},
	Indexes:   {in: Cache, folders: []folder{{"<16 hex>", Index, true}}},
	Libraries: {in: Cache, folders: []folder{{"<16 hex>", Index, true}}},
	Index: {
		in: Index, files: []string{"CURRENT", "CURRENT.tmp", "build.lock"},
		folders: []folder{{"gen-<n>", Generation, true}, {"tmp-<n>", Generation, true}, {"tmp-<n>-<n>", Generation, true},
			{"lines", Lines, true}},
	},
	Generation: {
		in: Index, files: []string{"manifest.json", "states", "files.json", "user.dict", "base.*", "delta.*", "SHA256SUMS"},
		folders: []folder{{"base.zap.build*", Parts, true}, {"delta.zap.build*", Parts, true}},
		proof:   "manifest.json",
	},
	Parts:   {in: Generation, files: []string{"<n>.zap"}},
	Lines:   {in: Index, files: []string{"<n>.md"}},
	Results: {in: Cache, files: []string{"<32 hex>.json"}, proof: "<32 hex>.json"},
	Run:     {in: Run, files: []string{"sock", "lock", "attempt"}},
	Fetched: {
		in: Cache, files: []string{"lock", "attempt"},
		folders: []folder{{"<16 hex>", Reference, false}, {"blobs", Layout, false}},
	},
	Reference: {
		in: Fetched, files: []string{"status.json", "current", "current.next"},
		folders: []folder{{"trees", Trees, false}},
		proof:   "status.json",
	},
	Trees: {in: Reference, folders: []folder{{"<64 hex>", Tree, true}, {"<40 hex>", Tree, true},
		{"tmp-<n>", Tree, true}}},
	Layout: {
		in: Fetched, files: []string{"oci-layout", "index.json"},
		folders: []folder{{"blobs", Blobs, false}, {"ingest", Tree, true}},
	},
	Blobs:   {in: Layout, folders: []folder{{"sha256", Digests, false}, {"sha512", Digests, false}}},
	Digests: {in: Blobs, files: []string{"<64 hex>", "<128 hex>"}},
	Pool:    {in: Pool, folders: []folder{{"gen-<n>", Generation, true}, {"fetch-<n>", Tree, true}}},
	Offered: {in: Offered, folders: []folder{{"<64 hex>", Tree, true}, {"tmp-<n>", Tree, true}}},
	Tree:    {in: Tree, any: true},
}

func (k Kind) file(name string) bool {
	if forms[k].any || name == Marker || strings.HasPrefix(name, TempPrefix) {
		return true
	}
	for _, p := range forms[k].files {
		if match(p, name) {
			return true
		}
	}
	return false
}

func (k Kind) folder(name string) (folder, bool) {
	for _, f := range forms[k].folders {
		if match(f.pattern, name) {
			return f, true
		}
	}
	return folder{name, Tree, true}, forms[k].any
}

func (k Kind) holds(e fs.DirEntry) bool {
	if k.file(e.Name()) { // the name alone counts, even for a folder or a link
		return true
	}
	f, ok := k.folder(e.Name())
	return ok && e.IsDir() || ok && !f.whole && e.Type()&fs.ModeSymlink != 0 // the marker of a link's target decides
}

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
			if length, of, ok := strings.Cut(what, " "); ok {
				n, _ = strconv.Atoi(length)
				digits += map[string]string{"hex": "abcdef", "id": "ABCDEFGHJKMNPQRSTVWXYZ"}[of]
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
