package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/journal"
)

// Filter chooses decisions. The zero value chooses all that the hook made, oldest
// first.
type Filter struct {
	Since    time.Time // from this time on; zero: no limit
	Until    time.Time // before this time; zero: no limit
	Session  string    // id or its first characters
	Project  string    // cwd is this folder or below it
	Verdict  string
	Reason   string
	Skill    string // named in the reply or used afterwards
	Lang     string
	Followed string // a Follow value
	Limit    int    // at most so many; 0: all
	Newest   bool   // newest first
	Lookups  bool   // also those that MCP clients asked for, which are not prompts of a session

	after *int64 // seq above this, in order of seq; for Watch
}

// Follow says what came of a decision that named skills.
type Follow string

const (
	Followed Follow = "yes"     // one of them was used
	Other    Follow = "no"      // only others were used
	Unknown  Follow = "unknown" // no use was reported: that is not a no
)

// Entry is a decision with what came of it. Its JSON is the journal line's with
// these fields added.
type Entry struct {
	journal.Record
	Outcomes []journal.Outcome `json:"outcomes"`
	Followed Follow            `json:"followed,omitempty"` // "" where nothing was named
	Missed   []string          `json:"missed,omitempty"`   // used by the model, not named: what the gate should have said
}

// PromptText is what the journal kept of the prompt, with the level where that is not its
// text.
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

const followedSQL = `CASE
	WHEN EXISTS (SELECT 1 FROM outcome o WHERE o.decision = d.id AND o.success AND o.followed) THEN 'yes'
	WHEN EXISTS (SELECT 1 FROM outcome o WHERE o.decision = d.id AND o.success) THEN 'no'
	ELSE 'unknown' END`

// where returns the condition on decision d and its arguments.
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
	if f.Followed != "" {
		add("d.verdict IN ('inject', 'force') AND "+followedSQL+" = ?", f.Followed)
	}
	if !f.Lookups {
		add("d.source = ''")
	}
	if f.after != nil {
		add("d.seq > ?", *f.after)
	}
	return strings.Join(conds, " AND "), args
}

// Each calls yield for every decision that f chooses, in f's order, until yield
// fails. The database is busy meanwhile: yield must not use it.
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
	query := `SELECT d.seq, d.line, d.verdict, ` + followedSQL + `,
		(SELECT json_group_array(json_array(o.line, o.followed)) FROM (SELECT line, followed FROM outcome WHERE decision = d.id ORDER BY time, seq) o)
		FROM decision d WHERE ` + where + ` ORDER BY ` + order
	if f.Limit > 0 {
		query += " LIMIT ?"
		args = append(args, f.Limit)
	}
	rows, err := db.sql.QueryContext(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("journal: %w", explain(err))
	}
	defer rows.Close()
	for rows.Next() {
		var seq int64
		var line, verdict, followed, uses string
		if err := rows.Scan(&seq, &line, &verdict, &followed, &uses); err != nil {
			return fmt.Errorf("journal: %w", explain(err))
		}
		e, err := entry(line, verdict, followed, uses)
		if err != nil {
			return fmt.Errorf("journal: %w", err)
		}
		if err := yield(seq, e); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("journal: %w", explain(err))
	}
	return nil
}

// entry puts a row together.
func entry(line, verdict, followed, uses string) (Entry, error) {
	e := Entry{Outcomes: []journal.Outcome{}}
	if err := json.Unmarshal([]byte(line), &e.Record); err != nil {
		return e, err
	}
	if verdict == "inject" || verdict == "force" {
		e.Followed = Follow(followed)
	}
	var pairs [][2]json.RawMessage
	if err := json.Unmarshal([]byte(uses), &pairs); err != nil {
		return e, err
	}
	for _, p := range pairs {
		var text string
		var rec journal.Record
		if err := json.Unmarshal(p[0], &text); err != nil {
			return e, err
		}
		if err := json.Unmarshal([]byte(text), &rec); err != nil {
			return e, err
		}
		if rec.Outcome == nil {
			continue
		}
		o := *rec.Outcome
		e.Outcomes = append(e.Outcomes, o)
		if string(p[1]) == "0" && o.Success && o.Tool != journal.ToolTyped && !slices.Contains(e.Missed, o.Skill) {
			e.Missed = append(e.Missed, o.Skill)
		}
	}
	return e, nil
}

