package index

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	bleve "github.com/blevesearch/bleve_index_api"
	zap "github.com/blevesearch/zapx/v17"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/synonyms"
)

// everyField is the largest packed frequency.
const everyField Freq = 1<<(8+6+6+6+6+MaxGroups+5+4) - 1

// writeLists writes the postings of documents with a writer that keeps at most `most` bytes in memory.
func writeLists(t testing.TB, most int, docs ...docTerms) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "base.lists")
	w := newListWriter(file, most)
	for _, terms := range docs {
		require.NoError(t, w.add(terms))
	}
	require.NoError(t, errors.Join(w.finish(), w.close()))
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*"))
	assert.Len(t, left, 1)
	return file
}

// someLists writes the postings of n documents. Document i has the term "all" i+1 times in its body, the term "most"
// unless i is 3, and a term of its own in every field.
func someLists(t testing.TB, n, most int) string {
	t.Helper()
	docs := make([]docTerms, n)
	for i := range docs {
		docs[i] = docTerms{{"all", Freq(i + 1)}, {fmt.Sprint("own", i), everyField}}
		if i != 3 {
			docs[i] = append(docs[i], termFreq{"most", 1})
		}
	}
	return writeLists(t, most, docs...)
}

func found(t *testing.T, l *listFile, term string) map[uint32]Freq {
	t.Helper()
	n, err := l.find(term)
	require.NoError(t, err)
	out := map[uint32]Freq{}
	var list Postings
	require.NoError(t, l.read(&list, 0, nil))
	last := -1
	for i, doc := range list.Numbers {
		assert.Greater(t, int(doc), last, "read(%q): document %d after %d, want ascending numbers", term, doc, last)
		last = int(doc)
		out[doc] = list.Freq(i)
	}
	assert.Equal(t, len(out), n, term)
	return out
}

// However many parts the writer makes, documents are numbered in their order and the file is the same.
func TestListsKeepNumbers(t *testing.T) {
	for _, n := range []int{1, 4, 20} {
		whole, err := os.ReadFile(someLists(t, n, 1<<20))
		require.NoError(t, err)
		for _, most := range []int{1, 500, 1000, 1 << 20} {
			t.Run(fmt.Sprintf("%d documents, %d bytes held", n, most), func(t *testing.T) {
				file := someLists(t, n, most)
				assert.NoError(t, checkLists(file))
				l, err := openLists(file, n)
				require.NoError(t, err)
				defer l.close()
				if !bytes.Equal(l.records, whole[:len(l.records)]) && len(l.buckets) == 4*(n+3) {
					t.Error("its records differ from those of a file that was not merged")
				}
				all := found(t, l, "all")
				for i := range n {
					got, want := all[uint32(i)], Freq(i+1)
					assert.Equal(t, want, got, i)
					own := found(t, l, fmt.Sprint("own", i))
					if len(own) != 1 || own[uint32(i)] != everyField {
						t.Errorf("\"own%d\" is in %v, want %d with %d", i, own, i, everyField)
					}
				}
				want := n
				if n > 3 {
					want--
				}
				if most := found(t, l, "most"); len(most) != want || most[3] != 0 || most[0] != 1 {
					t.Errorf("\"most\" is in %v, want %d documents without 3", most, want)
				}
				assert.Empty(t, found(t, l, "none"))
			})
		}
	}
}

// bleveField has the terms of a document in the form that bleve indexes.
type bleveField struct {
	name    string
	options bleve.FieldIndexingOptions
	terms   bleve.TokenFrequencies
}

func (f *bleveField) Name() string                                     { return f.name }
func (f *bleveField) ArrayPositions() []uint64                         { return nil }
func (f *bleveField) Options() bleve.FieldIndexingOptions              { return f.options }
func (f *bleveField) Analyze()                                         {}
func (f *bleveField) Value() []byte                                    { return nil }
func (f *bleveField) NumPlainTextBytes() uint64                        { return 0 }
func (f *bleveField) Size() int                                        { return 0 }
func (f *bleveField) EncodedFieldType() byte                           { return 't' }
func (f *bleveField) AnalyzedTokenFrequencies() bleve.TokenFrequencies { return f.terms }
func (f *bleveField) AnalyzedLength() int                              { return 1 }

type bleveDoc struct{ terms *bleveField }

func (d bleveDoc) VisitFields(visit bleve.FieldVisitor) {
	visit(&bleveField{name: "_id", options: bleve.StoreField})
	visit(d.terms)
}

func (d bleveDoc) ID() string                                 { return "" }
func (d bleveDoc) Size() int                                  { return 0 }
func (d bleveDoc) VisitComposite(bleve.CompositeFieldVisitor) {}
func (d bleveDoc) HasComposite() bool                         { return false }
func (d bleveDoc) NumPlainTextBytes() uint64                  { return 0 }
func (d bleveDoc) AddIDField()                                {}
func (d bleveDoc) StoredFieldsBytes() uint64                  { return 0 }
func (d bleveDoc) Indexed() bool                              { return true }

