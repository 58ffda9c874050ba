package tune

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/skillgate/skillgate/gate/neutral"
)

// Sentence is a training sample for the model of orders.
type Sentence struct {
	Text  string
	Order bool
}

// OrderModel is a linear model over neutral.Features. A score above 0 means an order.
type OrderModel struct {
	Bias    float64
	Weights map[uint32]float64
}

// A feature is used if it occurs in at least ordinaryFrom sentences or at least ordersFrom orders. Rarer features
// reflect one author's topic or would be memorized.
const (
	ordinaryFrom = 20
	ordersFrom   = 3
)

const maxOrderFeatures = neutral.Slots * 3 / 4

// FitOrders fits a logistic regression with an L2 penalty. Orders have the given weight, ordinary sentences weight 1.
func FitOrders(sentences []Sentence, weight, l2 float64) OrderModel {
	in, inOrders := map[uint32]int{}, map[uint32]int{}
	for _, s := range sentences {
		for _, h := range features(s.Text) {
			in[h]++
			if s.Order {
				inOrders[h]++
			}
		}
	}
	var kept []uint32
	for h, n := range in {
		if n >= ordinaryFrom || inOrders[h] >= ordersFrom {
			kept = append(kept, h)
		}
	}
	slices.Sort(kept)
	m := fitOrders(sentences, kept, weight, l2)
	if len(kept) > maxOrderFeatures { // fit again with only the features that Pack keeps
		m = fitOrders(sentences, m.heaviest(), weight, l2)
	}
	return m
}

func fitOrders(sentences []Sentence, kept []uint32, weight, l2 float64) OrderModel {
	at := numbered(kept)
	rows := make([]row, len(sentences))
	for i, s := range sentences {
		rows[i] = row{at: []int{len(kept)}, each: 1, weight: 1} // the last weight is the bias
		if s.Order {
			rows[i].y, rows[i].weight = 1, weight
		}
		for _, h := range features(s.Text) {
			if k, ok := at[h]; ok {
				rows[i].at = append(rows[i].at, k)
			}
		}
	}
	theta := regress(rows, slices.Repeat([]float64{l2}, len(kept)+1))
	m := OrderModel{Bias: theta[len(kept)], Weights: make(map[uint32]float64, len(kept))}
	for h, i := range at {
		m.Weights[h] = theta[i]
	}
	return m
}

func features(text string) []uint32 {
	var out []uint32
	neutral.Features(text, func(h uint32) { out = append(out, h) })
	slices.Sort(out)
	return slices.Compact(out)
}

// Score returns the logit of the probability that text is an order.
func (m OrderModel) Score(text string) float64 {
	sum := m.Bias
	for _, h := range features(text) {
		sum += m.Weights[h]
	}
	return sum
}

func (m OrderModel) heaviest() []uint32 {
	hashes := slices.SortedFunc(maps.Keys(m.Weights), func(a, b uint32) int {
		return cmp.Or(cmp.Compare(math.Abs(m.Weights[b]), math.Abs(m.Weights[a])), cmp.Compare(a, b))
	})
	return hashes[:min(len(hashes), maxOrderFeatures)]
}

// Pack returns the model in the format of package neutral: its largest weights, rounded.
func (m OrderModel) Pack() []byte {
	out := make([]byte, 4+3*neutral.Slots)
	binary.LittleEndian.PutUint32(out, uint32(int32(math.Floor(m.Bias/neutral.Unit))))
	for _, h := range m.heaviest() {
		w := int8(max(-127, min(127, math.Round(m.Weights[h]/neutral.Unit))))
		slot := h % neutral.Slots
		for out[4+3*slot+2] != 0 {
			slot = (slot + 1) % neutral.Slots
		}
		binary.LittleEndian.PutUint16(out[4+3*slot:], uint16(h>>16))
		out[4+3*slot+2] = byte(w)
	}
	return out
}
