package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
)

type inserter struct {
	ctx      context.Context
	tx       *sql.Tx
	decision *sql.Stmt
	named    *sql.Stmt
	outcome  *sql.Stmt
	event    *sql.Stmt
	earliest int64 // time of the oldest record inserted
}

func newInserter(ctx context.Context, tx *sql.Tx) (*inserter, error) {
	in := &inserter{ctx: ctx, tx: tx, earliest: 1<<63 - 1}
	var errs []error
	prepare := func(query string) *sql.Stmt {
		s, err := tx.PrepareContext(ctx, query)
		errs = append(errs, err)
		return s
	}
	in.decision = prepare(`INSERT OR IGNORE INTO decision (id, time, session, prompt_id, cwd, verdict, reason, lang, need,
		score, ms, source, line)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)`)
	in.named = prepare(`INSERT INTO named (decision, name, path, pool, score, kept) VALUES (?,?,?,?,?,?)`)
	// If the hook is registered twice, both registrations report a use, at different moments on a busy machine.
	in.outcome = prepare(`INSERT OR IGNORE INTO outcome (id, time, session, prompt_id, cwd, tool, skill, path, success,
		line)
		SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE NOT EXISTS (SELECT 1 FROM outcome
			WHERE prompt_id = ?4 AND prompt_id <> '' AND session = ?3 AND tool = ?6 AND skill = ?7
			AND coalesce(json_extract(line, '$.outcome.call'), '') = ?11 AND (?11 <> '' OR tool = 'typed'
			OR ?12 <> '' AND json_extract(line, '$.outcome.by') <> ?12 AND abs(time - ?2) < 5000000000))`)
	in.event = prepare(`INSERT OR IGNORE INTO event (id, time, kind, session, line) VALUES (?,?,?,?,?)`)
	return in, errors.Join(errs...)
}

func (in *inserter) close() {
	for _, s := range []*sql.Stmt{in.decision, in.named, in.outcome, in.event} {
		s.Close()
	}
}

func (in *inserter) insert(r *journal.Record, line []byte) (int, error) {
	at := r.Time.UnixNano()
	in.earliest = min(in.earliest, at)
	var res sql.Result
	var err error
	switch {
	case r.Kind == journal.KindDecision && r.Decision != nil:
		d := r.Decision
		score := 0.0
		if len(d.Candidates) > 0 {
			score = d.Candidates[0].Score
		}
		res, err = in.decision.ExecContext(in.ctx, r.ID, at, r.Session, r.PromptID, r.Cwd, d.Verdict, d.Reason,
			d.Lang, d.Need, score, d.Ms.Total, r.Source, string(line))
		if err != nil {
			return 0, err
		}
		n, err := res.RowsAffected()
		if n == 0 || err != nil {
			return 0, err
		}
		for _, c := range d.Candidates {
			if !c.Injected && !c.Kept {
				continue
			}
			if _, err := in.named.ExecContext(in.ctx, r.ID, c.Name, c.Path, c.Pool, c.Score,
				c.Kept || c.Loaded); err != nil {
				return 0, err
			}
		}
		return 1, nil
	case r.Kind == journal.KindOutcome && r.Outcome != nil:
		o := r.Outcome
		res, err = in.outcome.ExecContext(in.ctx, r.ID, at, r.Session, r.PromptID, r.Cwd, o.Tool, o.Skill, o.Path, o.Success,
			string(line), o.Call,
			o.By)
	default:
		switch r.Kind {
		case journal.KindTurn:
			err = in.turn(r)
		case journal.KindDeclined:
			_, err = in.tx.ExecContext(in.ctx, `DELETE FROM decision WHERE session = ? AND source = 'agent'
				AND json_extract(line, '$.call') = ?`, r.Session, r.Call)
		}
		if err != nil {
			return 0, err
		}
		res, err = in.event.ExecContext(in.ctx, r.ID, at, r.Kind, r.Session, string(line))
	}
	if err != nil {
		return 0, err
	}
	n, err := res.RowsAffected()
	return int(n), err
}

