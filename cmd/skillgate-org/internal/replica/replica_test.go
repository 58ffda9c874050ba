package replica

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

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
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return &Replica{Store: s, Cache: t.TempDir(), Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Name: name}
}

// must ends the test where a step of it fails.
func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
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
	sum, err := r.Store.Import(t.Context(), "ann", tenant, pool, list(skills...))
	must(t, err)
	return sum
}

func build(t *testing.T, r *Replica) {
	t.Helper()
	_, err := r.BuildAll(t.Context())
	must(t, err)
}

// names are those that a lookup ranks for somebody.
func names(t *testing.T, r *Replica, who truth.Who, prompt string) []string {
	t.Helper()
	g, err := r.Open(t.Context(), who)
	if errors.Is(err, index.ErrNoIndex) {
		return nil
	}
	must(t, err)
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

// library are real skills, with the name of the folder as id.
func library(t *testing.T) ([]catalog.Entry, []truth.Skill) {
	t.Helper()
	root := catalog.LibraryRoot("../../../../testdata/skills-e2e")
	files, problems := catalog.Files(t.Context(), []catalog.Root{root}, nil)
	must(t, errors.Join(problems...))
	var entries []catalog.Entry
	var skills []truth.Skill
	for _, f := range files {
		e, err := catalog.Read(root, f)
		must(t, err)
		text, err := os.ReadFile(f.Path)
		must(t, err)
		entries = append(entries, e)
		skills = append(skills, truth.Skill{Name: e.Name, Source: "library", Text: text})
	}
	if len(skills) < 50 {
		t.Fatalf("%d skills", len(skills))
	}
	return entries, skills
}

var prompts = []string{
	"Review this pull request for security problems", "clean up this CSV file", "fill in this PDF form", "write unit tests for the parser",
	"이 PR 보안 문제 검토해줘", "엑셀 시트 합계 내줘", "deploy to kubernetes", "what time is it", "translate the README to Korean", "draw a chart of last month's sales",
}

// The registry ranks as the hook does, name for name and score for score: one pool as one index, and a base
// with an overlay as two.
func TestRanksAsTheHook(t *testing.T) {
	r := open(t, postgrestest.New(t).Address(), "a")
	entries, skills := library(t)
	must(t, r.Store.SetTenant(t.Context(), "ann", "acme", 1, false, nil), r.Store.SetTenant(t.Context(), "ann", "split", 1, false, nil),
		r.Store.SetPool(t.Context(), "ann", "acme", "base", nil),
		r.Store.SetPool(t.Context(), "ann", "split", "base", nil), r.Store.SetPool(t.Context(), "ann", "split", "team", []string{"team"}))
	half := len(skills) / 2
	bring(t, r, "acme", "base", skills...)
	bring(t, r, "split", "base", skills[:half]...)
	bring(t, r, "split", "team", skills[half:]...)
	build(t, r)
	local := func(parts ...[]catalog.Entry) *gate.Gate {
		var indexes []*index.Index
		for i, p := range parts {
			dir := filepath.Join(t.TempDir(), fmt.Sprint(i))
			_, err := index.Build(t.Context(), index.Options{Dir: dir, Entries: p, Background: gate.Background, Now: time.Now})
			must(t, err)
			x, err := index.Open(dir)
			must(t, err)
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
		who  truth.Who
		hook *gate.Gate
	}{
		{"one pool", truth.Who{Tenant: "acme", Subject: "bob"}, local(entries)},
		{"a base and an overlay", truth.Who{Tenant: "split", Subject: "bob", Roles: []string{"team"}}, local(entries[:half], entries[half:])},
		{"the base alone", truth.Who{Tenant: "split", Subject: "bob"}, local(entries[:half])},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defer tt.hook.Close()
			g, err := r.Open(t.Context(), tt.who)
			must(t, err)
			defer g.Close()
			for _, prompt := range prompts {
				if got, want := ranked(decide(t, g, prompt)), ranked(decide(t, tt.hook, prompt)); got != want {
					t.Errorf("%q:\nregistry %s\nhook     %s", prompt, got, want)
				}
			}
		})
	}
}

