package tokenizer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func corpus(t testing.TB) []string {
	t.Helper()
	b, err := os.ReadFile("testdata/corpus.jsonl")
	require.NoError(t, err)
	var lines []string
	sc := bufio.NewScanner(bytes.NewReader(b))
	for sc.Scan() {
		var s string
		require.NoError(t, json.Unmarshal(sc.Bytes(), &s))
		lines = append(lines, s)
	}
	return lines
}

// unigramJSON is testdata/unigram.json.gz, see testdata/make_unigram.py.
func unigramJSON(t testing.TB) []byte {
	t.Helper()
	f, err := os.Open("testdata/unigram.json.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	b, err := io.ReadAll(z)
	require.NoError(t, err)
	return b
}

// spmJSON is unigramJSON in the layout of newer converters, as used for bge-reranker-v2-m3: the
// normaliser marks blanks and only the Metaspace step splits.
func spmJSON(t testing.TB) []byte {
	t.Helper()
	var doc map[string]any
	require.NoError(t, json.Unmarshal(unigramJSON(t), &doc))
	charsmap := doc["normalizer"].(map[string]any)["normalizers"].([]any)[0]
	doc["normalizer"] = map[string]any{"type": "Sequence", "normalizers": []any{
		charsmap,
		map[string]any{"type": "Strip", "strip_left": false, "strip_right": true},
		map[string]any{"type": "Replace", "pattern": map[string]any{"Regex": " {2,}"}, "content": "\u2581"},
	}}
	doc["pre_tokenizer"] = map[string]any{"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": true}
	b, err := json.Marshal(doc)
	require.NoError(t, err)
	return b
}

// bertJSON returns a BERT tokenizer whose vocabulary is made from lines: every character, alone and as a
// continuation, and the halves of every third word. The uncased one lowers letters and strips accents.
func bertJSON(t testing.TB, lines []string, uncased bool) []byte {
	t.Helper()
	vocab := map[string]int{}
	add := func(s string) {
		if _, ok := vocab[s]; !ok && s != "" && s != "##" {
			vocab[s] = len(vocab)
		}
	}
	for _, s := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} {
		add(s)
	}
	norm := bertNormalizer{clean: true, chinese: true, lower: uncased, accents: uncased}
	for i, line := range lines {
		for k, word := range bertWords(nil, norm.normalize(line)) {
			if (i+k)%3 == 0 {
				half := 0
				for j := range word {
					if j <= len(word)/2 {
						half = j
					}
				}
				add(word)
				add(word[:half])
				add("##" + word[half:])
			}
			if i%17 == 5 {
				continue // so that some characters are unknown
			}
			for _, r := range word {
				if utf8.RuneLen(r) > 0 {
					add(string(r))
					add("##" + string(r))
				}
			}
		}
	}
	var added []map[string]any
	for i, s := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} {
		added = append(added, map[string]any{"id": i, "content": s, "special": true, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false})
	}
	doc := map[string]any{
		"version": "1.0", "truncation": nil, "padding": nil,
		"added_tokens":  added,
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": uncased},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"post_processor": json.RawMessage(`{"type":"TemplateProcessing",
			"single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[SEP]","type_id":0}}],
			"pair":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[SEP]","type_id":0}},
				{"Sequence":{"id":"B","type_id":1}},{"SpecialToken":{"id":"[SEP]","type_id":1}}],
			"special_tokens":{"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]},"[SEP]":{"id":"[SEP]","ids":[3],"tokens":["[SEP]"]}}}`),
		"decoder": map[string]any{"type": "WordPiece", "prefix": "##", "cleanup": true},
		"model": map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
			"max_input_chars_per_word": 100, "vocab": vocab},
	}
	b, err := json.Marshal(doc)
	require.NoError(t, err)
	return b
}

func compiled(t testing.TB, text []byte) *Tokenizer {
	t.Helper()
	b, err := Compile(text)
	require.NoError(t, err)
	tok, err := New(b)
	require.NoError(t, err)
	return tok
}

// smallJSON returns a WordPiece tokenizer whose vocabulary is [PAD], [UNK], [CLS], [SEP] and words.
func smallJSON(words ...string) []byte {
	vocab := map[string]int{"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3}
	for _, w := range words {
		vocab[w] = len(vocab)
	}
	v, _ := json.Marshal(vocab)
	return []byte(strings.Replace(`{"added_tokens":[{"id":0,"content":"[PAD]","special":true},{"id":1,"content":"[UNK]","special":true},
		{"id":2,"content":"[CLS]","special":true},{"id":3,"content":"[SEP]","special":true}],
		"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},
		"pre_tokenizer":{"type":"BertPreTokenizer"},
		"post_processor":{"type":"BertProcessing","sep":["[SEP]",3],"cls":["[CLS]",2]},
		"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":VOCAB}}`, "VOCAB", string(v), 1))
}
