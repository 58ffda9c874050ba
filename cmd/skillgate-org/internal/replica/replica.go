// Package replica serves the pools of a registry (package truth) with skillgate's own ranking.
//
// Each change of a pool requires a new index generation. One replica builds it under a lease in the database and
// stores its files there. Every replica fetches it to its cache, maps it, and joins the generations that a request
// may see:
//
//	CACHE/registry/VERSION/ID/TENANT/POOL/gen-N/   generation of the pool's revision N, with SHA256SUMS
//	CACHE/registry/skills/HASH/                    files of a skill, by their content hash
//
// A replica's data about a tenant is at most Poll old while the database answers. Skills withdrawn since
// the newest generation are hidden. Skill files are returned only if they are offered at that moment.
package replica

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/singleflight"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
)

// Replica is one of the processes that serve a registry. Its methods may be called concurrently.
type Replica struct {
	Store *truth.Store
	Cache string        // folder, used by one replica at a time
	Poll  time.Duration // maximum age of the data about a tenant while the database answers

	// Patience limits the time that a request waits for the database before it is answered from memory. For the same time
	// after a failure the database is not asked again.
	Patience time.Duration

	Log  *slog.Logger
	Name string // unique among the replicas

	mu       sync.Mutex
	tenants  map[string]*tenant
	whole    map[string]string  // identity of the generation with verified checksums, by pool folder
	fetching singleflight.Group // running fetches by generation folder
	open     opened
	memory   *rank.Memory // postings that lookups have read
}

// maxRemembered limits the size of the remembered postings, in bytes.
const maxRemembered = 96 << 20

// MaxStale limits the time for which a replica serves its last known state while the database is unreachable.
const MaxStale = 5 * time.Minute

// version identifies the index format. Replicas with another format build their own generations.
var version = fmt.Sprintf("%d-%s", index.Format, index.AnalyzerVersion)

type tenant struct {
	mu      sync.Mutex // one request asks the database while others wait
	asked   time.Time  // when pools and maxRisk were read
	failed  time.Time  // when the database last failed to answer
	maxRisk float64
	pools   []pool
}

type pool struct {
	Name       string
	Roles      []string
	Generation *int64   // nil if none was built yet
	Sums       *string  // MD5 of SHA256SUMS in the database, nil if that file is lost
	Gone       []string // skills of the generation that are no longer offered
	behind     bool     // the pool has changed since the generation was built
}

// identity identifies the pool's generation. Its number alone does not, because a database restored from a backup
// assigns numbers again.
func (p pool) identity() string {
	id := strconv.FormatInt(*p.Generation, 10)
	if p.Sums != nil {
		id += " " + *p.Sums
	}
	return id
}

// ErrUnreachable says that the database has not answered for longer than MaxStale.
var ErrUnreachable = errors.New("the registry cannot reach its database; try again later")

func (r *Replica) tenant(ctx context.Context, name string) ([]pool, float64, error) {
	r.mu.Lock()
	if r.tenants == nil {
		r.tenants = map[string]*tenant{}
	}
	t := r.tenants[name]
	if t == nil {
		t = &tenant{}
		r.tenants[name] = t
	}
	r.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	if time.Since(t.asked) < r.Poll {
		return t.pools, t.maxRisk, nil
	}
	asked := time.Now()
	pools, maxRisk, err := []pool(nil), 0.0, ErrUnreachable
	if asked.Sub(t.failed) > r.Patience {
		within, cancel := context.WithTimeout(ctx, r.Patience)
		pools, maxRisk, err = r.ask(within, name)
		cancel()
	}
	switch {
	case err == nil:
		t.pools, t.maxRisk, t.asked = pools, maxRisk, asked
	case errors.Is(err, truth.ErrNotFound) || ctx.Err() != nil:
		return nil, 0, err
	case !errors.Is(err, ErrUnreachable):
		t.failed = time.Now()
		r.Log.Warn("database unreachable; serving the last known pools", "tenant", name, "error", err)
	}
	if time.Since(t.asked) > MaxStale {
		return nil, 0, ErrUnreachable
	}
	return t.pools, t.maxRisk, nil
}

