package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
)

// Values of fileState.Part: the segment that holds a skill's postings.
const (
	inBase  = "base"
	inDelta = "delta"
	inNew   = ""     // new or changed, so in no segment yet
	inCopy  = "copy" // a copy, represented by the document of another skill; see merge
)

// fileState is the state of a skill at the last build. Its exported fields are stored.
type fileState struct {
	ID          string
	Name        string
	Folder      string
	Path        string
	Size        int64
	ModTime     int64
	Changed     int64  // change time, as in catalog.File
	Prefix      string // prefix of the name, as in catalog.Root
	Beside      uint64 // result of Options.Beside
	Hash        string
	Part        string
	Boundaries  []catalog.Boundary
	Anchors     uint64    // hash of the indexed anchor texts
	Expansion   uint64    // hash of the expansion texts
	Others      uint64    // hash of the indexed copies
	Text        signature // signature of description and body
	Description signature
	Family      uint32
	Problems    []catalog.Problem

	file     catalog.File
	entry    *catalog.Entry
	held     bool // entry still has its body
	anchors  []string
	others   []*fileState // copies of the skill
	vanished bool         // deleted after the scan and before it was read
}

// scan compares the roots with the old generation and sets states, gone and the counts. Files whose size and time are
// unchanged are not opened.
func (b *builder) scan() error {
	old, err := b.oldStates()
	if err != nil {
		// Everything is rebuilt, because there are no old states to compare with.
		b.problems = append(b.problems, err.Error())
		b.old, b.gen, old = nil, "", nil
	}
	read := b.scanRoots
	if b.o.Roots == nil {
		read = b.scanEntries
	}
	if err := read(old); err != nil {
		return err
	}
	for _, s := range old {
		b.gone = append(b.gone, s)
	}
	b.removed = len(b.gone)
	b.merge()
	b.linkAnchors()
	b.families()
	return nil
}

func (b *builder) oldStates() (map[string]*fileState, error) {
	if b.old == nil {
		return nil, nil
	}
	states, err := readStates(filepath.Join(b.gen, statesFile), b.old.places())
	old := make(map[string]*fileState, len(states))
	for i := range states {
		old[states[i].ID] = &states[i]
	}
	return old, err
}

func (b *builder) scanRoots(old map[string]*fileState) error {
	for _, r := range b.o.Roots {
		b.rootStates = append(b.rootStates, StatRoot(r))
	}
	for _, file := range b.o.Watch {
		b.rootStates = append(b.rootStates, StatRoot(catalog.Root{Path: file, Label: Watched}))
	}
	files, problems := catalog.Files(b.ctx, b.o.Roots, nil)
	if err := b.ctx.Err(); err != nil {
		return err
	}
	for _, p := range problems {
		b.problems = append(b.problems, p.Error())
		if many := (*catalog.TooManyError)(nil); errors.As(p, &many) {
			b.o.Note = strings.TrimPrefix(b.o.Note+"; "+p.Error(), "; ")
		}
	}
	before := make([]*fileState, len(files))
	for i, f := range files {
		id := b.o.Roots[f.Root].ID(f)
		before[i] = old[id]
		delete(old, id)
	}
	var todo []int // indexes of the files to look into
	for i, f := range files {
		if b.o.Beside != nil || !before[i].same(b.o.Roots[f.Root], f) {
			todo = append(todo, i)
		}
	}
	look := func(n int) (reading, error) {
		f, was := files[todo[n]], before[todo[n]]
		root, beside := b.o.Roots[f.Root], b.beside(f.Path)
		if was.same(root, f) && was.Beside == beside {
			return reading{same: true}, nil
		}
		e, err := catalog.Read(root, f)
		return newReading(&e, beside), err
	}
	next, stop := iter.Pull2(inOrder(len(todo), look))
	defer stop()
	looked := 0
	for i, was := range before {
		r := outcome[reading]{value: reading{same: true}}
		if looked < len(todo) && todo[looked] == i {
			_, r, _ = next()
			looked++
		}
		if err := b.ctx.Err(); err != nil {
			return err
		}
		switch {
		case r.value.same:
			was.file = files[i]
			b.keep(was)
		case r.err != nil:
			if was != nil {
				old[was.ID] = was
			}
			if !errors.Is(r.err, fs.ErrNotExist) {
				b.problems = append(b.problems, r.err.Error())
			}
		default:
			b.read++
			b.compare(was, r.value, files[i])
		}
	}
	return nil
}

