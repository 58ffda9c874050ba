package tokenizer

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/golden"
)

// hfModules is the variable for the node_modules folder with @huggingface/tokenizers and
// @anush008/tokenizers. If it is set, the installed ones are run. Otherwise their results are read from
// testdata/huggingface.golden.gz, which -update rewrites.
const hfModules = "SKILLGATE_HF_TOKENIZERS"

// References that tokenizers are compared with.
const (
	javaScript    = "JavaScript"    // @huggingface/tokenizers 0.2.0
	rust          = "Rust"          // Hugging Face's tokenizers 0.22.2, as @anush008/tokenizers 0.6.0
	sentencePiece = "SentencePiece" // 0.1.97, which trained the Unigram vocabulary; see testdata/make_unigram.py
)

// The tokenizers that are compared, as used by cross-encoders.
const (
	bertUncased = "BERT uncased"
	bertCased   = "BERT cased"
	xlmrSplit   = "XLM-R, split at white space"
	xlmrMarked  = "XLM-R, blanks marked"
)

// Evidence, besides another reference, that a difference is right.
const (
	unmarked  = "itself without special tokens" // the same reference without special tokens agrees
	reordered = "same pieces"                   // the pieces are the same in another order, with the same total score
)

// difference is an intended difference between a reference and this package.
type difference struct {
	reference string
	layouts   []string
	holds     func(line string) bool
	evidence  string // what agrees with this package on such a line
	reason    string
}

var (
	bert = []string{bertUncased, bertCased}
	xlmr = []string{xlmrSplit, xlmrMarked}
)

const spelledOut = "takes special tokens spelled out in a text for markers; here they are text, so that no text can end its half of a pair"

var differences = []difference{
	{javaScript, bert, containsAny("[CLS]", "[SEP]", "[MASK]", "[UNK]", "[PAD]"), unmarked,
		spelledOut},
	{rust, bert, containsAny("[CLS]", "[SEP]", "[MASK]", "[UNK]", "[PAD]"), unmarked,
		spelledOut},
	{javaScript, xlmr, containsAny("<s>", "</s>", "<unk>", "<pad>", "<mask>"), sentencePiece,
		spelledOut},
	{rust, xlmr, containsAny("<s>", "</s>", "<unk>", "<pad>", "<mask>"), sentencePiece,
		spelledOut},
	{javaScript, bert, holdsRune(func(r rune) bool { return r >= 0x20000 }), rust,
		"looks for ideographs in UTF-16 units and misses those above U+FFFF"},
	{rust, bert, containsAny("Σ"), javaScript,
		"lowers each character alone; BERT was trained with Python's lower(), which knows the final sigma, as JavaScript's does"},
	{javaScript, xlmr, containsAny("\u200c", "\u200d"), sentencePiece,
		"has no charsmap: joiners become blanks, the charsmap keeps them"},
	{javaScript, xlmr, holdsRune(combines), sentencePiece,
		"has no charsmap but NFKC: it orders and composes marks for which the charsmap has no entry"},
	{javaScript, []string{xlmrSplit}, containsAny("\u0085"), rust,
		"U+0085 is white space in Unicode, not in JavaScript"},
	{sentencePiece, []string{xlmrSplit}, containsAny("\u0085"), rust,
		"does not split at white space, of which U+0085 is a part; this tokenizer.json does"},
	{rust, xlmr, holdsRune(combines), sentencePiece,
		"takes the shortest entry of the charsmap within a character cluster and drops its rest; SentencePiece takes the " +
			"longest, so that decomposed Hangul and half-width Kana are composed"},
	{sentencePiece, xlmr, func(string) bool { return true }, reordered,
		"two ways of one score: it adds in single precision, where the order of the pieces decides; both of Hugging Face's take this package's"},
}

func containsAny(parts ...string) func(string) bool {
	return func(line string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(line, p) })
	}
}

func holdsRune(in func(rune) bool) func(string) bool {
	return func(line string) bool { return strings.ContainsFunc(line, in) }
}

// combines reports whether r combines with the character before it: a mark, a Hangul vowel or trailing
// consonant (also of half width) or a half-width sound mark.
func combines(r rune) bool {
	return unicode.Is(unicode.M, r) || r >= 0x1160 && r <= 0x11FF || r >= 0xFFA0 && r <= 0xFFDC || r == 0xFF9E || r == 0xFF9F
}

// encoded is the result of a reference for the pair of "ok" and a line.
type encoded struct {
	IDs   []int32 `json:"ids"`
	Types []int32 `json:"types"`
}

// given holds the results of Hugging Face's references for each line, by tokenizer and
// reference. The name of a reference without special tokens ends with unmarked.
type given map[string]map[string][]encoded

func layouts(t *testing.T) map[string][]byte {
	lines := corpus(t)
	return map[string][]byte{
		bertUncased: bertJSON(t, lines, true), bertCased: bertJSON(t, lines, false),
		xlmrSplit: unigramJSON(t), xlmrMarked: spmJSON(t),
	}
}

