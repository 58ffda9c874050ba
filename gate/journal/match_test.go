package journal

import "testing"

func TestSameUse(t *testing.T) {
	const file = "/repo/packages/web/.claude/skills/deploy/SKILL.md"
	tests := []struct {
		name, skill, path string
		want              bool
	}{
		{"deploy", "deploy", "", true},
		{"Deploys", "deploy", "", true}, // by its folder
		{"deploy", "other", file, true},
		{"deploy", "other", "", false},
		{"packages/web:deploy", "packages/web:deploy", "", true},
		{"packages/web:deploy", "deploy", "", true},
		{"packages/web:deploy", "packages/api:deploy", "", false},
		{"packages/web:deploy", "packages/api:deploy", file, true},
	}
	for _, tt := range tests {
		if got := SameUse(tt.name, file, tt.skill, tt.path); got != tt.want {
			t.Errorf("SameUse(%s, %s, %s, %q) = %v, want %v", tt.name, file, tt.skill, tt.path, got, tt.want)
		}
	}
}
