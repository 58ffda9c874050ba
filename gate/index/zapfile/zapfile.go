// Package zapfile writes the postings of documents to bleve's segment files (zap). Package index
// reads them by itself: what a hook links, each prompt would pay for.
//
// A file has one field, Field. A posting's frequency is a number of 64 bits that the caller packs.
package zapfile

import (
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	bleve "github.com/blevesearch/bleve_index_api"
	bleveseg "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"github.com/skillgate/skillgate/gate/disk"
)

// Field is the one field that all postings are in.
const Field = "t"

// packedField hands a document's terms with their packed frequencies to bleve's
// segments, which take a term from its key.
type packedField struct {
	name    string
	options bleve.FieldIndexingOptions
	terms   []packedTerm
	as      *frequencies // of the writer
}

type packedTerm struct {
	term string
	freq int
}

// frequencies is the form in which bleve reads the terms of one document: documents share it, as bleve is done with one
// before it asks for the next.
type frequencies struct {
	all     bleve.TokenFrequencies
	backing []bleve.TokenFreq
}

func (f *frequencies) of(terms []packedTerm) bleve.TokenFrequencies {
	clear(f.all)
	if len(f.backing) < len(terms) {
		f.backing = make([]bleve.TokenFreq, 2*len(terms))
	}
	for i, t := range terms {
		f.backing[i].SetFrequency(t.freq)
		f.all[t.term] = &f.backing[i]
	}
	return f.all
}

// noID is the field that every document of a zap file must have: its key, which
// numbers make needless.
var noID = &packedField{name: "_id", options: bleve.StoreField}

func (p *packedField) Name() string                        { return p.name }
func (p *packedField) ArrayPositions() []uint64            { return nil }
func (p *packedField) Options() bleve.FieldIndexingOptions { return p.options }
func (p *packedField) Analyze()                            {} // done already, on all processors
func (p *packedField) Value() []byte                       { return nil }
func (p *packedField) NumPlainTextBytes() uint64           { return 0 }
func (p *packedField) Size() int                           { return 0 }
func (p *packedField) EncodedFieldType() byte              { return 't' }
func (p *packedField) AnalyzedTokenFrequencies() bleve.TokenFrequencies {
	if p.terms == nil {
		return nil
	}
	return p.as.of(p.terms)
}

// AnalyzedLength is stored with every posting, in one byte where it is small. The
// lengths that scoring needs are in the document table; 0 would lose postings.
func (p *packedField) AnalyzedLength() int { return 1 }

// packedDocument is a document with only its key and its terms.
type packedDocument struct{ terms *packedField }

func (d packedDocument) VisitFields(visit bleve.FieldVisitor) {
	visit(noID)
	visit(d.terms)
}

func (d packedDocument) ID() string                                 { return "" }
func (d packedDocument) Size() int                                  { return 0 }
func (d packedDocument) VisitComposite(bleve.CompositeFieldVisitor) {}
func (d packedDocument) HasComposite() bool                         { return false }
func (d packedDocument) NumPlainTextBytes() uint64                  { return 0 }
func (d packedDocument) AddIDField()                                {}
func (d packedDocument) StoredFieldsBytes() uint64                  { return 0 }
func (d packedDocument) Indexed() bool                              { return true }

// A zap file is made of smaller ones, so that memory does not grow with the number
// of documents.
const (
	batchDocs  = 1000 // documents held before they are written to a file
	mergeFiles = 200  // files merged at once, all of them open
)

// Write writes the file of documents, each its terms with their frequencies, numbered in their order. It
// writes nothing where there are none. The first error of docs ends it.
func Write[F ~uint64](file string, docs iter.Seq2[map[string]F, error]) error {
	return WriteParts(file, docs, batchDocs, mergeFiles)
}

// WriteParts is Write by way of files of so many documents, so many of which are merged at once.
func WriteParts[F ~uint64](file string, docs iter.Seq2[map[string]F, error], batch, merge int) (err error) {
	scratch, err := disk.NewTemp(filepath.Dir(file), filepath.Base(file)+".build")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, scratch.Remove()) }()
	w := &writer{scratch: scratch, batchDocs: batch, mergeFiles: merge, as: &frequencies{all: bleve.TokenFrequencies{}}}
	for doc, err := range docs {
		if err == nil {
			terms := make([]packedTerm, 0, len(doc))
			for term, q := range doc {
				terms = append(terms, packedTerm{term, int(q)})
			}
			err = w.add(terms)
		}
		if err != nil {
			return err
		}
	}
	return w.finish(file)
}

// writer makes a zap file of documents, numbered in the order they are added.
type writer struct {
	scratch    *disk.Temp       // folder of the files to be merged
	batch      []bleve.Document // not yet in a file
	as         *frequencies
	files      []string // in the order of their documents
	made       int      // files made so far, for names
	batchDocs  int
	mergeFiles int
}

func (w *writer) add(terms []packedTerm) error {
	w.batch = append(w.batch, packedDocument{&packedField{Field, bleve.IndexField, terms, w.as}})
	if len(w.batch) < w.batchDocs {
		return nil
	}
	return w.flush()
}

// flush writes the batch to a file of its own.
func (w *writer) flush() error {
	s, _, err := new(zap.ZapPlugin).New(w.batch)
	if err != nil {
		return err
	}
	clear(w.batch)
	w.batch = w.batch[:0]
	file := w.name()
	if err := s.(bleveseg.UnpersistedSegment).Persist(file); err != nil {
		return err
	}
	w.files = append(w.files, file)
	return nil
}

func (w *writer) name() string {
	w.made++
	return filepath.Join(w.scratch.Path, fmt.Sprintf("%d.zap", w.made))
}

// finish writes the file of all documents; there is none where there are none, zap has no empty files.
func (w *writer) finish(file string) error {
	if len(w.batch) > 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	for len(w.files) > 1 {
		var merged []string
		for neighbours := range slices.Chunk(w.files, w.mergeFiles) {
			one, err := w.merge(neighbours)
			if err != nil {
				return err
			}
			merged = append(merged, one)
		}
		w.files = merged
	}
	if len(w.files) == 0 {
		return nil
	}
	return w.scratch.Give(filepath.Base(w.files[0]), file)
}

// merge makes one file of several, which it removes. Numbers go on from file to file.
func (w *writer) merge(files []string) (string, error) {
	if len(files) == 1 {
		return files[0], nil
	}
	segments := make([]bleveseg.Segment, 0, len(files))
	defer func() {
		for _, s := range segments {
			s.Close()
		}
	}()
	for _, file := range files {
		s, err := new(zap.ZapPlugin).Open(file)
		if err != nil {
			return "", err
		}
		segments = append(segments, s)
	}
	merged := w.name()
	nothing := make([]*roaring.Bitmap, len(files)) // is dropped
	if _, _, err := new(zap.ZapPlugin).Merge(segments, nothing, merged, nil, nil); err != nil {
		return "", err
	}
	for _, file := range files {
		if err := w.scratch.Discard(filepath.Base(file)); err != nil {
			return "", err
		}
	}
	return merged, nil
}
