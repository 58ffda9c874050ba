package replica

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/postgrestest"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/triage"
)

func open(t *testing.T, address, name string) *Replica {
	t.Helper()
	s, err := truth.Open(t.Context(), address)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return &Replica{Store: s, Cache: t.TempDir(), Patience: time.Minute, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Name: name}
}

func skill(name, description, body string) truth.Skill {
	return truth.Skill{Name: name, Source: "test", Text: []byte("---\nname: " + name + "\ndescription: " + description + "\n---\n" + body + "\n")}
}

func list(skills ...truth.Skill) iter.Seq2[truth.Skill, error] {
	return func(yield func(truth.Skill, error) bool) {
		for _, k := range skills {
			if !yield(k, nil) {
				return
			}
		}
	}
}

func bring(t *testing.T, r *Replica, tenant, pool string, skills ...truth.Skill) truth.Imported {
	t.Helper()
	return bringFor(t, r, tenant, pool, nil, skills...)
}

func bringFor(t *testing.T, r *Replica, tenant, pool string, roles []string, skills ...truth.Skill) truth.Imported {
	t.Helper()
	sum, err := r.Store.Import(t.Context(), "ann", tenant, pool, roles, list(skills...))
	require.NoError(t, err)
	return sum
}

func build(t *testing.T, r *Replica) {
	t.Helper()
	_, err := r.BuildAll(t.Context())
	require.NoError(t, err)
}

func names(t *testing.T, r *Replica, who truth.Identity, prompt string) []string {
	t.Helper()
	g, err := r.Open(t.Context(), who)
	if errors.Is(err, index.ErrNoIndex) {
		return nil
	}
	require.NoError(t, err)
	defer g.Close()
	var out []string
	for _, c := range decide(t, g, prompt).Candidates {
		out = append(out, c.ID)
	}
	return out
}

func decide(t *testing.T, g *gate.Gate, prompt string) gate.Decision {
	t.Helper()
	return g.Decide(t.Context(), gate.Request{Prompt: triage.Classify(prompt), K: 20})
}

// library returns real skills, whose ids are their folder names.
func library(t *testing.T) ([]catalog.Entry, []truth.Skill) {
	t.Helper()
	root := catalog.LibraryRoot("../../../../testdata/skills-e2e")
	files, problems := catalog.Files(t.Context(), []catalog.Root{root}, nil)
	require.NoError(t, errors.Join(problems...))
	var entries []catalog.Entry
	var skills []truth.Skill
	for _, f := range files {
		e, err := catalog.Read(root, f)
		require.NoError(t, err)
		text, err := os.ReadFile(f.Path)
		require.NoError(t, err)
		entries = append(entries, e)
		skills = append(skills, truth.Skill{Name: e.Name, Source: "library", Text: text})
	}
	require.GreaterOrEqual(t, len(skills), 50)
	return entries, skills
}

var prompts = []string{
	"Review this pull request for security problems", "clean up this CSV file", "fill in this PDF form", "write unit tests for the parser",
	"이 PR 보안 문제 검토해줘", "엑셀 시트 합계 내줘", "deploy to kubernetes", "what time is it", "translate the README to Korean", "draw a chart of last month's sales",
}

// The registry ranks exactly like the hook: a pool like one index, a base with an overlay like two.
func TestRanksAsTheHook(t *testing.T) {
	r := open(t, postgrestest.New(t).Address(), "a")
	entries, skills := library(t)
	half := len(skills) / 2
	bring(t, r, "acme", "base", skills...)
	bring(t, r, "split", "base", skills[:half]...)
	bringFor(t, r, "split", "team", []string{"team"}, skills[half:]...)
	build(t, r)
	local := func(parts ...[]catalog.Entry) *gate.Gate {
		var indexes []*index.Index
		for i, p := range parts {
			dir := filepath.Join(t.TempDir(), fmt.Sprint(i))
			_, err := index.Build(t.Context(), index.Options{Dir: dir, Entries: p, Background: gate.Background, Now: time.Now})
			require.NoError(t, err)
			x, err := index.Open(dir)
			require.NoError(t, err)
			indexes = append(indexes, x)
		}
		return gate.OpenIndexes(gate.Default(), make([]string, len(indexes)), indexes...)
	}
	ranked := func(d gate.Decision) string {
		var out strings.Builder
		fmt.Fprintf(&out, "%s %s %.6f", d.Verdict, d.Reason, d.Need)
		for _, c := range d.Candidates {
			fmt.Fprintf(&out, " %s:%.6f:%v", c.Name, c.Score, c.Injected)
		}
		return out.String()
	}
	for _, tt := range []struct {
		name string
		who  truth.Identity
		hook *gate.Gate
	}{
		{"one pool", truth.Identity{Tenant: "acme", Subject: "bob"}, local(entries)},
		{"a base and an overlay", truth.Identity{Tenant: "split", Subject: "bob", Roles: []string{"team"}}, local(entries[:half], entries[half:])},
		{"the base alone", truth.Identity{Tenant: "split", Subject: "bob"}, local(entries[:half])},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defer tt.hook.Close()
			g, err := r.Open(t.Context(), tt.who)
			require.NoError(t, err)
			defer g.Close()
			for _, prompt := range prompts {
				got, want := ranked(decide(t, g, prompt)), ranked(decide(t, tt.hook, prompt))
				assert.Equal(t, want, got, prompt)
			}
		})
	}
}

