package replica

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"golang.org/x/sync/errgroup"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/system"
)

// lease is the time after which another replica may take over a build whose replica no longer renews its lease.
// cmd/skillgate-org/README.md documents this time.
const lease = 15 * time.Second

// listing is the time limit of a query for due pools or for a lease.
const listing = time.Minute

const pause = 5 * time.Second

const chunk = 8 << 20

// builders is the number of pools indexed at once. One build alone would leave processors idle in its single-threaded
// steps and while it waits for the database.
const builders = 2

const maxDue = 10_000

type place struct{ Tenant, Pool string }

// BuildAll builds a generation of every pool that has changed, except those that other replicas build. A pool that
// fails does not stop the others. BuildAll returns the number of indexed skills.
func (r *Replica) BuildAll(ctx context.Context) (int, error) {
	skills, failed := 0, error(nil)
	for {
		due, err := r.due(ctx)
		if err != nil {
			return skills, errors.Join(failed, err)
		}
		built, n, err := r.buildEach(ctx, due)
		skills, failed = skills+n, errors.Join(failed, err)
		if built == 0 { // otherwise more pools may have changed during the builds
			return skills, failed
		}
	}
}

// buildEach builds the pools whose leases it can take and returns how many pools and skills it has built. If a
// lease cannot be requested, the database is at fault and the remaining pools are skipped.
func (r *Replica) buildEach(ctx context.Context, due []place) (built, skills int, err error) {
	var mu sync.Mutex // guards the results
	all, within := errgroup.WithContext(ctx)
	all.SetLimit(builders)
	for _, p := range due {
		all.Go(func() error {
			if within.Err() != nil {
				return nil
			}
			taken, failed := r.claim(ctx, p)
			if !taken && failed == nil {
				return nil
			}
			n := 0
			if taken {
				failed = system.Caught(func() (err error) { n, err = r.build(ctx, p.Tenant, p.Pool); return err })
			}
			if failed != nil {
				failed = fmt.Errorf("index %s/%s: %w", p.Tenant, p.Pool, failed)
			}
			if !taken {
				return failed
			}
			if failed != nil { // shorten the lease, so that others wait no longer than pause
				late, cancel := context.WithTimeout(context.WithoutCancel(ctx), pause)
				_, _ = r.hold(late, p.Tenant, p.Pool, pause)
				cancel()
			}
			mu.Lock()
			defer mu.Unlock()
			if err = errors.Join(err, failed); failed == nil {
				built, skills = built+1, skills+n
			}
			return nil
		})
	}
	failed := all.Wait()
	return built, skills, errors.Join(failed, err, ctx.Err())
}

// due lists the pools that have changed since their newest generation and that no replica is building. Their order is
// random, so that replicas do not compete for the same pool. The query reads all pools.
func (r *Replica) due(ctx context.Context) ([]place, error) {
	ctx, cancel := context.WithTimeout(ctx, listing)
	defer cancel()
	rows, err := r.Store.DB.Query(ctx, `SELECT p.tenant, p.name FROM pool p
		WHERE p.revision > 0
			AND NOT EXISTS (SELECT FROM lease l
				WHERE l.tenant = p.tenant AND l.pool = p.name AND l.version = $1 AND l.until >= now())
			AND NOT EXISTS (SELECT FROM generation g
				WHERE g.tenant = p.tenant AND g.pool = p.name AND g.version = $1 AND g.revision = p.revision)
		ORDER BY random() LIMIT $2`, version, maxDue)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[place])
}

// claim tries to take the lease of a pool that is still due and reports success. The query reads only this
// pool.
func (r *Replica) claim(ctx context.Context, p place) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, listing)
	defer cancel()
	tag, err := r.Store.DB.Exec(ctx, `
		INSERT INTO lease
		SELECT p.tenant, p.name, $1, $2, now() + $3 FROM pool p
		WHERE p.tenant = $4 AND p.name = $5 AND NOT EXISTS (SELECT FROM generation g
			WHERE g.tenant = $4 AND g.pool = $5 AND g.version = $1 AND g.revision = p.revision)
		ON CONFLICT (tenant, pool, version) DO UPDATE SET holder = excluded.holder, until = excluded.until
			WHERE lease.until < now()`, version, r.Name, lease, p.Tenant, p.Pool)
	return tag.RowsAffected() > 0, err
}

