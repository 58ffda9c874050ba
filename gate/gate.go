// Package gate decides, for one prompt, whether a skill is worth loading and
// names the few that are.
//
//	prompt → triage → terms → postings → BM25F → families → need and score → Decision
//
// Open gives a Gate over the indexes of a session, Decide answers one prompt.
// A Gate never builds an index, writes nothing and starts nothing; what it saw
// missing or out of date it says (Missing, Stale), and the command at hand acts.
// A Gate serves one goroutine at a time. The same indexes, settings and prompt
// always give the same decision, unless the deadline cut the search (Cut in the
// decision's notes).
package gate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/family"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/triage"
)

// Gate answers prompts from one session's indexes.
type Gate struct {
	Settings Settings
	Missing  []Scope // have no index that this version can read
	Stale    []Scope // have changed since their index was built
	Notes    []string
	Reranker Reranker // none until the command at hand sets one
	NoHelper bool     // the reranker's helper does not run and may be started
	changed  []string // files that are not as they were indexed

	policy   catalog.Policy
	host     bool // the host runs what is named: its policy counts, and files may be gone by now
	past     bool // replayed: whether files are still there does not count
	uses     []IndexUse
	indexes  []*index.Index
	snapshot *index.Snapshot
	ranker   *rank.Ranker
}

// Open opens the indexes of a session in cwd ("" for none). It fails only when
// no index can be read at all, with an error that wraps index.ErrNoIndex where
// there simply is none yet; the Gate then says in Missing what to build.
func Open(d dirs.Dirs, cwd string, s Settings) (*Gate, error) {
	g := &Gate{Settings: s, host: true}
	roots, problems := catalog.QuickRoots(d, cwd, s.Libraries)
	var policyProblems []error
	g.policy, policyProblems = catalog.LoadPolicy(d, cwd)
	for _, err := range append(problems, policyProblems...) {
		g.Notes = append(g.Notes, err.Error())
	}
	var last error
	for _, scope := range []Scope{SharedScope(d, roots), ProjectScope(d, roots)} {
		if scope.Name == "" {
			continue
		}
		x, err := index.Open(scope.Dir)
		if err != nil {
			g.Missing = append(g.Missing, scope)
			g.Notes = append(g.Notes, err.Error())
			last = err
			continue
		}
		if scope.Stale(x.Manifest) {
			g.Stale = append(g.Stale, scope)
		}
		if note := x.Manifest.Note; note != "" && !slices.Contains(g.Notes, note) {
			g.Notes = append(g.Notes, note)
		}
		g.add(x, scope.Label)
	}
	if len(g.indexes) == 0 {
		return g, last
	}
	g.finish()
	return g, nil
}

// OpenIndexes is a gate over indexes opened by the caller, as bench, lint and
// replay use them: no policy, no check that files are still there. It closes them.
func OpenIndexes(s Settings, labels []string, indexes ...*index.Index) *Gate {
	g := &Gate{Settings: s}
	for i, x := range indexes {
		g.add(x, labels[i])
	}
	g.finish()
	return g
}

func (g *Gate) add(x *index.Index, label string) {
	g.indexes = append(g.indexes, x)
	g.uses = append(g.uses, IndexUse{Root: label, Generation: x.Manifest.Generation, Skills: x.Manifest.Skills})
}

func (g *Gate) finish() {
	g.snapshot = index.Join(g.indexes...)
	g.Reranker = rerank.None{}
	// The shared index is first; its dictionary carries the user's words.
	g.ranker = rank.New(g.snapshot, g.indexes[0].Dict, rank.DefaultWeights())
}

// Ranker returns the gate's ranker, for tuning and explanations.
func (g *Gate) Ranker() *rank.Ranker { return g.ranker }

// Dict returns the dictionary that prompts are read with.
func (g *Gate) Dict() *synonyms.Dict { return g.ranker.Dict() }

// Skills returns how many skills and agents are indexed.
func (g *Gate) Skills() int { return g.snapshot.Skills }

// Close releases the indexes.
func (g *Gate) Close() error {
	var errs []error
	for _, x := range g.indexes {
		errs = append(errs, x.Close())
	}
	return errors.Join(errs...)
}

// Request is one prompt and what is known around it.
type Request struct {
	Prompt triage.Prompt
	K      int                    // candidates to list, injected or not; 0: those that are injected
	Known  func(name string) bool // already described or loaded in this session; nil: nothing is

	Observe func(Features) // told what the need model saw, for training; nil: nobody is
}

// compositeK is top_k for a prompt with several steps: two skills for each of four.
const compositeK = 8

