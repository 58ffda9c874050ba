package fetch

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/opencontainers/go-digest"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/artifact"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/regular"
)

// pools is the set of pools that the user may see in a registry that runs skillgate-org serve. A skill in use whose
// content has the listed hash is not fetched again.
type pools struct {
	client *http.Client
	limits artifact.Limits
	url    *url.URL
	used   string // folder of the skills in use
	skills []truth.Listed
	left   []string // skills left out because of an unsafe name or file name
}

var errNothing = errors.New("no skills available")

// ErrRefused says that the registry rejected the user's key.
var ErrRefused = errors.New("the key was revoked or has expired")

var errBroken = errors.New("the connection was lost")

const attempts = 3

const (
	poolsScheme = "skillgate+"
	pageOffers  = 5000             // skills per page; the most that serve allows
	pageBytes   = pageOffers << 10 // bytes per page
	maxOffers   = 64 * pageOffers  // skills in the whole list
	maxAsked    = 64               // skills per request; the most that serve allows
)

func (f *Fetcher) newPools(reference string) (*pools, error) {
	u, err := url.Parse(strings.TrimPrefix(reference, poolsScheme))
	if err != nil {
		return nil, err
	}
	if u.Scheme != "https" && !isLocal(u.Host) {
		return nil, fmt.Errorf("skillgate+%s must begin with skillgate+https://", u.Redacted())
	}
	client := *f.Client
	client.Transport = patient(client.Transport)
	// The key must not go to another host.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	used := fetched.Skills(fetched.Current(f.Workspace.Dirs.Cache, reference))
	return &pools{client: &client, limits: f.Limits, url: u.JoinPath("v1/library"), used: used}, nil
}

func (p *pools) signer() string { return "" }

func (p *pools) resolve(ctx context.Context) (string, error) {
	var parts []string
	seen := map[string]bool{}
	for after, more := "", true; more; {
		skills, next, err := p.page(ctx, after)
		for _, s := range skills {
			if seen[s.Name] {
				err = errors.Join(err, fmt.Errorf("the registry lists skill %.100q twice", s.Name))
			}
			seen[s.Name] = true
			parts = append(parts, s.Name, s.Hash)
			if k := (truth.Skill{Name: s.Name}); !k.Local() {
				p.left = append(p.left, s.Name)
				continue
			}
			p.skills = append(p.skills, s)
		}
		if len(seen) > maxOffers {
			err = errors.Join(err, fmt.Errorf("the registry lists more than %d skills", maxOffers))
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", p.url.Redacted(), err)
		}
		after, more = next, next != "" && len(skills) > 0
	}
	if len(p.skills) == 0 {
		return "", errNothing
	}
	return digest.FromString(fmt.Sprintf("%q", parts)).String(), nil
}

// page returns one page of the list of skills, starting after the name after. next is the last name on the page, or ""
// if there are no more pages.
func (p *pools) page(ctx context.Context, after string) (skills []truth.Listed, next string, err error) {
	query := url.Values{"limit": {strconv.Itoa(pageOffers)}}
	if after != "" {
		query.Set("after", after)
	}
	answer, err := p.ask(ctx, http.MethodGet, query, nil)
	if err != nil {
		return nil, "", err
	}
	defer answer.Close()
	text, err := io.ReadAll(io.LimitReader(answer, pageBytes+1))
	if err != nil {
		return nil, "", err
	}
	var list struct {
		Skills []truth.Listed `json:"skills"`
		Next   string         `json:"next"`
	}
	if len(text) <= pageBytes {
		err = json.Unmarshal(text, &list)
	}
	if len(text) > pageBytes || len(list.Skills) > pageOffers {
		err = fmt.Errorf("a page of the registry's list has more than %d skills or %d bytes", pageOffers, pageBytes)
	}
	return list.Skills, list.Next, err
}

func (p *pools) unpack(ctx context.Context, tree string) error {
	return artifact.UnpackFiles(tree, p.limits, func(put artifact.Put) error {
		var missing []truth.Listed
		left := len(p.left)
		for _, s := range p.skills {
			if k, err := readSkill(filepath.Join(p.used, s.Name)); err == nil && k.Hash() == s.Hash {
				if err := putSkill(put, s.Name, k); err != nil {
					return err
				}
				continue
			}
			missing = append(missing, s)
		}
		for some := range slices.Chunk(missing, maxAsked) {
			if err := p.fetch(ctx, put, some); err != nil {
				return err
			}
		}
		if len(p.left)-left == len(p.skills) {
			return errNothing
		}
		return nil
	})
}

// fetch requests the given skills and passes them to put. If a response is cut off, it asks again for the missing ones.
func (p *pools) fetch(ctx context.Context, put artifact.Put, some []truth.Listed) error {
	wanted := map[string]string{} // hash by name
	for _, s := range some {
		wanted[s.Name] = s.Hash
	}
	var err error
	for range attempts {
		if err = p.fetchOnce(ctx, put, some, wanted); !errors.Is(err, errBroken) || ctx.Err() != nil {
			break
		}
	}
	for name := range wanted {
		if err == nil {
			err = fmt.Errorf("%s did not send skill %q, which may have changed; try again", p.url.Redacted(), name)
		}
	}
	return err
}

