package ir

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
)

const good = `intent: Fills and reads PDF forms.
triggers:
  en: [fill in this form, read the form fields]
  ko: [PDF 양식 채워줘]
inputs: [a PDF file]
outputs: [a filled PDF file]
boundaries:
  - not: joining PDF files
    use: pdf-merge
references: [scripts/fill.py]
`

func parse(t testing.TB, text string) *Intent {
	t.Helper()
	x, err := Parse([]byte(text))
	require.NoError(t, err, text)
	return x
}

func TestValidate(t *testing.T) {
	has := func(rel string) bool { return rel == "scripts/fill.py" }
	tests := []struct {
		name, text, want string // "" means no problem
		line             int
	}{
		{"a whole intent", good, "", 0},
		{"no intent", strings.Replace(good, "Fills and reads PDF forms.", `""`, 1), "intent is missing", 1},
		{"two sentences", strings.Replace(good, "forms.", "forms. Signs contracts.", 1), "2 sentences", 1},
		{"a long intent", strings.Replace(good, "forms.", strings.Repeat("forms ", 60), 1), "limit 300", 1},
		{"a language without triggers", strings.Replace(good, "  ko: [PDF 양식 채워줘]\n", "", 1), `no phrase in the language "ko"`, 2},
		{"English under ko", strings.Replace(good, "PDF 양식 채워줘", "fill the form", 1), "contains no Hangul", 4},
		{"Hangul under en", strings.Replace(good, "read the form fields", "양식", 1), "contains Hangul", 3},
		{"kana under en", strings.Replace(good, "read the form fields", "フォームを読んで", 1), "listed as English but contains kana", 3},
		{"a trigger twice", strings.Replace(good, "read the form fields", "Fill in  this form", 1), "listed twice", 3},
		{"a trigger that is its own boundary", strings.Replace(good, "read the form fields", "joining PDF files", 1), "both a trigger and a boundary", 8},
		{"no outputs", strings.Replace(good, "[a filled PDF file]", "[]", 1), "", 0},
		{"a boundary of nothing", strings.Replace(good, "joining PDF files", `""`, 1), `empty "not"`, 8},
		{"no word about inputs", strings.Replace(good, "inputs: [a PDF file]\n", "", 1), "", 0},
		{"no word about boundaries", good[:strings.Index(good, "boundaries:")] + "references: []\n", "", 0},
		{"a missing reference", strings.Replace(good, "fill.py", "gone.py", 1), "does not exist", 10},
		{"a reference outside", strings.Replace(good, "scripts/fill.py", "../other/fill.py", 1), "leads outside the skill's folder", 10},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := parse(t, tt.text).Validate([]string{"en", "ko"}, has)
			if tt.want == "" {
				assert.Empty(t, got)
				return
			}
			for _, p := range got {
				if strings.Contains(p.Text, tt.want) {
					assert.Equal(t, tt.line, p.Line, p.Text)
					return
				}
			}
			t.Errorf("Validate() = %v, want %q", got, tt.want)
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"an unknown key":    "intent: x\ntrigger: [y]\n",
		"a key twice":       "intent: x\nintent: y\n",
		"a wrong kind":      "intent: x\ntriggers: [y]\n",
		"an alias":          "intent: &a x\ninputs: [*a]\n",
		"no mapping":        "- x\n",
		"broken YAML":       "intent: [\n",
		"bytes":             "intent: \xff\n",
		"a very large file": "intent: " + strings.Repeat("x", maxFile) + "\n",
	} {
		x, err := Parse([]byte(text))
		assert.Error(t, err, "Parse(%s) = %+v, want an error", name, x)
	}
}

func TestRenderRoundTrip(t *testing.T) {
	x := parse(t, good)
	text, left := x.Render()
	assert.Equal(t, 0, left)
	page := "---\nname: pdf\ndescription: >-\n  " + text + "\n---\n# PDF\n\nRun scripts/fill.py.\n\n## Input\n- a PDF file\n\n## Output\n- a filled PDF file\n"
	e := catalog.Parse(catalog.LibraryRoot("/x"), catalog.File{Folder: "pdf"}, []byte(page))
	assert.Empty(t, x.Compare(e))
	again := Draft(e, []string{"scripts/fill.py"}, []string{"en", "ko"})
	again.lines, x.lines = nil, nil
	assert.Equal(t, x, again)
}

func TestRenderInEachLanguage(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"Korean": {"intent: PDF 양식을 채운다.\ntriggers: {ko: [양식 채워줘, 서명 넣어줘]}\nboundaries: [{not: 파일 합치기, use: pdf-merge}]\n",
			`PDF 양식을 채운다. "양식 채워줘", "서명 넣어줘" 같은 요청에 사용한다. 파일 합치기에는 사용하지 않는다(pdf-merge 사용).`},
		"Japanese": {"intent: PDFフォームに記入する。\ntriggers: {ja: [フォームに記入して, 署名して]}\n",
			`PDFフォームに記入する。 "フォームに記入して", "署名して"などの依頼で使用する。`},
		"two languages": {"intent: Fills in PDF forms.\ntriggers: {en: [fill in this form], ko: [양식 채워줘]}\nboundaries: [{not: joining files}]\n",
			`Fills in PDF forms. Use when the user says "fill in this form". "양식 채워줘" 같은 요청에 사용한다. Do NOT use for joining files.`},
	} {
		t.Run(name, func(t *testing.T) {
			x := parse(t, tt.text)
			text, _ := x.Render()
			assert.Equal(t, tt.want, text)
			page := "---\nname: pdf\ndescription: >-\n  " + text + "\n---\n"
			assert.Empty(t, x.Compare(catalog.Parse(catalog.LibraryRoot("/x"), catalog.File{Folder: "pdf"}, []byte(page))))
		})
	}
}