// Outdated returns the number of skills in roots that are new, changed or deleted since the newest generation in dir
// was built.
func Outdated(ctx context.Context, dir string, roots []catalog.Root) (n int, err error) {
	b := builder{}
	if b.gen, err = current(dir); err == nil {
		b.old, err = readManifest(b.gen)
	}
	if err != nil {
		return 0, err
	}
	old, err := b.oldStates()
	if err != nil {
		return 0, err
	}
	files, _ := catalog.Files(ctx, roots, nil)
	for _, f := range files {
		root := roots[f.Root]
		was := old[root.ID(f)]
		delete(old, root.ID(f))
		if was.same(root, f) {
			continue
		}
		if e, err := catalog.Read(root, f); err == nil && (was == nil || !sameEntry(was, &e)) {
			n++
		}
	}
	return n + len(old), ctx.Err()
}

// same reports whether the file of a skill is unchanged. s is nil if there was no such skill.
func (s *fileState) same(root catalog.Root, f catalog.File) bool {
	return s != nil && s.Path == f.Path && s.Prefix == root.Prefix && s.Size == f.Size && s.ModTime == f.ModTime &&
		s.Changed == f.Changed
}

// Watched is the label of a RootState that belongs to a single file.
const Watched = "watched"

// StatRoot returns the present state of a root.
func StatRoot(r catalog.Root) RootState {
	s := RootState{Path: r.Path, Label: r.Label}
	if fi, err := os.Stat(r.Path); err == nil {
		s.ModTime = fi.ModTime().UnixNano()
	}
	return s
}

func (b *builder) scanEntries(old map[string]*fileState) error {
	entries := b.o.Entries
	before := make([]*fileState, len(entries))
	for i := range entries {
		id := entries[i].ID
		before[i] = old[id]
		delete(old, id)
	}
	look := func(i int) (reading, error) {
		e := &entries[i]
		if b.o.Load == nil {
			return newReading(e, b.beside(e.Path)), nil
		}
		if was := before[i]; was != nil && sameEntry(was, e) {
			return reading{same: true}, nil
		}
		read, err := b.o.Load(e)
		return newReading(&read, b.beside(e.Path)), err
	}
	for i, r := range inOrder(len(entries), look) {
		if err := cmp.Or(b.ctx.Err(), r.err); err != nil {
			return err
		}
		if r.value.same {
			before[i].entry = &entries[i]
			b.keep(before[i])
			continue
		}
		b.compare(before[i], r.value, catalog.File{})
		if b.o.Load != nil {
			s := b.states[len(b.states)-1]
			s.entry, s.held, s.Boundaries = &entries[i], false, cloneBoundaries(s.Boundaries)
		}
	}
	return nil
}

// reading is the scan's result for one skill.
type reading struct {
	same              bool // the file is unchanged and was not read
	e                 *catalog.Entry
	beside            uint64
	text, description signature
}

func newReading(e *catalog.Entry, beside uint64) reading {
	r := reading{e: e, beside: beside}
	r.text, r.description = signatures(e)
	return r
}

func sameEntry(was *fileState, e *catalog.Entry) bool {
	return was.Hash == e.Hash && was.Path == e.Path && was.Name == e.Name
}

// cloneBoundaries copies boundaries, which would otherwise keep the text of the skill in memory.
func cloneBoundaries(list []catalog.Boundary) []catalog.Boundary {
	out := slices.Clone(list)
	for i := range out {
		out[i].Not = strings.Clone(out[i].Not)
		out[i].Use = slices.Clone(out[i].Use)
		for j := range out[i].Use {
			out[i].Use[j] = strings.Clone(out[i].Use[j])
		}
	}
	return out
}

// keep carries an unchanged skill over to the new generation.
func (b *builder) keep(s *fileState) {
	b.states = append(b.states, s)
	if x := b.expansionHash(s.ID, s.Hash); x != s.Expansion {
		s.Expansion, s.Part = x, inNew
		b.changed++
		return
	}
	b.unchanged++
}

