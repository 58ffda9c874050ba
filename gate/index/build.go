package index

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/analysis"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/family"
	"github.com/skillgate/skillgate/gate/meaning"
	"github.com/skillgate/skillgate/synonyms"
)

// Options say what to index and where.
type Options struct {
	Dir     string          // folder of the index, from Dir
	Scope   string          // what Dir was made from; goes to the manifest
	Roots   []catalog.Root  // folders to scan; or
	Entries []catalog.Entry // entries already read (a library file); their Hash and ID must be set
	// Load returns one of Entries with its text, nil where they have it. With it Entries need no more than ID,
	// Name, Path and Hash, the texts of what has not changed are not read, and those that are read are not all
	// in memory at once. It is called from several goroutines.
	Load     func(e *catalog.Entry) (catalog.Entry, error)
	UserDict []byte // the user's synonyms as synonyms.Compile returns them; nil for none

	// Expansion returns what users would type for the skill with this ID and content
	// hash, nil for none or where Expansion itself is nil. Whole requests come first:
	// only the first MaxGroups - 1 texts are told apart.
	Expansion func(id, hash string) []string
	// Risk returns the chance that a skill does harm, 0 to 1, for trust.max_risk; nil
	// where nobody asks. It is called from several goroutines.
	Risk func(e *catalog.Entry) float64
	// Beside identifies what Risk reads besides the file it is given; nil with Risk. It is called from several goroutines.
	Beside func(file string) uint64
	// Background returns how the finished index answers prompts that have nothing to do
	// with it, for the manifest; nil where nobody asks.
	Background func(x *Index) []float64

	Fingerprint string   // of UserDict and Note: another one rebuilds everything
	State       string   // of what Entries or Roots were read from, for the manifest; another one makes a generation
	Watch       []string // files whose change asks for a refresh, beside the roots: the user's synonyms, expansions
	Note        string   // what a log should say about this index: user synonyms not read; Build adds skills not read

	Full     bool                  // rebuild everything
	Wait     bool                  // wait for another builder instead of ErrBusy
	Keep     map[int]bool          // generations not to sweep: named by a recent log
	Progress func(done, total int) // called from one goroutine at a time; may be nil
	Now      func() time.Time
}

// Summary is what a build did.
type Summary struct {
	Scope      string   `json:"scope"`
	Dir        string   `json:"dir"`
	Generation int      `json:"generation"`
	Skills     int      `json:"skills"`   // copies of one counted each
	Distinct   int      `json:"distinct"` // those of them that differ in name or content
	Added      int      `json:"added"`
	Changed    int      `json:"changed"`
	Removed    int      `json:"removed"`
	Unchanged  int      `json:"unchanged"`
	Read       int      `json:"read"` // files opened
	Full       bool     `json:"full"` // the base was rebuilt
	UpToDate   bool     `json:"up_to_date"`
	Seconds    float64  `json:"seconds"`
	Problems   []string `json:"problems,omitempty"`
}

// deltaShare is how much of the base may be replaced before it is rebuilt: below
// it document frequencies of dead documents do not matter, and a delta is small.
const deltaShare = 0.10

// Build brings the index in o.Dir up to date and publishes a new generation
// where anything changed. Readers are never disturbed. It returns ErrBusy when
// another process builds and o.Wait is false.
func Build(ctx context.Context, o Options) (Summary, error) {
	start := o.Now()
	sum := Summary{Scope: o.Scope, Dir: o.Dir}
	building, err := lock(ctx, o.Dir, o.Wait)
	if err != nil {
		return sum, err
	}
	defer building.Close()

	b, err := newBuilder(ctx, o)
	if err != nil {
		return sum, err
	}
	if err := b.scan(); err != nil {
		return sum, err
	}
	sum.Problems = b.problems
	sum.Added, sum.Changed, sum.Removed, sum.Unchanged = b.added, b.changed, b.removed, b.unchanged
	full := o.Full || b.old == nil || b.todoCount() > int(deltaShare*float64(b.old.Base.Docs))+1
	if !full && b.upToDate() {
		sum.Generation, sum.Skills, sum.Distinct, sum.UpToDate = b.old.Generation, b.old.places(), b.old.distinct(), true
		sum.Seconds = o.Now().Sub(start).Seconds()
		return sum, nil
	}
	err = o.publish(start, &sum, func(tmp string) (*Manifest, error) { return b.write(tmp, full) })
	if err == nil {
		sum.Full, sum.Read = full, b.read
	}
	return sum, err
}

