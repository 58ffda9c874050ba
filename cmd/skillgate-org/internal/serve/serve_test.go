package serve

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/postgrestest"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/replica"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/hooks/mcp"
)

type registry struct {
	*Service
	postgres *postgrestest.Server
	server   *httptest.Server
}

func start(t *testing.T, change func(*Service)) *registry {
	t.Helper()
	p := postgrestest.New(t)
	store, err := truth.Open(t.Context(), p.Address())
	require.NoError(t, err)
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	s := &Service{
		Replica: &replica.Replica{Store: store, Cache: t.TempDir(), Poll: 50 * time.Millisecond, Patience: time.Minute, Log: log, Name: "a"},
		Issuer:  &Issuer{Tenant: "tenant", Roles: "roles"}, Rate: 1000, Burst: 1000, Log: log, Version: "test",
	}
	server := httptest.NewUnstartedServer(nil)
	s.URL = "http://" + server.Listener.Addr().String()
	if change != nil {
		change(s)
	}
	server.Config.Handler = s.Handler()
	server.Start()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { s.Run(ctx); close(ended) }()
	t.Cleanup(func() {
		server.Close()
		stop()
		<-ended
		store.Close()
	})
	return &registry{s, p, server}
}

func (r *registry) fill(t *testing.T, tenant, pool string, roles []string, skills ...truth.Skill) {
	t.Helper()
	_, err := r.Replica.Store.Import(t.Context(), "root", tenant, pool, roles, func(yield func(truth.Skill, error) bool) {
		for _, k := range skills {
			if !yield(k, nil) {
				return
			}
		}
	})
	require.NoError(t, err)
}

func (r *registry) settle(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		var left int
		require.NoError(t, r.Replica.Store.DB.QueryRow(t.Context(), `SELECT count(*) FROM pool p WHERE revision > 0 AND NOT EXISTS
			(SELECT FROM generation g WHERE g.tenant = p.tenant AND g.pool = p.name AND g.revision = p.revision)`).Scan(&left))
		if left == 0 {
			time.Sleep(2 * r.Replica.Poll)
			return
		}
		require.False(t, time.Now().After(end), "%d pools are not built", left)
	}
}

func (r *registry) key(t *testing.T, who truth.Identity) string {
	t.Helper()
	key, err := r.Replica.Store.NewKey(t.Context(), "root", who, time.Now().Add(time.Hour))
	require.NoError(t, err)
	return key
}

func (r *registry) ask(t *testing.T, method, path, token, body string) (int, string, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.server.URL+path, strings.NewReader(body))
	require.NoError(t, err)
	req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(text), answer.Header
}

func skill(name, description, body string) truth.Skill {
	return truth.Skill{Name: name, Source: "test", Text: []byte("---\nname: " + name + "\ndescription: " + description + "\n---\n" + body + "\n")}
}

type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func (r *registry) connect(t *testing.T, key string) *sdk.ClientSession {
	t.Helper()
	transport := &sdk.StreamableClientTransport{Endpoint: r.server.URL + "/mcp", HTTPClient: &http.Client{Transport: bearer(key)}}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), transport, nil)
	require.NoError(t, err)
	t.Cleanup(func() { session.Close() })
	return session
}

func TestMCP(t *testing.T) {
	r := start(t, nil)
	count := skill("wombat-count", "Counts wombats in the garden.", "Count with ${CLAUDE_SKILL_DIR}/count.py.")
	count.Files = []truth.File{{Path: "count.py", Content: []byte("print(1)\n")}}
	r.fill(t, "acme", "base", nil, count)
	r.fill(t, "acme", "team", []string{"payments"}, skill("invoice", "Settles invoices of keepers.", "Settle."))
	r.settle(t)
	session := r.connect(t, r.key(t, truth.Identity{Tenant: "acme", Subject: "bob"}))
	call := func(tool string, args map[string]any) (string, bool) {
		t.Helper()
		res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
		require.NoError(t, err)
		return res.Content[0].(*sdk.TextContent).Text, res.IsError
	}
	if text, bad := call("skill_lookup",
		map[string]any{"prompt": "count the wombats in the garden and settle invoices"}); bad ||
		!strings.Contains(text, "wombat-count") || strings.Contains(text, "invoice:") {
		t.Errorf("skill_lookup: %s", text)
	}
	text, bad := call("skill_load", map[string]any{"name": "wombat-count"})
	if bad || !strings.Contains(text, "Count with skill://base/wombat-count/count.py.") || !strings.Contains(text, "resources below skill://base/wombat-count") {
		t.Errorf("skill_load: %s", text)
	}
	if text, bad := call("skill_load", map[string]any{"name": "invoice"}); !bad {
		t.Errorf("skill_load of a pool that is not seen: %s", text)
	}
	file, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "skill://base/wombat-count/count.py"})
	require.NoError(t, err)
	assert.Equal(t, "print(1)\n", file.Contents[0].Text)
	_, err = session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "skill://team/invoice/SKILL.md"})
	assert.Error(t, err, "resources/read of a pool that is not seen")
	for _, want := range [][2]string{{"lookup", "base/wombat-count"}, {"load", "base/wombat-count/SKILL.md"},
		{"load", "base/wombat-count/count.py"}} {
		require.Eventually(t, func() bool { // lookups are recorded in the background
			events, err := r.Replica.Store.Audited(t.Context(), "acme", 100)
			return assert.NoError(t, err) && slices.ContainsFunc(events, func(e truth.Event) bool {
				return e.Actor == "bob" && e.Action == want[0] && slices.Equal(e.Skills, want[1:])
			})
		}, time.Minute, 10*time.Millisecond, "the audit has no %s", want)
	}
}

