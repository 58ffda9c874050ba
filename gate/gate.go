// Package gate decides, for one prompt, whether any skill is worth loading and which ones.
//
//	prompt → triage → terms → postings → BM25F → families → need and score → Decision
//
// Open returns a Gate over the indexes of a session; Gate.Decide answers one prompt with a
// Decision. OpenIndexes serves callers that open the indexes themselves, such as benchmarks.
//
// A Gate never builds an index, writes a file or starts a process. Missing and Stale list the scopes whose index is
// missing or out of date, so that the caller can act. Only one goroutine at a time may use a Gate. Equal indexes,
// settings and prompts give equal decisions, unless the deadline cut the search short; then the Notes say so.
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

// Gate answers prompts from the indexes of one session.
type Gate struct {
	Settings   Settings
	Missing    []Scope // scopes without an index that this version can read
	Stale      []Scope // scopes that have changed since their index was built
	Notes      []string
	Reranker   Reranker // nil means no reranking
	NoHelper   bool     // the reranker's helper process is not running and may be started
	Need       need.Model
	Off        Parts    // steps that are switched off for an ablation
	distrusted []string // notes on skills that the current decision excludes because of their risk
	changed    []string // files that have changed since they were indexed
	session
	corpus
}

// session has the facts about the host's session that decisions depend on.
type session struct {
	policy   catalog.Policy
	roots    []catalog.Root
	cwd      string
	below    map[string]string // the host's names for subfolders ("packages/web"), by their folders of skills
	renamed  map[string]string // the host's names for subfolders' skills, by file
	unlisted map[string]bool   // names of skills that the host does not list in this session
	own      []string          // names of the host's built-in skills
	host     bool              // decisions are for a host: its policy applies, and skills without a file are excluded
	recorded bool              // decisions are for a replay: skills without a file are not excluded
}

// corpus is the set of indexes that a gate searches.
type corpus struct {
	uses       []IndexUse
	indexes    []*index.Index
	snapshot   *index.Snapshot
	ranker     *rank.Ranker
	background need.Background // background of the largest index
}

// Subfolder is a folder of skills below the session's folder that the host has discovered. If Path begins with Listed,
// it describes the host's listing instead.
type Subfolder struct {
	Path string `json:"path"` // absolute, such as "…/packages/web/.claude/skills", or Listed and a hash

	// Names maps folder names to the host's names ("packages/web:deploy") of skills whose own names are taken.
	Names map[string]string `json:"names,omitempty"`
}

// Listed is the prefix of the Path of a Subfolder that represents a session's listing. Its index contains the skills
// that the host lists without a file. The State of the index's manifest has the names of the skills with files that the
// host does not list, one per line.
const Listed = "listed:"

// Open opens the indexes for a session in folder cwd, or "" for no folder. below has the subfolders that the host has
// discovered. Open fails only if it can read no index. If none has been built yet, the error wraps index.ErrNoIndex.
// Missing then lists the scopes to build.
func Open(d dirs.Dirs, cwd string, s Settings, below ...Subfolder) (*Gate, error) {
	return openSession(d, cwd, s, false, below)
}

