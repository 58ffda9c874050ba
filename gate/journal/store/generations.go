package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/skillgate/skillgate/gate"
)

// Generations returns the index generations that decisions since that time read,
// each once. Lines that are not folded yet do not count.
func (db *DB) Generations(ctx context.Context, since time.Time) ([]gate.IndexUse, error) {
	rows, err := db.sql.QueryContext(ctx, `SELECT DISTINCT json_extract(line, '$.decision.index') FROM decision
		WHERE time >= ? AND verdict NOT IN ('skip', 'error')`, since.UnixNano())
	if err != nil {
		return nil, fmt.Errorf("journal: %w", explain(err))
	}
	defer rows.Close()
	var out []gate.IndexUse
	seen := map[gate.IndexUse]bool{}
	for rows.Next() {
		var text *string
		if err := rows.Scan(&text); err != nil {
			return nil, fmt.Errorf("journal: %w", explain(err))
		}
		if text == nil {
			continue
		}
		var uses []gate.IndexUse
		if err := json.Unmarshal([]byte(*text), &uses); err != nil {
			return nil, fmt.Errorf("journal: %w", err)
		}
		for _, u := range uses {
			if !seen[u] {
				seen[u] = true
				out = append(out, u)
			}
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("journal: %w", explain(err))
	}
	return out, nil
}
