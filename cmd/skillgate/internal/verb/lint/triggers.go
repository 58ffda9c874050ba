package lint

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/enrichment"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms"
)

// suggested is how many trigger phrases are proposed for one description.
const suggested = 4

// suggestTriggers proposes, as a diff, to add to descriptions the phrases of their
// expansions that say most of what the skill's own text lacks. Skills are those at
// paths, or the installed ones; with write the files are changed.
func suggestTriggers(ctx context.Context, a *app.App, paths []string, write bool) error {
	known, installed, err := enrichment.Store(ctx, a, false)
	if err != nil {
		return err
	}
	entries := installed
	if len(paths) > 0 {
		if entries, err = entriesAt(ctx, a, paths); err != nil {
			return err
		}
	}
	analyzer := index.NewAnalyzer(synonyms.Default())
	weigh := termWeights(analyzer, installed)
	ids := map[string]string{} // a folder given by path may hold installed skills
	for i := range installed {
		ids[installed[i].Path] = installed[i].ID
	}
	files, without := 0, 0
	for i := range entries {
		entry := &entries[i]
		if entry.Path == "" || entry.Source == catalog.Plugin || entry.Pool != catalog.Skill {
			continue // nobody edits a line of a library file or an installed plugin
		}
		id := entry.ID
		if known, ok := ids[entry.Path]; ok {
			id = known
		}
		x, _, ok := known.Get(id, entry.Hash)
		if !ok || len(x.Phrases) == 0 {
			without++
			continue
		}
		triggers := enrich.Triggers(x, entry.Name+"\n"+entry.Description+"\n"+entry.WhenToUse, suggested, analyzer.Terms,
			weigh)
		text, err := os.ReadFile(entry.Path)
		if err != nil {
			return err
		}
		next, err := enrich.WithTriggers(string(text), entry.Frontmatter, triggers)
		if err != nil {
			if !errors.Is(err, enrich.ErrNoRoom) {
				a.Note("%s: %v", entry.Path, err)
			}
			continue
		}
		files++
		fmt.Fprintf(a.Stdout, "%s", diff.Diff(entry.Path, text, entry.Path+" (proposed)", []byte(next)))
		if write {
			if err := rewrite(entry, string(text), next); err != nil {
				return err
			}
		}
	}
	verb := "triggers proposed for"
	if write {
		verb = "triggers added to"
	}
	fmt.Fprintf(a.Stderr, "%s %d descriptions", verb, files)
	if without > 0 {
		fmt.Fprintf(a.Stderr, "; %d skills have no expansion (`skillgate enrich --dry-run`)", without)
	}
	fmt.Fprintln(a.Stderr)
	return nil
}

// entriesAt reads the skills in folders, and single SKILL.md files.
func entriesAt(ctx context.Context, a *app.App, paths []string) ([]catalog.Entry, error) {
	var out []catalog.Entry
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(a.Cwd, path)
		}
		fi, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		only := ""
		if !fi.IsDir() {
			only, path = path, filepath.Dir(filepath.Dir(path))
		} else if _, err := os.Stat(filepath.Join(path, "SKILL.md")); err == nil {
			only, path = filepath.Join(path, "SKILL.md"), filepath.Dir(path)
		}
		root := catalog.LibraryRoot(path)
		files, _ := catalog.Files(ctx, []catalog.Root{root}, nil)
		for _, f := range files {
			if only != "" && f.Path != only {
				continue
			}
			entry, err := catalog.Read(root, f)
			if err != nil {
				return nil, err
			}
			out = append(out, entry)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no skills", strings.Join(paths, ", "))
	}
	return out, nil
}

// termWeights returns how much a term tells among entries: its inverse document
// frequency over names and descriptions.
func termWeights(analyzer *index.Analyzer, entries []catalog.Entry) func(term string) float64 {
	docs := map[string]int{}
	for i := range entries {
		seen := map[string]bool{}
		for _, term := range analyzer.Terms(entries[i].Name + "\n" + entries[i].Description) {
			if !seen[term] {
				seen[term] = true
				docs[term]++
			}
		}
	}
	n := float64(len(entries))
	return func(term string) float64 {
		df := float64(docs[term])
		return math.Log(1 + (n-df+0.5)/(df+0.5))
	}
}
