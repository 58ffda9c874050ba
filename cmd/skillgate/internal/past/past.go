// Package past loads this machine's log and state for commands that judge past decisions. It can also repeat the
// decisions on past prompts.
package past

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/advise"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/replay/lab"
	"github.com/skillgate/skillgate/gate/workspace"
)

// Past is the log together with the current skills and settings.
type Past struct {
	Dirs     dirs.Dirs
	Settings gate.Settings
	Prompts  []*replay.Prompt // oldest first
	Cut      bool             // the log has older prompts, which were not read
	Entries  []catalog.Entry  // installed skills
	Current  *replay.Side
	Terms    int // prompts kept as terms or cut short, which are replayed in that form
	Gone     int // prompts kept as a hash or not at all, which are not replayed
	Unread   int // decisions that failed and whose prompt is not in the log

	lab *lab.Lab
	tmp *disk.Temp // temporary folder of lab
}

// Close removes the temporary files.
func (p *Past) Close() { _ = p.tmp.Remove() }

// Cost describes the effect of the setting log.prompts. terms is a clause about prompts kept as terms.
func (p *Past) Cost(a *app.App, terms string) string {
	kept := store.Kept{Prompts: len(p.Prompts), Terms: p.Terms, Gone: p.Gone}
	return kept.Cost(a.Textf, terms, a.T("they cannot be replayed"))
}

// candidates is the number of candidates kept for each decision, enough to see how far down a needed skill was ranked.
const candidates = 20

// most is the number of newest prompts that are read. It limits memory and time.
const most = 20_000

// Open reads the newest prompts that match f and updates the index of a.Cwd. The caller must close the result.
func Open(ctx context.Context, a *app.App, f store.Filter) (*Past, error) {
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return nil, err
	}
	p := &Past{Dirs: d, Settings: s}
	db, err := logged.Open(ctx, a)
	if err != nil {
		return nil, err
	}
	f.Newest, f.Limit = true, most
	recent, texts := a.Now().Add(-replay.Recent), store.Texts{}
	err = replay.Journal(db)(ctx, f, &replay.Notes{}, func(x *replay.Prompt) error {
		slim(x, len(p.Prompts) < advise.Replayed || !x.Time.Before(recent) && x.Followed())
		replay.Share(texts, x)
		switch x.Form() {
		case replay.Approximate:
			p.Terms++
		case replay.Impossible:
			if x.Recorded != nil && x.Recorded.Verdict == gate.Error {
				p.Unread++
			} else {
				p.Gone++
			}
		}
		p.Prompts = append(p.Prompts, x)
		return nil
	})
	if err = errors.Join(err, db.Close()); err != nil {
		return nil, logged.Error(err, d.State)
	}
	slices.Reverse(p.Prompts)
	if p.Cut = len(p.Prompts) == most; p.Cut {
		a.Note("only the newest %d prompts are used (since %s)", most, p.Prompts[0].Time.Format(time.DateOnly))
	}
	if p.tmp, err = disk.NewTemp("", "skillgate-past-"); err != nil {
		return nil, err
	}
	p.lab = &lab.Lab{Dirs: d, Cwd: a.Cwd, Environ: a.Environ, Here: s, Open: a.Workspace(d, s), Tmp: p.tmp.Path}
	if p.Current, err = p.lab.Side(ctx, &lab.Change{}, candidates); err != nil {
		p.Close()
		return nil, err
	}
	p.Entries = p.installed(ctx, a.Cwd)
	return p, nil
}

func (p *Past) installed(ctx context.Context, cwd string) []catalog.Entry {
	subfolders := workspace.Subfolders(ctx, cwd, p.lab.Open)
	if len(subfolders) == 0 {
		return catalog.Installed(ctx, p.Dirs, cwd, p.Settings.Libraries)
	}
	var below []string
	for _, f := range subfolders {
		below = append(below, f.Path)
	}
	entries := catalog.Installed(ctx, p.Dirs, cwd, p.Settings.Libraries, below...)
	called := map[string]string{} // names that the host uses, by file
	if g, err := gate.Open(p.Dirs, cwd, p.Settings, subfolders...); err == nil {
		defer g.Close()
		g.Docs(func(d index.Doc) bool { called[d.Path] = d.Name; return true })
	}
	for i := range entries {
		entries[i].Name = cmp.Or(called[entries[i].Path], entries[i].Name)
	}
	return entries
}

