package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func parse(t *testing.T, text string) *Dictionary {
	t.Helper()
	d, err := Parse(File{"test.yaml", []byte(text)})
	require.NoError(t, err, text)
	return d
}

func TestParse(t *testing.T) {
	d := parse(t, `
korean:
  단위  테스트: {en: [unit test], also: [유닛 테스트]}
  돌리다: {en: run, generic: true}
english:
  - {means: [code review], say: [PR feedback]}
  - {same: [kubernetes, k8s]}
function:
  - [우리, 그리고]
`)
	want := &Dictionary{
		Entries: []Entry{
			{Head: "단위 테스트", Senses: []string{"unit test"}, Also: []string{"유닛 테스트"}, Place: Place{"test.yaml", 3}},
			{Head: "돌리다", Senses: []string{"run"}, Generic: true, Place: Place{"test.yaml", 4}},
		},
		Sets: []Set{
			{Means: []string{"code review"}, Say: []string{"PR feedback"}, Place: Place{"test.yaml", 6}},
			{Same: []string{"kubernetes", "k8s"}, Place: Place{"test.yaml", 7}},
		},
		Function: []Function{{"우리", Place{"test.yaml", 9}}, {"그리고", Place{"test.yaml", 9}}},
	}
	assert.Empty(t, cmp.Diff(want, d))
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"no YAML", "korean: [", "test.yaml: yaml: "},
		{"unknown part", "japanese: {}", `test.yaml:1: unknown key "japanese"`},
		{"unknown key of an entry", "korean:\n  배포: {de: [Auslieferung]}", `test.yaml:2: unknown key "de"`},
		{"entry without keys", "korean:\n  배포: deploy", "test.yaml:2: the value must be a mapping of keys to values"},
		{"senses in a mapping", "korean:\n  배포: {en: {a: b}}", "test.yaml:2: the value must be a word or a list of words"},
		{"list inside a list", "korean:\n  배포: {en: [[deploy]]}", "test.yaml:2: the value must be a word, not a list or mapping"},
		{"generic that is no truth value", "korean:\n  배포: {en: [deploy], generic: often}", `test.yaml:2: generic is "often"`},
		{"English part that is not a list", "english: {means: [a]}", "test.yaml:1: the value of \"english\" is not a list"},
		{"alias", "korean:\n  배포: &a {en: [deploy]}\n  배치: *a", "test.yaml:3: the value must be a mapping of keys to values"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse(File{"test.yaml", []byte(tt.text)})
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("Parse(%q) = %v, want %s…", tt.text, err, tt.want)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing wrong without spaces", "spaceless:\n  議事録: {en: [meeting minutes], also: [ミニッツ]}", ""},
		{"Korean among words without spaces", "spaceless:\n  배포: {en: [deploy]}",
			`test.yaml:2: headword "배포" is not written in a script without spaces`},
		{"a word without spaces twice", "spaceless:\n  作る: {en: [make], also: [作り]}\n  作り: {en: [structure]}",
			"test.yaml:2: variant 作り is already used by the entry 作り in test.yaml:3"},
		{"nothing wrong", "korean:\n  배포: {en: [deploy], also: [디플로이]}", ""},
		{"headword twice", "korean:\n  배포: {en: [deploy]}\n  배포: {en: [ship]}",
			"test.yaml:3: headword 배포 is already used by the entry 배포 in test.yaml:2"},
		{"headword twice with other spacing", "korean:\n  단위 테스트: {en: [unit test]}\n  단위테스트: {en: [unit test]}",
			"test.yaml:3: headword 단위테스트 is already used by the entry 단위 테스트 in test.yaml:2"},
		{"variant of two headwords", "korean:\n  배포: {en: [deploy], also: [릴리스]}\n  출시: {en: [launch], also: [릴리스]}",
			"test.yaml:3: variant 릴리스 is already used by the entry 배포 in test.yaml:2"},
		{"variant that is a headword", "korean:\n  배포: {en: [deploy], also: [출시]}\n  출시: {en: [launch]}",
			"test.yaml:2: variant 출시 is already used by the entry 출시 in test.yaml:3"},
		{"variant twice", "korean:\n  배포: {en: [deploy], also: [디플로이, 디플로이]}",
			"test.yaml:2: variant 디플로이 is the same as another form of 배포"},
		{"variant that is the headword", "korean:\n  배포: {en: [deploy], also: [배포]}", "test.yaml:2: variant 배포 is the same as another form of 배포"},
		{"variant with a space the headword lacks", "korean:\n  워크플로: {en: [workflow], also: [워크 플로]}", ""},
		{"four senses", "korean:\n  배포: {en: [a1, b1, c1, d1]}", "test.yaml:2: 배포 has 4 senses but must have 1 to 3"},
		{"no sense", "korean:\n  배포: {}", "test.yaml:2: 배포 has 0 senses but must have 1 to 3"},
		{"sense twice", "korean:\n  배포: {en: [deploy, deploy]}", `test.yaml:2: sense "deploy" of 배포 is given twice`},
		{"upper case sense", "korean:\n  슬랙: {en: [Slack]}", `test.yaml:2: sense "Slack" of 슬랙 is not lower case`},
		{"infinitive with to", "korean:\n  배포: {en: [to deploy]}", `test.yaml:2: sense "to deploy" of 배포 begins with to`},
		{"four words", "korean:\n  배포: {en: [put it on server]}", `test.yaml:2: sense "put it on server" of 배포 has 4 words (limit 3)`},
		{"Korean sense", "korean:\n  배포: {en: [디플로이]}", `test.yaml:2: sense "디플로이" of 배포 is not English`},
		{"English headword", "korean:\n  deploy: {en: [deploy]}", `test.yaml:2: headword "deploy" is not written in Hangul`},
		{"function word with a meaning", "korean:\n  배포: {en: [deploy]}\nfunction:\n  - [배포]",
			"test.yaml:4: function word 배포 is already used by the entry 배포 in test.yaml:2"},
		{"set without phrases", "english:\n  - {means: [deploy]}", `test.yaml:2: a set must have "means" and "say", or "same"`},
		{"lonely equal", "english:\n  - {same: [k8s]}", `test.yaml:2: "same" must have two words or more`},
		{"both kinds of set", "english:\n  - {same: [k8s, kube], means: [deploy]}", `test.yaml:2: a set must not have "same" together with "means" or "say"`},
		{"phrase twice in a set", "english:\n  - {means: [launch], say: [deploy, deploys]}", `test.yaml:2: "deploys" is in the set twice`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range parse(t, tt.text).Check() {
				got = append(got, p.String())
			}
			assert.Equal(t, tt.want, strings.Join(got, "\n"))
		})
	}
}

