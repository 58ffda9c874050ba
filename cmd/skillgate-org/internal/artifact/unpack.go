package artifact

import (
	"archive/tar"
	"bufio"
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
	"slices"
	"strings"
	"time"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/index"
)

// Limits bound what is fetched and unpacked.
type Limits struct {
	Compressed int64 // bytes of all blobs
	Unpacked   int64 // bytes of all files
	File       int64 // bytes of one file, but of the index
	Files      int
}

// DefaultLimits hold a library of 100,000 skills with an index, which takes some 600 MB.
var DefaultLimits = Limits{Compressed: 2 << 30, Unpacked: 6 << 30, File: 64 << 20, Files: 2_000_000}

// maxConfig bounds Config: 250 bytes a skill.
const maxConfig = 64 << 20

// CheckSize fails where a manifest says that more is to be fetched than l allows.
func (l Limits) CheckSize(m *ocispec.Manifest) error {
	if m.Config.Size < 0 || m.Config.Size > maxConfig {
		return fmt.Errorf("its config has %d bytes, limit %d", m.Config.Size, maxConfig)
	}
	total := m.Config.Size
	for _, d := range m.Layers {
		if d.Size < 0 || d.Size > l.Compressed-total {
			return fmt.Errorf("it has more than %d bytes, too many for a library", l.Compressed)
		}
		total += d.Size
	}
	return nil
}

// ReadConfig returns the config of a library; nil for artifacts of others. ErrNewer says that another version has to
// read it.
func ReadConfig(ctx context.Context, from content.Fetcher, m *ocispec.Manifest) (*Config, error) {
	if m.ArtifactType != Type {
		for _, of := range append(m.Layers, ocispec.Descriptor{MediaType: m.ArtifactType}, m.Config) {
			if strings.HasPrefix(of.MediaType, types) {
				return nil, fmt.Errorf("%w: a library of type %.100q, this version reads %q", ErrNewer, m.ArtifactType, Type)
			}
		}
		return nil, nil
	}
	if m.Config.MediaType != ConfigType || m.Config.Size > maxConfig {
		return nil, fmt.Errorf("config of type %q with %d bytes", m.Config.MediaType, m.Config.Size)
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
		return nil, fmt.Errorf("%w: schema %d of the library, this version reads %d", ErrNewer, c.Schema, Schema)
	}
	return c, nil
}

// Readable reports whether the index that comes along is one that this version reads.
func (c *Config) Readable() bool {
	return c.Index != nil && c.Index.Format == index.Format && c.Index.Analyzer == index.AnalyzerVersion
}

// Wanted returns the layers that this version needs of m, whose config is c: an index of another
// version is not fetched.
func Wanted(m *ocispec.Manifest, c *Config) []ocispec.Descriptor {
	var out []ocispec.Descriptor
	for _, l := range m.Layers {
		if l.MediaType == IndexType && (c == nil || !c.Readable()) {
			continue
		}
		out = append(out, l)
	}
	return out
}

// Unpack writes layers of a manifest to the new folder tree. A library's own are checked against
// config, and what was found of them is returned; it is nil for others. Of other artifacts (config
// nil) every archive and every titled file is taken, which reads an agent skill with one archive,
// one with a layer for each file, and an image whose file system holds skills; name is that of a
// skill at the top. Names that lead out of the tree are errors. Links and devices are left out.
func Unpack(
	ctx context.Context, from content.Fetcher, layers []ocispec.Descriptor, config *Config, name, tree string, l Limits,
) (*Content, error) {
	u, err := newUnpacker(tree, l)
	if err != nil {
		return nil, err
	}
	defer u.close()
	for _, d := range layers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := u.layer(ctx, from, d, config != nil); err != nil {
			return nil, fmt.Errorf("layer %s: %w", d.Digest, err)
		}
	}
	if config == nil {
		return nil, u.foreign(ctx, name)
	}
	return u.check(ctx, config)
}

// Put writes to a tree that is being unpacked.
type Put struct{ u *unpacker }

// File writes one file of the skills.
func (p Put) File(name string, text []byte) error {
	local, err := p.u.local("skills", name)
	if err != nil {
		return err
	}
	return p.u.file(local, bytes.NewReader(text), int64(len(text)), 0o600)
}