func TestAPI(t *testing.T) {
	r := start(t, func(s *Service) { s.Rate, s.Burst = 0.001, 50 })
	r.fill(t, "acme", "base", nil, skill("wombat-count", "Counts wombats in the garden.", "Count."))
	r.fill(t, "acme", "team", []string{"payments"}, skill("invoice", "Settles invoices of keepers.", "Settle."))
	r.fill(t, "other", "base", nil, skill("lion-feed", "Feeds lions.", "Feed."))
	r.settle(t)
	bob := r.key(t, truth.Identity{Tenant: "acme", Subject: "bob"})
	expired, err := r.Replica.Store.NewKey(t.Context(), "root", truth.Identity{Tenant: "acme", Subject: "bob"}, time.Now().Add(-time.Second))
	require.NoError(t, err)
	lookup := `{"prompt":"count the wombats in the garden"}`
	for _, tt := range []struct {
		name, method, path, token, body string
		status                          int
		want                            string
	}{
		{"no token", "POST", "/v1/lookup", "", lookup, 401, "no bearer token"},
		{"an unknown key", "POST", "/v1/lookup", "skg_x", lookup, 401, "unknown or expired"},
		{"an expired key", "POST", "/v1/lookup", expired, lookup, 401, "unknown or expired"},
		{"a token without an issuer", "POST", "/v1/lookup", "a.b.c", lookup, 401, "not a key"},
		{"a lookup", "POST", "/v1/lookup", bob, lookup, 200, `"name":"wombat-count"`},
		{"a lookup with an unknown key", "POST", "/v1/lookup", bob, `{"tenant":"other","prompt":"x"}`, 400, "unknown field"},
		{"two lookups in one request", "POST", "/v1/lookup", bob, `{"prompt":"x"}{"prompt":"y"}`, 400, "unexpected data after"},
		{"a lookup and a bracket too many", "POST", "/v1/lookup", bob, `{"prompt":"x"}}`, 400, "unexpected data after"},
		{"a request for skills and more", "POST", "/v1/library", bob, `{"skills":[]} x`, 400, "unexpected data after"},
		{"no JSON", "POST", "/v1/lookup", bob, "x", 400, "invalid"},
		{"too long", "POST", "/v1/lookup", bob, `{"prompt":"` + strings.Repeat("x", maxRequest) + `"}`, 413, "too large"},
		{"a load", "POST", "/v1/load", bob, `{"name":"wombat-count"}`, 200, `"about":{"pool":"base","name":"wombat-count","revision":1,"hash":"`},
		{"a load of another tenant's", "POST", "/v1/load", bob, `{"name":"lion-feed"}`, 400, "no skill is named"},
		{"a library", "GET", "/v1/library", bob, "", 200, `{"skills":[{"pool":"base","name":"wombat-count","hash":"`},
		{"a page of it", "GET", "/v1/library?limit=1", bob, "", 200, `"next":"wombat-count"}`},
		{"the page behind it", "GET", "/v1/library?limit=1&after=wombat-count", bob, "", 200, `{"skills":[]}`},
		{"10,000 skills a page", "GET", "/v1/library?limit=10000", bob, "", 400, `limit is "10000" but must be between 1 and 5000`},
		{"10,000 candidates", "POST", "/v1/lookup", bob, `{"prompt":"x","k":10000}`, 400, "k is 10000 but must be 1 to 20"},
		{"skills for a machine", "POST", "/v1/library", bob, `{"skills":[{"pool":"base","name":"wombat-count"}]}`, 200, "Counts wombats in the garden."},
		{"skills of a pool that is not seen", "POST", "/v1/library", bob, `{"skills":[{"pool":"team","name":"invoice"}]}`, 200, "\x00\x00"},
		{"no skills for a machine", "POST", "/v1/library", bob, `{"skills":[]}`, 400, "must name between 1 and 64"},
		{"a page behind NUL", "GET", "/v1/library?after=%00", bob, "", 400, errNoText.Error()},
		{"a page behind what is not UTF-8", "GET", "/v1/library?after=%ff", bob, "", 400, errNoText.Error()},
		{"a pool with NUL", "POST", "/v1/library", bob, `{"skills":[{"pool":"base\u0000","name":"x"}]}`, 400,
			errNoText.Error()},
		{"a page behind SQL", "GET", "/v1/library?after=x'%3B%20DROP%20TABLE%20skill%3B%20--", bob, "", 200, `{"skills":[]}`},
		{"a load of SQL", "POST", "/v1/load", bob, `{"name":"'; DROP TABLE skill; --"}`, 400, "no skill is named"},
		{"who gives out tokens", "GET", "/.well-known/oauth-protected-resource", "", "", 200, `"resource":"` + r.URL + `/mcp"`},
		{"health", "GET", "/healthz", "", "", 200, ""},
		{"readiness", "GET", "/readyz", "", "", 200, ""},
	} {
		status, text, header := r.ask(t, tt.method, tt.path, tt.token, tt.body)
		require.Equal(t, tt.status, status, tt.name)
		assert.Contains(t, text, tt.want, tt.name)
		assert.NotContains(t, text, "Settles invoices", tt.name)
		where := `Bearer resource_metadata="` + r.URL + `/.well-known/oauth-protected-resource"` // package fetch expects this form
		if status == 401 && header.Get("WWW-Authenticate") != where {
			t.Errorf("%s: WWW-Authenticate %q", tt.name, header.Get("WWW-Authenticate"))
		}
	}
	for range 60 {
		if status, _, header := r.ask(t, "GET", "/v1/library", bob, ""); status == 429 {
			assert.NotEmpty(t, header.Get("Retry-After"), "429 without Retry-After")
			return
		}
	}
	t.Error("more than the burst is answered")
}

type issuer struct {
	*httptest.Server
	key     *rsa.PrivateKey
	asked   atomic.Int32 // requests
	padding atomic.Int32 // bytes of blanks before the keys
	failing atomic.Bool
}