// slim drops data that is not needed: the matches of candidates that were not suggested and, unless the prompt is
// replayed, these candidates themselves, the matches of unused suggestions, and most figures of the decision.
func slim(x *replay.Prompt, replayed bool) {
	d := x.Recorded
	idle := func(c gate.Candidate) bool { return !c.Injected && !c.Kept }
	for i := range d.Candidates {
		c := &d.Candidates[i]
		used := slices.ContainsFunc(x.Uses, func(u journal.Outcome) bool {
			return journal.SameUse(c.Name, c.Path, u.Skill, u.Path)
		})
		if idle(*c) || !replayed && !used {
			c.Matched = nil
		}
	}
	d.Context = ""
	if !replayed {
		*d = gate.Decision{Lang: d.Lang, Verdict: d.Verdict, Reason: d.Reason, Trial: d.Trial,
			Candidates: slices.DeleteFunc(d.Candidates, idle)}
	}
	d.Candidates = slices.Clone(d.Candidates) // decoding JSON leaves unused capacity
}

// Here describes the current program, skills, settings and dictionary of this machine.
func (p *Past) Here(a *app.App) replay.Here {
	h := replay.Here{
		Say:       a.Textf,
		Skillgate: build.Read().Version, Entries: p.Entries,
		Fingerprint: func(cwd string) string { return p.Current.For(cwd).Fingerprint() },
	}
	if info, err := os.Stat(workspace.DictFile(p.Dirs)); err == nil {
		h.Dictionary = info.ModTime()
	}
	return h
}

// Advice lists the current proposals and the applied ones.
type Advice struct {
	Prompts int `json:"prompts"` // prompts in the log
	Ended   int `json:"ended"`   // prompts with a finished turn
	// prompts kept as terms or cut short; they are replayed, but no phrase from them is proposed
	Terms int `json:"terms"`
	Gone  int `json:"gone"` // prompts kept as a hash or not at all; they are counted but not replayed
	// effect of the current settings and skills, compared with the logged decisions
	Now       advise.Part       `json:"now"`
	Proposals []advise.Proposal `json:"proposals"`
	Applied   []advise.Applied  `json:"applied"` // oldest first
}

// Advise finds proposals and words them with say.
func (p *Past) Advise(ctx context.Context, a *app.App, say func(string, ...any) string) (*Advice, error) {
	r := &Advice{Prompts: len(p.Prompts), Terms: p.Terms, Gone: p.Gone, Proposals: []advise.Proposal{},
		Applied: []advise.Applied{}}
	for _, x := range p.Prompts {
		if x.Over {
			r.Ended++
		}
	}
	done, err := advise.Load(p.Dirs.State)
	if err != nil {
		return nil, app.Hint(err, advise.SetAside)
	}
	r.Applied = append(r.Applied, done...)
	known, err := enrich.Load(p.Dirs.State)
	if err != nil {
		return nil, err
	}
	bar := a.Progress(a.T("replaying the log"), false)
	defer bar.Done()
	steps := 0
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // limits memory to 1.5 times the log
	found, now, err := advise.Run(ctx, advise.Input{
		Prompts: p.Prompts, Entries: p.Entries, Risk: lint.Risk, Current: p.Current, Expansion: known.Lookup, Say: say,
		Progress: func() { steps++; bar.Set(steps, advise.Steps) }, Machine: &machine{p, known, say},
	})
	r.Now = now
	r.Proposals = append(r.Proposals, found...)
	return r, err
}

type machine struct {
	*Past
	known *enrich.Store
	say   func(string, ...any) string
}

func (m *machine) Dictionary() (file, text string, err error) {
	file = workspace.DictFile(m.Dirs)
	content, err := regular.Read(file, catalog.MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return file, string(content), err
}

func (m *machine) WithDictionary(ctx context.Context, text string) (*replay.Side, error) {
	return m.lab.Copied(ctx, candidates, func(d dirs.Dirs) error {
		return disk.Write(workspace.DictFile(d), []byte(text), disk.Options{})
	})
}

func (m *machine) Price(list []*catalog.Entry) string {
	var entries []catalog.Entry
	for _, e := range list {
		entries = append(entries, *e)
	}
	s := m.Settings.Enrich
	var skills []enrich.Skill
	for _, e := range m.known.Plan(entries, enrich.Select{Languages: s.Languages}) {
		skills = append(skills, enrich.SkillOf(e))
	}
	if len(skills) == 0 {
		return ""
	}
	cost := enrich.EstimateFor(skills, s.Languages, enrich.DefaultBatch)
	text := m.say("requests to %s: %d, about %d tokens", enrich.ProviderName(s.Provider, s.Model), cost.Requests,
		cost.In+cost.Out)
	if usd := enrich.ListPrice(s.Provider, s.Model, cost); usd != nil {
		text += fmt.Sprintf(", $%.2f", *usd)
	}
	return text
}
