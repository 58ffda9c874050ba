package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/skillgate/skillgate/gate"
)

// Generations returns the index generations that decisions since that time read,
// each once, the last one read last. Lines that are not folded yet do not count.
func (db *DB) Generations(ctx context.Context, since time.Time) ([]gate.IndexUse, error) {
	var out []gate.IndexUse
	seen := map[string]bool{}
	var text *string
	for err := range db.rows(ctx, `SELECT json_extract(line, '$.decision.index') AS uses FROM decision
		WHERE time >= ? AND verdict NOT IN ('skip', 'error') GROUP BY uses ORDER BY max(time) DESC`,
		[]any{since.UnixNano()}, &text) {
		if err != nil {
			return nil, failed(err)
		}
		if text == nil {
			continue
		}
		var uses []gate.IndexUse
		if err := decode(*text, &uses); err != nil {
			return nil, fmt.Errorf("journal: %w", err)
		}
		for _, u := range uses {
			text, err := json.Marshal(u)
			if err != nil {
				return nil, fmt.Errorf("journal: %w", err)
			}
			if !seen[string(text)] {
				seen[string(text)] = true
				out = append(out, u)
			}
		}
	}
	slices.Reverse(out)
	return out, nil
}
