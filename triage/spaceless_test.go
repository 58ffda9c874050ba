package triage

import "testing"

func TestChainsOfWordsWithoutSpaces(t *testing.T) {
	tests := []struct {
		name, text string
		want       Kind
	}{
		{"an entry", "了解しました", Ack},
		{"two entries in one run", "なるほど了解しました", Ack},
		{"a greeting and thanks", "こんにちは、ありがとうございます", Greeting},
		{"an entry before work", "はい実装", Search},
		{"work that begins with a letter that is an entry", "次元削減を説明して", Search},
		{"two Chinese entries", "好的谢谢", Ack},
		{"Chinese work", "好看的海报", Search},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Classify(tt.text).Kind; got != tt.want {
				t.Errorf("Classify(%q) is %s, want %s", tt.text, got, tt.want)
			}
		})
	}
}
