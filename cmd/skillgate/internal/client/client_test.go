package client

import "testing"

func TestParse(t *testing.T) {
	tests := []struct {
		name, text, want string
		modules          bool
	}{
		{"as the client prints it", "2.1.330 (Claude Code)\n", "2.1.330", true},
		{"an older one", "2.1.197 (Claude Code)\n", "2.1.197", false},
		{"a number with more digits is not older", "2.10.0", "2.10.0", true},
		{"next main version", "3.0.1", "3.0.1", true},
		{"something else", "command not found", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := Parse(tt.text)
			if (err != nil) != (tt.want == "") || err == nil && (v.String() != tt.want || v.Before(Modules) == tt.modules) {
				t.Errorf("Parse(%q) = %v, %v, want %q, with modules: %v", tt.text, v, err, tt.want, tt.modules)
			}
		})
	}
}
