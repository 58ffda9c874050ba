package index

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFreqKeepsEachFieldApart(t *testing.T) {
	var q Freq
	for f := range NumFields {
		if f != Expansion {
			q = q.add(f, int(f)+1)
		}
	}
	q = q.inGroup(0).inGroup(3)
	for f := range NumFields {
		want := int(f) + 1
		if f == Expansion {
			want = 2
		}
		assert.Equal(t, want, q.Get(f), f)
	}
	assert.Equal(t, uint16(1|1<<3), q.Groups())
}

func TestFreqStopsAtItsFieldsMaximum(t *testing.T) {
	for f := range NumFields {
		if f == Expansion {
			continue
		}
		most := 1<<fieldBits[f] - 1
		q := Freq(0).add(f, most-1).add(f, 5)
		assert.Equal(t, most, q.Get(f), f)
		assert.True(t, q.Only(f), "a full %s spilled into another field: %b", f, q)
	}
}

func TestFreqGroups(t *testing.T) {
	tests := []struct {
		name  string
		texts []int
		want  uint16
	}{
		{"the first text", []int{0}, 1},
		{"texts of their own group", []int{1, 2}, 6},
		{"all beyond the last group share it", []int{MaxGroups - 1, MaxGroups, 1000}, 1 << (MaxGroups - 1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var q Freq
			for _, i := range tt.texts {
				q = q.inGroup(i)
			}
			assert.Equal(t, tt.want, q.Groups())
			assert.True(t, q.Only(Expansion), "groups of texts %v touch another field: %b", tt.texts, q)
			if got := q.WithoutGroups(tt.want); got != 0 {
				t.Errorf("WithoutGroups(%b) = %b, want nothing left", tt.want, got)
			}
		})
	}
}

func TestOnly(t *testing.T) {
	q := Freq(0).add(Body, 2)
	if !q.Only(Body) || q.Only(Name) {
		t.Errorf("Only of a body posting: body %v, name %v, want true, false", q.Only(Body), q.Only(Name))
	}
	q = q.add(Name, 1)
	assert.False(t, q.Only(Body), "Only(Body) of a posting in body and name = true")
}

// A packed frequency is a positive int in bleve, and every field has a name.
func TestFieldsFitAFrequency(t *testing.T) {
	var bits uint
	names := map[string]bool{}
	for f := range NumFields {
		bits += fieldBits[f]
		if name := f.String(); name == "" || names[name] {
			t.Errorf("field %d is %q, want a name of its own", f, name)
		}
		names[f.String()] = true
	}
	assert.LessOrEqual(t, bits, uint(63))
}
