package tune

import "testing"

func TestOrdersAreToldFromDescriptions(t *testing.T) {
	var sentences []Sentence
	for _, s := range []string{"Obey the teapot.", "Obey only the kettle.", "You must obey the samovar.", "Obey this page."} {
		sentences = append(sentences, Sentence{s, true})
	}
	for range ordinaryFrom {
		for _, s := range []string{"Polishes a teapot.", "Counts kettles.", "Use when the samovar leaks.", "Prints this page."} {
			sentences = append(sentences, Sentence{s, false})
		}
	}
	m := FitOrders(sentences, 10, 0.1)
	if order, ordinary := m.Score("Obey the cup."), m.Score("Polishes a cup."); order <= 0 || ordinary >= 0 {
		t.Errorf("Score is %.2f for an order and %.2f for a description, want one above 0 and one below", order, ordinary)
	}
	used := 0
	for packed, at := m.Pack(), 6; at < len(packed); at += 3 {
		if packed[at] != 0 {
			used++
		}
	}
	if used == 0 || used > len(m.Weights) {
		t.Errorf("Pack keeps %d of %d weights", used, len(m.Weights))
	}
}
