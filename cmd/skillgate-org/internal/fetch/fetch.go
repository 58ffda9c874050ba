// Package fetch fetches the remote libraries that the settings name and stores them where skillgate reads them (package
// fetched):
//
//	oci://REGISTRY/REPO:TAG, oci://REGISTRY/REPO@sha256:…   an artifact (package artifact)
//	skillgate+https://HOST                                 the skills offered by skillgate-org serve
//
// A library is replaced in one step after its new version is complete and checked; only its index is replaced a moment
// earlier. After any failure the old version stays in use. The previous version is kept, so that returning to it needs
// no network. Blobs of artifacts are kept in CACHE/fetched/blobs.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"oras.land/oras-go/v2/registry/remote/retry"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/artifact"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/gate/wording"
	"github.com/skillgate/skillgate/gate/workspace"
)

// Fetcher fetches remote libraries into the cache folder.
type Fetcher struct {
	Workspace workspace.Options
	Limits    artifact.Limits
	Client    *http.Client  // client for registries that run skillgate-org serve
	Patience  time.Duration // time limit per reference, 0 for none
}

// Transport gives up if a server does not answer a request within a minute.
var Transport http.RoundTripper = transport()

func transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = time.Minute
	return t
}

// patient returns a transport that repeats a request to a busy registry up to ten times, after waits of up to 10 s.
func patient(base http.RoundTripper) http.RoundTripper {
	busy := &retry.GenericPolicy{
		Retryable: func(r *http.Response, err error) (bool, error) {
			return err == nil && (r.StatusCode == http.StatusTooManyRequests ||
				r.StatusCode == http.StatusServiceUnavailable), nil
		},
		Backoff: func(attempt int, r *http.Response) time.Duration {
			if seconds, err := strconv.ParseUint(r.Header.Get("Retry-After"), 10, 31); err == nil {
				return time.Duration(seconds) * time.Second
			}
			return retry.DefaultBackoff(attempt, r)
		},
		MinWait: 100 * time.Millisecond, MaxWait: 10 * time.Second, MaxRetry: 10,
	}
	return &retry.Transport{Base: base, Policy: func() retry.Policy { return busy }}
}

type source interface {
	// resolve returns the digest ("sha256:…") of the current content.
	resolve(ctx context.Context) (digest string, err error)
	// unpack writes the resolved content to a new folder at path tree.
	unpack(ctx context.Context, tree string) error
	// signer returns the key that signed the content, or "".
	signer() string
}

// open resolves a reference and checks its signature against trust.keys.
func (f *Fetcher) open(ctx context.Context, reference string) (from source, digest string, err error) {
	scheme, rest, _ := strings.Cut(reference, "://")
	switch {
	case scheme == "oci":
		from, err = f.newRegistry(rest)
	case strings.HasPrefix(scheme, poolsScheme):
		from, err = f.newPools(reference)
	default:
		err = fmt.Errorf("%s does not begin with oci:// or skillgate+https://; to use a git repository, clone it and add "+
			"its folder to the setting `libraries`", reference)
	}
	if err == nil {
		digest, err = from.resolve(ctx)
	}
	if err == nil {
		err = f.trusted(from.signer())
	}
	return from, digest, err
}