// turn sets the turn of a decision and undoes the joins that were made before the turn was known.
func (in *inserter) turn(r *journal.Record) error {
	if _, err := in.tx.ExecContext(in.ctx, `UPDATE decision SET prompt_id = ?, over = ? WHERE id = ?`, r.PromptID, r.Over,
		r.Of); err != nil {
		return err
	}
	_, err := in.tx.ExecContext(in.ctx, takeBackSQL, r.PromptID, r.Session, r.Of)
	var oldest int64
	if err == nil {
		err = in.tx.QueryRowContext(in.ctx, oldestLooseSQL, r.PromptID, r.Time.UnixNano()).Scan(&oldest)
		in.earliest = min(in.earliest, oldest)
	}
	return err
}

// takeBackSQL detaches a turn's uses from all decisions except the turn's own and those about subagents' tasks.
const takeBackSQL = `UPDATE outcome SET decision = NULL
	WHERE prompt_id = ? AND prompt_id <> '' AND session = ? AND decision <> ?
	AND NOT EXISTS (SELECT 1 FROM decision d WHERE d.id = outcome.decision AND d.source = 'agent')`

const oldestLooseSQL = `SELECT coalesce((SELECT min(time) FROM outcome WHERE prompt_id = ? AND prompt_id <> ''
	AND decision IS NULL), ?)`

// joinSpan is the time before the oldest folded record in which outcomes are still joined to decisions. The outcome of
// a typed command is written before the decision of the same prompt, and a fold may happen in between.
const joinSpan = time.Hour

// join finds the decision of each outcome that has none. The first of these counts:
//
//	the decision about the subagent's task, if it suggested the skill that the subagent used
//	the first decision with the outcome's prompt_id, preferably not a repeat by a second registration of the hook
//	the nearest earlier decision of the session, if it or the outcome has no prompt_id
//	the decision about a queued prompt that no other prompt followed, preferably one that suggested the skill
//
// A queued prompt has the prompt_id of the running turn, but its uses have a prompt_id without a decision.
func (in *inserter) join() error {
	if in.earliest == 1<<63-1 {
		return nil
	}
	type pair struct{ outcome, decision string }
	var pairs []pair
	rows, err := in.tx.QueryContext(in.ctx, `
		SELECT id, coalesce(
			(SELECT d.id FROM decision d WHERE o.prompt_id <> '' AND d.prompt_id = o.prompt_id AND d.prompt_id <> ''
				AND (d.source <> 'agent' OR (json_extract(o.line, '$.outcome.agent') <> ''
					AND EXISTS (SELECT 1 FROM named n WHERE n.decision = d.id AND n.name = o.skill)))
				ORDER BY d.source = 'agent' DESC, d.reason = ?2 AND EXISTS (SELECT 1 FROM decision w
					WHERE w.prompt_id = d.prompt_id AND w.session = d.session AND w.source = d.source
					AND w.reason <> ?2 AND abs(w.time - d.time) < ?3), d.time LIMIT 1),
			(SELECT d.id FROM decision d WHERE o.session <> '' AND d.session = o.session AND d.time <= o.time
				AND (o.prompt_id = '' OR (d.prompt_id = '' AND d.time = (
					SELECT max(l.time) FROM decision l WHERE l.session = o.session AND l.time <= o.time)))
				ORDER BY d.time DESC LIMIT 1),
			(SELECT d.id FROM decision d WHERE o.session <> '' AND d.session = o.session AND d.time <= o.time
				AND o.tool <> 'typed' AND d.prompt_id <> ''
				AND EXISTS (SELECT 1 FROM decision e WHERE e.session = d.session AND e.prompt_id = d.prompt_id AND e.time < d.time)
				AND NOT EXISTS (SELECT 1 FROM decision l WHERE l.session = d.session AND l.prompt_id <> d.prompt_id
					AND l.time BETWEEN d.time AND o.time)
				ORDER BY EXISTS (SELECT 1 FROM named n WHERE n.decision = d.id AND n.name = o.skill) DESC, d.time DESC LIMIT 1), '')
		FROM outcome o WHERE decision IS NULL AND time >= ?1`,
		in.earliest-int64(joinSpan), gate.Repeat, int64(journal.AtOnce))
	if err != nil {
		return err
	}
	for rows.Next() {
		var p pair
		if err := rows.Scan(&p.outcome, &p.decision); err != nil {
			rows.Close()
			return err
		}
		if p.decision != "" {
			pairs = append(pairs, p)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, p := range pairs {
		if _, err := in.tx.ExecContext(in.ctx, `UPDATE outcome SET decision = ? WHERE id = ?`, p.decision,
			p.outcome); err != nil {
			return err
		}
	}
	return nil
}