// publish makes the generation that write leaves in a folder the newest of o.Dir, and notes it in sum.
func (o *Options) publish(start time.Time, sum *Summary, write func(tmp string) (*Manifest, error)) error {
	tmp, err := disk.NewTemp(o.Dir, "tmp-")
	if err != nil {
		return err
	}
	defer tmp.Remove()
	m, err := write(tmp.Path)
	if err != nil {
		return err
	}
	if err := publish(o.Dir, tmp, m.Generation); err != nil {
		return fmt.Errorf("index: publish generation %d: %w", m.Generation, err)
	}
	sweep(o.Dir, m.Generation, o.Keep)
	sum.Generation, sum.Skills, sum.Distinct = m.Generation, m.places(), m.distinct()
	sum.Seconds = o.Now().Sub(start).Seconds()
	return nil
}

// builder carries one build from scan to manifest.
type builder struct {
	ctx  context.Context
	o    Options
	old  *Manifest // nil when there is nothing to build on
	gen  string    // folder of the old generation
	dict *synonyms.Dict
	an   *Analyzer

	states []*fileState // every skill of the new generation
	docs   []*fileState // those of them that are documents, see merge
	gone   []*fileState // skills of the old generation that no longer exist
	bodies int64        // bytes of text held in states

	added, changed, removed, unchanged, read int
	problems                                 []string
	rootStates                               []RootState
}

func newBuilder(ctx context.Context, o Options) (*builder, error) {
	b := &builder{ctx: ctx, o: o, dict: synonyms.Default()}
	if o.UserDict != nil {
		user, err := synonyms.Open(string(o.UserDict))
		if err != nil {
			return nil, fmt.Errorf("index: user synonyms: %w", err)
		}
		b.dict = b.dict.With(user)
	}
	b.an = NewAnalyzer(b.dict)
	if gen, err := current(o.Dir); err == nil {
		// A generation of another version, or a damaged one, is not a base to build on.
		if m, err := readManifest(gen); err == nil && m.Fingerprint == o.Fingerprint && verify(gen) == nil {
			b.old, b.gen = m, gen
		}
	}
	return b, nil
}

// upToDate reports whether the old generation already is what would be built.
func (b *builder) upToDate() bool {
	// A file that was read and is the same has another time, to be remembered.
	return b.added+b.changed+b.removed == 0 && (b.o.Roots == nil || b.read == 0) && b.o.State == b.old.State &&
		b.o.Note == b.old.Note && slices.Equal(b.rootStates, b.old.Roots)
}

// todoCount returns how many documents a delta would hold.
func (b *builder) todoCount() int {
	n := 0
	for _, s := range b.gone {
		if s.Part != inCopy {
			n++
		}
	}
	for _, s := range b.docs {
		if s.Part != inBase {
			n++
		}
	}
	return n
}

// maxHeld bounds the text kept in memory between reading and analysing; above it
// files are read a second time.
const maxHeld = 96 << 20

// maxBody bounds how much of a body is indexed: beyond it a skill is a manual,
// and every word of a manual matches something.
const maxBody = 64 << 10

// openingSize is where the opening of a body ends, in bytes of its normal form. The opening says what a skill is for,
// what follows says how: its words count twice, and once in the body's length. 800 and 2,500 rank no better.
const openingSize = 1500

