// Package truth stores a registry of skills in PostgreSQL: tenants and their pools, revisions of skills with their
// source, content hash, risk and review, keys, and an audit log. The tables are in schema.sql.
//
// A pool without roles is visible to everybody in its tenant, any other pool to the users who have one of its roles.
// Every user has the role "user:SUBJECT". Data of one tenant is never visible to another.
package truth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Store is an open database. Its methods may be called concurrently.
type Store struct {
	DB *pgxpool.Pool
	ID string // random id of the registry, created with its tables
}

//go:embed schema.sql
var schema string

const (
	schemaName    = "skillgate_registry"
	schemaVersion = "skillgate registry 1" // comment of the schema in the database; changes with schema.sql
	lock          = 0x736b6774             // key of the advisory lock held while tables are created
)

// ErrVersion says that another version of the program created the tables.
var ErrVersion = errors.New("the tables in the database belong to another version of skillgate-org")

// Open connects to the database at address (a URL or key=value pairs, as libpq reads them) and creates the schema if
// it is missing. It returns ErrVersion if the schema belongs to another version of the program.
func Open(ctx context.Context, address string) (*Store, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	config.ConnConfig.RuntimeParams["search_path"] = schemaName
	s := &Store{}
	if s.DB, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, err
	}
	err = pgx.BeginFunc(ctx, s.DB, func(tx pgx.Tx) error { return migrate(ctx, tx) })
	if err == nil {
		err = s.DB.QueryRow(ctx, `SELECT id::text FROM registry`).Scan(&s.ID)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func migrate(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, lock); err != nil {
		return err
	}
	var is string
	err := tx.QueryRow(ctx, `SELECT coalesce(obj_description(oid), '') FROM pg_namespace WHERE nspname = $1`,
		schemaName).Scan(&is)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		_, err = tx.Exec(ctx, fmt.Sprintf(`%s; COMMENT ON SCHEMA %s IS '%s'`, schema, schemaName, schemaVersion))
		return err
	case err != nil:
		return err
	case is != schemaVersion:
		return fmt.Errorf("%w: the database has %.100q, but this program needs %q", ErrVersion, is, schemaVersion)
	}
	return nil
}

// Close closes all connections.
func (s *Store) Close() { s.DB.Close() }

// Identity identifies the person or agent that sent a request.
type Identity struct {
	Tenant  string
	Subject string
	Roles   []string // without "user:SUBJECT"
}

const ownRole = "user:"

// Sees reports whether w sees a pool of its tenant with these roles. Nobody but SUBJECT has the role "user:SUBJECT",
// whatever w.Roles contains.
func (w Identity) Sees(roles []string) bool {
	given := func(role string) bool { return !strings.HasPrefix(role, ownRole) && slices.Contains(w.Roles, role) }
	return len(roles) == 0 || slices.Contains(roles, ownRole+w.Subject) || slices.ContainsFunc(roles, given)
}

// Errors that callers distinguish.
var (
	ErrNotFound = errors.New("not found")
	ErrBadName  = errors.New("a name must have 1 to 63 characters (a-z, 0-9, '.', '_', '-'), the first a letter or digit")
)

var nameOK = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,62}$`)

// SetTenant creates a tenant or changes its limits.
func (s *Store) SetTenant(ctx context.Context, actor, tenant string, l Limits) error {
	return pgx.BeginFunc(ctx, s.DB, func(tx pgx.Tx) error {
		if !nameOK.MatchString(tenant) {
			return fmt.Errorf("tenant %q: %w", tenant, ErrBadName)
		}
		if !(l.MaxRisk >= 0 && l.MaxRisk <= 1) {
			return fmt.Errorf("the maximum risk is %v but must be between 0 and 1", l.MaxRisk)
		}
		// Skills that the new limits exclude disappear at the next poll. Newly admitted ones appear with the next generation.
		var b pgx.Batch
		b.Queue(`INSERT INTO tenant VALUES ($1, $2, $3, $4)
			ON CONFLICT (name) DO UPDATE SET max_risk = $2, review = $3, sources = $4`,
			tenant, l.MaxRisk, l.Review, nonNil(l.Sources))
		b.Queue(`UPDATE pool SET revision = revision + 1 WHERE tenant = $1`, tenant)
		b.Queue(`UPDATE skill k SET changed = p.revision FROM pool p
			WHERE k.tenant = $1 AND p.tenant = $1 AND p.name = k.pool`, tenant)
		if err := tx.SendBatch(ctx, &b).Close(); err != nil {
			return err
		}
		return audit(ctx, tx, l.event(actor, tenant))
	})
}

func (l Limits) event(actor, tenant string) Event {
	return Event{Tenant: tenant, Actor: actor, Action: "policy",
		Detail: fmt.Sprintf("max_risk %v, review %v, sources %s", l.MaxRisk, l.Review, strings.Join(l.Sources, " "))}
}

// addTenant creates a tenant without limits unless it exists.
func addTenant(ctx context.Context, tx pgx.Tx, actor, tenant string) error {
	if !nameOK.MatchString(tenant) {
		return fmt.Errorf("tenant %q: %w", tenant, ErrBadName)
	}
	l := Limits{MaxRisk: 1}
	tag, err := tx.Exec(ctx, `INSERT INTO tenant (name, max_risk) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
		tenant, l.MaxRisk)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	return audit(ctx, tx, l.event(actor, tenant))
}