// A changed byte in a generation is noticed before use. A damaged copy in the cache is fetched again; one in the database
// is built again and never built upon.
func TestTurnedBytes(t *testing.T) {
	db := postgrestest.New(t)
	for i, file := range []string{"base.lists", "base.docs", "manifest.json", sums} {
		t.Run(file, func(t *testing.T) {
			tenant := fmt.Sprint("acme", i)
			who, want := truth.Identity{Tenant: tenant, Subject: "bob"}, []string{"base/kites"}
			kites := skill("kites", "Flies kites.", "Runs with them.")
			first := open(t, db.Address(), "first")
			bring(t, first, tenant, "base", kites)
			build(t, first)
			require.Equal(t, want, names(t, first, who, "fly my kites"))
			here := filepath.Join(generationFolder(first.folder(tenant, "base"), 1), file)
			good, err := os.ReadFile(here)
			require.NoError(t, err)
			turned := slices.Clone(good)
			turned[len(turned)/4] ^= 1
			turn := func() {
				_, err := first.Store.DB.Exec(t.Context(), `UPDATE blob SET content = $1 WHERE tenant = $2 AND name = $3`,
					turned, tenant, file)
				require.NoError(t, err)
			}

			require.NoError(t, os.WriteFile(here, turned, 0o600))
			var log bytes.Buffer
			again := open(t, db.Address(), "again")
			again.Cache, again.Log = first.Cache, slog.New(slog.NewTextHandler(&log, nil))
			assert.Equal(t, want, names(t, again, who, "fly my kites"))
			if is, err := os.ReadFile(here); !bytes.Equal(is, good) || !strings.Contains(log.String(), "fetching it again") {
				t.Errorf("turned here: it was not fetched again, %v, or the log does not say it: %s", err, &log)
			}

			turn()
			empty := open(t, db.Address(), "empty")
			if g, err := empty.Open(t.Context(), who); err == nil {
				g.Close()
				t.Error("turned in the database: it is opened")
			} else if !strings.Contains(err.Error(), sums) && !strings.Contains(err.Error(), "checksum") {
				t.Errorf("turned in the database: the error does not say why: %v", err)
			}
			build(t, empty)
			assert.Equal(t, want, names(t, empty, who, "fly my kites"))

			_, err = first.Store.DB.Exec(t.Context(), `DELETE FROM blob WHERE tenant = $1`, tenant)
			require.NoError(t, err)
			lost := open(t, db.Address(), "lost")
			_, err = lost.Open(t.Context(), who)
			require.ErrorIs(t, err, index.ErrNoIndex)
			build(t, lost)
			assert.Equal(t, want, names(t, lost, who, "fly my kites"))

			turn()
			bring(t, empty, tenant, "base", kites, skill("boats", "Folds boats.", ""))
			build(t, empty)
			got := names(t, empty, who, "fold boats and fly kites")
			if slices.Sort(got); !slices.Equal(got, []string{"base/boats", "base/kites"}) {
				t.Errorf("built behind a damaged one: offered %q", got)
			}
		})
	}
}

