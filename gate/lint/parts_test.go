package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/gate/wording"
)

func TestSeverities(t *testing.T) {
	for name, want := range map[string]Severity{"off": Off, "info": Info, "warning": Warning, "error": Error} {
		got, err := ParseSeverity(name)
		text, _ := got.MarshalText()
		if err != nil || got != want || string(text) != name {
			t.Errorf("ParseSeverity(%s) = %v, %v", name, got, err)
		}
	}
	var s Severity
	assert.Error(t, s.UnmarshalText([]byte("grave")), "grave is a severity")
}

// Escapes in the files of text/ are decoded to the characters that they stand for.
func TestSpellOut(t *testing.T) {
	for _, tt := range []struct {
		name, path, text string
		want             []ExampleFile
	}{
		{"as it is", "pdf/SKILL.md", "# PDF\n", []ExampleFile{{"pdf/SKILL.md", "# PDF\n"}}},
		{"braces that mean nothing", "a", "{} {a: [b]} {3x}\n", []ExampleFile{{"a", "{} {a: [b]} {3x}\n"}}},
		{"characters by number", "a", "a{U+202E}b{U+00A0}{CR}\n", []ExampleFile{{"a", "a\u202eb\u00a0\r\n"}}},
		{"bytes", "a", "{0xFF}{0x00}\n", []ExampleFile{{"a", "\xff\x00\n"}}},
		{"words again and again", "a", "say {3×tea, }now\n", []ExampleFile{{"a", "say tea, tea, tea, now\n"}}},
		{"lines again and again", "a", "b\n{2×- tea}\nc\n", []ExampleFile{{"a", "b\n- tea\n- tea\nc\n"}}},
		{"a file for each word", "x-{one,two}/SKILL.md", "is {}\n", []ExampleFile{{"x-one/SKILL.md", "is one\n"}, {"x-two/SKILL.md", "is two\n"}}},
	} {
		got := spellOut(tt.path, tt.text)
		assert.Equal(t, tt.want, got, "%s: spellOut(%s) = %q, want %q", tt.name, tt.path, got, tt.want)
	}
}

func TestParseText(t *testing.T) {
	const file = "title: a mistake\nwhy: it costs\n  much\nadvice: mend it\nsee: https://example.com\nsince: v1\n" +
		"bad: {\"installed\": true}\n-- bad/pdf/SKILL.md --\n# PDF\n-- good/pdf/SKILL.md --\n# Good\n"
	x, err := parseText([]byte(file))
	require.NoError(t, err)
	if x.Title != "a mistake" || x.Why != "it costs much" || !x.Bad.Installed || x.Good.Installed {
		t.Errorf("parseText = %+v", x)
	}
	assert.Equal(t, "# PDF\n", x.Bad.String())
	for name, text := range map[string]string{
		"an unknown key": "tilte: x\n", "a line without a key": "title: x\nand more\n",
		"an example that is not JSON": "bad: {\n", "a file of neither side": "title: x\n-- worse/a --\n",
	} {
		_, err := parseText([]byte(text))
		assert.Error(t, err, "%s is taken", name)
	}
}

func TestNameFault(t *testing.T) {
	for name, want := range map[string]string{
		"pdf-forms": "", "a1": "", "PDF": "has capital letters", "-pdf": "begins or ends with a hyphen", "pdf-": "begins or ends with a hyphen",
		"pdf--forms": "has two hyphens in a row", "pdf_forms": "has characters other than a-z, 0-9 and -", "양식": "has characters other than a-z, 0-9 and -",
	} {
		assert.Equal(t, want, nameFault(name), name)
	}
}

func TestNearKey(t *testing.T) {
	for key, want := range map[string]string{
		"name": "", "description": "", "allowed_tools": "allowed-tools", "allowedTools": "allowed-tools", "Description": "description",
		"descripton": "description", "descirption": "description", "licence": "license", "tags": "", "title": "", "agents": "", "version": "",
		"description_en": "", "description-ko": "", "when-to-use": "when_to_use", "compatability": "compatibility",
	} {
		assert.Equal(t, want, nearKey(key), key)
	}
}

// The code asks lint.yaml for names that it has, and for each of them.
func TestDataIsWhole(t *testing.T) {
	asked := map[string]bool{}
	paths, _ := filepath.Glob("*.go")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`\b(?:expr|words|findAll)\("(\w+)"|"(\w+)"`).FindAllStringSubmatch(string(text), -1) {
			if m[1] != "" {
				_, isExpression := data().Expressions[m[1]]
				_, isList := data().Words[m[1]]
				assert.True(t, isExpression || isList, "%s of %s is not in lint.yaml", m[1], path)
			}
			asked[m[1]+m[2]] = true
		}
	}
	for name := range data().Expressions {
		assert.True(t, asked[name], name)
		expr(name)
	}
	for name := range data().Needs {
		assert.NotEmpty(t, data().Expressions[name], name)
	}
	for name := range data().Words {
		assert.True(t, asked[name], name)
	}
}

func TestLocalTarget(t *testing.T) {
	for target, want := range map[string]string{
		"references/forms.md": "references/forms.md", "./forms.md#top": "forms.md", "a%20b.md": "a b.md", "forms.md?raw=1": "forms.md", "../x.md": "../x.md",
		"https://example.com/x.md": "", "//example.com/x": "", "#top": "", "mailto:ann@example.com": "", "{name}.md": "", "*.md": "", "...": "", "": "", ".": "",
	} {
		if got, ok := localTarget(target); got != want || ok != (want != "") {
			t.Errorf("localTarget(%s) = %q, %v, want %q", target, got, ok, want)
		}
	}
	for target, want := range map[string]bool{"a/b": false, "..": true, "../a": true, "a/../b": false, "a/../../b": true,
		"/etc/x": true, "~/x": true, "..a": false} {
		assert.Equal(t, want, leaves(target), "leaves(%s) = %v", target, !want)
	}
}

func TestLinks(t *testing.T) {
	const text = "See [forms](references/forms.md \"Forms\") and `[not](this.md)`.\n" +
		"Run `scripts/fill.py FILE`.\n```\n[no](link.md)\n```\n[web](https://example.com/a.md) [b](b.md#c)\n"
	var got []string
	for _, l := range (document{src: source.New("a", text), until: len(text)}).links() {
		got = append(got, l.target+" "+text[l.start:l.end])
	}
	assert.Equal(t, []string{"references/forms.md references/forms.md", "b.md b.md#c"}, got)
}

func TestNamesAndWords(t *testing.T) {
	assert.Equal(t, []string{"fill", "in", "pdf", "forms", "양식", "2"}, wording.Words("Fill-in PDF_forms, 양식 2!"))
	assert.Equal(t, []string{"Fill", "the", "of", "in"}, expr("englishWord").FindAllString("Fill the API 양식 of x in PDF", -1))
}

func TestPrintable(t *testing.T) {
	if got := source.Printable("a\nb\x1b"+strings.Repeat("x", 2*maxText), maxText); strings.ContainsAny(got, "\n\x1b") || utf8.RuneCountInString(got) > maxText {
		t.Errorf("Printable leaves %d bytes: %.20q", len(got), got)
	}
}