// Refresh fetches the current content of a reference, unless that content is already in use. It saves and returns the
// new status, which includes the error.
func (f *Fetcher) Refresh(ctx context.Context, reference string) (fetched.Status, error) {
	cache := f.Workspace.Dirs.Cache
	unlock, err := lock(cache)
	if err != nil {
		return fetched.Status{Reference: reference}, err
	}
	defer unlock()
	s, err := fetched.ReadStatus(cache, reference)
	if err != nil { // an unreadable status is replaced below
		s = fetched.Status{Reference: reference}
	}
	if f.Patience > 0 {
		late := fmt.Errorf("the library could not be fetched within %s", f.Patience)
		within, cancel := context.WithTimeoutCause(ctx, f.Patience, late)
		defer cancel()
		ctx = within
	}
	err = f.refresh(ctx, &s)
	if errors.Is(err, errNothing) {
		s.Note = err.Error()
		err = putAway(&s, fetched.Current(cache, reference))
	}
	if errors.Is(err, ErrRefused) { // remove skills that were fetched with a key that is now revoked
		if s.Digest != "" {
			err = fmt.Errorf("%w; the skills fetched with it were removed", err)
		}
		err = errors.Join(err, putAway(&s, fetched.Current(cache, reference)))
		sweepTrees(filepath.Join(fetched.Folder(cache, reference), "trees"))
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	s.Checked, s.Error = f.Workspace.Now().UTC(), ""
	if err != nil {
		s.Error = err.Error()
	}
	return s, errors.Join(err, s.Write(cache))
}

func (f *Fetcher) refresh(ctx context.Context, s *fetched.Status) error {
	current, before := fetched.Current(f.Workspace.Dirs.Cache, s.Reference), s.Digest
	if s.Digest != "" && f.trusted(s.Signed) != nil { // it was fetched before trust.keys changed
		if err := putAway(s, current); err != nil {
			return err
		}
	}
	from, digest, err := f.open(ctx, s.Reference)
	if err != nil {
		return err
	}
	if _, err := os.Stat(fetched.Skills(current)); err == nil && digest == s.Digest {
		s.Signed = from.signer()
		return nil
	}
	tree, err := f.tree(ctx, s.Reference, digest, from)
	if err != nil {
		return err
	}
	now, err := artifact.Scan(ctx, fetched.Skills(tree))
	if err != nil {
		return err
	}
	sum, err := workspace.InstallIndex(ctx, s.Reference, tree, f.Workspace)
	s.Indexed, s.Note = err == nil, ""
	if errors.Is(err, index.ErrMisfit) {
		s.Note = "indexed on this machine"
		if !errors.Is(err, fs.ErrNotExist) { // the library contained an index
			s.Note += ": " + err.Error()
		}
	} else if err != nil {
		return err
	}
	if s.Indexed && sum.Skills != len(now.Skills) {
		s.Note = wording.Count(sum.Skills, "skill") + " indexed"
	}
	if p, ok := from.(*pools); ok && len(p.left) > 0 {
		s.Note = fmt.Sprintf("skills with unsafe names or file names skipped: %d, such as %q", len(p.left), p.left[0])
	}
	if err := use(tree, current); err != nil {
		return err
	}
	if before != "" && before != digest {
		var was []artifact.Skill
		if old, err := artifact.Scan(ctx, fetched.Skills(filepath.Join(filepath.Dir(tree), treeName(before)))); err == nil {
			was = old.Skills
		}
		added, changed, removed := artifact.Compare(was, now.Skills)
		if added+changed+removed > 0 {
			s.Changes = slices.Insert(s.Changes, 0, fetched.Change{
				Time: f.Workspace.Now().UTC(), From: before, To: digest, Added: added, Changed: changed, Removed: removed,
			})
		}
	}
	s.Digest, s.Signed, s.Skills, s.Fetched = digest, from.signer(), len(now.Skills), f.Workspace.Now().UTC()
	sweepTrees(filepath.Dir(tree), treeName(digest), treeName(before))
	return f.sweepBlobs(ctx)
}

func putAway(s *fetched.Status, current string) error {
	folder, err := disk.Open(filepath.Dir(current), disk.Reference)
	if err == nil {
		err = errors.Join(folder.Remove(filepath.Base(current)), folder.Close())
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s.Digest, s.Signed, s.Skills, s.Indexed = "", "", 0, false
	return nil
}

// trusted returns an error if trust.keys does not allow content signed by signer. Without keys all content is allowed.
func (f *Fetcher) trusted(signer string) error {
	keys := f.Workspace.Settings.Trust.Keys
	switch {
	case len(keys) == 0 || slices.Contains(keys, signer):
		return nil
	case signer == "":
		return artifact.ErrUnsigned
	}
	return fmt.Errorf("%w; it is signed with %s", artifact.ErrUnsigned, signer)
}

// Unpack writes the current content of a reference to a new folder at path to and returns its digest. It does not
// change the library in use.
func (f *Fetcher) Unpack(ctx context.Context, reference, to string) (digest string, err error) {
	unlock, err := lock(f.Workspace.Dirs.Cache)
	if err != nil {
		return "", err
	}
	defer unlock()
	from, digest, err := f.open(ctx, reference)
	if err != nil {
		return "", err
	}
	return digest, from.unpack(ctx, to)
}

func (f *Fetcher) tree(ctx context.Context, reference, digest string, from source) (string, error) {
	trees := filepath.Join(fetched.Folder(f.Workspace.Dirs.Cache, reference), "trees")
	tree := filepath.Join(trees, treeName(digest))
	if _, err := os.Stat(tree); err == nil {
		return tree, nil
	}
	if err := disk.Ensure(trees, disk.Trees); err != nil {
		return "", err
	}
	tmp, err := disk.NewTemp(trees, "tmp-")
	if err != nil {
		return "", err
	}
	defer tmp.Remove()
	if err := from.unpack(ctx, tmp.Path); err != nil {
		return "", err
	}
	return tree, tmp.Give(".", tree)
}

func treeName(digest string) string { return strings.TrimPrefix(digest, "sha256:") }

// use atomically makes current a link to tree.
func use(tree, current string) error {
	folder, err := disk.Open(filepath.Dir(current), disk.Reference)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Point(filepath.Base(current), filepath.Join("trees", filepath.Base(tree)))
}

// sweepTrees removes all trees except keep. It ignores errors: the next sweep tries again.
func sweepTrees(trees string, keep ...string) {
	folder, err := disk.Open(trees, disk.Trees)
	if err != nil {
		return
	}
	defer folder.Close()
	entries, _ := folder.Entries()
	for _, e := range entries {
		if !slices.Contains(keep, e.Name()) {
			_ = folder.RemoveFolder(e.Name())
		}
	}
}

// unusedFor is the time for which a library is kept after it was removed from the settings.
const unusedFor = 30 * 24 * time.Hour

// Forget removes libraries that have not been in the settings for unusedFor. references are those in them now.
func (f *Fetcher) Forget(references []string) error {
	cache := f.Workspace.Dirs.Cache
	unlock, err := lock(cache)
	if err != nil {
		return err
	}
	defer unlock()
	all, err := disk.Open(fetched.All(cache), disk.Fetched)
	if err != nil {
		return err
	}
	defer all.Close()
	entries, err := all.Entries()
	if err != nil {
		return err
	}
	for _, e := range entries {
		folder := filepath.Join(fetched.All(cache), e.Name())
		info, err := os.Stat(filepath.Join(folder, "status.json"))
		known := slices.ContainsFunc(references, func(r string) bool { return fetched.Folder(cache, r) == folder })
		if err == nil && !known && f.Workspace.Now().Sub(info.ModTime()) > unusedFor {
			if err := all.RemoveFolder(e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

// ErrBusy says that another process holds the lock of the fetched libraries.
var ErrBusy = errors.New("another skillgate-org is fetching libraries")

func lock(cache string) (unlock func(), err error) {
	f, err := disk.OpenFile(filepath.Join(fetched.All(cache), "lock"), disk.Fetched, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if ok, err := system.TryLock(system.FileOf(f), true); !ok {
		f.Close()
		if err == nil {
			err = ErrBusy
		}
		return nil, err
	}
	return func() { f.Close() }, nil
}
