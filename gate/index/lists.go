package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/bits"
	"slices"

	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// listFile is a mapped file of postings, for use by one goroutine at a time. Numbers of fixed size are
// little-endian, the others are uvarints:
//
//	records    for each term, by bucket: the length of the term, the term, the number of postings, the length of the
//	           postings in bytes, and the postings in ascending order of documents. A posting is 2·gap+1 if its
//	           frequency is 1, else 2·gap and the frequency. gap is the number of documents between it and its
//	           predecessor.
//	buckets    the offset of each bucket's records (uint32), and the end of the last bucket's records
//	footer     listFooter
//
// A term is in bucket ⌊termHash·buckets/2⁶⁴⌋. There are about as many buckets as terms, so that a look-up reads the
// file in two places.
type listFile struct {
	data    []byte   // the whole file
	records listText // the records: all bytes before the buckets
	buckets listText
	docs    int

	// Result of the last call of find:
	count int
	text  listText // encoded postings
}

// listFooter is the end of a file of postings.
type listFooter struct {
	Magic   [8]byte // listMagic
	Docs    uint32
	Buckets uint32
	CRC     uint32 // CRC-32 of all bytes before it
}

const (
	listMagic      = "SGLISTS1"
	listFooterSize = len(listMagic) + 4 + 4 + crc32.Size
)

// termHash returns the FNV-1a hash of a term, mixed so that the upper bits differ between terms.
func termHash(term string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(term) {
		h = (h ^ uint64(term[i])) * 1099511628211
	}
	h = (h ^ h>>32) * 0x9e3779b97f4a7c15
	return h ^ h>>32
}

func bucketOf(hash uint64, buckets uint32) int {
	bucket, _ := bits.Mul64(hash, uint64(buckets))
	return int(bucket)
}

var errLists = errors.New("the postings file is damaged")

// openLists maps a postings file that must have docs documents. It does not verify the checksum, so find or read may
// report damage later or return wrong postings.
func openLists(file string, docs int) (*listFile, error) {
	data, err := regular.Map(file)
	if err != nil {
		return nil, err
	}
	var l *listFile
	if err := system.Caught(func() error { l, err = newLists(data); return err }); err != nil {
		system.Unmap(data)
		return nil, err
	}
	if l.docs != docs {
		system.Unmap(data)
		return nil, fmt.Errorf("the file has %d documents, but the manifest says %d", l.docs, docs)
	}
	return l, nil
}

func newLists(data []byte) (*listFile, error) {
	if len(data) < listFooterSize {
		return nil, fmt.Errorf("%w: it has only %d bytes", errLists, len(data))
	}
	at := len(data) - listFooterSize
	var foot listFooter
	if _, err := binary.Decode(data[at:], binary.LittleEndian, &foot); err != nil {
		return nil, err
	}
	if string(foot.Magic[:]) != listMagic {
		return nil, fmt.Errorf("%w: its last bytes are wrong", errLists)
	}
	size := 4 * (uint64(foot.Buckets) + 1)
	if foot.Buckets == 0 || size > uint64(at) {
		return nil, fmt.Errorf("%w: %d buckets do not fit in %d bytes", errLists, foot.Buckets, len(data))
	}
	start := at - int(size)
	return &listFile{data: data, records: data[:start], buckets: data[start:at], docs: int(foot.Docs)}, nil
}

// listText is an unread part of a file. Its methods panic if it ends early.
type listText []byte

func (b *listText) uvarint() uint64 {
	v, n := b.uvarintAt(0)
	*b = (*b)[n:]
	return v
}

// uvarintAt returns the number at offset at and the offset after it.
func (b listText) uvarintAt(at int) (v uint64, next int) {
	v, n := binary.Uvarint(b[at:])
	if n <= 0 {
		panic("a number is cut")
	}
	return v, at + n
}

func (b *listText) take(n uint64) listText {
	out := (*b)[:n]
	*b = (*b)[n:]
	return out
}

func (b *listText) record() (term []byte, count uint64, text listText) {
	term = b.take(b.uvarint())
	count = b.uvarint()
	return term, count, b.take(b.uvarint())
}

func (l *listFile) close() {
	if l == nil {
		return
	}
	data := l.data
	*l = listFile{}
	system.Unmap(data)
}

// find looks up a term and returns the number of its postings, which read then decodes.
func (l *listFile) find(term string) (n int, err error) {
	l.count = 0
	err = system.Caught(func() error { n, err = l.lookUp(term); return err })
	return n, err
}

func (l *listFile) lookUp(term string) (int, error) {
	at := l.buckets[4*bucketOf(termHash(term), uint32(len(l.buckets)/4-1)):]
	from, to := binary.LittleEndian.Uint32(at), binary.LittleEndian.Uint32(at[4:])
	for bucket := l.records[from:to]; len(bucket) > 0; {
		found, count, text := bucket.record()
		if string(found) != term {
			continue
		}
		if count > uint64(l.docs) || count > uint64(len(text)) {
			return 0, fmt.Errorf("a term has %d postings, but the index has only %d documents and the list only %d bytes",
				count, l.docs, len(text))
		}
		l.count, l.text = int(count), text
		break
	}
	return l.count, nil
}

// read appends the postings of the term that find found, without the dead documents, and adds first to the document
// numbers. If the file is damaged, it returns an error or wrong but ascending numbers.
func (l *listFile) read(to *Postings, first uint32, dead []uint32) error {
	if l.count == 0 {
		return nil
	}
	return system.Caught(func() error { return l.decode(to, first, dead) })
}

func (l *listFile) decode(to *Postings, first uint32, dead []uint32) error {
	text, at, next := l.text, 0, uint64(0)
	numbers, freqs := to.Numbers, to.freqs // local copies stay in registers
	for range l.count {
		gap := uint64(text[at])
		if at++; gap >= 0x80 {
			gap, at = text.uvarintAt(at - 1)
		}
		q := Freq(1)
		if gap&1 == 0 {
			q = Freq(text[at])
			if at++; q >= 0x80 {
				var wide uint64
				wide, at = text.uvarintAt(at - 1)
				q = Freq(wide)
			}
		}
		if gap>>1 >= uint64(l.docs)-next {
			return fmt.Errorf("a term has a posting for document %d, but the index has only %d documents", next+gap>>1, l.docs)
		}
		doc := uint32(next + gap>>1)
		next = uint64(doc) + 1
		if len(dead) > 0 {
			if _, gone := slices.BinarySearch(dead, doc); gone {
				continue
			}
		}
		numbers = append(numbers, first+doc)
		freqs = append(freqs, to.kept(q))
	}
	to.Numbers, to.freqs = numbers, freqs
	return nil
}

func checkLists(file string) error {
	data, err := regular.Map(file)
	if err != nil {
		return err
	}
	defer system.Unmap(data)
	if _, err := newLists(data); err != nil { // stop before reading a huge file of another kind
		return fmt.Errorf("%s: %w", file, err)
	}
	body := data[:len(data)-crc32.Size]
	if got, want := crc32.ChecksumIEEE(body), binary.LittleEndian.Uint32(data[len(body):]); got != want {
		return fmt.Errorf("%s: the checksum is %08x instead of %08x", file, got, want)
	}
	return nil
}
