package rank

import (
	"testing"

	"github.com/skillgate/skillgate/gate/catalog"
)

func TestJapanesePromptsFindEnglishSkills(t *testing.T) {
	r := over(t, []catalog.Entry{
		skill("minutes", "Writes meeting minutes from a recording.", "# Minutes\n"),
		skill("sales-report", "Analyzes sales figures and makes charts of them.", "# Sales\n"),
		skill("code-review", "Reviews code for bugs.", "# Review\n"),
		skill("trip", "Plans a trip: flights, hotels, a map of sights.", "# Trip\n"),
		skill("tenki", "天気予報を伝える。", "# 天気\n"),
		skill("contracts", "Reviews contracts for risky clauses.", "# Contracts\n"),
	})
	tests := []struct{ name, prompt, first string }{
		{"a compound noun", "録音から議事録を作ってください", "minutes"},
		{"two words", "売上を分析してグラフにして", "sales-report"},
		{"Katakana", "コードレビューをお願い", "code-review"},
		{"a word of another trade", "この契約書をレビューして", "contracts"},
		{"a verb in its form", "旅行のホテルを探して", "trip"},
		{"a Japanese skill by its own word", "明日の天気は", "tenki"},
		{"an English prompt for a Japanese skill has its own words only", "sales charts", "sales-report"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := r
			r.t = t
			if got := r.top(tt.prompt, 3); len(got) == 0 || got[0] != tt.first {
				t.Errorf("Top(%q) = %v, want %s first", tt.prompt, got, tt.first)
			}
		})
	}
}