func newIssuer(t *testing.T) *issuer {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	i := &issuer{key: key}
	i.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i.asked.Add(1)
		if i.failing.Load() {
			http.Error(w, "stack trace of inner.example.com", http.StatusInternalServerError)
			return
		}
		switch r.URL.Path {
		case "/.well-known/openid-configuration":
			fmt.Fprintf(w, `{"issuer":%q,"jwks_uri":%q,"authorization_endpoint":"x","token_endpoint":"x",`+
				`"id_token_signing_alg_values_supported":["RS256"]}`, i.URL, i.URL+"/keys")
		case "/keys":
			fmt.Fprint(w, strings.Repeat(" ", int(i.padding.Load())))
			_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: &key.PublicKey, KeyID: "1", Algorithm: "RS256", Use: "sig"}}})
		}
	}))
	t.Cleanup(i.Close)
	return i
}

func (i *issuer) token(t *testing.T, by *rsa.PrivateKey, claims map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: by, KeyID: "1"}}, nil)
	require.NoError(t, err)
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	require.NoError(t, err)
	return token
}

func TestTokens(t *testing.T) {
	i := newIssuer(t)
	r := start(t, func(s *Service) { s.Issuer.URL, s.Issuer.Audience = i.URL, s.URL+"/mcp" })
	r.fill(t, "acme", "base", nil, skill("wombat-count", "Counts wombats.", "Count."))
	r.fill(t, "acme", "anns", []string{"user:ann", "keepers"}, skill("wombat-feed", "Feeds wombats.", "Feed."))
	r.settle(t)
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	now := time.Now()
	claims := func(change map[string]any) map[string]any {
		c := map[string]any{"iss": i.URL, "aud": r.URL + "/mcp", "sub": "bob", "tenant": "acme", "exp": now.Add(time.Hour).Unix(), "iat": now.Unix()}
		for k, v := range change {
			if c[k] = v; v == nil {
				delete(c, k)
			}
		}
		return c
	}
	for _, tt := range []struct {
		name   string
		by     *rsa.PrivateKey
		change map[string]any
		status int
		want   string
	}{
		{"good", i.key, nil, 200, "skills: 1"},
		{"of who has a pool", i.key, map[string]any{"sub": "ann"}, 200, "skills: 2"},
		{"with another's own role", i.key, map[string]any{"roles": []string{"user:ann"}}, 200, "skills: 1"},
		{"with roles in a text", i.key, map[string]any{"roles": "x keepers"}, 200, "skills: 2"},
		{"a little after its end", i.key, map[string]any{"exp": now.Add(-10 * time.Second).Unix()}, 200, "skills: 1"},
		{"expired", i.key, map[string]any{"exp": now.Add(-time.Minute).Unix()}, 401, "invalid token"},
		{"without an end", i.key, map[string]any{"exp": nil}, 401, "invalid token"},
		{"not yet good", i.key, map[string]any{"nbf": now.Add(time.Hour).Unix()}, 401, "invalid token"},
		{"for another service", i.key, map[string]any{"aud": "https://elsewhere.example.com"}, 401, "invalid token"},
		{"of another issuer", i.key, map[string]any{"iss": "https://evil.example.com"}, 401, "invalid token"},
		{"signed by another", other, nil, 401, "invalid token"},
		{"without a tenant", i.key, map[string]any{"tenant": nil}, 401, "invalid token"},
		{"with a number for a tenant", i.key, map[string]any{"tenant": 1}, 401, "invalid token"},
		{"of a tenant that is not there", i.key, map[string]any{"tenant": "x' OR '1'='1"}, 404, "not found"},
	} {
		status, text, _ := r.ask(t, "GET", "/v1/library", i.token(t, tt.by, claims(tt.change)), "")
		if status == 200 {
			text = fmt.Sprint("skills: ", strings.Count(text, `"hash":`))
		}
		if status != tt.status || !strings.Contains(text, tt.want) || status == 401 && text != "invalid token\n" {
			t.Errorf("a token %s: %d %s, want %d %s", tt.name, status, text, tt.status, tt.want)
		}
	}
	unsigned := "eyJhbGciOiJub25lIn0." + strings.Split(i.token(t, i.key, claims(nil)), ".")[1] + "."
	status, text, _ := r.ask(t, "GET", "/v1/library", unsigned, "")
	assert.Equal(t, 401, status, text)
}

// While the database is down, lookups are answered and recorded exactly once when it is back. Nothing is loaded without
// a record.
func TestDatabaseKilled(t *testing.T) {
	r := start(t, nil)
	r.fill(t, "acme", "base", nil, skill("wombat-count", "Counts wombats in the garden.", "Count."))
	r.settle(t)
	key := r.key(t, truth.Identity{Tenant: "acme", Subject: "bob"})
	lookup := func() {
		t.Helper()
		status, text, _ := r.ask(t, "POST", "/v1/lookup", key,
			`{"prompt":"count the wombats in the garden"}`)
		require.Equal(t, 200, status)
		assert.Contains(t, text, "wombat-count")
	}
	lookup()
	r.postgres.Stop(syscall.SIGKILL)
	for range 20 {
		lookup()
	}
	if status, text, _ := r.ask(t, "POST", "/v1/load", key, `{"name":"wombat-count"}`); status != 503 || strings.Contains(text, "socket") {
		t.Errorf("load: %d %s", status, text)
	}
	status, _, _ := r.ask(t, "GET", "/readyz", "", "")
	assert.Equal(t, 503, status)
	r.postgres.Start()
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		var n int
		err := r.Replica.Store.DB.QueryRow(t.Context(), `SELECT count(*) FROM audit WHERE action = 'lookup'`).Scan(&n)
		if err == nil && n == 21 {
			break
		}
		require.False(t, time.Now().After(end), "%d lookups in the audit, %v; want 21", n, err)
	}
	status, text, _ := r.ask(t, "POST", "/v1/load", key, `{"name":"wombat-count"}`)
	assert.Equal(t, 200, status, text)
}