func TestDraft(t *testing.T) {
	tests := []struct {
		name, description, body string
		en, ko, inputs, outputs []string
		boundaries              []Boundary
	}{
		{
			name:        "a Korean description that quotes what users say",
			description: `회의 녹취를 회의록으로 정리한다. "회의록 써줘", "녹취 요약" 같은 요청에 쓴다.`,
			ko:          []string{"회의록 써줘", "녹취 요약"},
		},
		{
			name:        "a name in quotation marks is no trigger",
			description: `Ranks ideas with the "Impact Effort" grid. Sorts the rest.`,
		},
		{
			name:        "triggers and boundaries that stand in the body",
			description: "Frees disks of build servers.",
			body: "# Reclaim\n\n## Triggers\n\nUse when the user asks to \"clean the build server\", \"디스크 정리\".\nDo " +
				"NOT use for databases (use db-vacuum).\n\n## Steps\n\n- \"not a trigger\"\n",
			en: []string{"clean the build server"}, ko: []string{"디스크 정리"},
			boundaries: []Boundary{{Not: "databases", Use: "db-vacuum"}},
		},
		{
			name:        "what users say among a list of occasions",
			description: "Frees disks of build servers.",
			body:        "## When to Use\n\n- a build fails for lack of space\n- someone asks to \"free the disk\"\n- 디스크 부족 경고\n",
			en:          []string{"free the disk"},
		},
		{
			name:        "occasions where nothing is said",
			description: "Frees disks of build servers. Use when a build fails for lack of space.",
			en:          []string{"a build fails for lack of space"},
		},
		{
			name:        "a neighbour in the words of a boundary",
			description: `Frees disks. Use when the user says "clean the disk". Do NOT use for databases, which belong to db-vacuum.`,
			en:          []string{"clean the disk"},
			boundaries:  []Boundary{{Not: "databases, which belong to db-vacuum", Use: "db-vacuum"}},
		},
		{
			name:        "a description with triggers of its own keeps to them",
			description: `Frees disks. Use when the user says "clean the disk", "free some space", "디스크 정리".`,
			body:        "## Triggers\n\n- something else entirely\n",
			en:          []string{"clean the disk", "free some space"}, ko: []string{"디스크 정리"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			page := "---\nname: x\ndescription: |-\n  " + tt.description + "\n---\n" + tt.body
			x := Draft(catalog.Parse(catalog.LibraryRoot("/x"), catalog.File{Folder: "x"}, []byte(page)), nil, []string{"en", "ko"})
			got := [][]string{x.Triggers["en"], x.Triggers["ko"], x.Inputs, x.Outputs}
			assert.Empty(t, cmp.Diff([][]string{tt.en, tt.ko, tt.inputs, tt.outputs}, got, cmpopts.EquateEmpty()), page)
			assert.Empty(t, cmp.Diff(tt.boundaries, x.Boundaries, cmpopts.EquateEmpty()), page)
		})
	}
}

func TestRenderFits(t *testing.T) {
	x := parse(t, good)
	for i := range maxTriggers {
		x.Triggers["en"] = append(x.Triggers["en"], fmt.Sprintf("fill in the form number %d of the application for a permit", i))
		x.Triggers["ko"] = append(x.Triggers["ko"], fmt.Sprintf("허가 신청서 %d번 양식을 작성해서 보내줘", i))
	}
	text, left := x.Render()
	require.LessOrEqual(t, utf8.RuneCountInString(text), MaxDescription)
	assert.NotEqual(t, 0, left)
	require.Contains(t, text, "(use pdf-merge)")
	assert.Contains(t, text, "양식")
}

func TestEncodeReadsBack(t *testing.T) {
	x := parse(t, good)
	var b bytes.Buffer
	require.NoError(t, x.Encode(&b))
	again := parse(t, b.String())
	again.lines, x.lines = nil, nil
	assert.Equal(t, x, again)
}

func TestSchemaAgrees(t *testing.T) {
	var s struct {
		Required   []string
		Properties map[string]struct {
			MaxLength            int
			MaxItems             int
			AdditionalProperties struct {
				MaxItems int
				Items    struct{ MaxLength int }
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(Schema), &s))
	var fields []string
	typ := reflect.TypeFor[Intent]()
	for i := range typ.NumField() {
		if tag, _, _ := strings.Cut(typ.Field(i).Tag.Get("yaml"), ","); tag != "" {
			fields = append(fields, tag)
			_, ok := s.Properties[tag]
			assert.True(t, ok, "the schema has no %s", tag)
		}
	}
	require.Equal(t, s.Required, fields[:2])
	assert.Equal(t, len(s.Properties), len(fields))
	trig := s.Properties["triggers"].AdditionalProperties
	got, want := [4]int{s.Properties["intent"].MaxLength, trig.MaxItems, trig.Items.MaxLength, s.Properties["boundaries"].MaxItems},
		[4]int{maxIntent, maxTriggers, maxPhrase, maxItems}
	assert.Equal(t, want, got)
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("intent: x\ntriggers: {ko: [가]}\n"))
	f.Add([]byte("? x\n: y\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		x, err := Parse(text)
		if err != nil {
			return
		}
		x.Validate([]string{"en", "ko"}, func(string) bool { return false })
		if text, _ := x.Render(); utf8.RuneCountInString(text) > MaxDescription {
			t.Errorf("Render() is %d characters", utf8.RuneCountInString(text))
		}
		var b bytes.Buffer
		if err := x.Encode(&b); err != nil {
			t.Fatalf("Encode(%q): %v", text, err)
		}
		if _, err := Parse(b.Bytes()); err != nil && b.Len() <= maxFile {
			t.Errorf("Parse(Encode(%q)): %v\n%s", text, err, b.String())
		}
	})
}