// setPool creates a pool unless it exists, and sets its roles unless roles is nil.
func setPool(ctx context.Context, tx pgx.Tx, actor, tenant, pool string, roles []string) error {
	if !nameOK.MatchString(pool) {
		return fmt.Errorf("pool %q: %w", pool, ErrBadName)
	}
	change := `INSERT INTO pool (tenant, name, roles) VALUES ($1, $2, $3) ON CONFLICT (tenant, name) DO `
	if roles == nil {
		change += `NOTHING`
	} else {
		change += `UPDATE SET roles = $3, revision = pool.revision + 1`
	}
	tag, err := tx.Exec(ctx, change, tenant, pool, nonNil(roles))
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	return audit(ctx, tx, Event{Tenant: tenant, Actor: actor, Action: "pool", Pool: pool,
		Detail: "roles " + strings.Join(roles, " ")})
}

// Roles returns the roles of a pool, or ErrNotFound.
func (s *Store) Roles(ctx context.Context, tenant, pool string) (roles []string, err error) {
	err = s.DB.QueryRow(ctx, `SELECT roles FROM pool WHERE tenant = $1 AND name = $2`, tenant, pool).Scan(&roles)
	return roles, missing(err, "pool %q", pool)
}

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// Limits restrict the skills that a tenant is offered.
type Limits struct {
	MaxRisk float64
	Review  bool
	Sources []string
}

// Limits returns the limits of a tenant, or ErrNotFound.
func (s *Store) Limits(ctx context.Context, tenant string) (l Limits, err error) {
	err = s.DB.QueryRow(ctx, `SELECT max_risk, review, sources FROM tenant WHERE name = $1`, tenant).
		Scan(&l.MaxRisk, &l.Review, &l.Sources)
	return l, missing(err, "tenant %q", tenant)
}

// Pool summarizes a pool.
type Pool struct {
	Name     string   `json:"pool"`
	Roles    []string `json:"roles"`
	Revision int64    `json:"revision"`
	Skills   int      `json:"skills"`
	Offered  int      `json:"offered"`
	Pending  int      `json:"pending"`
}

// Pools lists the pools of a tenant. It returns ErrNotFound if there is no such tenant.
func (s *Store) Pools(ctx context.Context, tenant string) ([]Pool, error) {
	rows, err := s.DB.Query(ctx, `
		SELECT p.name, p.roles, p.revision,
			(SELECT count(*) FROM skill k WHERE k.tenant = p.tenant AND k.pool = p.name),
			(SELECT count(*) FROM offered o WHERE o.tenant = p.tenant AND o.pool = p.name),
			(SELECT count(*) FROM skill k JOIN revision r USING (tenant, pool, name)
				WHERE k.tenant = p.tenant AND k.pool = p.name AND r.revision = k.newest AND r.state = 'pending')
		FROM pool p WHERE p.tenant = $1 ORDER BY p.name`, tenant)
	if err != nil {
		return nil, err
	}
	pools, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Pool])
	if err == nil && len(pools) == 0 {
		_, err = s.Limits(ctx, tenant)
	}
	return pools, err
}

func missing(err error, format string, args ...any) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf(format+": %w", append(args, ErrNotFound)...)
	}
	return err
}

// Event is an entry of the audit log.
type Event struct {
	Tenant string    `json:"-"`
	ID     string    `json:"id"`
	Time   time.Time `json:"time"`
	Actor  string    `json:"actor"`
	Action string    `json:"action"` // one of the actions in schema.sql
	Pool   string    `json:"pool,omitempty"`
	Skills []string  `json:"skills,omitempty"`
	Detail string    `json:"detail,omitempty"`
}