func openSession(d dirs.Dirs, cwd string, s Settings, recorded bool, below []Subfolder) (*Gate, error) {
	g := &Gate{Settings: s, session: session{host: true, recorded: recorded, cwd: cwd}}
	if len(below) > 0 {
		g.own = d.Hosts.Own
	}
	var problems, policyProblems []error
	g.roots, problems = catalog.QuickRoots(d, cwd, s.Libraries, paths(below)...)
	g.policy, policyProblems = catalog.LoadPolicy(d, cwd)
	for _, err := range append(problems, policyProblems...) {
		g.Notes = append(g.Notes, err.Error())
	}
	var last error
	for _, scope := range Scopes(d, g.roots) {
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
	for _, f := range below {
		if !strings.HasPrefix(f.Path, Listed) {
			continue
		}
		x, err := index.Open(index.Dir(d.Cache, f.Path))
		if err != nil { // the index was deleted, so only skills with files are found
			continue
		}
		g.add(x, IndexUse{Root: f.Path, Below: true})
	}
	g.finish()
	return g, nil
}

// open adds the newest index of scope to g, or adds scope to g.Missing if it has none. An index without risks counts as
// missing if trust.max_risk needs risks.
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

// OpenIndexes returns a gate over indexes that the caller has opened. The gate applies no host policy and does not
// check whether files exist. Closing it closes the indexes.
func OpenIndexes(s Settings, labels []string, indexes ...*index.Index) *Gate {
	g := &Gate{Settings: s}
	for i, x := range indexes {
		g.add(x, IndexUse{Root: labels[i]})
	}
	g.finish()
	return g
}

// runnableCopy reads document n and returns the first of its copies that the host can run, or else the document itself.
func (g *Gate) runnableCopy(n uint32, read func(n uint32) (index.Doc, error)) (index.Doc, error) {
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

func (g *Gate) doc(n uint32) (index.Doc, error) {
	doc, err := g.runnableCopy(n, g.snapshot.Candidate)
	if err != nil {
		return doc, err
	}
	return g.withHostName(doc)
}

// withHostName sets doc.Name to the name that the host uses. This is the reported name or, for a subfolder's skill
// whose name is taken, "subfolder:name". The latter is derived because Claude Code 2.1.197 does not report it in the
// first turn after it discovers the subfolder.
func (g *Gate) withHostName(doc index.Doc) (index.Doc, error) {
	if len(g.below) == 0 {
		return doc, nil
	}
	own := doc.Name
	if name, ok := g.renamed[doc.Path]; ok {
		doc.Name = name
	} else if folder, ok := g.below[rootOf(doc)]; ok {
		taken, err := g.nameTaken(doc)
		if err != nil {
			return doc, err
		}
		if taken {
			doc.Name = folder + ":" + doc.Name
		}
	}
	if doc.Name != own {
		doc.Flags &^= index.Clean // the flag was computed for the name in the file
	}
	return doc, nil
}

func rootOf(d index.Doc) string { return filepath.Dir(filepath.Dir(d.Path)) }

// nameTaken reports whether a host command, a built-in skill, a command file, or a personal or project skill in another
// folder has the same name as doc.
func (g *Gate) nameTaken(doc index.Doc) (bool, error) {
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
	// The first index is the shared one. Its dictionary includes the user's entries.
	g.ranker = rank.New(g.snapshot, g.indexes[0].Dict, rank.DefaultWeights())
	most := slices.MaxFunc(g.indexes, func(a, b *index.Index) int {
		return cmp.Compare(a.Manifest.Skills, b.Manifest.Skills)
	})
	g.background = most.Manifest.Background
}

// Ranker returns the gate's ranker, for tuning and explanations.
func (g *Gate) Ranker() *rank.Ranker { return g.ranker }

// Dict returns the dictionary with which prompts are analyzed.
func (g *Gate) Dict() *synonyms.Dict { return g.ranker.Dict() }

// Resolve returns the path of an indexed file after following its links. It fails if the result is outside the Within
// folder of the file's root.
func (g *Gate) Resolve(file string) (string, error) {
	for _, r := range g.roots {
		if r.Within != "" && strings.HasPrefix(file, r.Path+"/") {
			return regular.Resolve(r.Within, file)
		}
	}
	return file, nil
}

// Skills returns the number of indexed skills and agents. It counts copies within one index, such as those in the
// folders of several hosts, once.
func (g *Gate) Skills() int { return g.snapshot.Distinct }

// Documents returns the number of indexed documents. One document may represent several merged copies.
func (g *Gate) Documents() int { return g.snapshot.Skills }

// Close closes the indexes.
func (g *Gate) Close() {
	if g.ranker != nil {
		g.ranker.Leave()
	}
	for _, x := range g.indexes {
		x.Close()
	}
}

// Parts selects steps of a decision to switch off, so that their effect can be measured. To switch off parts of the
// ranking, set weights to 0.
type Parts struct {
	Families bool // hold back skills of the same capability
	Steps    bool // split composite requests
	Excluded bool // remove skills whose own description sends the prompt to another skill
	Cut      bool // leave out skills that score far below the best
	Chance   bool // suggest nothing for unsure prompts with accidental matches
	Triage   bool // skip greetings, answers and commands without a search
}

func (p Parts) noSkip(r Reason) bool { return p.Triage && (r == Greeting || r == Ack || r == Command) }

// Request is one prompt and the state of its session.
type Request struct {
	Prompt triage.Prompt
	K      int                    // minimum number of candidates in the decision, suggested or not
	Known  func(name string) bool // reports whether the session has the skill's description or text; may be nil
	Loaded func(name string) bool // reports whether the session has the skill's text; may be nil
	Named  func(name string) bool // reports whether the session has the skill's name but no description; may be nil
	Spent  int                    // UTF-16 units added to the session by earlier decisions
	Sole   bool                   // the host shortens its list of skills, so the model may not know them

	ByPath    bool // the model has no tool to load skills, so the suggestion names the file to read
	NoContext bool // leave the decision's Context empty

	Observe func(need.Features) // receives the input of the need model; may be nil
}

// compositeK is the lowest top_k for a prompt with several steps: two skills for each of four steps.
const compositeK = 8

// minShareOfBest is the minimum score of a suggested skill, as a share of the best score in its step. For agents it is
// a share of the best score overall. On the benchmark, nearly all right skills reach it, and so do a quarter of the
// wrong ones.
const minShareOfBest = 0.5

// minStepShare is the minimum of a step's best score, as a share of the best score overall. If a step's best score is
// lower, its matches count as accidental, and only skills that the prompt asks for by name are suggested.
const minStepShare = 0.4

const poolSize = 40

// Decide answers one prompt. It never fails: after an error it returns a decision with verdict Error and a note.
func (g *Gate) Decide(ctx context.Context, req Request) (d Decision) {
	start := time.Now()
	d = Decision{Prompt: req.Prompt.Text, Lang: req.Prompt.Lang, Candidates: []Candidate{}, Index: g.uses}
	defer func() { d.Ms.Total = ms(time.Since(start)) }()
	if reason := SkipReason(req.Prompt.Kind); reason != "" && !g.Off.noSkip(reason) {
		d.Verdict, d.Reason = Skip, reason
		return d
	}
	g.distrusted = nil
	err := system.Caught(func() error { return (&run{g, req, &d}).decide(ctx) })
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

// SkipReason returns the reason for not searching prompts of kind k, or "" if they are searched.
func SkipReason(k triage.Kind) Reason {
	if k == triage.Search {
		return ""
	}
	return Reason(k) // reasons for skipping have the same names as the kinds
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

type run struct {
	*Gate
	req Request
	d   *Decision
}

func (r *run) decide(ctx context.Context) error {
	req, d := &r.req, r.d
	req.Prompt.Text = window(req.Prompt.Text)
	forced, users, err := r.explicit(req.Prompt.Text)
	if err != nil {
		return err
	}
	q := r.ranker.Parse(req.Prompt.Text)
	res, err := r.ranker.Search(ctx, q)
	if err != nil {
		return err
	}
	d.searched(&res)
	skills := r.resolve(&res, r.pool(&res, max(poolSize, req.K), false))
	r.explain(&res, skills, max(resolved, req.K))
	agents := r.pool(&res, max(r.Settings.AgentsK, req.K), true)
	r.explain(&res, agents, len(agents))
	x, verbatim := r.features(req.Prompt, &res, skills)
	d.Need, d.Model = r.Need.Probability(x), r.Need.ID()
	if req.Observe != nil {
		req.Observe(x)
	}

	topK, floor := r.Settings.TopK, r.Settings.ScoreMin
	list := skills
	if len(req.Prompt.Steps) > 1 && !r.Off.Steps {
		if list, err = r.steps(ctx, skills); err != nil {
			return err
		}
		topK = max(topK, compositeK)
	} else if d.Need >= r.Settings.NeedMin || req.K > 0 {
		list = r.rerank(ctx, list)
	}
	list = r.present(mergeForced(forced, list), topK)
	agents = r.present(agents, r.Settings.AgentsK)
	sure := d.Need >= sureNeed(r.Settings.NeedMin) || verbatim
	chance := !r.Off.Chance && len(skills) > 0 && byChance(&x, skills[0].Matched)
	d.Doubtful = !verbatim && (chance || x[need.PlainQuestion] != 0)
	pass := sure || d.Need >= r.Settings.NeedMin && !d.Doubtful
	best := map[int]float64{} // best score by step
	for _, c := range list {
		best[c.Step] = max(best[c.Step], c.Score)
		best[anyStep] = max(best[anyStep], c.Score)
	}
	if r.Off.Cut {
		clear(best)
	}
	for i := range list {
		c := &list[i]
		least := max(floor, minShareOfBest*best[c.Step])
		if c.Step > 0 && best[c.Step] < minStepShare*best[anyStep] {
			least = math.Inf(1)
		}
		c.Injected = i < topK && (c.forced || pass && c.Score >= least && (sure || !c.stranger()))
	}
	for i := range agents {
		c := &agents[i]
		c.Injected = i < r.Settings.AgentsK && pass && c.Score >= max(floor, minShareOfBest*best[anyStep])
	}
	named := slices.ContainsFunc(list, func(c candidate) bool { return c.forced && c.Injected })
	d.Brief = !sure && !named
	why := r.quieten(list, agents)
	switch {
	case pass:
	case d.Need < r.Settings.NeedMin:
		why = BelowNeedMin
	case chance:
		why = ByChance
	default:
		why = PlainQuestion
	}
	r.conclude(list, agents, why, named)
	d.leave(users, *req)
	return nil
}

// sureNeed returns the minimum need, half way from need_min to 1, for suggestions with descriptions. For doubtful
// prompts it is the minimum for any suggestion.
func sureNeed(needMin float64) float64 { return (1 + needMin) / 2 }

const anyStep = -1

// quieten clears Injected for candidates that the session does not need. It returns the reason to report if no
// suggestion remains. A skill that the session already has is repeated only if the prompt asks for it by name or it
// comes first in a sure decision. Unsure decisions do not repeat bare names either. Once session_chars is spent, at
// most leanNames skills and leanNames agents are named, without descriptions.
func (r *run) quieten(list, agents []candidate) Reason {
	req, d := r.req, r.d
	why := BelowScoreMin
	d.Spent, d.Sole = req.Spent, req.Sole
	d.Lean = r.Settings.SessionChars > 0 && req.Spent >= r.Settings.SessionChars
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
					silence(pool[1:]) // a lower-ranked skill cannot replace one that was already shown
				}
			case d.Lean && d.Brief && !req.Sole && req.Spent >= CutBrief*r.Settings.SessionChars:
				c.Injected, why = false, Budget
			case d.Lean && i >= leanNames:
				c.Injected = false
			}
		}
	}
	return why
}

