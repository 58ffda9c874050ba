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
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/content/oci"
)

func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
	}
	return dir
}

func skill(name string) string {
	return "---\nname: " + name + "\ndescription: Folds " + name + " of paper.\n---\nFold.\n"
}

func packed(t testing.TB, dir string, key *Key) (*oci.Storage, *ocispec.Manifest) {
	t.Helper()
	c, err := Scan(context.Background(), dir)
	require.NoError(t, err)
	c.Title = "paper"
	store, err := oci.NewStorage(t.TempDir())
	require.NoError(t, err)
	root, err := Pack(context.Background(), c, key, store)
	require.NoError(t, err)
	text, err := content.FetchAll(context.Background(), store, root)
	require.NoError(t, err)
	m := new(ocispec.Manifest)
	require.NoError(t, json.Unmarshal(text, m))
	return store, m
}

func unpacked(t testing.TB, store content.Fetcher, m *ocispec.Manifest, l Limits) (string, error) {
	t.Helper()
	tree := filepath.Join(t.TempDir(), "tree")
	config, err := ReadConfig(context.Background(), store, m)
	if err != nil {
		return "", err
	}
	return tree, Unpack(context.Background(), store, Wanted(m, config), config, tree, l)
}

func TestPackAndUnpack(t *testing.T) {
	files := map[string]string{
		"boats/SKILL.md": skill("boats"), "boats/scripts/fold.sh": "#!/bin/sh\n", "LICENSE": "free",
		"hats/deep/SKILL.md": skill("deep"), "hats/notes.txt": "of no skill", "boats/.env": "SECRET=1", "boats/.git/config": "x",
	}
	dir := write(t, files)
	require.NoError(t, errors.Join(os.Chmod(filepath.Join(dir, "boats/scripts/fold.sh"), 0o755), os.Symlink("/etc/passwd", filepath.Join(dir, "boats/link"))))
	store, m := packed(t, dir, nil)
	tree, err := unpacked(t, store, m, DefaultLimits)
	require.NoError(t, err)
	var got []string
	err = filepath.WalkDir(tree, func(file string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(tree, file)
			text, _ := os.ReadFile(file)
			got = append(got, rel)
			want := files[strings.TrimPrefix(rel, "skills/")]
			assert.Equal(t, want, string(text), "%s = %q, want %q", rel, text, want)
		}
		return err
	})
	want := "skills/LICENSE skills/boats/SKILL.md skills/boats/scripts/fold.sh skills/hats/deep/SKILL.md"
	require.Equal(t, want, strings.Join(got, " "))
	assert.NoError(t, err)
	if info, err := os.Stat(filepath.Join(tree, "skills/boats/scripts/fold.sh")); err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("a script is no longer executable: %v, %v", info, err)
	}
}

func TestPackIsIncremental(t *testing.T) {
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("skill-%d/SKILL.md", i)] = skill(fmt.Sprint("kite", i))
	}
	dir := write(t, files)
	_, first := packed(t, dir, nil)
	_, again := packed(t, dir, nil)
	a, b := fmt.Sprint(first.Layers, first.Config), fmt.Sprint(again.Layers, again.Config)
	assert.Equal(t, b, a)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "skill-7/SKILL.md"), []byte(skill("dragon")), 0o600))
	_, now := packed(t, dir, nil)
	differ := 0
	for i, l := range now.Layers {
		if l.Digest != first.Layers[i].Digest {
			differ++
		}
	}
	require.Len(t, now.Layers, 8)
	assert.Equal(t, 1, differ)
}

func testKey(t testing.TB) *Key {
	t.Helper()
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not installed")
	}
	file := filepath.Join(t.TempDir(), "key.pem")
	if out, err := exec.Command("openssl", "genpkey", "-algorithm", "ed25519", "-out", file).CombinedOutput(); err != nil {
		t.Fatalf("openssl: %v, %s", err, out)
	}
	key, err := ReadKey(file)
	require.NoError(t, err)
	return key
}

