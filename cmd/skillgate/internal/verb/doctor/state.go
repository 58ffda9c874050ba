package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/client"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/rerank/check"
	"github.com/skillgate/skillgate/gate/rerank/model"
	"github.com/skillgate/skillgate/gate/wording"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/listing"
	"github.com/skillgate/skillgate/hooks/register"
	"github.com/skillgate/skillgate/synonyms/source"
)

func newProbe(a *app.App, d dirs.Dirs, s gate.Settings) probes {
	return probes{
		index: func(ctx context.Context) (indexState, error) {
			g, err := gate.Open(d, a.Cwd, s)
			if g == nil {
				return indexState{}, err
			}
			var state indexState
			for _, scope := range g.Missing {
				state.Missing = append(state.Missing, scope.Label)
			}
			for _, scope := range g.Stale {
				state.Stale = append(state.Stale, scope.Label)
			}
			if err != nil {
				if errors.Is(err, index.ErrNoIndex) || errors.Is(err, index.ErrStale) {
					err = nil
				}
				return state, err
			}
			state.Skills = g.Skills()
			g.Close()
			if len(state.Missing) == 0 {
				state.Changed, err = workspace.Outdated(ctx, a.Cwd, workspace.Options{Dirs: d, Settings: s})
			}
			return state, err
		},
		listing: func(ctx context.Context) (listing.Tax, error) {
			return listing.Compute(ctx, &hooks.Claude, a.Session(d), s, listing.Options{}, a.Now())
		},
		client: func(ctx context.Context) (string, error) { return client.Run(ctx, a, "--version") },
		module: func(ctx context.Context, dir string) (string, error) { return validate(ctx, a, dir) },
		hook: func(ctx context.Context, cmd trialCommand, stdin string) trialRun {
			return cmd.start(ctx, a.Cwd, a.Environ, stdin)
		},
		met: func(ctx context.Context, lists [][]string) ([]bool, error) {
			g, err := gate.Open(d, a.Cwd, s)
			if err != nil {
				return nil, errNotIndexed
			}
			defer g.Close()
			return workspace.WordsMet(ctx, g, lists)
		},
	}
}

func (c *checkup) ownSettings(err error) {
	managed := gate.ManagedFile(c.dirs)
	if info, err := os.Stat(managed); managed != "" && err == nil && info.Mode().IsRegular() {
		c.add("settings", statusOK, "", "your organisation's file %s overrides your settings", managed)
	}
	if bad, ok := errors.AsType[*gate.BadSettings](err); ok && bad.Managed != nil {
		for line := range strings.SplitSeq(bad.Managed.Error(), "\n") {
			c.add("settings", statusFail, "ask your administrator to correct it", "%s", line)
		}
		err = errors.Join(bad.Own, bad.Project)
	}
	if err == nil {
		c.add("settings", statusOK, "", "skillgate's own settings are valid")
		if c.settings.Disabled {
			c.add("settings", statusFail, "set disabled: false in skillgate.yaml, or unset SKILLGATE_DISABLED",
				"skillgate is disabled, so the hook does nothing")
		}
		return
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		c.add("settings", statusFail, "correct or remove that line; the hook ignores it", "%s", line)
	}
}

// database is the only environment variable of skillgate-org that is not a setting.
const database = "SKILLGATE_DATABASE"

// variables warns about environment variables whose names are close to a setting's. Other names may belong to other
// programs.
func (c *checkup) variables() {
	known := append(gate.Variables(), database)
	for _, variable := range c.Environ {
		name, value, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "SKILLGATE_") || value == "" || slices.Contains(known, name) {
			continue
		}
		if near := wording.Nearest(name, known); near != "" {
			c.add("settings", statusWarn, c.Textf("did you mean %s?", near), "%s has no effect: there is no such setting",
				app.Visible(name))
		}
	}
}