// What a tenant is offered follows review, risk, source, withdrawal and the pool's roles.
func TestWhatIsOffered(t *testing.T) {
	ctx := t.Context()
	r := open(t, postgrestest.New(t).Address(), "a")
	ann, bob := truth.Who{Tenant: "acme", Subject: "ann"}, truth.Who{Tenant: "acme", Subject: "bob", Roles: []string{"payments"}}
	must(t, r.Store.SetTenant(ctx, "root", "acme", 0.5, false, nil), r.Store.SetPool(ctx, "root", "acme", "base", nil),
		r.Store.SetTenant(ctx, "root", "other", 1, false, nil), r.Store.SetPool(ctx, "root", "acme", "payments", []string{"payments"}), r.Store.SetPool(ctx, "root", "acme", "anns", []string{"user:ann"}))
	risky := skill("wombat-risk", "Feeds lions with meat at night.", "x")
	risky.Risk = 0.9
	sum := bring(t, r, "acme", "base", skill("wombat-count", "Counts wombats in the garden.", "Count them."), risky)
	if sum != (truth.Imported{Revisions: 2}) {
		t.Errorf("Import = %+v", sum)
	}
	bring(t, r, "acme", "payments", skill("wombat-pay", "Settles invoices of keepers.", "Pay."))
	bring(t, r, "acme", "anns", skill("wombat-count", "Counts wombats in my own garden.", "Count mine."))
	build(t, r)
	const prompt = "count the wombats in the garden, settle invoices of keepers, feed lions with meat"
	see := func(who truth.Who, want ...string) {
		t.Helper()
		got := names(t, r, who, prompt)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s is offered %q, want %q", who.Subject, got, want)
		}
	}
	see(ann, "anns/wombat-count")
	see(bob, "base/wombat-count", "payments/wombat-pay")
	see(truth.Who{Tenant: "other", Subject: "ann"})
	see(truth.Who{Tenant: "acme", Subject: "eve", Roles: []string{"user:ann"}}, "base/wombat-count") // a role of another's own is given to nobody

	if sum := bring(t, r, "acme", "base", skill("wombat-count", "Counts wombats in the garden.", "Count them."), risky); sum != (truth.Imported{Unchanged: 2}) {
		t.Errorf("the same again: %+v", sum)
	}
	// A withdrawal needs no new generation, and content that was withdrawn stays away.
	must(t, r.Store.Withdraw(ctx, "rita", "acme", "base", "wombat-count", "wrong"))
	see(bob, "payments/wombat-pay")
	if _, _, err := r.File(ctx, bob, index.Doc{ID: "base/wombat-count"}); !errors.Is(err, truth.ErrNotFound) {
		t.Errorf("File of a withdrawn skill: %v", err)
	}
	build(t, r)
	see(bob, "payments/wombat-pay")
	if sum := bring(t, r, "acme", "base", skill("wombat-count", "Counts wombats in the garden.", "Count them.")); sum != (truth.Imported{Withdrawn: 1}) {
		t.Errorf("what was withdrawn comes again: %+v", sum)
	}
	if sum := bring(t, r, "acme", "base", skill("wombat-count", "Counts wombats in the garden.", "Count them well.")); sum != (truth.Imported{Revisions: 1, Pending: 1}) {
		t.Errorf("a new revision of what was withdrawn: %+v", sum)
	}
	build(t, r)
	see(bob, "payments/wombat-pay")
	must(t, r.Store.Approve(ctx, "rita", "acme", "base", "wombat-count", 0))
	build(t, r)
	see(bob, "base/wombat-count", "payments/wombat-pay")
	file, about, err := r.File(ctx, bob, index.Doc{ID: "base/wombat-count"})
	text, readErr := os.ReadFile(file)
	must(t, err, readErr)
	if !strings.Contains(string(text), "Count them well.") || about.Revision != 2 || about.Reviewer != "rita" || about.Author != "ann" || about.Source != "test" {
		t.Errorf("File = %q, %+v", text, about)
	}
	// The tenant's limits.
	must(t, r.Store.SetTenant(ctx, "root", "acme", 1, true, nil))
	build(t, r)
	see(bob, "base/wombat-count", "base/wombat-risk", "payments/wombat-pay")
	if sum := bring(t, r, "acme", "payments", skill("wombat-pay", "Settles invoices of keepers twice.", "Pay.")); sum.Pending != 1 {
		t.Errorf("with review: %+v", sum)
	}
	build(t, r)
	see(bob, "base/wombat-count", "base/wombat-risk", "payments/wombat-pay") // the revision before
	must(t, r.Store.SetTenant(ctx, "root", "acme", 1, true, []string{"https://git.example.com/"}))
	see(bob) // before any generation
	build(t, r)
	see(bob)

	events, err := r.Store.Audited(ctx, "acme", time.Time{}, time.Now().Add(time.Hour), 100)
	must(t, err)
	count := map[string]int{}
	for _, e := range events {
		count[e.Action]++
	}
	if count["withdraw"] != 1 || count["approve"] != 1 || count["import"] != 5 || count["policy"] != 3 || count["pool"] != 3 {
		t.Errorf("the audit has %v", count)
	}
}