func TestDatabaseHangs(t *testing.T) {
	r := start(t, func(s *Service) { s.Replica.Patience = 100 * time.Millisecond })
	r.fill(t, "acme", "base", nil, skill("wombat-count", "Counts wombats.", "Count."))
	who := truth.Identity{Tenant: "acme", Subject: "bob"}
	key := r.key(t, who)
	r.settle(t)
	tx, err := r.Replica.Store.DB.Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(context.Background())) }()
	_, err = tx.Exec(t.Context(), `LOCK TABLE lease, pool, generation, tenant, skill, revision, audit`)
	require.NoError(t, err)
	for _, tt := range [][3]string{
		{"POST", "/v1/lookup", `{"prompt":"count the wombats"}`}, {"POST", "/v1/load", `{"name":"wombat-count"}`},
		{"GET", "/v1/library", ""},
	} {
		if status, text, _ := r.ask(t, tt[0], tt[1], key, tt[2]); status < 500 {
			t.Errorf("%s: %d %s, want a failure", tt[1], status, text)
		}
	}
	ctx, cancel := r.within(context.WithValue(t.Context(), whoContext{}, who))
	defer cancel()
	_, _, err = r.source.File(ctx, nil, index.Doc{ID: "base/wombat-count"})
	assert.ErrorIs(t, err, replica.ErrUnreachable)
}

func busy(status int, text string, header http.Header) bool {
	return status == 503 && header.Get("Retry-After") == "1" && strings.Contains(text, "the server is busy")
}

// Lookups beyond the limit wait, and are refused if too many wait. Requests that wait for the database block nobody.
func TestTooMuchAtOnce(t *testing.T) {
	r := start(t, nil)
	r.fill(t, "acme", "base", nil, skill("wombat-count", "Counts wombats in the garden.", "Count."))
	r.settle(t)
	key := r.key(t, truth.Identity{Tenant: "acme", Subject: "bob"})
	lookup := func() (int, string, http.Header) {
		return r.ask(t, "POST", "/v1/lookup", key, `{"prompt":"count the wombats in the garden"}`)
	}
	session := r.connect(t, key)
	for range cap(r.turns.taken) {
		_, err := r.turns.take(t.Context())
		require.NoError(t, err)
	}
	var all sync.WaitGroup
	const most = maxQueue / 2 // share of one tenant
	for range most {
		all.Go(func() {
			status, text, _ := lookup()
			assert.Equal(t, 200, status, text)
		})
	}
	for r.turns.queue.free("acme") {
		time.Sleep(time.Millisecond)
	}
	for _, path := range []string{"/v1/lookup", "/v1/load", "/mcp"} {
		if status, text, header := r.ask(t, "POST", path, key, "{}"); !busy(status, text, header) {
			t.Errorf("%s: %d %s, Retry-After %q; want 503", path, status, text, header.Get("Retry-After"))
		}
	}
	status, text, _ := r.ask(t, "GET", "/v1/library", key, "")
	assert.Equal(t, 200, status, "a list, which ranks nothing: %s", text)
	prompt := map[string]any{"prompt": "count the wombats in the garden"}
	counting := &sdk.CallToolParams{Name: "skill_lookup", Arguments: prompt}
	_, err := session.CallTool(t.Context(), counting)
	assert.ErrorContains(t, err, "Service Unavailable")
	_, err = r.source.Lookup(context.WithValue(t.Context(), whoContext{}, truth.Identity{Tenant: "acme", Subject: "bob"}),
		mcp.LookupInput{Prompt: "count"})
	assert.ErrorIs(t, err, errBusy)
	assert.Equal(t, most, r.turns.queue.all)
	assert.True(t, r.turns.queue.free("other"), "another tenant has no place in the queue")
	for range cap(r.turns.taken) {
		r.turns.end()
	}
	all.Wait()
	res, err := session.CallTool(t.Context(), counting)
	require.NoError(t, err)
	require.False(t, res.IsError)
	assert.Contains(t, res.Content[0].(*sdk.TextContent).Text, "wombat-count")

	tx, err := r.Replica.Store.DB.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `LOCK TABLE audit`)
	require.NoError(t, err)
	for range 2 * cap(r.turns.taken) {
		all.Go(func() { r.ask(t, "POST", "/v1/load", key, `{"name":"wombat-count"}`) })
	}
	for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if status, text, _ := lookup(); status != 200 {
			t.Errorf("a lookup while loads wait for the database: %d %s", status, text)
			break
		}
	}
	require.NoError(t, tx.Rollback(context.Background()))
	all.Wait()
}