// compare adds a skill that was read and counts it as added, changed or unchanged. was is its old state, or nil.
func (b *builder) compare(was *fileState, r reading, f catalog.File) {
	e := r.e
	s := &fileState{
		ID: e.ID, Name: e.Name, Folder: e.Folder, Path: e.Path, Size: e.Size, ModTime: e.ModTime, Changed: f.Changed,
		Beside: r.beside, Hash: e.Hash,
		Boundaries: e.Boundaries, Problems: e.Problems, Expansion: b.expansionHash(e.ID, e.Hash), file: f, entry: e,
		Text: r.text, Description: r.description,
	}
	if b.o.Roots != nil {
		s.Prefix = b.o.Roots[f.Root].Prefix
	}
	b.bodies += int64(len(e.Body))
	if s.held = b.o.Roots == nil || b.bodies < maxHeld; !s.held {
		s.entry = nil
	}
	b.states = append(b.states, s)
	switch {
	case was == nil:
		b.added++
	case !sameEntry(was, e) || was.Beside != s.Beside:
		b.changed++
	default:
		s.Part, s.Anchors, s.Family, s.Text, s.Description = was.Part, was.Anchors, was.Family, was.Text, was.Description
		s.Others = was.Others
		if s.Expansion != was.Expansion {
			s.Part = inNew
			b.changed++
		} else {
			b.unchanged++
		}
	}
}

// signatures returns the signatures of an entry's text and description, or zeros if the text is short.
func signatures(e *catalog.Entry) (text, description signature) {
	var words signer
	words.text(e.Description)
	said := words
	words.text(e.Body[:min(len(e.Body), maxBody)])
	if words.words < minSigned {
		return 0, 0
	}
	return words.signature(), said.signature()
}

// minSigned is the minimum number of words for a meaningful signature.
const minSigned = 12

func (b *builder) beside(file string) uint64 {
	if b.o.Beside == nil {
		return 0
	}
	return b.o.Beside(file)
}

func (b *builder) expansionHash(id, hash string) uint64 {
	if b.o.Expansion == nil {
		return 0
	}
	return hashStrings(b.o.Expansion(id, hash))
}

// hashStrings returns the hash of a list, or 0 if it is empty.
func hashStrings(list []string) uint64 {
	if len(list) == 0 {
		return 0
	}
	h := fnv.New64a()
	for _, s := range list {
		io.WriteString(h, s)
		h.Write([]byte{0})
	}
	return h.Sum64()
}

// merge makes one document for all copies of a skill. Copies have the same kind, name, folder name and content but
// different roots. The document describes the copy in the first root. Skills of libraries are not merged, since nothing
// says which one takes precedence.
func (b *builder) merge() {
	type sameness struct {
		pool               catalog.Pool
		name, folder, hash string
	}
	if b.docs = b.states; b.o.Roots == nil {
		return
	}
	b.docs = nil
	first := make(map[sameness]*fileState, len(b.states))
	for _, s := range b.states {
		s.others = nil
		if root := b.o.Roots[s.file.Root]; root.Source != catalog.Library {
			same := sameness{root.Pool, s.Name, s.Folder, s.Hash}
			if one := first[same]; one != nil {
				one.others = append(one.others, s)
				s.Part, s.Family, s.Others = inCopy, 0, 0
				continue
			}
			first[same] = s
		}
		b.docs = append(b.docs, s)
	}
	for _, s := range b.docs {
		var others []string
		for _, o := range s.others {
			others = append(others, o.ID, o.Path, fmt.Sprint(o.Beside, o.Expansion))
		}
		if h := hashStrings(others); h != s.Others || s.Part == inCopy {
			s.Others, s.Part = h, inNew
		}
	}
}

// linkAnchors collects each skill's anchors: the X of every other skill that says "Do NOT use for X" and names this
// skill to use instead. Skills whose anchors have changed are marked to be indexed again.
func (b *builder) linkAnchors() {
	byName := map[string][]*fileState{} // only for the names in boundaries
	for _, s := range b.docs {
		for _, boundary := range s.Boundaries {
			for _, use := range boundary.Use {
				byName[strings.ToLower(use)] = nil
			}
		}
	}
	for _, s := range b.docs {
		name := strings.ToLower(s.Name)
		_, last, _ := strings.Cut(name, ":") // a plugin's boundaries refer to its skills without the plugin's prefix
		for _, name := range []string{name, last, strings.ToLower(s.Folder)} {
			if list, used := byName[name]; used {
				byName[name] = append(list, s)
			}
		}
	}
	for _, s := range b.docs {
		for _, boundary := range s.Boundaries {
			for _, use := range boundary.Use {
				for _, target := range byName[strings.ToLower(use)] {
					if target != s {
						target.anchors = append(target.anchors, boundary.Not)
					}
				}
			}
		}
	}
	for _, s := range b.docs {
		slices.Sort(s.anchors)
		s.anchors = slices.Compact(s.anchors) // copies of a skill have the same boundaries
		if h := hashStrings(s.anchors); h != s.Anchors {
			s.Anchors = h
			s.Part = inNew
		}
	}
}

