package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	logs "go.opentelemetry.io/proto/slim/otlp/logs/v1"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
)

var now = time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)

// receiver keeps the records that it receives, unless before answers the request.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	got    []*logs.LogRecord
	raw    bytes.Buffer
	before func(w http.ResponseWriter, r *http.Request) (answered bool)
	after  func() // called before the request is answered
}

func newReceiver(t *testing.T) *receiver {
	rc := &receiver{}
	rc.Server = httptest.NewServer(rc)
	t.Cleanup(rc.Close)
	return rc
}

func (rc *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rc.mu.Lock()
	defer rc.mu.Unlock()
	if rc.before != nil && rc.before(w, r) {
		return
	}
	unpacked, err := gzip.NewReader(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	text, err := io.ReadAll(unpacked)
	if err != nil || r.Header.Get("Content-Type") != "application/x-protobuf" {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	rc.raw.Write(text)
	var m logs.LogsData
	if err := proto.Unmarshal(text, &m); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	rc.got = append(rc.got, m.ResourceLogs[0].ScopeLogs[0].LogRecords...)
	if rc.after != nil {
		rc.after()
	}
}

func (rc *receiver) options() Options {
	return Options{
		To:      Collector{Address: rc.URL + "/v1/logs", Client: rc.Client()},
		Prompts: journal.None, Settle: time.Hour, Version: "1.2.3",
		Resource: map[string]string{"team": "payments"}, Now: func() time.Time { return now },
		Terms: func(text string) []string { return strings.Fields(text) },
	}
}

func (rc *receiver) ids() []string {
	var out []string
	for _, r := range rc.got {
		out = append(out, attribute(r.Attributes, "log.record.uid").GetStringValue())
	}
	return out
}

func attribute(list []*common.KeyValue, key string) *common.AnyValue {
	for _, kv := range list {
		if kv.Key == key {
			return kv.Value
		}
	}
	return nil
}

type home struct {
	t  *testing.T
	db *store.DB
}

func newHome(t *testing.T) home {
	db, err := store.Open(t.Context(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	return home{t, db}
}

func (h home) append(r journal.Record) journal.Record {
	h.t.Helper()
	require.NoError(h.t, journal.Append(h.db.Dir(), r))
	return r
}

// decide logs a decision that suggests the skill pdf and, if over is true, the end of its turn.
func (h home) decide(ago time.Duration, prompt, turn string, over bool) journal.Record {
	h.t.Helper()
	r := journal.New(journal.KindDecision, now.Add(-ago))
	r.Session, r.PromptID, r.Cwd = "s1", turn, "/home/kim/secret-project"
	r.SetDecision(gate.Decision{Prompt: prompt, Lang: "en", Verdict: gate.Inject, Need: 0.8, Context: "about " + prompt,
		Candidates: []gate.Candidate{{Name: "pdf", Path: "/home/kim/.claude/skills/pdf/SKILL.md", Pool: "skill", Injected: true,
			Matched: []gate.Match{{Term: "merge", Field: "name"}}}},
		Ms: gate.Timing{Total: 6}}, journal.Full, nil)
	h.append(r)
	if over {
		end := journal.New(journal.KindTurn, now.Add(-ago+time.Second))
		end.Session, end.PromptID, end.Of, end.Over = "s1", turn, r.ID, true
		h.append(end)
	}
	return r
}

func (h home) use(ago time.Duration, turn string) journal.Record {
	h.t.Helper()
	r := journal.New(journal.KindOutcome, now.Add(-ago))
	r.Session, r.PromptID = "s1", turn
	r.Outcome = &journal.Outcome{Tool: journal.ToolSkill, Skill: "pdf", Success: true, Source: "PostToolUse", Call: "c" + turn}
	return h.append(r)
}

func (h home) export(o Options) (Sent, error) {
	h.t.Helper()
	_, err := h.db.Fold(h.t.Context(), now, time.Second)
	require.NoError(h.t, err)
	return Export(h.t.Context(), h.db, o)
}

func (h home) mustExport(o Options) Sent {
	h.t.Helper()
	s, err := h.export(o)
	require.NoError(h.t, err)
	return s
}

func TestExport(t *testing.T) {
	h, rc := newHome(t), newReceiver(t)
	first := h.decide(3*time.Hour, "merge these files", "p1", true)
	used := h.use(3*time.Hour-time.Second, "p1")
	running := h.decide(10*time.Minute, "merge two more", "p2", false)
	ended := h.decide(5*time.Minute, "merge the last ones", "p3", true)

	s := h.mustExport(rc.options())
	assert.Equal(t, Sent{Decisions: 1, Uses: 1, Waiting: 2}, s)
	assert.Equal(t, []string{first.ID, used.ID}, rc.ids())
	a := rc.got[0].Attributes
	for key, want := range map[string]string{"prompt.id": "p1", "session.id": "s1", "skillgate.verdict": "inject", "skillgate.followed": "yes"} {
		assert.Equal(t, want, attribute(a, key).GetStringValue(), key)
	}
	assert.Equal(t, first.ID, attribute(rc.got[1].Attributes, "skillgate.decision").GetStringValue())

	// Decisions go in order, once the turn of the first has ended, and nothing goes twice.
	end := journal.New(journal.KindTurn, now)
	end.Session, end.PromptID, end.Of, end.Over = "s1", "p2", running.ID, true
	h.append(end)
	assert.Equal(t, Sent{Decisions: 2}, h.mustExport(rc.options()))
	assert.Equal(t, Sent{}, h.mustExport(rc.options()))
	assert.Equal(t, []string{first.ID, used.ID, running.ID, ended.ID}, rc.ids())
	if h.decide(2*time.Hour, "merge", "p4", false); h.mustExport(rc.options()).Decisions != 1 {
		t.Error("a decision without a known end was not sent after an hour")
	}
}

func TestExportKeepsPromptsHere(t *testing.T) {
	tests := []struct {
		level   string
		present []string
		absent  []string
	}{
		{journal.None, nil, []string{"quarterly", "merge", "secret-project", "/home/kim"}},
		{journal.Hash, []string{journal.PromptHash("merge quarterly figures")}, []string{"quarterly", "merge", "secret-project", "/home/kim"}},
		{journal.Terms, []string{`"figures","merge","quarterly"`}, []string{"merge quarterly figures", "secret-project", "/home/kim"}},
		{journal.Full, []string{"merge quarterly figures"}, []string{"secret-project", "/home/kim"}},
	}
	for _, tt := range tests {
		t.Run(tt.level, func(t *testing.T) {
			h, rc := newHome(t), newReceiver(t)
			h.decide(time.Hour, "merge quarterly figures", "p1", true)
			o := rc.options()
			o.Prompts = tt.level
			h.mustExport(o)
			for _, text := range tt.present {
				assert.Contains(t, rc.raw.String(), text)
			}
			for _, text := range tt.absent {
				assert.NotContains(t, rc.raw.String(), text)
			}
		})
	}
}

// TestExportLosesNothing interrupts every request: each record arrives, and duplicates have the same id.
func TestExportLosesNothing(t *testing.T) {
	h, rc := newHome(t), newReceiver(t)
	var want []string
	for i := range 3 * maxRecords {
		want = append(want, h.decide(3*time.Hour, fmt.Sprint("merge file ", i), fmt.Sprint("p", i), false).ID)
	}
	slices.Sort(want)
	o := rc.options()
	ctx, cancel := context.WithCancel(t.Context())
	rc.after = func() { cancel(); panic(http.ErrAbortHandler) } // the answer never arrives
	_, err := h.db.Fold(t.Context(), now, time.Second)
	require.NoError(t, err)
	for range 3 {
		_, err := Export(ctx, h.db, o)
		require.Error(t, err, "an export that was broken off reports no error")
		rc.after = nil
		requests := 0
		rc.before = func(w http.ResponseWriter, _ *http.Request) bool {
			if requests++; requests > 1 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			return requests > 1
		}
		ctx = t.Context()
	}
	rc.before = nil
	h.mustExport(o)
	got := rc.ids()
	slices.Sort(got)
	assert.Equal(t, maxRecords, len(got)-len(slices.Compact(slices.Clone(got))))
	got = slices.Compact(got)
	assert.Equal(t, want, got, "%d different records arrived, want %d", len(got), len(want))
}

func TestExportErrors(t *testing.T) {
	h, rc := newHome(t), newReceiver(t)
	h.decide(time.Hour, "merge", "p1", true)
	rc.before = func(w http.ResponseWriter, _ *http.Request) bool {
		http.Error(w, "no such token", http.StatusUnauthorized)
		return true
	}
	_, err := h.export(rc.options())
	require.ErrorAs(t, err, new(*Refused))
	require.ErrorContains(t, err, "no such token")
	rc.before = nil
	gone := rc.options()
	gone.To.Address = "http://kim:hunter2@127.0.0.1:1/v1/logs"
	_, err = h.export(gone)
	require.ErrorIs(t, err, ErrUnreachable)
	assert.NotContains(t, err.Error(), "hunter2")
	assert.Equal(t, 1, h.mustExport(rc.options()).Decisions)
}

// TestExportAfterRetention removes decisions before they are sent, and replaces the journal by another.
func TestExportAfterRetention(t *testing.T) {
	h, rc := newHome(t), newReceiver(t)
	h.decide(40*24*time.Hour, "merge", "p1", true)
	h.mustExport(rc.options())
	h.decide(30*24*time.Hour, "merge", "p2", true)
	h.decide(29*24*time.Hour, "merge", "p3", true)
	h.decide(time.Hour, "merge", "p4", true)
	_, err := h.db.Fold(t.Context(), now, time.Second)
	require.NoError(t, err)
	require.NoError(t, h.db.Prune(t.Context(), now.AddDate(0, 0, -20)))
	if s := h.mustExport(rc.options()); s.Decisions != 1 || s.Lost != 2 {
		t.Errorf("sent %+v, want 1 and 2 lost", s)
	}
	at, err := readPosition(h.db.Dir(), rc.options().To.Address, now)
	require.NoError(t, err)
	other := newHome(t)
	require.NoError(t, at.write(other.db.Dir(), rc.options().To.Address))
	other.decide(time.Hour, "merge", "p1", true)
	assert.Equal(t, 1, other.mustExport(rc.options()).Decisions)
}

// TestExportGoesPastABadRecord uses a collector that refuses one record, and then one that refuses everything.
func TestExportGoesPastABadRecord(t *testing.T) {
	h, rc := newHome(t), newReceiver(t)
	var ids []string
	for i := range 20 {
		ids = append(ids, h.decide(time.Hour, "merge", fmt.Sprint("p", i), true).ID)
	}
	rc.before = func(w http.ResponseWriter, r *http.Request) bool {
		text, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(text))
		unpacked, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			t.Error(err)
			return false
		}
		plain, _ := io.ReadAll(unpacked)
		bad := bytes.Contains(plain, []byte(ids[7]))
		if bad {
			http.Error(w, "too large", http.StatusRequestEntityTooLarge)
		}
		return bad
	}
	if s := h.mustExport(rc.options()); s.Decisions != 20 || s.Rejected != 1 {
		t.Errorf("sent %+v, want 20 with one rejected", s)
	}
	if got := rc.ids(); len(got) != 19 || slices.Contains(got, ids[7]) {
		t.Errorf("received %d records", len(got))
	}
	h.decide(time.Hour, "merge", "p20", true)
	h.decide(time.Hour, "merge", "p21", true)
	rc.before = func(w http.ResponseWriter, _ *http.Request) bool {
		http.Error(w, "not here", http.StatusBadRequest)
		return true
	}
	_, err := h.export(rc.options())
	require.ErrorAs(t, err, new(*Refused), "a collector that takes nothing")
	rc.before = nil
	if s := h.mustExport(rc.options()); s.Decisions != 2 || s.Rejected != 0 {
		t.Errorf("afterwards sent %+v, want both", s)
	}
}

// TestExportAfterUsesWerePruned removes the newest uses, which must not cause others to be sent again.
func TestExportAfterUsesWerePruned(t *testing.T) {
	h, rc := newHome(t), newReceiver(t)
	h.decide(30*24*time.Hour, "merge", "p1", true)
	h.use(30*24*time.Hour-time.Second, "p1")
	h.decide(time.Hour, "merge", "p2", true)
	h.mustExport(rc.options())
	require.NoError(t, h.db.Prune(t.Context(), now.AddDate(0, 0, -20)))
	assert.Equal(t, Sent{}, h.mustExport(rc.options()))
	h.use(time.Hour-time.Second, "p2")
	assert.Equal(t, 1, h.mustExport(rc.options()).Uses)
}

func TestBelow(t *testing.T) {
	for p, want := range map[string]string{
		"/home/kim/.claude/skills/pdf/SKILL.md":        "skills/pdf/SKILL.md",
		"/srv/skills/client/.claude/skills/a/SKILL.md": "skills/a/SKILL.md",
		"/home/kim/client/.claude/agents/reviewer.md":  "agents/reviewer.md",
		"/home/kim/client/notes.md":                    "notes.md",
		"":                                             "",
	} {
		assert.Equal(t, want, below(p), p)
	}
}