// fetchOnce requests those of the skills in some that are in wanted, passes each skill that arrives to put and deletes
// it from wanted. The skills arrive as one tar file, in which the files of each skill are consecutive.
func (p *pools) fetchOnce(ctx context.Context, put artifact.Put, some []truth.Listed, wanted map[string]string) error {
	var asked []truth.Listed
	for _, s := range some {
		if _, ok := wanted[s.Name]; ok {
			asked = append(asked, truth.Listed{Pool: s.Pool, Name: s.Name})
		}
	}
	text, err := json.Marshal(map[string][]truth.Listed{"skills": asked})
	if err != nil {
		return err
	}
	answer, err := p.ask(ctx, http.MethodPost, nil, text)
	if err != nil {
		return err
	}
	defer answer.Close()
	var k truth.Skill
	var name string
	flush := func() error {
		if hash, ok := wanted[name]; !ok || hash != k.Hash() {
			return fmt.Errorf("skill %q from %s does not match its hash", name, p.url.Redacted())
		}
		delete(wanted, name)
		if k.Name = name; !k.Local() {
			p.left = append(p.left, name)
			return nil
		}
		return putSkill(put, name, k)
	}
	for r := tar.NewReader(answer); ; {
		head, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w: %w", p.url.Redacted(), errBroken, err)
		}
		folder, file, _ := strings.Cut(head.Name, "/")
		if name != "" && folder != name {
			if err := flush(); err != nil {
				return err
			}
			k = truth.Skill{}
		}
		name = folder
		content, err := io.ReadAll(io.LimitReader(r, p.limits.File+1))
		if err != nil {
			err = fmt.Errorf("%w: %w", errBroken, err)
		} else if int64(len(content)) > p.limits.File || len(k.Files) > p.limits.Files {
			err = errors.New("the skill has too many files or a file that is too large")
		}
		if err != nil {
			return fmt.Errorf("skill %q from %s: %w", name, p.url.Redacted(), err)
		}
		if file == skillFile {
			k.Text = content
		} else {
			k.Files = append(k.Files, truth.File{Path: file, Content: content})
		}
	}
	if name != "" {
		return flush()
	}
	return nil
}

const skillFile = "SKILL.md"

func putSkill(put artifact.Put, name string, k truth.Skill) error {
	for _, f := range append(k.Files, truth.File{Path: skillFile, Content: k.Text}) {
		if err := put(path.Join(name, f.Path), f.Content); err != nil {
			return fmt.Errorf("skill %q: %w", name, err)
		}
	}
	return nil
}

func readSkill(dir string) (k truth.Skill, err error) {
	return k, filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := regular.Read(file, artifact.DefaultLimits.File)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if rel == skillFile {
			k.Text = content
		} else {
			k.Files = append(k.Files, truth.File{Path: filepath.ToSlash(rel), Content: content})
		}
		return err
	})
}

// ask sends a request with the user's key and returns the body of the answer.
func (p *pools) ask(ctx context.Context, method string, query url.Values, body []byte) (io.ReadCloser, error) {
	key, err := keyOf(ctx, p.url.Host)
	if err != nil {
		return nil, err
	}
	at := *p.url
	at.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, method, at.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	answer, err := p.client.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode == http.StatusOK {
		return answer.Body, nil
	}
	defer answer.Body.Close()
	if refused(answer) {
		return nil, fmt.Errorf("%s: %w", p.url.Redacted(), ErrRefused)
	}
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 200))
	return nil, fmt.Errorf("%s: %s: %q", p.url.Redacted(), answer.Status, strings.TrimSpace(string(text)))
}

// refused reports whether the registry itself rejected the key. A proxy in front of it may answer 401 or 403 for other
// reasons, but does not name the registry's metadata.
func refused(answer *http.Response) bool {
	where, ok := strings.CutPrefix(answer.Header.Get("WWW-Authenticate"), `Bearer resource_metadata="`)
	return answer.StatusCode == http.StatusUnauthorized && ok &&
		strings.HasSuffix(where, `/.well-known/oauth-protected-resource"`)
}

// ErrNoKey says that the user has no key for the registry.
var ErrNoKey = errors.New("no key is stored for this host")

func keyOf(ctx context.Context, host string) (string, error) {
	store, err := credentials.NewStoreFromDocker(credentials.StoreOptions{})
	if err != nil {
		return "", err
	}
	c, err := store.Get(ctx, host)
	if err == nil && c.Password == "" {
		err = fmt.Errorf("%s: %w", host, ErrNoKey)
	}
	return c.Password, err
}

// KeepKey stores the key for a registry where `docker login` stores passwords.
func KeepKey(ctx context.Context, host, key string) error {
	store, err := credentials.NewStoreFromDocker(credentials.StoreOptions{AllowPlaintextPut: true})
	if err != nil {
		return err
	}
	return store.Put(ctx, host, auth.Credential{Username: "skillgate", Password: key})
}
