package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/blevesearch/vellum"

	"github.com/skillgate/skillgate/gate/system"
)

// zapFile is a zap file, mapped for reading. It is for one goroutine at a time.
//
// It reads what zap's own reader would, a whole list at a time and nothing that a search has
// no use for. The format is that of zapx v17 (its zap.md): a term's entry in the
// dictionary is where its postings are; those are where its frequencies are, a bitmap of
// document numbers in roaring's portable format, and for each document in turn the varints
// 2·frequency and norm, in chunks that follow each other.
type zapFile struct {
	data  []byte // the whole file
	fst   *vellum.FST
	terms *vellum.Reader
	docs  int // how many documents there are

	// Of the last term:
	count  int
	single uint32 // the document, where freqs is nil
	bitmap bitmap // else the documents
	freqs  []byte // from that of the first document on; nil where it is one, with frequency 1
}

// zapVersion and zapChunks are what zapx v17 writes.
const (
	zapVersion = 17
	zapChunks  = 1026
	zapField   = "t" // zapfile.Field
)

// zapFooter is the last bytes of a zap file, big-endian.
type zapFooter struct {
	Name    uint32 // length of the encoder's name, which comes before the footer
	Docs    uint64
	Stored  uint64 // offset of the stored fields
	Fields  uint64 // offset of the fields
	Chunks  uint32 // how postings are divided
	Version uint32
	CRC     uint32 // CRC-32 of all bytes before it
}

const zapFooterSize = 4 + 8 + 8 + 8 + 4 + 4 + 4

// openZap maps a zap file of that many documents. Damage that it does not notice is an
// error of find or read, or gives other postings.
func openZap(file string, docs int) (*zapFile, error) {
	data, err := mapFile(file)
	if err != nil {
		return nil, err
	}
	var z *zapFile
	if err := system.Caught(func() error { z, err = newZap(data, docs); return err }); err != nil {
		unmap(data)
		return nil, err
	}
	return z, nil
}

func newZap(data []byte, docs int) (*zapFile, error) {
	if len(data) < zapFooterSize {
		return nil, fmt.Errorf("%d bytes are not a zap file", len(data))
	}
	var foot zapFooter
	if _, err := binary.Decode(data[len(data)-zapFooterSize:], binary.BigEndian, &foot); err != nil {
		return nil, err
	}
	switch {
	case foot.Version != zapVersion:
		return nil, fmt.Errorf("zap version %d, want %d", foot.Version, zapVersion)
	case foot.Docs != uint64(docs):
		return nil, fmt.Errorf("%d documents, the manifest says %d", foot.Docs, docs)
	case foot.Name != 0 || foot.Chunks != zapChunks:
		return nil, errors.New("not a zap file of this index")
	}
	at, ok := dictionary(data, foot.Fields)
	if !ok {
		return nil, fmt.Errorf("no field %q", zapField)
	}
	b := zapBytes(data[at:])
	fst, err := vellum.Load(b.take(b.uvarint()))
	if err != nil {
		return nil, err
	}
	return (&zapFile{data: data, fst: fst, docs: docs}).another()
}

// dictionary finds that of our one field.
func dictionary(data []byte, fields uint64) (at uint64, ok bool) {
	index := zapBytes(data[fields:])
	for range index.uvarint() {
		field := zapBytes(data[binary.BigEndian.Uint64(index.take(8)):])
		name := field.take(field.uvarint())
		field.uvarint() // options
		for range field.uvarint() {
			section, at := binary.BigEndian.Uint16(field.take(2)), binary.BigEndian.Uint64(field.take(8))
			if string(name) == zapField && section == 0 && at > 0 { // the inverted index
				text := zapBytes(data[at:])
				text.uvarint() // two offsets of document values
				text.uvarint()
				return text.uvarint(), true
			}
		}
	}
	return 0, false
}

// zapBytes are read from the start on. It panics at their end.
type zapBytes []byte

func (b *zapBytes) uvarint() uint64 {
	v, n := binary.Uvarint(*b)
	if n <= 0 {
		panic("a number is cut")
	}
	*b = (*b)[n:]
	return v
}