// toolParts returns the parts of a name of two such as WeatherTool, which text keeps whole for the sake of GitHub
// and JavaScript.
func toolParts(name string) []string {
	var at []int // where parts begin
	for i, c := range []byte(name) {
		switch upper := c >= 'A' && c <= 'Z'; {
		case upper && (i == 0 || name[i-1] >= 'a'):
			at = append(at, i)
		case !upper && (c < 'a' || c > 'z'):
			return nil
		}
	}
	if len(at) != 2 || at[0] != 0 {
		return nil
	}
	return []string{name[:at[1]], name[at[1]:]}
}

// anyOf reports whether one of the terms of a is among those of b.
func anyOf(a, b analysis.TokenStream) bool {
	return slices.ContainsFunc(a, func(x *analysis.Token) bool {
		return slices.ContainsFunc(b, func(y *analysis.Token) bool { return bytes.Equal(x.Term, y.Term) })
	})
}

// analyse turns an entry into what a segment holds.
func (b *builder) analyse(s *fileState, e *catalog.Entry) (analyzed, error) {
	t := counters.Get().(*counter)
	var lengths [NumFields]int
	addTokens := func(f Field, stream analysis.TokenStream) { lengths[f] += t.stream(f, stream) }
	add := func(f Field, text string) {
		b.an.each(text, func(term string, _ int, _ analysis.TokenType) {
			t.add(f, term, 1)
			lengths[f]++
		})
	}
	name := b.an.Tokens(e.Name)
	addTokens(Name, name)
	t.pairs(Name, name)
	capability := b.an.Tokens(e.Capability)
	for _, part := range toolParts(e.Name) {
		if stream := b.an.Tokens(part); anyOf(stream, capability) {
			addTokens(Name, stream)
		}
	}
	if e.Folder != "" && e.Folder != e.Name {
		add(Name, e.Folder)
	}
	t.add(Name, NameTerm(e.Name), 1)
	addTokens(Description, capability)
	t.pairs(Description, capability)
	for _, trigger := range e.Triggers {
		stream := b.an.Tokens(trigger)
		addTokens(Triggers, stream)
		t.pairs(Triggers, stream)
		t.phrase(trigger, stream)
	}
	for _, heading := range e.Headings {
		add(Headings, heading)
	}
	b.an.each(e.Body[:min(len(e.Body), maxBody)], func(term string, start int, _ analysis.TokenType) {
		n := 1
		if start < openingSize {
			n = 2
		}
		t.add(Body, term, n)
		lengths[Body]++
	})
	var exclusions []Exclusion
	for _, boundary := range e.Boundaries {
		if len(boundary.Use) > 0 && len(exclusions) < maxExclusions {
			exclusions = append(exclusions,
				Exclusion{family.Sketch(b.an.Terms(boundary.Not)),
					strings.Split(strings.ToLower(strings.Join(boundary.Use, "\n")), "\n")})
		}
	}
	for _, anchor := range s.anchors {
		add(Anchors, anchor)
	}
	expansion := b.expansion(s)
	for i, x := range expansion {
		b.an.each(x, func(term string, _ int, _ analysis.TokenType) {
			q := t.of(term)
			*q = q.inGroup(i)
			lengths[Expansion]++
		})
	}
	d := Doc{
		ID: e.ID, Name: e.Name, Path: e.Path, Description: shown(e), Source: string(e.Source), Plugin: e.Plugin,
		Size: e.Size, ModTime: e.ModTime, Hash: e.Hash, Family: s.Family, Sketch: family.Sketch(termsOf(capability)),
		Exclusions: exclusions,
	}
	var senses []string
	b.an.each(Purpose(e)+"\n"+strings.Join(expansion, "\n"), func(term string, _ int, typ analysis.TokenType) {
		senses = b.an.senses(senses, term, typ)
	})
	d.Meaning = meaning.Default().Vector(senses)
	for f, n := range lengths {
		d.Lengths[f] = uint16(min(n, 1<<16-1))
	}
	if e.ModelInvocable {
		d.Flags |= ModelInvocable
	}
	if e.ForOthers() {
		d.Flags |= ForOthers
	}
	switch e.Pool {
	case catalog.Agent:
		d.Flags |= IsAgent
	case catalog.Command:
		d.Flags |= IsCommand
	}
	if byPath(d.Source) {
		d.Flags |= IsLibrary
	}
	if len(e.Paths) > 0 {
		d.Flags |= HasPaths
	}
	d.Risk = b.risk(e)
	for _, other := range s.others {
		root := b.o.Roots[other.file.Root]
		h := Home{ID: other.ID, Path: other.Path, Source: string(root.Source), Plugin: root.Plugin, Size: other.Size,
			ModTime: other.ModTime}
		if b.o.Risk != nil { // it looks at the files beside the copy
			e, err := b.entry(other)
			if errors.Is(err, os.ErrNotExist) {
				continue // gone since the scan
			}
			if err != nil {
				return analyzed{}, err
			}
			h.Risk = b.risk(e)
		}
		d.Others = append(d.Others, h)
	}
	if len(d.Others) > 0 {
		d.Flags |= hasOthers
	} else if e.Source != catalog.Plugin {
		d.Flags |= Plain
	}
	return analyzed{t.done(), d}, nil
}

