package central

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	collector "go.opentelemetry.io/proto/slim/otlp/collector/logs/v1"
	logs "go.opentelemetry.io/proto/slim/otlp/logs/v1"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/postgres"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/postgrestest"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/otlp"
	"github.com/skillgate/skillgate/gate/journal/store"
)

var now = time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)

// open opens s and returns the store with a receiver before it.
func open(t *testing.T, s *postgrestest.Server) (*Store, *httptest.Server) {
	t.Helper()
	st, err := Open(t.Context(), s.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(st.Close)
	rc := httptest.NewServer(&Receiver{Store: st, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: func() time.Time { return now }})
	t.Cleanup(rc.Close)
	return st, rc
}

// machine is a journal that exports.
type machine struct {
	t    *testing.T
	db   *store.DB
	team string
}

func newMachine(t *testing.T, team string) machine {
	db, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return machine{t, db, team}
}

// turn logs a prompt of two hours ago, for which skill named was named, after which the model used another, or none.
func (m machine) turn(id, named, used string) {
	m.t.Helper()
	m.turnAt(now.Add(-2*time.Hour), id, named, used)
}

func (m machine) turnAt(at time.Time, id, named, used string) {
	m.t.Helper()
	d := journal.New(journal.KindDecision, at)
	d.Session, d.PromptID = "s-"+m.team, id
	d.SetDecision(gate.Decision{Prompt: "merge " + id, Lang: "en", Verdict: gate.Inject, Ms: gate.Timing{Total: 6},
		Candidates: []gate.Candidate{{Name: named, Pool: "skill", Injected: true}}}, journal.Full, nil)
	end := journal.New(journal.KindTurn, at.Add(time.Minute))
	end.Session, end.PromptID, end.Of, end.Over = d.Session, id, d.ID, true
	records := []journal.Record{d, end}
	if used != "" {
		u := journal.New(journal.KindOutcome, at.Add(time.Second))
		u.Session, u.PromptID = d.Session, id
		u.Outcome = &journal.Outcome{Tool: journal.ToolSkill, Skill: used, Success: true, Source: "PostToolUse", Call: "c" + id}
		records = append(records, u)
	}
	for _, r := range records {
		if err := journal.Append(m.db.Dir(), r); err != nil {
			m.t.Fatal(err)
		}
	}
}

func (m machine) export(to string) (otlp.Sent, error) {
	m.t.Helper()
	return m.exportAt(now, to)
}

func (m machine) exportAt(now time.Time, to string) (otlp.Sent, error) {
	m.t.Helper()
	if _, err := m.db.Fold(m.t.Context(), now, time.Second); err != nil {
		m.t.Fatal(err)
	}
	return otlp.Export(m.t.Context(), m.db, otlp.Options{
		To:      otlp.Collector{Logs: to + "/v1/logs", Metrics: to + "/v1/metrics", Client: http.DefaultClient, Tries: 1},
		Prompts: journal.Full, Settle: time.Hour, Resource: map[string]string{"team": m.team}, Now: func() time.Time { return now },
	})
}

func (s *Store) count(t *testing.T, query string) (n int) {
	t.Helper()
	if err := s.pool.QueryRow(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestViews(t *testing.T) {
	s := postgrestest.New(t)
	st, rc := open(t, s)
	payments, search := newMachine(t, "payments"), newMachine(t, "search")
	payments.turn("1", "pdf", "pdf")
	payments.turn("2", "pdf", "")
	payments.turn("3", "pdf", "csv")
	search.turn("1", "csv", "csv") // the same prompt id as another machine's
	for _, m := range []machine{payments, search} {
		if _, err := m.export(rc.URL); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := st.pool.Query(t.Context(), `SELECT concat_ws(' ', team, skill, named, followed, not_followed, missed) FROM skillgate.skills ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	want := "payments csv 0 0 0 1\npayments pdf 3 1 2 0\nsearch csv 1 1 0 0"
	if strings.Join(got, "\n") != want {
		t.Errorf("skills by team:\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	var rate, low, high float64
	if err := st.pool.QueryRow(t.Context(), `SELECT rate, low, high FROM skillgate.follow_rate WHERE team = 'payments'`).Scan(&rate, &low, &high); err != nil {
		t.Fatal(err)
	}
	if rate < .333 || rate > .334 || low < .061 || low > .062 || high < .792 || high > .793 { // Wilson's interval of 1 in 3
		t.Errorf("follow rate %.4f (%.4f to %.4f)", rate, low, high)
	}
	if n := st.count(t, `SELECT missed::int FROM skillgate.unfound WHERE skill = 'csv'`); n != 1 {
		t.Errorf("unfound counts %d, want 1", n)
	}
	if n := st.count(t, `SELECT sum(decisions)::int FROM skillgate.activity`) + st.count(t, `SELECT sum(prompts)::int FROM skillgate.speed`); n != 8 {
		t.Errorf("activity and speed count %d, want 8", n)
	}
	lines, uses := 0, 0
	err = st.Lines(t.Context(), Filter{Team: "payments"}, func(line, of string, over, use bool) error {
		if lines++; use {
			uses++
		} else if !over || !strings.Contains(line, `"prompt":"merge `) {
			t.Errorf("over is %v of %s", over, line)
		}
		return nil
	})
	if err != nil || lines != 5 || uses != 2 {
		t.Errorf("%d lines, %d of them uses, %v; want 5 and 2", lines, uses, err)
	}
}

// TestDatabaseKilled kills the server while machines export: each record is there once in the end.
func TestDatabaseKilled(t *testing.T) {
	s := postgrestest.New(t)
	st, rc := open(t, s)
	m := newMachine(t, "payments")
	m.turn("1", "pdf", "")
	if _, err := m.export(rc.URL); err != nil {
		t.Fatal(err)
	}
	m.turn("2", "pdf", "pdf")
	s.Stop(syscall.SIGKILL)
	var unreachable *otlp.Unreachable
	if _, err := m.export(rc.URL); !errors.As(err, &unreachable) {
		t.Fatalf("without a database the export says %v", err)
	}
	s.Start()
	if sent, err := m.export(rc.URL); err != nil || sent.Decisions != 1 {
		t.Errorf("after the restart sent %+v, %v; want one decision", sent, err)
	}
	if n := st.count(t, `SELECT count(*) FROM skillgate.decision`); n != 2 {
		t.Errorf("%d decisions, want 2", n)
	}
}

// The receiver is gone for an hour in which 5,000 decisions are logged and an export is tried each five
// minutes, and when it is back its first answer is lost: each record is there once in the end, and waiting has
// taken no room beside the log's own.
func TestReceiverGoneForAnHour(t *testing.T) {
	const decisions, tries = 5000, 12
	st, rc := open(t, postgrestest.New(t))
	losing := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		rc.Config.Handler.ServeHTTP(httptest.NewRecorder(), r) // it is stored
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(losing.Close)
	gone := httptest.NewServer(nil)
	gone.Close()
	m := newMachine(t, "payments")
	room := func() (bytes int64) {
		err := filepath.WalkDir(m.db.Dir(), func(_ string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				var info fs.FileInfo
				info, err = d.Info()
				bytes += info.Size()
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	unreachable := func(at time.Time, to string) {
		t.Helper()
		var why *otlp.Unreachable
		if sent, err := m.exportAt(at, to); !errors.As(err, &why) || sent.Decisions+sent.Uses > 0 {
			t.Errorf("without a receiver the export says %+v, %v", sent, err)
		}
	}
	at, used := now, 0
	for i := range decisions {
		name := ""
		if i%4 == 0 {
			name = "pdf"
			used++
		}
		at = at.Add(time.Hour / decisions)
		m.turnAt(at, fmt.Sprint(i), "pdf", name)
		if (i+1)%(decisions/tries) != 0 {
			continue
		}
		unreachable(at, gone.URL)
		before := room()
		unreachable(at, gone.URL)
		if after := room(); after > before {
			t.Errorf("an export that failed has taken %d bytes", after-before)
		}
	}
	t.Logf("%d bytes a decision wait in the log", room()/decisions)
	at = at.Add(5 * time.Minute)
	unreachable(at, losing.URL)
	sent, err := m.exportAt(at, rc.URL)
	if err != nil || sent.Decisions != decisions || sent.Uses != used || sent.Lost > 0 {
		t.Errorf("once the receiver is back: %+v, %v; want %d decisions and %d uses", sent, err, decisions, used)
	}
	if sent, err := m.exportAt(at, rc.URL); err != nil || sent.Decisions+sent.Uses > 0 {
		t.Errorf("once more: %+v, %v; want nothing", sent, err)
	}
	for _, table := range []struct {
		name string
		want int
	}{{"decision", decisions}, {"use", used}} {
		if n := st.count(t, "SELECT count(*) FROM skillgate."+table.name); n != table.want {
			t.Errorf("%d rows of table %s, want %d", n, table.name, table.want)
		}
	}
}

func TestTwoReceiversMakeTheTablesOnce(t *testing.T) {
	s := postgrestest.New(t)
	errs := make(chan error)
	for range 4 {
		go func() {
			st, err := Open(context.Background(), s.Address())
			if err == nil {
				st.Close()
			}
			errs <- err
		}()
	}
	for range 4 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	st, _ := open(t, s)
	if _, err := st.pool.Exec(t.Context(), `COMMENT ON SCHEMA skillgate IS 'skillgate central 99'`); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), s.Address()); !errors.Is(err, postgres.ErrVersion) {
		t.Errorf("tables of a newer version: %v", err)
	}
}

// More senders at once than are taken are asked to come again.
func TestTooManySenders(t *testing.T) {
	_, rc := open(t, postgrestest.New(t))
	send := func(body io.Reader) (int, string) {
		answer, err := http.Post(rc.URL+"/v1/logs", "application/x-protobuf", body)
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		answer.Body.Close()
		return answer.StatusCode, answer.Header.Get("Retry-After")
	}
	var all sync.WaitGroup
	ends := make([]*io.PipeWriter, maxAtOnce)
	for i := range ends {
		var body *io.PipeReader
		body, ends[i] = io.Pipe()
		all.Go(func() {
			if status, _ := send(body); status != http.StatusOK {
				t.Errorf("one that is taken: %d", status)
			}
		})
	}
	taking := &rc.Config.Handler.(*Receiver).taking
	for taking.Load() < maxAtOnce {
		time.Sleep(time.Millisecond)
	}
	if status, after := send(strings.NewReader("")); status != http.StatusServiceUnavailable || after != retryAfter {
		t.Errorf("one more: %d, Retry-After %q", status, after)
	}
	for _, end := range ends {
		end.Close()
	}
	all.Wait()
	if status, _ := send(strings.NewReader("")); status != http.StatusOK {
		t.Errorf("once they have ended: %d", status)
	}
}

// TestReceiver sends what is wrong.
func TestReceiver(t *testing.T) {
	s := postgrestest.New(t)
	st, _ := open(t, s)
	rc := &Receiver{Store: st, Token: "0123456789abcdef", Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: func() time.Time { return now }}
	good := record("1", uint64(now.UnixNano()))
	bad := record("2", 5) // in 1970
	foreign := record("3", uint64(now.UnixNano()))
	foreign.EventName = "claude_code.user_prompt"
	hostile := record("4'); DROP TABLE skillgate.decision; --\x00", uint64(now.UnixNano()))
	scope := &logs.ScopeLogs{LogRecords: []*logs.LogRecord{good, bad, foreign, hostile, good}}
	message := &logs.LogsData{ResourceLogs: []*logs.ResourceLogs{{ScopeLogs: []*logs.ScopeLogs{scope}}}}
	text, err := proto.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := protojson.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, method, path, kind, encoding, token string
		body                                      []byte
		status                                    int
	}{
		{"no token", "POST", "/v1/logs", "application/x-protobuf", "", "", text, 401},
		{"wrong token", "POST", "/v1/logs", "application/x-protobuf", "", "0123456789abcdeg", text, 401},
		{"another path", "POST", "/v1/traces", "application/x-protobuf", "", rc.Token, text, 404},
		{"GET", "GET", "/v1/logs", "application/x-protobuf", "", rc.Token, nil, 405},
		{"another type", "POST", "/v1/logs", "text/plain", "", rc.Token, text, 415},
		{"not gzip", "POST", "/v1/logs", "application/x-protobuf", "gzip", rc.Token, text, 400},
		{"not OTLP", "POST", "/v1/logs", "application/x-protobuf", "", rc.Token, []byte("hello"), 400},
		{"too large", "POST", "/v1/logs", "application/x-protobuf", "", rc.Token, make([]byte, maxRequest+1), 413},
		{"good and bad", "POST", "/v1/logs", "application/x-protobuf", "", rc.Token, text, 200},
		{"JSON", "POST", "/v1/logs", "application/json", "", rc.Token, asJSON, 200},
		{"metrics", "POST", "/v1/metrics", "application/x-protobuf", "", rc.Token, []byte{}, 200},
		{"health", "GET", "/healthz", "", "", "", nil, 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(tt.method, tt.path, bytes.NewReader(tt.body))
			r.Header.Set("Content-Type", tt.kind)
			r.Header.Set("Content-Encoding", tt.encoding)
			r.Header.Set("Authorization", "Bearer "+tt.token)
			w := httptest.NewRecorder()
			rc.ServeHTTP(w, r)
			if w.Code != tt.status {
				t.Fatalf("status %d %s, want %d", w.Code, w.Body, tt.status)
			}
			if tt.name == "good and bad" {
				var said collector.ExportLogsServiceResponse
				if err := proto.Unmarshal(w.Body.Bytes(), &said); err != nil || said.GetPartialSuccess().GetRejectedLogRecords() != 1 {
					t.Errorf("answered %v, %v; want 1 rejected", &said, err)
				}
			}
		})
	}
	if n := st.count(t, `SELECT count(*) FROM skillgate.decision`); n != 2 {
		t.Errorf("%d decisions, want the good one and the one with the odd id", n)
	}
}

func TestSchemaPrinted(t *testing.T) {
	if !strings.Contains(Schema(), "CREATE VIEW skillgate.skills") {
		t.Error("Schema has no views")
	}
	if _, err := Open(t.Context(), "host="+filepath.Join(t.TempDir(), "none")+" user=x dbname=x connect_timeout=2"); err == nil {
		t.Error("a database that is not there can be opened")
	}
}
