package index

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"unsafe"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/meaning"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// The document table of a segment, in the order of the document numbers:
//
//	"SGDOCS6\n"                    8 bytes
//	number of documents            uint32, little-endian like everything here
//	lengths of bodies, in terms    a uint16 for each document
//	lengths of the other fields    a uint16 for each field, document by document
//	signs of meanings              meaning.Signs of each document, two uint64
//	meanings                       meaning.Vector of each document, a signed byte for each number
//	fixed records                  fixedSize bytes each
//	strings                        length-prefixed (uvarint), at the offsets in the records
//
// Ranking reads the lengths of every match and the signs of every document. The strings are read only for candidates.
const (
	docsMagic  = "SGDOCS6\n"
	docsHeader = len(docsMagic) + 4
	lengthSize = 2
	signsSize  = meaning.Dim / 8
	fixedSize  = 4 + 4 + 2 + 2
)

// Flags of a document.
const (
	ModelInvocable uint16 = 1 << iota // the model may load the skill
	IsAgent                           // the entry is in the pool "agent"
	IsLibrary                         // the host does not know the skill, so it is shown with its path
	HasPaths                          // the skill is only active for files that match its globs
	hasOthers                         // Doc.Others is not empty
	Plain                             // the skill has no plugin and no Others; indexes of older versions lack this flag
	IsCommand                         // the entry is in the pool "command"
	ForOthers                         // the description says that only a certain other skill or agent may use the skill
	Clean                             // package neutral leaves its displayed texts unchanged; never set by Install
)

// Doc is the record of a skill or agent in the index.
type Doc struct {
	ID          string
	Name        string
	Path        string // "" if the skill is a line of a library file
	Description string // description for display, at most maxShown runes
	Source      string // value of type catalog.Source
	Plugin      string // "name@marketplace", or "" if it is not from a plugin
	Sketch      string // sketch of the description's terms (family.Sketch)
	Size        int64
	ModTime     int64 // Unix nanoseconds
	Hash        string
	Exclusions  []Exclusion

	Meaning meaning.Vector    // vector of the text from Purpose; not read by Brief and Candidate
	Lengths [NumFields]uint16 // number of terms in each field
	Family  uint32            // number shared by near-equal texts, or 0
	Risk    uint8             // probability of harm, in units of 1/255
	Flags   uint16

	Others []Home // copies of the skill in other folders, in the order of the roots
}

// Home is the location of a copy, with every field of Doc that may differ between copies.
type Home struct {
	ID, Path, Source, Plugin string
	Size, ModTime            int64
	Risk                     uint8
}

// Homes yields d itself and then a variant of d for each of its copies.
func (d Doc) Homes(yield func(Doc) bool) {
	if !yield(d) {
		return
	}
	for _, h := range d.Others {
		d.ID, d.Path, d.Source, d.Plugin = h.ID, h.Path, h.Source, h.Plugin
		d.Size, d.ModTime, d.Risk = h.Size, h.ModTime, h.Risk
		if d.Flags &^= IsLibrary; byPath(h.Source) {
			d.Flags |= IsLibrary
		}
		if !yield(d) {
			return
		}
	}
}

// byPath reports whether the host does not read the folders of a source, so that its skills are shown with their paths.
// The folder .agents/skills is an example.
func byPath(source string) bool {
	return source == string(catalog.Library) || source == string(catalog.Agents)
}

// Exclusion is a boundary that refers to other skills: "Do NOT use for X (use Y)".
type Exclusion struct {
	Terms string   // sketch of the terms of X, from family.Sketch
	Use   []string // names of the skills to use instead, in lower case
}

// maxExclusions is the maximum number of boundaries kept per skill.
const maxExclusions = 32

// maxShown is the maximum number of characters of a description that are kept for display.
const maxShown = 600

// docWriter writes a table of documents to a file. The strings are first written to another file, since they follow the
// records.
type docWriter struct {
	file    *os.File
	strings *os.File
	w       *bufio.Writer // writes the strings
	records []byte        // results of Doc.record, with offsets relative to the first string
	at      uint64        // offset at which the next strings are written
	done    bool
}