// Purpose is what of an entry says what it is for, for Doc.Meaning: its name, its description and the opening of
// its body.
func Purpose(e *catalog.Entry) string {
	return e.Name + "\n" + clip.Bytes(e.Description, 700) + "\n" + clip.Bytes(e.Body, 900)
}

// risk is that of an entry as documents keep it.
func (b *builder) risk(e *catalog.Entry) uint8 {
	if b.o.Risk == nil {
		return 0
	}
	return uint8(math.Round(255 * max(0, min(1, b.o.Risk(e)))))
}

// expansion is that of the first place of a document that has one.
func (b *builder) expansion(s *fileState) []string {
	if b.o.Expansion == nil {
		return nil
	}
	for _, at := range append([]*fileState{s}, s.others...) {
		if texts := b.o.Expansion(at.ID, at.Hash); len(texts) > 0 {
			return texts
		}
	}
	return nil
}

// NameTerm is the index term of a whole name: it finds an entry by its exact name
// and meets no word of a prompt.
func NameTerm(name string) string { return "=" + strings.ToLower(name) }

// shown returns what of a description people and the model are shown.
func shown(e *catalog.Entry) string {
	return clip.Chars(cmp.Or(e.Capability, e.Description), maxShown)
}

// analyseAll analyses states on all processors and hands them out in order.
func (b *builder) analyseAll(states []*fileState) iter.Seq2[analyzed, error] {
	analyse := func(i int) (analyzed, error) {
		e, err := b.entry(states[i])
		if err != nil {
			return analyzed{}, err // os.ErrNotExist: the file is gone since the scan
		}
		a, err := b.analyse(states[i], e)
		states[i].entry = nil
		return a, err
	}
	return func(yield func(analyzed, error) bool) {
		for i, r := range inOrder(len(states), analyse) {
			if err := b.ctx.Err(); err != nil {
				yield(analyzed{}, err)
				return
			}
			if b.o.Progress != nil {
				b.o.Progress(i+1, len(states))
			}
			if errors.Is(r.err, os.ErrNotExist) {
				states[i].vanished = true
				continue
			}
			if !yield(r.value, r.err) || r.err != nil {
				return
			}
		}
	}
}

// entry returns a state's entry, reading its file again where it was not kept.
func (b *builder) entry(s *fileState) (*catalog.Entry, error) {
	if s.entry != nil && s.held {
		return s.entry, nil
	}
	if b.o.Load != nil {
		e, err := b.o.Load(s.entry)
		return &e, err
	}
	e, err := catalog.Read(b.o.Roots[s.file.Root], s.file)
	if err != nil {
		return nil, err
	}
	return &e, nil
}
