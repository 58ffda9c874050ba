// Package gate decides, for one prompt, whether a skill is worth loading and
// names the few that are.
//
//	prompt → triage → terms → postings → BM25F → families → need and score → Decision
//
// Open gives a Gate over the indexes of a session, Decide answers one prompt.
// A Gate never builds an index, writes nothing and starts nothing; it reports what is
// missing or out of date (Missing, Stale), and the command acts on that.
// A Gate serves one goroutine at a time. The same indexes, settings and prompt
// always give the same decision, unless the deadline cut the search (Cut in the
// decision's notes).
package gate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/need"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
	"github.com/skillgate/skillgate/triage"
)

// Gate answers prompts from one session's indexes.
type Gate struct {
	Settings   Settings
	Missing    []Scope // have no index that this version can read
	Stale      []Scope // have changed since their index was built
	Notes      []string
	Reranker   Reranker // none until the command at hand sets one
	NoHelper   bool     // the reranker's helper does not run and may be started
	Need       need.Model
	Off        Parts    // what an ablation switches off; nothing in use
	distrusted []string // names left out of the decision at hand for their risk
	changed    []string // files that are not as they were indexed

	policy   catalog.Policy
	roots    []catalog.Root
	cwd      string
	below    map[string]string // what the host calls subfolders ("packages/web"), by their folders of skills
	renamed  map[string]string // and skills of them, by their files
	unlisted map[string]bool   // names that the host does not list in the session
	own      []string          // names of the host's skills
	host     bool              // the host runs what is named: its policy counts, and files may be gone by now
	recorded bool              // replayed: whether files are still there does not count
	uses     []IndexUse
	indexes  []*index.Index
	snapshot *index.Snapshot
	ranker   *rank.Ranker

	background need.Background // of the larger of its indexes
}

// Subfolder is a folder of skills below a session's folder, which its host has come upon, or what the host's listing
// says against the files.
type Subfolder struct {
	Path string `json:"path"` // absolute, "…/packages/web/.claude/skills"; or Listed and a hash

	// Names are what the host calls skills whose names others have ("packages/web:deploy"), by
	// their folders' names.
	Names map[string]string `json:"names,omitempty"`
}

// Listed begins the name of an index with the skills that a host lists in some session and no file tells of. The
// State of its manifest has the names, a line each, of those that files tell of and the host does not list.
const Listed = "listed:"

// Open opens the indexes of a session in cwd ("" for none) whose host has come upon subfolders.
// It fails only when no index can be read at all, with an error that wraps index.ErrNoIndex where
// there simply is none yet; the Gate then says in Missing what to build.
func Open(d dirs.Dirs, cwd string, s Settings, below ...Subfolder) (*Gate, error) {
	g := &Gate{Settings: s, host: true, cwd: cwd}
	roots, problems := catalog.QuickRoots(d, cwd, s.Libraries, paths(below)...)
	g.roots = roots
	g.named(d, below)
	var policyProblems []error
	g.policy, policyProblems = catalog.LoadPolicy(d, cwd)
	for _, err := range append(problems, policyProblems...) {
		g.Notes = append(g.Notes, err.Error())
	}
	var last error
	for _, scope := range Scopes(d, roots) {
		x, err := g.open(scope, below)
		if err != nil {
			g.Notes = append(g.Notes, err.Error())
			last = err
			continue
		}
		if scope.stale(x.Manifest) {
			g.Stale = append(g.Stale, scope)
		}
		if note := x.Manifest.Note; note != "" && !slices.Contains(g.Notes, note) {
			g.Notes = append(g.Notes, note)
		}
	}
	if len(g.indexes) == 0 {
		return g, last
	}
	g.hear(d, below)
	g.finish()
	return g, nil
}

// hear adds what the host's listing says, where that is known.
func (g *Gate) hear(d dirs.Dirs, below []Subfolder) {
	for _, f := range below {
		if !strings.HasPrefix(f.Path, Listed) {
			continue
		}
		x, err := index.Open(index.Dir(d.Cache, f.Path))
		if err != nil { // swept: the files tell
			continue
		}
		g.add(x, IndexUse{Root: f.Path, Below: true})
	}
}

// open adds the newest index of a scope, or says that it is missing: one without risks is, where
// a limit of trust asks for them.
func (g *Gate) open(scope Scope, below []Subfolder) (*index.Index, error) {
	x, err := index.Open(scope.Dir)
	if err == nil && g.Settings.Trust.MaxRisk < 1 && !x.Manifest.Risks {
		x.Close()
		err = fmt.Errorf("%s: %w", scope.Label, index.ErrNoRisks)
	}
	if err != nil {
		g.Missing = append(g.Missing, scope)
		return nil, err
	}
	g.add(x, scope.use(below))
	return x, nil
}

