package index

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func someDocs() []Doc {
	return []Doc{
		{},
		{
			ID: "personal/pdf", Name: "pdf", Path: "/h/pdf/SKILL.md", Description: "한글 설명", Source: "personal", Plugin: "p@m",
			Sketch: "\x00\x01\x02\x03", Size: -1, ModTime: math.MaxInt64, Hash: "ab", Family: 7, Risk: 255, Flags: ModelInvocable | HasPaths,
			Exclusions: []Exclusion{{Terms: "\x00\x01\x02\x03", Use: []string{"one", "two"}}, {Use: []string{"three"}}},
			Lengths:    [NumFields]uint16{1, 2, 3, 4, 5, 6, math.MaxUint16},
		},
		{ID: strings.Repeat("x", 70_000), Size: math.MaxInt64, ModTime: math.MinInt64},
	}
}

func encoded(t testing.TB, docs []Doc) []byte {
	t.Helper()
	text, err := encodeDocs(docs)
	require.NoError(t, err)
	return text
}

func TestDocsComeBack(t *testing.T) {
	docs := someDocs()
	file := filepath.Join(t.TempDir(), "base.docs")
	w, err := newDocWriter(file)
	require.NoError(t, err)
	for i := range docs {
		require.NoError(t, w.add(&docs[i]))
	}
	require.NoError(t, errors.Join(w.finish(), w.close()))
	if text, err := os.ReadFile(file); err != nil || !bytes.Equal(text, encoded(t, docs)) {
		t.Errorf("the file is not what encodeDocs returns (%v)", err)
	}
	table, err := openDocs(file)
	require.NoError(t, err)
	defer table.close()
	require.Equal(t, len(docs), table.n)
	for i, want := range docs {
		got, err := table.doc(i)
		require.NoError(t, err, i)
		assert.Empty(t, cmp.Diff(want, got), i)
		got, err = table.candidate(i)
		require.NoError(t, err, i)
		assert.Empty(t, cmp.Diff(want, got), i)
		for f := range NumFields {
			if n := table.length(i, f); n != int(want.Lengths[f]) {
				t.Errorf("length(%d, %s) = %d, want %d", i, f, n, want.Lengths[f])
			}
		}
		require.Equal(t, want.Family, table.family(i), i)
		assert.Equal(t, want.Flags, table.flags(i), i)
	}
}

func TestDocTableRefuses(t *testing.T) {
	whole := encoded(t, someDocs())
	many := bytes.Clone(whole)
	copy(many[len(docsMagic):], "\xff\xff\xff\xff")
	tests := []struct {
		name string
		data []byte
	}{
		{"nothing", nil},
		{"half of a header", whole[:6]},
		{"another file", append([]byte("SGDOCS9\n"), whole[8:]...)},
		{"more documents than bytes", many},
		{"a table cut in its fixed records", whole[:docsHeader+fixedSize]},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := newDocTable(tt.data)
			assert.ErrorIs(t, err, errDocs)
		})
	}
}

// For any bytes, opening a table and reading its records gives a value or an error, and no record is larger than the
// table.
func FuzzDocTable(f *testing.F) {
	docs := someDocs()
	docs[0].Meaning[3] = 17
	whole := encoded(f, docs)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte(docsMagic))
	far := bytes.Clone(whole)
	for i := range 4 {
		far[docsHeader+int(NumFields)*2+i] = 0xff
	}
	f.Add(far)
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := newDocTable(data)
		if err != nil {
			return
		}
		for i := range table.n {
			table.family(i)
			table.flags(i)
			table.length(i, Name)
			d, err := table.doc(i)
			c, failed := table.candidate(i)
			c.Meaning = d.Meaning // only doc reads it
			if (err == nil) != (failed == nil) || err == nil && !reflect.DeepEqual(c, d) {
				t.Errorf("candidate(%d) = %+v, %v; doc %+v, %v", i, c, failed, d, err)
			}
			if err == nil && len(d.ID)+len(d.Name)+len(d.Path)+len(d.Description) > 4*len(data) {
				t.Errorf("doc(%d) of %d bytes is longer than the table", i, len(data))
			}
		}
	})
}

// The maker of an exported index may claim anything about the length of a list.
func TestListsHaveLimits(t *testing.T) {
	text := make([]byte, 1000)
	for _, test := range []struct {
		length, most int
		cut          bool
	}{{0, 10, false}, {10, 10, false}, {11, 10, true}, {2000, 5000, true}, {math.MaxInt, math.MaxInt, true}, {-1, 10, true}} {
		c := coder{writing: true}
		codeNumbers(&c, &test.length)
		c = coder{text: append(c.text, text...)}
		var list []string
		codeList(&c, &list, test.most, func(s *string) { c.strings(s) })
		assert.Equal(t, test.cut, c.cut, test.length)
		assert.Equal(t, !test.cut && test.length > 0, len(list) > 0, test.length)
	}
}