// TestAgreesWithReferences compares every line of the corpus. With -v it prints a table and the lines
// that differ, with reason and evidence.
func TestAgreesWithReferences(t *testing.T) {
	lines, docs := corpus(t), layouts(t)
	all := references(t, docs)
	where := make([][]string, len(differences)) // lines
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "tokenizer\tlines\ttokens\tJavaScript\tRust\tSentencePiece\tdifferences meant")
	for _, layout := range append(slices.Clone(bert), xlmr...) {
		tok := compiled(t, docs[layout])
		ok := tok.Append(nil, "ok")
		tokens, equal, meant := 0, map[string]int{}, 0
		for i, line := range lines {
			ids := tok.Append(nil, line)
			got := tok.Join(ok, ids)
			tokens += len(ids)
			agrees := map[string]bool{}
			for name, each := range all[layout] {
				agrees[name] = slices.Equal(got.IDs, each[i].IDs) && slices.Equal(got.Types, each[i].Types)
			}
			for _, name := range []string{javaScript, rust, sentencePiece} {
				each, there := all[layout][name]
				switch {
				case !there:
				case agrees[name]:
					equal[name]++
				default:
					agrees[unmarked] = agrees[name+unmarked]
					agrees[reordered] = slices.Equal(sorted(got.IDs), sorted(each[i].IDs)) && agrees[javaScript] && agrees[rust]
					k := slices.IndexFunc(differences, func(d difference) bool {
						return d.reference == name && slices.Contains(d.layouts, layout) && d.holds(line) && agrees[d.evidence]
					})
					if k < 0 {
						t.Errorf("%s: Append(%+.100q) = %v, %s gives %v", layout, line, got.IDs, name, each[i].IDs)
						continue
					}
					meant++
					if at := fmt.Sprint(i + 1); !slices.Contains(where[k], at) {
						where[k] = append(where[k], at)
					}
				}
			}
		}
		cell := func(name string) string {
			if all[layout][name] == nil {
				return "-"
			}
			return fmt.Sprint(equal[name])
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\t%d\n", layout, len(lines), tokens, cell(javaScript), cell(rust), cell(sentencePiece), meant)
	}
	w.Flush()
	for k, d := range differences {
		assert.NotEmpty(t, where[k], "no line of %v differs from %s in that it %s", d.layouts, d.reference, d.reason)
		fmt.Fprintf(&table, "\n%s, %s: %s\n  as here: %s; lines %s\n", d.reference, strings.Join(d.layouts, " and "),
			d.reason, d.evidence, strings.Join(where[k], " "))
	}
	t.Log("\n" + table.String())
}

func sorted(ids []int32) []int32 { return slices.Sorted(slices.Values(ids)) }

// references returns the results of each reference for the corpus.
func references(t *testing.T, docs map[string][]byte) given {
	t.Helper()
	const goldenFile = "testdata/huggingface.golden.gz"
	all := given{}
	if b, err := os.ReadFile(goldenFile); err == nil {
		z, err := gzip.NewReader(bytes.NewReader(b))
		require.NoError(t, err)
		require.NoError(t, json.NewDecoder(z).Decode(&all))
	} else if !*golden.Update {
		t.Fatal(err)
	}
	if modules := os.Getenv(hfModules); modules != "" {
		runReferences(t, modules, docs, all)
	}
	if *golden.Update {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		require.NoError(t, errors.Join(json.NewEncoder(z).Encode(all), z.Close(), os.WriteFile(goldenFile, b.Bytes(), 0o600)))
	}
	for _, layout := range xlmr {
		all[layout][sentencePiece] = fromSentencePiece(t, compiled(t, docs[layout]))
	}
	for layout, by := range all {
		for name, each := range by {
			if len(each) != len(corpus(t)) {
				t.Fatalf("%s, %s: %d lines, the corpus has %d: run the test with -update and testdata/make_unigram.py", layout, name, len(each), len(corpus(t)))
			}
		}
	}
	return all
}

// runReferences replaces results in all with those of the packages in modules.
func runReferences(t *testing.T, modules string, docs map[string][]byte, all given) {
	t.Helper()
	run := func(name string, doc []byte) []encoded {
		file := filepath.Join(t.TempDir(), "tokenizer.json")
		require.NoError(t, os.WriteFile(file, doc, 0o600))
		cmd := exec.Command("node", "testdata/encode.mjs", strings.ToLower(name), modules, file, "testdata/corpus.jsonl")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		require.NoError(t, err, name)
		var each []encoded
		for dec := json.NewDecoder(bytes.NewReader(out)); ; {
			var e encoded
			if err := dec.Decode(&e); errors.Is(err, io.EOF) {
				return each
			} else if err != nil {
				t.Fatal(err)
			}
			each = append(each, e)
		}
	}
	for name, module := range map[string]string{javaScript: "@huggingface/tokenizers", rust: "@anush008/tokenizers"} {
		if _, err := os.Stat(filepath.Join(modules, module)); err != nil {
			t.Logf("%s from testdata: no %s in %s", name, module, modules)
			continue
		}
		t.Logf("%s run: %s", name, module)
		for layout, doc := range docs {
			if all[layout] == nil {
				all[layout] = map[string][]encoded{}
			}
			all[layout][name] = run(name, doc)
			if slices.Contains(bert, layout) {
				all[layout][name+unmarked] = run(name, withoutSpecial(t, doc))
			}
		}
	}
}

// withoutSpecial returns a tokenizer.json in which only the template has special tokens.
func withoutSpecial(t *testing.T, doc []byte) []byte {
	t.Helper()
	var m map[string]any
	require.NoError(t, json.Unmarshal(doc, &m))
	m["added_tokens"] = []any{}
	b, err := json.Marshal(m)
	require.NoError(t, err)
	return b
}

// fromSentencePiece reads testdata/unigram.golden.
func fromSentencePiece(t *testing.T, tok *Tokenizer) []encoded {
	t.Helper()
	b, err := os.ReadFile("testdata/unigram.golden")
	require.NoError(t, err)
	ok := tok.Append(nil, "ok")
	var each []encoded
	for raw := range bytes.Lines(b) {
		var ids []int32
		require.NoError(t, json.Unmarshal(raw, &ids))
		p := tok.Join(ok, ids)
		each = append(each, encoded(p))
	}
	return each
}
