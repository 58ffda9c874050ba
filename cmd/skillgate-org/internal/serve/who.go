package serve

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/replica"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
)

// Issuer verifies JSON Web Tokens with the published keys of their issuer (OpenID Connect discovery).
type Issuer struct {
	URL      string // if "", tokens are not accepted
	Audience string // required audience of a token
	Tenant   string // name of the claim with the tenant
	Roles    string // name of the claim with the roles: a list, or words in one string

	mu       sync.Mutex
	verifier *oidc.IDTokenVerifier
	tried    time.Time
}

const skew = 30 * time.Second

// keys returns the token verifier. It contacts the issuer on first use, so that the service can start without it.
func (i *Issuer) keys() (*oidc.IDTokenVerifier, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.verifier != nil {
		return i.verifier, nil
	}
	if time.Since(i.tried) < 5*time.Second {
		return nil, errors.New("the token issuer failed a moment ago; try again in a few seconds")
	}
	i.tried = time.Now()
	// The context must live as long as keys are fetched.
	ctx := oidc.ClientContext(context.Background(), &http.Client{
		Timeout: 10 * time.Second, Transport: &careful{limit: rate.NewLimiter(issuerRate, issuerBurst)},
	})
	provider, err := oidc.NewProvider(ctx, i.URL)
	if err != nil {
		i.tried = time.Now() // callers that waited for this attempt do not start another
		return nil, err
	}
	late := func() time.Time { return time.Now().Add(-skew) }
	i.verifier = provider.Verifier(&oidc.Config{ClientID: i.Audience, Now: late})
	return i.verifier, nil
}

// CheckIssuer returns an error unless u is an https URL or a URL of this machine. With plain HTTP, anybody on the
// network path could answer as the issuer.
func CheckIssuer(u *url.URL) error {
	ip := net.ParseIP(u.Hostname())
	local := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && local) {
		return fmt.Errorf("issuer %s must use https", u.Redacted())
	}
	return nil
}

// Limits on requests to the issuer, however many invalid tokens callers send.
const (
	issuerRate  = 0.2 // requests per second
	issuerBurst = 5
	maxIssuer   = 1 << 20 // bytes of a response
)

var errSpared = errors.New("too many requests to the token issuer")

// careful is a transport that limits all requests to the issuer and sends none to a URL that CheckIssuer rejects.
type careful struct{ limit *rate.Limiter }

func (c *careful) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := CheckIssuer(r.URL); err != nil {
		return nil, err
	}
	if !c.limit.Allow() {
		return nil, errSpared
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		answer.Body = http.MaxBytesReader(nil, answer.Body, maxIssuer)
	}
	return answer, err
}

// Who returns the owner of a token and its expiry. An error other than auth.ErrInvalidToken means that the issuer
// failed.
func (i *Issuer) Who(ctx context.Context, token string) (truth.Identity, time.Time, error) {
	keys, err := i.keys()
	if err != nil {
		return truth.Identity{}, time.Time{}, err
	}
	t, err := keys.Verify(ctx, token)
	if err != nil {
		// go-oidc does not wrap errors of its request for keys. Only the text distinguishes them.
		text := err.Error()
		if strings.Contains(text, "fetching keys") && !strings.Contains(text, errSpared.Error()) {
			return truth.Identity{}, time.Time{}, err
		}
		return truth.Identity{}, time.Time{}, fmt.Errorf("%w: %w", auth.ErrInvalidToken, err)
	}
	var claims map[string]any
	if err := t.Claims(&claims); err != nil {
		return truth.Identity{}, time.Time{}, fmt.Errorf("%w: %w", auth.ErrInvalidToken, err)
	}
	who := truth.Identity{Subject: t.Subject}
	who.Tenant, _ = claims[i.Tenant].(string)
	switch roles := claims[i.Roles].(type) {
	case string:
		who.Roles = strings.Fields(roles)
	case []any:
		for _, r := range roles {
			if text, ok := r.(string); ok {
				who.Roles = append(who.Roles, text)
			}
		}
	}
	if who.Tenant == "" || who.Subject == "" {
		return who, t.Expiry, fmt.Errorf("%w: the token has no subject or no claim %q", auth.ErrInvalidToken, i.Tenant)
	}
	return who, t.Expiry.Add(skew), nil
}

// keyFor is the time for which a key is accepted without asking the database again.
const keyFor = 30 * time.Second

// doorman authenticates callers.
type doorman struct {
	store    *truth.Store
	patience time.Duration // time limit for the database
	issuer   *Issuer
	log      *slog.Logger // for errors that callers must not see

	checking atomic.Int32       // tokens being verified
	unknown  *rate.Limiter      // limits look-ups of keys that turn out to be unknown
	asking   singleflight.Group // by key hash, so that concurrent requests with the same key share one query

	mu    sync.Mutex
	known map[[sha256.Size]byte]knownKey
}

// Limits on look-ups of unknown keys.
const (
	unknownRate  = 10 // per second
	unknownBurst = 100
)

// maxChecking is the number of tokens verified at once. It also limits how many requests wait for a slow issuer.
const maxChecking = 128

