package family

import (
	"math"
	"strings"
	"testing"
)

func sketch(text string) string { return Sketch(strings.Fields(text)) }

func TestJaccard(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       float64
	}{
		{"the same words", "ships an app to the store", "ships an app to the store", 1},
		{"the same in another order, with repeats", "a b b c", "c a b", 1},
		{"half of them", "a b c", "b c d", 0.5},
		{"none", "a b", "c d", 0},
		{"nothing at all", "", "", 0},
		{"nothing and something", "", "a", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := sketch(tt.a), sketch(tt.b)
			if got := Jaccard(a, b); math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("Jaccard(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
			}
			if got, back := Jaccard(a, b), Jaccard(b, a); got != back {
				t.Errorf("Jaccard(%q, %q) = %v one way, %v the other", tt.a, tt.b, got, back)
			}
		})
	}
}

const (
	iosText     = "ships ios app release build signing review phased rollout"
	androidText = "ships android app release build signing review phased rollout"
	otherText   = "bakes bread"
)

func TestHeldBack(t *testing.T) {
	mass := []float64{1, 1, 2} // release, app, ios
	ios := Member{Sketch: sketch(iosText), Score: 10, Knows: []bool{true, true, true}}
	android := Member{Sketch: sketch(androidText), Score: 8, Knows: []bool{true, true, false}}
	tests := []struct {
		name string
		a, b Member
		want bool
	}{
		{"the prompt holds a cue that one lacks", ios, android, true},
		{"no cue", Member{ios.Sketch, 10, []bool{true, true, false}}, android, false},
		{"cues for both cancel out", Member{ios.Sketch, 10, []bool{false, false, true}}, Member{android.Sketch, 8, []bool{true, true, false}}, false},
		{"hardly a lead", ios, Member{android.Sketch, 9.99, android.Knows}, false},
		{"another capability", ios, Member{sketch(otherText), 8, android.Knows}, false},
		{"the other one knows the cue", Member{ios.Sketch, 10, []bool{true, true, false}}, Member{android.Sketch, 8, []bool{true, true, true}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := HeldBack(tt.a, tt.b, mass); got != tt.want {
				t.Errorf("HeldBack(%v, %v) = %v, want %v", tt.a.Knows, tt.b.Knows, got, tt.want)
			}
		})
	}
	if HeldBack(Member{ios.Sketch, 10, nil}, Member{android.Sketch, 8, nil}, nil) {
		t.Error("HeldBack of a prompt without concepts = true")
	}
}

// Sketches come from an index, which may be damaged.
func FuzzJaccard(f *testing.F) {
	f.Add(sketch(iosText), sketch(androidText))
	f.Add("abc", "\xff")
	f.Fuzz(func(t *testing.T, a, b string) {
		if j := Jaccard(a, b); math.IsNaN(j) || j < 0 || j > 1 {
			t.Errorf("Jaccard(%q, %q) = %v, want 0 to 1", a, b, j)
		}
	})
}