// leanNames is the maximum number of skills that are suggested, by name only, once session_chars is spent. It does not
// limit skills that the prompt asks for by name. The right skill is usually among the first two.
const leanNames = 2

// CutBrief limits unsure decisions: once a session has received CutBrief times session_chars, they suggest only skills
// that the prompt asks for by name. Request.Sole lifts the limit.
const CutBrief = 3

func silence(pool []candidate) {
	for i := range pool {
		pool[i].Injected = pool[i].Injected && pool[i].forced
	}
}

// Prefixes of notes on decisions that depend on more than indexes and settings. Replay recognizes such decisions by
// them.
const (
	FileGone = "skill left out because its file is gone: "
	CutShort = "search cut short by the deadline"
)

func (d *Decision) searched(res *rank.Result) {
	if res.Cut && !slices.Contains(d.Notes, CutShort) {
		d.Notes = append(d.Notes, CutShort)
	}
}

// StaleState returns a description of everything that needs reindexing, or "". Different states have different
// descriptions.
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

// Terms returns the distinct index terms of text in sorted order, or nil if no index is open.
func (g *Gate) Terms(text string) []string {
	if g.ranker == nil {
		return nil
	}
	return g.ranker.Terms(window(text))
}

func (r *run) conclude(list, agents []candidate, why Reason, forced bool) {
	req, d := r.req, r.d
	var all []candidate
	if asksForAgent(req.Prompt.Text) {
		all = append(agents, list...)
	} else {
		all = append(list, agents...)
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
		d.Verdict, d.Reason = Silent, Deadline // the right skill may be in the part that was not searched
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
		c.Description = strings.Clone(c.Description) // a copy, because the decision outlives the index
		d.Candidates = append(d.Candidates, c.Candidate)
	}
	if injected > 0 && !req.NoContext {
		var listed map[string]bool
		d.Context, listed = r.context(all, d, req.ByPath)
		for i := range d.Candidates {
			c := &d.Candidates[i]
			c.Injected = c.Injected && listed[c.ID]
		}
		d.Chars = clip.UTF16(d.Context)
	}
}

// logged is the minimum number of candidates in a decision, so that the log shows how close a skill came.
const logged = 5

// Sizes in bytes. Only the head and the tail of a long prompt are searched, because the request is at one end, and
// searching a megabyte would take longer than the deadline.
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
