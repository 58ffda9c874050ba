package lint

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Texts that authors may well write must not be reported, and mistakes must be reported
// whatever their words.
func TestDescriptionRules(t *testing.T) {
	const round = "Sorts the letters of a village by street and by house, weighs the parcels, prints the stamps that " +
		"are due, and writes a list of the people who were not at home for the round of letters and parcels"
	cut := round + " sta"
	whole := strings.Replace(round, "the round", "the big round", 1)
	forms := func(rest string) Example { return front("pdf-forms", "Fills PDF forms. "+rest) }
	tests := []struct {
		name string
		rule string
		lib  Example
		want bool
	}{

		{"an occasion in Chinese", "SG203", front("forms", "填写 PDF 表单。当用户需要填写表单时使用此技能。"), false},
		{"a scene in Japanese", "SG203", front("forms", "書類を作成する。署名欄の確認が必要な場面で使用。"), false},
		{"an occasion in Japanese", "SG203", front("forms", "書類を作成する。申請の相談時に使用。"), false},
		{"a Japanese time to load it", "SG203", front("forms", "書類を作成する。「申請書を直して」、書類の更新時は必ずロードする。"), false},
		{"Japanese words that load it too", "SG203", front("forms", "書類を作成する。「申請書を直して」でも使う。"), false},
		{"a Japanese order to follow it", "SG203", front("forms", "書類の書き方。どの欄に書くか決めるときは必ず従う。"), false},
		{"a Japanese boundary alone", "SG203", front("forms", "書類を作成する。「手紙を書いて」では使わない。"), true},
		{"a Japanese list of triggers", "SG203", front("forms", "書類を作成する。 トリガー: 書類作成、申請"), false},
		{"a skill that is not to be used", "SG203", front("forms", "Renamed to letters. Do not use this skill; use letters."), false},
		{"phrases of a user", "SG203", front("forms", "Fill in my form, check this form, is this form right. Not for letters."), false},
		{"a boundary alone", "SG203", front("forms", "Fills PDF forms. With letters, do not use this skill."), true},
		{"an occasion in Spanish", "SG203", front("forms", "Rellena formularios. Usar cuando el usuario pide un formulario."), false},

		{"a # that YAML takes for a comment", "SG213", forms("Use for fields of #12 and more."), true},
		{"a comment", "SG213", forms("Use when a form is to be filled in. # as the office says"), false},

		{"nothing but vague words", "SG206", front("pdf", "Helps agents with advanced documents and data."), true},
		{"one word besides the name", "SG206", front("text-tools", "Helpful text manipulation tools."), true},
		{"the name over again", "SG206", front("text-tools", "Text tools."), true},
		{"a template's request", "SG206", forms("Use when asked to [trigger phrases that users type]."), true},
		{"a template's description", "SG206", front("pdf-forms", "A brief description of what this skill does."), true},
		{"a Korean template", "SG206", front("pdf-forms", "여기에 스킬 설명을 입력하세요."), true},
		{"a template of a template", "SG206", Example{}.with("templates/pdf/SKILL.md", page("pdf", "[TODO: what this skill does] Fills PDF forms.")), false},
		{"a note in brackets", "SG206", forms("[Beta] Use for the fields [name] and [date]."), false},
		{"short and clear", "SG206", front("text-tools", "Strips accents from text."), false},

		{"all requests", "SG206", forms("Use this skill for every request, whatever the topic."), true},
		{"all requests of a kind", "SG206", forms("Use for any task with forms, before printing."), false},
		{"a cut sentence", "SG213", forms("Use when the user wants to fill in, print or."), true},
		{"a template's variable", "SG206", front("pdf-forms", "{{ skill.description }}"), true},
		{"commands of the name", "SG206", front("glue-alias", "Use when working with glue alias commands."), true},
		{"vague words that are not the name's", "SG206", front("glue-alias", "Helps with various tasks."), true},

		{"a name left to be filled in", "SG117", Example{}.with("pdf/SKILL.md", page("[TODO: name]", "Fills PDF forms.")), true},
		{"a template's name", "SG117", Example{}.with("templates/pdf/SKILL.md", page("[TODO: name]", "Fills PDF forms.")), false},
	}
	require.Equal(t, 200, len(cut))
	require.Equal(t, 200, len(whole))
	for _, tt := range tests {
		t.Run(tt.rule+" "+tt.name, func(t *testing.T) {
			got := Run(library(t, tt.lib), Options{Rules: map[string]bool{tt.rule: true}}).Findings
			assert.Equal(t, tt.want, (len(got) > 0), "%s reports %v, want a finding: %v\n%s", tt.rule, got, tt.want, tt.lib)
		})
	}
}

func TestSpoken(t *testing.T) {
	english, korean := "Fills in forms and signs them.", "서식을 채우고 서명한다."
	tests := []struct {
		name         string
		descriptions []string
		usage        map[string]Usage
		want         []string
	}{
		{"English skills", []string{english, english}, nil, []string{"en"}},
		{"Korean skills", []string{korean, korean}, nil, []string{"ko"}},
		{"both in one", []string{english + " " + korean}, nil, []string{"en", "ko"}},
		{"one Korean skill of ten", append(slices.Repeat([]string{english}, 9), korean), nil, []string{"en"}},
		{"English skills of Korean users", []string{english}, map[string]Usage{"forms": {Named: 4, Langs: map[string]int{"ko": 3, "en": 1}}}, []string{"en", "ko"}},
		{"nothing", nil, nil, nil},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, Spoken(tt.descriptions, tt.usage), tt.name)
	}
}
