// Package serve serves a registry of skills over HTTP.
//
//	POST /mcp                                       Model Context Protocol: skill_lookup, skill_load
//	                                                and the Skills extension (package hooks/mcp)
//	POST /v1/lookup, /v1/load                       the same tools as JSON
//	GET  /v1/library?after=NAME&limit=N             skills available to the caller, with hashes
//	POST /v1/library                                files of some of these skills, as a tar file
//	GET  /healthz, /readyz                          the process runs; the database answers
//	GET  /.well-known/oauth-protected-resource      issuer of the tokens (RFC 9728)
//
// All but the last two lines require Authorization: Bearer with a token of the issuer or a key of the registry. They
// answer 503 with Retry-After if the tenant has used up its share of the replica, and 403 if Host or Origin belongs to
// another site.
package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/time/rate"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/replica"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/hooks/mcp"
)

// Service answers the requests to one replica.
type Service struct {
	Replica *replica.Replica
	Issuer  *Issuer
	URL     string     // public address of the service
	Rate    rate.Limit // requests per second that each caller may send
	Burst   int        // requests that each caller may send at once, concurrent or in a burst
	Log     *slog.Logger
	Version string // program version

	journal  *journal
	turns    *turns
	reading  shares        // requests whose body has not arrived
	inside   shares        // requests in progress
	sending  shares        // requests that are sending a tar file
	bodyTime time.Duration // time limit for reading a body
	source   mcp.Source
	limits   limits
}

// Run builds generations and writes the audit log until ctx ends. Call Handler first.
func (s *Service) Run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() {
		for {
			if n, err := s.Replica.BuildAll(ctx); ctx.Err() != nil {
				return
			} else if err != nil {
				s.Log.Warn("indexing failed", "error", err)
			} else if n > 0 {
				s.Log.Info("indexed", "skills", n)
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(s.Replica.Poll / 4):
			}
		}
	})
	writing, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	all.Go(func() { s.journal.run(writing) })
	<-ctx.Done()
	time.AfterFunc(10*time.Second, stop) // give up on an unreachable database
	close(s.journal.lines)
	all.Wait()
}

// Handler returns the HTTP handler. It must not be called after Run has ended.
func (s *Service) Handler() http.Handler {
	s.journal, s.turns = newJournal(s.Replica.Store, s.Log), newTurns()
	s.reading.places, s.inside.places, s.sending.places = maxReading, maxInside, maxSending
	s.bodyTime = 10 * time.Second
	s.source = mcp.Source{
		Open: func(ctx context.Context) (*gate.Gate, error) {
			g, err := s.Replica.Open(ctx, whoOf(ctx))
			return g, s.public(err)
		},
		Log: mcp.Log{Looked: s.looked, Loaded: s.loaded},
		File: func(ctx context.Context, _ *gate.Gate, d index.Doc) (string, any, error) {
			file, about, err := s.Replica.File(ctx, whoOf(ctx), d)
			return file, about, s.public(err)
		},
		Turn: s.turns.take,
	}
	server := mcp.New(s.source, s.Version)
	server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			extra := req.GetExtra()
			if extra == nil || extra.TokenInfo == nil {
				return nil, errForbidden
			}
			ctx, cancel := s.within(ctx)
			defer cancel()
			return next(context.WithValue(ctx, whoContext{}, extra.TokenInfo.Extra[whoKey]), method, req)
		}
	})
	metadata := "/.well-known/oauth-protected-resource"
	about := &oauthex.ProtectedResourceMetadata{
		Resource: s.URL + "/mcp", BearerMethodsSupported: []string{"header"}, ResourceName: "skillgate",
	}
	if s.Issuer.URL != "" {
		about.AuthorizationServers = []string{s.Issuer.URL}
	}
	door := &doorman{
		store: s.Replica.Store, patience: s.Replica.Patience, issuer: s.Issuer, log: s.Log,
		unknown: rate.NewLimiter(unknownRate, unknownBurst),
	}
	inside := http.NewServeMux()
	plain := func(path string, h http.Handler) { inside.Handle(path, s.whole(s.placed(h))) }
	ranks := func(path string, h http.Handler) { inside.Handle(path, s.unlessFull(s.whole(s.placed(h)))) }
	one := func(*http.Request) *sdk.Server { return server }
	ranks("/mcp", single(sdk.NewStreamableHTTPHandler(one, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxRequest,
		DisableLocalhostProtection: true, // sameSite has checked Host and Origin
	})))
	ranks("POST /v1/lookup", call(s, s.source.Lookup))
	ranks("POST /v1/load", call(s, s.source.Load))
	plain("GET /v1/library", http.HandlerFunc(s.library))
	plain("POST /v1/library", http.HandlerFunc(s.send))
	outside := http.NewServeMux()
	outside.Handle(metadata, auth.ProtectedResourceMetadataHandler(about))
	outside.Handle(metadata+"/mcp", auth.ProtectedResourceMetadataHandler(about))
	outside.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	outside.HandleFunc("GET /readyz", s.ready)
	outside.Handle("/", sameSite(s.URL, door.guard(s.limited(inside), s.URL+metadata)))
	return outside
}