// Half-sent bodies of one tenant do not block another tenant, and time out.
func TestHalfSentBodies(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	for _, tenant := range []string{"acme", "evil"} {
		r.fill(t, tenant, "base", nil, skill("wombat-count", "Counts wombats in the garden.", "Count."))
	}
	r.settle(t)
	bob, eve := r.key(t, truth.Identity{Tenant: "acme", Subject: "bob"}), r.key(t, truth.Identity{Tenant: "evil", Subject: "eve"})
	var all []net.Conn
	defer func() {
		for _, c := range all {
			c.Close()
		}
	}()
	half := func(to *httptest.Server, path, key string) net.Conn {
		t.Helper()
		c, err := net.Dial("tcp", to.Listener.Addr().String())
		require.NoError(t, err)
		all = append(all, c)
		_, err = fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: 100\r\n\r\n{", path, key)
		require.NoError(t, err)
		return c
	}
	for n := range maxReading / 2 {
		half(r.server, []string{"/v1/lookup", "/mcp", "/v1/library"}[n%3], eve)
	}
	for r.reading.free("evil") {
		time.Sleep(time.Millisecond)
	}
	lookup := `{"prompt":"count the wombats in the garden"}`
	status, text, header := r.ask(t, "POST", "/v1/lookup", eve, lookup)
	assert.True(t, busy(status, text, header), "a tenant that has used up its share: %d %s", status, text)
	assert.Equal(t, 0, r.inside.all)
	for range 3 {
		status, text, _ := r.ask(t, "POST", "/v1/lookup", bob, lookup)
		assert.Equal(t, 200, status, text)
	}
	hasty := &Service{bodyTime: 50 * time.Millisecond, reading: shares{places: 2}}
	server := httptest.NewServer(hasty.whole(http.NotFoundHandler()))
	t.Cleanup(server.Close) // after the connections
	answer, err := http.ReadResponse(bufio.NewReader(half(server, "/", "")), nil)
	require.NoError(t, err)
	assert.Equal(t, http.StatusRequestTimeout, answer.StatusCode)
}

func TestBurst(t *testing.T) {
	r := start(t, func(s *Service) { s.Burst = 2 })
	r.fill(t, "acme", "base", nil, skill("wombat-count", "Counts wombats in the garden.", "Count."))
	r.settle(t)
	bob := r.key(t, truth.Identity{Tenant: "acme", Subject: "bob"})
	lookup := `{"prompt":"count the wombats in the garden"}`
	status, text, _ := r.ask(t, "POST", "/v1/lookup", bob, lookup)
	require.Equal(t, 200, status, text)
	r.limits.of["acme/bob"].asking.Add(2)
	if status, text, header := r.ask(t, "POST", "/v1/lookup", bob, lookup); status != 429 ||
		header.Get("Retry-After") != "1" || !strings.Contains(text, "at once") {
		t.Errorf("more than the burst at once: %d %s", status, text)
	}
	ann := r.key(t, truth.Identity{Tenant: "acme", Subject: "ann"})
	status, text, _ = r.ask(t, "POST", "/v1/lookup", ann, lookup)
	assert.Equal(t, 200, status, text)
}

func TestShares(t *testing.T) {
	s := shares{places: 12}
	take := func(tenant string, want int) (done []func()) {
		t.Helper()
		for s.free(tenant) {
			end, err := s.take(tenant)
			require.NoError(t, err)
			done = append(done, end)
		}
		assert.Equal(t, want, len(done))
		_, err := s.take(tenant)
		assert.ErrorIs(t, err, errBusy)
		return done
	}
	first := take("a", 6)
	second := take("b", 3)
	take("c", 2)
	for _, done := range append(first, second...) {
		done()
	}
	require.Equal(t, 2, s.all)
	assert.Len(t, s.held, 1)
	take("a", 5)
}

func TestOtherSites(t *testing.T) {
	r := start(t, func(s *Service) { s.URL = "https://skills.example.com:8443" })
	for _, tt := range []struct {
		host, origin string
		allowed      bool
	}{
		{"skills.example.com:8443", "", true},
		{"SKILLS.example.com", "https://skills.example.com:8443", true},
		{"127.0.0.1:8080", "", true},
		{"[::1]:8080", "http://[::1]:8080", true},
		{"localhost", "http://localhost", true},
		{"evil.example", "", false},
		{"skills.example.com.evil.example", "", false},
		{"", "", false},
		{"localhost:8080", "http://localhost:9090", false},
		{"skills.example.com:8443", "http://evil.example", false},
		{"skills.example.com:8443", "null", false},
		{"skills.example.com:8443", "https://skills.example.com:8443.evil.example", false},
	} {
		for _, path := range []string{"/mcp", "/v1/lookup", "/v1/library"} {
			w, req := httptest.NewRecorder(), httptest.NewRequest("POST", path, strings.NewReader("{}"))
			req.Host = tt.host
			if tt.origin != "" {
				req.Header.Set("Origin", tt.origin)
			}
			r.server.Config.Handler.ServeHTTP(w, req)
			if allowed := w.Code != http.StatusForbidden; allowed != tt.allowed || allowed && w.Code != http.StatusUnauthorized {
				t.Errorf("%s of Host %q and Origin %q: %d %s", path, tt.host, tt.origin, w.Code, w.Body)
			}
		}
	}
}

// Tokens of an issuer that hangs block neither keys nor, beyond a limit, other requests.
func TestIssuerHangs(t *testing.T) {
	t.Parallel()
	hangs := make(chan struct{})
	issuer := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hangs }))
	defer issuer.Close()
	defer close(hangs)
	r := start(t, func(s *Service) { s.Issuer.URL, s.Issuer.Audience = issuer.URL, "x" })
	r.fill(t, "acme", "base", nil, skill("wombat-count", "Counts wombats.", "Count."))
	key := r.key(t, truth.Identity{Tenant: "acme", Subject: "bob"})
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	refused := make(chan *http.Response, 2*maxChecking)
	for range cap(refused) {
		all.Go(func() {
			req, err := http.NewRequestWithContext(ctx, "GET", r.server.URL+"/v1/library", nil)
			if err != nil {
				t.Error(err)
				return
			}
			req.Header.Set("Authorization", "Bearer a.b.c")
			if answer, err := http.DefaultClient.Do(req); err == nil {
				answer.Body.Close()
				refused <- answer
			}
		})
	}
	first := <-refused
	assert.Equal(t, []string{"503 Service Unavailable", "1"}, []string{first.Status, first.Header.Get("Retry-After")})
	status, text, _ := r.ask(t, "GET", "/v1/library", key, "")
	assert.Equal(t, 200, status, text)
}

func TestTooManyMachines(t *testing.T) {
	r := start(t, nil)
	r.fill(t, "acme", "base", nil, skill("wombat-count", "Counts wombats in the garden.", "Count."))
	r.settle(t)
	key := r.key(t, truth.Identity{Tenant: "acme", Subject: "bob"})
	send := `{"skills":[{"pool":"base","name":"wombat-count"}]}`
	var ends []func()
	for r.sending.free("acme") {
		end, err := r.sending.take("acme")
		require.NoError(t, err)
		ends = append(ends, end)
	}
	status, text, header := r.ask(t, "POST", "/v1/library", key, send)
	assert.True(t, busy(status, text, header), "one more: %d %s", status, text)
	status, text, _ = r.ask(t, "GET", "/v1/library", key, "")
	assert.Equal(t, 200, status, text)
	ends[0]()
	for range 2 {
		status, text, _ := r.ask(t, "POST", "/v1/library", key, send)
		assert.Equal(t, 200, status, text)
	}
	ends[1]()
	r.limits.mu.Lock()
	for _, bob := range r.limits.of {
		bob.sending.Add(maxShare)
	}
	r.limits.mu.Unlock()
	status, text, header = r.ask(t, "POST", "/v1/library", key, send)
	assert.True(t, busy(status, text, header), "more for one person than their share: %d %s", status, text)
	ann := r.key(t, truth.Identity{Tenant: "acme", Subject: "ann"})
	status, text, _ = r.ask(t, "POST", "/v1/library", ann, send)
	assert.Equal(t, 200, status, text)
}