func TestSignatureCoversEverything(t *testing.T) {
	key := testKey(t)
	_, m := packed(t, write(t, map[string]string{"boats/SKILL.md": skill("boats")}), key)
	if got, err := Signer(m); err != nil || got != key.Public() {
		t.Fatalf("Signer = %q, %v, want %q", got, err, key.Public())
	}
	changes := map[string]func(m *ocispec.Manifest){
		"a layer's digest":    func(m *ocispec.Manifest) { m.Layers[0].Digest = m.Config.Digest },
		"a layer's size":      func(m *ocispec.Manifest) { m.Layers[0].Size++ },
		"a layer more":        func(m *ocispec.Manifest) { m.Layers = append(m.Layers, m.Layers[0]) },
		"the config":          func(m *ocispec.Manifest) { m.Config.Size++ },
		"the title":           func(m *ocispec.Manifest) { m.Annotations[ocispec.AnnotationTitle] = "other" },
		"the type":            func(m *ocispec.Manifest) { m.ArtifactType = "" },
		"the signature":       func(m *ocispec.Manifest) { m.Annotations[Signature] += "A" },
		"a signature of none": func(m *ocispec.Manifest) { m.Annotations[Signature] = "x:y" },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			text, _ := json.Marshal(m)
			changed := new(ocispec.Manifest)
			require.NoError(t, json.Unmarshal(text, changed))
			change(changed)
			got, err := Signer(changed)
			assert.Error(t, err, "Signer = %q of a manifest that was changed, want an error", got)
		})
	}
	delete(m.Annotations, Signature)
	if got, err := Signer(m); got != "" || err != nil {
		t.Errorf("Signer of an unsigned manifest = %q, %v, want none", got, err)
	}
}

func TestReadKeyRefuses(t *testing.T) {
	for _, text := range []string{"", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"} {
		dir := write(t, map[string]string{"key": text})
		_, err := ReadKey(filepath.Join(dir, "key"))
		assert.Error(t, err, "ReadKey of %q succeeds", text)
	}
}

func archived(t testing.TB, heads ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	w := tar.NewWriter(zip)
	for _, h := range heads {
		text := h.Name
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if h.Typeflag != tar.TypeReg {
			text = ""
		}
		h.Size, h.Mode = int64(len(text)), 0o644
		require.NoError(t, w.WriteHeader(&h))
		_, err := w.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, errors.Join(w.Close(), zip.Close()))
	return b.Bytes()
}

func unpackTar(from io.Reader, tree string, l Limits) error {
	u, err := newUnpacker(tree, l)
	if err != nil {
		return err
	}
	defer u.root.Close()
	zip, err := gzip.NewReader(from)
	if err != nil {
		return err
	}
	return u.archive(zip)
}

func TestUnpackRefuses(t *testing.T) {
	small := Limits{Compressed: 1 << 20, Unpacked: 100, File: 50, Files: 3}
	tests := []struct {
		name string
		text []byte
		want string
	}{
		{"a name that leads up", archived(t, tar.Header{Name: "../SKILL.md"}), "leads outside"},
		{"a name that leads up later", archived(t, tar.Header{Name: "skills/../../SKILL.md"}), "leads outside"},
		{"an absolute name", archived(t, tar.Header{Name: "/etc/cron.d/x"}), "leads outside"},
		{"a name of another system", archived(t, tar.Header{Name: `skills/..\SKILL.md`}), "leads outside"},
		{"a place of its own", archived(t, tar.Header{Name: "bin/x"}), "not allowed"},
		{"a file over the limit", archived(t, tar.Header{Name: "skills/" + strings.Repeat("a", 60)}), "limit of 50"},
		{"more than the limit", archived(t, tar.Header{Name: "skills/" + strings.Repeat("a", 38)},
			tar.Header{Name: "skills/" + strings.Repeat("b", 38)}, tar.Header{Name: "skills/" + strings.Repeat("c", 38)}), "limit of 10 bytes"},
		{"too many files", archived(t, tar.Header{Name: "skills/a"}, tar.Header{Name: "skills/b"}, tar.Header{Name: "skills/c"},
			tar.Header{Name: "skills/d"}), "too many"},
		{"a file in the place of a folder", archived(t, tar.Header{Name: "skills/a"}, tar.Header{Name: "skills/a/b"}), ""},
		{"a file twice", archived(t, tar.Header{Name: "skills/a"}, tar.Header{Name: "skills/a"}), "the same name"},
		{"no archive", []byte("hello"), ""},
		{"a cut archive", archived(t, tar.Header{Name: "SKILL.md"})[:40], ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			err := unpackTar(bytes.NewReader(tt.text), filepath.Join(dir, "tree"), small)
			assert.ErrorContains(t, err, tt.want)
			entries, _ := os.ReadDir(dir)
			assert.Len(t, entries, 1)
		})
	}
}