type knownKey struct {
	who            truth.Identity
	asked, expires time.Time
}

const maxKnown = 10_000

// Reasons why a token cannot be checked now.
var (
	errIssuer = errors.New("the token issuer cannot be reached; try again later")
	errOften  = errors.New("too many requests with unknown keys; try again later")
)

// guard admits callers with a valid token. It refers others to the URL metadata, which says where to get a token.
func (d *doorman) guard(next http.Handler, metadata string) http.Handler {
	about := &auth.RequireBearerTokenOptions{ResourceMetadataURL: metadata}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		no := &refusal{ResponseWriter: w}
		verify := func(ctx context.Context, token string, _ *http.Request) (info *auth.TokenInfo, err error) {
			info, no.err = d.verify(ctx, token)
			return info, no.err
		}
		in := func(_ http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) }
		auth.RequireBearerToken(verify, about)(http.HandlerFunc(in)).ServeHTTP(no, r)
	})
}

// refusal replaces the middleware's status 500 with a status that says why the token could not be checked.
type refusal struct {
	http.ResponseWriter
	err error
}

func (n *refusal) WriteHeader(status int) {
	if status == http.StatusInternalServerError {
		wait := "5"
		status = http.StatusServiceUnavailable
		switch {
		case errors.Is(n.err, errOften):
			status, wait = http.StatusTooManyRequests, "1"
		case errors.Is(n.err, errBusy):
			wait = "1"
		}
		n.Header().Set("Retry-After", wait)
	}
	n.ResponseWriter.WriteHeader(status)
}

// verify returns the owner of a token. Callers may see its errors.
func (d *doorman) verify(ctx context.Context, token string) (*auth.TokenInfo, error) {
	var who truth.Identity
	var expires time.Time
	var err error
	switch {
	case len(token) > 16<<10:
		err = fmt.Errorf("%w: the token is too long", auth.ErrInvalidToken)
	case truth.IsKey(token):
		who, expires, err = d.byKey(ctx, token)
	case d.issuer.URL == "":
		err = fmt.Errorf("%w: the token is not a key issued by this registry", auth.ErrInvalidToken)
	case d.checking.Load() >= maxChecking:
		err = errBusy
	default:
		d.checking.Add(1)
		who, expires, err = d.issuer.Who(ctx, token)
		d.checking.Add(-1)
		if errors.Is(err, auth.ErrInvalidToken) {
			d.log.Info("token refused", "error", err)
			err = auth.ErrInvalidToken
		} else if err != nil {
			d.log.Error("token issuer failed", "error", err)
			err = errIssuer
		}
	}
	if err != nil {
		return nil, err
	}
	who.Roles = slices.Clone(who.Roles)
	return &auth.TokenInfo{
		UserID: who.Tenant + "/" + who.Subject, Scopes: who.Roles, Expiration: expires, Extra: map[string]any{whoKey: who},
	}, nil
}

const whoKey = "who"

func (d *doorman) byKey(ctx context.Context, key string) (truth.Identity, time.Time, error) {
	hash, now := sha256.Sum256([]byte(key)), time.Now()
	d.mu.Lock()
	k, ok := d.known[hash]
	d.mu.Unlock()
	if ok && now.Sub(k.asked) < keyFor && now.Before(k.expires) {
		return k.who, k.expires, nil
	}
	looked := d.asking.DoChan(string(hash[:]), func() (any, error) {
		// The first request may end while others still wait for the result.
		return d.lookUp(context.WithoutCancel(ctx), key, k, ok)
	})
	select {
	case <-ctx.Done():
		return truth.Identity{}, now, ctx.Err()
	case l := <-looked:
		k, _ := l.Val.(knownKey)
		return k.who, k.expires, l.Err
	}
}

// lookUp asks the database about a key. If ok is true, k is the last known state of the key.
func (d *doorman) lookUp(ctx context.Context, key string, k knownKey, ok bool) (knownKey, error) {
	if !ok && !d.unknown.Allow() {
		return knownKey{}, errOften
	}
	within, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	hash, now := sha256.Sum256([]byte(key)), time.Now()
	who, expires, err := d.store.ByKey(within, key)
	d.mu.Lock()
	defer d.mu.Unlock()
	if errors.Is(err, truth.ErrNotFound) {
		delete(d.known, hash)
		return knownKey{}, fmt.Errorf("%w: the key is unknown or expired", auth.ErrInvalidToken)
	}
	if err != nil { // the database does not answer
		if ok && now.Sub(k.asked) < replica.MaxStale && now.Before(k.expires) {
			return k, nil
		}
		d.log.Error("key look-up failed", "error", err)
		return knownKey{}, replica.ErrUnreachable
	}
	if !ok {
		d.unknown.AllowN(time.Now(), -1) // return the token; Reservation.Cancel does so only before the reservation is due
	}
	if len(d.known) >= maxKnown || d.known == nil {
		d.known = map[[sha256.Size]byte]knownKey{}
	}
	d.known[hash] = knownKey{who, now, expires}
	return d.known[hash], nil
}
