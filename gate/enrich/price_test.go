package enrich

import (
	"testing"
)

func TestListPrice(t *testing.T) {
	x := Estimate{In: 2_000_000, Out: 1_000_000}
	for _, tt := range []struct {
		provider, model string
		want            float64 // 0 means unknown
	}{
		{"claude", "sonnet", 21}, {"claude", "claude-haiku-4", 7}, {"claude", "opus", 35}, {"claude", "unheard-of", 0}, {"openai", "sonnet", 0}, {"file", "", 0},
	} {
		got := ListPrice(tt.provider, tt.model, x)
		if (got == nil) != (tt.want == 0) || got != nil && *got != tt.want {
			t.Errorf("ListPrice(%s, %s) = %v, want %v", tt.provider, tt.model, got, tt.want)
		}
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
		{"ru", "открой файл", true}, {"pt-br", "abra o arquivo", true}, {Keywords, "엑셀", true}, {Keywords, "打开", true},
	} {
		if got := inLanguage(tt.kind, tt.text); got != tt.want {
			t.Errorf("inLanguage(%s, %q) = %v", tt.kind, tt.text, got)
		}
	}
}