// OpenIndexes is a gate over indexes opened by the caller, as bench, lint and
// replay use them: no policy, no check that files are still there. It closes them.
func OpenIndexes(s Settings, labels []string, indexes ...*index.Index) *Gate {
	g := &Gate{Settings: s}
	for i, x := range indexes {
		g.add(x, IndexUse{Root: labels[i]})
	}
	g.finish()
	return g
}

// place is a document of the snapshot, as read reads it, in the first of its places where the host can run
// it, in its own where there is none.
func (g *Gate) place(n uint32, read func(n uint32) (index.Doc, error)) (index.Doc, error) {
	doc, err := read(n)
	if err != nil || len(doc.Others) == 0 {
		return doc, err
	}
	for home := range doc.Homes {
		if g.allows(home) {
			return home, nil
		}
	}
	return doc, nil
}

// doc is what place returns of a Candidate, under the name by which the host knows it.
func (g *Gate) doc(n uint32) (index.Doc, error) {
	doc, err := g.place(n, g.snapshot.Candidate)
	if err != nil {
		return doc, err
	}
	return g.known(doc)
}

// known gives a document the name by which the host knows it. For a turn after it came upon a
// subfolder, 2.1.197 does not tell that of a skill whose name another one has.
func (g *Gate) known(doc index.Doc) (index.Doc, error) {
	if len(g.below) == 0 {
		return doc, nil
	}
	if name, ok := g.renamed[doc.Path]; ok {
		doc.Name = name
	} else if folder, ok := g.below[rootOf(doc)]; ok {
		taken, err := g.taken(doc)
		if err != nil {
			return doc, err
		}
		if taken {
			doc.Name = folder + ":" + doc.Name
		}
	}
	return doc, nil
}

func rootOf(d index.Doc) string { return filepath.Dir(filepath.Dir(d.Path)) }

// taken reports whether the name of a subfolder's skill is another's as well: a command's or a
// skill's of the host, one's that the host knows from the start or one's of another subfolder.
func (g *Gate) taken(doc index.Doc) (bool, error) {
	if catalog.HostCommand(doc.Name) || slices.Contains(g.own, doc.Name) {
		return true, nil
	}
	postings, err := g.snapshot.Postings(index.NameTerm(doc.Name), nil)
	if err != nil {
		return false, err
	}
	for _, n := range postings.Numbers {
		d, err := g.snapshot.Doc(n)
		if err != nil {
			return false, err
		}
		known := d.Source == string(catalog.Personal) || d.Source == string(catalog.Project)
		if known && rootOf(d) != rootOf(doc) && d.Flags&index.IsAgent == 0 {
			return true, nil
		}
	}
	return false, nil
}

func (g *Gate) named(d dirs.Dirs, below []Subfolder) {
	if len(below) > 0 {
		g.own = d.Hosts.Own
	}
}

func (g *Gate) add(x *index.Index, use IndexUse) {
	g.indexes = append(g.indexes, x)
	use.Generation, use.Skills = x.Manifest.Generation, x.Manifest.Skills
	g.uses = append(g.uses, use)
	if strings.HasPrefix(use.Root, Listed) {
		g.unlisted = map[string]bool{}
		for name := range strings.SplitSeq(x.Manifest.State, "\n") {
			g.unlisted[name] = true
		}
		return
	}
	if folder, err := filepath.Rel(g.cwd, filepath.Dir(filepath.Dir(use.Root))); use.Below && err == nil {
		if g.below == nil {
			g.below = map[string]string{}
		}
		g.below[use.Root] = filepath.ToSlash(folder)
	}
	for folder, name := range use.Names {
		if g.renamed == nil {
			g.renamed = map[string]string{}
		}
		g.renamed[filepath.Join(use.Root, folder, catalog.SkillMD)] = name
	}
}

func paths(below []Subfolder) []string {
	var out []string
	for _, f := range below {
		out = append(out, f.Path)
	}
	return out
}

func (g *Gate) finish() {
	g.snapshot = index.Join(g.indexes...)
	g.Need = need.Default()
	// The shared index is first; its dictionary carries the user's words.
	g.ranker = rank.New(g.snapshot, g.indexes[0].Dict, rank.DefaultWeights())
	most := slices.MaxFunc(g.indexes, func(a, b *index.Index) int {
		return cmp.Compare(a.Manifest.Skills, b.Manifest.Skills)
	})
	g.background = most.Manifest.Background
}

