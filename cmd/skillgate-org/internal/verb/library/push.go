package library

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"github.com/spf13/cobra"
	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/content/oci"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/artifact"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/fetch"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/wording"
	"github.com/skillgate/skillgate/gate/workspace"
)

type pushing struct {
	app        *app.App
	key        string
	expansions bool
}

func newPush(a *app.App) *cobra.Command {
	o := &pushing{app: a}
	cmd := &cobra.Command{
		Use:   "push FOLDER REGISTRY/REPO:TAG",
		Short: "Publish a folder of skills",
		Long: `push publishes the skills in FOLDER with all their files, and an index of them. It sends
only files that the registry does not have yet. Hidden files and links are left out.

--key signs the digests of all files and the title, but not the registry and the tag, so
that copies in mirrors stay valid.`,
		Example: `  openssl genpkey -algorithm ed25519 -out skills.key
  skillgate-org library push ./skills registry.example.com/team/skills:stable --key skills.key`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), a.Absolute(args[0]), args[1])
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.key, "key", "", "sign the library with the Ed25519 key in this PEM `FILE`")
	f.BoolVar(&o.expansions, "expansions", false,
		"include the phrases that \"skillgate enrich\" wrote for these skills")
	return cmd
}

func (o *pushing) run(ctx context.Context, folder, reference string) error {
	a := o.app
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	repo, err := fetch.Repository(reference)
	if err != nil {
		return err
	}
	if repo.Reference.Reference == "" {
		return app.Usage("%s has no tag; write REGISTRY/REPO:TAG", reference)
	}
	var key *artifact.Key
	if o.key != "" {
		if key, err = artifact.ReadKey(a.Absolute(o.key)); err != nil {
			return app.Hint(err, "create a key with: openssl genpkey -algorithm ed25519 -out FILE")
		}
	}
	work, err := disk.NewTemp("", "skillgate-push-")
	if err != nil {
		return err
	}
	defer work.Remove()
	c, err := o.content(ctx, folder, work.Path, d, a.Workspace(d, s))
	if err != nil {
		return app.OpenError(err)
	}
	store, err := oci.NewStorage(filepath.Join(work.Path, "blobs"))
	if err != nil {
		return err
	}
	root, err := artifact.Pack(ctx, c, key, store)
	if err != nil {
		return err
	}
	var sent, bytes, had atomic.Int64
	opts := oras.DefaultCopyGraphOptions
	opts.MaxMetadataBytes = 64 << 20
	opts.PostCopy = func(_ context.Context, d ocispec.Descriptor) error {
		sent.Add(1)
		bytes.Add(d.Size)
		return nil
	}
	opts.OnCopySkipped = func(context.Context, ocispec.Descriptor) error {
		had.Add(1)
		return nil
	}
	if err := oras.CopyGraph(ctx, store, repo, root, opts); err != nil {
		return err
	}
	if err := repo.Tag(ctx, root, repo.Reference.Reference); err != nil {
		return err
	}
	for _, left := range c.Left {
		a.Note("not published: %s", left)
	}
	fmt.Fprintf(a.Stdout, "%s: %s, %s\n", reference, wording.Count(len(c.Skills), "skill"), root.Digest)
	fmt.Fprintf(a.Stdout, "sent %d blobs (%d bytes in total); the registry already had %d\n",
		sent.Load(), bytes.Load(), had.Load())
	if key != nil {
		fmt.Fprintf(a.Stdout, "signed by %s\n", key.Public())
	}
	return nil
}

func (o *pushing) content(
	ctx context.Context, folder, work string, d dirs.Dirs, how workspace.Options,
) (*artifact.Content, error) {
	c, err := artifact.Scan(ctx, folder)
	if err != nil {
		return nil, err
	}
	if o.expansions {
		c.Expansions = filepath.Join(work, "expansions")
		if err := writeExpansions(ctx, d.State, folder, c.Expansions); err != nil {
			return nil, err
		}
	}
	c.Index = filepath.Join(work, "index")
	c.Manifest, err = workspace.Export(ctx, folder, c.Expansions, c.Index, how)
	return c, err
}

// writeExpansions writes the expansions of the skills in folder to a new folder at path to, under the ids that the
// skills have in the library.
func writeExpansions(ctx context.Context, state, folder, to string) error {
	store, err := enrich.Load(state)
	if err != nil {
		return err
	}
	root := catalog.LibraryRoot(folder)
	files, _ := catalog.Files(ctx, []catalog.Root{root}, nil)
	var list []enrich.Expansion
	for _, f := range files {
		e, err := catalog.Read(root, f)
		if err != nil {
			return err
		}
		if x, stale, ok := store.Get(e.ID, e.Hash); ok && !stale && len(x.Phrases) > 0 {
			x.ID, x.Name, x.Hash = e.ID, e.Name, e.Hash
			list = append(list, x)
		}
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(to, enrich.File), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := enrich.Write(f, list); err != nil {
		return err
	}
	return f.Close()
}