func (c *checkup) hostSettings() {
	const check = "host"
	good := 0
	for _, f := range c.files {
		switch {
		case f.Err != nil:
			c.add(check, statusFail, "correct the file; until then Claude Code ignores all of it", "%v", f.Err)
			continue
		case !f.Plain:
			line, why := register.NotPlain(f.Text)
			c.add(check, statusFail, fmt.Sprintf(c.T("remove comments and trailing commas from %s"), f.Path),
				"%s:%d: not plain JSON (%v), so Claude Code ignores the whole file, hooks included", f.Path, line, why)
			continue
		}
		good++
		if f.Values.DisableAllHooks {
			c.add(check, statusFail, fmt.Sprintf(c.T("remove disableAllHooks from %s"), f.Path),
				"%s sets disableAllHooks, so no hook runs", f.Path)
		}
		if f.Values.AllowManagedHooksOnly && f.Scope == "managed" {
			c.add(check, statusFail, "ask your administrator to register the hook in the managed settings",
				"%s sets allowManagedHooksOnly, so hooks of users and projects do not run", f.Path)
		}
	}
	c.add(check, statusOK, "",
		"valid settings files of Claude Code: %d; interactive sessions run hooks only in folders that you "+
			"have trusted",
		good)
}

// folders reports folders of skillgate that are not writable, or not used because they contain foreign files.
func (c *checkup) folders() {
	c.foreign = c.Foreign()
	for _, e := range c.foreign {
		c.add("folders", statusFail, c.MendForeign(e), "%v", e)
	}
	_, err := disk.Writable(c.dirs.Cache, disk.Cache)
	if _, foreign := errors.AsType[*disk.ForeignError](err); err != nil && !foreign {
		c.add("folders", statusWarn, "chmod -R u+rwX "+c.dirs.Cache, "indexes cannot be built: %v", err)
	}
}

func (c *checkup) index(ctx context.Context) {
	const check = "index"
	state, err := c.probe.index(ctx)
	switch {
	case err != nil:
		c.add(check, statusFail, "skillgate index --full", "%v", err)
	case len(state.Missing) > 0:
		c.add(check, statusWarn, "skillgate index", "not indexed yet: %s", strings.Join(state.Missing, ", "))
	case len(state.Stale) > 0:
		c.add(check, statusWarn, "skillgate index",
			"skills and agents: %d; outdated indexes: %s (the hook refreshes them in the background)", state.Skills,
			strings.Join(state.Stale, ", "))
	case state.Changed > 0:
		c.add(check, statusWarn, "skillgate index",
			"skills and agents: %d; added, changed or removed since the last indexing: %d", state.Skills, state.Changed)
	default:
		c.add(check, statusOK, "", "skills and agents: %d; the index is up to date", state.Skills)
	}
}

func (c *checkup) leftOut(ctx context.Context) {
	roots, errs := catalog.Roots(c.dirs, c.Cwd, c.settings.Libraries)
	_, more := catalog.Files(ctx, roots, nil)
	errs = append(errs, more...)
	n := len(errs)
	for i, err := range errs {
		if many := (*catalog.TooManyError)(nil); errors.As(err, &many) {
			n += many.Left - 1
			errs[0], errs[i] = err, errs[0]
		}
	}
	if n > 0 {
		c.add("files", statusWarn, "skillgate lint --rule SG100", "files left out of the index: %d; the first: %s",
			n, strings.TrimPrefix(errs[0].Error(), "catalog: "))
	}
}

// largeJournal is the size from which doctor warns, reached after years of daily use.
const largeJournal = 1 << 30

const newest = 100

func (c *checkup) journal(ctx context.Context) {
	const check = "journal"
	if slices.ContainsFunc(c.foreign, func(e *disk.ForeignError) bool { return e.Path == c.dirs.State }) {
		return // c.folders has reported it
	}
	size, err := disk.Writable(c.dirs.State, disk.State, journal.File, store.File, store.File+"-wal")
	if err != nil {
		c.add(check, statusFail, "chmod -R u+rwX "+c.dirs.State, "decisions cannot be logged: %v", err)
		return
	}
	if store.Exists(c.dirs.State) {
		db, err := store.Read(ctx, c.dirs.State, c.Now(), 0, nil)
		if err != nil {
			c.add(check, statusFail, "run `skillgate log` to see how to fix this", "%v", err)
			return
		}
		defer db.Close()
		if db.Copied() != nil {
			c.add(check, statusFail, c.T("set XDG_STATE_HOME to a folder on another file system"),
				"decisions stay in journal.jsonl, because files in %s, which is on %s, cannot be locked (%v)", c.dirs.State,
				logged.FileSystem(c.App, c.dirs.State), db.Copied())
			return
		}
		if entries, err := db.List(ctx, store.Filter{Newest: true, Limit: newest}); err == nil {
			c.format(entries)
			c.late(entries)
		}
	}
	text := fmt.Sprintf(c.T("%s is writable and takes up %.1f MB"), c.dirs.State, float64(size)/1e6)
	if size > largeJournal {
		c.add(check, statusWarn, "remove old decisions, for example with `skillgate log prune --older 52w`", "%s", text)
		return
	}
	c.add(check, statusOK, "", "%s", text)
}