// poolSize is how many hits families, rerankers and explanations choose from.
const poolSize = 40

// Decide answers one prompt. It never fails: what goes wrong becomes a decision
// with verdict error and a note.
func (g *Gate) Decide(ctx context.Context, req Request) Decision {
	start := time.Now()
	d := Decision{Prompt: req.Prompt.Text, Lang: req.Prompt.Lang, Candidates: []Candidate{}, Index: g.uses}
	defer func() { d.Ms.Total = ms(time.Since(start)) }()
	if reason := SkipReason(req.Prompt.Kind); reason != "" {
		d.Verdict, d.Reason = Skip, reason
		return d
	}
	if err := g.decide(ctx, req, &d); err != nil {
		d.Verdict, d.Candidates = Error, []Candidate{}
		if ctx.Err() != nil {
			d.Reason = Deadline
		}
		d.Notes = append(d.Notes, err.Error())
	}
	d.Ms.Search = ms(time.Since(start))
	d.Ms.Total = d.Ms.Search
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
	forced, err := g.explicit(ctx, req.Prompt.Text)
	if err != nil {
		return err
	}
	q := g.ranker.Parse(SearchText(req.Prompt.Text))
	res, err := g.ranker.Search(ctx, q)
	if err != nil {
		return err
	}
	if res.Cut {
		d.Notes = append(d.Notes, CutShort)
	}
	skills := g.resolve(&res, g.pool(&res, max(poolSize, req.K), false))
	agents := g.pool(&res, max(g.Settings.AgentsK, req.K), true)
	x := g.features(req.Prompt, &res, skills)
	d.Need = need().probability(x)
	if req.Observe != nil {
		req.Observe(x)
	}

	topK, floor := g.Settings.TopK, g.Settings.ScoreMin
	list := skills
	if len(req.Prompt.Steps) > 1 {
		if list, err = g.steps(ctx, req.Prompt.Steps, skills); err != nil {
			return err
		}
		topK = max(topK, compositeK)
	} else if d.Need >= g.Settings.NeedMin || req.K > 0 {
		list = g.rerank(ctx, req.Prompt.Text, list, d)
	}
	list = g.present(mergeForced(forced, list), topK)
	agents = g.present(agents, g.Settings.AgentsK)
	pass := d.Need >= g.Settings.NeedMin
	for i := range list {
		c := &list[i]
		c.Injected = i < topK && (c.forced || pass && c.Score >= floor)
	}
	for i := range agents {
		c := &agents[i]
		c.Injected = i < g.Settings.AgentsK && pass && c.Score >= floor
	}
	g.conclude(d, req, list, agents, pass, len(forced) > 0)
	return nil
}

// Starts of notes by which replay knows decisions that depend on more than the
// indexes and settings.
const (
	FileGone = "left out, its file is gone: "
	CutShort = "search cut short by the deadline or the cap on postings"
)

// present drops those of the first n candidates whose files are gone, and notes
// those whose files have changed.
func (g *Gate) present(list []candidate, n int) []candidate {
	if !g.host || g.past {
		return list
	}
	for i := 0; i < len(list) && i < n; {
		exists, same := there(list[i].doc)
		if !same {
			g.changed = append(g.changed, list[i].doc.Path)
		}
		if !exists {
			g.Notes = append(g.Notes, FileGone+list[i].doc.Path)
			list = slices.Delete(list, i, i+1)
			continue
		}
		i++
	}
	return list
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
	return g.ranker.Terms(text)
}

// conclude fills in the verdict, the candidates and the context.
func (g *Gate) conclude(d *Decision, req Request, list, agents []candidate, pass, forced bool) {
	var all []candidate
	if asksForAgent(req.Prompt.Text) {
		all = append(slices.Clone(agents), list...)
	} else {
		all = append(slices.Clone(list), agents...)
	}
	injected := 0
	for i := range all {
		if all[i].Injected {
			injected++
		}
	}
	switch {
	case forced:
		d.Verdict = Force
	case injected > 0:
		d.Verdict = Inject
	case len(all) == 0:
		d.Verdict, d.Reason = Silent, NoCandidates
	case !pass:
		d.Verdict, d.Reason = Silent, BelowNeedMin
	default:
		d.Verdict, d.Reason = Silent, BelowScoreMin
	}
	for i := range all {
		c := all[i]
		if !c.Injected && len(d.Candidates) >= max(req.K, logged) {
			continue
		}
		c.Rank = len(d.Candidates) + 1
		d.Candidates = append(d.Candidates, c.Candidate)
	}
	if injected > 0 {
		d.Context = g.context(all, req.Known)
		d.Chars = utf16Len(d.Context)
	}
}

