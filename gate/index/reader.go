package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync/atomic"
	"unsafe"

	"github.com/skillgate/skillgate/gate/meaning"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/synonyms"
)

// Index is an open generation. It must not be used by several goroutines at once.
type Index struct {
	Manifest *Manifest
	Dict     *synonyms.Dict // dictionary with which the index's terms were made
	segments []*segment
	users    *atomic.Int32 // number of open handles that share the mapped files; nil for an index in memory
}

// segment is a base, a delta, or an index in memory (file memory.go).
type segment struct {
	lists  *listFile            // nil for an index in memory
	memory map[string][]Posting // nil for an index on disk
	docs   *docTable
	dead   []uint32 // dead documents, ascending
	n      int
}

// Open opens the newest generation in dir. After ErrNoIndex and ErrStale the index must be built; other errors report
// damage.
func Open(dir string) (*Index, error) {
	var last error
	// A builder may remove a generation after its name was read and before it is opened.
	for range 3 {
		gen, err := current(dir)
		if err != nil {
			return nil, err
		}
		x, err := openGeneration(gen)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return x, err
		}
		last = err
	}
	return nil, last
}

// OpenChecked is like Open but reads the whole index and fails if any part is damaged. Use it where a damaged index can
// be rebuilt at once. It takes 12 ms of processor time for 10,000 skills.
func OpenChecked(dir string) (*Index, error) {
	gen, err := current(dir)
	if err != nil {
		return nil, err
	}
	if err := verify(gen); err != nil {
		return nil, err
	}
	return openGeneration(gen)
}

// OpenGeneration opens generation n in dir. Other generations may be newer.
func OpenGeneration(dir string, n int) (*Index, error) {
	return openGeneration(filepath.Join(dir, fmt.Sprintf("gen-%d", n)))
}

func openGeneration(gen string) (*Index, error) {
	m, err := readManifest(gen)
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	x := &Index{Manifest: m, Dict: synonyms.Default(), users: new(atomic.Int32)}
	x.users.Store(1)
	if text, err := mapText(filepath.Join(gen, "user.dict")); err == nil {
		user, err := synonyms.Open(text)
		if err != nil {
			return nil, fmt.Errorf("index: %s/user.dict: %w", gen, err)
		}
		x.Dict = x.Dict.With(user)
	}
	for _, p := range []struct {
		name string
		part Part
		dead []uint32
	}{{"base", m.Base, m.Dead}, {"delta", m.Delta, nil}} {
		if p.part.Docs == 0 {
			continue
		}
		s, err := openSegment(filepath.Join(gen, p.name), p.part.Docs)
		if err != nil {
			x.Close()
			return nil, err
		}
		s.dead = p.dead
		x.segments = append(x.segments, s)
	}
	return x, nil
}

// mapText maps a file as a string for the life of the process, since words read from a dictionary may be kept after its
// index is closed. Reading a dictionary of 100,000 entries instead would copy 12 MB for every prompt.
func mapText(file string) (string, error) {
	data, err := regular.Map(file)
	if data == nil || err != nil {
		return "", err
	}
	return unsafe.String(&data[0], len(data)), nil
}

func openSegment(path string, docs int) (*segment, error) {
	t, err := openDocs(path + ".docs")
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	if t.n != docs {
		t.close()
		return nil, fmt.Errorf("index: %s.docs has %d documents, but the manifest says %d", path, t.n, docs)
	}
	lists, err := openLists(path+".lists", docs)
	if err != nil {
		t.close()
		return nil, fmt.Errorf("index: open %s.lists: %w", path, err)
	}
	return &segment{lists: lists, docs: t, n: docs}, nil
}

// Another returns a second handle on x for another goroutine. Documents hidden in x are hidden in it too. Both handles
// share the mapped files, which are unmapped when both are closed. x must not be closed during the call.
func (x *Index) Another() (*Index, error) {
	m := *x.Manifest
	y := &Index{Manifest: &m, Dict: x.Dict, users: x.users}
	for _, s := range x.segments {
		t := *s
		if s.lists != nil {
			lists := *s.lists
			t.lists = &lists
		}
		y.segments = append(y.segments, &t)
	}
	if y.users != nil {
		y.users.Add(1)
	}
	return y, nil
}

// Close releases the index's files.
func (x *Index) Close() {
	if x.segments != nil && x.users != nil && x.users.Add(-1) > 0 {
		x.segments = nil // other handles still use the files
	}
	for _, s := range x.segments {
		s.lists.close()
		s.docs.close()
	}
	x.segments = nil
}

// Snapshot joins one or more indexes into one searchable collection. Document numbers are consecutive across the
// indexes.
type Snapshot struct {
	Skills   int                // live documents
	Distinct int                // number of skills that differ in name or content, summed over the indexes
	Mean     [NumFields]float64 // average number of terms in each field
	Agents   bool               // some documents may be agents
	parts    []part
	next     int
}

type part struct {
	*segment
	first int // number of the part's first document
	index int // position of the part's index in the arguments of Join
}

