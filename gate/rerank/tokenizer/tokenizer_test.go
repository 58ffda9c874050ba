package tokenizer

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWordPieceTakesTheLongestPiece(t *testing.T) {
	tok := compiled(t, smallJSON("re", "review", "##view", "##er", "##s", "리", "##뷰", "[", "]", "mask", "\u1105\u1175"))
	tests := []struct{ name, text, want string }{
		{"whole word", "review", "5"},
		{"word and continuation", "Reviewers", "5 7 8"},
		{"first piece is the longest that fits", "review re", "5 4"},
		{"a word that gets stuck is unknown as a whole", "rezz", "1"},
		{"Hangul is decomposed like any accent", "리", "14"},
		{"a special token in a text is text", "[MASK]", "11 13 12"},
		{"a long word is unknown", strings.Repeat("s", 101), "1"},
		{"nothing", "", ""},
		{"bytes that are no UTF-8 are dropped", "re\xff\xfe", "4"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, strings.Trim(fmt.Sprint(tok.Append(nil, tt.text)), "[]"), tt.name)
	}
}

func TestPairFollowsTheTemplate(t *testing.T) {
	bert := compiled(t, smallJSON("a", "b"))
	xlmr := compiled(t, unigramJSON(t))
	tests := []struct {
		name       string
		tok        *Tokenizer
		ids, types []int32
	}{
		{"BERT numbers the halves", bert, []int32{2, 4, 3, 5, 5, 3}, []int32{0, 0, 0, 1, 1, 1}},
		{"XLM-R puts two separators between", xlmr, []int32{0, 4, 2, 2, 5, 5, 2}, []int32{0, 0, 0, 0, 0, 0, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.tok.Join([]int32{4}, []int32{5, 5})
			require.Equal(t, tt.ids, got.IDs)
			assert.Equal(t, tt.types, got.Types)
			if got, want := tt.tok.Overhead(), len(tt.ids)-3; got != want {
				t.Errorf("Overhead() = %d, want %d", got, want)
			}
		})
	}
}

func TestCompileNamesWhatItDoesNotSupport(t *testing.T) {
	base := string(smallJSON("a"))
	tests := []struct{ name, from, to, want string }{
		{"byte pair encoding", `"type":"WordPiece"`, `"type":"BPE"`, "must be WordPiece or Unigram"},
		{"other normaliser", "BertNormalizer", "Nmt", `normalizer: "Nmt"`},
		{"other pre-tokeniser", "BertPreTokenizer", "ByteLevel", `pre_tokenizer: "ByteLevel"`},
		{"other post-processor", "BertProcessing", "ByteLevel", `post_processor "ByteLevel"`},
		{"ordinary added token", `"[SEP]","special":true`, `"[SEP]","special":false`, "is not special"},
		{"no unknown token", `"unk_token":"[UNK]"`, `"unk_token":"?"`, `"?" is not in the vocabulary`},
		{"special token outside the vocabulary", `["[CLS]",2]`, `["[CLS]",99]`, "a special token has the id 99"},
		{"negative id", `"a":4`, `"a":-4`, "id -4"},
		{"huge id", `"a":4`, `"a":2000000000`, "id 2000000000"},
		{"no JSON", "{", "[", "tokenizer.json"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Compile([]byte(strings.Replace(base, tt.from, tt.to, 1)))
			assert.ErrorContains(t, err, tt.want, "Compile(%s → %s) = %v, want an error with %q", tt.from, tt.to, err, tt.want)
		})
	}
}

func TestDamagedTableIsRefused(t *testing.T) {
	good, err := Compile(smallJSON("a", "b"))
	require.NoError(t, err)
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 0x10
		_, err := New(bad)
		require.ErrorIs(t, err, ErrTable, i)
		_, err = New(good[:i])
		require.ErrorIs(t, err, ErrTable, i)
	}
	for name, forge := range map[string]func(*table){
		"no nodes":       func(d *table) { d.trie = trie{children: []uint32{0}} },
		"loop":           func(d *table) { d.children[0], d.children[1] = 200, 201 },
		"backwards":      func(d *table) { slices.Reverse(d.children) },
		"unknown id":     func(d *table) { d.values[1] = 1 << 20 },
		"unknown kind":   func(d *table) { d.settings.Kind = "BPE" },
		"lacks scores":   func(d *table) { d.settings.Kind = unigram },
		"no pretokenize": func(d *table) { d.settings.Split = []byte("7") },
	} {
		d, err := readTable(good)
		require.NoError(t, err)
		forge(d)
		bad, err := d.bytes()
		require.NoError(t, err)
		_, err = New(bad)
		require.ErrorIs(t, err, ErrTable, name)
	}
	for _, n := range []uint32{1000, 0xfffffffc} {
		bad := slices.Clone(good)
		le.PutUint32(bad[len(magic)+4:], n)
		le.PutUint32(bad[len(magic):], crc32.Checksum(bad[len(magic)+4:], castagnoli))
		_, err := New(bad)
		require.ErrorIs(t, err, ErrTable, n)
	}
	for _, counts := range []string{`"nodes":-2`, `"nodes":1125899906842624`, `"nodes":1`} {
		bad := regexp.MustCompile(`"nodes":\d+`).ReplaceAll(good, []byte(counts))
		le.PutUint32(bad[len(magic)+4:], le.Uint32(bad[len(magic)+4:])+uint32(len(bad)-len(good)))
		le.PutUint32(bad[len(magic):], crc32.Checksum(bad[len(magic)+4:], castagnoli))
		_, err := New(bad)
		require.ErrorIs(t, err, ErrTable, counts)
	}
	file := filepath.Join(t.TempDir(), "tokenizer.bin")
	require.NoError(t, os.WriteFile(file, good, 0o600))
	tok, err := Open(file)
	require.NoError(t, err)
	assert.Equal(t, []int32{5, 4}, tok.Append(nil, "b a"))
}

func TestTrieHoldsExactlyItsKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	keys := map[string]int32{}
	for len(keys) < 5000 {
		b := make([]byte, 1+rng.IntN(9))
		for i := range b {
			b[i] = byte(1 + rng.IntN(12)*21)
		}
		keys[string(b)] = int32(len(keys))
	}
	var entries []entry
	for k, v := range keys {
		entries = append(entries, entry{k, v})
	}
	tr := newTrie(entries)
	for k, want := range keys {
		node := tr.walk(k)
		require.GreaterOrEqual(t, node, int32(0), k)
		require.Equal(t, want, tr.values[node], k)
		longer := k + "\x01"
		if node := tr.walk(longer); node >= 0 && tr.values[node] >= 0 {
			require.Equal(t, keys[longer], tr.values[node], longer)
		}
	}
}

// For any text, ids are in the vocabulary, their number is limited by the length of the text, and none is a special
// token.
func FuzzAppend(f *testing.F) {
	toks := []*Tokenizer{compiled(f, bertJSON(f, corpus(f), true)), compiled(f, unigramJSON(f))}
	for _, line := range corpus(f) {
		f.Add(line)
	}
	specials := [][]int32{{0, 2, 3, 4}, {0, 1, 2}}
	f.Fuzz(func(t *testing.T, text string) {
		for i, tok := range toks {
			ids := tok.Append(nil, text)
			if most := 20*len(text) + 20; len(ids) > most {
				t.Fatalf("%s Append(%q): %d ids, want at most %d", tok.Kind(), text, len(ids), most)
			}
			for _, id := range ids {
				if id < 0 || int(id) >= tok.Size() || slices.Contains(specials[i], id) {
					t.Fatalf("%s Append(%q) holds id %d", tok.Kind(), text, id)
				}
			}
		}
	})
}

// Any bytes are refused or give a table that works.
func FuzzCompile(f *testing.F) {
	f.Add(smallJSON("a", "##b"))
	f.Add([]byte(`{"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["a",-1]]},"pre_tokenizer":{"type":"Metaspace"},
		"normalizer":{"type":"Precompiled","precompiled_charsmap":"BAAAAAAAAAAA"},` +
		`"post_processor":{"type":"RobertaProcessing","sep":["a",1],"cls":["a",1]},"padding":{"pad_id":0}}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		b, err := Compile(doc)
		if err != nil {
			return
		}
		tok, err := New(b)
		if err != nil {
			t.Fatalf("New(Compile(%q)) = %v", doc, err)
		}
		for _, id := range tok.Append(nil, "ab 가 é\t\U0001F600") {
			if id < 0 || int(id) >= tok.Size() {
				t.Fatalf("id %d, size %d", id, tok.Size())
			}
		}
	})
}

// A charsmap with arbitrary offsets must not read out of bounds or loop.
func FuzzCharsmap(f *testing.F) {
	f.Add([]byte("\x04\x00\x00\x00\x00\x00\x00\x00x\x00"), "abc")
	f.Fuzz(func(t *testing.T, m []byte, text string) {
		if checkCharsmap(m) == nil {
			charsmap(m).replace(text)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	lines := corpus(b)
	for _, doc := range [][]byte{bertJSON(b, lines, true), unigramJSON(b)} {
		tok := compiled(b, doc)
		b.Run(tok.Kind(), func(b *testing.B) {
			var ids []int32
			n := 0
			for i := 0; b.Loop(); i++ {
				ids = tok.Append(ids[:0], lines[i%len(lines)])
				n += len(ids)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(max(n, 1)), "ns/token")
		})
	}
}

func TestCompileIsDeterministic(t *testing.T) {
	doc := bertJSON(t, corpus(t), true)
	a, err := Compile(doc)
	require.NoError(t, err)
	b, _ := Compile(doc)
	assert.Equal(t, b, a, "two tables of one tokenizer.json differ")
}
