package job

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms"
)

// suggested is how many trigger phrases are proposed for one description.
const suggested = 4

// Proposals are descriptions with trigger phrases added.
type Proposals struct {
	Texts   []Proposal
	Without int     // skills that have no expansion
	Refused []error // why a file was left alone, with its path
}

// Proposal is the text of a skill's file, as it is and with triggers.
type Proposal struct {
	Entry    *catalog.Entry
	Old, New string
}

// ProposeTriggers adds to the descriptions of entries the phrases of their expansions that
// tell most, among the installed skills, of what the skill's own text lacks.
func ProposeTriggers(known *enrich.Store, entries, installed []catalog.Entry) (p Proposals, err error) {
	analyzer := index.NewAnalyzer(synonyms.Default())
	weigh := termWeights(analyzer, installed)
	ids := map[string]string{} // a folder given by path may hold installed skills
	for i := range installed {
		ids[installed[i].Path] = installed[i].ID
	}
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
			p.Without++
			continue
		}
		says := entry.Name + "\n" + entry.Description + "\n" + entry.WhenToUse
		text, err := os.ReadFile(entry.Path)
		if err != nil {
			return p, err
		}
		triggers := enrich.Triggers(x, says, suggested, analyzer.Terms, weigh)
		next, err := enrich.WithTriggers(string(text), entry.Frontmatter, triggers)
		switch {
		case err == nil:
			p.Texts = append(p.Texts, Proposal{entry, string(text), next})
		case !errors.Is(err, enrich.ErrNoRoom):
			p.Refused = append(p.Refused, fmt.Errorf("%s: %w", entry.Path, err))
		}
	}
	return p, nil
}

// EntriesAt reads the skills in folders, and single SKILL.md files.
func EntriesAt(ctx context.Context, d dirs.Dirs, cwd string, paths []string) ([]catalog.Entry, error) {
	var out []catalog.Entry
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(cwd, path)
		}
		fi, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		only := ""
		switch own := filepath.Join(path, "SKILL.md"); {
		case !fi.IsDir():
			only, path = path, filepath.Dir(filepath.Dir(path))
		case exists(own):
			only, path = own, filepath.Dir(path)
		}
		root := catalog.LibraryRoot(path)
		root.Within = catalog.Repository(d, path)
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
		return nil, fmt.Errorf("%s: %w", strings.Join(paths, ", "), ErrNoSkills)
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