func (b *zapBytes) take(n uint64) []byte {
	out := (*b)[:n]
	*b = (*b)[n:]
	return out
}

// another is a second reader of the same mapped file.
func (z *zapFile) another() (*zapFile, error) {
	terms, err := z.fst.Reader()
	if err != nil {
		return nil, err
	}
	return &zapFile{data: z.data, fst: z.fst, terms: terms, docs: z.docs}, nil
}

func (z *zapFile) close() {
	if z == nil {
		return
	}
	data := z.data
	*z = zapFile{}
	unmap(data)
}

// A dictionary's value with singleMark is a document that alone holds the term, once.
const (
	singleMark = 1 << 63
	singleDoc  = 1<<31 - 1
)

// find looks up a term and returns how many documents have it. Its postings are
// read's.
func (z *zapFile) find(term string) (n int, err error) {
	err = system.Caught(func() error { n, err = z.lookUp(term); return err })
	return n, err
}

func (z *zapFile) lookUp(term string) (int, error) {
	z.count, z.freqs = 0, nil
	at, ok, err := z.terms.Get([]byte(term))
	if !ok || err != nil {
		return 0, err
	}
	if at&singleMark != 0 {
		z.count, z.single = 1, uint32(at&singleDoc)
		return 1, nil
	}
	b := zapBytes(z.data[at:])
	freqs := zapBytes(z.data[b.uvarint():])
	b.uvarint() // where the positions would be
	if z.bitmap, err = newBitmap(b.take(b.uvarint())); err != nil {
		return 0, err
	}
	count := z.bitmap.count()
	if count > z.docs {
		return 0, fmt.Errorf("%d of %d documents", count, z.docs)
	}
	for range freqs.uvarint() { // ends of chunks
		freqs.uvarint()
	}
	z.count, z.freqs = count, freqs
	return count, nil
}

// read appends the postings of the term that was found, but those of dead documents; the first
// document has the number first. Numbers ascend, also in a damaged file: others are an error.
func (z *zapFile) read(to *Postings, first uint32, dead []uint32) error {
	if z.count == 0 {
		return nil
	}
	return system.Caught(func() error { return z.decode(to, first, dead) })
}

func (z *zapFile) decode(to *Postings, first uint32, dead []uint32) error {
	from := len(to.Numbers)
	docs := slices.Grow(to.Numbers, z.count)[from : from+z.count]
	if z.freqs == nil {
		docs[0] = z.single
	} else {
		docs = docs[:z.bitmap.read(docs)]
	}
	freqs, least := z.freqs, 0
	for _, doc := range docs { // add writes no further than it was read
		if int(doc) < least || int(doc) >= z.docs {
			return fmt.Errorf("document %d of %d behind %d", doc, z.docs, least-1)
		}
		least = int(doc) + 1
		q := Freq(1)
		switch {
		case freqs == nil:
		case freqs[0] < 0x80 && freqs[1] < 0x80: // most
			q, freqs = Freq(freqs[0]>>1), freqs[2:]
		default:
			b := zapBytes(freqs)
			q = Freq(b.uvarint() >> 1)
			b.uvarint() // norm
			freqs = b
		}
		if len(dead) > 0 {
			if _, gone := slices.BinarySearch(dead, doc); gone {
				continue
			}
		}
		to.add(first+doc, q)
	}
	return nil
}

// checkZap reads a whole zap file and compares it with its checksum.
func checkZap(file string) error {
	data, err := mapFile(file)
	if err != nil {
		return err
	}
	defer unmap(data)
	if len(data) < zapFooterSize {
		return fmt.Errorf("%s: %d bytes are not a zap file", file, len(data))
	}
	body := data[:len(data)-crc32.Size]
	if version := binary.BigEndian.Uint32(body[len(body)-4:]); version != zapVersion { // a sparse file may be huge
		return fmt.Errorf("%s: zap version %d, want %d", file, version, zapVersion)
	}
	if got, want := crc32.ChecksumIEEE(body), binary.BigEndian.Uint32(data[len(body):]); got != want {
		return fmt.Errorf("%s: checksum %08x, the file says %08x", file, got, want)
	}
	return nil
}