// logged is how many candidates a decision keeps when none are asked for: enough
// to see by how much a skill was missed.
const logged = 5

// candidate is a Candidate with what only the gate needs.
type candidate struct {
	Candidate
	doc    index.Doc
	num    uint32
	forced bool
}

// pool returns the best skills or agents that the host can run, one for each
// family and name.
func (g *Gate) pool(res *rank.Result, k int, agents bool) []candidate {
	if k <= 0 {
		return nil
	}
	var out []candidate
	byName := map[string]int{}
	byFamily := map[uint64]int{}
	// Copies and shadowed names fall away, so more hits are read than are needed.
	for _, hit := range g.ranker.Top(res, 2*k, func(n uint32) bool { return g.offered(n, agents) }) {
		doc, err := g.snapshot.Doc(hit.Doc)
		if err != nil {
			continue
		}
		if i, ok := byName[doc.Name]; ok && doc.Flags&index.IsLibrary == 0 {
			if stronger(doc, out[i].doc) {
				g.replace(&out[i], res, hit, doc)
			}
			continue
		}
		if f := g.snapshot.Family(hit.Doc); f != 0 {
			if i, ok := byFamily[f]; ok {
				out[i].HeldBack = append(out[i].HeldBack, doc.ID)
				continue
			}
			byFamily[f] = len(out)
		}
		byName[doc.Name] = len(out)
		var c candidate
		g.replace(&c, res, hit, doc)
		out = append(out, c)
		if len(out) == k {
			break
		}
	}
	return out
}

// resolve holds back candidates that do the same as a better one under
// conditions that the prompt does not name.
func (g *Gate) resolve(res *rank.Result, list []candidate) []candidate {
	mass, members := []float64(nil), make([]family.Member, 0, resolved)
	for i := range res.Query.Concepts {
		c := &res.Query.Concepts[i]
		mass = append(mass, c.Weight*c.IDF())
	}
	var out []candidate
	for i, c := range list {
		if i >= resolved {
			out = append(out, c)
			continue
		}
		m := family.Member{Sketch: c.doc.Sketch, Score: c.Score, Knows: res.Query.Known(c.num)}
		by := slices.IndexFunc(members, func(a family.Member) bool { return family.HeldBack(a, m, mass) })
		if by >= 0 {
			out[by].HeldBack = append(out[by].HeldBack, c.ID)
			continue
		}
		members = append(members, m)
		out = append(out, c)
	}
	return out
}

// resolved is how many candidates are compared with each other: all that can be shown.
const resolved = 16

// replace makes c the candidate of one hit.
func (g *Gate) replace(c *candidate, res *rank.Result, hit rank.Hit, doc index.Doc) {
	pool := catalog.Skill
	if doc.Flags&index.IsAgent != 0 {
		pool = catalog.Agent
	}
	c.doc, c.num = doc, hit.Doc
	c.Candidate = Candidate{ID: doc.ID, Name: doc.Name, Path: doc.Path, Pool: string(pool), HeldBack: []string{}, Matched: []Match{}}
	for _, m := range g.ranker.Explain(res, hit.Doc) {
		c.Score += m.Score
		c.Matched = append(c.Matched, Match{Term: m.Term, Via: m.Via, Field: m.Field.String(), Score: m.Score})
	}
}

// offered reports whether the host can run a document of the wanted pool.
func (g *Gate) offered(n uint32, agents bool) bool {
	flags := g.snapshot.Flags(n)
	if flags&index.ModelInvocable == 0 || flags&index.IsAgent != 0 != agents {
		return false
	}
	doc, err := g.snapshot.Doc(n)
	if err != nil {
		return false
	}
	pool := catalog.Skill
	if agents {
		pool = catalog.Agent
	}
	if g.host && !g.policy.Allows(doc.Name, pool, catalog.Source(doc.Source), doc.Plugin) {
		return false
	}
	return float64(doc.Risk)/255 <= g.Settings.TrustLimit()
}

// stronger reports whether the host loads a rather than b, which has the same name.
func stronger(a, b index.Doc) bool {
	return sourceLevel(a) < sourceLevel(b)
}

func sourceLevel(d index.Doc) int {
	switch {
	case strings.HasPrefix(d.ID, "enterprise"):
		return 0
	case d.Source == string(catalog.Personal):
		if d.Flags&index.IsAgent != 0 {
			return 2
		}
		return 1
	case d.Source == string(catalog.Project):
		if d.Flags&index.IsAgent != 0 {
			return 1
		}
		return 2
	}
	return 3
}