func stored(t *testing.T, r *Replica) (generations, files int) {
	t.Helper()
	require.NoError(t, r.Store.DB.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM generation), (SELECT count(*) FROM blob)`).
		Scan(&generations, &files))
	return generations, files
}

func TestLocalErrorsAreLocal(t *testing.T) {
	r := open(t, postgrestest.New(t).Address(), "a")
	bring(t, r, "acme", "base", skill("kites", "Flies kites.", ""))
	build(t, r)
	generations, files := stored(t, r)
	unreadable := func() { // even for root
		gen := generationFolder(r.folder("acme", "base"), 1)
		require.NoError(t, os.MkdirAll(gen, 0o700))
		for _, name := range []string{sums, "manifest.json"} {
			require.NoError(t, os.Symlink(name, filepath.Join(gen, name)))
		}
	}
	refuses := func(when string, err error) {
		t.Helper()
		assert.ErrorIs(t, err, syscall.ELOOP)
		if g, f := stored(t, r); g != generations || f != files {
			t.Errorf("%s: the database has %d generations of %d files, want %d of %d", when, g, f, generations, files)
		}
	}
	bob := truth.Identity{Tenant: "acme", Subject: "bob"}
	r.Poll = time.Hour
	_, _, err := r.tenant(t.Context(), "acme") // the query reads table blob, too
	require.NoError(t, err)
	tx, err := r.Store.DB.Begin(t.Context())
	require.NoError(t, err)
	defer tx.Rollback(context.Background())
	_, err = tx.Exec(t.Context(), `LOCK TABLE blob`)
	require.NoError(t, err)
	opened := make(chan error)
	go func() {
		_, err := r.Open(t.Context(), bob)
		opened <- err
	}()
	waiting, end := 0, time.Now().Add(30*time.Second)
	for waiting == 0 && time.Now().Before(end) {
		require.NoError(t, tx.QueryRow(t.Context(), `SELECT count(*) FROM pg_locks WHERE NOT granted`).Scan(&waiting))
	}
	unreadable()
	require.NoError(t, tx.Rollback(t.Context()))
	refuses("while it is fetched", <-opened)
	_, err = r.Open(t.Context(), bob)
	refuses("before it is fetched", err)
	require.NoError(t, os.RemoveAll(r.folder("acme", "base")))
	assert.Equal(t, []string{"base/kites"}, names(t, r, bob, "fly my kites"))
}

// Many concurrent first requests all open a generation, and a late one does not fetch it again.
func TestManyOpenAtOnce(t *testing.T) {
	r := open(t, postgrestest.New(t).Address(), "a")
	bring(t, r, "acme", "base", skill("kites", "Flies kites.", ""))
	build(t, r)
	generations, files := stored(t, r)
	bob := truth.Identity{Tenant: "acme", Subject: "bob"}
	for range 3 {
		r.open, r.Cache = opened{}, t.TempDir()
		var all sync.WaitGroup
		for range 64 {
			all.Go(func() {
				g, err := r.Open(t.Context(), bob)
				if err != nil {
					t.Errorf("Open = %v", err)
					return
				}
				g.Close()
			})
		}
		all.Wait()
		pools, _, err := r.tenant(t.Context(), "acme")
		require.NoError(t, err)
		dir := r.folder("acme", "base")
		fetched, err := os.Stat(generationFolder(dir, *pools[0].Generation))
		require.NoError(t, errors.Join(err, r.fetchIntact(t.Context(), "acme", pools[0], dir)))
		if now, err := os.Stat(generationFolder(dir, *pools[0].Generation)); err != nil || !os.SameFile(now, fetched) {
			t.Errorf("a late request fetches once more: %v", err)
		}
	}
	if g, f := stored(t, r); g != generations || f != files {
		t.Errorf("the database has %d generations of %d files, want %d of %d", g, f, generations, files)
	}
}

func TestWhatIsOffered(t *testing.T) {
	ctx := t.Context()
	r := open(t, postgrestest.New(t).Address(), "a")
	ann, bob := truth.Identity{Tenant: "acme", Subject: "ann"}, truth.Identity{Tenant: "acme", Subject: "bob", Roles: []string{"payments"}}
	require.NoError(t, r.Store.SetTenant(ctx, "root", "acme", truth.Limits{MaxRisk: 0.5}))
	bring(t, r, "other", "base")
	risky := skill("wombat-risk", "Feeds lions with meat at night.", "x")
	risky.Risk = func() float64 { return 0.9 }
	sum := bring(t, r, "acme", "base", skill("wombat-count", "Counts wombats in the garden.", "Count them."), risky)
	assert.Equal(t, truth.Imported{Revisions: 2}, sum)
	bringFor(t, r, "acme", "payments", []string{"payments"}, skill("wombat-pay", "Settles invoices of keepers.", "Pay."))
	bringFor(t, r, "acme", "anns", []string{"user:ann"}, skill("wombat-count", "Counts wombats in my own garden.", "Count mine."))
	build(t, r)
	const prompt = "count the wombats in the garden, settle invoices of keepers, feed lions with meat"
	see := func(who truth.Identity, want ...string) {
		t.Helper()
		got := names(t, r, who, prompt)
		slices.Sort(got)
		assert.Equal(t, want, got)
	}
	see(ann, "anns/wombat-count")
	see(bob, "base/wombat-count", "payments/wombat-pay")
	see(truth.Identity{Tenant: "other", Subject: "ann"})
	see(truth.Identity{Tenant: "acme", Subject: "eve", Roles: []string{"user:ann"}}, "base/wombat-count") // nobody can be given another person's role

	wombats := skill("wombat-count", "Counts wombats in the garden.", "Count them.")
	assert.Equal(t, truth.Imported{Unchanged: 2}, bring(t, r, "acme", "base", wombats, risky))
	// A withdrawal needs no new generation, and withdrawn content stays away.
	require.NoError(t, r.Store.Withdraw(ctx, "rita", "acme", "base", "wombat-count", "wrong"))
	see(bob, "payments/wombat-pay")
	if _, _, err := r.File(ctx, bob, index.Doc{ID: "base/wombat-count"}); !errors.Is(err, truth.ErrNotFound) {
		t.Errorf("File of a withdrawn skill: %v", err)
	}
	build(t, r)
	see(bob, "payments/wombat-pay")
	assert.Equal(t, truth.Imported{Withdrawn: 1}, bring(t, r, "acme", "base", wombats))
	if sum := bring(t, r, "acme", "base", skill("wombat-count", "Counts wombats in the garden.",
		"Count them well.")); !reflect.DeepEqual(sum, truth.Imported{Revisions: 1, Pending: 1}) {
		t.Errorf("a new revision of what was withdrawn: %+v", sum)
	}
	build(t, r)
	see(bob, "payments/wombat-pay")
	require.NoError(t, r.Store.Approve(ctx, "rita", "acme", "base", "wombat-count", 0))
	build(t, r)
	see(bob, "base/wombat-count", "payments/wombat-pay")
	file, about, err := r.File(ctx, bob, index.Doc{ID: "base/wombat-count"})
	text, readErr := os.ReadFile(file)
	require.NoError(t, errors.Join(err, readErr))
	if !strings.Contains(string(text), "Count them well.") || about.Revision != 2 || about.Reviewer != "rita" || about.Author != "ann" || about.Source != "test" {
		t.Errorf("File = %q, %+v", text, about)
	}
	require.NoError(t, r.Store.SetTenant(ctx, "root", "acme", truth.Limits{MaxRisk: 1, Review: true}))
	build(t, r)
	see(bob, "base/wombat-count", "base/wombat-risk", "payments/wombat-pay")
	if sum := bring(t, r, "acme", "payments", skill("wombat-pay", "Settles invoices of keepers twice.", "Pay.")); sum.Pending != 1 {
		t.Errorf("with review: %+v", sum)
	}
	build(t, r)
	see(bob, "base/wombat-count", "base/wombat-risk", "payments/wombat-pay") // the previous revision
	require.NoError(t, r.Store.SetTenant(ctx, "root", "acme", truth.Limits{MaxRisk: 1, Review: true, Sources: []string{"https://git.example.com/"}}))
	see(bob) // before the next generation
	build(t, r)
	see(bob)

	events, err := r.Store.Audited(ctx, "acme", 100)
	require.NoError(t, err)
	count := map[string]int{}
	for _, e := range events {
		count[e.Action]++
	}
	if count["withdraw"] != 1 || count["approve"] != 1 || count["import"] != 5 || count["policy"] != 3 || count["pool"] != 3 {
		t.Errorf("the audit has %v", count)
	}
}

func TestImportRefuses(t *testing.T) {
	r := open(t, postgrestest.New(t).Address(), "a")
	good := skill("good", "Counts.", "x")
	for _, tt := range []struct {
		name, want string
		bad        truth.Skill
	}{
		{"a name twice", "another skill", good},
		{"a path for a name", "not a valid skill name", truth.Skill{Name: "../x"}},
		{"no name", "not a valid skill name", truth.Skill{}},
		{"its folder for a name", "not a valid skill name", truth.Skill{Name: "."}},
		{"the folder above for a name", "not a valid skill name", truth.Skill{Name: ".."}},
		{"a path of Windows for a name", "not a valid skill name", truth.Skill{Name: `a\b`}},
		{"a file elsewhere", "leads outside", truth.Skill{Name: "x", Files: []truth.File{{Path: "../../escape"}}}},
		{"a file elsewhere on Windows", "leads outside", truth.Skill{Name: "x", Files: []truth.File{{Path: `a\b`}}}},
		{"markup in a name", "not a valid skill name", truth.Skill{Name: "<system>"}},
		{"a risk out of range", "risk", truth.Skill{Name: "x", Risk: func() float64 { return 2 }}},
		{"a risk that fails", "no such rule", truth.Skill{Name: "x", Risk: func() float64 { panic(errors.New("no such rule")) }}},
	} {
		tt.bad.File = "bad/SKILL.md"
		sum, err := r.Store.Import(t.Context(), "ann", "acme", "base", nil, list(good, tt.bad, skill("after", "Counts.", tt.name)))
		if err != nil || len(sum.Refused) != 1 || sum.Refused[0].File != "bad/SKILL.md" ||
			!strings.Contains(sum.Refused[0].Err.Error(), tt.want) || sum.Revisions+sum.Unchanged != 2 {
			t.Errorf("%s: %+v, %v, want %q", tt.name, sum, err, tt.want)
		}
	}
	unread := func(yield func(truth.Skill, error) bool) {
		_ = yield(truth.Skill{}, &truth.Refusal{File: "a/SKILL.md", Err: errors.New("unreadable")}) && yield(good, nil)
	}
	sum, err := r.Store.Import(t.Context(), "ann", "acme", "base", nil, unread)
	if err != nil || len(sum.Refused) != 1 || sum.Unchanged != 1 {
		t.Errorf("a skill that cannot be read: %+v, %v", sum, err)
	}
	evil := skill("sql", "'); DROP TABLE skill; --", "x")
	evil.Source = "a\x00b'\xff"
	evil.Files = []truth.File{{Path: "escape", Content: []byte("x")}}
	bring(t, r, "acme", "base", evil)
	_, err = r.Store.DB.Exec(t.Context(), `UPDATE file SET path = '../../escape'`)
	require.NoError(t, err)
	_, _, err = r.File(t.Context(), truth.Identity{Tenant: "acme"}, index.Doc{ID: "base/sql"})
	assert.Error(t, err, "a file outside its skill's folder was written")
	if pools, err := r.Store.Pools(t.Context(), "acme"); err != nil || pools[0].Skills != 3 {
		t.Errorf("Pools = %+v, %v", pools, err)
	}
	require.NoError(t, r.Store.Audit(t.Context(),
		truth.Event{Tenant: "acme", Actor: "bo\x00b", Action: "load", Skills: []string{"a\xff"}, Detail: "\x00"}))
	for _, name := range []string{"", "..", "a/b", "A", strings.Repeat("a", 64)} {
		require.Error(t, r.Store.SetTenant(t.Context(), "root", name, truth.Limits{MaxRisk: 1}), name)
		_, err := r.Store.Import(t.Context(), "ann", "acme", name, nil, list(good))
		assert.ErrorIs(t, err, truth.ErrBadName, name)
	}
}

func TestImportIsOneStep(t *testing.T) {
	r := open(t, postgrestest.New(t).Address(), "a")
	good := skill("good", "Counts.", "x")
	bringNew := func(tenant string, roles []string, skills ...truth.Skill) error {
		_, err := r.Store.Import(t.Context(), "ann", tenant, "base", roles, list(skills...))
		return err
	}
	broken := func(tenant string, roles []string) {
		t.Helper()
		gone := errors.New("the disk is gone")
		_, err := r.Store.Import(t.Context(), "ann", tenant, "base", roles, func(yield func(truth.Skill, error) bool) {
			_ = yield(good, nil) && yield(truth.Skill{}, gone)
		})
		require.ErrorIs(t, err, gone)
	}
	broken("acme", []string{"team"})
	_, err := r.Store.Pools(t.Context(), "acme")
	assert.ErrorIs(t, err, truth.ErrNotFound)
	require.NoError(t, bringNew("acme", []string{"team"}, good))
	broken("acme", []string{})
	require.NoError(t, bringNew("acme", nil, good))
	if roles, err := r.Store.Roles(t.Context(), "acme", "base"); err != nil || !slices.Equal(roles, []string{"team"}) {
		t.Errorf("it is for %q, %v, want the role it was made for", roles, err)
	}
	require.NoError(t, bringNew("acme", []string{}, good))
	if roles, err := r.Store.Roles(t.Context(), "acme", "base"); err != nil || len(roles) != 0 {
		t.Errorf("it is for %q, %v, want everybody", roles, err)
	}
	assert.ErrorIs(t, bringNew("acme/..", nil, good), truth.ErrBadName)
}

func TestImportBesideAnother(t *testing.T) {
	r := open(t, postgrestest.New(t).Address(), "a")
	tx, err := r.Store.DB.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.Background()) }()
	_, err = tx.Exec(t.Context(), `INSERT INTO tenant (name, max_risk, review) VALUES ('acme', 0.25, true)`)
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `INSERT INTO pool (tenant, name, roles) VALUES ('acme', 'base', '{team}')`)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() {
		_, err := r.Store.Import(t.Context(), "ann", "acme", "base", nil, list(skill("good", "Counts.", "x")))
		done <- err
	}()
	for waits := false; !waits; time.Sleep(10 * time.Millisecond) {
		require.NoError(t, r.Store.DB.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)`).Scan(&waits))
	}
	require.NoError(t, errors.Join(tx.Commit(t.Context()), <-done))
	if l, err := r.Store.Limits(t.Context(), "acme"); err != nil || l.MaxRisk != 0.25 || !l.Review {
		t.Errorf("after an import beside it the tenant has %+v, %v", l, err)
	}
	if roles, err := r.Store.Roles(t.Context(), "acme", "base"); err != nil || !slices.Equal(roles, []string{"team"}) {
		t.Errorf("after an import beside it the pool is for %q, %v, want the role it was made for", roles, err)
	}
	var said []string
	require.NoError(t, r.Store.DB.QueryRow(t.Context(), `SELECT array_agg(action) FROM audit`).Scan(&said))
	assert.Equal(t, []string{"import"}, said)
}

