package meaning

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func bytesOf(v Vector) []byte {
	b := make([]byte, Dim)
	for i, x := range v {
		b[i] = byte(x)
	}
	return b
}

func TestTableKeepsRows(t *testing.T) {
	words := []string{"alpha", "beta", "gamma"}
	rows := make([][]float32, len(words))
	for i := range rows {
		rows[i] = make([]float32, Dim)
		for j := range rows[i] { // orthogonal rows
			rows[i][j] = float32(i + 1)
			if j>>i&1 == 1 {
				rows[i][j] = -rows[i][j]
			}
		}
	}
	table, placed := New(words, rows)
	require.Equal(t, len(words), placed)
	assert.Len(t, Default().Bytes(), len(table.Bytes()), "table.bin is of another size than New makes")
	both := table.Vector([]string{"alpha", "gamma", "unknown"})
	for i, want := range []float64{1 / math.Sqrt(10), 0, 3 / math.Sqrt(10)} {
		one := table.Vector(words[i : i+1])
		if got := both.Cosine(bytesOf(one)); math.Abs(got-want) > 0.02 {
			t.Errorf("cosine with %q = %.3f, want %.3f", words[i], got, want)
		}
	}
	if v := table.Vector([]string{"unknown"}); v != (Vector{}) || both.Cosine(bytesOf(v)) != 0 {
		t.Error("a text of unknown words has a meaning")
	}
	assert.Greater(t, table.Share("gamma", bytesOf(both)), table.Share("alpha", bytesOf(both)))
}

func TestSignsTellVectorsApart(t *testing.T) {
	var v, w Vector
	v[0], v[70], w[70], w[127] = 1, 5, 1, 1
	var column []byte
	for _, word := range w.Signs() {
		column = binary.LittleEndian.AppendUint64(column, word)
	}
	var apart [1]uint8
	v.Signs().Apart(column, apart[:])
	assert.Equal(t, uint8(2), apart[0])
}

func TestWordsOfOneThingAreNear(t *testing.T) {
	table := Default()
	invoice := table.Vector([]string{"bill", "customer"})
	near, far := table.Vector([]string{"invoic", "payment"}), table.Vector([]string{"kubernet", "cluster"})
	a, b := invoice.CosineTo(&near), invoice.CosineTo(&far)
	assert.Greater(t, a, b)
}
