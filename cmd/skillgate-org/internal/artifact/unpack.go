package artifact

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"

	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/index"
)

// Limits limits the size of a fetched library.
type Limits struct {
	Compressed int64 // bytes of all blobs
	Unpacked   int64 // bytes of all files
	File       int64 // bytes of one file; files of the index may be larger
	Files      int
}

// DefaultLimits allow a library of 100,000 skills with an index, which takes some 600 MB.
var DefaultLimits = Limits{Compressed: 2 << 30, Unpacked: 6 << 30, File: 64 << 20, Files: 2_000_000}

const maxConfig = 64 << 20 // in bytes; a Config has about 250 bytes per skill

// CheckSize returns an error if the blobs of a manifest are larger than l allows.
func (l Limits) CheckSize(m *ocispec.Manifest) error {
	if m.Config.Size < 0 || m.Config.Size > maxConfig {
		return fmt.Errorf("the library's config has %d bytes; the limit is %d", m.Config.Size, maxConfig)
	}
	total := m.Config.Size
	for _, d := range m.Layers {
		if d.Size < 0 || d.Size > l.Compressed-total {
			return fmt.Errorf("the library is larger than the limit of %d bytes", l.Compressed)
		}
		total += d.Size
	}
	return nil
}

// ReadConfig returns the config of a library. It returns ErrNewer if only a later version can read the library, and
// ErrForeign if m is not the manifest of a library.
func ReadConfig(ctx context.Context, from content.Fetcher, m *ocispec.Manifest) (*Config, error) {
	if m.ArtifactType != Type {
		for _, of := range append(m.Layers, ocispec.Descriptor{MediaType: m.ArtifactType}, m.Config) {
			if strings.HasPrefix(of.MediaType, types) {
				return nil, fmt.Errorf("%w: its type is %.100q; this version reads %q", ErrNewer, m.ArtifactType, Type)
			}
		}
		return nil, ErrForeign
	}
	if m.Config.MediaType != ConfigType || m.Config.Size > maxConfig {
		return nil, fmt.Errorf("unexpected type or size of the config: %q, %d bytes", m.Config.MediaType, m.Config.Size)
	}
	text, err := content.FetchAll(ctx, from, m.Config)
	if err != nil {
		return nil, err
	}
	c := new(Config)
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	if c.Schema != Schema {
		return nil, fmt.Errorf("%w: its schema version is %d; this program reads version %d", ErrNewer, c.Schema, Schema)
	}
	return c, nil
}

// Wanted returns the layers of m, whose config is c, that this version can read. It omits an index of another version.
func Wanted(m *ocispec.Manifest, c *Config) []ocispec.Descriptor {
	readable := c.Index != nil && c.Index.Format == index.Format && c.Index.Analyzer == index.AnalyzerVersion
	var out []ocispec.Descriptor
	for _, l := range m.Layers {
		if l.MediaType != IndexType || readable {
			out = append(out, l)
		}
	}
	return out
}

// Unpack writes layers of a library to a new folder at path tree and checks its skills against config. A name that
// leads out of that folder is an error. Links and devices are left out.
func Unpack(
	ctx context.Context, from content.Fetcher, layers []ocispec.Descriptor, config *Config, tree string, l Limits,
) error {
	u, err := newUnpacker(tree, l)
	if err != nil {
		return err
	}
	defer u.root.Close()
	for _, d := range layers {
		if err := u.layer(ctx, from, d); err != nil {
			return fmt.Errorf("layer %s: %w", d.Digest, err)
		}
	}
	got, err := Scan(ctx, filepath.Join(tree, "skills"))
	if err != nil {
		return err
	}
	if added, changed, removed := Compare(config.Skills, got.Skills); added+changed+removed > 0 {
		return fmt.Errorf("skills do not match the config: %d unexpected, %d changed, %d missing", added, changed, removed)
	}
	return nil
}

// Put writes one file to the skills folder of a tree.
type Put func(name string, text []byte) error

// UnpackFiles calls each with a function that writes files to a new folder at path tree.
func UnpackFiles(tree string, l Limits, each func(put Put) error) error {
	u, err := newUnpacker(tree, l)
	if err != nil {
		return err
	}
	defer u.root.Close()
	return each(func(name string, text []byte) error {
		return u.file("skills/"+name, bytes.NewReader(text), int64(len(text)), 0o600)
	})
}

type unpacker struct {
	root *os.Root
	left Limits // remaining allowance
}

func newUnpacker(tree string, l Limits) (*unpacker, error) {
	if err := os.MkdirAll(filepath.Join(tree, "skills"), 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(tree)
	return &unpacker{root, l}, err
}

func (u *unpacker) layer(ctx context.Context, from content.Fetcher, d ocispec.Descriptor) error {
	switch d.MediaType {
	case SkillsType, ExpansionsType, IndexType:
	default:
		err := fmt.Errorf("unexpected layer type %.100q", d.MediaType)
		if strings.HasPrefix(d.MediaType, types) {
			err = fmt.Errorf("%w: %w", ErrNewer, err)
		}
		return err
	}
	in, err := from.Fetch(ctx, d)
	if err != nil {
		return err
	}
	defer in.Close()
	checked := content.NewVerifyReader(in, d)
	zip, err := gzip.NewReader(checked)
	if err != nil {
		return err
	}
	if err := u.archive(zip); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, checked); err != nil {
		return err
	}
	return checked.Verify()
}

func (u *unpacker) archive(from io.Reader) error {
	for r := tar.NewReader(from); ; {
		head, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if u.left.Files--; u.left.Files < 0 {
			return errors.New("too many files")
		}
		mode := fs.FileMode(0o600)
		if head.Mode&0o100 != 0 {
			mode = 0o700
		}
		if head.Typeflag == tar.TypeReg {
			err = u.file(head.Name, r, head.Size, mode)
		}
		if err != nil {
			return err
		}
	}
}

// check returns an error unless name is a path that a library may contain.
func check(name string) error {
	folder, rest, _ := strings.Cut(name, "/")
	switch {
	case !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00"):
		return fmt.Errorf("the path %q is invalid or leads outside the library", name)
	case !filepath.IsLocal(filepath.FromSlash(name)):
		return fmt.Errorf("%q is not a valid file name on this system", name)
	case folder == "skills" && rest != "", folder == "index" && rest != "" && !strings.Contains(rest, "/"),
		name == enrich.File:
		return nil
	}
	return fmt.Errorf("the file %q is not allowed in a library", name)
}

func (u *unpacker) file(name string, from io.Reader, size int64, mode fs.FileMode) error {
	if err := check(name); err != nil {
		return err
	}
	limit := u.left.Unpacked
	if !strings.HasPrefix(name, "index/") {
		limit = min(limit, u.left.File)
	}
	if size > limit {
		return fmt.Errorf("%q is larger than the limit of %d bytes", name, limit)
	}
	if err := u.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := u.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%q has the same name as another file on this system", name)
	}
	if err != nil {
		return err
	}
	n, err := io.Copy(f, io.LimitReader(from, limit+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if u.left.Unpacked -= n; n > limit {
		return fmt.Errorf("%q is larger than the limit of %d bytes", name, limit)
	}
	// All files get the same time, so that two copies of a library are equal.
	return u.root.Chtimes(name, unpackedTime, unpackedTime)
}

var unpackedTime = time.Unix(1, 0)
