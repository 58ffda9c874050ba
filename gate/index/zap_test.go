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

	zap "github.com/blevesearch/zapx/v17"

	"github.com/skillgate/skillgate/gate/index/zapfile"
	"github.com/skillgate/skillgate/gate/system"
)

// everyField is the largest packed frequency there is.
const everyField Freq = 1<<(8+6+6+6+6+MaxGroups+5+4) - 1

// someZap writes a zap file of n documents: document i has the term "all" i+1 times
// in its body, the term "most" unless i is 3, and a term of its own in every field.
func someZap(t testing.TB, n, batch, merge int) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "base.zap")
	err := zapfile.WriteParts(file, func(yield func(map[string]Freq, error) bool) {
		for i := range n {
			terms := docTerms{"all": Freq(i + 1), fmt.Sprint("own", i): everyField}
			if i != 3 {
				terms["most"] = 1
			}
			if !yield(terms, nil) {
				return
			}
		}
	}, batch, merge)
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*")); len(left) != 1 {
		t.Errorf("WriteParts left %q, want the one file", left)
	}
	return file
}

// found reads all postings of a term.
func found(t *testing.T, z *zapFile, term string) map[uint32]Freq {
	t.Helper()
	n, err := z.find(term)
	if err != nil {
		t.Fatal(err)
	}
	out := map[uint32]Freq{}
	var list Postings
	if err := z.read(&list, 0, nil); err != nil {
		t.Fatal(err)
	}
	last := -1
	for i, doc := range list.Numbers {
		if int(doc) <= last {
			t.Errorf("read(%q): document %d after %d, want ascending numbers", term, doc, last)
		}
		last = int(doc)
		out[doc] = list.Freq(i)
	}
	if n != len(out) {
		t.Errorf("find(%q) = %d, want the %d that read gives", term, n, len(out))
	}
	return out
}

// Documents keep the numbers of their order, however many files they went through.
func TestZapKeepsNumbers(t *testing.T) {
	tests := []struct {
		name            string
		n, batch, merge int
	}{
		{"one document", 1, 10, 10},
		{"one file", 20, 100, 2},
		{"a full batch", 20, 20, 2},
		{"files merged at once", 20, 3, 10},
		{"files merged in three rounds", 20, 3, 2},
		{"one file left over in a round", 20, 4, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := someZap(t, tt.n, tt.batch, tt.merge)
			if err := checkZap(file); err != nil {
				t.Errorf("checkZap of a new file: %v", err)
			}
			z, err := openZap(file, tt.n)
			if err != nil {
				t.Fatal(err)
			}
			defer z.close()
			all := found(t, z, "all")
			for i := range tt.n {
				if got, want := all[uint32(i)], Freq(i+1); got != want {
					t.Errorf("document %d has \"all\" %d times, want %d", i, got, want)
				}
				own := found(t, z, fmt.Sprint("own", i))
				if len(own) != 1 || own[uint32(i)] != everyField {
					t.Errorf("\"own%d\" is in %v, want %d with %d", i, own, i, everyField)
				}
			}
			want := tt.n
			if tt.n > 3 {
				want--
			}
			if most := found(t, z, "most"); len(most) != want || most[3] != 0 || most[0] != 1 {
				t.Errorf("\"most\" is in %v, want %d documents without 3", most, want)
			}
			if none := found(t, z, "none"); len(none) != 0 {
				t.Errorf("\"none\" is in %v, want nothing", none)
			}
		})
	}
}

