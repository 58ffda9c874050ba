package enrich

import (
	"strings"
	"testing"
)

func TestListPrice(t *testing.T) {
	x := Estimate{In: 2_000_000, Out: 1_000_000}
	for _, tt := range []struct {
		provider, model string
		want            float64 // 0: not known
	}{
		{"claude", "sonnet", 21}, {"claude", "claude-haiku-4", 7}, {"claude", "opus", 35}, {"claude", "unheard-of", 0}, {"openai", "sonnet", 0}, {"file", "", 0},
	} {
		got := ListPrice(tt.provider, tt.model, x)
		if (got == nil) != (tt.want == 0) || got != nil && *got != tt.want {
			t.Errorf("ListPrice(%s, %s) = %v, want %v", tt.provider, tt.model, got, tt.want)
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1k", 1499: "1k", 1500: "2k", 999_499: "999k", 1_250_000: "1.2M"} {
		if got := Thousands(n); got != want {
			t.Errorf("Thousands(%d) = %s, want %s", n, got, want)
		}
	}
}

// More skills, more languages and smaller requests cost more; nothing costs nothing.
func TestEstimateFor(t *testing.T) {
	skills := make([]Skill, 13)
	for i := range skills {
		skills[i] = Skill{ID: string(rune('a' + i)), Name: "skill", Description: strings.Repeat("words and 단어 ", 20)}
	}
	x := EstimateFor(skills, []string{"ko", "en"}, 6)
	if x.Skills != 13 || x.Requests != 3 {
		t.Errorf("EstimateFor(13 by 6) = %+v", x)
	}
	if y := EstimateFor(skills, []string{"ko", "en", "ja"}, 6); y.Out <= x.Out {
		t.Errorf("a third language costs %d, two %d", y.Out, x.Out)
	}
	if y := EstimateFor(skills, []string{"ko", "en"}, 1); y.Requests != 13 || y.In <= x.In {
		t.Errorf("one by one: %+v, by six: %+v", y, x)
	}
	if y := EstimateFor(nil, []string{"ko"}, 6); y != (Estimate{}) {
		t.Errorf("nothing costs %+v", y)
	}
}

func TestLanguages(t *testing.T) {
	for _, tt := range []struct {
		name  string
		codes []string
		ok    bool
	}{
		{"two", []string{"ko", "en"}, true}, {"one with a region", []string{"pt-br"}, true}, {"none", nil, false}, {"twice", []string{"ko", "ko"}, false},
		{"a name", []string{"Korean"}, false}, {"the key of keywords", []string{Keywords}, false},
	} {
		if err := CheckLanguages(tt.codes); (err == nil) != tt.ok {
			t.Errorf("%s: CheckLanguages(%q) = %v", tt.name, tt.codes, err)
		}
	}
	if got := languageNames([]string{"ko", "ja", "sv", "fr"}); got != "Korean (ko), Japanese (ja), sv, French (fr)" {
		t.Errorf("languageNames = %s", got)
	}
}

func TestInLanguage(t *testing.T) {
	for _, tt := range []struct {
		kind, text string
		want       bool
	}{
		{"ko", "엑셀 파일 열어줘", true}, {"ko", "PR 리뷰 해줘 please", true}, {"ko", "open the file", false}, {"ko", "ファイルを開いて", false}, {"ko", "大韓民國 헌법 요약", true},
		{"en", "open the file", true}, {"en", "naïve café", true}, {"en", "파일 open", false}, {"en", "123", false},
		{"ja", "ファイルを開いて", true}, {"ja", "資料作成", true}, {"ja", "파일을 開いて", false},
		{"zh", "打开文件", true}, {"zh", "open", false}, {"ru", "открой файл", true}, {"ru", "open file", false},
		{"fr", "ouvre le fichier", true}, {"fr", "открой", false}, {"pt-br", "abra o arquivo", true}, {Keywords, "엑셀", true}, {Keywords, "打开", true},
	} {
		if got := inLanguage(tt.kind, tt.text); got != tt.want {
			t.Errorf("inLanguage(%s, %q) = %v", tt.kind, tt.text, got)
		}
	}
}
