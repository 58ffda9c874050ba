package lang

import "testing"

func TestOf(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"English", "fill the form", "en"},
		{"Korean", "양식 채워줘", "ko"},
		{"Korean with a Latin name", "PDF 양식", "ko"},
		{"letters of chat", "ㅇㅋ", "ko"},
		{"no letter", "42 + 1", ""},
		{"a script of no language here", "привет", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if l := Of(tt.text); l != nil {
				got = l.Code
			}
			if got != tt.want {
				t.Errorf("Of(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestAllAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range All {
		if l.Code == "" || l.Name == "" || l.Script == nil {
			t.Errorf("language %q is incomplete", l.Code)
		}
		if seen[l.Code] || Find(l.Code) != l {
			t.Errorf("code %q is not its own", l.Code)
		}
		seen[l.Code] = true
	}
	if Find("xx") != nil {
		t.Error(`Find("xx") is a language`)
	}
}