// List returns the decisions that f chooses.
func (db *DB) List(ctx context.Context, f Filter) ([]Entry, error) {
	out := []Entry{}
	err := db.Each(ctx, f, func(e Entry) error {
		out = append(out, e)
		return nil
	})
	return out, err
}

// ErrNone and ErrMany say that an id prefix names no decision or several.
var (
	ErrNone = errors.New("no such decision")
	ErrMany = errors.New("more than one decision")
)

// Get returns the decision whose id starts with prefix, in any case.
func (db *DB) Get(ctx context.Context, prefix string) (Entry, error) {
	prefix = strings.ToUpper(prefix)
	if prefix == "" {
		return Entry{}, fmt.Errorf("journal: empty id: %w", ErrNone)
	}
	rows, err := db.sql.QueryContext(ctx, `SELECT d.line, d.verdict, `+followedSQL+`,
		(SELECT json_group_array(json_array(o.line, o.followed)) FROM outcome o WHERE o.decision = d.id)
		FROM decision d WHERE d.id >= ? AND substr(d.id, 1, length(?)) = ? ORDER BY d.id LIMIT 2`, prefix, prefix, prefix)
	if err != nil {
		return Entry{}, fmt.Errorf("journal: %w", explain(err))
	}
	defer rows.Close()
	var found []Entry
	for rows.Next() {
		var line, verdict, followed, uses string
		if err := rows.Scan(&line, &verdict, &followed, &uses); err != nil {
			return Entry{}, fmt.Errorf("journal: %w", explain(err))
		}
		e, err := entry(line, verdict, followed, uses)
		if err != nil {
			return Entry{}, fmt.Errorf("journal: %w", err)
		}
		found = append(found, e)
	}
	switch {
	case rows.Err() != nil:
		return Entry{}, fmt.Errorf("journal: %w", explain(rows.Err()))
	case len(found) == 0:
		return Entry{}, fmt.Errorf("journal: %s: %w", prefix, ErrNone)
	case len(found) > 1:
		return Entry{}, fmt.Errorf("journal: %s: %w", prefix, ErrMany)
	}
	return found[0], nil
}

// lines yields every record's line between two times, oldest first.
func (db *DB) lines(ctx context.Context, since, until time.Time) iter.Seq2[string, error] {
	from, to := int64(-1<<63), int64(1<<63-1)
	if !since.IsZero() {
		from = since.UnixNano()
	}
	if !until.IsZero() {
		to = until.UnixNano()
	}
	return func(yield func(string, error) bool) {
		rows, err := db.sql.QueryContext(ctx, `
			SELECT id, time, line FROM decision WHERE time >= ?1 AND time < ?2
			UNION ALL SELECT id, time, line FROM outcome WHERE time >= ?1 AND time < ?2
			UNION ALL SELECT id, time, line FROM event WHERE time >= ?1 AND time < ?2
			ORDER BY 2, 1`, from, to)
		if err != nil {
			yield("", explain(err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			var id, line string
			var at int64
			if err := rows.Scan(&id, &at, &line); err != nil {
				yield("", explain(err))
				return
			}
			if !yield(line, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield("", explain(err))
		}
	}
}

// Export writes every record between two times (zero: no limit) to w, one JSON
// line each as the hook wrote it, oldest first, and returns how many.
func (db *DB) Export(ctx context.Context, w io.Writer, since, until time.Time) (int, error) {
	n := 0
	for line, err := range db.lines(ctx, since, until) {
		if err != nil {
			return n, fmt.Errorf("export: %w", err)
		}
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			return n, fmt.Errorf("export: %w", err)
		}
		n++
	}
	return n, nil
}

// Watch calls yield for every decision that f chooses and that is folded after
// the call, until ctx ends or yield fails; it folds every interval. f.Limit
// counts the decisions in the journal that come first. The end of ctx is not an error.
func (db *DB) Watch(ctx context.Context, f Filter, interval time.Duration, now func() time.Time, yield func(Entry) error) error {
	var last int64
	if err := db.sql.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM decision`).Scan(&last); err != nil {
		return fmt.Errorf("journal: %w", explain(err))
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

// ended turns what fails because ctx ended into nil.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