// Revoked keys are unknown. Look-ups of unknown keys are limited, which does not affect known keys.
func TestUnknownKeys(t *testing.T) {
	r := start(t, nil)
	r.fill(t, "acme", "base", nil, skill("wombat-count", "Counts wombats.", "Count."))
	store := r.Replica.Store
	door := &doorman{store: store, patience: time.Minute, log: r.Log, unknown: rate.NewLimiter(0, 3)}
	good := r.key(t, truth.Identity{Tenant: "acme", Subject: "bob"})
	_, _, err := door.byKey(t.Context(), good)
	require.NoError(t, err)
	var all sync.WaitGroup
	anns := r.key(t, truth.Identity{Tenant: "acme", Subject: "ann"})
	for range 100 { // at once, with a key that is not known yet
		all.Go(func() {
			if who, _, err := door.byKey(t.Context(), anns); err != nil || who.Subject != "ann" {
				t.Errorf("one of many requests with one good key: %+v, %v", who, err)
			}
		})
	}
	all.Wait()
	var invalid, often atomic.Int32
	for i := range 100 { // at once
		all.Go(func() {
			switch _, _, err := door.byKey(t.Context(), fmt.Sprintf("skg_%d", i)); {
			case errors.Is(err, auth.ErrInvalidToken):
				invalid.Add(1)
			case errors.Is(err, errOften):
				often.Add(1)
			}
		})
	}
	all.Wait()
	require.Equal(t, int32(3), invalid.Load())
	assert.Equal(t, int32(97), often.Load())
	_, _, err = door.byKey(t.Context(), good)
	require.NoError(t, err)
	r.key(t, truth.Identity{Tenant: "acme", Subject: "bob"})
	other := r.key(t, truth.Identity{Tenant: "acme", Subject: "eve"})
	if n, err := store.Revoke(t.Context(), "root", "acme", "bob"); n != 2 || err != nil {
		t.Errorf("Revoke = %d, %v, want 2", n, err)
	}
	_, _, err = store.ByKey(t.Context(), good)
	assert.ErrorIs(t, err, truth.ErrNotFound)
	_, _, err = store.ByKey(t.Context(), other)
	require.NoError(t, err)
	_, err = store.Revoke(t.Context(), "root", "acme", "bob")
	assert.ErrorIs(t, err, truth.ErrNotFound)
}

// Beyond the limit, unknown keys get 429 instead of 401.
func TestTooManyUnknownKeys(t *testing.T) {
	r := start(t, nil)
	for i := range 10 * unknownBurst {
		status, text, header := r.ask(t, "GET", "/v1/library", fmt.Sprintf("skg_%d", i), "")
		if status == http.StatusTooManyRequests && header.Get("Retry-After") != "" && header.Get("WWW-Authenticate") == "" {
			return
		}
		if status != http.StatusUnauthorized {
			t.Fatalf("unknown key %d: %d %s %v, want 401, later 429 with Retry-After", i+1, status, text, header)
		}
	}
	t.Error("all unknown keys were looked up")
}

// A revoked key stays invalid while the database is down. A valid one works until the replica's knowledge is too old.
func TestKeysWithoutDatabase(t *testing.T) {
	r := start(t, nil)
	r.fill(t, "acme", "base", nil, skill("wombat-count", "Counts wombats.", "Count."))
	store := r.Replica.Store
	door := &doorman{store: store, patience: time.Minute, log: r.Log, unknown: rate.NewLimiter(0, 2)}
	ask := func(key string, later time.Duration) error {
		t.Helper()
		hash := sha256.Sum256([]byte(key))
		if k, ok := door.known[hash]; ok {
			k.asked = k.asked.Add(-later)
			door.known[hash] = k
		}
		_, err := door.verify(t.Context(), key)
		return err
	}
	revoked, good := r.key(t, truth.Identity{Tenant: "acme", Subject: "bob"}), r.key(t, truth.Identity{Tenant: "acme", Subject: "ann"})
	require.NoError(t, errors.Join(ask(revoked, 0), ask(good, 0)))
	_, err := store.Revoke(t.Context(), "root", "acme", "bob")
	require.NoError(t, err)
	assert.ErrorIs(t, ask(revoked, keyFor), auth.ErrInvalidToken)
	r.postgres.Stop(syscall.SIGKILL)
	defer r.postgres.Start()
	assert.ErrorIs(t, ask(revoked, 0), replica.ErrUnreachable)
	require.NoError(t, ask(good, keyFor))
	assert.ErrorIs(t, ask(good, replica.MaxStale), replica.ErrUnreachable)
}

