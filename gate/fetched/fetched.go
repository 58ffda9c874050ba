// Package fetched locates the skills of fetched libraries: entries of the libraries setting that are a reference
// instead of a folder, such as oci://registry.example.com/team/skills:stable. skillgate-org fetches them; everything
// else only reads them, offline.
//
//	CACHE/fetched/
//	  KEY/                one reference
//	    current           link to the tree in use, swapped by rename
//	    trees/NAME/       result of one fetch
//	      skills/         folders with a SKILL.md, at any depth
//	      expansions.jsonl  expansions by the publisher; optional
//	      index/          a generation of an index from index.Export; optional
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

// Of returns the references among libraries.
func Of(libraries []string) []string {
	var out []string
	for _, l := range libraries {
		if Is(l) {
			out = append(out, l)
		}
	}
	return out
}

// Check returns an error if a reference contains a user name or a password, because references are shown and logged.
// The error contains neither.
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
	return fmt.Errorf("%s://%s: the address must not contain a user name or password; store them with `docker login`",
		scheme, rest[at+1:])
}

// Label returns a reference without its scheme, for display.
func Label(reference string) string {
	_, rest, _ := strings.Cut(reference, "://")
	return rest
}

// All returns the folder below cache (dirs.Dirs.Cache) that contains all fetched libraries.
func All(cache string) string { return filepath.Join(cache, "fetched") }

// Folder returns the folder of one reference below cache.
func Folder(cache, reference string) string {
	sum := sha256.Sum256([]byte(reference))
	return filepath.Join(All(cache), hex.EncodeToString(sum[:8]))
}

// Current returns the tree in use for a reference. It does not exist before the first fetch.
func Current(cache, reference string) string {
	return filepath.Join(Folder(cache, reference), "current")
}

// Skills returns the folder of skills in a tree.
func Skills(tree string) string { return filepath.Join(tree, "skills") }

// Index returns the folder of the index generation in a tree.
func Index(tree string) string { return filepath.Join(tree, "index") }

// Local returns the folder of skills for an entry of the libraries setting. A leading ~/ means home.
func Local(cache, home, library string) string {
	if Is(library) {
		return Skills(Current(cache, library))
	}
	if rest, ok := strings.CutPrefix(library, "~/"); ok && home != "" {
		return filepath.Join(home, rest)
	}
	return library
}

// Every is the minimum time between two background requests to the source of a reference.
const Every = time.Hour

// Due reports whether a background request to a source is due. asked is the time of the last request. It may be in the
// future if the clock was set back.
func Due(asked, now time.Time) bool { return now.Sub(asked).Abs() >= Every }