func TestAdd(t *testing.T) {
	tests := []struct {
		name, file string
		entry      Entry
		want       string
	}{
		{"empty file", "", Entry{Head: "배포", Senses: []string{"deploy"}},
			"korean:\n  배포: {en: [deploy]}\n"},
		{"file with English only", "english:\n  - {same: [k8s, kube]}\n", Entry{Head: "배포", Senses: []string{"deploy"}},
			"english:\n  - {same: [k8s, kube]}\nkorean:\n  배포: {en: [deploy]}\n"},
		{"word of a language without spaces", "korean:\n  검토: {en: [review]}\n",
			Entry{Head: "議事録", Senses: []string{"meeting minutes"}, Spaceless: true},
			"korean:\n  검토: {en: [review]}\nspaceless:\n  議事録: {en: [meeting minutes]}\n"},
		{"behind the last entry", "# mine\nkorean:\n  검토: {en: [review]} # keep\n\nenglish: []\n",
			Entry{Head: "배포", Senses: []string{"deploy", "ship"}, Also: []string{"디플로이"}, Generic: true},
			"# mine\nkorean:\n  검토: {en: [review]} # keep\n  배포: {en: [deploy, ship], also: [디플로이], generic: true}\n\nenglish: []\n"},
		{"no final newline", "korean:\n  검토: {en: [review]}", Entry{Head: "배포", Senses: []string{"deploy"}},
			"korean:\n  검토: {en: [review]}\n  배포: {en: [deploy]}\n"},
		{"headword that is there", "korean:\n  # shipping\n  배포: {en: [deploy], also: [디플로이]}\n  검토: {en: [review]}\n",
			Entry{Head: "배포", Senses: []string{"rollout"}, Also: []string{"롤아웃"}},
			"korean:\n  # shipping\n  배포: {en: [rollout, deploy], also: [롤아웃, 디플로이]}\n  검토: {en: [review]}\n"},
		{"headword that is there in many lines", "korean:\n  배포:\n    en:\n      - deploy\n  검토: {en: [review]}\n",
			Entry{Head: "배포", Senses: []string{"rollout"}},
			"korean:\n  배포: {en: [rollout, deploy]}\n  검토: {en: [review]}\n"},
		{"word that YAML reads as something else", "", Entry{Head: "배포", Senses: []string{"null"}, Also: []string{"배포: 앱"}},
			"korean:\n  배포: {en: [\"null\"], also: [\"배포: 앱\"]}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Add(File{"test.yaml", []byte(tt.file)}, tt.entry)
			if err != nil || string(got) != tt.want {
				t.Errorf("Add(%q, %v) = %q, %v, want %q", tt.file, tt.entry, got, err, tt.want)
			}
		})
	}
}