// A link is left out, and no file is written through it.
func TestUnpackLeavesOutLinks(t *testing.T) {
	tree := filepath.Join(t.TempDir(), "tree")
	link := archived(t, tar.Header{Name: "skills/a", Typeflag: tar.TypeSymlink, Linkname: "/tmp"}, tar.Header{Name: "skills/a/b"})
	require.NoError(t, unpackTar(bytes.NewReader(link), tree, DefaultLimits))
	info, err := os.Lstat(filepath.Join(tree, "skills", "a"))
	require.NoError(t, err)
	assert.True(t, info.IsDir())
}

// Windows refuses names of devices, impossible names and names that it does not distinguish. Other systems accept them.
func TestNamesOfWindows(t *testing.T) {
	for _, tt := range []struct{ name, before, want string }{
		{name: "CON", want: "cannot be the name"},
		{name: "nul.md", want: "cannot be the name"},
		{name: "COM1/notes.md", want: "cannot be the name"},
		{name: "notes.md:hidden", want: "cannot be the name"},
		{name: "C:notes.md", want: "cannot be the name"},
		{name: "what?.md", want: "what?.md"},
		{name: "NOTES.md", before: "notes.md", want: "the same name"},
		{name: "notes.md.", before: "notes.md", want: "the same name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			heads := []tar.Header{{Name: "skills/" + tt.name}}
			if tt.before != "" {
				heads = slices.Insert(heads, 0, tar.Header{Name: "skills/" + tt.before})
			}
			dir, err := os.MkdirTemp("", "names-")
			require.NoError(t, err)
			t.Cleanup(func() { os.RemoveAll(dir) }) // under wine this fails, and so would t.TempDir
			tree := filepath.Join(dir, "tree")
			err = unpackTar(bytes.NewReader(archived(t, heads...)), tree, DefaultLimits)
			if runtime.GOOS == "windows" {
				assert.ErrorContains(t, err, tt.want)
				return
			}
			require.NoError(t, err)
			_, err = os.Stat(filepath.Join(tree, "skills", tt.name))
			assert.NoError(t, err)
		})
	}
}

func TestUnpackRefusesWhatIsNotListed(t *testing.T) {
	dir := write(t, map[string]string{"boats/SKILL.md": skill("boats")})
	store, m := packed(t, dir, nil)
	for _, heads := range [][]tar.Header{
		{{Name: "skills/more/SKILL.md"}}, {{Name: "skills/boats/SKILL.md"}}, {{Name: "skills/boats/run.sh"}},
		{{Name: "elsewhere/x"}}, {{Name: "index/deep/x"}}, {{Name: "status.json"}},
	} {
		t.Run(heads[0].Name, func(t *testing.T) {
			text := archived(t, heads...)
			d, err := put(context.Background(), store, SkillsType, text)
			require.NoError(t, err)
			other := *m
			other.Layers = append([]ocispec.Descriptor{}, m.Layers...)
			other.Layers = append(other.Layers, d)
			_, err = unpacked(t, store, &other, DefaultLimits)
			assert.Error(t, err, "Unpack takes it")
		})
	}
	other := *m
	other.Layers = nil
	_, err := unpacked(t, store, &other, DefaultLimits)
	assert.Error(t, err, "Unpack takes a library whose skills are missing")
}

