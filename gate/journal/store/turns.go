package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/outcome"
)

// Turn is a decision with its outcome. It is faster to read than an Entry, because the journal line is not parsed.
type Turn struct {
	outcome.Turn
	ID       string
	Time     time.Time
	Session  string
	PromptID string
	Verdict  string
	Reason   string
	Lang     string
	Ms       float64

	Drawn *Drawn // set only if Filter.Drawn is true
}

// Drawn holds the fields of a decision that experiments need.
type Drawn struct {
	Skillgate string // version of skillgate
	Settings  string // fingerprint of the settings
	Trial     *gate.Trial
}

// drawnSQL selects the fields of Drawn in one call, so that SQLite parses each line only once.
const drawnSQL = `json_extract(d.line, '$.skillgate', '$.settings', '$.decision.trial')`

func drawn(text string, texts Texts) (*Drawn, error) {
	d := &Drawn{}
	fields := []any{&d.Skillgate, &d.Settings, &d.Trial}
	err := decode(text, &fields)
	texts.Share(&d.Skillgate, &d.Settings)
	if d.Trial != nil {
		texts.Share(&d.Trial.Experiment)
	}
	return d, err
}

// Texts keeps one copy of each text that occurs in many turns. Each copy has its own memory, so the longer text that
// it was part of can be freed.
type Texts map[string]string

// Share replaces each text with its shared copy.
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

// Turns calls yield for every decision that f selects, oldest first, until yield returns an error. It ignores f.Limit
// and f.Newest. yield must not use the database.
func (db *DB) Turns(ctx context.Context, f Filter, yield func(*Turn) error) error {
	where, args := f.where()
	next, end := db.counted(ctx)
	defer end()
	fields := `''`
	if f.Drawn {
		fields = drawnSQL
	}
	texts := Texts{}
	var row Turn
	var at int64
	var names, uses, kept string
	for err := range db.rows(ctx,
		`SELECT d.id, d.time, d.session, d.prompt_id, d.verdict, d.reason, d.lang, d.ms, `+overSQL+`,
		`+fields+`,
		(SELECT json_group_array(json_array(n.name, n.path, n.pool, n.kept))
			FROM (SELECT * FROM named WHERE decision = d.id ORDER BY rowid) n),
		(SELECT json_group_array(json_array(o.tool, o.skill, o.path, o.success))
			FROM (SELECT * FROM outcome WHERE decision = d.id ORDER BY time, seq) o)
		FROM decision d WHERE `+where+` ORDER BY d.time, d.seq`, args, &row.ID, &at, &row.Session, &row.PromptID,
		&row.Verdict, &row.Reason, &row.Lang, &row.Ms, &row.Over, &kept, &names, &uses) {
		next()
		t := row
		if err != nil {
			return failed(err)
		}
		t.Time = time.Unix(0, at).UTC()
		texts.Share(&t.Session, &t.Verdict, &t.Reason, &t.Lang)
		err = t.read(names, uses, texts)
		if err == nil && f.Drawn {
			t.Drawn, err = drawn(kept, texts)
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
