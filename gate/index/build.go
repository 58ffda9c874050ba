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
	"github.com/skillgate/skillgate/gate/neutral"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/synonyms"
)

// Options are the input of a build.
type Options struct {
	Dir     string          // folder of the index; see func Dir
	Scope   string          // scope that Dir belongs to; stored in the manifest
	Roots   []catalog.Root  // folders to scan; empty if Entries are given
	Entries []catalog.Entry // entries of a library file; Hash and ID must be set
	// Load returns an entry of Entries with its text. It is nil if Entries have their texts. With Load, Entries need
	// only ID, Name, Path and Hash: unchanged texts are not read, and the others are not all in memory at once. It is
	// called from several goroutines.
	Load     func(e *catalog.Entry) (catalog.Entry, error)
	UserDict []byte // the user's synonyms, compiled by synonyms.Compile; nil if there are none

	// Expansion returns texts that users might type for the skill with this ID and content hash, or nil. The most
	// important texts must come first: all texts after the first MaxGroups - 1 share one group. Expansion may be nil.
	Expansion func(id, hash string) []string
	// Risk returns the probability, 0 to 1, that a skill does harm, for trust.max_risk. Risk is nil if no limit is
	// set. It is called from several goroutines.
	Risk func(e *catalog.Entry) float64
	// Beside returns a hash of the other files that Risk reads for the skill with the given file; nil if Risk is nil.
	// It is called from several goroutines.
	Beside func(file string) uint64
	// Background measures how the finished index answers unrelated prompts, for the manifest. It may be nil.
	Background func(x *Index) []float64

	Fingerprint string   // hash of inputs other than the skills, such as UserDict; if it changes, everything is rebuilt
	State       string   // identifies the source of Entries or Roots; if it changes, a new generation is written
	Watch       []string // other files that require a refresh when they change: the user's synonyms, expansions
	Note        string   // problems to log, such as unreadable user synonyms; Build adds the names of unreadable skills

	Full     bool                  // rebuild everything
	Wait     bool                  // wait for another builder instead of returning ErrBusy
	Progress func(done, total int) // called from one goroutine at a time; may be nil
	Now      func() time.Time
}

// Summary is the result of a build.
type Summary struct {
	Scope      string   `json:"scope"`
	Dir        string   `json:"dir"`
	Generation int      `json:"generation"`
	Skills     int      `json:"skills"`   // number of skills, including copies
	Distinct   int      `json:"distinct"` // skills, counting those with equal name and content once
	Added      int      `json:"added"`
	Changed    int      `json:"changed"`
	Removed    int      `json:"removed"`
	Unchanged  int      `json:"unchanged"`
	Read       int      `json:"read"` // number of files opened
	Full       bool     `json:"full"` // the base was rebuilt, not only the delta
	UpToDate   bool     `json:"up_to_date"`
	Seconds    float64  `json:"seconds"`
	Problems   []string `json:"problems,omitempty"`
}

// deltaShare is the share of the base that may be replaced before the base is rebuilt. Below this share, dead
// documents hardly affect document frequencies, and the delta is small.
const deltaShare = 0.10

// Build brings the index in o.Dir up to date and publishes a new generation if anything changed. Readers are not
// disturbed. It returns ErrBusy if another process is building and o.Wait is false.
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

// publish calls write with a temporary folder, makes that folder the newest generation of o.Dir, and records the result
// in sum.
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
	sweep(o.Dir, m.Generation)
	sum.Generation, sum.Skills, sum.Distinct = m.Generation, m.places(), m.distinct()
	sum.Seconds = o.Now().Sub(start).Seconds()
	return nil
}

type builder struct {
	ctx  context.Context
	o    Options
	old  *Manifest // nil if there is no generation to start from
	gen  string    // folder of the old generation
	dict *synonyms.Dict
	an   *Analyzer

	states []*fileState // all skills of the new generation
	docs   []*fileState // the skills that have a document; see merge
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
		// A build does not start from a generation of another version or from a damaged one.
		if m, err := readManifest(gen); err == nil && m.Fingerprint == o.Fingerprint && verify(gen) == nil {
			b.old, b.gen = m, gen
		}
	}
	return b, nil
}

// upToDate reports whether a build would produce the same generation again.
func (b *builder) upToDate() bool {
	// A file that was read and found unchanged has a new modification time, which must be stored.
	return b.added+b.changed+b.removed == 0 && (b.o.Roots == nil || b.read == 0) && b.o.State == b.old.State &&
		b.o.Note == b.old.Note && slices.Equal(b.rootStates, b.old.Roots)
}

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

// maxHeld limits the bytes of text kept in memory between reading and analysing. Texts above the limit are read a
// second time.
const maxHeld = 96 << 20

// maxBody is the number of bytes of a body that are indexed. Longer bodies are manuals, in which almost any prompt
// would match some word.
const maxBody = 64 << 10

// openingSize is the length of a body's opening, in bytes of its normal form. The opening says what a skill is for, the
// rest says how. Words of the opening count twice, but once in the body's length. Openings of 800 and 2,500 bytes rank
// no better.
const openingSize = 1500

// toolParts returns the parts of a two-part name such as WeatherTool. The analyzer does not split such names, so that
// GitHub and JavaScript stay whole.
func toolParts(name string) []string {
	var at []int // offsets at which parts begin
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

// anyOf reports whether a and b share a term.
func anyOf(a, b analysis.TokenStream) bool {
	return slices.ContainsFunc(a, func(x *analysis.Token) bool {
		return slices.ContainsFunc(b, func(y *analysis.Token) bool { return bytes.Equal(x.Term, y.Term) })
	})
}

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
		ID: e.ID, Name: e.Name, Path: e.Path, Description: displayText(e), Source: string(e.Source), Plugin: e.Plugin,
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
	if clean(d.Name, d.Description) {
		d.Flags |= Clean
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
		if b.o.Risk != nil { // the risk also depends on the copy's neighbouring files
			e, err := b.entry(other)
			if errors.Is(err, os.ErrNotExist) {
				continue // deleted since the scan
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

// Purpose returns the part of an entry that says what it is for: name, description and the opening of the body.
// Doc.Meaning is computed from it.
func Purpose(e *catalog.Entry) string {
	return e.Name + "\n" + clip.Bytes(e.Description, 700) + "\n" + clip.Bytes(e.Body, 900)
}

// risk returns the risk of an entry in units of 1/255.
func (b *builder) risk(e *catalog.Entry) uint8 {
	if b.o.Risk == nil {
		return 0
	}
	return uint8(math.Round(255 * max(0, min(1, b.o.Risk(e)))))
}

// expansion returns the expansion of s or, if it has none, of the first of its copies that has one.
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

// NameTerm returns the index term for a whole name. It finds entries by their exact names and is never produced by a
// prompt's words.
func NameTerm(name string) string { return "=" + strings.ToLower(name) }

func clean(name, description string) bool {
	return neutral.Survives(name, neutral.MaxName) &&
		neutral.Text(secret.Redact(description), neutral.MaxDescription) ==
			neutral.Shorten(description, neutral.MaxDescription)
}

func displayText(e *catalog.Entry) string {
	return clip.Chars(cmp.Or(e.Capability, e.Description), maxShown)
}

// analyseAll analyses states in parallel and yields the results in order.
func (b *builder) analyseAll(states []*fileState) iter.Seq2[analyzed, error] {
	analyse := func(i int) (analyzed, error) {
		e, err := b.entry(states[i])
		if err != nil {
			return analyzed{}, err // os.ErrNotExist if the file was deleted since the scan
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

// entry returns the entry of a skill. It reads the file again if the text was not kept.
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
