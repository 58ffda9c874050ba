package index

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// listWriter writes a file of postings. Documents are numbered in the order in which they are added. It holds about
// `most` bytes in memory; beyond that it writes parts, which finish merges.
type listWriter struct {
	file  string
	most  int
	docs  uint32
	held  map[string]int // index in lists, by term
	lists []termList
	size  int // approximate bytes in memory
	parts []*os.File
}

type termList struct {
	term  string
	hash  uint64 // termHash of term
	count uint64
	next  uint32 // number of the last document plus 1
	text  []byte
}

func (l *termList) add(doc uint32, q Freq) {
	gap := uint64(doc-l.next) << 1
	if q == 1 {
		l.text = binary.AppendUvarint(l.text, gap|1)
	} else {
		l.text = binary.AppendUvarint(binary.AppendUvarint(l.text, gap), uint64(q))
	}
	l.count++
	l.next = doc + 1
}

// mostHeld is the memory limit in bytes, enough for the postings of about 4,000 skills.
const mostHeld = 48 << 20

// termCost is the approximate memory, in bytes, that a term takes in addition to its postings.
const termCost = 128

func newListWriter(file string, most int) *listWriter {
	return &listWriter{file: file, most: most, held: map[string]int{}}
}

func (w *listWriter) add(terms docTerms) error {
	for _, t := range terms {
		i, ok := w.held[t.term]
		if !ok {
			term := strings.Clone(t.term) // a substring would keep the whole text in memory
			i = len(w.lists)
			w.held[term] = i
			w.lists = append(w.lists, termList{term: term, hash: termHash(term)})
			w.size += termCost
		}
		before := len(w.lists[i].text)
		w.lists[i].add(w.docs, t.freq)
		w.size += len(w.lists[i].text) - before
	}
	if w.docs++; w.size < w.most {
		return nil
	}
	return w.flush()
}

func (w *listWriter) flush() error {
	part, err := w.write(fmt.Sprintf("%s.%d", w.file, len(w.parts)+1), len(w.lists), w.sorted())
	if err != nil {
		return err
	}
	w.parts = append(w.parts, part)
	clear(w.held)
	clear(w.lists)
	w.lists, w.size = w.lists[:0], 0
	return nil
}

// sorted yields the lists in memory, ordered by termHash.
func (w *listWriter) sorted() iter.Seq2[*termList, error] {
	type key struct {
		hash uint64
		list *termList
	}
	keys := make([]key, len(w.lists))
	for i := range w.lists {
		keys[i] = key{w.lists[i].hash, &w.lists[i]}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.hash != b.hash {
			return cmp.Compare(a.hash, b.hash)
		}
		return strings.Compare(a.list.term, b.list.term)
	})
	return func(yield func(*termList, error) bool) {
		for _, k := range keys {
			if !yield(k.list, nil) {
				return
			}
		}
	}
}

// finish writes and syncs the file. If there are no documents, it creates no file.
func (w *listWriter) finish() error {
	if w.docs == 0 {
		return nil
	}
	lists, terms := w.sorted(), len(w.lists)
	if len(w.parts) > 0 {
		if len(w.lists) > 0 {
			if err := w.flush(); err != nil {
				return err
			}
		}
		w.lists, w.held = nil, nil
		var err error
		if lists, terms, err = w.merged(); err != nil {
			return err
		}
	}
	f, err := w.write(w.file, terms, lists)
	if err == nil {
		err = errors.Join(f.Sync(), f.Close())
	}
	return err
}

func (w *listWriter) close() error {
	var err error
	for _, part := range w.parts {
		err = errors.Join(err, disk.Discard(part))
	}
	return err
}

// write writes lists, which must be ordered by termHash, to a new file with max(1, buckets) buckets.
func (w *listWriter) write(file string, buckets int, lists iter.Seq2[*termList, error]) (f *os.File, err error) {
	f, err = os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	defer func(made *os.File) {
		if err != nil {
			err = errors.Join(err, made.Close())
		}
	}(f)
	sum := crc32.NewIEEE()
	out := bufio.NewWriterSize(io.MultiWriter(f, sum), 1<<18)
	foot := listFooter{Docs: w.docs, Buckets: uint32(max(1, buckets))}
	copy(foot.Magic[:], listMagic)
	table := make([]byte, 0, 4*(int(foot.Buckets)+1))
	at := uint64(0)
	var head []byte
	for l, err := range lists {
		if err != nil {
			return nil, err
		}
		for len(table) <= 4*bucketOf(l.hash, foot.Buckets) {
			table = binary.LittleEndian.AppendUint32(table, uint32(at))
		}
		head = append(binary.AppendUvarint(head[:0], uint64(len(l.term))), l.term...)
		head = binary.AppendUvarint(binary.AppendUvarint(head, l.count), uint64(len(l.text)))
		if at += uint64(len(head) + len(l.text)); at > math.MaxUint32 {
			return nil, errors.New("the postings take more than 4 GiB")
		}
		out.Write(head) // Flush returns the error
		out.Write(l.text)
	}
	for len(table) < cap(table) {
		table = binary.LittleEndian.AppendUint32(table, uint32(at))
	}
	out.Write(table)
	end, err := binary.Append(nil, binary.LittleEndian, foot)
	if err != nil {
		return nil, err
	}
	out.Write(end[:len(end)-crc32.Size])
	if err := out.Flush(); err != nil {
		return nil, err
	}
	_, err = f.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return f, err
}

// merged returns the lists of all parts, ordered by termHash, and an upper bound of their number.
func (w *listWriter) merged() (lists iter.Seq2[*termList, error], terms int, err error) {
	parts := make([]*partReader, 0, len(w.parts))
	closeAll := func() {
		for _, p := range parts {
			p.close()
		}
	}
	for _, part := range w.parts {
		l, err := openPart(part.Name())
		if err != nil {
			closeAll()
			return nil, 0, err
		}
		p := &partReader{listFile: l}
		p.step()
		parts = append(parts, p)
		terms += len(l.buckets)/4 - 1
	}
	return func(yield func(*termList, error) bool) {
		defer closeAll()
		var list termList
		var found Postings
		for {
			var first *partReader
			for _, p := range parts {
				if p.term != nil && (first == nil || p.before(first)) {
					first = p
				}
			}
			if first == nil {
				return
			}
			list = termList{term: string(first.term), hash: first.hash, text: list.text[:0]}
			for _, p := range parts {
				if p.term == nil || p.hash != list.hash || string(p.term) != list.term {
					continue
				}
				found.Reset()
				if err := p.decode(&found, 0, nil); err != nil {
					yield(nil, err)
					return
				}
				for i, doc := range found.Numbers {
					list.add(doc, found.Freq(i))
				}
				p.step()
			}
			if !yield(&list, nil) {
				return
			}
		}
	}, terms, nil
}

type partReader struct {
	*listFile
	term []byte // nil after the last record
	hash uint64
}

func openPart(file string) (*listFile, error) {
	data, err := regular.Map(file)
	if err != nil {
		return nil, err
	}
	l, err := newLists(data)
	if err != nil {
		system.Unmap(data)
	}
	return l, err
}

func (p *partReader) step() {
	if p.term = nil; len(p.records) == 0 {
		return
	}
	term, count, text := p.records.record()
	p.term, p.hash, p.count, p.text = term, termHash(string(term)), int(count), text
}

func (p *partReader) before(q *partReader) bool {
	return cmp.Or(cmp.Compare(p.hash, q.hash), bytes.Compare(p.term, q.term)) < 0
}
