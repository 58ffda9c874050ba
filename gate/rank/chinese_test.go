package rank

import (
	"testing"

	"github.com/skillgate/skillgate/gate/catalog"
)

func TestChineseFindsWhatEnglishDescribes(t *testing.T) {
	r := over(t, []catalog.Entry{
		skill("minutes", "Writes meeting minutes.", ""),
		skill("deploy-helper", "Deploys a service to a server.", ""),
		skill("poster", "Designs a poster.", ""),
		skill("pricing", "Pricing strategy for a product.", ""),
		skill("天气", "查询城市天气。", ""),
	})
	tests := []struct {
		name, prompt, first string
	}{
		{"simplified letters", "帮我写会议纪要", "minutes"},
		{"traditional letters", "幫我寫會議記錄", "minutes"},
		{"words without a space between them", "把服务部署到服务器", "deploy-helper"},
		{"a word that Japanese writes otherwise", "設計一張海報", "poster"},
		{"two words of one skill", "新产品怎么定价", "pricing"},
		{"a description in Chinese", "今天的天气", "天气"},
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