func TestAddSet(t *testing.T) {
	for name, tt := range map[string]struct{ file, want string }{
		"empty file":  {"", "english:\n  - {means: [code review], say: [gander]}\n"},
		"Korean only": {"korean:\n  검토: {en: [review]}", "korean:\n  검토: {en: [review]}\nenglish:\n  - {means: [code review], say: [gander]}\n"},
		"before the first set": {"# mine\nenglish: # words\n\n    # first\n    - {same: [k8s, kube]}\nkorean:\n  검토: {en: [review]}\n",
			"# mine\nenglish: # words\n\n    # first\n    - {means: [code review], say: [gander]}\n    - {same: [k8s, kube]}\nkorean:\n  검토: {en: [review]}\n"},
		"not indented": {"english:\n- {same: [k8s, kube]}\n", "english:\n- {means: [code review], say: [gander]}\n- {same: [k8s, kube]}\n"},
		"in brackets":  {"english: [{same: [k8s, kube]}]\n", ""},
		"said already": {"english:\n  - {means: [deploy], say: [gander]}\n", ""},
	} {
		got, err := AddSet(File{"test.yaml", []byte(tt.file)}, "gander", "code review")
		if string(got) != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s: AddSet = %q, %v, want %q", name, got, err, tt.want)
		}
	}
}

func TestAddErrors(t *testing.T) {
	tests := []struct {
		name, file string
		entry      Entry
		want       string
	}{
		{"entry with a problem", "", Entry{Head: "배포"}, "add 배포: 배포 has 0 senses but must have 1 to 3"},
		{"file with a problem", "korean: [", Entry{Head: "배포", Senses: []string{"deploy"}}, "test.yaml: yaml: "},
		{"entries in braces", "korean: {검토: {en: [review]}}\n", Entry{Head: "배포", Senses: []string{"deploy"}},
			"test.yaml:1: korean is in braces; write one entry per line instead"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Add(File{"test.yaml", []byte(tt.file)}, tt.entry)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("Add(%q, %v) = %v, want %s…", tt.file, tt.entry, err, tt.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add("korean:\n  배포: {en: [deploy], also: [디플로이]}\nenglish:\n  - {means: [deploy], say: [ship it]}\nfunction:\n  - [우리]")
	f.Add("korean: &a\n  배포: *a")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(File{"fuzz.yaml", []byte(text)})
		if err != nil {
			return
		}
		d.Check()
		if a, b := d.Compile(), d.Compile(); string(a) != string(b) {
			t.Errorf("two compilations of %q differ", text)
		}
	})
}