// If the replica that holds the lease is killed, another one builds. What the first builds afterwards is not stored.
func TestLease(t *testing.T) {
	address := postgrestest.New(t).Address()
	a, b := open(t, address, "a"), open(t, address, "b")
	bring(t, a, "acme", "base", skill("wombat", "Counts wombats.", "x"))
	base := place{"acme", "base"}
	taken, err := a.claim(t.Context(), base) // the replica is killed now
	require.NoError(t, err)
	again, err := b.claim(t.Context(), base)
	if require.NoError(t, err); !taken || again {
		t.Errorf("a has the lease: %v; b has it too: %v", taken, again)
	}
	build(t, b)
	who := truth.Identity{Tenant: "acme", Subject: "bob"}
	assert.Nil(t, names(t, b, who, "count wombats"))
	_, err = b.Store.DB.Exec(t.Context(), `UPDATE lease SET until = now() - interval '1 second'`)
	require.NoError(t, err)
	build(t, b)
	assert.Equal(t, []string{"base/wombat"}, names(t, a, who, "count wombats"))
	_, err = a.build(t.Context(), "acme", "base")
	assert.ErrorIs(t, err, errLost)
}

// A database restored from a backup reuses generation numbers. A replica that has the lost generations open or cached
// serves those of the database.
func TestRestored(t *testing.T) {
	who := truth.Identity{Tenant: "acme", Subject: "bob"}
	lost, restored := open(t, postgrestest.New(t).Address(), "a"), open(t, postgrestest.New(t).Address(), "b")
	restored.Store.ID, restored.Cache = lost.Store.ID, lost.Cache
	bring(t, lost, "acme", "base", skill("wombat", "Counts wombats.", "x"))
	bring(t, restored, "acme", "base", skill("lion", "Counts lions.", "x"))
	build(t, lost)
	require.Equal(t, []string{"base/wombat"}, names(t, lost, who, "count wombats"))
	build(t, restored)
	assert.Equal(t, []string{"base/lion"}, names(t, restored, who, "count lions"))
	lost.Store = restored.Store
	assert.Equal(t, []string{"base/lion"}, names(t, lost, who, "count lions"))
}