// families assigns families to documents. A document in the base keeps its family until the next full build.
func (b *builder) families() {
	docs := make([]*signed, len(b.docs))
	for i, s := range b.docs {
		docs[i] = &signed{s.Text, s.Description, s.Family}
	}
	assignFamilies(docs)
	for i, s := range b.docs {
		if s.Part == inNew {
			s.Family = docs[i].family
		}
	}
}

func (b *builder) write(tmp string, full bool) (*Manifest, error) {
	m := &Manifest{
		Format: Format, Analyzer: AnalyzerVersion, Generation: newest(b.o.Dir) + 1,
		Created: b.o.Now().UTC(), Scope: b.o.Scope, Fingerprint: b.o.Fingerprint, State: b.o.State,
		Risks: b.o.Risk != nil, Note: b.o.Note, Roots: b.rootStates,
	}
	var err error
	if full {
		for _, s := range b.docs {
			s.Part, s.Family = inNew, 0
		}
		b.families()
		for _, s := range b.docs {
			s.Part = inBase
		}
		m.Base, err = writeSegment(filepath.Join(tmp, "base"), b.analyseAll(b.docs))
	} else {
		err = b.writeDelta(tmp, m)
	}
	if err != nil {
		return nil, err
	}
	b.states = slices.DeleteFunc(b.states, func(s *fileState) bool { return s.vanished })
	m.Skills = m.Base.Docs - len(m.Dead) + m.Delta.Docs
	m.Places = len(b.states)
	contents := map[content]bool{}
	for _, s := range b.states {
		if s.Expansion != 0 {
			m.Enriched++
		}
		contents[content{s.Name, s.Hash}] = true
	}
	m.Distinct = len(contents)
	if b.o.UserDict != nil {
		if err := writeSynced(filepath.Join(tmp, "user.dict"), b.o.UserDict); err != nil {
			return nil, err
		}
	}
	if err := writeStates(filepath.Join(tmp, statesFile), b.states); err != nil {
		return nil, err
	}
	if full || !m.fewChanges() {
		m.Unmeasured = 0
	} else {
		m.Background = b.old.Background
	}
	if err := writeManifest(tmp, m); err != nil || b.o.Background == nil || m.Background != nil {
		return m, err
	}
	x, err := openGeneration(tmp)
	if err != nil {
		return nil, err
	}
	m.Background = b.o.Background(x)
	x.Close()
	return m, writeManifest(tmp, m)
}

// writeDelta links the old base and writes a delta of everything that is not in it.
func (b *builder) writeDelta(tmp string, m *Manifest) error {
	m.Base, m.Unmeasured = b.old.Base, b.old.Unmeasured+b.removed
	inTheBase := make(map[string]bool, len(b.docs))
	var todo []*fileState
	for _, s := range b.docs {
		if s.Part == inBase {
			inTheBase[s.ID] = true
			continue
		}
		if s.Part == inNew {
			m.Unmeasured += 2 // a changed document is dead in the base and live in the delta
		}
		s.Part = inDelta
		todo = append(todo, s)
	}
	if m.Base.Docs > 0 {
		for _, name := range []string{"base.lists", "base.docs"} {
			if err := linkFile(filepath.Join(b.gen, name), filepath.Join(tmp, name)); err != nil {
				return fmt.Errorf("index: link base files: %w", err)
			}
		}
		table, err := openDocs(filepath.Join(tmp, "base.docs"))
		if err != nil {
			return fmt.Errorf("index: %w", err)
		}
		defer table.close()
		for i := range table.n {
			if !inTheBase[table.id(i)] {
				m.Dead = append(m.Dead, uint32(i))
			}
		}
	}
	var err error
	m.Delta, err = writeSegment(filepath.Join(tmp, "delta"), b.analyseAll(todo))
	return err
}