// Ranker returns the gate's ranker, for tuning and explanations.
func (g *Gate) Ranker() *rank.Ranker { return g.ranker }

// Dict returns the dictionary that prompts are read with.
func (g *Gate) Dict() *synonyms.Dict { return g.ranker.Dict() }

// Resolve returns the path of an indexed file with its links followed, or an error
// where it leads out of what a project's files may reach (catalog.Root.Within).
func (g *Gate) Resolve(file string) (string, error) {
	for _, r := range g.roots {
		if r.Within != "" && strings.HasPrefix(file, r.Path+"/") {
			return regular.Resolve(r.Within, file)
		}
	}
	return file, nil
}

// Skills returns how many skills and agents are indexed, copies that one index holds, as those in the
// folders of several hosts, counted once.
func (g *Gate) Skills() int { return g.snapshot.Distinct }

// Documents returns how many documents are indexed: skills, agents and, in libraries and beside those of
// other indexes, copies of them.
func (g *Gate) Documents() int { return g.snapshot.Skills }

// Close releases the indexes.
func (g *Gate) Close() {
	if g.ranker != nil {
		g.ranker.Leave()
	}
	for _, x := range g.indexes {
		x.Close()
	}
}

// Parts are steps of a decision that can be switched off, to measure what each is
// worth. Weights that are zero switch off the rest.
type Parts struct {
	Families bool // same-capability skills held back
	Steps    bool // composite requests split
	Excluded bool // skills taken out whose own boundary sends the prompt elsewhere
	Cut      bool // skills left out that score far below the first
	Chance   bool // unsure prompts ended that met a skill by accident
	Triage   bool // greetings, answers and commands ended without a search
}

// typed reports whether prompts of people that end for that reason are searched all the same.
func (p Parts) typed(r Reason) bool { return p.Triage && (r == Greeting || r == Ack || r == Command) }

// Request is one prompt and what is known around it.
type Request struct {
	Prompt triage.Prompt
	K      int                    // candidates to list, injected or not; 0: those that are injected
	Known  func(name string) bool // already described or loaded in this session; nil: nothing is
	Loaded func(name string) bool // of those: loaded; nil: nothing is
	Named  func(name string) bool // already named in this session, without a description; nil: nothing is
	Spent  int                    // characters that this session was given before
	Sole   bool                   // the model's list of skills is shortened: it knows most of them by hints alone

	ByPath    bool // the model has no tool that loads a skill: it is told which file to read
	NoContext bool // leave the decision's Context empty: nobody is shown it

	Observe func(need.Features) // told what the need model saw, for training; nil: nobody is
}

// compositeK is top_k for a prompt with several steps: two skills for each of four.
const compositeK = 8

// farBelow is the share of the first one's score, in a step of its own or in all, below
// which nothing is named: the table of all sources keeps nearly all right names above
// it and a quarter of the others below.
const farBelow = 0.5

// weakStep is the share of the first one's score of all steps that the first of a step must have: a step
// below it is answered by no skill, and what comes first there met it by chance.
const weakStep = 0.4

const poolSize = 40

// Decide answers one prompt. It never fails: what goes wrong becomes a decision
// with verdict error and a note.
func (g *Gate) Decide(ctx context.Context, req Request) (d Decision) {
	start := time.Now()
	d = Decision{Prompt: req.Prompt.Text, Lang: req.Prompt.Lang, Candidates: []Candidate{}, Index: g.uses}
	defer func() { d.Ms.Total = ms(time.Since(start)) }()
	if reason := SkipReason(req.Prompt.Kind); reason != "" && !g.Off.typed(reason) {
		d.Verdict, d.Reason = Skip, reason
		return d
	}
	g.distrusted = nil
	err := system.Caught(func() error { return g.decide(ctx, req, &d) })
	d.Notes = append(d.Notes, g.distrusted...)
	if err != nil {
		d.Verdict, d.Candidates = Error, []Candidate{}
		if ctx.Err() != nil {
			d.Reason = Deadline
		}
		d.Notes = append(d.Notes, err.Error())
	}
	d.Ms.Search = ms(time.Since(start))
	return d
}