func (r *Replica) ask(ctx context.Context, tenant string) ([]pool, float64, error) {
	limits, err := r.Store.Limits(ctx, tenant)
	if err != nil {
		return nil, 0, err
	}
	// Conditions use $1 instead of a joined tenant column, so that PostgreSQL reads one partition of each table.
	rows, err := r.Store.DB.Query(ctx, `
		SELECT p.name, p.roles, p.revision, g.revision, md5(b.content) FROM pool p
		CROSS JOIN LATERAL (SELECT max(g.revision) AS revision FROM generation g
			WHERE g.tenant = $1 AND g.pool = p.name AND g.version = $2) g
		LEFT JOIN blob b ON b.tenant = $1 AND b.pool = p.name AND b.version = $2 AND b.revision = g.revision
			AND b.name = $3 AND b.part = 0
		WHERE p.tenant = $1 ORDER BY p.name`, tenant, version, sums)
	if err != nil {
		return nil, 0, err
	}
	var revision int64
	pools, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (p pool, err error) {
		err = row.Scan(&p.Name, &p.Roles, &revision, &p.Generation, &p.Sums)
		p.behind = p.Generation != nil && *p.Generation != revision
		return p, err
	})
	if err == nil {
		err = r.gone(ctx, tenant, pools)
	}
	return pools, limits.MaxRisk, err
}

// gone sets Gone in each pool that has changed since its generation was built.
func (r *Replica) gone(ctx context.Context, tenant string, pools []pool) error {
	var behind []*pool
	var names []string
	var generations []int64
	for i := range pools {
		if p := &pools[i]; p.behind {
			behind, names, generations = append(behind, p), append(names, p.Name), append(generations, *p.Generation)
		}
	}
	if len(behind) == 0 {
		return nil
	}
	// OFFSET 0 makes PostgreSQL read each pool by its key instead of joining all skills of the tenant.
	rows, err := r.Store.DB.Query(ctx, `
		SELECT b.n, k.name FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY b (pool, generation, n) CROSS JOIN LATERAL (
			SELECT k.name FROM skill k WHERE k.tenant = $1 AND k.pool = b.pool AND k.changed > b.generation AND NOT EXISTS
				(SELECT FROM offered o WHERE o.tenant = $1 AND o.pool = b.pool AND o.name = k.name)
			OFFSET 0) k ORDER BY b.n, k.name`, tenant, names, generations)
	if err != nil {
		return err
	}
	var n int
	var name string
	_, err = pgx.ForEachRow(rows, []any{&n, &name}, func() error {
		p := behind[n-1]
		p.Gone = append(p.Gone, name)
		return nil
	})
	return err
}

// kind returns the source for the skills of a pool with the given roles. If several skills have the same name, personal
// pools come before the pools of teams, and those before pools for everybody.
func kind(roles []string) catalog.Source {
	switch {
	case len(roles) == 0:
		return catalog.Agents
	case slices.ContainsFunc(roles, func(r string) bool { return strings.HasPrefix(r, "user:") }):
		return catalog.Personal
	}
	return catalog.Project
}

// seen returns the pools that the user may see, sorted by number of roles. If two pools of one kind have a skill of the
// same name, the first pool's skill is loaded.
func seen(pools []pool, who truth.Identity) []pool {
	out := slices.DeleteFunc(slices.Clone(pools), func(p pool) bool { return !who.Sees(p.Roles) })
	slices.SortStableFunc(out, func(a, b pool) int { return cmp.Compare(len(a.Roles), len(b.Roles)) })
	return out
}

// Open returns a gate over the pools that the user may see, which the caller must close. It returns ErrNoIndex if none
// of the pools has been built yet.
func (r *Replica) Open(ctx context.Context, who truth.Identity) (*gate.Gate, error) {
	pools, maxRisk, err := r.tenant(ctx, who.Tenant)
	if err != nil {
		return nil, err
	}
	var indexes []*index.Index
	var labels []string
	var collection strings.Builder // identifies the set of documents
	failed := func(err error) (*gate.Gate, error) {
		for _, x := range indexes {
			x.Close()
		}
		return nil, err
	}
	for _, p := range seen(pools, who) {
		if p.Generation == nil {
			continue
		}
		x, err := r.generation(ctx, who.Tenant, p)
		if err != nil {
			return failed(fmt.Errorf("pool %s: %w", p.Name, err))
		}
		indexes, labels = append(indexes, x), append(labels, p.Name)
		fmt.Fprintf(&collection, "%q %q %s %q\n", who.Tenant, p.Name, p.identity(), p.Gone)
	}
	if len(indexes) == 0 {
		return failed(fmt.Errorf("none of your pools has been indexed yet: %w", index.ErrNoIndex))
	}
	s := gate.Default()
	s.Trust.MaxRisk = maxRisk
	g := gate.OpenIndexes(s, labels, indexes...)
	g.Ranker().Share(r.remembered(), collection.String())
	return g, nil
}

func (r *Replica) remembered() *rank.Memory {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.memory == nil {
		r.memory = rank.NewMemory(rank.DefaultWeights(), maxRemembered)
	}
	return r.memory
}