// Join combines indexes into one collection: document counts, document frequencies and lengths are summed.
func Join(indexes ...*Index) *Snapshot {
	s := new(Snapshot)
	var total [NumFields]int64
	docs := 0
	for i, x := range indexes {
		s.Skills += x.Manifest.Skills
		s.Distinct += x.Manifest.distinct()
		docs += x.Manifest.Base.Docs + x.Manifest.Delta.Docs
		for _, p := range []Part{x.Manifest.Base, x.Manifest.Delta} {
			s.Agents = s.Agents || p.Docs > 0 && !p.NoAgents
		}
		for f := range total {
			total[f] += x.Manifest.Base.Total[f] + x.Manifest.Delta.Total[f]
		}
		for _, seg := range x.segments {
			s.parts = append(s.parts, part{seg, s.next, i})
			s.next += seg.n
		}
	}
	for f := range total {
		if docs > 0 {
			s.Mean[f] = float64(total[f]) / float64(docs)
		}
	}
	return s
}

// Docs returns the number of documents, including dead ones.
func (s *Snapshot) Docs() int { return s.next }

// Postings returns the postings of a term without dead documents. They share the memory of buf, which may be nil.
func (s *Snapshot) Postings(term string, buf *Postings) (Postings, error) {
	if buf == nil {
		buf = new(Postings)
	}
	n, err := s.DocFreq(term)
	if err != nil {
		return Postings{}, err
	}
	buf.Reserve(n)
	from := len(buf.Numbers)
	for _, p := range s.parts {
		if p.lists == nil {
			p.remembered(term, buf)
			continue
		}
		if err := p.lists.read(buf, uint32(p.first), p.dead); err != nil {
			return Postings{}, fmt.Errorf("index: postings of %q: %w", term, err)
		}
	}
	return buf.since(from), nil
}

// DocFreq returns the number of documents that have a term, including dead ones. It reads no postings.
func (s *Snapshot) DocFreq(term string) (int, error) {
	n := 0
	for _, p := range s.parts {
		if p.lists == nil {
			n += len(p.memory[term])
			continue
		}
		found, err := p.lists.find(term)
		if err != nil {
			return 0, fmt.Errorf("index: document frequency of %q: %w", term, err)
		}
		n += found
	}
	return n, nil
}

func (s *Snapshot) at(doc uint32) (part, int) {
	i := len(s.parts) - 1
	for s.parts[i].first > int(doc) {
		i--
	}
	return s.parts[i], int(doc) - s.parts[i].first
}

// Lengths holds the field lengths, in terms, of a range of documents.
type Lengths struct {
	first, n       uint32
	bodies, others []byte // columns of a docTable
}

// Lengths returns the lengths of a range of documents that includes doc.
func (s *Snapshot) Lengths(doc uint32) Lengths {
	p, _ := s.at(doc)
	return p.docs.lengths(p.first)
}

// Hold reports whether a document is in the range.
func (l *Lengths) Hold(doc uint32) bool { return doc-l.first < l.n }

// Of returns the length of a field of a document in the range.
func (l *Lengths) Of(doc uint32, f Field) int {
	i := int(doc - l.first)
	if f == Body {
		return int(binary.LittleEndian.Uint16(l.bodies[i*lengthSize:]))
	}
	return int(binary.LittleEndian.Uint16(l.others[(i*int(NumFields-1)+int(f-1))*lengthSize:]))
}

// Length returns the number of terms in a field of a document.
func (s *Snapshot) Length(doc uint32, f Field) int {
	p, i := s.at(doc)
	return p.docs.length(i, f)
}

// Meaning returns the bytes of a document's meaning.Vector. They must not be used once the index is closed.
func (s *Snapshot) Meaning(doc uint32) []byte {
	p, i := s.at(doc)
	return p.docs.meaning(i)
}

// NoMeaning is the result of Apart for dead documents.
const NoMeaning = 255

// Apart sets apart[i] to the number of signs in which v and the meaning of document i differ.
func (s *Snapshot) Apart(v meaning.Signs, apart []uint8) {
	for _, p := range s.parts {
		to := apart[p.first : p.first+p.n]
		v.Apart(p.docs.signs(), to)
		for _, i := range p.dead {
			to[i] = NoMeaning
		}
	}
}

// Family returns a number that doc shares with the near-equal documents of its index, or 0 if there are none.
func (s *Snapshot) Family(doc uint32) uint64 {
	p, i := s.at(doc)
	if f := p.docs.family(i); f != 0 {
		return uint64(p.index)<<32 | uint64(f)
	}
	return 0
}

// Before reports whether the index of doc comes before the index of other in Join's arguments.
func (s *Snapshot) Before(doc, other uint32) bool {
	p, _ := s.at(doc)
	q, _ := s.at(other)
	return p.index < q.index
}

// Flags returns a document's flags.
func (s *Snapshot) Flags(doc uint32) uint16 {
	p, i := s.at(doc)
	return p.docs.flags(i)
}

// ID returns a document's ID, or "" if its record is damaged. It must not be used once the index is closed.
func (s *Snapshot) ID(doc uint32) string {
	p, i := s.at(doc)
	return p.docs.id(i)
}

// Brief reads a document's ID, Name, Source, Plugin, Lengths, Flags, Risk and Others, which a search reads for
// hundreds of documents. The strings are not copied and must not be used once the index is closed.
func (s *Snapshot) Brief(doc uint32) (Doc, error) {
	p, i := s.at(doc)
	return p.docs.brief(i)
}

// Candidate is like Doc without Meaning, but does not copy Description, Sketch, Hash and Exclusions, which must not be
// used once the index is closed.
func (s *Snapshot) Candidate(doc uint32) (Doc, error) {
	p, i := s.at(doc)
	return p.docs.candidate(i)
}

// Doc reads a document's record.
func (s *Snapshot) Doc(doc uint32) (Doc, error) {
	p, i := s.at(doc)
	return p.docs.doc(i)
}