func newDocWriter(file string) (*docWriter, error) {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	s, err := os.OpenFile(file+".strings", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &docWriter{file: f, strings: s, w: bufio.NewWriterSize(s, 1<<20)}, nil
}

func (w *docWriter) add(d *Doc) error {
	text := d.strings()
	w.records = d.record(w.records, w.at)
	w.at += uint64(len(text))
	_, err := w.w.Write(text)
	return err
}

func (w *docWriter) finish() error {
	head, err := docsHead(w.records, w.at)
	if err == nil {
		err = w.w.Flush()
	}
	if err == nil {
		_, err = w.strings.Seek(0, io.SeekStart)
	}
	if err == nil {
		_, err = w.file.Write(head)
	}
	if err == nil {
		_, err = io.Copy(w.file, w.strings)
	}
	if err == nil {
		err = w.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", w.file.Name(), err)
	}
	w.done = true
	return nil
}

func (w *docWriter) close() error {
	err := disk.Discard(w.strings)
	if w.done {
		return errors.Join(err, w.file.Close())
	}
	return errors.Join(err, disk.Discard(w.file))
}

func encodeDocs(docs []Doc) ([]byte, error) {
	var records, text []byte
	for i := range docs {
		records = docs[i].record(records, uint64(len(text)))
		text = append(text, docs[i].strings()...)
	}
	head, err := docsHead(records, uint64(len(text)))
	return append(head, text...), err
}

// docsHead returns the table up to the strings, whose total length is size. The offsets in records are relative to the
// first string.
func docsHead(records []byte, size uint64) ([]byte, error) {
	n := len(records) / recordSize
	start := uint64(recordsAt(n) + n*fixedSize)
	if start+size > math.MaxUint32 {
		return nil, errors.New("the documents take more than 4 GiB")
	}
	head := binary.LittleEndian.AppendUint32([]byte(docsMagic), uint32(n))
	for i := range n {
		head = append(head, records[i*recordSize:][:lengthSize]...)
	}
	for i := range n {
		head = append(head, records[i*recordSize:][lengthSize:int(NumFields)*lengthSize]...)
	}
	for i := range n {
		at := i*recordSize + int(NumFields)*lengthSize
		head = append(head, records[at:at+signsSize]...)
	}
	for i := range n {
		at := i*recordSize + int(NumFields)*lengthSize + signsSize
		head = append(head, records[at:at+meaning.Dim]...)
	}
	for i := range n {
		fixed := records[(i+1)*recordSize-fixedSize : (i+1)*recordSize]
		head = binary.LittleEndian.AppendUint32(head, binary.LittleEndian.Uint32(fixed)+uint32(start))
		head = append(head, fixed[4:]...)
	}
	return head, nil
}

func recordsAt(n int) int { return docsHeader + n*(recordSize-fixedSize) }

// recordSize is the length of the result of Doc.record.
const recordSize = int(NumFields)*lengthSize + signsSize + meaning.Dim + fixedSize

// record appends the columns of d and its fixed record to b. at is the offset of its strings.
func (d *Doc) record(b []byte, at uint64) []byte {
	for _, n := range d.Lengths {
		b = binary.LittleEndian.AppendUint16(b, n)
	}
	for _, word := range d.Meaning.Signs() {
		b = binary.LittleEndian.AppendUint64(b, word)
	}
	for _, x := range d.Meaning {
		b = append(b, byte(x))
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(at)) // docsHead fails if at exceeds 32 bits
	b = binary.LittleEndian.AppendUint32(b, d.Family)
	b = binary.LittleEndian.AppendUint16(b, d.Flags)
	return binary.LittleEndian.AppendUint16(b, uint16(d.Risk))
}

func (d *Doc) strings() []byte {
	c := coder{writing: true}
	d.code(&c, false)
	return c.text
}

// code encodes or decodes the variable-length part of a record; the fixed part is not included. If brief is true, it
// stops after the leading strings.
func (d *Doc) code(c *coder, brief bool) {
	c.strings(&d.ID, &d.Name, &d.Path, &d.Description, &d.Source, &d.Plugin, &d.Sketch, &d.Hash)
	if brief {
		return
	}
	c.signed(&d.Size, &d.ModTime)
	codeList(c, &d.Exclusions, maxExclusions, func(x *Exclusion) {
		use := strings.Join(x.Use, "\n")
		if c.strings(&x.Terms, &use); !c.writing {
			x.Use = strings.Split(use, "\n")
		}
	})
	if d.Flags&hasOthers != 0 {
		codeList(c, &d.Others, maxList, func(h *Home) {
			c.strings(&h.ID, &h.Path, &h.Source, &h.Plugin)
			c.signed(&h.Size, &h.ModTime)
			codeNumbers(c, &h.Risk)
		})
	}
}

// docTable is a document table, usually memory-mapped. If its file is truncated, reading it causes a memory fault,
// which the hook turns into a panic (debug.SetPanicOnFault).
type docTable struct {
	data   []byte
	n      int
	mapped bool // data is a mapped file
}

var errDocs = errors.New("the document table is damaged")

func openDocs(file string) (*docTable, error) {
	data, err := regular.Map(file)
	if err != nil {
		return nil, err
	}
	t, err := newDocTable(data)
	if err != nil {
		system.Unmap(data)
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	t.mapped = true
	return t, nil
}

func newDocTable(data []byte) (*docTable, error) {
	if len(data) < docsHeader || string(data[:len(docsMagic)]) != docsMagic {
		return nil, fmt.Errorf("%w: its first bytes are wrong", errDocs)
	}
	n := int(binary.LittleEndian.Uint32(data[len(docsMagic):]))
	if recordsAt(n)+n*fixedSize > len(data) {
		return nil, fmt.Errorf("%w: %d documents do not fit in %d bytes", errDocs, n, len(data))
	}
	return &docTable{data: data, n: n}, nil
}

func (t *docTable) close() {
	if t == nil || t.data == nil {
		return
	}
	data := t.data
	t.data, t.n = nil, 0
	if t.mapped {
		system.Unmap(data)
	}
}

func (t *docTable) fixed(i int) []byte {
	at := recordsAt(t.n) + i*fixedSize
	return t.data[at : at+fixedSize]
}

func (t *docTable) length(i int, f Field) int {
	l := t.lengths(0)
	return l.Of(uint32(i), f)
}

// lengths returns the field lengths of all documents. first is the number of the first document.
func (t *docTable) lengths(first int) Lengths {
	bodies := docsHeader + t.n*lengthSize
	others := bodies + t.n*lengthSize*(int(NumFields)-1)
	return Lengths{uint32(first), uint32(t.n), t.data[docsHeader:bodies], t.data[bodies:others]}
}

func (t *docTable) signs() []byte {
	at := recordsAt(0) + t.n*lengthSize*int(NumFields)
	return t.data[at : at+t.n*signsSize]
}

func (t *docTable) meaning(i int) []byte {
	at := recordsAt(0) + t.n*(lengthSize*int(NumFields)+signsSize) + i*meaning.Dim
	return t.data[at : at+meaning.Dim]
}

func (t *docTable) family(i int) uint32 {
	return binary.LittleEndian.Uint32(t.fixed(i)[4:])
}

func (t *docTable) flags(i int) uint16 {
	return binary.LittleEndian.Uint16(t.fixed(i)[8:])
}

// id returns the ID of document i without a copy, or "" if the record is damaged.
func (t *docTable) id(i int) (id string) {
	c := coder{text: t.text(i)}
	c.strings(&id)
	return id
}

// text returns the strings of record i, or nil if the record is damaged.
func (t *docTable) text(i int) []byte {
	from, to := int(binary.LittleEndian.Uint32(t.fixed(i))), len(t.data)
	if i+1 < t.n {
		to = int(binary.LittleEndian.Uint32(t.fixed(i + 1)))
	}
	if from > to || to > len(t.data) {
		return nil
	}
	return t.data[from:to]
}

func (t *docTable) numbers(i int) (d Doc) {
	rec, lengths := t.fixed(i), t.lengths(0)
	for f := range NumFields {
		d.Lengths[f] = uint16(lengths.Of(uint32(i), f))
	}
	d.Family = binary.LittleEndian.Uint32(rec[4:])
	d.Flags = binary.LittleEndian.Uint16(rec[8:])
	d.Risk = rec[10]
	return d
}

// brief reads the fields of Snapshot.Brief, or the whole record if the document has copies.
func (t *docTable) brief(i int) (Doc, error) {
	if t.flags(i)&hasOthers != 0 {
		return t.doc(i)
	}
	return t.read(i, t.text(i), true)
}

// inPlace returns bytes of a table as a string without a copy. The string must not outlive the table.
func inPlace(text []byte) string { return unsafe.String(unsafe.SliceData(text), len(text)) }

// candidate reads the fields of Snapshot.Candidate, or the whole record if the document has copies.
func (t *docTable) candidate(i int) (Doc, error) {
	if t.flags(i)&hasOthers != 0 {
		return t.doc(i)
	}
	d, err := t.read(i, t.text(i), false)
	if err != nil {
		return d, err
	}
	d.ID, d.Name, d.Path = strings.Clone(d.ID), strings.Clone(d.Name), strings.Clone(d.Path)
	d.Source, d.Plugin = strings.Clone(d.Source), strings.Clone(d.Plugin)
	return d, nil
}

func (t *docTable) doc(i int) (Doc, error) {
	d, err := t.read(i, bytes.Clone(t.text(i)), false)
	for j, x := range t.meaning(i) {
		d.Meaning[j] = int8(x)
	}
	return d, err
}

// read reads record i, whose variable-length part is text. If brief is true, it reads only the leading strings of text.
func (t *docTable) read(i int, text []byte, brief bool) (Doc, error) {
	d, c := t.numbers(i), coder{text: text}
	if d.code(&c, brief); c.cut {
		return d, fmt.Errorf("%w: document %d cannot be read", errDocs, i)
	}
	return d, nil
}