// UnpackFiles writes foreign skills, which each puts, to the new folder tree.
func UnpackFiles(ctx context.Context, tree string, l Limits, each func(Put) error) error {
	u, err := newUnpacker(tree, l)
	if err != nil {
		return err
	}
	defer u.close()
	if err := each(Put{u}); err != nil {
		return err
	}
	return u.foreign(ctx, "")
}

type unpacker struct {
	into *disk.Unpacked
	root *os.Root
	tree string
	left Limits // what may still come

	in     *os.Root // the folder that was last written to, nil for none: the files of a skill follow each other
	inName string
	buffer []byte // of what is copied
}

func newUnpacker(tree string, l Limits) (*unpacker, error) {
	into, err := disk.Unpack(tree)
	if err != nil {
		return nil, err
	}
	if err := into.Root.Mkdir("skills", 0o700); err != nil {
		return nil, errors.Join(err, into.Root.Close())
	}
	return &unpacker{into: into, root: into.Root, tree: tree, left: l, buffer: make([]byte, 64<<10)}, nil
}

func (u *unpacker) close() {
	u.leave()
	u.root.Close()
}

func (u *unpacker) folder(name string) (*os.Root, error) {
	if u.in != nil && u.inName == name {
		return u.in, nil
	}
	u.leave()
	if err := u.root.MkdirAll(name, 0o700); err != nil {
		return nil, err
	}
	in, err := u.root.OpenRoot(name)
	u.in, u.inName = in, name
	return in, err
}

func (u *unpacker) leave() {
	if u.in != nil {
		u.in.Close()
		u.in = nil
	}
}

func (u *unpacker) layer(ctx context.Context, from content.Fetcher, d ocispec.Descriptor, own bool) error {
	in, err := from.Fetch(ctx, d)
	if err != nil {
		return err
	}
	defer in.Close()
	checked := content.NewVerifyReader(in, d)
	title := d.Annotations[ocispec.AnnotationTitle]
	switch {
	case own && (d.MediaType == SkillsType || d.MediaType == ExpansionsType || d.MediaType == IndexType):
		err = u.archive(checked, "")
	case own && strings.HasPrefix(d.MediaType, types):
		return fmt.Errorf("%w: a layer of type %.100q in a library", ErrNewer, d.MediaType)
	case own:
		return fmt.Errorf("a layer of type %.100q in a library", d.MediaType)
	case strings.Contains(d.MediaType, "tar") && !strings.Contains(d.MediaType, "zstd"):
		err = u.archive(checked, "skills")
	case title != "":
		var name string
		if name, err = u.local("skills", title); err == nil {
			err = u.file(name, checked, d.Size, 0o600)
		}
	default:
		return fmt.Errorf("media type %q without a title: not a layer of skills", d.MediaType)
	}
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, checked); err != nil {
		return err
	}
	return checked.Verify()
}

func (u *unpacker) archive(from io.Reader, in string) error {
	buffered := bufio.NewReaderSize(from, 1<<16)
	from = buffered
	if head, _ := buffered.Peek(2); len(head) == 2 && head[0] == 0x1f && head[1] == 0x8b {
		zip, err := gzip.NewReader(buffered)
		if err != nil {
			return err
		}
		defer zip.Close()
		from = zip
	}
	for r := tar.NewReader(from); ; {
		head, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		name, err := u.local(in, head.Name)
		if err != nil {
			return err
		}
		if u.left.Files--; u.left.Files < 0 {
			return errors.New("too many files")
		}
		switch {
		case in != "" && strings.HasPrefix(path.Base(name), ".wh."): // an image's: a lower layer's file is gone
			gone := strings.TrimPrefix(path.Base(name), ".wh.")
			if gone == "" || gone == "." || gone == ".." {
				return fmt.Errorf("%q is not a file name", head.Name)
			}
			u.leave() // it may be in what goes
			_ = u.into.Remove(path.Join(path.Dir(name), gone))
		case head.Typeflag == tar.TypeReg:
			mode := fs.FileMode(0o600)
			if head.Mode&0o100 != 0 {
				mode = 0o700
			}
			if err := u.file(name, r, head.Size, mode); err != nil {
				return err
			}
		}
	}
}