func (c *checkup) experiment() {
	switch plan, err := experiment.Load(c.dirs.State); {
	case err != nil:
		c.add("experiment", statusWarn, experiment.SetAside, "%v", err)
	case plan != nil:
		c.add("experiment", statusOK, "",
			"an experiment withholds %g%% of suggestions; `skillgate experiment` shows its result", 100*plan.Share)
	}
}

// format warns if the newest prompts had no text or came in an unknown event. The host may have changed the
// input of its hooks, and prompts then go through without suggestions.
func (c *checkup) format(entries []store.Entry) {
	const newest = 3
	if len(entries) < newest {
		return
	}
	for _, e := range entries[:newest] {
		notes := strings.Join(e.Decision.Notes, "\n")
		if !strings.Contains(notes, hooks.OtherFormat) && !strings.Contains(notes, hooks.NotAPrompt) {
			return
		}
	}
	c.add("format", statusWarn, "run `skillgate version check`; a newer skillgate may support the host's new format",
		"the newest %d prompts came in a format that this version does not know (see `skillgate log last`), so they "+
			"went through without suggestions", newest)
}

// late warns if several prompts were not answered because their input came late or the deadline ended the
// search.
func (c *checkup) late(entries []store.Entry) {
	const least = 5 // fewer are normal on a busy machine
	count := map[gate.Reason]int{}
	for _, e := range entries {
		count[e.Decision.Reason]++
	}
	if n := count[gate.LateInput]; n >= least {
		c.add("answers", statusWarn,
			"`skillgate log --reason late_input` lists them; the program that runs the hook sends its input too late",
			"of the newest %d prompts, %d arrived too late", len(entries), n)
	}
	if n := count[gate.Deadline]; n >= least {
		c.add("answers", statusWarn, "`skillgate log --reason deadline` lists them; run `skillgate index --full`, or raise "+
			"deadline_ms", "of the newest %d prompts, %d hit the search deadline", len(entries), n)
	}
}

const maxOffenders = 3

func (c *checkup) permissions() {
	const check = "permissions"
	clean := true
	for _, folder := range []string{c.dirs.State, c.dirs.Cache} {
		open, err := dirs.Exposed(folder, maxOffenders)
		switch {
		case err != nil:
			c.add(check, statusWarn, "chmod -R u+rwX "+folder, "%v", err)
			clean = false
		case len(open) > 0:
			c.add(check, statusWarn, "chmod -R go-rwx "+folder, "other users can read skillgate's files: %s", strings.Join(open,
				", "))
			clean = false
		}
	}
	if clean {
		c.add(check, statusOK, "", "only you can read skillgate's state and cache")
	}
}

// firstPromptID is the first version of Claude Code that sends prompt_id, which links a loaded skill to its prompt.
var firstPromptID = client.Version{2, 1, 196}

func (c *checkup) client(ctx context.Context) (v client.Version) {
	const check = "client"
	text, err := c.probe.client(ctx)
	if errors.Is(err, client.ErrNone) {
		c.add(check, statusOK, "", "%s, so its version was not checked", c.T(err.Error()))
		return v
	}
	if err == nil {
		v, err = client.Parse(text)
	}
	switch {
	case err != nil:
		c.add(check, statusWarn, "claude --version", "%v", err)
	case v.Before(firstPromptID):
		c.add(check, statusWarn, "claude update", "Claude Code %s sends no prompt_id, so a loaded skill cannot be matched "+
			"to its prompt; %s and later send it", v, firstPromptID)
	default:
		c.add(check, statusOK, "", "Claude Code %s", v)
	}
	return v
}