// An import is all or nothing.
func TestImportRefuses(t *testing.T) {
	r := open(t, postgrestest.New(t).Address(), "a")
	must(t, r.Store.SetTenant(t.Context(), "root", "acme", 1, false, nil), r.Store.SetPool(t.Context(), "root", "acme", "base", nil))
	good := skill("good", "Counts.", "x")
	many := []truth.Skill{good}
	for _, tt := range []struct {
		name, want string
		skills     []truth.Skill
	}{
		{"a name twice", "two skills", append(many, good)},
		{"a path for a name", "not a name", append(many, truth.Skill{Name: "../x"})},
		{"no name", "not a name", append(many, truth.Skill{})},
		{"markup in a name", "not a name", append(many, truth.Skill{Name: "<system>"})},
		{"a risk out of range", "risk", append(many, truth.Skill{Name: "x", Risk: 2})},
	} {
		if _, err := r.Store.Import(t.Context(), "ann", "acme", "base", list(tt.skills...)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	evil := skill("sql", "'); DROP TABLE skill; --", "x")
	evil.Source = "a\x00b'\xff"
	evil.Files = []truth.File{{Path: "../../escape", Content: []byte("x")}}
	bring(t, r, "acme", "base", evil)
	if _, _, err := r.File(t.Context(), truth.Who{Tenant: "acme"}, index.Doc{ID: "base/sql"}); err == nil {
		t.Error("a file outside its skill's folder was written")
	}
	if pools, err := r.Store.Pools(t.Context(), "acme"); err != nil || pools[0].Skills != 1 || pools[0].Revision != 1 {
		t.Errorf("Pools = %+v, %v", pools, err)
	}
	for _, name := range []string{"", "..", "a/b", "A", strings.Repeat("a", 64)} {
		if r.Store.SetTenant(t.Context(), "root", name, 1, false, nil) == nil || r.Store.SetPool(t.Context(), "root", "acme", name, nil) == nil {
			t.Errorf("%q is taken as a name", name)
		}
	}
}

// One replica builds; one that is killed gives way to another; what the first one builds after
// that is not stored.
func TestLease(t *testing.T) {
	address := postgrestest.New(t).Address()
	a, b := open(t, address, "a"), open(t, address, "b")
	must(t, a.Store.SetTenant(t.Context(), "root", "acme", 1, false, nil), a.Store.SetPool(t.Context(), "root", "acme", "base", nil))
	bring(t, a, "acme", "base", skill("wombat", "Counts wombats.", "x"))
	tenant, pool, err := a.claim(t.Context()) // and is killed
	must(t, err)
	build(t, b)
	who := truth.Who{Tenant: "acme", Subject: "bob"}
	if got := names(t, b, who, "count wombats"); got != nil {
		t.Errorf("b built under a's lease: %q", got)
	}
	_, err = b.Store.DB.Exec(t.Context(), `UPDATE lease SET until = now() - interval '1 second'`)
	must(t, err)
	build(t, b)
	if got := names(t, a, who, "count wombats"); !slices.Equal(got, []string{"base/wombat"}) {
		t.Errorf("a serves %q of what b built", got)
	}
	if _, err := a.build(t.Context(), tenant, pool); !errors.Is(err, errLost) {
		t.Errorf("a publishes without the lease: %v", err)
	}
}

// A replica goes on while the database is away, and sees what has changed when it is back.
func TestDatabaseKilled(t *testing.T) {
	s := postgrestest.New(t)
	r := open(t, s.Address(), "a")
	must(t, r.Store.SetTenant(t.Context(), "root", "acme", 1, false, nil), r.Store.SetPool(t.Context(), "root", "acme", "base", nil))
	bring(t, r, "acme", "base", skill("wombat", "Counts wombats.", "x"))
	build(t, r)
	who := truth.Who{Tenant: "acme", Subject: "bob"}
	want := []string{"base/wombat"}
	if got := names(t, r, who, "count wombats"); !slices.Equal(got, want) {
		t.Fatalf("offered %q", got)
	}
	s.Stop(syscall.SIGKILL)
	if got := names(t, r, who, "count wombats"); !slices.Equal(got, want) {
		t.Errorf("without the database: %q", got)
	}
	if _, err := r.Open(t.Context(), truth.Who{Tenant: "unknown"}); !errors.Is(err, ErrUnreachable) {
		t.Errorf("a tenant that was never asked for: %v", err)
	}
	if _, err := r.Store.Import(t.Context(), "ann", "acme", "base", list(skill("lost", "Counts.", "x"))); err == nil {
		t.Error("an import into a database that is away")
	}
	s.Start()
	bring(t, r, "acme", "base", skill("wombat", "Counts wombats.", "x"), skill("lion", "Feeds lions with wombats.", "x"))
	build(t, r)
	r.tenants["acme"].failed = time.Time{} // some time later
	if got := names(t, r, who, "count wombats"); len(got) != 2 {
		t.Errorf("after a restart: %q", got)
	}
	r.tenants["acme"].asked, r.tenants["acme"].failed = time.Now().Add(-2*MaxStale), time.Now()
	if _, err := r.Open(t.Context(), who); !errors.Is(err, ErrUnreachable) {
		t.Errorf("what was known long ago: %v", err)
	}
}

// What a replica keeps of one registry is not another's, and what was damaged here is fetched again.
func TestFilesOfAReplica(t *testing.T) {
	who := truth.Who{Tenant: "acme", Subject: "bob"}
	registry := func(name string) *Replica {
		r := open(t, postgrestest.New(t).Address(), name)
		must(t, r.Store.SetTenant(t.Context(), "root", "acme", 1, false, nil), r.Store.SetPool(t.Context(), "root", "acme", "base", nil))
		bring(t, r, "acme", "base", skill(name, "Counts "+name+"s.", "x"))
		build(t, r)
		return r
	}
	a, b := registry("wombat"), registry("zebra")
	b.Cache = a.Cache
	for range 2 {
		if got := names(t, a, who, "count wombats"); !slices.Equal(got, []string{"base/wombat"}) {
			t.Errorf("the first registry names %q", got)
		}
		if got := names(t, b, who, "count zebras"); !slices.Equal(got, []string{"base/zebra"}) {
			t.Errorf("the second registry names %q", got)
		}
		files, err := filepath.Glob(filepath.Join(a.folder("acme", "base"), "gen-*", "base.zap"))
		if err != nil || len(files) != 1 {
			t.Fatalf("files of the first registry: %q, %v", files, err)
		}
		must(t, os.Truncate(files[0], 0))
	}
}

// One line that a database cannot hold as it is does not stop the audit.
func TestAuditOfStrangeTexts(t *testing.T) {
	r := open(t, postgrestest.New(t).Address(), "a")
	must(t, r.Store.SetTenant(t.Context(), "root", "acme", 1, false, nil),
		r.Store.Audit(t.Context(), truth.Event{Tenant: "acme", Actor: "bo\x00b", Action: "load", Skills: []string{"a\xff"}, Detail: "\x00"}))
}