// SkipReason returns why a prompt of that kind is not searched, "" for Search.
func SkipReason(k triage.Kind) Reason {
	switch k {
	case triage.Greeting:
		return Greeting
	case triage.Ack:
		return Ack
	case triage.Command:
		return Command
	case triage.Machine:
		return Machine
	case triage.Empty:
		return Empty
	}
	return ""
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (g *Gate) decide(ctx context.Context, req Request, d *Decision) error {
	req.Prompt.Text = window(req.Prompt.Text)
	forced, users, err := g.explicit(req.Prompt.Text)
	if err != nil {
		return err
	}
	q := g.ranker.Parse(req.Prompt.Text)
	res, err := g.ranker.Search(ctx, q)
	if err != nil {
		return err
	}
	d.searched(&res)
	skills := g.resolve(&res, g.pool(&res, max(poolSize, req.K), false))
	g.explain(&res, skills, max(resolved, req.K))
	agents := g.pool(&res, max(g.Settings.AgentsK, req.K), true)
	g.explain(&res, agents, len(agents))
	x, verbatim := g.features(req.Prompt, &res, skills)
	d.Need, d.Model = g.Need.Probability(x), g.Need.ID()
	if req.Observe != nil {
		req.Observe(x)
	}

	topK, floor := g.Settings.TopK, g.Settings.ScoreMin
	list := skills
	if len(req.Prompt.Steps) > 1 && !g.Off.Steps {
		if list, err = g.steps(ctx, req.Prompt.Steps, skills, d); err != nil {
			return err
		}
		topK = max(topK, compositeK)
	} else if d.Need >= g.Settings.NeedMin || req.K > 0 {
		list = g.rerank(ctx, req.Prompt.Text, list, d)
	}
	list = g.present(mergeForced(forced, list), topK)
	agents = g.present(agents, g.Settings.AgentsK)
	sure := d.Need >= sureNeed(g.Settings.NeedMin) || verbatim
	chance := !g.Off.Chance && len(skills) > 0 && byChance(&x, skills[0].Matched)
	d.Doubtful = !verbatim && (chance || x[need.PlainQuestion] != 0)
	pass := sure || d.Need >= g.Settings.NeedMin && !d.Doubtful
	best := map[int]float64{} // by step
	for _, c := range list {
		best[c.Step] = max(best[c.Step], c.Score)
		best[anyStep] = max(best[anyStep], c.Score)
	}
	if g.Off.Cut {
		clear(best)
	}
	for i := range list {
		c := &list[i]
		least := max(floor, farBelow*best[c.Step])
		if c.Step > 0 && best[c.Step] < weakStep*best[anyStep] {
			least = math.Inf(1)
		}
		c.Injected = i < topK && (c.forced || pass && c.Score >= least && (sure || !c.stranger()))
	}
	for i := range agents {
		c := &agents[i]
		c.Injected = i < g.Settings.AgentsK && pass && c.Score >= max(floor, farBelow*best[anyStep])
	}
	named := slices.ContainsFunc(list, func(c candidate) bool { return c.forced && c.Injected })
	d.Brief = !sure && !named
	why := g.quieten(req, d, list, agents)
	switch {
	case pass:
	case d.Need < g.Settings.NeedMin:
		why = BelowNeedMin
	case chance:
		why = ByChance
	default:
		why = PlainQuestion
	}
	g.conclude(d, req, list, agents, why, named)
	d.leave(users, req)
	return nil
}

// sureNeed is the need from which candidates are described and not only named, and a prompt
// that is doubtful names some: half way from need_min to certainty.
func sureNeed(needMin float64) float64 { return (1 + needMin) / 2 }

const anyStep = -1

// quieten clears Injected on candidates that the session has no use for, and returns the reason to report if none is
// left. A skill that was named stays named: it is repeated if the prompt asks for it by name, or if it is surely the
// first answer. A session that was given session_chars characters is named at most leanNames skills, without
// descriptions.
func (g *Gate) quieten(req Request, d *Decision, list, agents []candidate) Reason {
	why := BelowScoreMin
	d.Spent, d.Sole = req.Spent, req.Sole
	d.Lean = g.Settings.SessionChars > 0 && req.Spent >= g.Settings.SessionChars
	is := func(f func(string) bool, name string) bool { return f != nil && f(name) }
	for _, pool := range [][]candidate{list, agents} {
		for i := range pool {
			c := &pool[i]
			switch {
			case !c.Injected || c.forced:
			case d.Brief && (is(req.Known, c.Name) || is(req.Named, c.Name)), i > 0 && is(req.Known, c.Name):
				c.Injected, why = false, Known
				d.Withheld = append(d.Withheld, c.Name)
				if d.Brief && i == 0 {
					silence(pool[1:]) // what stood below it is no answer in its place
				}
			case d.Lean && d.Brief && !req.Sole && req.Spent >= CutBrief*g.Settings.SessionChars:
				c.Injected, why = false, Budget
			case d.Lean && i >= leanNames:
				c.Injected = false
			}
		}
	}
	return why
}

// leanNames is how many skills a session is named for a prompt, beside those it asks for by name, after it was given
// session_chars: the first two hold most right skills.
const leanNames = 2

// CutBrief is how many times session_chars a session is given before prompts of which it is not sure that a skill helps
// name none, unless hints are the only way in which the model knows of skills.
const CutBrief = 3

func silence(pool []candidate) {
	for i := range pool {
		pool[i].Injected = pool[i].Injected && pool[i].forced
	}
}

// Starts of notes by which replay knows decisions that depend on more than the
// indexes and settings.
const (
	FileGone = "left out, its file is gone: "
	CutShort = "search cut short by the deadline"
)

func (d *Decision) searched(res *rank.Result) {
	if res.Cut && !slices.Contains(d.Notes, CutShort) {
		d.Notes = append(d.Notes, CutShort)
	}
}

// StaleState describes everything that asks for a refresh, "" when nothing does.
// Another state of the folders gives another text.
func (g *Gate) StaleState() string {
	var b strings.Builder
	for _, s := range g.Missing {
		fmt.Fprintf(&b, "missing %s\n", s.Dir)
		for _, r := range s.Roots {
			fmt.Fprintf(&b, "%s %d\n", r.Path, index.StatRoot(r).ModTime)
		}
	}
	for _, s := range g.Stale {
		for _, r := range s.Roots {
			fmt.Fprintf(&b, "%s %d\n", r.Path, index.StatRoot(r).ModTime)
		}
	}
	for _, x := range g.indexes {
		for _, r := range x.Manifest.Roots {
			if r.Label == index.Watched && len(g.Stale) > 0 {
				fmt.Fprintf(&b, "%s %d\n", r.Path, index.StatRoot(catalog.Root{Path: r.Path}).ModTime)
			}
		}
	}
	for _, path := range g.changed {
		fmt.Fprintf(&b, "%s %d\n", path, index.StatRoot(catalog.Root{Path: path}).ModTime)
	}
	return b.String()
}

// Terms returns the distinct index terms of a text, sorted; nil where no index
// could be opened.
func (g *Gate) Terms(text string) []string {
	if g.ranker == nil {
		return nil
	}
	return g.ranker.Terms(window(text))
}

func (g *Gate) conclude(d *Decision, req Request, list, agents []candidate, why Reason, forced bool) {
	var all []candidate
	if asksForAgent(req.Prompt.Text) {
		all = append(slices.Clone(agents), list...)
	} else {
		all = append(slices.Clone(list), agents...)
	}
	injected := 0
	for i := range all {
		if c := &all[i]; c.Injected {
			injected++
			c.Described = req.Known != nil && req.Known(c.Name)
			c.Loaded = c.Described && req.Loaded != nil && req.Loaded(c.Name)
		}
	}
	switch {
	case forced:
		d.Verdict = Force
	case injected > 0:
		d.Verdict = Inject
	case why != Known && slices.Contains(d.Notes, CutShort):
		d.Verdict, d.Reason = Silent, Deadline // what was not read may have been the answer
	case len(all) == 0:
		d.Verdict, d.Reason = Silent, NoCandidates
	default:
		d.Verdict, d.Reason = Silent, why
	}
	for i := range all {
		c := all[i]
		if !c.Injected && len(d.Candidates) >= max(req.K, logged) {
			continue
		}
		c.Rank = len(d.Candidates) + 1
		c.Description = strings.Clone(c.Description) // the decision outlives the index
		d.Candidates = append(d.Candidates, c.Candidate)
	}
	if injected > 0 && !req.NoContext {
		var listed map[string]bool
		d.Context, listed = g.context(all, d, req.ByPath)
		for i := range d.Candidates {
			c := &d.Candidates[i]
			c.Injected = c.Injected && listed[c.ID]
		}
		d.Chars = clip.UTF16(d.Context)
	}
}

// logged is how many candidates a decision keeps when none are asked for: enough
// to see by how much a skill was missed.
const logged = 5

// A long prompt is searched by its head and its tail, in bytes: what is wanted
// stands at one of the ends, what is between them is pasted, and reading a megabyte of
// it would take longer than the deadline.
const (
	windowHead = 12 << 10
	windowTail = 4 << 10
)

func window(text string) string {
	if len(text) <= windowHead+windowTail {
		return text
	}
	head, tail := windowHead, len(text)-windowTail
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return text[:head] + "\n" + text[tail:]
}

func asksForAgent(text string) bool {
	return vocab.AgentWord.In(strings.ToLower(text))
}
