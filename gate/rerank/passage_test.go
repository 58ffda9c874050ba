package rerank

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const skill = `---
name: ledger-import
description: Imports bank statements
when_to_use: a CSV or MT940 file of a bank is named
inputs:
  - a statement file
license: MIT
compatibility: needs Python 3.11
---

# Overview

Bank statements are read and turned into ledger entries.

## Duplicates

Entries that were imported before are found by amount and date.
Nothing is written twice.

## 환불 처리

환불은 원래 결제와 짝을 지어 기록합니다.
`

func TestPassage(t *testing.T) {
	long := "---\nname: x\n---\n" + strings.Repeat("filler words here. ", 200) + "\n\nthe needle paragraph\n"
	tests := []struct {
		name, text string
		words      []Word
		want       string
	}{
		{"the paragraph with the matched words, under its heading", skill, []Word{{"import", 2}, {"date", 1}},
			"Duplicates: Entries that were imported before are found by amount and date.\nNothing is written twice."},
		{"Korean words match inside words", skill, []Word{{"환불", 3}}, "환불 처리: 환불은 원래 결제와 짝을 지어 기록합니다."},
		{"the heavier word decides", skill, []Word{{"ledger", 1}, {"환불", 3}}, "환불 처리: 환불은 원래 결제와 짝을 지어 기록합니다."},
		{"a stem inside a word is no match", skill, []Word{{"ed", 1}}, ""},
		{"frontmatter is not body", skill, []Word{{"mt940", 5}}, ""},
		{"negative evidence does not choose", skill, []Word{{"bank", -1}}, ""},
		{"far down a long body", long, []Word{{"needl", 1}}, "the needle paragraph"},
		{"no words", skill, nil, ""},
		{"unclosed frontmatter is body, as in the index", "---\nname: x\nbank", []Word{{"bank", 1}}, "---\nname: x\nbank"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, Passage(tt.text, tt.words), tt.name)
	}
}

func TestContract(t *testing.T) {
	want := "when_to_use: a CSV or MT940 file of a bank is named inputs: - a statement file compatibility: needs Python 3.11"
	assert.Equal(t, want, Contract(skill))
	assert.Empty(t, Contract("no frontmatter\ninputs: x"))
}

func TestBodyOfWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "SKILL.md")
	require.NoError(t, os.WriteFile(file, []byte(skill), 0o600))
	words := []Word{{"bank", 1}}
	for path, want := range map[string]bool{file: true, dir: false, "": false, filepath.Join(dir, "gone"): false} {
		if contract, passage := Body(path, words); (contract != "" && passage != "") != want {
			t.Errorf("Body(%q) = %q, %q, want something: %v", path, contract, passage, want)
		}
	}
}

// A passage consists of whole characters of the text and keeps its limit.
func FuzzPassage(f *testing.F) {
	f.Add(skill, "import")
	f.Add("# a\n# b\n\n\nc", "c")
	f.Fuzz(func(t *testing.T, text, word string) {
		got := Passage(text, []Word{{word, 1}})
		if len(got) > maxPassage || utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Fatalf("Passage(%q, %q) = %q", text, word, got)
		}
		if c := Contract(text); len(c) > maxContract {
			t.Fatalf("Contract(%q) has %d bytes", text, len(c))
		}
	})
}