// generation opens the generation of p, unless it is open, and returns a handle on it. It fetches a generation that is
// missing, unreadable or differs from its checksums, which each process verifies once.
func (r *Replica) generation(ctx context.Context, tenant string, p pool) (*index.Index, error) {
	dir := r.folder(tenant, p.Name)
	if x, err := r.open.get(dir, p); x != nil || err != nil {
		return x, err
	}
	var x *index.Index
	err := errUnchecked
	if r.isWhole(dir, p) {
		x, err = index.OpenGeneration(dir, int(*p.Generation))
	}
	if damaged(err) {
		fetched := r.fetching.DoChan(generationFolder(dir, *p.Generation), func() (any, error) {
			// The first request may end while others still wait for the result.
			within, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
			defer cancel()
			return nil, r.fetchIntact(within, tenant, p, dir)
		})
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case b := <-fetched:
			err = b.Err
		}
		if err == nil {
			x, err = index.OpenGeneration(dir, int(*p.Generation))
		}
	}
	if err != nil {
		return nil, err
	}
	gone := make([]string, len(p.Gone))
	for i, name := range p.Gone {
		gone[i] = p.Name + "/" + name
	}
	if err := x.Hide(gone...); err != nil {
		x.Close()
		return nil, err
	}
	return r.open.put(dir, p, x)
}

var errUnchecked = errors.New("the checksums have not been verified yet")

func (r *Replica) isWhole(dir string, p pool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.whole[dir] == p.identity()
}

// damaged reports whether err means that files of a generation are missing or have the wrong content. After any other
// error, such as a system limit, the files may be good.
func damaged(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || err != nil && !errors.As(err, new(syscall.Errno))
}

// fetchIntact fetches a generation to dir unless dir already contains an intact copy. If the database has no usable
// copy, the generation is built again.
func (r *Replica) fetchIntact(ctx context.Context, tenant string, p pool, dir string) error {
	gen := generationFolder(dir, *p.Generation)
	err := openable(dir, *p.Generation)
	if err == nil {
		err = p.checkIdentity(gen)
	}
	if damaged(err) {
		if !errors.Is(err, fs.ErrNotExist) {
			r.Log.Warn("index generation unusable; fetching it again", "folder", gen, "error", err)
		}
		if err = remove(dir, *p.Generation); err != nil {
			return err
		}
		if err = r.fetch(ctx, tenant, p.Name, *p.Generation, dir); errors.Is(err, errGone) {
			err = errors.Join(err, r.rebuild(ctx, tenant, p, err))
		}
	}
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.whole == nil {
		r.whole = map[string]string{}
	}
	r.whole[dir] = p.identity()
	return nil
}

func openable(dir string, generation int64) error {
	if err := checkSums(generationFolder(dir, generation)); err != nil {
		return err
	}
	x, err := index.OpenGeneration(dir, int(generation))
	if err != nil {
		return err
	}
	x.Close()
	return nil
}

func remove(dir string, generation int64) error {
	pool, err := disk.Open(dir, disk.Pool)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer pool.Close()
	return pool.RemoveFolder(filepath.Base(generationFolder(dir, generation)))
}

func generationFolder(dir string, generation int64) string {
	return filepath.Join(dir, "gen-"+strconv.FormatInt(generation, 10))
}

func (r *Replica) folder(tenant, pool string) string {
	return filepath.Join(r.Cache, "registry", version, r.Store.ID, tenant, pool)
}

// keep is the number of generations kept of each pool. A replica may still be opening the second newest.
const keep = 2

func (r *Replica) fetch(ctx context.Context, tenant, pool string, generation int64, dir string) error {
	if err := disk.Ensure(dir, disk.Pool); err != nil {
		return err
	}
	tmp, err := disk.NewTemp(dir, "fetch-")
	if err != nil {
		return err
	}
	defer tmp.Remove()
	gen := generationFolder(tmp.Path, generation)
	if err := os.Mkdir(gen, 0o700); err != nil {
		return err
	}
	rows, err := r.Store.DB.Query(ctx, `SELECT name, content FROM blob
		WHERE tenant = $1 AND pool = $2 AND version = $3 AND revision = $4 AND name <> 'states' ORDER BY name, part`,
		tenant, pool, version, generation)
	if err != nil {
		return err
	}
	if err := writeBlobs(gen, rows); err != nil {
		return err
	}
	err = openable(tmp.Path, generation)
	if damaged(err) {
		err = fmt.Errorf("%w: %w", errGone, err)
	}
	if err != nil {
		return err
	}
	err = tmp.Give(filepath.Base(gen), generationFolder(dir, generation))
	if errors.Is(err, os.ErrExist) { // another process was faster
		return nil
	}
	entries, _ := os.ReadDir(dir)
	var old []int64
	for _, e := range entries {
		if n, err := strconv.ParseInt(strings.TrimPrefix(e.Name(), "gen-"), 10, 64); err == nil && n < generation {
			old = append(old, n)
		}
	}
	slices.Sort(old)
	for _, n := range old[:max(0, len(old)-keep+1)] {
		_ = remove(dir, n) // failures are retried by the next fetch
	}
	return err
}

