package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/outcome"
)

// Filter selects decisions. The zero value selects all decisions of the hook, oldest first.
type Filter struct {
	Since    time.Time // start of the period, inclusive; zero for no limit
	Until    time.Time // end of the period, exclusive; zero for no limit
	Logged   time.Time // selects the first decision logged at or after this time, and all logged later; zero for no limit
	Session  string    // id, or the beginning of an id
	Project  string    // folder; includes the folders below it
	Verdict  string
	Reason   string
	Skill    string // skill that was suggested, withheld by an experiment, or used afterwards
	Lang     string
	Followed outcome.State
	Limit    int  // maximum number of decisions; 0 for no limit
	Newest   bool // newest first
	Drawn    bool // makes Turns set Turn.Drawn
	Lookups  bool // includes decisions for MCP clients and about subagents' tasks

	after *int64 // only decisions with a higher seq, in order of seq
}

// Entry is a decision with its outcome. Its JSON has the fields of the journal line and those below.
type Entry struct {
	journal.Record
	Outcomes []journal.Outcome `json:"outcomes"`
	Over     bool              `json:"over,omitempty"`     // the turn was watched and has finished
	Followed outcome.State     `json:"followed,omitempty"` // "" without suggestions
	Missed   []string          `json:"missed,omitempty"`   // skills that the model used but that were not suggested
}

// Turn returns the facts about the entry's turn.
func (e Entry) Turn() outcome.Turn {
	return outcome.Turn{Named: outcome.NamedBy(e.Decision), Kept: outcome.KeptBack(e.Decision), Uses: e.Outcomes,
		Over: e.Over}
}

// PromptText returns the kept part of the prompt. Unless the whole prompt was kept, the privacy level precedes it.
func (e Entry) PromptText() string {
	switch e.Prompts {
	case journal.Terms:
		return "[terms] " + strings.Join(e.Terms, " ")
	case journal.Hash:
		return "[hash] " + e.PromptHash[:min(len(e.PromptHash), 12)]
	case journal.None:
		return "[not kept]"
	}
	return e.Decision.Prompt
}

// overSQL computes whether the turn of decision d has finished. Once a session has reported the end of a turn, only
// such reports count. Before that, a turn has finished if the start of the session was seen and another turn followed.
// A queued prompt has the prompt_id of the running turn, so it does not count as another turn.
const overSQL = `coalesce(d.over, (d.session <> '' AND d.source = ''
	AND NOT EXISTS (SELECT 1 FROM decision r WHERE r.session = d.session AND r.time < d.time AND r.over IS NOT NULL)
	AND EXISTS (SELECT 1 FROM decision l WHERE l.session = d.session AND l.seq > d.seq AND l.source = ''
		AND (d.prompt_id = '' OR l.prompt_id <> d.prompt_id))
	AND EXISTS (SELECT 1 FROM event e WHERE e.session = d.session)))`

func (f Filter) where() (string, []any) {
	conds, args := []string{"1"}, []any{}
	add := func(cond string, a ...any) {
		conds = append(conds, cond)
		args = append(args, a...)
	}
	if !f.Since.IsZero() {
		add("d.time >= ?", f.Since.UnixNano())
	}
	if !f.Until.IsZero() {
		add("d.time < ?", f.Until.UnixNano())
	}
	if !f.Logged.IsZero() { // the "+" makes SQLite use the index on time instead
		add("+d.seq >= (SELECT min(seq) FROM decision WHERE time >= ?)", f.Logged.UnixNano())
	}
	if f.Session != "" {
		add("substr(d.session, 1, length(?)) = ?", f.Session, f.Session)
	}
	if f.Project != "" {
		under := strings.TrimSuffix(f.Project, "/") + "/"
		add("(d.cwd = ? OR substr(d.cwd, 1, length(?)) = ?)", f.Project, under, under)
	}
	if f.Verdict != "" {
		add("d.verdict = ?", f.Verdict)
	}
	if f.Reason != "" {
		add("d.reason = ?", f.Reason)
	}
	if f.Lang != "" {
		add("d.lang = ?", f.Lang)
	}
	if f.Skill != "" {
		tail := ":" + f.Skill
		add(`(EXISTS (SELECT 1 FROM named n WHERE n.decision = d.id AND (n.name = ? OR substr(n.name, -length(?)) = ?))
			OR EXISTS (SELECT 1 FROM outcome o WHERE o.decision = d.id AND (o.skill = ? OR substr(o.skill, -length(?)) = ?)))`,
			f.Skill, tail, tail, f.Skill, tail, tail)
	}
	if !f.Lookups {
		add("d.source = ''")
	}
	if f.after != nil {
		add("d.seq > ?", *f.after)
	}
	return strings.Join(conds, " AND "), args
}

