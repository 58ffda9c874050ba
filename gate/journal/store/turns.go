package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/secret"
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

	Asked *Asked // nil unless Filter.Asked
}

// Asked is what was kept of a turn's prompt and of what decided about it.
type Asked struct {
	Level     string // of privacy, see package journal
	Text      string // redacted
	Terms     []string
	Cut       bool   // Text is only the start
	Skillgate string // version
	Settings  string // fingerprint
	Trial     *gate.Trial
}

// askedSQL are the fields of a line that make an Asked: one text, of which SQLite parses the line once.
const askedSQL = `json_extract(d.line, '$.prompts', '$.decision.prompt', '$.terms', '$.cut', '$.skillgate',
	'$.settings', '$.decision.trial')`

func asked(text string, texts Texts) (*Asked, error) {
	a := &Asked{}
	fields := []any{&a.Level, &a.Text, &a.Terms, &a.Cut, &a.Skillgate, &a.Settings, &a.Trial}
	err := decode(text, &fields)
	if clean := secret.Redact(a.Text); clean != a.Text { // the line is older than what is known of secrets now
		a.Text, a.Terms = clean, nil
	}
	texts.Share(&a.Level, &a.Skillgate, &a.Settings)
	if a.Trial != nil {
		texts.Share(&a.Trial.Experiment)
	}
	return a, err
}

// Texts keeps one copy of each text that many turns hold. That of a text which was cut from a longer one does not hold
// the longer one in memory.
type Texts map[string]string

// Share makes each text the copy that is kept of it.
func (t Texts) Share(list ...*string) {
	for _, s := range list {
		known, ok := t[*s]
		if !ok {
			known = strings.Clone(*s)
			t[known] = known
		}
		*s = known
	}
}

// Turns calls yield for every decision that f chooses, oldest first, until yield fails.
// f.Limit and f.Newest do not count. The database is busy meanwhile: yield must not use it.
func (db *DB) Turns(ctx context.Context, f Filter, yield func(*Turn) error) error {
	where, args := f.where()
	next, end := db.counted(ctx)
	defer end()
	prompt := `''`
	if f.Asked {
		prompt = askedSQL
	}
	texts := Texts{}
	var row Turn
	var at int64
	var names, uses, kept string
	for err := range db.rows(ctx,
		`SELECT d.id, d.time, d.session, d.prompt_id, d.verdict, d.reason, d.lang, d.need, d.score, d.ms, `+overSQL+`,
		`+prompt+`,
		(SELECT json_group_array(json_array(n.name, n.path, n.pool, n.kept))
			FROM (SELECT * FROM named WHERE decision = d.id ORDER BY rowid) n),
		(SELECT json_group_array(json_array(o.tool, o.skill, o.path, o.success))
			FROM (SELECT * FROM outcome WHERE decision = d.id ORDER BY time, seq) o)
		FROM decision d WHERE `+where+` ORDER BY d.time, d.seq`, args, &row.ID, &at, &row.Session, &row.PromptID,
		&row.Verdict, &row.Reason, &row.Lang, &row.Need, &row.Score, &row.Ms, &row.Over, &kept, &names, &uses) {
		next()
		t := row
		if err != nil {
			return failed(err)
		}
		t.Time = time.Unix(0, at).UTC()
		texts.Share(&t.Session, &t.Verdict, &t.Reason, &t.Lang)
		err = t.read(names, uses, texts)
		if err == nil && f.Asked {
			t.Asked, err = asked(kept, texts)
		}
		if err != nil {
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

func (t *Turn) read(names, uses string, texts Texts) error {
	var named [][4]any
	var used [][4]any
	if err := decode(names, &named); err != nil {
		return err
	}
	if err := decode(uses, &used); err != nil {
		return err
	}
	text := func(v any) string { s, _ := v.(string); texts.Share(&s); return s }
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
