package wording

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAlike(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"validate_frame", "validate_frames", true},
		{"monte_carlo", "montecarlo", true},
		{"native-frames", "frames-native", true},
		{"docs-eth-skeleton", "docs-skeleton", true},
		{"bench-gate", "benchstat-gate", true},
		{"Frame-List", "frame_list", true},
		{"plan-1", "plan-2", false},
		{"plan-1", "plan-12", false},
		{"hands-blue-nano", "blue_hands", false},
		{"frames", "packets", false},
		{"send-frame", "read-frame", false},
		{"", "", true},
	} {
		assert.Equal(t, tt.want, Alike(tt.a, tt.b), "%q, %q", tt.a, tt.b)
		assert.Equal(t, tt.want, Alike(tt.b, tt.a), "%q, %q", tt.b, tt.a)
	}
}
