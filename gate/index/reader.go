package index

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"unsafe"

	bleve "github.com/blevesearch/bleve_index_api"
	"golang.org/x/sys/unix"

	"github.com/skillgate/skillgate/synonyms"
)

// Index is one opened generation. It is safe for one goroutine at a time.
type Index struct {
	Manifest *Manifest
	Dict     *synonyms.Dict // the dictionary its terms were made with
	segments []*segment
}

// segment is base or delta, or skills in memory (file memory.go).
type segment struct {
	scorch *scorchIndex         // nil in memory
	memory map[string][]Posting // nil on disk
	docs   *docTable
	dead   []uint32 // ascending
	n      int
}

// Open opens the newest generation in dir. ErrNoIndex and ErrStale ask for a
// build; any other error says what is broken.
func Open(dir string) (*Index, error) {
	var last error
	// A builder may sweep a generation between our reading its name and opening it.
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

// OpenGeneration opens generation n in dir, for replay.
func OpenGeneration(dir string, n int) (*Index, error) {
	return openGeneration(filepath.Join(dir, fmt.Sprintf("gen-%d", n)))
}

func openGeneration(gen string) (*Index, error) {
	m, err := readManifest(gen)
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	x := &Index{Manifest: m, Dict: synonyms.Default()}
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

// mapText maps a file as a string for as long as the process lives: words that were
// read from a dictionary may be kept after its index is closed. A dictionary of
// 100,000 entries has 12 MB, which reading would copy for every prompt.
func mapText(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || fi.Size() == 0 {
		return "", err
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(fi.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return "", fmt.Errorf("%s: mmap: %w", file, err)
	}
	return unsafe.String(&data[0], len(data)), nil
}

func openSegment(dir string, docs int) (*segment, error) {
	t, err := openDocs(dir + ".docs")
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	if t.n != docs {
		t.close()
		return nil, fmt.Errorf("index: %s.docs: %d documents, the manifest says %d", dir, t.n, docs)
	}
	s, err := openScorch(dir)
	if err != nil {
		t.close()
		return nil, err
	}
	return &segment{scorch: s, docs: t, n: docs}, nil
}

// Close releases the index's files.
func (x *Index) Close() error {
	for _, s := range x.segments {
		s.scorch.close()
		s.docs.close()
	}
	x.segments = nil
	return nil
}

// Snapshot is what a prompt is searched in: one or several indexes as one
// collection. Document numbers run through all of them.
type Snapshot struct {
	Skills int                // documents alive
	Mean   [NumFields]float64 // average terms per field
	parts  []part
	next   int
}

type part struct {
	*segment
	first int // number of its first document
	index int // position of its index among the joined ones
}

// Join makes one collection of several indexes: document counts, document
// frequencies and lengths are sums over all of them.
func Join(indexes ...*Index) *Snapshot {
	s := new(Snapshot)
	var total [NumFields]int64
	docs := 0
	for i, x := range indexes {
		s.Skills += x.Manifest.Skills
		docs += x.Manifest.Base.Docs + x.Manifest.Delta.Docs
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

// Docs returns the number of document numbers, those of dead documents included.
func (s *Snapshot) Docs() int { return s.next }

// Posting is one document that holds a term.
type Posting struct {
	Doc  uint32
	Freq Freq
}

// Postings appends the postings of term to buf, in ascending order of documents,
// dead ones left out. limit bounds how many are read (0: all of them).
func (s *Snapshot) Postings(ctx context.Context, term string, buf []Posting, limit int) ([]Posting, error) {
	var hit bleve.TermFieldDoc
	for _, p := range s.parts {
		if p.scorch == nil {
			buf = p.remembered(term, buf, limit)
			continue
		}
		r, err := p.scorch.reader.TermFieldReader(ctx, []byte(term), termField, true, false, false)
		if err != nil {
			return buf, fmt.Errorf("index: postings of %q: %w", term, err)
		}
		for {
			d, err := r.Next(&hit)
			if err != nil {
				return buf, fmt.Errorf("index: postings of %q: %w", term, err)
			}
			if d == nil || limit > 0 && len(buf) >= limit {
				break
			}
			num := uint32(binary.BigEndian.Uint64(d.ID))
			if int(num) >= p.n {
				return buf, fmt.Errorf("index: postings of %q: document %d of %d", term, num, p.n)
			}
			if len(p.dead) > 0 {
				if _, dead := slices.BinarySearch(p.dead, num); dead {
					continue
				}
			}
			buf = append(buf, Posting{uint32(p.first) + num, Freq(d.Freq)})
		}
		r.Close()
	}
	return buf, nil
}

// DocFreq returns how many documents hold term, dead ones included: a look-up in
// the dictionary, without reading postings.
func (s *Snapshot) DocFreq(ctx context.Context, term string) (int, error) {
	n := 0
	for _, p := range s.parts {
		if p.scorch == nil {
			n += len(p.memory[term])
			continue
		}
		r, err := p.scorch.reader.TermFieldReader(ctx, []byte(term), termField, false, false, false)
		if err != nil {
			return 0, fmt.Errorf("index: document frequency of %q: %w", term, err)
		}
		n += int(r.Count())
		r.Close()
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

// Length returns the number of terms in one field of a document.
func (s *Snapshot) Length(doc uint32, f Field) int {
	p, i := s.at(doc)
	return p.docs.length(i, f)
}

// Family returns the number that near-equal documents of one index share, 0 for none.
func (s *Snapshot) Family(doc uint32) uint64 {
	p, i := s.at(doc)
	if f := p.docs.family(i); f != 0 {
		return uint64(p.index)<<32 | uint64(f)
	}
	return 0
}

// Flags returns a document's flags.
func (s *Snapshot) Flags(doc uint32) uint16 {
	p, i := s.at(doc)
	return p.docs.flags(i)
}

// Doc reads a document's record.
func (s *Snapshot) Doc(doc uint32) (Doc, error) {
	p, i := s.at(doc)
	return p.docs.doc(i)
}
