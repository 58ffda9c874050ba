package serve

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/modelcontextprotocol/go-sdk/auth"

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

// skew is by how much the clock of an issuer may differ.
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
	ctx := oidc.ClientContext(context.Background(), &http.Client{Timeout: 10 * time.Second})
	provider, err := oidc.NewProvider(ctx, i.URL)
	if err != nil {
		i.tried = time.Now() // those who waited for this answer do not wait for another
		return nil, err
	}
	late := func() time.Time { return time.Now().Add(-skew) }
	i.verifier = provider.Verifier(&oidc.Config{ClientID: i.Audience, Now: late})
	return i.verifier, nil
}

// Who returns whose a token is, and until when it is good.
func (i *Issuer) Who(ctx context.Context, token string) (truth.Who, time.Time, error) {
	keys, err := i.keys()
	if err != nil {
		return truth.Who{}, time.Time{}, err
	}
	t, err := keys.Verify(ctx, token)
	if err != nil {
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
	store  *truth.Store
	issuer *Issuer
	public func(error) error // what strangers may be told of an error

	mu    sync.Mutex
	known map[[sha256.Size]byte]knownKey
}

type knownKey struct {
	who            truth.Who
	asked, expires time.Time
}

// maxKnown bounds the keys that are remembered.
const maxKnown = 10_000

// verify is an auth.TokenVerifier.
func (d *doorman) verify(ctx context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
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
	default:
		who, expires, err = d.issuer.Who(ctx, token)
	}
	if err != nil {
		return nil, d.public(err)
	}
	who.Roles = slices.Clone(who.Roles)
	return &auth.TokenInfo{
		UserID: who.Tenant + "/" + who.Subject, Scopes: who.Roles, Expiration: expires, Extra: map[string]any{whoKey: who},
	}, nil
}

// whoKey is where a token's information holds a truth.Who.
const whoKey = "who"

func (d *doorman) byKey(ctx context.Context, key string) (truth.Who, time.Time, error) {
	hash, now := sha256.Sum256([]byte(key)), time.Now()
	d.mu.Lock()
	k, ok := d.known[hash]
	d.mu.Unlock()
	if ok && now.Sub(k.asked) < keyFor && now.Before(k.expires) {
		return k.who, k.expires, nil
	}
	within, cancel := context.WithTimeout(ctx, replica.Patience)
	defer cancel()
	who, expires, err := d.store.ByKey(within, key)
	if errors.Is(err, truth.ErrNotFound) {
		return who, expires, fmt.Errorf("%w: unknown or expired", auth.ErrInvalidToken)
	}
	if err != nil {
		if ok && now.Before(k.expires) { // the database does not answer
			return k.who, k.expires, nil
		}
		return who, expires, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.known) >= maxKnown || d.known == nil {
		d.known = map[[sha256.Size]byte]knownKey{}
	}
	d.known[hash] = knownKey{who, now, expires}
	return who, expires, nil
}