var errLost = errors.New("another replica took over the lease")

// build builds a generation of a pool whose lease this replica holds, and releases the lease on success. It returns
// the number of skills.
func (r *Replica) build(ctx context.Context, tenant, pool string) (int, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go r.renew(ctx, cancel, tenant, pool)
	work, err := disk.NewTemp("", "skillgate-build-")
	if err != nil {
		return 0, err
	}
	defer work.Remove()
	texts, err := os.OpenFile(filepath.Join(work.Path, "texts"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	defer texts.Close()
	c, err := r.content(ctx, tenant, pool, texts)
	if err != nil {
		return 0, err
	}
	built := filepath.Join(work.Path, "index")
	if err := r.previous(ctx, tenant, pool, built); err != nil {
		return 0, err
	}
	_, err = index.Build(ctx, index.Options{
		Dir: built, Scope: tenant + "/" + pool, Entries: c.entries, Load: c.load,
		State:       strconv.FormatInt(c.revision, 10),
		Fingerprint: string(kind(c.roles)), Background: gate.Background, Now: time.Now,
		Risk: func(e *catalog.Entry) float64 { return c.of[e.ID].risk },
	})
	if err != nil {
		return 0, errors.Join(err, context.Cause(ctx))
	}
	m, err := index.Newest(built)
	if err != nil {
		return 0, err
	}
	gen := filepath.Join(built, "gen-"+strconv.Itoa(m.Generation))
	return len(c.entries), r.publish(ctx, tenant, pool, c.revision, len(c.entries), gen)
}

// renew renews the lease until ctx ends. It calls lost if another replica may hold the lease.
func (r *Replica) renew(ctx context.Context, lost context.CancelCauseFunc, tenant, pool string) {
	tick := time.NewTicker(lease / 4)
	defer tick.Stop()
	for renewed := time.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		asked := time.Now()
		within, cancel := context.WithTimeout(ctx, lease/4)
		held, err := r.hold(within, tenant, pool, lease)
		cancel()
		switch {
		case err == nil && !held, time.Since(renewed) > lease:
			lost(errLost)
			return
		case err == nil:
			renewed = asked
		}
	}
}

// hold extends the lease of a pool and reports whether this replica holds it.
func (r *Replica) hold(ctx context.Context, tenant, pool string, long time.Duration) (bool, error) {
	tag, err := r.Store.DB.Exec(ctx, `UPDATE lease SET until = now() + $5
		WHERE tenant = $1 AND pool = $2 AND version = $3 AND holder = $4`, tenant, pool, version, r.Name, long)
	return tag.RowsAffected() > 0, err
}

type content struct {
	pool     string
	revision int64
	roles    []string
	entries  []catalog.Entry // skills without their texts
	of       map[string]text // texts by skill ID
	texts    *os.File
}

type text struct {
	at   int64 // offset in the file of texts
	size int
	risk float64
}

// content reads the offered skills of a pool. Their texts go to a file, because they may not fit in memory.
func (r *Replica) content(ctx context.Context, tenant, pool string, texts *os.File) (*content, error) {
	c := &content{pool: pool, of: map[string]text{}, texts: texts}
	oneMoment := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, r.Store.DB, oneMoment, func(tx pgx.Tx) error {
		row := tx.QueryRow(ctx, `SELECT revision, roles FROM pool WHERE tenant = $1 AND name = $2`, tenant, pool)
		err := row.Scan(&c.revision, &c.roles)
		if err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `SELECT name, hash, risk, text FROM offered
			WHERE tenant = $1 AND pool = $2 ORDER BY name`, tenant, pool)
		if err != nil {
			return err
		}
		var name, hash string
		var said pgtype.DriverBytes // valid until the next row
		one := text{}
		out := bufio.NewWriterSize(texts, 1<<20)
		_, err = pgx.ForEachRow(rows, []any{&name, &hash, &one.risk, &said}, func() error {
			e := entry(pool, name, hash, kind(c.roles), nil)
			one.size = len(said)
			c.entries, c.of[e.ID] = append(c.entries, e), one
			one.at += int64(len(said))
			_, err := out.Write(said)
			return err
		})
		return errors.Join(err, out.Flush())
	})
	return c, err
}

