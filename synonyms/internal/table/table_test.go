package table

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func small() (data string, ids []uint32) {
	var b Builder
	ids = append(ids, b.Head("배포", []string{"deploy", "release"}, []string{"deploi", "releas"}, 0))
	ids = append(ids, b.Head("하다", nil, nil, Function|Verb))
	ids = append(ids, b.Head(strings.Repeat("가", 100), []string{"deploy"}, nil, Generic|Spaced))
	b.Korean = map[string][]uint32{"baepo": {ids[0], ids[1]}, "ba": {ids[1]}, "bae": {}, "z": {ids[2]}}
	b.Affix = map[string][]uint32{"eul": {Affix{From: Set(AfterNoun, AfterLong), To: Particle, Cost: 7, When: IfConsonant}.Pack()}}
	b.English = map[string][]uint32{"spin up": {b.Text("deploy")}, "spin": {b.Text("turn")}}
	return string(b.Bytes()), ids
}

func TestRoundTrip(t *testing.T) {
	data, ids := small()
	again, _ := small()
	assert.Equal(t, again, data, "equal input gives other bytes")
	x, err := Open(data)
	require.NoError(t, err)
	assert.Equal(t, 3, x.Heads())
	list := func(n uint32) (out []string) {
		for i := range x.Len(n) {
			out = append(out, x.Text(x.Item(n, i)))
		}
		return out
	}
	for i, want := range []string{"배포 [deploy release] [deploi releas] 0", fmt.Sprintf("하다 [] [] %d", Function|Verb)} {
		text, senses, stems, flags := x.Head(ids[i])
		if got := fmt.Sprintf("%s %v %v %d", text, list(senses), list(stems), flags); got != want {
			t.Errorf("Head(%d) = %s, want %s", ids[i], got, want)
		}
	}
	text, _, _, _ := x.Head(ids[2])
	assert.Equal(t, 255, len(text))
	for key, want := range map[string]int{"baepo": 2, "ba": 1, "bae": 0, "baep": 0, "z": 1, "": 0, "y": 0, "baepoo": 0} {
		assert.Equal(t, want, x.Len(x.Korean.Find([]byte(key))), key)
	}
	affix := UnpackAffix(x.Item(x.Affix.Find([]byte("eul")), 0))
	assert.Equal(t, (Affix{From: Set(AfterNoun, AfterLong), To: Particle, Cost: 7, When: IfConsonant}), affix)
	if got := list(x.English.Find([]byte("spin up"))); len(got) != 1 || got[0] != "deploy" {
		t.Errorf("English.Find(spin up) = %q", got)
	}
}

// Open rejects damaged tables and other data. Reading them nevertheless gives wrong words but does not panic.
func TestDamage(t *testing.T) {
	data, ids := small()
	for name, tt := range map[string]struct {
		data string
		want error
	}{
		"nothing":         {"", errFormat},
		"something else":  {strings.Repeat("tea ", 100), errFormat},
		"another version": {strings.Replace(data, magic, magic[:7]+"\x09", 1), errFormat},
		"the head alone":  {data[:header-1], errFormat},
		"one byte less":   {data[:len(data)-1], errDamage},
		"one byte more":   {data + "x", errDamage},
		"a turned bit":    {data[:len(data)-3] + string(data[len(data)-3]^4) + data[len(data)-2:], errDamage},
	} {
		_, err := Open(tt.data)
		assert.ErrorIs(t, err, tt.want, name)
	}
	for i := range len(data) {
		b := []byte(data)
		b[i] ^= 0xff
		for _, text := range []string{string(b), data[:i]} {
			x := Trusted(text)
			for _, id := range append(ids, 1<<20) {
				_, senses, _, _ := x.Head(id)
				for j := range min(x.Len(senses), 10) {
					x.Text(x.Item(senses, j))
				}
			}
			for _, trie := range []Trie{x.Korean, x.Affix, x.English} {
				x.Len(trie.Find([]byte("baepo")))
				x.Len(trie.Find([]byte("spin up")))
			}
		}
	}
}