// Each calls yield for every decision that f selects until yield returns an error. yield must not use the database.
func (db *DB) Each(ctx context.Context, f Filter, yield func(Entry) error) error {
	return db.each(ctx, f, func(_ int64, e Entry) error { return yield(e) })
}

func (db *DB) each(ctx context.Context, f Filter, yield func(seq int64, e Entry) error) error {
	where, args := f.where()
	order := "d.time, d.seq"
	switch {
	case f.Newest:
		order = "d.time DESC, d.seq DESC"
	case f.after != nil:
		order = "d.seq"
	}
	query := `SELECT d.seq, ` + entrySQL + ` FROM decision d WHERE ` + where + ` ORDER BY ` + order
	if f.Limit > 0 && f.Followed == "" {
		query += " LIMIT ?"
		args = append(args, f.Limit)
	}
	next, end := db.counted(ctx)
	defer end()
	n := 0
	var seq int64
	var line, uses string
	var over bool
	for err := range db.rows(ctx, query, args, &seq, &line, &over, &uses) {
		next()
		if err != nil {
			return failed(err)
		}
		e, err := entry(line, over, uses)
		if err != nil {
			return fmt.Errorf("journal: %w", err)
		}
		if f.Followed != "" && f.Followed != e.Followed {
			continue
		}
		if err := yield(seq, e); err != nil {
			return err
		}
		if n++; n == f.Limit {
			break
		}
	}
	return nil
}

const entrySQL = `d.line, ` + overSQL + `,
	(SELECT json_group_array(o.line) FROM (SELECT line FROM outcome WHERE decision = d.id ORDER BY time, seq) o)`

func entry(line string, over bool, uses string) (Entry, error) {
	e := Entry{Outcomes: []journal.Outcome{}, Over: over}
	if err := decode(line, &e.Record); err != nil {
		return e, err
	}
	e.Lower(journal.Full) // the line may predate redaction rules
	var lines []string
	if err := decode(uses, &lines); err != nil {
		return e, err
	}
	for _, text := range lines {
		var r journal.Record
		if err := decode(text, &r); err != nil {
			return e, err
		}
		if r.Outcome != nil {
			e.Outcomes = append(e.Outcomes, *r.Outcome)
		}
	}
	turn := e.Turn()
	e.Followed, e.Missed = turn.State(), turn.Unnamed()
	return e, nil
}

// List returns the decisions that f selects.
func (db *DB) List(ctx context.Context, f Filter) ([]Entry, error) {
	out := []Entry{}
	err := db.Each(ctx, f, func(e Entry) error {
		out = append(out, e)
		return nil
	})
	return out, err
}

// Errors of Get.
var (
	ErrNone = errors.New("no such decision")
	ErrMany = errors.New("more than one decision matches")
)

// Get returns the decision whose id starts with prefix, in upper or lower case.
func (db *DB) Get(ctx context.Context, prefix string) (Entry, error) {
	typed := prefix
	prefix = strings.ToUpper(prefix)
	if prefix == "" {
		return Entry{}, fmt.Errorf("journal: empty id: %w", ErrNone)
	}
	var found []Entry
	var line, uses string
	var over bool
	for err := range db.rows(ctx, `SELECT `+entrySQL+`
		FROM decision d WHERE d.id >= ?1 AND substr(d.id, 1, length(?1)) = ?1 ORDER BY d.id LIMIT 2`,
		[]any{prefix}, &line, &over, &uses) {
		if err != nil {
			return Entry{}, failed(err)
		}
		e, err := entry(line, over, uses)
		if err != nil {
			return Entry{}, fmt.Errorf("journal: %w", err)
		}
		found = append(found, e)
	}
	switch {
	case len(found) == 0:
		return Entry{}, fmt.Errorf("journal: %s: %w", typed, ErrNone)
	case len(found) > 1:
		return Entry{}, fmt.Errorf("journal: %s: %w", typed, ErrMany)
	}
	return found[0], nil
}