// Callers learn that their token is invalid or that the issuer failed, but not the issuer's answer or address.
func TestIssuerFails(t *testing.T) {
	i := newIssuer(t)
	unknown, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	claims := map[string]any{"iss": i.URL, "aud": "x", "sub": "bob", "tenant": "acme", "exp": time.Now().Add(time.Hour).Unix()}
	good, bad := i.token(t, i.key, claims), i.token(t, unknown, claims)
	known := start(t, func(s *Service) { s.Issuer.URL, s.Issuer.Audience = i.URL, "x" })
	known.fill(t, "acme", "base", nil, skill("wombat-count", "Counts wombats.", "Count."))
	check := func(r *registry, token string, status int, want string) {
		t.Helper()
		got, text, header := r.ask(t, "GET", "/v1/library", token, "")
		if got != status || !strings.HasPrefix(text, want) || strings.Contains(text, "inner") || strings.Contains(text, "127.0.0.1") {
			t.Errorf("%d %s, want %d %s", got, text, status, want)
		}
		if status == 503 && header.Get("Retry-After") == "" {
			t.Error("503 without Retry-After")
		}
	}
	check(known, good, 200, `{"skills":[{`)
	check(known, bad, 401, "invalid token\n")
	i.failing.Store(true)
	check(known, bad, 503, errIssuer.Error()+"\n")
	check(known, good, 200, `{"skills":[{`)
	fresh := start(t, func(s *Service) { s.Issuer.URL, s.Issuer.Audience = i.URL, "x" })
	check(fresh, good, 503, errIssuer.Error()+"\n")
	i.Close()
	check(known, bad, 503, errIssuer.Error()+"\n")
	check(fresh, good, 503, errIssuer.Error()+"\n")
}

// A slow machine gets all skills that it asked for. If one cannot be sent, the connection breaks, so that the answer
// does not look complete.
func TestSlowMachine(t *testing.T) {
	r := start(t, func(s *Service) { s.Replica.Patience = 400 * time.Millisecond })
	big := make([]byte, 1<<20)
	_, _ = rand.Read(big)
	var skills []truth.Skill
	var asked []truth.Listed
	for n := range 20 {
		k := skill(fmt.Sprintf("s%d", n), "Counts wombats.", "Count.")
		k.Files = []truth.File{{Path: "a.bin", Content: big}}
		skills, asked = append(skills, k), append(asked, truth.Listed{Pool: "base", Name: k.Name})
	}
	r.fill(t, "acme", "base", nil, skills...)
	key := r.key(t, truth.Identity{Tenant: "acme", Subject: "bob"})
	body, err := json.Marshal(map[string]any{"skills": asked})
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(r.server.Config.Handler)
	server.Config.ReadTimeout, server.Config.WriteTimeout = 3*time.Second, 3*time.Second
	server.Start()
	defer server.Close()
	// read returns the number of skills received, pausing after each, and the error that ended the answer.
	read := func(pause func(n int)) (int, error) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), "POST", server.URL+"/v1/library", bytes.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+key)
		answer, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer answer.Body.Close()
		n := 0
		for tr := tar.NewReader(answer.Body); ; {
			head, err := tr.Next()
			if err == nil {
				_, err = io.Copy(io.Discard, tr)
			}
			if err != nil {
				return n, err
			}
			if path.Base(head.Name) == "SKILL.md" {
				n++
				pause(n)
			}
		}
	}
	if n, err := read(func(int) { time.Sleep(200 * time.Millisecond) }); n != len(asked) || err != io.EOF {
		t.Errorf("%d of %d skills came, then %v", n, len(asked), err)
	}
	n, err := read(func(n int) {
		if n == 1 {
			r.postgres.Stop(syscall.SIGKILL)
		}
	})
	status, text, _ := r.ask(t, "POST", "/v1/library", key, string(body))
	r.postgres.Start()
	require.Equal(t, 503, status)
	assert.Equal(t, replica.ErrUnreachable.Error()+"\n", text)
	if n == len(asked) || err == io.EOF {
		t.Errorf("without the database %d of %d skills came, then %v, want an answer that breaks off", n, len(asked), err)
	}
}

// Tokens signed with unknown keys do not cause many requests to the issuer, and a huge answer is not read.
func TestIssuerIsSpared(t *testing.T) {
	i := newIssuer(t)
	issuer := &Issuer{URL: i.URL, Audience: "x", Tenant: "tenant", Roles: "roles"}
	token := func(by *rsa.PrivateKey) string {
		return i.token(t, by, map[string]any{"iss": i.URL, "aud": "x", "sub": "bob", "tenant": "acme", "exp": time.Now().Add(time.Hour).Unix()})
	}
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	begin := time.Now()
	for range 50 {
		_, _, err := issuer.Who(t.Context(), token(other))
		require.ErrorIs(t, err, auth.ErrInvalidToken)
	}
	got, most := i.asked.Load(), issuerBurst+int32(time.Since(begin).Seconds()*issuerRate)+1
	assert.LessOrEqual(t, got, most)
	_, _, err = issuer.Who(t.Context(), token(i.key))
	require.NoError(t, err)
	i.padding.Store(2 * maxIssuer)
	issuer = &Issuer{URL: i.URL, Audience: "x", Tenant: "tenant", Roles: "roles"}
	_, _, err = issuer.Who(t.Context(), token(i.key))
	assert.Error(t, err, "an answer of 2 MiB was read")
	for address, good := range map[string]bool{
		"https://login.example.com": true, "http://127.0.0.1:5/x": true, "http://localhost": true, "http://[::1]:80": true,
		"http://login.example.com": false, "http://localhost.example.com": false, "ftp://localhost": false, "login.example.com": false, "": false,
	} {
		u, err := url.Parse(address)
		require.NoError(t, err)
		assert.Equal(t, good, CheckIssuer(u) == nil, address)
	}
}

func TestOneMessageInARequest(t *testing.T) {
	r := start(t, nil)
	r.fill(t, "acme", "base", nil, skill("wombat-count", "Counts wombats.", "Count."))
	key := r.key(t, truth.Identity{Tenant: "acme", Subject: "bob"})
	ask := func(body string) (int, string) {
		status, text, _ := r.ask(t, "POST", "/mcp", key, body)
		return status, text
	}
	const message = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	if status, text := ask(" \n" + message); status != 200 || !strings.Contains(text, `"result":{}`) {
		t.Errorf("one message: %d %s", status, text)
	}
	for _, body := range []string{"[" + message + "]", "\r\n\t [" + message + "," + message + "]", "["} {
		if status, text := ask(body); status != 400 || !strings.Contains(text, "not an array") {
			t.Errorf("%q: %d %s, want 400", body, status, text)
		}
	}
}

