package terms

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func texts(text string) string {
	var out []string
	for _, t := range Scan(text) {
		out = append(out, t.Text)
	}
	return strings.Join(out, " ")
}

func TestScan(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"words are stemmed and stop words dropped", "Reviews of the pull requests", "review pull request"},
		{"lower camel case is kept whole and in parts", "useEffect", "useeffect use effect"},
		{"a name that ends with one letter is no camel case", "LaTeX and BibTeX", "latex bibtex"},
		{"a two-part name stays one word", "JavaScript and PowerPoint", "javascript powerpoint"},
		{"three capitals are taken apart", "PullRequestReview", "pullrequestreview pull request review"},
		{"snake case is kept whole and in parts", "parse_json_files", "parse_json_files pars json file"},
		{"a dotted name loses its dot", "Node.js", "nodejs node js"},
		{"operators belong to language names", "C++ C# F# and c", "c++ c# f# c"},
		{"versions stay whole", "v1.2.3 on 2.0", "v1.2.3 2.0"},
		{"a one-letter head joins", "e-mail k-means", "email kmean"},
		{"kebab case is several words", "pr-review-captain", "pr review captain"},
		{"a possessive is cut", "user's components", "user compon"},
		{"contractions are stop words", "don't", ""},
		{"Hangul stands alone beside Latin", "React컴포넌트를 테스트", "react 컴포넌트를 테스트"},
		{"Han and kana runs stay whole", "数据库 テスト", "数据库 テスト"},
		{"scripts of one text are parted", "データ分析レポートまとめ", "データ 分析 レポート まとめ"},
		{"a dot between Katakana words parts them", "データ・ベース", "データ ベース"},
		{"one Hiragana letter is an ending", "書く", "書"},
		{"wide letters are folded", "ＰＤＦ", "pdf"},
		{"Cyrillic is a word", "Отчёт", "отчёт"},
		{"analysis and analyze meet", "analysis analyses analyze analyzing", "analyz analyz analyz analyz"},
		{"British spelling meets American", "optimise optimization organisation organize", "optim optim organ organ"},
		{"short abbreviations are no plurals", "aws gas ios css", "aws gas ios css"},
		{"digits keep a word whole", "k8s i18n gpt4", "k8s i18n gpt4"},
		{"invalid bytes part words", "pdf\xffform", "pdf form"},
		{"a link gives its site and words", "https://www.vimeo.com/channels/Qx9Z12?x=1 saved", "vimeo channel save"},
		{"an address gives nothing", "mail ann.lee@example.org now", "mail"},
		{"plus behind a longer word is punctuation", "notepad++", "notepad"},
	}
	for _, tt := range tests {
		assert.Empty(t, cmp.Diff(tt.want, texts(tt.text)), tt.name)
	}
}

func FuzzScan(f *testing.F) {
	for _, s := range []string{"C++ review", "e-mail's", "a_b.c-d'e", "리뷰API文档", "\xff\xfe", "x++--++", "''_..-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		normal := Normal(text)
		last := 0
		for _, tok := range Scan(text) {
			if tok.Text == "" || !utf8.ValidString(tok.Text) && utf8.ValidString(text) {
				t.Errorf("Scan(%q): token %q", text, tok.Text)
			}
			if tok.Start < 0 || tok.End > len(normal) || tok.Start >= tok.End || tok.Start < last {
				t.Errorf("Scan(%q): token %q at [%d,%d) of %d, after %d", text, tok.Text, tok.Start, tok.End, len(normal), last)
			}
			last = tok.Start
		}
	})
}

func BenchmarkScan(b *testing.B) {
	text := strings.Repeat("Reviews pull requests in node.js, fixes useEffect bugs. 코드 리뷰를 해줘. ", 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Scan(text)
	}
}

// simple and the rules for longer chunks give the same results for words.
func TestSimpleWordsAreChunksOfOneWord(t *testing.T) {
	texts := []string{
		"see www. now", "http: x", "www.a.com", "ann@example.org", "a- b", "e-mail", "don't", "iOS app", "API, APIs", "C++ C# R c", "naïve café",
		"x_y z.", "end", "a:b c", "the(a)", "Word\u0301 x", "GitHub",
	}
	files, err := filepath.Glob("../../testdata/library/*/SKILL.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		texts = append(texts, string(text))
	}
	n := 0
	for _, text := range texts {
		for i := range len(text) {
			if !isWord(rune(text[i])) || i > 0 && isASCIILetter(text[i-1]) {
				continue
			}
			j := simple(text, i)
			if j == i {
				continue
			}
			n++
			got, want := appendWord(nil, text[i:j], i, j), appendChunk(nil, text, i, chunk(text, i))
			if link(text, i) != i || address(text, j) != j || !slices.Equal(got, want) {
				t.Fatalf("%q is taken for a word: %v, want %v", text[i:min(len(text), j+10)], got, want)
			}
		}
	}
	assert.GreaterOrEqual(t, n, 10_000)
}
