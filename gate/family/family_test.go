package family

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
			got, back := Jaccard(a, b), Jaccard(b, a)
			assert.Equal(t, back, got, "Jaccard(%q, %q) = %v one way, %v the other", tt.a, tt.b, got, back)
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
		{"no cue", Member{"", ios.Sketch, 10, []bool{true, true, false}}, android, false},
		{"cues for both cancel out", Member{"", ios.Sketch, 10, []bool{false, false, true}}, Member{"", android.Sketch, 8, []bool{true, true, false}}, false},
		{"hardly a lead", ios, Member{"", android.Sketch, 9.99, android.Knows}, false},
		{"another capability", ios, Member{"", sketch(otherText), 8, android.Knows}, false},
		{"the other one knows the cue", Member{"", ios.Sketch, 10, []bool{true, true, false}}, Member{"", android.Sketch, 8, []bool{true, true, true}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := NewGroup(nil).HeldBack(tt.a, tt.b, mass)
			assert.Equal(t, tt.want, got, "HeldBack(%v, %v) = %v, want %v", tt.a.Knows, tt.b.Knows, got, tt.want)
		})
	}
	if NewGroup(nil).HeldBack(Member{"", ios.Sketch, 10, nil}, Member{"", android.Sketch, 8, nil}, nil) {
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

func TestOpposites(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"state-save", "state-restore", true},
		{"kit:Import_Orders", "kit:export-orders", true},
		{"state-save", "state-save-v2", false},
		{"save-and-restore", "state-restore", false},
		{"start-shop", "open-shop", false},
	}
	for _, tt := range tests {
		if got, back := opposite(tt.a, tt.b), opposite(tt.b, tt.a); got != tt.want || back != tt.want {
			t.Errorf("Opposite(%q, %q) = %v and back %v, want %v", tt.a, tt.b, got, back, tt.want)
		}
	}
}

// Terms that many candidates share do not make two of them a family.
func TestBoilerplateIsNotAFamily(t *testing.T) {
	const boilerplate = "asks the clerk first and never pays without a receipt "
	sketches := []string{
		sketch(boilerplate + "tunes lutes"), sketch(boilerplate + "bakes bread"), sketch(boilerplate + "mends clocks"), sketch(boilerplate + "sells maps"),
	}
	require.True(t, Same(sketches[0], sketches[1]), "the two share too little for this test")
	if NewGroup(sketches).same(sketches[0], sketches[1]) {
		t.Error("four skills of one author that do other things: a family, want none")
	}
	if !NewGroup(sketches[:2]).same(sketches[0], sketches[1]) {
		t.Error("two alone: no family, want one, since nothing tells what is boilerplate")
	}
}

func TestShortDescriptionsAreNoFamily(t *testing.T) {
	a, b := sketch("tunes old wooden lutes"), sketch("sells old wooden lutes")
	require.True(t, Same(a, b), "the two share too little for this test")
	assert.False(t, NewGroup(nil).same(a, b), "three words in common: a family, want none")
}

func TestHolds(t *testing.T) {
	s := sketch("bakes bread and cakes")
	for term, want := range map[string]bool{"bread": true, "bakes": true, "brea": false, "": false} {
		assert.Equal(t, want, Holds(s, term), term)
	}
	assert.False(t, Holds("", "bread"), "an empty sketch holds bread")
}

func TestSameIsJaccard(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	sketch := func() string {
		var terms []string
		for i := range 40 {
			if random.IntN(5) > 1 {
				terms = append(terms, fmt.Sprint("term", i))
			}
		}
		return Sketch(terms[:random.IntN(len(terms)+1)])
	}
	same := 0
	for range 2000 {
		a, b := sketch(), sketch()
		if got, want := Same(a, b), Jaccard(a, b) >= sameCapability; got != want {
			t.Fatalf("Same(%x, %x) = %v, Jaccard %v", a, b, got, Jaccard(a, b))
		}
		if Same(a, b) {
			same++
		}
	}
	require.NotEqual(t, 0, same)
	assert.NotEqual(t, 2000, same)
}
