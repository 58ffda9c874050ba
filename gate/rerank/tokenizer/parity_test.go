package tokenizer

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hfModules is where npm put @huggingface/tokenizers; the parity test runs only
// where SKILLGATE_HF_TOKENIZERS names that folder (…/node_modules).
const hfModules = "SKILLGATE_HF_TOKENIZERS"

const hfScript = `
const { Tokenizer } = await import(process.argv[2]);
const fs = await import("node:fs");
const [doc, corpus] = process.argv.slice(3).map((f) => fs.readFileSync(f, "utf8"));
const t = new Tokenizer(JSON.parse(doc), {});
for (const line of corpus.trim().split("\n")) {
  const text = JSON.parse(line);
  const one = t.encode(text, { add_special_tokens: false }).ids;
  const pair = t.encode("ok", { text_pair: text, return_token_type_ids: true });
  console.log(JSON.stringify({ one, ids: pair.ids, types: pair.token_type_ids }));
}`

// knownDifferences are the lines, by what they hold, on which this package and
// Hugging Face's JavaScript are meant to differ, with the reason.
var knownDifferences = map[string]map[string]string{
	"WordPiece": {
		"[MASK]":     "special tokens in a text are text here, markers there",
		"\U00020000": "the JavaScript looks for ideographs in UTF-16 units and misses those above U+FFFF",
	},
	"Unigram": {
		"<mask>":         "special tokens in a text are text here, markers there",
		"\u200d":         "the JavaScript does not read the charsmap: it turns joiners into blanks, SentencePiece keeps them",
		"e\u0301\u0323":  "the JavaScript does not read the charsmap: it composes sequences that the charsmap has no entry for",
		"\u1e9b\u0323":   "the JavaScript does not read the charsmap: it composes sequences that the charsmap has no entry for",
		"next\u0085line": "U+0085 is white space in Unicode and for Hugging Face's Rust, not for JavaScript",
	},
}

// spmDifferences are the lines on which the golden ids are meant to differ.
var spmDifferences = map[string]string{
	"next\u0085line": "XLM-R's tokenizer.json splits at white space, of which U+0085 is a part; SentencePiece does not",
	"……":             "two equally probable ways: SentencePiece takes the other one, Hugging Face's JavaScript this one",
}

func TestAgreesWithHuggingFaceJavaScript(t *testing.T) {
	modules := os.Getenv(hfModules)
	if modules == "" {
		t.Skipf("%s is not set: no @huggingface/tokenizers to compare with", hfModules)
	}
	lib := filepath.Join(modules, "@huggingface/tokenizers/dist/tokenizers.mjs")
	lines := corpus(t)
	docs := map[string][]byte{"WordPiece": bertJSON(t, lines), "Unigram": unigramJSON(t)}
	for name, doc := range docs {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			script, file := filepath.Join(dir, "encode.mjs"), filepath.Join(dir, "tokenizer.json")
			if err := os.WriteFile(script, []byte(hfScript), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, doc, 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command("node", script, lib, file, "testdata/corpus.jsonl").Output()
			if err != nil {
				t.Fatalf("node: %v", err)
			}
			tok := compiled(t, doc)
			ok := tok.Append(nil, "ok")
			equal, tokens := 0, 0
			for i, raw := range bytes.Split(bytes.TrimSpace(out), []byte("\n")) {
				var want struct{ One, IDs, Types []int32 }
				if err := json.Unmarshal(raw, &want); err != nil {
					t.Fatal(err)
				}
				got := tok.Append(nil, lines[i])
				pair := tok.Join(ok, got)
				tokens += len(got)
				same := slices.Equal(got, want.One) && (len(got) == 0 || slices.Equal(pair.IDs, want.IDs) && slices.Equal(pair.Types, want.Types))
				reason, known := known(knownDifferences[name], lines[i])
				switch {
				case same && known:
					t.Errorf("%s line %d %q agrees: it is no known difference (%s)", name, i+1, lines[i], reason)
				case same:
					equal++
				case known:
					t.Logf("line %d %+q differs: %s", i+1, lines[i], reason)
				default:
					t.Errorf("%s Append(%+q) = %v, want %v", name, lines[i], got, want.One)
				}
			}
			t.Logf("%s: %d of %d lines equal, %d tokens", name, equal, len(lines), tokens)
		})
	}
}

// known returns why a line may differ.
func known(differences map[string]string, line string) (string, bool) {
	for part, reason := range differences {
		if strings.Contains(line, part) {
			return reason, true
		}
	}
	return "", false
}

// The golden ids come from SentencePiece itself (testdata/make_unigram.py).
func TestAgreesWithSentencePiece(t *testing.T) {
	b, err := os.ReadFile("testdata/unigram.golden")
	if err != nil {
		t.Fatal(err)
	}
	tok := compiled(t, unigramJSON(t))
	lines := corpus(t)
	golden := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	if len(golden) != len(lines) {
		t.Fatalf("%d golden lines, %d lines in the corpus", len(golden), len(lines))
	}
	for i, raw := range golden {
		var want []int32
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		got := tok.Append(nil, lines[i])
		same := slices.Equal(got, want)
		reason, known := known(spmDifferences, lines[i])
		switch {
		case same && known:
			t.Errorf("line %d %q agrees: it is no known difference (%s)", i+1, lines[i], reason)
		case !same && !known:
			t.Errorf("Append(%+q) = %v, want %v", lines[i], got, want)
		}
	}
}
