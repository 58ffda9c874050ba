package onlog

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	logs "go.opentelemetry.io/proto/slim/otlp/logs/v1"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/otlp"
	"github.com/skillgate/skillgate/gate/journal/store"
)

// exported exports the logs of two machines with equal prompt ids to a collector's file and returns it with the last
// machine.
func exported(t *testing.T) (string, *apptest.Home) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "decisions.jsonl")
	out, err := os.Create(file)
	require.NoError(t, err)
	defer out.Close()
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/logs") {
			return
		}
		packed, err := gzipped(r.Body)
		var m logs.LogsData
		if err == nil {
			err = proto.Unmarshal(packed, &m)
		}
		assert.NoError(t, err)
		text, err := protojson.Marshal(&m)
		assert.NoError(t, err)
		_, err = out.Write(append(text, '\n'))
		assert.NoError(t, err)
	}))
	defer collector.Close()
	var last *apptest.Home
	for _, skill := range []string{"pdf", "csv"} {
		h := apptest.New(t)
		last = h
		h.Watch(t)
		h.Decide(t, 3*time.Hour, gate.Decision{Prompt: "merge", Verdict: gate.Inject, Lang: "en",
			Candidates: []gate.Candidate{{Name: skill, Pool: "skill", Injected: true}}}, journal.Full, "p1")
		h.Decide(t, 2*time.Hour, gate.Decision{Prompt: "thanks", Verdict: gate.Skip, Reason: gate.Ack, Lang: "en"}, journal.Full, "p2")
		use := journal.New(journal.KindOutcome, h.Now().Add(-170*time.Minute))
		use.Session, use.PromptID = "s1", "p1"
		use.Outcome = &journal.Outcome{Tool: journal.ToolSkill, Skill: "pdf", Success: true, Source: "PostToolUse", Call: "c1"}
		require.NoError(t, journal.Append(h.State, use))
		db, err := store.Open(t.Context(), h.State)
		require.NoError(t, err)
		_, err = db.Fold(t.Context(), h.Now(), time.Second)
		require.NoError(t, err)
		sent, err := otlp.Export(t.Context(), db, otlp.Options{Now: h.Now, Settle: time.Hour, Prompts: journal.Full,
			Resource: map[string]string{"team": skill + " team"},
			To:       otlp.Collector{Address: collector.URL + "/v1/logs", Client: http.DefaultClient}})
		db.Close()
		if err != nil || sent.Decisions != 2 || sent.Uses != 1 {
			t.Fatalf("sent %+v, %v", sent, err)
		}
	}
	return file, last
}

// The journal counts what the machines count themselves, with foreign lines and repeated requests in the files.
func TestWrite(t *testing.T) {
	file, last := exported(t)
	text := last.Read(t, file)
	first, _, _ := strings.Cut(text, "\n")
	of := func(name, text string) string {
		return apptest.File(t, name, text)
	}
	claude := `{"resourceLogs":[{"resource":{"attributes":[{"key":"team","value":{"stringValue":"pdf team"}}]},"scopeLogs":[{"logRecords":[` +
		`{"timeUnixNano":"1","body":{"stringValue":"claude_code.api_request"},"attributes":[{"key":"n","value":{"intValue":"3"}}]}]}]}]}`
	for _, tt := range []struct {
		name                       string
		files                      []string
		team                       string
		since                      time.Duration
		unread                     int
		decisions, yes, no, missed int
	}{
		{"all teams", []string{file}, "", 0, 0, 4, 1, 1, 1},
		{"one team", []string{file}, "pdf team", 0, 0, 2, 1, 0, 0},
		{"the other", []string{file}, "csv team", 0, 0, 2, 0, 1, 1},
		{"the last hours", []string{file}, "", 150 * time.Minute, 0, 2, 0, 0, 0},
		{"a request that came again", []string{file, of("again.jsonl", first+"\n")}, "", 0, 0, 4, 1, 1, 1},
		{"another program's records", []string{of("a.jsonl", claude+"\n"), file}, "pdf team", 0, 0, 2, 1, 0, 0},
		{"a collector that was killed while it wrote", []string{of("b.jsonl", first[:len(first)/2]+text)}, "", 0, 0, 4, 1, 1, 1},
		{"no OTLP", []string{file, of("c.jsonl", "\nwhat\n{\n")}, "", 0, 2, 4, 1, 1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "skillgate")
			since := time.Time{}
			if tt.since > 0 {
				since = last.Now().Add(-tt.since)
			}
			sum, err := write(tt.files, tt.team, since, dir)
			require.NoError(t, err)
			require.Equal(t, tt.unread, sum.unread)
			db, err := store.Open(t.Context(), dir)
			require.NoError(t, err)
			defer db.Close()
			_, err = db.Fold(t.Context(), last.Now(), time.Second)
			require.NoError(t, err)
			decisions, yes, no, missed := 0, 0, 0, 0
			err = db.Turns(t.Context(), store.Filter{}, func(turn *store.Turn) error {
				decisions++
				switch turn.State() {
				case "yes":
					yes++
				case "no":
					no++
				}
				missed += len(turn.Unnamed())
				return nil
			})
			if err != nil || decisions != tt.decisions || yes != tt.yes || no != tt.no || missed != tt.missed {
				t.Errorf("decisions %d, yes %d, no %d, missed %d, %v; want %d, %d, %d, %d", decisions, yes, no, missed, err,
					tt.decisions, tt.yes, tt.no, tt.missed)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"{}"}}]}]}]}`)
	f.Fuzz(func(t *testing.T, line string) {
		if m, ok := parse([]byte(line)); ok {
			if _, err := m.write(json.NewEncoder(io.Discard), "", time.Time{}); err != nil {
				t.Error(err)
			}
		}
	})
}

func gzipped(r io.Reader) ([]byte, error) {
	in, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(in)
}
