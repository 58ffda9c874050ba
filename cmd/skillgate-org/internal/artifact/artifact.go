// Package artifact packs a library of skills as one OCI artifact, because a separate tag for each of thousands of
// skills is too much for registries and for people.
//
//	manifest   artifactType application/vnd.skillgate.library.v1
//	  config   a Config
//	  layers   …skills.v1.tar+gzip      skills/FOLDER/…, about 64 skills each, by a hash of the folder
//	           …expansions.v1.tar+gzip  expansions.jsonl, optional
//	           …index.v1.tar+gzip       index/FILE, one file of an index generation each, optional
//	  annotations  title and signature (sign.go)
//
// A push sends only layers that changed. Equal skills give equal layers: files are sorted and their times are zero. If
// all pushes use the same cache, the base of the index stays the same until a tenth of the skills has changed.
package artifact

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/content/oci"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/index"
)

// Media types.
const (
	Type           = "application/vnd.skillgate.library.v1"
	ConfigType     = "application/vnd.skillgate.library.config.v1+json"
	SkillsType     = "application/vnd.skillgate.library.skills.v1.tar+gzip"
	ExpansionsType = "application/vnd.skillgate.library.expansions.v1.tar+gzip"
	IndexType      = "application/vnd.skillgate.library.index.v1.tar+gzip"
)

// Config describes the content of a library.
type Config struct {
	Schema int          `json:"schema"`
	Skills []Skill      `json:"skills"`
	Index  *IndexConfig `json:"index,omitempty"` // nil if the library has no index
}

// IndexConfig says which versions of skillgate can read the index: those with the same format and analyzer.
type IndexConfig struct {
	Format   int    `json:"format"`
	Analyzer string `json:"analyzer"`
}

// Skill is one skill of a library.
type Skill struct {
	Folder string `json:"folder"` // path below skills/, slash-separated
	Name   string `json:"name"`   // set only in a Config
	Hash   string `json:"hash"`   // FolderHash of the folder
}

// Schema is the version of Config.
const Schema = 1

// Errors of ReadConfig and Unpack.
var (
	ErrNewer   = errors.New("the library needs a newer skillgate-org")
	ErrForeign = errors.New("the artifact is not a library published with skillgate-org")
)

// types is the common prefix of the media types of all versions.
const types = "application/vnd.skillgate.library."

// Content is a library on disk.
type Content struct {
	Title      string
	Skills     []Skill
	Expansions string          // folder with an expansions file, or ""
	Index      string          // folder written by workspace.Export, or ""
	Manifest   *index.Manifest // manifest of the index

	files map[string][]string // files by skill folder; paths are relative to root
	found []catalog.File      // SKILL.md of each skill
	root  string
	Left  []string // omitted files, each with a reason
}

