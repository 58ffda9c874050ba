package fetch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"golang.org/x/sync/errgroup"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/content/oci"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/artifact"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// Repository opens REGISTRY/REPO with or without :TAG or @DIGEST, with the credentials of `docker login`. It uses
// plain HTTP for a registry on this machine.
func Repository(reference string) (*remote.Repository, error) {
	repo, err := remote.NewRepository(reference)
	if err != nil {
		return nil, err
	}
	client := &auth.Client{
		Client: &http.Client{Transport: patient(Transport)}, Cache: auth.NewCache(),
	}
	if store, err := credentials.NewStoreFromDocker(credentials.StoreOptions{}); err == nil {
		client.Credential = credentials.Credential(store)
	}
	repo.Client = client
	repo.PlainHTTP = isLocal(repo.Reference.Registry)
	return repo, nil
}

func isLocal(host string) bool {
	name := (&url.URL{Host: host}).Hostname()
	ip := net.ParseIP(name)
	return name == "localhost" || ip != nil && ip.IsLoopback()
}

// maxManifest is the size of the largest manifest that registries accept, in bytes.
const maxManifest = 4 << 20

// validDigests returns an error if a digest is malformed. Digests become file names.
func validDigests(of ...ocispec.Descriptor) error {
	for _, d := range of {
		if err := d.Digest.Validate(); err != nil {
			return fmt.Errorf("digest %q: %w", d.Digest, err)
		}
	}
	return nil
}

type registry struct {
	repo     *remote.Repository
	store    *oci.Storage
	blobs    string // folder of store
	limits   artifact.Limits
	manifest ocispec.Manifest
	root     ocispec.Descriptor
	key      string
}

func (f *Fetcher) blobs() string { return filepath.Join(fetched.All(f.Workspace.Dirs.Cache), "blobs") }

func (f *Fetcher) newRegistry(reference string) (*registry, error) {
	repo, err := Repository(reference)
	if err != nil {
		return nil, err
	}
	if err := disk.Ensure(filepath.Join(f.blobs(), "blobs", "sha256"), disk.Digests); err != nil {
		return nil, err
	}
	store, err := oci.NewStorage(f.blobs())
	if err != nil {
		return nil, err
	}
	return &registry{repo: repo, store: store, blobs: f.blobs(), limits: f.Limits}, nil
}

func (r *registry) signer() string { return r.key }

func (r *registry) resolve(ctx context.Context) (string, error) {
	var err error
	if r.root, err = r.repo.Resolve(ctx, cmp.Or(r.repo.Reference.Reference, "latest")); err != nil {
		return "", err
	}
	if err := validDigests(r.root); err != nil {
		return "", err
	}
	if r.root.Size > maxManifest {
		return "", fmt.Errorf("the manifest has %d bytes; the limit is %d", r.root.Size, maxManifest)
	}
	text, err := content.FetchAll(ctx, r.repo, r.root)
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal(text, &r.manifest); err != nil {
		return "", fmt.Errorf("manifest: %w", err)
	}
	if err := validDigests(append([]ocispec.Descriptor{r.manifest.Config}, r.manifest.Layers...)...); err != nil {
		return "", err
	}
	if r.key, err = artifact.Signer(&r.manifest); err != nil {
		return "", err
	}
	return r.root.Digest.String(), r.limits.CheckSize(&r.manifest)
}

func (r *registry) unpack(ctx context.Context, tree string) error {
	if err := r.fetch(ctx, r.root, r.manifest.Config); err != nil {
		return err
	}
	config, err := artifact.ReadConfig(ctx, r.store, &r.manifest)
	if err != nil {
		return err
	}
	layers := artifact.Wanted(&r.manifest, config)
	if err := r.fetch(ctx, layers...); err != nil {
		return err
	}
	return artifact.Unpack(ctx, r.store, layers, config, tree, r.limits)
}

// fetch fetches the blobs that are missing or damaged, and verifies their digests.
func (r *registry) fetch(ctx context.Context, blobs ...ocispec.Descriptor) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4) // number of concurrent downloads that registries tolerate
	for _, d := range blobs {
		g.Go(func() error { return system.Caught(func() error { return r.fetchOne(ctx, d) }) })
	}
	return g.Wait()
}

func (r *registry) fetchOne(ctx context.Context, d ocispec.Descriptor) error {
	if err := validDigests(d); err != nil {
		return err
	}
	if r.whole(ctx, d) {
		return nil
	}
	folder, err := disk.Make(filepath.Join(r.blobs, "blobs", d.Digest.Algorithm().String()), disk.Digests)
	if err != nil {
		return err
	}
	defer folder.Close()
	if err := folder.Remove(d.Digest.Encoded()); err != nil { // removes a damaged copy
		return err
	}
	in, err := r.repo.Fetch(ctx, d)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := r.store.Push(ctx, d, in); err != nil {
		return fmt.Errorf("blob %s: %w", d.Digest, err)
	}
	return nil
}

func (r *registry) whole(ctx context.Context, d ocispec.Descriptor) bool {
	in, err := r.store.Fetch(ctx, d)
	if err != nil {
		return false
	}
	defer in.Close()
	checked := content.NewVerifyReader(in, d)
	if _, err := io.Copy(io.Discard, checked); err != nil {
		return false
	}
	return checked.Verify() == nil
}

func (f *Fetcher) sweepBlobs(ctx context.Context) error {
	folder := filepath.Join(f.blobs(), "blobs", "sha256")
	blobs, err := disk.Open(folder, disk.Digests)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer blobs.Close()
	names, err := blobs.Entries()
	if err != nil {
		return err
	}
	keep := map[string]bool{}
	trees, err := filepath.Glob(filepath.Join(fetched.All(f.Workspace.Dirs.Cache), "*", "trees", "*"))
	if err != nil {
		return err
	}
	for _, tree := range trees {
		name := filepath.Base(tree)
		text, err := regular.Read(filepath.Join(folder, name), 4<<20)
		var m ocispec.Manifest
		if err != nil || json.Unmarshal(text, &m) != nil {
			continue // the tree is not from an artifact
		}
		keep[name] = true
		for _, d := range append(m.Layers, m.Config) {
			if validDigests(d) == nil {
				keep[d.Digest.Encoded()] = true
			}
		}
	}
	for _, e := range names {
		if !keep[e.Name()] && ctx.Err() == nil {
			_ = blobs.Remove(e.Name())
		}
	}
	return nil
}
