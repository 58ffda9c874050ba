package listing

import (
	"context"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/hostfile"
)

// Tax is what the listing costs a session, and what would save how much of it.
type Tax struct {
	Listing
	MaxDescChars int      `json:"max_desc_chars"`
	Libraries    int      `json:"libraries"` // skills in library folders, which the host does not list
	Savings      []Saving `json:"savings"`
	Problems     []string `json:"problems"`
}

// Saving is what moving one source to a library folder would change.
type Saving struct {
	Source    string `json:"source"`
	Chars     int    `json:"chars"`     // of its lines, which every session is spared
	Described int    `json:"described"` // descriptions that the other skills get back
}

// Compute computes the tax of a session with library folders in host. window is the model's
// context window in tokens; budget is the listing's in characters, 0 for what settings and
// window give it.
func Compute(
	ctx context.Context, host *hooks.Listing, s hostfile.Session, libraries []string, window, budget int,
) (Tax, error) {
	files := s.Read()
	limit, maxDesc := Limits(host, s, files, window)
	if budget == 0 {
		budget = limit
	}
	r := Tax{MaxDescChars: maxDesc, Savings: []Saving{}, Problems: []string{}}
	roots, problems := catalog.Roots(s.Dirs, s.Cwd, libraries)
	policy, more := catalog.LoadPolicy(s.Dirs, s.Cwd)
	problems = append(problems, more...)
	found, more := catalog.Files(ctx, roots, nil)
	problems = append(problems, more...)
	if err := ctx.Err(); err != nil {
		return r, err
	}
	var entries []catalog.Entry
	for _, f := range found {
		if roots[f.Root].Pool != catalog.Skill {
			continue
		}
		entry, err := catalog.Read(roots[f.Root], f)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		entries = append(entries, entry)
	}
	for _, err := range problems {
		r.Problems = append(r.Problems, err.Error())
	}
	var skills []Skill
	entries, _ = catalog.Precedence(entries)
	for _, entry := range entries {
		switch {
		case entry.Source == catalog.Library:
			r.Libraries++
		case entry.Source == catalog.Agents: // of other hosts
		case entry.Pool != catalog.Skill || !entry.ModelInvocable || !policy.Allows(entry.Name, entry.Pool, entry.Source, entry.Plugin):
		default:
			skills = append(skills, listed(entry, files))
		}
	}
	r.Listing = Of(host, skills, budget, maxDesc)
	for _, source := range r.Sources {
		var rest []Skill
		for _, skill := range skills {
			if skill.Source != source.Source {
				rest = append(rest, skill)
			}
		}
		without := Of(host, rest, budget, maxDesc)
		r.Savings = append(r.Savings, Saving{source.Source, source.Chars, without.Described - (r.Described - source.Described)})
	}
	return r, nil
}

// Usual computes the listing of entries, which the host of a session lists, for the model
// that the host usually runs.
func Usual(host *hooks.Listing, s hostfile.Session, entries []catalog.Entry) Listing {
	files := s.Read()
	budget, maxDesc := Limits(host, s, files, host.Window)
	var skills []Skill
	for _, e := range entries {
		skills = append(skills, listed(e, files))
	}
	return Of(host, skills, budget, maxDesc)
}

// listed is an entry as the host lists it, with the settings of files.
func listed(entry catalog.Entry, files []hostfile.File) Skill {
	skill := Skill{Name: entry.Name, Text: entry.Description, Source: string(entry.Source)}
	if entry.WhenToUse != "" {
		skill.Text += " - " + entry.WhenToUse
	}
	if entry.Source == catalog.Plugin {
		skill.Source += " " + entry.Plugin // skillOverrides do not reach plugins
	} else {
		skill.NameOnly = nameOnly(files, entry.Name)
	}
	return skill
}
