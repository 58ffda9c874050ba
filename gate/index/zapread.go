package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	bleveseg "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// zapFile is a zap file, mapped for reading. It is for one goroutine at a time.
type zapFile struct {
	data     []byte // the whole file
	segment  *zap.SegmentBase
	terms    bleveseg.TermDictionary
	list     bleveseg.PostingsList     // of the last term, for its memory
	postings bleveseg.PostingsIterator // likewise
}

// zapFooter is the last bytes of a zap file, big-endian.
type zapFooter struct {
	Name    uint32 // length of the name of what encoded the file, which stands before the footer
	Docs    uint64
	Stored  uint64 // offset of the stored fields
	Fields  uint64 // offset of the fields
	Chunks  uint32 // how postings are divided
	Version uint32
	CRC     uint32 // CRC-32 of all bytes before it
}

// openZap maps a zap file of that many documents. Damage that it does not notice
// makes a look-up panic, or fault where the file was cut.
func openZap(file string, docs int) (_ *zapFile, err error) {
	data, err := mapFile(file)
	if err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("damaged: %v", r)
		}
		if err != nil {
			unmap(data)
		}
	}()
	if len(data) < zap.FooterSize {
		return nil, fmt.Errorf("%d bytes are not a zap file", len(data))
	}
	body := data[:len(data)-zap.FooterSize]
	var foot zapFooter
	if _, err := binary.Decode(data[len(body):], binary.BigEndian, &foot); err != nil {
		return nil, err
	}
	switch {
	case foot.Version != zap.Version:
		return nil, fmt.Errorf("zap version %d, want %d", foot.Version, zap.Version)
	case foot.Docs != uint64(docs):
		return nil, fmt.Errorf("%d documents, the manifest says %d", foot.Docs, docs)
	case foot.Name != 0 || foot.Chunks != zap.DefaultChunkMode:
		return nil, errors.New("no zap file of ours")
	}
	s, err := zap.InitSegmentBase(body, foot.CRC, foot.Chunks, foot.Docs, foot.Stored, foot.Fields, nil,
		new(bleveseg.Stats))
	if err != nil {
		return nil, err
	}
	if !slices.Contains(s.Fields(), termField) {
		return nil, fmt.Errorf("no field %q", termField)
	}
	return (&zapFile{data: data, segment: s}).another()
}

// another is a second reader of the same mapped file.
func (z *zapFile) another() (*zapFile, error) {
	terms, err := z.segment.Dictionary(termField)
	if err != nil {
		return nil, err
	}
	return &zapFile{data: z.data, segment: z.segment, terms: terms}, nil
}

func (z *zapFile) close() error {
	if z == nil {
		return nil
	}
	data := z.data
	*z = zapFile{}
	return unmap(data)
}

// find looks up a term and returns how many documents have it. Its postings are
// next's.
func (z *zapFile) find(term string) (int, error) {
	var err error
	z.list, err = z.terms.PostingsList([]byte(term), nil, z.list)
	if err != nil {
		return 0, err
	}
	return int(z.list.Count()), nil
}

// start makes next return the first posting of the term that was found.
func (z *zapFile) start() { z.postings = z.list.Iterator(true, false, false, z.postings) }

// next returns one posting after another, false after the last.
func (z *zapFile) next() (doc uint64, freq Freq, ok bool, err error) {
	p, err := z.postings.Next()
	if p == nil || err != nil {
		return 0, 0, false, err
	}
	return p.Number(), Freq(p.Frequency()), true, nil
}

// checkZap reads a whole zap file and compares it with its checksum.
func checkZap(file string) error {
	data, err := mapFile(file)
	if err != nil {
		return err
	}
	defer unmap(data)
	if len(data) < zap.FooterSize {
		return fmt.Errorf("%s: %d bytes are not a zap file", file, len(data))
	}
	body := data[:len(data)-crc32.Size]
	if got, want := crc32.ChecksumIEEE(body), binary.BigEndian.Uint32(data[len(body):]); got != want {
		return fmt.Errorf("%s: checksum %08x, the file says %08x", file, got, want)
	}
	return nil
}