// Scan lists the files of all skills below folder, and licence files. It omits hidden files, links and node_modules.
func Scan(ctx context.Context, folder string) (*Content, error) {
	c := &Content{Title: filepath.Base(folder), files: map[string][]string{}, root: folder}
	root := catalog.LibraryRoot(folder)
	files, problems := catalog.Files(ctx, []catalog.Root{root}, nil)
	for _, p := range problems {
		c.Left = append(c.Left, p.Error())
	}
	c.found = files
	for _, f := range files {
		if f.Folder == "" || f.Folder == "." {
			return nil, fmt.Errorf("%s is itself a skill; use the folder that contains it", folder)
		}
		c.Skills = append(c.Skills, Skill{Folder: f.Folder})
		c.files[f.Folder] = nil
	}
	if len(c.Skills) == 0 {
		return nil, fmt.Errorf("%s contains no skills (folders with a SKILL.md file)", folder)
	}
	slices.SortFunc(c.Skills, func(a, b Skill) int { return strings.Compare(a.Folder, b.Folder) })
	err := filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(folder, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if rel != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
			if c.owner(rel) != "" {
				c.Left = append(c.Left, rel+": hidden")
			}
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		owner := c.owner(rel)
		switch {
		case d.IsDir():
		case owner == "" && !licence(d.Name()):
		case !d.Type().IsRegular():
			c.Left = append(c.Left, rel+": not a regular file")
		default:
			c.files[owner] = append(c.files[owner], rel)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range c.Skills {
		s := &c.Skills[i]
		if s.Hash, err = FolderHash(os.DirFS(folder), s.Folder, c.files[s.Folder]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *Content) named() ([]Skill, error) {
	names := make(map[string]string, len(c.found))
	for _, f := range c.found {
		e, err := catalog.Read(catalog.LibraryRoot(c.root), f)
		if err != nil {
			return nil, err
		}
		names[f.Folder] = e.Name
	}
	skills := slices.Clone(c.Skills)
	for i := range skills {
		skills[i].Name = names[skills[i].Folder]
	}
	return skills, nil
}

// owner returns the folder of the nearest skill above a file, or "".
func (c *Content) owner(rel string) string {
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		if _, ok := c.files[dir]; ok {
			return dir
		}
	}
	return ""
}

func licence(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "license") || strings.HasPrefix(name, "licence") || strings.HasPrefix(name, "notice")
}

// FolderHash returns the SHA-256 over the path and content of each file of a skill. Paths are relative to the folder
// and in dictionary order (reference.md before SKILL.md), as in the computedHash of skills-lock.json.
func FolderHash(in fs.FS, folder string, files []string) (string, error) {
	h := sha256.New()
	files = slices.Clone(files)
	if len(files) > 1 {
		collate.New(language.Und).SortStrings(files)
	}
	for _, file := range files {
		io.WriteString(h, strings.TrimPrefix(file, folder+"/"))
		f, err := in.Open(file)
		if err != nil {
			return "", err
		}
		_, err = io.Copy(h, f)
		f.Close()
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

const (
	skillsPerLayer = 64
	maxSkillLayers = 256
)

// Pack writes the artifact to store and returns the descriptor of its manifest. A nil key leaves it unsigned.
func Pack(ctx context.Context, c *Content, key *Key, store *oci.Storage) (ocispec.Descriptor, error) {
	skills, err := c.named()
	if err != nil {
		return ocispec.Descriptor{}, err
	}
	config := Config{Schema: Schema, Skills: skills}
	if c.Index != "" {
		config.Index = &IndexConfig{c.Manifest.Format, c.Manifest.Analyzer}
	}
	text, err := json.Marshal(config)
	if err != nil {
		return ocispec.Descriptor{}, err
	}
	m := ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest, ArtifactType: Type,
		Annotations: map[string]string{ocispec.AnnotationTitle: c.Title},
	}
	if m.Config, err = put(ctx, store, ConfigType, text); err != nil {
		return m.Config, err
	}
	add := func(mediaType, root, prefix string, files ...string) error {
		l, err := layer(ctx, store, mediaType, root, prefix, files)
		m.Layers = append(m.Layers, l)
		return err
	}
	for _, files := range c.shards() {
		if err := add(SkillsType, c.root, "skills/", files...); err != nil {
			return ocispec.Descriptor{}, err
		}
	}
	if c.Expansions != "" {
		if err := add(ExpansionsType, c.Expansions, "", enrich.File); err != nil {
			return ocispec.Descriptor{}, err
		}
	}
	if c.Index != "" {
		entries, err := os.ReadDir(c.Index)
		for _, e := range entries {
			if err == nil {
				err = add(IndexType, c.Index, "index/", e.Name())
			}
		}
		if err != nil {
			return ocispec.Descriptor{}, err
		}
	}
	if key != nil {
		if err := key.Sign(&m); err != nil {
			return ocispec.Descriptor{}, err
		}
	}
	if text, err = json.Marshal(m); err != nil {
		return ocispec.Descriptor{}, err
	}
	return put(ctx, store, m.MediaType, text)
}

func (c *Content) shards() [][]string {
	n := 1
	for n < maxSkillLayers && n*skillsPerLayer < len(c.Skills) {
		n *= 2
	}
	shards := make([][]string, n)
	for folder, files := range c.files {
		h := fnv.New32a()
		io.WriteString(h, folder)
		at := h.Sum32() % uint32(n)
		shards[at] = append(shards[at], files...)
	}
	shards = slices.DeleteFunc(shards, func(files []string) bool { return len(files) == 0 })
	for _, files := range shards {
		slices.Sort(files)
	}
	return shards
}

func layer(
	ctx context.Context, store *oci.Storage, mediaType, root, prefix string, files []string,
) (ocispec.Descriptor, error) {
	// The layer is written to a temporary file first, because its digest must be known before it is stored.
	tmp, err := os.CreateTemp("", "skillgate-layer-")
	if err != nil {
		return ocispec.Descriptor{}, err
	}
	defer disk.Discard(tmp)
	sum := digest.SHA256.Digester()
	zip, err := gzip.NewWriterLevel(io.MultiWriter(tmp, sum.Hash()), gzip.BestSpeed)
	if err != nil {
		return ocispec.Descriptor{}, err
	}
	w := tar.NewWriter(zip)
	for _, file := range files {
		if err := addFile(w, filepath.Join(root, filepath.FromSlash(file)), prefix+file); err != nil {
			return ocispec.Descriptor{}, err
		}
	}
	if err := w.Close(); err != nil {
		return ocispec.Descriptor{}, err
	}
	if err := zip.Close(); err != nil {
		return ocispec.Descriptor{}, err
	}
	size, err := tmp.Seek(0, io.SeekCurrent)
	if err != nil {
		return ocispec.Descriptor{}, err
	}
	if _, err := tmp.Seek(0, io.SeekStart); err != nil {
		return ocispec.Descriptor{}, err
	}
	d := ocispec.Descriptor{MediaType: mediaType, Digest: sum.Digest(), Size: size}
	return d, push(ctx, store, d, tmp)
}

func addFile(w *tar.Writer, file, name string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	head := &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: info.Size(), Mode: 0o644, Format: tar.FormatPAX}
	if info.Mode()&0o100 != 0 {
		head.Mode = 0o755
	}
	if err := w.WriteHeader(head); err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return err
}

func put(ctx context.Context, store *oci.Storage, mediaType string, text []byte) (ocispec.Descriptor, error) {
	d := content.NewDescriptorFromBytes(mediaType, text)
	return d, push(ctx, store, d, bytes.NewReader(text))
}

func push(ctx context.Context, store *oci.Storage, d ocispec.Descriptor, from io.Reader) error {
	if ok, err := store.Exists(ctx, d); err != nil || ok {
		return err
	}
	return store.Push(ctx, d, from)
}

// Compare counts the differences between the skills of two libraries.
func Compare(from, to []Skill) (added, changed, removed int) {
	old := map[string]string{}
	for _, s := range from {
		old[s.Folder] = s.Hash
	}
	for _, s := range to {
		switch hash, ok := old[s.Folder]; {
		case !ok:
			added++
		case hash != s.Hash:
			changed++
		}
		delete(old, s.Folder)
	}
	return added, changed, len(old)
}
