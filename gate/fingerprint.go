package gate

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/skillgate/skillgate/gate/jsonline"
	"github.com/skillgate/skillgate/gate/need"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/gate/rerank"
)

// Fingerprint returns a hash of everything besides the indexes that determines a decision: settings, ranking weights
// and need model. Decisions with the same fingerprint and the same index generations are reproducible.
func (s Settings) Fingerprint() string {
	return s.fingerprint(rank.WeightsID, need.Default().ID())
}

func (s Settings) fingerprint(weights, model string) string {
	text, err := jsonline.Append(nil, struct {
		ScoreMin, NeedMin float64
		SessionChars      int
		TopK, AgentsK     int
		Libraries         []string
		Rerank            rerank.Settings
		Trust             Trust
		Weights, Need     string
	}{s.ScoreMin, s.NeedMin, s.SessionChars, s.TopK, s.AgentsK, s.Libraries, s.Rerank, s.Trust, weights, model})
	if err != nil {
		return "" // unreachable: these types always encode
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}