// sameSite refuses requests from pages of other sites. Host must be the host of address, localhost or an IP address
// (against DNS rebinding), and Origin must not be another site, as MCP requires (2025-06-18, Transports, Security
// Warning).
func sameSite(address string, next http.Handler) http.Handler {
	self, err := url.Parse(address)
	if err != nil {
		self = &url.URL{}
	}
	known := func(host string) bool {
		name := (&url.URL{Host: host}).Hostname()
		return strings.EqualFold(name, self.Hostname()) || strings.EqualFold(name, "localhost") || net.ParseIP(name) != nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !known(r.Host) {
			http.Error(w, fmt.Sprintf("this registry's address is %s, not %.100q", address, r.Host), http.StatusForbidden)
			return
		}
		for _, origin := range r.Header.Values("Origin") {
			from, err := url.Parse(origin)
			if err != nil || !strings.EqualFold(from.Host, self.Host) && !strings.EqualFold(from.Host, r.Host) {
				http.Error(w, fmt.Sprintf("web pages from %.100q may not use this registry", origin), http.StatusForbidden)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// within returns ctx with the time limit of a whole request.
func (s *Service) within(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, 5*s.Replica.Patience)
}

// single refuses JSON-RPC batches, which old versions of the protocol allow, because rate limits count requests.
func single(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
			http.Error(w, "send one message per request, not an array", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

const maxRequest = 2 << 20 // bytes; a prompt may have 1 MiB

type (
	whoContext   struct{} // the caller's truth.Identity
	askerContext struct{} // the caller's *asker
)

// whoOf returns the caller. The zero value may see nothing.
func whoOf(ctx context.Context) truth.Identity {
	who, _ := ctx.Value(whoContext{}).(truth.Identity)
	return who
}

// limits holds the recent callers by id.
type limits struct {
	mu   sync.Mutex
	of   map[string]*asker
	from time.Time
}

type asker struct {
	*rate.Limiter
	asking  atomic.Int32 // requests in progress
	sending atomic.Int32 // requests that are sending a tar file
}

// enter counts a request of caller id and returns the caller with the number of its requests in progress. Once an hour
// it forgets callers without requests in progress.
func (l *limits) enter(id string, now time.Time, often rate.Limit, burst int) (a *asker, asking int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.from) > time.Hour {
		maps.DeleteFunc(l.of, func(_ string, a *asker) bool { return a.asking.Load() == 0 })
		l.from = now
	}
	a = l.of[id]
	if a == nil {
		if l.of == nil {
			l.of = map[string]*asker{}
		}
		a = &asker{Limiter: rate.NewLimiter(often, burst)}
		l.of[id] = a
	}
	return a, int(a.asking.Add(1))
}

// limited answers 429 to callers that exceed Rate or Burst, and passes the caller to next in the context.
func (s *Service) limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		info := auth.TokenInfoFromContext(r.Context())
		who := info.Extra[whoKey].(truth.Identity)
		l, asking := s.limits.enter(info.UserID, time.Now(), s.Rate, s.Burst)
		defer l.asking.Add(-1)
		if asking > s.Burst || !l.Allow() {
			w.Header().Set("Retry-After", "1")
			text := fmt.Sprintf("too many requests; a caller may send %v per second and %d at once", float64(s.Rate), s.Burst)
			http.Error(w, text, http.StatusTooManyRequests)
			return
		}
		ctx := context.WithValue(context.WithValue(r.Context(), whoContext{}, who), askerContext{}, l)
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// looked records a lookup in the audit log: the suggested skills, not the prompt.
func (s *Service) looked(ctx context.Context, _ *gate.Gate, d gate.Decision) error {
	var named []string
	for _, c := range d.Candidates {
		if c.Injected {
			named = append(named, c.ID)
		}
	}
	who := whoOf(ctx)
	e := truth.Event{Tenant: who.Tenant, Actor: who.Subject, Action: "lookup", Skills: named, Detail: string(d.Verdict)}
	return s.journal.add(e)
}

func (s *Service) loaded(ctx context.Context, _, path string) error {
	who := whoOf(ctx)
	e := truth.Event{Tenant: who.Tenant, Actor: who.Subject, Action: "load", Skills: []string{path}}
	return s.journal.write(ctx, e)
}

// decode reads exactly one JSON value.
func decode(from *json.Decoder, value any) error {
	err := from.Decode(value)
	if err != nil {
		return err
	}
	if _, err := from.Token(); err != io.EOF {
		return errors.New("unexpected data after the JSON value")
	}
	return nil
}

func call[In, Out any](s *Service, f func(context.Context, In) (Out, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in In
		body := json.NewDecoder(r.Body)
		body.DisallowUnknownFields()
		err := decode(body, &in)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var out Out
		err = system.Caught(func() (err error) { out, err = f(r.Context(), in); return err })
		s.answer(w, out, err)
	}
}

var errForbidden = errors.New("not allowed")

// isInside reports whether err describes a failure of the database, the network or a disk.
func isInside(err error) bool {
	return errors.As(err, new(*pgconn.PgError)) || errors.As(err, new(*pgconn.ConnectError)) ||
		errors.As(err, new(net.Error)) ||
		errors.As(err, new(*fs.PathError)) || errors.As(err, new(*os.SyscallError)) ||
		errors.Is(err, context.DeadlineExceeded)
}

// errNoText is the public form of PostgreSQL's error for bytes that a text cannot hold, such as NUL.
var errNoText = errors.New("a name contains invalid characters")

// public returns the error that callers may see. It logs errors that they may not see.
func (s *Service) public(err error) error {
	if said, ok := errors.AsType[*pgconn.PgError](err); ok && said.Code == "22021" { // character_not_in_repertoire
		return errNoText
	}
	if isInside(err) {
		s.Log.Error("request failed", "error", err)
		return replica.ErrUnreachable
	}
	return err
}

// answer writes out as JSON or, if err is not nil, the public form of err with a matching status.
func (s *Service) answer(w http.ResponseWriter, out any, err error) {
	err = s.public(err)
	status := http.StatusBadRequest
	switch {
	case err == nil:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(out) // the client may be gone
		return
	case errors.Is(err, errForbidden):
		status = http.StatusForbidden
	case errors.Is(err, truth.ErrNotFound):
		status = http.StatusNotFound
	case errors.Is(err, replica.ErrUnreachable), errors.Is(err, errAudit), errors.Is(err, index.ErrNoIndex):
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "5")
	case errors.Is(err, errBusy):
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "1")
	}
	http.Error(w, err.Error(), status)
}

func (s *Service) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), s.Replica.Patience)
	defer cancel()
	if err := s.Replica.Store.DB.Ping(ctx); err != nil {
		http.Error(w, "the database does not respond", http.StatusServiceUnavailable)
	}
}