type statements struct{ n atomic.Int32 }

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	s.n.Add(1)
	return ctx
}

func (*statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// Asking about many changed pools takes as many statements as asking about one.
func TestAskOfManyPoolsBehind(t *testing.T) {
	const pools = 3000
	ctx, a := t.Context(), open(t, postgrestest.New(t).Address(), "a")
	require.NoError(t, a.Store.SetTenant(ctx, "root", "acme", truth.Limits{MaxRisk: 1}))
	for sql, args := range map[string][]any{
		`INSERT INTO pool (tenant, name, revision) SELECT 'acme', 'p' || i, i % 2 + 1 FROM generate_series(1, $1) i`: {pools},
		`INSERT INTO generation (tenant, pool, version, revision, skills)
			SELECT 'acme', 'p' || i, $2, 1, 20 FROM generate_series(1, $1) i`: {pools, version},
		`INSERT INTO skill (tenant, pool, name, newest, withdrawn, changed) SELECT 'acme', 'p' || i, 's' || j, 1, true,
			CASE WHEN j = 20 THEN i % 2 + 1 ELSE 1 END FROM generate_series(1, $1) i, generate_series(1, 20) j`: {pools},
	} {
		_, err := a.Store.DB.Exec(ctx, sql, args...)
		require.NoError(t, err)
	}
	_, err := a.Store.DB.Exec(ctx, `ANALYZE`)
	require.NoError(t, err)
	asked := &statements{}
	config := a.Store.DB.Config()
	config.ConnConfig.Tracer = asked
	traced, err := pgxpool.NewWithConfig(ctx, config)
	require.NoError(t, err)
	a.Store.DB.Close()
	a.Store.DB = traced
	for range 10 { // PostgreSQL plans the first executions anew
		start := time.Now()
		all, _, err := a.ask(ctx, "acme")
		require.NoError(t, err)
		t.Logf("asked in %s", time.Since(start))
		for _, p := range all {
			if want := []string{"s20"}; p.behind && !slices.Equal(p.Gone, want) || !p.behind && p.Gone != nil {
				t.Fatalf("%+v, want gone %q where it is behind", p, want)
			}
		}
	}
	assert.LessOrEqual(t, asked.n.Load(), int32(10*3))
}

// All due pools are listed by one query, and each is claimed exactly once by reading only that pool.
func TestClaimReadsOnePool(t *testing.T) {
	const pools = 3000
	ctx, s := t.Context(), postgrestest.New(t)
	a := open(t, s.Address(), "a")
	require.NoError(t, a.Store.SetTenant(ctx, "root", "acme", truth.Limits{MaxRisk: 1}))
	for _, sql := range []string{
		`INSERT INTO pool (tenant, name, revision) SELECT 'acme', 'p' || i, 1 FROM generate_series(1, $1) i`,
		`INSERT INTO pool (tenant, name) SELECT 'acme', 'empty' || i FROM generate_series(1, $1) i`,
	} {
		_, err := a.Store.DB.Exec(ctx, sql, pools)
		require.NoError(t, err)
	}
	_, err := a.Store.DB.Exec(ctx, `ANALYZE`)
	require.NoError(t, err)
	a.Store.Close() // PostgreSQL publishes statistics when its backends end
	read := func() (rows int) {
		c, err := pgx.Connect(ctx, s.Address())
		require.NoError(t, err)
		defer c.Close(ctx)
		for others := 1; others > 0; {
			require.NoError(t, c.QueryRow(ctx, `SELECT count(*) FROM pg_stat_activity
				WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`).Scan(&others))
		}
		require.NoError(t, c.QueryRow(ctx, `SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))
			FROM pg_stat_user_tables WHERE relname ~ '^(pool|lease|generation)_'`).Scan(&rows))
		return rows
	}
	before := read()
	var all sync.WaitGroup
	var claimed atomic.Int64
	for i := range 4 {
		all.Go(func() {
			r := open(t, s.Address(), fmt.Sprint(i))
			defer r.Store.Close()
			due, err := r.due(ctx)
			assert.NoError(t, err)
			for _, p := range due {
				taken, err := r.claim(ctx, p)
				assert.NoError(t, err)
				if taken {
					claimed.Add(1)
				}
			}
		})
	}
	all.Wait()
	assert.Equal(t, int64(pools), claimed.Load())
	// Each of four replicas reads each pool once to list it, and again with its lease to claim it.
	assert.LessOrEqual(t, read()-before, 4*2*pools+4*3*pools)
}

func TestDatabaseKilled(t *testing.T) {
	s := postgrestest.New(t)
	r := open(t, s.Address(), "a")
	bring(t, r, "acme", "base", skill("wombat", "Counts wombats.", "x"))
	build(t, r)
	who := truth.Identity{Tenant: "acme", Subject: "bob"}
	want := []string{"base/wombat"}
	require.Equal(t, want, names(t, r, who, "count wombats"))
	s.Stop(syscall.SIGKILL)
	assert.Equal(t, want, names(t, r, who, "count wombats"))
	_, err := r.Open(t.Context(), truth.Identity{Tenant: "unknown"})
	assert.ErrorIs(t, err, ErrUnreachable)
	_, err = r.Store.Import(t.Context(), "ann", "acme", "base", nil, list(skill("lost", "Counts.", "x")))
	assert.Error(t, err, "an import into a database that is away")
	s.Start()
	bring(t, r, "acme", "base", skill("wombat", "Counts wombats.", "x"), skill("lion", "Feeds lions with wombats.", "x"))
	build(t, r)
	r.tenants["acme"].failed = time.Time{} // as if some time had passed
	assert.Len(t, names(t, r, who, "count wombats"), 2)
	r.tenants["acme"].asked, r.tenants["acme"].failed = time.Now().Add(-2*MaxStale), time.Now()
	_, err = r.Open(t.Context(), who)
	assert.ErrorIs(t, err, ErrUnreachable)
}

func TestFilesOfAReplica(t *testing.T) {
	who := truth.Identity{Tenant: "acme", Subject: "bob"}
	registry := func(name string) *Replica {
		r := open(t, postgrestest.New(t).Address(), name)
		bring(t, r, "acme", "base", skill(name, "Counts "+name+"s.", "x"))
		build(t, r)
		return r
	}
	a, b := registry("wombat"), registry("zebra")
	b.Cache = a.Cache
	for range 2 {
		assert.Equal(t, []string{"base/wombat"}, names(t, a, who, "count wombats"))
		assert.Equal(t, []string{"base/zebra"}, names(t, b, who, "count zebras"))
		files, err := filepath.Glob(filepath.Join(a.folder("acme", "base"), "gen-*", "base.lists"))
		require.NoError(t, err)
		require.Len(t, files, 1)
		require.NoError(t, os.Truncate(files[0], 0))
	}
}

// A generation is opened once and stays open for its users after it is replaced. Unused ones are closed.
func TestKeepsGenerationsOpen(t *testing.T) {
	r := open(t, postgrestest.New(t).Address(), "a")
	bring(t, r, "acme", "base", skill("wombat", "Counts wombats.", "x"))
	build(t, r)
	who, dir := truth.Identity{Tenant: "acme", Subject: "bob"}, r.folder("acme", "base")
	first, err := r.Open(t.Context(), who)
	require.NoError(t, err)
	kept := r.open.of[dir]
	if got := names(t, r, who, "count wombats"); !slices.Equal(got, []string{"base/wombat"}) || r.open.of[dir] != kept {
		t.Errorf("offered %q, opened anew: %v", got, r.open.of[dir] != kept)
	}
	bring(t, r, "acme", "base", skill("zebra", "Feeds zebras.", "x"))
	build(t, r)
	assert.Equal(t, []string{"base/zebra"}, names(t, r, who, "feed zebras"))
	if kept.x.Close(); len(decide(t, first, "count wombats").Candidates) != 1 {
		t.Error("the older generation was closed while it was used")
	}
	first.Close()
	newer := r.open.of[dir]
	require.Equal(t, newer.size, r.open.mapped)
	assert.NotEqual(t, int64(0), newer.size)
	r.open.mapped += maxMapped
	bring(t, r, "other", "base", skill("lion", "Counts lions.", "x"))
	build(t, r)
	if got := names(t, r, truth.Identity{Tenant: "other"}, "count lions"); !slices.Equal(got, []string{"base/lion"}) ||
		len(r.open.of) != 1 || r.open.of[dir] != nil {
		t.Errorf("offered %q, and %d are open; want the newest one alone", got, len(r.open.of))
	}
}

func TestJudgesWhatIsNew(t *testing.T) {
	r := open(t, postgrestest.New(t).Address(), "a")
	var asked atomic.Int32
	bringJudged := func(changed int, want int32) {
		t.Helper()
		var skills []truth.Skill
		for i := range 600 { // more than a batch
			k := skill(fmt.Sprintf("s%d", i), "Counts.", fmt.Sprint(i < changed))
			k.Risk = func() float64 { asked.Add(1); return 0.25 }
			skills = append(skills, k)
		}
		if sum := bring(t, r, "acme", "base", skills...); sum.Revisions != int(want) || asked.Swap(0) != want {
			t.Errorf("Import = %+v and asked for %d risks, want %d", sum, asked.Load(), want)
		}
	}
	bringJudged(0, 600)
	bringJudged(0, 0)
	bringJudged(7, 7)
	o, err := r.Store.Offer(t.Context(), "acme", "base", "s599")
	if require.NoError(t, err); o.Risk != 0.25 {
		t.Errorf("its risk is %v, want 0.25", o.Risk)
	}
}

func TestBuildsBesideBrokenPools(t *testing.T) {
	ctx, r := t.Context(), open(t, postgrestest.New(t).Address(), "a")
	for i := range 12 {
		pool := fmt.Sprintf("whole%d", i)
		if i%3 == 0 {
			pool = fmt.Sprintf("broken%d", i)
		}
		bring(t, r, "acme", pool, skill("wombat", "Counts wombats.", "x"))
	}
	_, err := r.Store.DB.Exec(ctx, `ALTER TABLE generation ADD CONSTRAINT broken CHECK (pool !~ '^broken')`)
	require.NoError(t, err)
	n, err := r.BuildAll(ctx)
	if n != 8 || err == nil || !strings.Contains(err.Error(), "index acme/broken0:") {
		t.Errorf("BuildAll = %d, %v, want 8 skills and what is wrong with the broken pools", n, err)
	}
	var held int
	require.NoError(t, r.Store.DB.QueryRow(ctx, `SELECT count(*) FROM lease WHERE until > now() + $1`, pause).Scan(&held))
	assert.Equal(t, 0, held)
	_, err = r.Store.DB.Exec(ctx, `ALTER TABLE generation DROP CONSTRAINT broken; UPDATE lease SET until = now()`)
	require.NoError(t, err)
	if n, err := r.BuildAll(ctx); n != 4 || err != nil {
		t.Errorf("once they can be indexed: BuildAll = %d, %v, want 4 skills", n, err)
	}
}

func TestBuildsWithoutThePrevious(t *testing.T) {
	r := open(t, postgrestest.New(t).Address(), "a")
	for _, lost := range []string{"true", "name = 'states'", "name = 'manifest.json'", "name LIKE 'base%'"} {
		bring(t, r, "acme", "base", skill("wombat", "Counts wombats.", "x"))
		build(t, r)
		_, err := r.Store.DB.Exec(t.Context(), `DELETE FROM blob WHERE `+lost)
		require.NoError(t, err)
		bring(t, r, "acme", "base", skill("wombat", "Counts wombats.", "x"), skill("lion", "Counts lions.", lost))
		build(t, r)
		assert.Contains(t, names(t, r, truth.Identity{Tenant: "acme"}, "count lions"), "base/lion", lost)
	}
}

// A request waits for a generation no longer than its time limit, and generations are fetched independently.
func TestFetchingHangs(t *testing.T) {
	r := open(t, postgrestest.New(t).Address(), "a")
	for pool, revision := range map[string]int{"base": 12, "base1": 2} {
		bring(t, r, "acme", pool)
		_, err := r.Store.DB.Exec(t.Context(), `UPDATE pool SET revision = $1 WHERE name = $2`, revision-1, pool)
		require.NoError(t, err)
		bring(t, r, "acme", pool, skill("wombat-"+pool, "Counts wombats.", "x"))
	}
	build(t, r)
	pools, _, err := r.tenant(t.Context(), "acme")
	require.NoError(t, err)
	if len(pools) != 2 || *pools[0].Generation != 12 || *pools[1].Generation != 2 {
		t.Fatalf("the pools are %+v, want generations 12 and 2", pools)
	}
	tx, err := r.Store.DB.Begin(t.Context())
	require.NoError(t, err)
	defer tx.Rollback(context.Background())
	_, err = tx.Exec(t.Context(), `LOCK TABLE blob`)
	require.NoError(t, err)
	ended := make(chan error, len(pools))
	for _, p := range pools {
		go func() {
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			_, err := r.generation(ctx, "acme", p)
			ended <- err
		}()
	}
	late := time.After(30 * time.Second) // a fetch may take a minute
	for range pools {
		select {
		case err := <-ended:
			assert.ErrorIs(t, err, context.DeadlineExceeded)
		case <-late:
			t.Fatal("a request waits for a generation that does not come")
		}
	}
	waiting, end := 0, time.Now().Add(30*time.Second)
	for waiting < len(pools) && time.Now().Before(end) {
		require.NoError(t, tx.QueryRow(t.Context(), `SELECT count(*) FROM pg_locks WHERE NOT granted`).Scan(&waiting))
	}
	assert.Equal(t, len(pools), waiting)
	require.NoError(t, tx.Rollback(t.Context()))
	got := names(t, r, truth.Identity{Tenant: "acme"}, "count wombats")
	if slices.Sort(got); !slices.Equal(got, []string{"base/wombat-base", "base1/wombat-base1"}) {
		t.Errorf("once the generations come: offered %q", got)
	}
}

func TestLibraryIsWhatIsLoaded(t *testing.T) {
	r := open(t, postgrestest.New(t).Address(), "a")
	for pool, roles := range map[string][]string{
		"all": nil, "by-two": {"team", "payments"}, "of-team": {"team"}, "z-team": {"team"},
		"anns": {"user:ann", "user:kim"}, "z-anns": {"user:ann"},
	} {
		bringFor(t, r, "acme", pool, roles, skill("wombat", "Counts wombats for "+pool+".", "x"))
	}
	build(t, r)
	for _, tt := range []struct {
		name, want string
		who        truth.Identity
	}{
		{"everybody's", "all", truth.Identity{Tenant: "acme", Subject: "eve"}},
		{"a team's, of fewest roles and then by name", "of-team", truth.Identity{Tenant: "acme", Subject: "bob", Roles: []string{"team"}}},
		{"her own, of fewest roles", "z-anns", truth.Identity{Tenant: "acme", Subject: "ann", Roles: []string{"team"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			library, err := r.Library(t.Context(), tt.who, "", 10)
			require.NoError(t, err)
			require.Len(t, library, 1)
			assert.Equal(t, tt.want, library[0].Pool)
			g, err := r.Open(t.Context(), tt.who)
			require.NoError(t, err)
			defer g.Close()
			loaded, err := g.Offers()
			require.NoError(t, err)
			require.Len(t, loaded, 1)
			assert.Equal(t, tt.want+"/wombat", loaded[0].ID)
			for _, pool := range []string{"all", "by-two", "of-team", "z-team", "anns", "z-anns"} { // whichever fits best
				assert.Equal(t, []string{tt.want + "/wombat"}, names(t, r, tt.who, "count wombats for "+pool))
			}
		})
	}
}

func TestLibraryInPages(t *testing.T) {
	r := open(t, postgrestest.New(t).Address(), "a")
	for pool, of := range map[string]struct{ roles, names []string }{
		"all": {nil, []string{"a", "b", "c", "d", "e", "Z", "한"}}, "team": {[]string{"team"}, []string{"b", "d", "f"}},
		"anns": {[]string{"user:ann"}, []string{"a", "d"}}, "kims": {[]string{"user:kim"}, []string{"x", "a"}},
	} {
		var skills []truth.Skill
		for _, name := range of.names {
			skills = append(skills, skill(name, "Counts wombats.", pool))
		}
		bringFor(t, r, "acme", pool, of.roles, skills...)
	}
	require.NoError(t, r.Store.Withdraw(t.Context(), "root", "acme", "all", "c", "old"))
	ann := truth.Identity{Tenant: "acme", Subject: "ann", Roles: []string{"team"}}
	want := []string{"all/Z", "anns/a", "team/b", "anns/d", "all/e", "team/f", "all/한"}
	for most := 1; most < 9; most++ {
		var got []string
		for after, n := "", most; n == most; {
			page, err := r.Library(t.Context(), ann, after, most)
			require.NoError(t, err)
			for _, o := range page {
				got, after = append(got, o.Pool+"/"+o.Name), o.Name
			}
			n = len(page)
		}
		assert.Equal(t, want, got, most)
	}
}

func TestKeepsFewSmallGenerationsOpen(t *testing.T) {
	dir := t.TempDir()
	entry := entry("base", "wombat", "1", catalog.Agents, skill("wombat", "Counts wombats.", "x").Text)
	_, err := index.Build(t.Context(), index.Options{Dir: dir,
		Entries: []catalog.Entry{entry}, Background: gate.Background, Now: time.Now})
	require.NoError(t, err)
	x, err := index.Open(dir)
	require.NoError(t, err)
	defer x.Close()
	var o opened
	generation, most := int64(1), maxMapped/minMapped
	for i := range most + 10 {
		another, err := x.Another()
		require.NoError(t, err)
		y, err := o.put(fmt.Sprint(i), pool{Generation: &generation}, another)
		require.NoError(t, err)
		y.Close()
	}
	require.Equal(t, most, len(o.of))
	assert.LessOrEqual(t, o.mapped, int64(maxMapped))
}

func TestDamagedSums(t *testing.T) {
	gen := t.TempDir()
	for _, name := range []string{"base.lists", "base.docs", "states"} {
		require.NoError(t, os.WriteFile(filepath.Join(gen, name), []byte(name), 0o600))
	}
	require.NoError(t, errors.Join(writeSums(gen), checkSums(gen), os.Remove(filepath.Join(gen, "states")), checkSums(gen)))
	text, err := os.ReadFile(filepath.Join(gen, sums))
	require.NoError(t, err)
	first, rest, _ := strings.Cut(string(text), "\n")
	for _, damage := range []string{"", "\x00", first, rest, string(text) + first + "\n", rest + first + "\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(gen, sums), []byte(damage), 0o600))
		if err := checkSums(gen); err == nil || !damaged(err) {
			t.Errorf("%.90q: %v, want damage", damage, err)
		}
	}
}

func TestClaimFails(t *testing.T) {
	r := open(t, postgrestest.New(t).Address(), "a")
	r.Store.Close()
	_, _, err := r.buildEach(t.Context(), make([]place, 100))
	require.Error(t, err)
	assert.Equal(t, 1, strings.Count(err.Error(), "index /:"))
}
