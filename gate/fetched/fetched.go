// Package fetched says where libraries that were brought to this machine keep their skills:
// entries of the libraries setting that are a reference instead of a folder, such as
// oci://registry.example.com/team/skills:stable. skillgate-org brings them; everything else
// only reads them, offline.
//
//	CACHE/fetched/
//	  KEY/                one reference
//	    current           link to the tree in use, swapped by rename
//	    trees/NAME/       what was fetched at one time
//	      skills/         folders with a SKILL.md, at any depth
//	      expansions.jsonl  what the publisher's enrich wrote; may be absent
//	      index/          a generation of an index as index.Export wrote it; may be absent
//	    status.json       type Status
package fetched

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Is reports whether an entry of the libraries setting is a reference.
func Is(library string) bool { return strings.Contains(library, "://") }

// Of returns those of libraries that are references.
func Of(libraries []string) []string {
	var out []string
	for _, l := range libraries {
		if Is(l) {
			out = append(out, l)
		}
	}
	return out
}

// Check refuses a reference with a name or a password in it: references are shown and logged.
// The error has neither.
func Check(reference string) error {
	scheme, rest, _ := strings.Cut(reference, "://")
	host := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		host = rest[:end]
	}
	at := strings.LastIndex(host, "@")
	if at < 0 {
		return nil
	}
	return fmt.Errorf("%s://%s: it must not contain a name or password; `docker login` keeps them",
		scheme, rest[at+1:])
}

// Label is how people are shown a reference: without its scheme.
func Label(reference string) string {
	_, rest, _ := strings.Cut(reference, "://")
	return rest
}

// All is the folder of all references below cache (dirs.Dirs.Cache).
func All(cache string) string { return filepath.Join(cache, "fetched") }

// Folder is the folder of one reference below cache.
func Folder(cache, reference string) string {
	sum := sha256.Sum256([]byte(reference))
	return filepath.Join(All(cache), hex.EncodeToString(sum[:8]))
}

// Current is the tree of a reference that is in use. It does not exist before the first fetch.
func Current(cache, reference string) string {
	return filepath.Join(Folder(cache, reference), "current")
}

// Skills is the folder of skills in a tree.
func Skills(tree string) string { return filepath.Join(tree, "skills") }

// Index is the folder of the index generation in a tree.
func Index(tree string) string { return filepath.Join(tree, "index") }

// Local is the folder of skills that an entry of the libraries setting stands for: ~/ is
// below home.
func Local(cache, home, library string) string {
	if Is(library) {
		return Skills(Current(cache, library))
	}
	if rest, ok := strings.CutPrefix(library, "~/"); ok && home != "" {
		return filepath.Join(home, rest)
	}
	return library
}

// Every is how often the source of a reference is asked at most in the background.
const Every = time.Hour

// Due reports whether a source that was asked at some time is to be asked again in the background now. A time to
// come is that of a clock that was set back since.
func Due(asked, now time.Time) bool { return now.Sub(asked).Abs() >= Every }
