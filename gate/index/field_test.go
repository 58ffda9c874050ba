package index

import "testing"

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
		if got := q.Get(f); got != want {
			t.Errorf("Get(%s) = %d, want %d", f, got, want)
		}
	}
	if got := q.Groups(); got != 1|1<<3 {
		t.Errorf("Groups() = %b, want groups 0 and 3", got)
	}
}

func TestFreqStopsAtItsFieldsMaximum(t *testing.T) {
	for f := range NumFields {
		if f == Expansion {
			continue
		}
		most := 1<<fieldBits[f] - 1
		q := Freq(0).add(f, most-1).add(f, 5)
		if got := q.Get(f); got != most {
			t.Errorf("Get(%s) after more than %d = %d, want %d", f, most, got, most)
		}
		if !q.Only(f) {
			t.Errorf("a full %s spilled into another field: %b", f, q)
		}
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
			if got := q.Groups(); got != tt.want {
				t.Errorf("Groups() of texts %v = %b, want %b", tt.texts, got, tt.want)
			}
			if !q.Only(Expansion) {
				t.Errorf("groups of texts %v touch another field: %b", tt.texts, q)
			}
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
	if q = q.add(Name, 1); q.Only(Body) {
		t.Errorf("Only(Body) of a posting in body and name = true")
	}
}

// A posting's frequency is a positive int in bleve, and every field has its name.
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
	if bits > 63 {
		t.Errorf("fields take %d bits, a frequency has 63", bits)
	}
}
