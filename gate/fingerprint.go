package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/skillgate/skillgate/gate/rank"
)

// Fingerprint identifies everything but the indexes that a decision depends on:
// the settings that decide, the ranking weights and the need model. Decisions with one
// fingerprint over one generation are reproducible.
func (s Settings) Fingerprint() string {
	return s.fingerprint(rank.WeightsID(), needID())
}

func (s Settings) fingerprint(weights, need string) string {
	text, err := json.Marshal(struct {
		ScoreMin, NeedMin float64
		TopK, AgentsK     int
		Libraries         []string
		Rerank            Rerank
		Trust             Trust
		Weights, Need     string
	}{s.ScoreMin, s.NeedMin, s.TopK, s.AgentsK, s.Libraries, s.Rerank, s.Trust, weights, need})
	if err != nil {
		return "" // no field of these types fails to encode
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}