// No tenant sees another's skills, and nobody a pool without having one of its roles, for random pools, roles and
// requests. SKILLGATE_CASES sets the number of requests.
func TestNobodySeesAnothersSkills(t *testing.T) {
	t.Parallel()
	cases := 600
	if text := os.Getenv("SKILLGATE_CASES"); text != "" {
		var err error
		cases, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := mathrand.New(mathrand.NewPCG(seed, 1))
	r := start(t, nil)
	words := []string{"wombat", "invoice", "garden", "kernel", "violin", "harbor", "planet", "ticket"}
	roles := []string{"red", "blue", "user:s0", "user:s1", "user:s2"}
	type home struct{ tenant, pool string }
	seenBy := map[home][]string{}
	in := map[string][]home{} // by skill name
	var homes []home
	pick := func(of []string, p float64) []string {
		return slices.DeleteFunc(slices.Clone(of), func(string) bool { return random.Float64() > p })
	}
	for tenant := range 12 {
		for pool := range 1 + random.IntN(4) {
			h := home{fmt.Sprintf("t%d", tenant), fmt.Sprintf("p%d", pool)}
			if pool > 0 {
				seenBy[h] = pick(roles, 0.3)
			}
			homes = append(homes, h)
			var skills []truth.Skill
			for _, w := range pick(words, 0.6) {
				name := w
				if random.IntN(2) == 0 { // half of the names are shared among pools
					name = fmt.Sprintf("%s-%s-%s", w, h.tenant, h.pool)
				}
				skills = append(skills, skill(name, fmt.Sprintf("Takes care of the %s marker%s%s.", w, h.tenant, h.pool), "Owned by "+h.tenant+"/"+h.pool+"."))
				in[name] = append(in[name], h)
			}
			r.fill(t, h.tenant, h.pool, seenBy[h], skills...)
		}
	}
	r.settle(t)
	var all []string
	for name := range in {
		all = append(all, name)
	}
	slices.Sort(all)
	for n := range cases {
		who := truth.Identity{Tenant: fmt.Sprintf("t%d", random.IntN(12)), Subject: fmt.Sprintf("s%d", random.IntN(4)), Roles: pick(roles, 0.3)}
		may := func(h home) bool {
			given := func(role string) bool { return slices.Contains(who.Roles, role) && !strings.HasPrefix(role, "user:") }
			return h.tenant == who.Tenant && (len(seenBy[h]) == 0 || slices.Contains(seenBy[h], "user:"+who.Subject) || slices.ContainsFunc(seenBy[h], given))
		}
		ctx := context.WithValue(t.Context(), whoContext{}, who)
		name := all[random.IntN(len(all))]
		var out any
		var err error
		switch n % 6 {
		case 0, 1:
			prompt := fmt.Sprintf("take care of the %s marker%s%s and the %s", words[random.IntN(8)], fmt.Sprintf("t%d", random.IntN(12)), "p1", words[random.IntN(8)])
			out, err = r.source.Lookup(ctx, mcp.LookupInput{Prompt: prompt, K: 20})
		case 2, 3:
			out, err = r.source.Lookup(ctx, mcp.LookupInput{Prompt: "use the " + name + " skill", K: 20})
		case 4:
			out, err = r.source.Load(ctx, mcp.LoadInput{Name: name})
			want := slices.ContainsFunc(in[name], may)
			require.Equal(t, want, err == nil, "seed %d: %+v loads %s: %v, want success %v", seed, who, name, err, want)
		}
		if n%6 == 5 {
			list, err := r.Replica.Library(ctx, who, "", maxOffers)
			require.NoError(t, err)
			taken := map[string]bool{}
			for _, o := range list {
				if !may(home{who.Tenant, o.Pool}) || taken[o.Name] {
					t.Fatalf("seed %d: the library of %+v has %s of %s, twice: %v", seed, who, o.Name, o.Pool, taken[o.Name])
				}
				taken[o.Name] = true
			}
			h := in[name][random.IntN(len(in[name]))]
			if random.IntN(2) == 0 {
				who.Tenant = h.tenant
			}
			_, err = r.Replica.Offer(ctx, who, h.pool, name)
			if want := slices.Contains(in[name], home{who.Tenant, h.pool}) && may(home{who.Tenant, h.pool}); (err == nil) != want {
				t.Fatalf("seed %d: %+v is given %s of %s: %v, want success %v", seed, who, name, h.pool, err, want)
			}
			continue
		}
		if err != nil && n%6 != 4 && !errors.Is(err, index.ErrNoIndex) {
			t.Fatal(err)
		}
		if err != nil {
			continue
		}
		text, err := json.Marshal(out)
		require.NoError(t, err)
		for _, h := range homes {
			for _, mark := range []string{"marker" + h.tenant + h.pool + ".", "Owned by " + h.tenant + "/" + h.pool + "."} {
				if bytes.Contains(text, []byte(mark)) && !may(h) {
					t.Fatalf("seed %d: %+v sees %v, which is for %q: %s", seed, who, h, seenBy[h], text)
				}
			}
		}
	}
}

func TestLimitsForgetNobodyWhoWaits(t *testing.T) {
	var l limits
	now := time.Now()
	waits, first := l.enter("a/waits", now, 1, 1)
	gone, _ := l.enter("a/gone", now, 1, 1)
	gone.asking.Add(-1)
	now = now.Add(61 * time.Minute)
	again, second := l.enter("a/waits", now, 1, 1)
	if again != waits || second != 2 {
		t.Errorf("who waits for an answer starts anew: %d requests", second)
	}
	assert.Equal(t, 1, first)
	if anew, _ := l.enter("a/gone", now, 1, 1); anew == gone {
		t.Error("who waits for nothing is remembered for ever")
	}
}
