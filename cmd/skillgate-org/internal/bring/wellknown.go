package bring

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/artifact"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/listen"
)

// wellKnown is a site that lists its skills at /.well-known/agent-skills/index.json (Agent Skills
// Discovery 0.2.0): a SKILL.md or an archive each, with its digest. A skill without one, or one
// that is not on a host with TLS, is refused.
type wellKnown struct {
	client *http.Client
	limits artifact.Limits
	index  *url.URL
	skills []discovered
}

type discovered struct {
	Name   string `json:"name"`
	Type   string `json:"type"` // skill-md or archive
	URL    string `json:"url"`
	Digest string `json:"digest"`
}

const (
	wellKnownPath   = "/.well-known/agent-skills/index.json"
	maxWellKnown    = 8 << 20 // bytes of index.json
	maxWellKnownRow = 10_000  // skills; each is a request
	maxRedirects    = 10
)

func (b *Bringer) newWellKnown(reference string) (*wellKnown, error) {
	u, err := url.Parse(reference)
	if err != nil {
		return nil, err
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = wellKnownPath
	}
	client := *b.Client
	w := &wellKnown{client: &client, limits: b.Limits, index: u}
	client.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		if len(via) >= maxRedirects {
			return fmt.Errorf("more than %d redirects", maxRedirects)
		}
		return w.safe(next.URL)
	}
	return w, w.safe(u)
}

// safe refuses addresses that anybody on the way could answer for, and those of this machine
// unless the site is on it: another site has no business with what listens here.
func (w *wellKnown) safe(u *url.URL) error {
	here := listen.Local(u.Host)
	switch {
	case here && !listen.Local(w.index.Host):
		return fmt.Errorf("%s is an address of this machine", u.Redacted())
	case u.Scheme == "https", u.Scheme == "http" && here:
		return nil
	}
	return fmt.Errorf("%s: want https", u.Redacted())
}

func (w *wellKnown) signer() string { return "" }

func (w *wellKnown) resolve(ctx context.Context) (string, error) {
	text, err := w.get(ctx, w.index, maxWellKnown)
	if err != nil {
		return "", err
	}
	var list struct {
		Skills []discovered `json:"skills"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return "", fmt.Errorf("%s: %w", w.index.Redacted(), err)
	}
	if n := len(list.Skills); n == 0 || n > maxWellKnownRow {
		return "", fmt.Errorf("%s: %d skills, want 1 to %d", w.index.Redacted(), n, maxWellKnownRow)
	}
	var parts []string
	for _, s := range list.Skills {
		sum, ok := strings.CutPrefix(s.Digest, "sha256:")
		if raw, err := hex.DecodeString(sum); !ok || err != nil || len(raw) != sha256.Size {
			return "", fmt.Errorf("%s: skill %q has no SHA-256 digest", w.index.Redacted(), s.Name)
		}
		if s.Name == "" || !filepath.IsLocal(s.Name) || strings.ContainsAny(s.Name, `/\`) {
			return "", fmt.Errorf("%s: a skill named %q", w.index.Redacted(), s.Name)
		}
		if s.Type != "skill-md" && s.Type != "archive" {
			return "", fmt.Errorf("%s: skill %q is of type %q, want skill-md or archive", w.index.Redacted(), s.Name, s.Type)
		}
		parts = append(parts, s.Name, s.Type, s.Digest)
	}
	w.skills = list.Skills
	return digestOf(parts...), nil
}

func (w *wellKnown) unpack(ctx context.Context, tree string) error {
	return artifact.UnpackFiles(ctx, tree, w.limits, func(put artifact.Put) error {
		for _, s := range w.skills {
			u, err := w.index.Parse(s.URL)
			if err == nil {
				err = w.safe(u)
			}
			if err != nil {
				return fmt.Errorf("skill %q: %w", s.Name, err)
			}
			text, err := w.get(ctx, u, w.limits.File)
			if err != nil {
				return fmt.Errorf("skill %q: %w", s.Name, err)
			}
			if sum := sha256.Sum256(text); "sha256:"+hex.EncodeToString(sum[:]) != s.Digest {
				return fmt.Errorf("skill %q: %s is not what its digest says", s.Name, u.Redacted())
			}
			if s.Type == "archive" {
				err = put.Archive(s.Name, text)
			} else {
				err = put.File(path.Join(s.Name, "SKILL.md"), text)
			}
			if err != nil {
				return fmt.Errorf("skill %q: %w", s.Name, err)
			}
		}
		return nil
	})
}

func (w *wellKnown) get(ctx context.Context, u *url.URL, limit int64) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	answer, err := w.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", u.Redacted(), answer.Status)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = errors.New("it is too long")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u.Redacted(), err)
	}
	return text, nil
}
