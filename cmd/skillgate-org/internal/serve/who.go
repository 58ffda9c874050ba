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

// Issuer is who gives out tokens: JSON Web Tokens, which are verified with the keys that it
// publishes (OpenID Connect discovery).
type Issuer struct {
	URL      string // "": tokens of no issuer are taken
	Audience string // what a token must be for
	Tenant   string // claim with the tenant
	Roles    string // claim with the roles: a list, or words in one text

	mu       sync.Mutex
	verifier *oidc.IDTokenVerifier
	tried    time.Time
}

const skew = 30 * time.Second

// keys returns what verifies tokens. The issuer is asked on first use: the service starts without it.
func (i *Issuer) keys() (*oidc.IDTokenVerifier, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.verifier != nil {
		return i.verifier, nil
	}
	if time.Since(i.tried) < 5*time.Second {
		return nil, errors.New("the issuer did not answer a moment ago")
	}
	i.tried = time.Now()
	// The context is kept for as long as keys are fetched.
	ctx := oidc.ClientContext(context.Background(), &http.Client{
		Timeout: 10 * time.Second, Transport: &careful{limit: rate.NewLimiter(issuerRate, issuerBurst)},
	})
	provider, err := oidc.NewProvider(ctx, i.URL)
	if err != nil {
		i.tried = time.Now() // those who waited for this answer do not wait for another
		return nil, err
	}
	late := func() time.Time { return time.Now().Add(-skew) }
	i.verifier = provider.Verifier(&oidc.Config{ClientID: i.Audience, Now: late})
	return i.verifier, nil
}

// CheckIssuer refuses the address of an issuer for whom anybody on the way could answer.
func CheckIssuer(u *url.URL) error {
	ip := net.ParseIP(u.Hostname())
	local := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && local) {
		return fmt.Errorf("issuer %s: want https", u.Redacted())
	}
	return nil
}

// How often an issuer is asked, whatever tokens are shown, and how much of its answer is read.
const (
	issuerRate  = 0.2 // a second
	issuerBurst = 5
	maxIssuer   = 1 << 20
)

var errSpared = errors.New("the issuer is not asked so often")

// careful asks an issuer, its keys among it, only at addresses that CheckIssuer allows.
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

// Who returns the owner of a token and when it expires. An error other than auth.ErrInvalidToken
// means that the issuer failed. Strangers are shown neither.
func (i *Issuer) Who(ctx context.Context, token string) (truth.Who, time.Time, error) {
	keys, err := i.keys()
	if err != nil {
		return truth.Who{}, time.Time{}, err
	}
	t, err := keys.Verify(ctx, token)
	if err != nil {
		// go-oidc wraps no error of its request for keys: its text is all that tells it from the others.
		text := err.Error()
		if strings.Contains(text, "fetching keys") && !strings.Contains(text, errSpared.Error()) {
			return truth.Who{}, time.Time{}, err
		}
		return truth.Who{}, time.Time{}, fmt.Errorf("%w: %w", auth.ErrInvalidToken, err)
	}
	var claims map[string]any
	if err := t.Claims(&claims); err != nil {
		return truth.Who{}, time.Time{}, fmt.Errorf("%w: %w", auth.ErrInvalidToken, err)
	}
	who := truth.Who{Subject: t.Subject}
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
		return who, t.Expiry, fmt.Errorf("%w: it has no subject or no claim %q", auth.ErrInvalidToken, i.Tenant)
	}
	return who, t.Expiry.Add(skew), nil
}

// keyFor is how long a static key is believed without asking the database again.
const keyFor = 30 * time.Second

// doorman tells who asks.
type doorman struct {
	store    *truth.Store
	patience time.Duration // with the database
	issuer   *Issuer
	log      *slog.Logger // of what strangers are not told

	checking atomic.Int32       // tokens of the issuer that are checked now
	unknown  *rate.Limiter      // of keys that are asked for, but for those that turn out to be good
	asking   singleflight.Group // by the hash of a key: one asks the database, others wait

	mu    sync.Mutex
	known map[[sha256.Size]byte]knownKey
}

// How many unknown keys a second are looked up in the database, whoever shows them.
const (
	unknownRate  = 10
	unknownBurst = 100
)

// maxChecking bounds the tokens of the issuer that are checked at once, and so the requests that wait for an issuer
// which does not answer.
const maxChecking = 128

type knownKey struct {
	who            truth.Who
	asked, expires time.Time
}

const maxKnown = 10_000

// Why nobody can say now whose a token is.
var (
	errIssuer = errors.New("the issuer of tokens cannot be reached")
	errOften  = errors.New("too many unknown keys are shown now; try again later")
)

// guard lets in who has a good token. Those without one are told where to get it, at metadata.
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

// refusal is an answer to who is not let in. Where the token is not to blame the status says so: the
// middleware has 500 for all of that.
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

// verify says what a token allows. Its errors are for strangers.
func (d *doorman) verify(ctx context.Context, token string) (*auth.TokenInfo, error) {
	var who truth.Who
	var expires time.Time
	var err error
	switch {
	case len(token) > 16<<10:
		err = fmt.Errorf("%w: too long", auth.ErrInvalidToken)
	case truth.IsKey(token):
		who, expires, err = d.byKey(ctx, token)
	case d.issuer.URL == "":
		err = fmt.Errorf("%w: no key of this registry", auth.ErrInvalidToken)
	case d.checking.Load() >= maxChecking:
		err = errBusy
	default:
		d.checking.Add(1)
		who, expires, err = d.issuer.Who(ctx, token)
		d.checking.Add(-1)
		if errors.Is(err, auth.ErrInvalidToken) {
			d.log.Info("a token is refused", "error", err)
			err = auth.ErrInvalidToken
		} else if err != nil {
			d.log.Error("the issuer of tokens failed", "error", err)
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

func (d *doorman) byKey(ctx context.Context, key string) (truth.Who, time.Time, error) {
	hash, now := sha256.Sum256([]byte(key)), time.Now()
	d.mu.Lock()
	k, ok := d.known[hash]
	d.mu.Unlock()
	if ok && now.Sub(k.asked) < keyFor && now.Before(k.expires) {
		return k.who, k.expires, nil
	}
	looked := d.asking.DoChan(string(hash[:]), func() (any, error) {
		// Who came first may leave; the others still wait.
		return d.lookUp(context.WithoutCancel(ctx), key, k, ok)
	})
	select {
	case <-ctx.Done():
		return truth.Who{}, now, ctx.Err()
	case l := <-looked:
		k, _ := l.Val.(knownKey)
		return k.who, k.expires, l.Err
	}
}

// lookUp asks the database about a key, of which k is what is known if ok says so.
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
		return knownKey{}, fmt.Errorf("%w: unknown or expired", auth.ErrInvalidToken)
	}
	if err != nil { // the database does not answer
		if ok && now.Sub(k.asked) < replica.MaxStale && now.Before(k.expires) {
			return k, nil
		}
		d.log.Error("a key cannot be looked up", "error", err)
		return knownKey{}, replica.ErrUnreachable
	}
	if !ok {
		d.unknown.AllowN(time.Now(), -1) // given back: a Reservation does that only before it is due
	}
	if len(d.known) >= maxKnown || d.known == nil {
		d.known = map[[sha256.Size]byte]knownKey{}
	}
	d.known[hash] = knownKey{who, now, expires}
	return d.known[hash], nil
}