// Export writes every record to w as the hook wrote it, one JSON line each, oldest first, and returns their number.
// Lines that were stored under older redaction rules are redacted again.
func (db *DB) Export(ctx context.Context, w io.Writer) (int, error) {
	n := 0
	var id, line string
	var at int64
	for err := range db.rows(ctx, `
		SELECT id, time, line FROM decision
		UNION ALL SELECT id, time, line FROM outcome
		UNION ALL SELECT id, time, line FROM event
		ORDER BY 2, 1`, nil, &id, &at, &line) {
		if err != nil {
			return n, fmt.Errorf("export: %w", explain(err))
		}
		var r journal.Record
		if json.Unmarshal([]byte(line), &r) == nil && r.Lower(journal.Full) {
			text, err := json.Marshal(r)
			if err != nil {
				return n, fmt.Errorf("export: %w", err)
			}
			line = string(text)
		}
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			return n, fmt.Errorf("export: %w", err)
		}
		n++
	}
	return n, nil
}

// Watch calls yield for every decision that f selects: first for the newest f.Limit decisions in the journal, then for
// each new one. It folds once per interval. It ends when ctx ends, which is not an error, or when yield returns an
// error.
func (db *DB) Watch(ctx context.Context, f Filter, interval time.Duration, now func() time.Time,
	yield func(Entry) error) error {
	var last int64
	if err := db.sql.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM decision`).Scan(&last); err != nil {
		return failed(err)
	}
	if f.Limit > 0 {
		f.Newest = true
		list, err := db.List(ctx, f)
		if err != nil {
			return err
		}
		for _, e := range slices.Backward(list) {
			if err := yield(e); err != nil {
				return err
			}
		}
	}
	f.Limit, f.Newest, f.after = 0, false, &last
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		if _, err := db.Fold(ctx, now(), 0); err != nil && !errors.Is(err, ErrBusy) {
			return ended(ctx, err)
		}
		seen := last
		err := db.each(ctx, f, func(seq int64, e Entry) error {
			seen = max(seen, seq)
			return yield(e)
		})
		if err != nil {
			return ended(ctx, err)
		}
		last = seen
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// DecidedAfter calls yield in order for every decision with a sequence number above after, including those for MCP
// clients and about subagents' tasks, until yield returns an error. Sequence numbers count the folded decisions from
// 1. yield must not use the database.
func (db *DB) DecidedAfter(ctx context.Context, after int64, yield func(seq int64, e Entry) error) error {
	return db.each(ctx, Filter{Lookups: true, after: &after}, yield)
}

// UsedAfter calls yield in order for every use with a sequence number above after until yield returns an error.
// decision is the id of the use's decision, or "". Sequence numbers count the folded uses from 1. yield must not use
// the database.
func (db *DB) UsedAfter(ctx context.Context, after int64,
	yield func(seq int64, decision string, r journal.Record) error) error {
	var seq int64
	var decision, line string
	for err := range db.rows(ctx, `SELECT seq, coalesce(decision, ''), line FROM outcome WHERE seq > ? ORDER BY seq`,
		[]any{after}, &seq, &decision, &line) {
		if err != nil {
			return failed(err)
		}
		var r journal.Record
		if err := decode(line, &r); err != nil {
			return fmt.Errorf("journal: %w", err)
		}
		if r.Outcome == nil {
			continue
		}
		if err := yield(seq, decision, r); err != nil {
			return err
		}
	}
	return nil
}

// Ends returns the highest sequence numbers ever given to a decision and to a use, and the lowest one of the decisions
// that are still stored. Each is 0 if there is none.
func (db *DB) Ends(ctx context.Context) (decision, use, first int64, err error) {
	err = db.sql.QueryRowContext(ctx, `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'decision'), 0),
		coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outcome'), 0),
		(SELECT coalesce(min(seq), 0) FROM decision)`).Scan(&decision, &use, &first)
	if err != nil {
		err = failed(err)
	}
	return decision, use, first, err
}

// Generations returns the index generations that decisions since the given time have read, each once, the most recently
// used last. Lines that are not folded yet are ignored.
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