func (c *checkup) listing(ctx context.Context) {
	const check = "listing"
	r, err := c.probe.listing(ctx)
	if err != nil {
		c.add(check, statusWarn, "skillgate tax", "%v", err)
		return
	}
	text := fmt.Sprintf(c.T("the list of skills (installed here: %d) takes %d characters (about %d tokens) per "+
		"session and is sent again %s; skills without a description: %d, skills whose description was dropped: "+
		"%d (see skillgate tax)"), r.Names, r.Total, r.Tokens, c.T(r.Again), len(r.Without), len(r.Dropped))
	if r.LeftOut > 0 {
		text += c.Textf("; skills that the plugin's shortened list leaves out: %d", r.LeftOut)
	}
	c.add(check, statusOK, "", "%s", text)
}

// rerank adds the findings about reranking if it is on or a model is installed. The hook works without
// reranking, so no finding is worse than a warning.
func (c *checkup) rerank(ctx context.Context) {
	models, err := model.List(rerank.Store(c.dirs))
	if !c.settings.Rerank.Enabled && (err != nil || len(models) == 0) {
		return
	}
	for _, f := range check.Run(ctx, c.Helper(c.dirs, c.settings), build.Read().Version) {
		status := statusOK
		if f.Fix != "" {
			status = statusWarn
		}
		c.add("rerank", status, f.Fix, "%s", f.Text)
	}
}

func (c *checkup) libraries() {
	const check, fix = "libraries", "skillgate-org library refresh"
	for _, reference := range fetched.Of(c.settings.Libraries) {
		s, err := fetched.ReadStatus(c.dirs.Cache, reference)
		if err != nil {
			s.Error = err.Error()
		}
		switch at := s.Checked.Format(time.DateTime); {
		case s.Error != "" && s.Digest == "":
			c.add(check, statusWarn, fix, "%s: nothing fetched yet; the last attempt, at %s, failed: %s",
				reference, at, app.Visible(s.Error))
		case s.Error != "":
			c.add(check, statusWarn, fix, "%s: the skills fetched earlier (%d) stay in use; the last attempt, at %s, failed: %s",
				reference, s.Skills, at, app.Visible(s.Error))
		case s.Checked.IsZero():
			c.add(check, statusWarn, fix, "%s: not fetched yet", reference)
		default:
			c.add(check, statusOK, "", "%s (skills: %d) was checked at %s", reference, s.Skills, at)
		}
	}
}

// synonyms checks the user's dictionary, if there is one: its syntax, its entries, and that they have an effect.
func (c *checkup) synonyms(ctx context.Context) {
	const check = "synonyms"
	file := workspace.DictFile(c.dirs)
	dict, err := workspace.ReadDict(file)
	switch {
	case err != nil:
		fix := "correct the line, then run `skillgate index`"
		var exit *app.Error
		if errors.As(app.OpenError(err), &exit) && exit.Hint != "" {
			fix = exit.Hint
		}
		c.add(check, statusWarn, fix, "%s; until this is corrected, your dictionary is not used",
			strings.TrimPrefix(err.Error(), "synonyms: "))
		return
	case dict == nil:
		return
	}
	if problems := dict.Check(); len(problems) > 0 {
		c.addProblems(check, "correct the line, then run `skillgate index`",
			"; until this is corrected, your dictionary is not used", problems)
		return
	}
	unmet, err := workspace.UnmetWords(dict, func(lists [][]string) ([]bool, error) { return c.probe.met(ctx, lists) })
	if err != nil && !errors.Is(err, errNotIndexed) {
		c.add(check, statusWarn, "skillgate index --full", "%v", err)
	}
	if len(unmet) > 0 {
		c.addProblems(check,
			"remove the entry or change its words (`skillgate synonyms explain WORD` shows the search terms)", "", unmet)
		return
	}
	c.add(check, statusOK, "", "%s: Korean words: %d, sets of English words: %d", file, len(dict.Entries), len(dict.Sets))
}

func (c *checkup) addProblems(check, fix, then string, problems []source.Problem) {
	for i, p := range problems[:min(len(problems), workspace.ShownProblems)] {
		more := ""
		if n := len(problems) - workspace.ShownProblems; n > 0 && i == workspace.ShownProblems-1 {
			more = fmt.Sprintf(" (and %d more)", n)
		}
		c.add(check, statusWarn, fix, "%s%s%s", p, then, more)
	}
}

// errNotIndexed means that there is no index to look words up in; c.index reports that.
var errNotIndexed = errors.New("no index")