// local is the place of a file in the tree. Libraries' own archives hold three kinds of them.
func (u *unpacker) local(in, name string) (string, error) {
	given := name
	name = path.Clean(strings.TrimPrefix(name, "./"))
	if !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsAny(name, "\\\x00") {
		if fs.ValidPath(name) && !strings.ContainsAny(name, "\\\x00") {
			return "", fmt.Errorf("%q cannot be the name of a file on this system", given)
		}
		if in == "" || name != "/" {
			return "", fmt.Errorf("%q leads out of the folder", given)
		}
		name = "."
	}
	if in != "" {
		return path.Join(in, name), nil
	}
	folder, rest, _ := strings.Cut(name, "/")
	switch {
	case folder == "skills" && rest != "", folder == "index" && rest != "" && !strings.Contains(rest, "/"),
		name == enrich.File:
		return name, nil
	}
	return "", fmt.Errorf("%q has no place in a library", given)
}

func (u *unpacker) file(name string, from io.Reader, size int64, mode fs.FileMode) error {
	limit := u.left.File
	if strings.HasPrefix(name, "index/") {
		limit = u.left.Unpacked
	}
	limit = min(limit, u.left.Unpacked)
	if size > limit {
		return fmt.Errorf("%q takes more than %d bytes", name, limit)
	}
	in, err := u.folder(path.Dir(name))
	if err != nil {
		return err
	}
	const how = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	base := path.Base(name)
	f, err := in.OpenFile(base, how, mode)
	if errors.Is(err, fs.ErrExist) {
		if !u.spelled(name) {
			return fmt.Errorf("%q is there already in other letters, which are the same on this system", name)
		}
		_ = u.into.Remove(name) // an image's higher layer replaces it
		f, err = in.OpenFile(base, how, mode)
	}
	if err != nil {
		return err
	}
	// A file would be written with a buffer of its own each.
	n, err := io.CopyBuffer(struct{ io.Writer }{f}, io.LimitReader(from, limit+1), u.buffer)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if u.left.Unpacked -= n; n > limit {
		return fmt.Errorf("%q takes more than %d bytes", name, limit)
	}
	// One time for all: what was fetched twice is equal.
	return in.Chtimes(base, unpackedTime, unpackedTime)
}

// spelled reports whether a file has been written under exactly this name.
func (u *unpacker) spelled(name string) bool {
	for ; name != "."; name = path.Dir(name) {
		beside, err := fs.ReadDir(u.root.FS(), path.Dir(name))
		if err != nil || !slices.ContainsFunc(beside, func(e fs.DirEntry) bool { return e.Name() == path.Base(name) }) {
			return false
		}
	}
	return true
}

var unpackedTime = time.Unix(1, 0)

func (u *unpacker) check(ctx context.Context, c *Config) (*Content, error) {
	got, err := Scan(ctx, filepath.Join(u.tree, "skills"))
	if err != nil {
		return nil, err
	}
	if added, changed, removed := Compare(c.Skills, got.Skills); added+changed+removed > 0 {
		return nil, fmt.Errorf("its skills are not those of its config: %d too many, %d others, %d missing",
			added, changed, removed)
	}
	return got, nil
}

// foreign gives the skills of others their place.
func (u *unpacker) foreign(ctx context.Context, name string) error {
	u.leave() // it may be moved
	skills := filepath.Join(u.tree, "skills")
	if _, err := u.root.Lstat("skills/SKILL.md"); err == nil {
		if !filepath.IsLocal(name) || strings.ContainsAny(name, `/\`) {
			return fmt.Errorf("a skill named %q", name)
		}
		if err := u.into.Move("skills", "top"); err != nil {
			return err
		}
		if err := u.root.Mkdir("skills", 0o700); err != nil {
			return err
		}
		if err := u.into.Move("top", path.Join("skills", name)); err != nil {
			return err
		}
	}
	if files, _ := catalog.Files(ctx, []catalog.Root{catalog.LibraryRoot(skills)}, nil); len(files) == 0 {
		return errors.New("it holds no SKILL.md")
	}
	return nil
}