func (c *content) load(e *catalog.Entry) (catalog.Entry, error) {
	t := c.of[e.ID]
	said := make([]byte, t.size)
	if _, err := c.texts.ReadAt(said, t.at); err != nil {
		return catalog.Entry{}, err
	}
	return entry(c.pool, e.Name, e.Hash, e.Source, said), nil
}

// entry returns the index entry of a skill. Its path names the pool instead of a file.
func entry(pool, name, hash string, source catalog.Source, text []byte) catalog.Entry {
	folder := pool + "/" + name
	root := catalog.Root{Pool: catalog.Skill, Source: catalog.Library}
	e := catalog.Parse(root, catalog.File{Folder: folder, Size: int64(len(text))}, text)
	e.ID, e.Name, e.Hash, e.Source, e.Path = folder, name, hash, source, folder+"/"+skillFile
	return e
}

// previous writes the newest generation of a pool to dir, so that the build reuses it. Without a usable generation it
// writes nothing.
func (r *Replica) previous(ctx context.Context, tenant, pool, dir string) error {
	var revision *int64
	err := r.Store.DB.QueryRow(ctx, `SELECT max(revision) FROM generation
		WHERE tenant = $1 AND pool = $2 AND version = $3`, tenant, pool, version).Scan(&revision)
	if err != nil || revision == nil {
		return err
	}
	gen := filepath.Join(dir, "gen-1")
	if err := os.MkdirAll(gen, 0o700); err != nil {
		return err
	}
	rows, err := r.Store.DB.Query(ctx, `SELECT name, content FROM blob
		WHERE tenant = $1 AND pool = $2 AND version = $3 AND revision = $4 ORDER BY name, part`,
		tenant, pool, version, *revision)
	if err != nil {
		return err
	}
	err = writeBlobs(gen, rows)
	if err == nil {
		err = checkSums(gen)
	}
	if errors.Is(err, errGone) || damaged(err) {
		return nil // the build indexes everything
	}
	if err != nil {
		return err
	}
	return disk.Keep(filepath.Join(dir, "CURRENT"), disk.Index, []byte("gen-1\n"), disk.Options{})
}

// publish stores the files of a generation and releases the lease in one transaction. It fails with errLost if another
// replica took over the lease.
func (r *Replica) publish(ctx context.Context, tenant, pool string, revision int64, skills int, gen string) error {
	if err := writeSums(gen); err != nil {
		return err
	}
	files, err := os.ReadDir(gen)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, r.Store.DB, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `DELETE FROM lease WHERE tenant = $1 AND pool = $2 AND version = $3 AND holder = $4`,
			tenant, pool, version, r.Name)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return errLost
		}
		for _, f := range files {
			if err := store(ctx, tx, filepath.Join(gen, f.Name()), func(part int, content []byte) []any {
				return []any{tenant, pool, version, revision, f.Name(), part, content}
			}); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, `INSERT INTO generation VALUES ($1, $2, $3, $4, $5)`, tenant, pool, version, revision, skills)
		if err != nil {
			return err
		}
		for _, table := range []string{"blob", "generation"} {
			_, err := tx.Exec(ctx, `DELETE FROM `+table+` WHERE tenant = $1 AND pool = $2 AND version = $3
				AND revision NOT IN (SELECT revision FROM generation
					WHERE tenant = $1 AND pool = $2 AND version = $3 ORDER BY revision DESC LIMIT $4)`,
				tenant, pool, version, keep)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func store(ctx context.Context, tx pgx.Tx, path string, row func(part int, content []byte) []any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	content := make([]byte, chunk)
	for part := 0; ; part++ {
		n, err := io.ReadFull(f, content)
		if err == io.EOF && part > 0 { // an empty file has one part
			return nil
		}
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO blob VALUES ($1, $2, $3, $4, $5, $6, $7)`, row(part, content[:n])...)
		if err != nil {
			return err
		}
	}
}