// Zap's own reader is slower, and reads the same of every kind of list: of one posting, of few,
// of many and of all documents, within 65,536 numbers and beyond.
func TestZapReadsWhatZapDoes(t *testing.T) {
	const n = 1<<16 + 3000
	file := filepath.Join(t.TempDir(), "base.zap")
	random := rand.New(rand.NewPCG(1, 1))
	err := zapfile.WriteParts(file, func(yield func(map[string]Freq, error) bool) {
		for i := range n {
			terms := docTerms{"all": Freq(random.Uint64N(1<<random.IntN(50))) + 1}
			for _, term := range []struct {
				name string
				one  int // document in so many
			}{{"half", 2}, {"tenth", 10}, {"few", 1000}} {
				if random.IntN(term.one) == 0 {
					terms[term.name] = Freq(random.Uint64N(300)) + 1
				}
			}
			switch i {
			case 5:
				terms["once"] = 1
			case n - 1:
				terms["last"] = everyField
			}
			if !yield(terms, nil) {
				return
			}
		}
	}, n/2+1, 2)
	if err != nil {
		t.Fatal(err)
	}
	z, err := openZap(file, n)
	if err != nil {
		t.Fatal(err)
	}
	defer z.close()
	segment, err := new(zap.ZapPlugin).Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer segment.Close()
	dict, err := segment.Dictionary(zapfile.Field)
	if err != nil {
		t.Fatal(err)
	}
	for _, term := range []string{"all", "half", "tenth", "few", "once", "last", "none"} {
		list, err := dict.PostingsList([]byte(term), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := map[uint32]Freq{}
		for it := list.Iterator(true, false, false, nil); ; {
			p, err := it.Next()
			if err != nil {
				t.Fatal(err)
			}
			if p == nil {
				break
			}
			want[uint32(p.Number())] = Freq(p.Frequency())
		}
		if got := found(t, z, term); !maps.Equal(got, want) {
			t.Errorf("%q has %d postings, %d as zap reads them, or others", term, len(got), len(want))
		}
	}
}

func TestOpenZapRefuses(t *testing.T) {
	file := someZap(t, 20, 6, 10)
	if _, err := openZap(filepath.Join(t.TempDir(), "base.zap"), 20); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("openZap of no file: %v, want fs.ErrNotExist", err)
	}
	if _, err := openZap(file, 21); err == nil || !strings.Contains(err.Error(), "20 documents, the manifest says 21") {
		t.Errorf("openZap of 20 documents as 21: %v, want both numbers", err)
	}
	fi, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	for size := fi.Size() - 1; size >= 0; size-- {
		if err := os.Truncate(file, size); err != nil {
			t.Fatal(err)
		}
		if z, err := openZap(file, 20); err == nil {
			t.Errorf("openZap of %d of %d bytes: no error", size, fi.Size())
			z.close()
		}
	}
}

// Every bit counts.
func TestCheckZapFindsTurnedBits(t *testing.T) {
	file := someZap(t, 20, 6, 10)
	if err := checkZap(file); err != nil {
		t.Errorf("checkZap of a whole file: %v", err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for at, b := range whole {
		_, err1 := f.WriteAt([]byte{b ^ 1<<(at%8)}, int64(at))
		found := checkZap(file)
		_, err2 := f.WriteAt([]byte{b}, int64(at))
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if found == nil {
			t.Errorf("checkZap with bit %d of byte %d turned: no error", at%8, at)
		}
	}
}

// Ranking counts on numbers that ascend below the number of documents, and memory is taken for as
// many as find says: from a damaged file come these or an error.
func TestDamagedListsAscend(t *testing.T) {
	const n = 3000
	file := someZap(t, n, 1000, 10)
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 3000 {
		at := random.IntN(len(whole))
		if _, err := f.WriteAt([]byte{whole[at] ^ byte(1+random.IntN(255))}, int64(at)); err != nil {
			t.Fatal(err)
		}
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
		if _, err := f.WriteAt(whole[at:at+1], int64(at)); err != nil {
			t.Fatal(err)
		}
	}
	if refused == 0 {
		t.Error("no damage was noticed")
	}
}

// readDamaged reads a term's documents.
func readDamaged(file string, n int, term string) ([]uint32, error) {
	z, err := openZap(file, n)
	if err != nil {
		return nil, err
	}
	defer z.close()
	count, err := z.find(term)
	if err != nil {
		return nil, err
	}
	if count > n {
		return []uint32{uint32(count)}, nil
	}
	var list Postings
	list.Reserve(count)
	err = z.read(&list, 0, nil)
	return list.Numbers, err
}

// A list that says it is longer than the library takes no memory.
func TestTooLongAListIsRefused(t *testing.T) {
	z, err := openZap(someZap(t, 3000, 1000, 10), 3000)
	if err != nil {
		t.Fatal(err)
	}
	defer z.close()
	z.docs = 100
	if count, err := z.find("most"); err == nil {
		t.Errorf("find = %d of 100 documents, want an error", count)
	}
}

func TestCloseUnmaps(t *testing.T) {
	file := someZap(t, 20, 6, 10)
	mapped := func() bool {
		maps, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Skip(err)
		}
		return bytes.Contains(maps, []byte(file))
	}
	z, err := openZap(file, 20)
	if err != nil {
		t.Fatal(err)
	}
	if !mapped() {
		t.Fatal("the open file is not mapped")
	}
	if z.close(); mapped() {
		t.Error("the file is still mapped after close()")
	}
}

// A file that is cut while it is mapped is an error, in whatever goroutine it is read.
func TestCutWhileOpen(t *testing.T) {
	file := someZap(t, 3000, 1000, 10)
	z, err := openZap(file, 3000)
	if err != nil {
		t.Fatal(err)
	}
	defer z.close()
	if _, err := z.find("all"); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, 0); err != nil {
		t.Fatal(err)
	}
	var read, found error
	var other sync.WaitGroup
	other.Go(func() {
		read = z.read(new(Postings), 0, nil)
		_, found = z.find("most")
	})
	other.Wait()
	if !errors.Is(read, system.ErrCaught) || !errors.Is(found, system.ErrCaught) {
		t.Errorf("read = %v, find = %v, want errors that wrap system.ErrCaught", read, found)
	}
}
