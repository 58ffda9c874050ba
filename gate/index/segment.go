package index

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"
)

// termField is the one bleve field that all postings are in.
const termField = "t"

// posting lists of one document, ready for bleve: term to packed frequencies.
type docTerms map[string]Freq

// add counts the terms of text in field f and returns how many there were.
func (m docTerms) add(f Field, found []string) int {
	for _, t := range found {
		m[t] = m[t].add(f, 1)
	}
	return len(found)
}

// addExpansion counts the terms of text i of the expansion.
func (m docTerms) addExpansion(i int, found []string) int {
	for _, t := range found {
		m[t] = m[t].inGroup(i)
	}
	return len(found)
}

// packedField hands bleve a document's terms with their packed frequencies.
type packedField struct {
	freqs bleve.TokenFrequencies
}

func newPackedField(m docTerms) *packedField {
	freqs := make(bleve.TokenFrequencies, len(m))
	backing := make([]bleve.TokenFreq, len(m))
	i := 0
	for term, q := range m {
		tf := &backing[i]
		tf.Term = []byte(term)
		tf.SetFrequency(int(q))
		freqs[term] = tf
		i++
	}
	return &packedField{freqs}
}

func (p *packedField) Name() string                        { return termField }
func (p *packedField) ArrayPositions() []uint64            { return nil }
func (p *packedField) Options() bleve.FieldIndexingOptions { return bleve.IndexField }
func (p *packedField) Analyze()                            {} // done already, on all processors
func (p *packedField) Value() []byte                       { return nil }
func (p *packedField) NumPlainTextBytes() uint64           { return 0 }
func (p *packedField) Size() int                           { return 0 }
func (p *packedField) EncodedFieldType() byte              { return 't' }
func (p *packedField) AnalyzedLength() int                 { return len(p.freqs) }
func (p *packedField) AnalyzedTokenFrequencies() bleve.TokenFrequencies {
	return p.freqs
}

// analyzed is one document on its way into a segment.
type analyzed struct {
	terms docTerms
	doc   Doc
}

// writeSegment writes a scorch index of docs to dir and their table to
// dir + ".docs". docs come from next until it returns false. It returns how many
// there were and the terms per field.
func writeSegment(dir string, next func() (analyzed, bool, error)) (n int, total [NumFields]int64, err error) {
	scratch := dir + ".build"
	if err := os.MkdirAll(scratch, 0o700); err != nil {
		return 0, total, err
	}
	defer os.RemoveAll(scratch)
	b, err := scorch.NewBuilder(map[string]any{"path": dir, "buildPathPrefix": scratch})
	if err != nil {
		return 0, total, fmt.Errorf("index: builder: %w", err)
	}
	var docs []Doc
	for {
		a, ok, err := next()
		if err != nil {
			return 0, total, err
		}
		if !ok {
			break
		}
		d := document.NewDocument(strconv.Itoa(len(docs)))
		d.AddField(newPackedField(a.terms))
		if err := b.Index(d); err != nil {
			return 0, total, fmt.Errorf("index: add %s: %w", a.doc.ID, err)
		}
		for f, l := range a.doc.Lengths {
			total[f] += int64(l)
		}
		docs = append(docs, a.doc)
	}
	if len(docs) == 0 {
		return 0, total, nil // scorch has no empty segments; the manifest says zero documents
	}
	if err := b.Close(); err != nil {
		return 0, total, fmt.Errorf("index: write %s: %w", dir, err)
	}
	// bleve numbers documents as it likes; the table follows its numbers.
	s, err := openScorch(dir)
	if err != nil {
		return 0, total, err
	}
	defer s.close()
	ordered := make([]Doc, len(docs))
	for num := range ordered {
		id, err := s.reader.ExternalID(binary.BigEndian.AppendUint64(nil, uint64(num)))
		if err != nil {
			return 0, total, fmt.Errorf("index: %s: document %d: %w", dir, num, err)
		}
		i, err := strconv.Atoi(id)
		if err != nil || i >= len(docs) {
			return 0, total, fmt.Errorf("index: %s: document %d has id %q", dir, num, id)
		}
		ordered[num] = docs[i]
	}
	if err := writeDocs(dir+".docs", ordered); err != nil {
		return 0, total, err
	}
	return len(docs), total, syncTree(dir)
}

// scorchIndex is a scorch index opened for reading only, without its goroutines.
type scorchIndex struct {
	index  *scorch.Scorch
	reader bleve.IndexReader
}

func openScorch(dir string) (*scorchIndex, error) {
	// scorch would create what is missing, even when told to read only.
	if _, err := os.Stat(filepath.Join(dir, "root.bolt")); err != nil {
		return nil, err
	}
	x, err := scorch.NewScorch(scorch.Name, map[string]any{
		"path": dir, "read_only": true, "bolt_timeout": "20ms",
	}, nil)
	if err != nil {
		return nil, fmt.Errorf("index: open %s: %w", dir, err)
	}
	s := x.(*scorch.Scorch)
	if err := s.OpenMeta(); err != nil {
		return nil, fmt.Errorf("index: open %s: %w", dir, err)
	}
	r, err := s.Reader()
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("index: open %s: %w", dir, err)
	}
	return &scorchIndex{s, r}, nil
}

func (s *scorchIndex) close() error {
	if s == nil {
		return nil
	}
	s.reader.Close()
	return s.index.Close()
}

// syncTree flushes every file below dir, and dir, to the disk.
func syncTree(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := syncPath(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return syncPath(dir)
}

func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