// byBleve calls visit for each term of an index that bleve builds from docs.
func byBleve(t *testing.T, docs []docTerms, visit func(term string, postings map[uint32]Freq)) {
	t.Helper()
	var list []bleve.Document
	for _, terms := range docs {
		f := &bleveField{"t", bleve.IndexField, bleve.TokenFrequencies{}}
		for _, t := range terms {
			f.terms[t.term] = new(bleve.TokenFreq)
			f.terms[t.term].SetFrequency(int(t.freq))
		}
		list = append(list, bleveDoc{f})
	}
	segment, _, err := new(zap.ZapPlugin).New(list)
	require.NoError(t, err)
	defer segment.Close()
	dict, err := segment.Dictionary("t")
	require.NoError(t, err)
	terms := dict.AutomatonIterator(nil, nil, nil)
	for {
		entry, err := terms.Next()
		require.NoError(t, err)
		if entry == nil {
			return
		}
		term := strings.Clone(entry.Term)
		postings, err := dict.PostingsList([]byte(term), nil, nil)
		require.NoError(t, err)
		found := map[uint32]Freq{}
		for it := postings.Iterator(true, false, false, nil); ; {
			p, err := it.Next()
			require.NoError(t, err)
			if p == nil {
				break
			}
			found[uint32(p.Number())] = Freq(p.Frequency())
		}
		visit(term, found)
	}
}

// The postings are exactly those of an index that bleve builds from the same documents.
func TestListsHoldWhatBleveDoes(t *testing.T) {
	files, err := filepath.Glob("../../testdata/library/*/SKILL.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	root := catalog.LibraryRoot("../../testdata/library")
	b := &builder{ctx: t.Context(), dict: synonyms.Default(), an: NewAnalyzer(synonyms.Default())}
	for _, file := range files {
		e, err := catalog.Read(root, catalog.File{Path: file, Folder: filepath.Base(filepath.Dir(file))})
		require.NoError(t, err)
		b.o.Entries = append(b.o.Entries, e)
	}
	b.o.Expansion = func(id, _ string) []string { return []string{"request for " + id, "이 일을 맡겨줘"} }
	require.NoError(t, b.scanEntries(nil))
	b.merge()
	b.linkAnchors()
	var library []docTerms
	for a, err := range b.analyseAll(b.docs) {
		require.NoError(t, err)
		library = append(library, a.terms)
	}
	random := rand.New(rand.NewPCG(1, 1))
	made := make([]docTerms, 1<<16+3000) // lists of one, few, many and all documents
	for i := range made {
		made[i] = docTerms{{"all", Freq(random.Uint64N(1<<random.IntN(50))) + 1}}
		for _, term := range []struct {
			name string
			one  int // one document in so many has the term
		}{{"half", 2}, {"tenth", 10}, {"few", 1000}} {
			if random.IntN(term.one) == 0 {
				made[i] = append(made[i], termFreq{term.name, Freq(random.Uint64N(300)) + 1})
			}
		}
	}
	made[5] = append(made[5], termFreq{"once", 1})
	made[len(made)-1] = append(made[len(made)-1], termFreq{"last", everyField})
	for name, docs := range map[string][]docTerms{"a library": library, "made lists": made} {
		for _, most := range []int{1 << 16, 1 << 30} {
			l, err := openLists(writeLists(t, most, docs...), len(docs))
			require.NoError(t, err)
			postings, terms := 0, 0
			byBleve(t, docs, func(term string, want map[uint32]Freq) {
				if got := found(t, l, term); !maps.Equal(got, want) {
					t.Errorf("%s, %d bytes held: %q has %d postings, %d in bleve's index, or others", name, most, term, len(got), len(want))
				}
				postings += len(want)
				terms++
			})
			held, records := 0, 0
			for rest := l.records; len(rest) > 0; records++ {
				_, count, _ := rest.record()
				held += int(count)
			}
			if held != postings || records != terms {
				t.Errorf("%s, %d bytes held: %d postings of %d terms, %d of %d in bleve's index", name, most, held, records, postings, terms)
			}
			l.close()
		}
	}
}

func TestOpenListsRefuses(t *testing.T) {
	file := someLists(t, 20, 500)
	if _, err := openLists(filepath.Join(t.TempDir(), "base.lists"), 20); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("openLists of no file: %v, want fs.ErrNotExist", err)
	}
	if _, err := openLists(file, 21); err == nil || !strings.Contains(err.Error(), "20 documents, but the manifest says 21") {
		t.Errorf("openLists of 20 documents as 21: %v, want both numbers", err)
	}
	fi, err := os.Stat(file)
	require.NoError(t, err)
	for size := fi.Size() - 1; size >= 0; size-- {
		require.NoError(t, os.Truncate(file, size))
		if l, err := openLists(file, 20); err == nil {
			t.Errorf("openLists of %d of %d bytes: no error", size, fi.Size())
			l.close()
		}
	}
}

