package truth

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/skillgate/skillgate/gate/neutral"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/gate/wording"
)

// Skill is a skill to import.
type Skill struct {
	Name   string
	File   string         // path it was read from, named in a Refusal; may be ""
	Risk   func() float64 // 0 to 1; nil means 0. It is called at most once, on any goroutine, if the content is new.
	Source string         // origin of the skill; a tenant can restrict the origins
	Text   []byte         // SKILL.md
	Files  []File         // other files of the skill
}

type File struct {
	Path    string // below the skill's folder, slash-separated
	Content []byte
}

// Hash returns the SHA-256 of the contents and names of the skill's files.
func (k *Skill) Hash() string {
	h := sha256.New()
	fmt.Fprintf(h, "%d:%s", len(k.Text), k.Text)
	files := slices.SortedFunc(slices.Values(k.Files), func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	for _, f := range files {
		fmt.Fprintf(h, "%d:%s%d:%s", len(f.Path), f.Path, len(f.Content), f.Content)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Local reports whether the names of the skill and of its files stay inside its folder on every operating system.
func (k *Skill) Local() bool {
	return isName(k.Name) && !slices.ContainsFunc(k.Files, func(f File) bool { return !isLocal(f.Path) })
}

func isName(s string) bool { return s != "." && !strings.Contains(s, "/") && isLocal(s) }

func isLocal(file string) bool {
	return filepath.IsLocal(filepath.FromSlash(file)) && !strings.ContainsAny(file, "\\\x00")
}

// Refusal says why one skill is not imported. The other skills are imported anyway.
type Refusal struct {
	File string // path of the skill, or its name
	Err  error
}

func (r *Refusal) Error() string { return r.File + ": " + r.Err.Error() }
func (r *Refusal) Unwrap() error { return r.Err }

// Imported counts the results of an import.
type Imported struct {
	Refused   []*Refusal
	Revisions int // new revisions
	Pending   int // new revisions that are not offered until they are approved
	Unchanged int
	Withdrawn int // skills left out because the same content was withdrawn
}

// Import adds skills to a pool in one transaction and creates the tenant and the pool if they do not exist. A skill
// that Import refuses, or whose error is a Refusal, is left out and listed. Any other error from skills ends the
// import. A skill whose content equals its newest revision does not change. Withdrawn content is offered again only
// after it has been approved. Roles other than nil replace the pool's roles. If Import returns an error, nothing has
// changed.
func (s *Store) Import(
	ctx context.Context, actor, tenant, pool string, roles []string, skills iter.Seq2[Skill, error],
) (sum Imported, err error) {
	return sum, pgx.BeginFunc(ctx, s.DB, func(tx pgx.Tx) error {
		all, refused, err := stage(ctx, tx, tenant, pool, skills)
		sum = Imported{Refused: refused}
		if err == nil {
			err = addTenant(ctx, tx, actor, tenant)
		}
		if err == nil {
			err = setPool(ctx, tx, actor, tenant, pool, roles)
		}
		if err != nil {
			return err
		}
		var revision int64
		var review bool
		err = tx.QueryRow(ctx, `SELECT p.revision, t.review FROM pool p JOIN tenant t ON t.name = p.tenant
			WHERE p.tenant = $1 AND p.name = $2 FOR UPDATE OF p`, tenant, pool).Scan(&revision, &review)
		if err != nil {
			return missing(err, "pool %s/%s", tenant, pool)
		}
		step := func(n *int, sql string, args ...any) {
			if err != nil {
				return
			}
			tag, e := tx.Exec(ctx, sql, args...)
			if err = e; n != nil {
				*n = int(tag.RowsAffected())
			}
		}
		step(&sum.Withdrawn, `DELETE FROM staged s USING revision r
			WHERE r.tenant = $1 AND r.pool = $2 AND r.name = s.name AND r.hash = s.hash AND r.state = 'withdrawn'`, tenant, pool)
		step(&sum.Unchanged, `DELETE FROM staged s USING skill k, revision r
			WHERE k.tenant = $1 AND k.pool = $2 AND k.name = s.name AND r.tenant = $1 AND r.pool = $2 AND r.name = s.name
				AND r.revision = k.newest AND r.hash = s.hash`, tenant, pool)
		step(nil, `UPDATE staged s SET next = k.newest + 1, pending = k.withdrawn FROM skill k
			WHERE k.tenant = $1 AND k.pool = $2 AND k.name = s.name`, tenant, pool)
		step(&sum.Pending, `UPDATE staged SET pending = true WHERE pending OR $1`, review)
		step(&sum.Revisions, `INSERT INTO revision (tenant, pool, name, revision, hash, risk, state, source, author, text)
			SELECT $1, $2, name, next, hash, risk, CASE WHEN pending THEN 'pending' ELSE 'approved' END, source, $3, text
			FROM staged`, tenant, pool, actor)
		step(nil, `INSERT INTO file SELECT $1, $2, name, next, path, content
			FROM staged JOIN staged_file USING (name)`, tenant, pool)
		step(nil, `INSERT INTO skill (tenant, pool, name, newest, offered, changed)
			SELECT $1, $2, name, next, CASE WHEN NOT pending THEN next END, $3 FROM staged
			ON CONFLICT (tenant, pool, name) DO UPDATE SET newest = excluded.newest, changed = excluded.changed,
				offered = coalesce(excluded.offered, skill.offered)`, tenant, pool, revision+1)
		if err != nil || sum.Revisions == 0 {
			return err
		}
		step(nil, `UPDATE pool SET revision = $3 WHERE tenant = $1 AND name = $2`, tenant, pool, revision+1)
		if err != nil {
			return err
		}
		return audit(ctx, tx, Event{Tenant: tenant, Actor: actor, Action: "import", Pool: pool,
			Detail: fmt.Sprintf("%s: %s, %d pending, %d refused", wording.Count(all, "skill"),
				wording.Count(sum.Revisions, "new revision"), sum.Pending, len(refused))})
	})
}

const maxName = 128 // bytes

// content identifies the content of a skill whose risk is known.
type content struct{ name, hash string }

type batch struct {
	skills  []Skill
	rows    [][]any // rows of table staged, one per skill
	refused []*Refusal
}

const (
	batchSkills = 256
	batchBytes  = 16 << 20
)

// stage copies skills to temporary tables. It returns the number of copied skills and the refused ones.
func stage(
	ctx context.Context, tx pgx.Tx, tenant, pool string, skills iter.Seq2[Skill, error],
) (n int, refused []*Refusal, err error) {
	_, err = tx.Exec(ctx, `
		CREATE TEMP TABLE staged (name text PRIMARY KEY, hash text, risk float8, source text, text bytea,
			next integer DEFAULT 1, pending boolean DEFAULT false) ON COMMIT DROP;
		CREATE TEMP TABLE staged_file (name text, path text, content bytea) ON COMMIT DROP`)
	if err != nil {
		return 0, nil, err
	}
	rows, err := tx.Query(ctx, `SELECT name, hash, risk FROM revision WHERE tenant = $1 AND pool = $2`, tenant, pool)
	if err != nil {
		return 0, nil, err
	}
	known := map[content]float64{}
	var of content
	var risk float64
	if _, err := pgx.ForEachRow(rows, []any{&of.name, &of.hash, &risk},
		func() error { known[of] = risk; return nil }); err != nil {
		return 0, nil, err
	}
	flush := func(b *batch) error {
		b.judge(known)
		n += len(b.rows)
		refused = append(refused, b.refused...)
		var files [][]any
		for _, k := range b.skills {
			for _, f := range k.Files {
				files = append(files, []any{k.Name, f.Path, f.Content})
			}
		}
		into, columns := pgx.Identifier{"staged"}, []string{"name", "hash", "risk", "source", "text"}
		if _, err := tx.CopyFrom(ctx, into, columns, pgx.CopyFromRows(b.rows)); err != nil {
			return err
		}
		into, columns = pgx.Identifier{"staged_file"}, []string{"name", "path", "content"}
		_, err := tx.CopyFrom(ctx, into, columns, pgx.CopyFromRows(files))
		*b = batch{}
		return err
	}
	first := map[string]string{} // path of the first skill with each name
	var b batch
	size := 0
	for k, err := range skills {
		if err == nil {
			err = k.refusal(first)
		}
		if r, ok := errors.AsType[*Refusal](err); ok {
			b.refused = append(b.refused, r)
			continue
		}
		if err != nil {
			return n, refused, err
		}
		first[k.Name] = k.File
		b.skills = append(b.skills, k)
		size += len(k.Text)
		for _, f := range k.Files {
			size += len(f.Content)
		}
		if len(b.skills) == batchSkills || size >= batchBytes {
			if err := flush(&b); err != nil {
				return n, refused, err
			}
			size = 0
		}
	}
	if err = flush(&b); err == nil {
		_, err = tx.Exec(ctx, `ANALYZE staged`)
	}
	return n, refused, err
}

// refusal returns a Refusal if the name or the files of the skill are not allowed or its name is a key of first.
// Otherwise it returns nil.
func (k *Skill) refusal(first map[string]string) error {
	other, twice := first[k.Name]
	switch {
	case len(k.Name) > maxName || !isName(k.Name) || !neutral.Survives(k.Name, neutral.MaxName):
		return k.refuse(fmt.Errorf("%q is not a valid skill name", k.Name))
	case !k.Local():
		return k.refuse(fmt.Errorf("skill %q has a file whose path is invalid or leads outside its folder", k.Name))
	case twice:
		return k.refuse(fmt.Errorf("the name %q is already used by another skill: %s", k.Name, other))
	}
	return nil
}

func (k *Skill) refuse(err error) *Refusal { return &Refusal{cmp.Or(k.File, k.Name, "a skill"), err} }

// judge sets b.rows and moves skills without a valid risk from b.skills to b.refused. It computes unknown risks in
// parallel.
func (b *batch) judge(known map[content]float64) {
	rows, failed := make([][]any, len(b.skills)), make([]error, len(b.skills))
	var all errgroup.Group
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i := range b.skills {
		all.Go(func() error {
			k := &b.skills[i]
			of := content{k.Name, k.Hash()}
			risk, ok := known[of]
			if !ok && k.Risk != nil {
				failed[i] = system.Caught(func() error { risk = k.Risk(); return nil })
			}
			if failed[i] == nil && !(risk >= 0 && risk <= 1) {
				failed[i] = fmt.Errorf("the lint risk is %v but must be between 0 and 1", risk)
			}
			rows[i] = []any{k.Name, of.hash, risk, clean(k.Source), k.Text}
			return nil
		})
	}
	_ = all.Wait()
	taken := b.skills[:0]
	for i, k := range b.skills {
		if failed[i] != nil {
			b.refused = append(b.refused, k.refuse(failed[i]))
			continue
		}
		taken, b.rows = append(taken, k), append(b.rows, rows[i])
	}
	b.skills = taken
}

func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// Approve offers a revision of a skill. Revision 0 means the newest.
func (s *Store) Approve(ctx context.Context, actor, tenant, pool, name string, revision int) error {
	e := Event{Tenant: tenant, Actor: actor, Action: "approve", Pool: pool, Skills: []string{name}}
	return s.review(ctx, e, func(tx pgx.Tx, changed int64) error {
		err := tx.QueryRow(ctx, `UPDATE revision r SET state = 'approved', reviewer = $5 FROM skill k
			WHERE k.tenant = $1 AND k.pool = $2 AND k.name = $3 AND r.tenant = $1 AND r.pool = $2 AND r.name = $3
				AND r.revision = CASE WHEN $4 = 0 THEN k.newest ELSE $4 END RETURNING r.revision`,
			tenant, pool, name, revision, actor).Scan(&revision)
		if err != nil {
			return missing(err, "revision %d of %s", revision, name)
		}
		_, err = tx.Exec(ctx, `UPDATE skill SET offered = $4, withdrawn = false, changed = $5
			WHERE tenant = $1 AND pool = $2 AND name = $3`, tenant, pool, name, revision, changed)
		return err
	})
}

// Withdraw withdraws a skill with all its revisions. None is offered again until one is approved.
func (s *Store) Withdraw(ctx context.Context, actor, tenant, pool, name, why string) error {
	e := Event{Tenant: tenant, Actor: actor, Action: "withdraw", Pool: pool, Skills: []string{name}, Detail: clean(why)}
	return s.review(ctx, e, func(tx pgx.Tx, changed int64) error {
		tag, err := tx.Exec(ctx, `UPDATE skill SET withdrawn = true, changed = $4
			WHERE tenant = $1 AND pool = $2 AND name = $3`, tenant, pool, name, changed)
		if err == nil && tag.RowsAffected() == 0 {
			err = fmt.Errorf("%s: %w", name, ErrNotFound)
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE revision SET state = 'withdrawn', reviewer = $4
			WHERE tenant = $1 AND pool = $2 AND name = $3`, tenant, pool, name, actor)
		return err
	})
}

func (s *Store) review(ctx context.Context, e Event, change func(tx pgx.Tx, revision int64) error) error {
	return pgx.BeginFunc(ctx, s.DB, func(tx pgx.Tx) error {
		var revision int64
		err := tx.QueryRow(ctx, `UPDATE pool SET revision = revision + 1
			WHERE tenant = $1 AND name = $2 RETURNING revision`, e.Tenant, e.Pool).Scan(&revision)
		if err != nil {
			return missing(err, "pool %s/%s", e.Tenant, e.Pool)
		}
		if err := change(tx, revision); err != nil {
			return err
		}
		return audit(ctx, tx, e)
	})
}

// Listed identifies a skill in the list that a registry sends to a machine.
type Listed struct {
	Pool string `json:"pool"`
	Name string `json:"name"`
	Hash string `json:"hash,omitempty"`
}

// Offered is the revision of a skill that its tenant can use.
type Offered struct {
	Pool     string  `json:"pool"`
	Name     string  `json:"name"`
	Revision int     `json:"revision"`
	Hash     string  `json:"hash"`
	Risk     float64 `json:"risk"`
	Source   string  `json:"source"`
	Author   string  `json:"author"`
	Reviewer string  `json:"reviewer,omitempty"`
	Text     []byte  `json:"-"` // SKILL.md
	Files    []File  `json:"-"`
}

// Offer returns the offered revision of a skill with its files, or ErrNotFound.
func (s *Store) Offer(ctx context.Context, tenant, pool, name string) (o Offered, err error) {
	err = s.DB.QueryRow(ctx, `SELECT pool, name, revision, hash, risk, source, author, reviewer, text FROM offered
		WHERE tenant = $1 AND pool = $2 AND name = $3`, tenant, pool, name).
		Scan(&o.Pool, &o.Name, &o.Revision, &o.Hash, &o.Risk, &o.Source, &o.Author, &o.Reviewer, &o.Text)
	if err != nil {
		return o, missing(err, "%s", name)
	}
	rows, err := s.DB.Query(ctx, `SELECT path, content FROM file
		WHERE tenant = $1 AND pool = $2 AND name = $3 AND revision = $4 ORDER BY path`, tenant, pool, name, o.Revision)
	if err == nil {
		o.Files, err = pgx.CollectRows(rows, pgx.RowToStructByPos[File])
	}
	return o, err
}

// Offers returns the skills of pools that tenant can use, sorted by name and without their texts. If several pools
// have a skill of the same name, the first pool wins. It returns at most limit skills, with names after the given
// one.
func (s *Store) Offers(ctx context.Context, tenant string, pools []string, after string, limit int) ([]Offered, error) {
	// PostgreSQL reads each pool by its key and at most limit skills of it.
	rows, err := s.DB.Query(ctx, `
		SELECT DISTINCT ON (o.name) o.* FROM unnest($2::text[]) WITH ORDINALITY p (pool, n) CROSS JOIN LATERAL (
			SELECT pool, name, revision, hash FROM offered
			WHERE tenant = $1 AND pool = p.pool AND name > $3 ORDER BY name LIMIT $4) o
		ORDER BY o.name, p.n LIMIT $4`, tenant, pools, after, limit)
	if err != nil {
		return nil, err
	}
	var all []Offered
	var o Offered
	_, err = pgx.ForEachRow(rows, []any{&o.Pool, &o.Name, &o.Revision, &o.Hash}, func() error {
		all = append(all, o)
		return nil
	})
	return all, err
}