// there reports whether a candidate's file is as it was indexed.
func there(doc index.Doc) (exists, same bool) {
	if doc.Path == "" {
		return true, true
	}
	fi, err := os.Stat(doc.Path)
	if err != nil {
		return false, false
	}
	return true, fi.Size() == doc.Size && fi.ModTime().UnixNano() == doc.ModTime
}

// explicit returns the skills that the prompt names and asks for.
func (g *Gate) explicit(ctx context.Context, text string) ([]candidate, error) {
	var failed error
	names := triage.Explicit(text, func(name string) bool {
		n, err := g.snapshot.DocFreq(ctx, index.NameTerm(name))
		failed = errors.Join(failed, err)
		return n > 0
	})
	if failed != nil {
		return nil, fmt.Errorf("look up names: %w", failed)
	}
	var out []candidate
	for _, name := range names {
		postings, err := g.snapshot.Postings(ctx, index.NameTerm(name), nil, 64)
		if err != nil {
			return nil, err
		}
		var best *candidate
		for _, p := range postings {
			agent := g.snapshot.Flags(p.Doc)&index.IsAgent != 0
			if !g.offered(p.Doc, agent) {
				continue
			}
			doc, err := g.snapshot.Doc(p.Doc)
			if err != nil {
				return nil, err
			}
			if best != nil && !stronger(doc, best.doc) {
				continue
			}
			pool := catalog.Skill
			if agent {
				pool = catalog.Agent
			}
			best = &candidate{doc: doc, num: p.Doc, forced: true, Candidate: Candidate{
				ID: doc.ID, Name: doc.Name, Path: doc.Path, Pool: string(pool), HeldBack: []string{},
				Matched: []Match{{Term: name, Field: index.Name.String()}},
			}}
		}
		if best != nil {
			out = append(out, *best)
		}
	}
	return out, nil
}

// mergeForced puts the skills that the prompt names first, each once.
func mergeForced(forced, list []candidate) []candidate {
	if len(forced) == 0 {
		return list
	}
	out := slices.Clone(forced)
	for _, c := range list {
		i := slices.IndexFunc(out, func(f candidate) bool { return f.ID == c.ID })
		if i < 0 {
			out = append(out, c)
			continue
		}
		out[i].Score, out[i].Matched, out[i].HeldBack = c.Score, c.Matched, c.HeldBack
	}
	return out
}

// steps searches each step of a composite request and takes candidates from the
// steps in turn.
func (g *Gate) steps(ctx context.Context, steps []string, whole []candidate) ([]candidate, error) {
	lists := make([][]candidate, len(steps))
	for i, step := range steps {
		res, err := g.ranker.Search(ctx, g.ranker.Parse(SearchText(step)))
		if err != nil {
			return nil, err
		}
		lists[i] = g.resolve(&res, g.pool(&res, poolSize, false))
	}
	var out []candidate
	seen := map[string]bool{}
	// What fits the request as a whole often does several of its steps.
	for _, c := range whole[:min(wholeFirst, len(whole))] {
		c.Step = stepOf(c.ID, lists)
		seen[c.ID] = true
		out = append(out, c)
	}
	for round := 0; round < poolSize; round++ {
		for i := range lists {
			for len(lists[i]) > 0 {
				c := lists[i][0]
				lists[i] = lists[i][1:]
				if seen[c.ID] {
					continue
				}
				seen[c.ID] = true
				c.Step = i + 1
				out = append(out, c)
				break
			}
		}
	}
	for _, c := range whole {
		if !seen[c.ID] {
			out = append(out, c)
		}
	}
	return out, nil
}

// wholeFirst is how many candidates of the whole request stand before those of its steps.
const wholeFirst = 2

// stepOf returns the step that ranks a candidate best, 0 where none has it.
func stepOf(id string, lists [][]candidate) int {
	step, best := 0, poolSize
	for i, list := range lists {
		at := slices.IndexFunc(list, func(c candidate) bool { return c.ID == id })
		if at >= 0 && at < best {
			step, best = i+1, at
		}
	}
	return step
}

// SearchText leaves out what the prompt says it does not want.
func SearchText(text string) string {
	spans := triage.Negated(text)
	if len(spans) == 0 {
		return text
	}
	b := []byte(text)
	for _, s := range spans {
		for i := s.Start; i < s.End && i < len(b); i++ {
			b[i] = ' '
		}
	}
	return string(b)
}

// asksForAgent reports whether the prompt wants an agent rather than a skill.
func asksForAgent(text string) bool {
	lower := strings.ToLower(text)
	for _, word := range []string{"subagent", "sub-agent", "agent", "에이전트"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}