func TestCheckListsFindsTurnedBits(t *testing.T) {
	file := someLists(t, 20, 500)
	assert.NoError(t, checkLists(file))
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	for at, b := range whole {
		_, err1 := f.WriteAt([]byte{b ^ 1<<(at%8)}, int64(at))
		found := checkLists(file)
		_, err2 := f.WriteAt([]byte{b}, int64(at))
		require.NoError(t, errors.Join(err1, err2))
		assert.Error(t, found, "checkLists with bit %d of byte %d turned: no error", at%8, at)
	}
}

// Ranking relies on ascending numbers below the number of documents, and on the number of postings that find returns. A
// damaged file gives these or an error.
func TestDamagedListsAscend(t *testing.T) {
	const n = 3000
	file := someLists(t, n, 1<<20)
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 3000 {
		at := random.IntN(len(whole))
		_, err := f.WriteAt([]byte{whole[at] ^ byte(1+random.IntN(255))}, int64(at))
		require.NoError(t, err)
		for _, term := range []string{"all", "most", "own5"} {
			list, err := readDamaged(file, n, term)
			if err != nil {
				refused++
				continue
			}
			last := -1
			for _, doc := range list {
				if int(doc) <= last || int(doc) >= n {
					t.Fatalf("byte %d turned: %q lists document %d of %d behind %d", at, term, doc, n, last)
				}
				last = int(doc)
			}
		}
		_, err = f.WriteAt(whole[at:at+1], int64(at))
		require.NoError(t, err)
	}
	assert.NotEqual(t, 0, refused, "no damage was noticed")
}

func readDamaged(file string, n int, term string) ([]uint32, error) {
	l, err := openLists(file, n)
	if err != nil {
		return nil, err
	}
	defer l.close()
	count, err := l.find(term)
	if err != nil {
		return nil, err
	}
	if count > n {
		return []uint32{uint32(count)}, nil
	}
	var list Postings
	list.Reserve(count)
	err = l.read(&list, 0, nil)
	return list.Numbers, err
}

func TestTooLongAListIsRefused(t *testing.T) {
	l, err := openLists(someLists(t, 3000, 1<<20), 3000)
	require.NoError(t, err)
	defer l.close()
	l.docs = 100
	count, err := l.find("most")
	assert.Error(t, err, "find = %d of 100 documents, want an error", count)
}

func TestCloseUnmaps(t *testing.T) {
	file := someLists(t, 20, 500)
	mapped := func() bool {
		maps, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Skip(err)
		}
		return bytes.Contains(maps, []byte(file))
	}
	l, err := openLists(file, 20)
	require.NoError(t, err)
	require.True(t, mapped(), "the open file is not mapped")
	if l.close(); mapped() {
		t.Error("the file is still mapped after close()")
	}
}

// If a file is truncated while it is mapped, reading fails with an error in any goroutine.
func TestCutWhileOpen(t *testing.T) {
	file := someLists(t, 3000, 1<<20)
	l, err := openLists(file, 3000)
	require.NoError(t, err)
	defer l.close()
	_, err = l.find("all")
	require.NoError(t, err)
	require.NoError(t, os.Truncate(file, 0))
	var read, found error
	var other sync.WaitGroup
	other.Go(func() {
		read = l.read(new(Postings), 0, nil)
		_, found = l.find("most")
	})
	other.Wait()
	require.ErrorIs(t, read, system.ErrCaught)
	assert.ErrorIs(t, found, system.ErrCaught)
}

// For any bytes, numbers ascend and there are no more of them than documents.
func FuzzLists(f *testing.F) {
	for _, n := range []int{1, 20} {
		text, err := os.ReadFile(someLists(f, n, 1<<20))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, "all")
		f.Add(text, "own0")
	}
	f.Fuzz(func(t *testing.T, text []byte, term string) {
		l, err := newLists(text)
		if err != nil {
			return
		}
		count, err := l.find(term)
		if err != nil {
			return
		}
		var list Postings
		err = l.read(&list, 0, nil)
		if count > l.docs || len(list.Numbers) > count || err == nil && len(list.Numbers) != count {
			t.Errorf("%d of %d postings in %d documents, %v", len(list.Numbers), count, l.docs, err)
		}
		for i, doc := range list.Numbers {
			if int(doc) >= l.docs || i > 0 && doc <= list.Numbers[i-1] {
				t.Errorf("documents %v of %d, want ascending ones", list.Numbers, l.docs)
			}
		}
	})
}