// errGone says that the database has no usable files of a generation.
var errGone = fmt.Errorf("the index generation is unusable and will be rebuilt: %w", index.ErrNoIndex)

// rebuild deletes an unusable generation from the database, so that it is built again.
func (r *Replica) rebuild(ctx context.Context, tenant string, p pool, why error) error {
	r.Log.Warn("index generation unusable; deleting it so that it is rebuilt",
		"tenant", tenant, "pool", p.Name, "generation", *p.Generation, "error", why)
	return pgx.BeginFunc(ctx, r.Store.DB, func(tx pgx.Tx) error {
		for _, table := range []string{"blob", "generation"} {
			_, err := tx.Exec(ctx, `DELETE FROM `+table+`
				WHERE tenant = $1 AND pool = $2 AND version = $3 AND revision = $4`, tenant, p.Name, version, *p.Generation)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// writeBlobs writes rows of file names and contents to a folder. Consecutive rows of the same name are parts of one
// file.
func writeBlobs(dir string, rows pgx.Rows) error {
	var name string
	var content []byte
	n := 0
	_, err := pgx.ForEachRow(rows, []any{&name, &content}, func() error {
		n++
		if filepath.Base(name) != name || !filepath.IsLocal(name) || strings.Contains(name, "\x00") {
			return fmt.Errorf("%w: invalid file name %.100q", errGone, name)
		}
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return err
		}
		_, err = f.Write(content)
		return errors.Join(err, f.Close())
	})
	if err == nil && n == 0 {
		err = errGone
	}
	return err
}

// File writes the offered files of a document to the cache and returns the path of its SKILL.md.
func (r *Replica) File(ctx context.Context, who truth.Identity, d index.Doc) (string, truth.Offered, error) {
	pool, name, _ := strings.Cut(d.ID, "/")
	o, err := r.Store.Offer(ctx, who.Tenant, pool, name)
	if err != nil {
		return "", o, err
	}
	dir := filepath.Join(r.Cache, "registry", "skills", o.Hash)
	if _, err := os.Stat(dir); err == nil {
		return filepath.Join(dir, skillFile), o, nil
	}
	if err := disk.Ensure(filepath.Dir(dir), disk.Offered); err != nil {
		return "", o, err
	}
	tmp, err := disk.NewTemp(filepath.Dir(dir), "tmp-")
	if err != nil {
		return "", o, err
	}
	defer tmp.Remove()
	root, err := os.OpenRoot(tmp.Path) // keeps paths from the database inside the folder
	if err != nil {
		return "", o, err
	}
	defer root.Close()
	for _, f := range append(o.Files, truth.File{Path: skillFile, Content: o.Text}) {
		path := filepath.FromSlash(f.Path)
		if err := root.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return "", o, err
		}
		if err := disk.Write(filepath.Join(tmp.Path, path), f.Content, disk.Options{Root: tmp.Path}); err != nil {
			return "", o, err
		}
	}
	if err := tmp.Give(".", dir); err != nil && !errors.Is(err, os.ErrExist) {
		return "", o, err
	}
	return filepath.Join(dir, skillFile), o, nil
}

// Library returns at most limit skills that the user can load, sorted by name. Their names sort after the given one.
// If several pools have a skill of the same name, Library returns the one that is loaded.
func (r *Replica) Library(ctx context.Context, who truth.Identity, after string, limit int) ([]truth.Offered, error) {
	pools, _, err := r.tenant(ctx, who.Tenant)
	if err != nil {
		return nil, err
	}
	strength := []catalog.Source{catalog.Personal, catalog.Project, catalog.Agents}
	ordered := seen(pools, who)
	slices.SortStableFunc(ordered, func(a, b pool) int {
		return cmp.Compare(slices.Index(strength, kind(a.Roles)), slices.Index(strength, kind(b.Roles)))
	})
	names := make([]string, len(ordered))
	for i, p := range ordered {
		names[i] = p.Name
	}
	return r.Store.Offers(ctx, who.Tenant, names, after, limit)
}

// Offer returns the offered revision of a skill with its files. It returns ErrNotFound if there is none or the user may
// not see it.
func (r *Replica) Offer(ctx context.Context, who truth.Identity, pool, name string) (truth.Offered, error) {
	roles, err := r.Store.Roles(ctx, who.Tenant, pool)
	if err == nil && !who.Sees(roles) {
		err = truth.ErrNotFound
	}
	if err != nil {
		return truth.Offered{}, err
	}
	return r.Store.Offer(ctx, who.Tenant, pool, name)
}

const skillFile = "SKILL.md"