type execer interface {
	SendBatch(context.Context, *pgx.Batch) pgx.BatchResults
}

// audit writes events, except those whose id is already in the log.
func audit(ctx context.Context, to execer, events ...Event) error {
	var b pgx.Batch
	for _, e := range events {
		if e.ID == "" {
			e.ID = rand.Text()
		}
		if e.Time.IsZero() {
			e.Time = time.Now()
		}
		b.Queue(`INSERT INTO audit VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
			e.Tenant, e.ID, e.Time, clean(e.Actor), e.Action, clean(e.Pool), cleaned(e.Skills), clean(e.Detail))
	}
	return to.SendBatch(ctx, &b).Close()
}

func cleaned(texts []string) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = clean(text)
	}
	return all
}

// Audit writes events to the audit log. An event whose id is in the log is skipped, so that a failed write can be
// repeated.
func (s *Store) Audit(ctx context.Context, events ...Event) error { return audit(ctx, s.DB, events...) }

// Audited returns the newest events of a tenant, at most limit, newest first. It returns ErrNotFound if there is no
// such tenant.
func (s *Store) Audited(ctx context.Context, tenant string, limit int) ([]Event, error) {
	rows, err := s.DB.Query(ctx, `SELECT tenant, id, time, actor, action, pool, skills, detail FROM audit
		WHERE tenant = $1 ORDER BY time DESC, id LIMIT $2`, tenant, limit)
	if err != nil {
		return nil, err
	}
	events, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Event])
	if err == nil && len(events) == 0 {
		_, err = s.Limits(ctx, tenant)
	}
	return events, err
}

// NewKey creates a key and returns it. Only its hash is stored.
func (s *Store) NewKey(ctx context.Context, actor string, who Identity, expires time.Time) (string, error) {
	if i := slices.IndexFunc(who.Roles, func(r string) bool { return strings.HasPrefix(r, ownRole) }); i >= 0 {
		return "", fmt.Errorf("role %q cannot be assigned; each subject has its own user: role automatically", who.Roles[i])
	}
	if who.Subject == "" || len(who.Subject) > maxSubject || strings.ContainsFunc(who.Subject, unicode.IsControl) {
		return "", fmt.Errorf("subject %.100q must be one line of 1 to %d bytes", who.Subject, maxSubject)
	}
	raw := make([]byte, 32)
	rand.Read(raw)
	key := keyPrefix + base64.RawURLEncoding.EncodeToString(raw)
	hash := sha256.Sum256([]byte(key))
	return key, pgx.BeginFunc(ctx, s.DB, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO key SELECT $1, name, $3, $4, $5 FROM tenant WHERE name = $2`,
			hash[:], who.Tenant, who.Subject, nonNil(who.Roles), expires)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return fmt.Errorf("tenant %q: %w", who.Tenant, ErrNotFound)
		}
		said := who.Subject + " " + strings.Join(who.Roles, " ")
		return audit(ctx, tx, Event{Tenant: who.Tenant, Actor: actor, Action: "key", Detail: said})
	})
}

// Revoke deletes all keys of subject and returns their number. It returns ErrNotFound if there are none.
func (s *Store) Revoke(ctx context.Context, actor, tenant, subject string) (n int, err error) {
	return n, pgx.BeginFunc(ctx, s.DB, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `DELETE FROM key WHERE tenant = $1 AND subject = $2`, tenant, subject)
		if err != nil {
			return err
		}
		if n = int(tag.RowsAffected()); n == 0 {
			return fmt.Errorf("keys for %q in tenant %q: %w", subject, tenant, ErrNotFound)
		}
		said := fmt.Sprintf("%s, keys: %d", subject, n)
		return audit(ctx, tx, Event{Tenant: tenant, Actor: actor, Action: "revoke", Detail: said})
	})
}

const (
	keyPrefix  = "skg_"
	maxSubject = 255 // bytes, the limit of OpenID Connect
)

// IsKey reports whether a token has the form of a key.
func IsKey(token string) bool { return strings.HasPrefix(token, keyPrefix) }

// ByKey returns the owner of a key and its expiry. It returns ErrNotFound for an unknown or expired key.
func (s *Store) ByKey(ctx context.Context, key string) (w Identity, expires time.Time, err error) {
	hash := sha256.Sum256([]byte(key))
	err = s.DB.QueryRow(ctx, `SELECT tenant, subject, roles, expires FROM key WHERE hash = $1 AND expires > now()`,
		hash[:]).
		Scan(&w.Tenant, &w.Subject, &w.Roles, &expires)
	return w, expires, missing(err, "key")
}
