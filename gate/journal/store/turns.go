package store

import (
	"context"
	"fmt"
	"time"

	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/outcome"
)

// Turn is a decision by its columns alone, with what came of it: what counting many needs.
type Turn struct {
	outcome.Turn
	ID       string
	Time     time.Time
	Session  string
	PromptID string
	Verdict  string
	Reason   string
	Lang     string
	Need     float64
	Score    float64 // of the first candidate, 0 without one
	Ms       float64
}

// Turns calls yield for every decision that f chooses, oldest first, until yield fails.
// f.Limit and f.Newest do not count. The database is busy meanwhile: yield must not use it.
func (db *DB) Turns(ctx context.Context, f Filter, yield func(*Turn) error) error {
	where, args := f.where()
	next, end := db.counted(ctx)
	defer end()
	for rows, err := range db.rows(ctx,
		`SELECT d.id, d.time, d.session, d.prompt_id, d.verdict, d.reason, d.lang, d.need, d.score, d.ms, `+overSQL+`,
		(SELECT json_group_array(json_array(n.name, n.path, n.pool, n.kept))
			FROM (SELECT * FROM named WHERE decision = d.id ORDER BY rowid) n),
		(SELECT json_group_array(json_array(o.tool, o.skill, o.path, o.success))
			FROM (SELECT * FROM outcome WHERE decision = d.id ORDER BY time, seq) o)
		FROM decision d WHERE `+where+` ORDER BY d.time, d.seq`, args...) {
		next()
		var t Turn
		var at int64
		var names, uses string
		if err == nil {
			err = rows.Scan(&t.ID, &at, &t.Session, &t.PromptID, &t.Verdict, &t.Reason, &t.Lang, &t.Need, &t.Score, &t.Ms,
				&t.Over, &names, &uses)
		}
		if err != nil {
			return failed(err)
		}
		t.Time = time.Unix(0, at).UTC()
		if err := t.read(names, uses); err != nil {
			return fmt.Errorf("journal: %w", err)
		}
		if f.Followed != "" && f.Followed != t.State() {
			continue
		}
		if err := yield(&t); err != nil {
			return err
		}
	}
	return nil
}

// read takes what was named and what was used from JSON lists of their columns.
func (t *Turn) read(names, uses string) error {
	var named [][4]any
	var used [][4]any
	if err := decode(names, &named); err != nil {
		return err
	}
	if err := decode(uses, &used); err != nil {
		return err
	}
	text := func(v any) string { s, _ := v.(string); return s }
	for _, n := range named {
		list := &t.Named
		if n[3] != 0.0 {
			list = &t.Kept
		}
		*list = append(*list, outcome.Named{Name: text(n[0]), Path: text(n[1]), Pool: text(n[2])})
	}
	for _, u := range used {
		t.Uses = append(t.Uses, journal.Outcome{Tool: text(u[0]), Skill: text(u[1]), Path: text(u[2]),
			Success: u[3] != 0.0})
	}
	return nil
}