func TestCheckSize(t *testing.T) {
	layers := func(sizes ...int64) *ocispec.Manifest {
		m := &ocispec.Manifest{Config: ocispec.Descriptor{Size: 100}}
		for _, n := range sizes {
			m.Layers = append(m.Layers, ocispec.Descriptor{Size: n})
		}
		return m
	}
	tests := []struct {
		name string
		m    *ocispec.Manifest
		ok   bool
	}{
		{"a small one", layers(10, 20), true},
		{"ten gigabytes in one", layers(10 << 30), false},
		{"ten gigabytes in all", layers(1<<30, 1<<30, 8<<30), false},
		{"a size that is negative", layers(-1), false},
		{"sizes that overflow together", layers(1<<62, 1<<62, 1<<62, 1<<62), false},
		{"a config of a gigabyte", &ocispec.Manifest{Config: ocispec.Descriptor{Size: 1 << 30}}, false},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.ok, DefaultLimits.CheckSize(tt.m) == nil, tt.name)
	}
}

func TestReadConfigRefusesTheFuture(t *testing.T) {
	store, m := packed(t, write(t, map[string]string{"boats/SKILL.md": skill("boats")}), nil)
	var err error
	m.Config, err = put(context.Background(), store, ConfigType, []byte(`{"schema":2}`))
	require.NoError(t, err)
	_, err = ReadConfig(context.Background(), store, m)
	require.ErrorIs(t, err, ErrNewer)
	assert.ErrorContains(t, err, "its schema version is 2")
	const v2 = types + "v2"
	layers := []ocispec.Descriptor{{MediaType: types + "skills.v2.tar+gzip"}}
	for name, of := range map[string]*ocispec.Manifest{
		"its type": {ArtifactType: v2}, "its config": {Config: ocispec.Descriptor{MediaType: types + "config.v2+json"}},
		"a layer of it": {Layers: layers}, "all": {ArtifactType: v2, Layers: layers},
	} {
		if c, err := ReadConfig(context.Background(), store, of); !errors.Is(err, ErrNewer) || c != nil {
			t.Errorf("%s of the future: ReadConfig = %v, %v, want %v", name, c, err, ErrNewer)
		}
	}
}

func TestWantedLeavesOutForeignIndexes(t *testing.T) {
	m := &ocispec.Manifest{Layers: []ocispec.Descriptor{{MediaType: SkillsType}, {MediaType: IndexType}}}
	if got := Wanted(m, &Config{Index: &IndexConfig{1, "x"}}); len(got) != 1 || got[0].MediaType != SkillsType {
		t.Errorf("Wanted = %v, want the skills alone", got)
	}
}

// Nothing is written outside the tree, and no link inside it.
func FuzzUnpackTar(f *testing.F) {
	f.Add(archived(f, tar.Header{Name: "skills/a/SKILL.md"}))
	f.Add(archived(f, tar.Header{Name: "skills/a", Typeflag: tar.TypeLink, Linkname: "../x"}, tar.Header{Name: "skills/../x"}))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		_ = unpackTar(bytes.NewReader(text), filepath.Join(dir, "tree"), Limits{1 << 20, 1 << 20, 1 << 20, 100})
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 1 {
			t.Fatalf("beside the tree there are %v, %v", entries, err)
		}
		err = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !d.Type().IsRegular() {
				t.Errorf("%s is a %v", file, d.Type())
			}
			return err
		})
		require.NoError(t, err)
	})
}
