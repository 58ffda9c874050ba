package fetch

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	server "github.com/google/go-containerregistry/pkg/registry"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/content/memory"
	"oras.land/oras-go/v2/content/oci"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/artifact"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/hooks"
)

type office struct {
	t       *testing.T
	host    string
	down    atomic.Bool
	tamper  atomic.Bool  // changes the first byte of each blob
	sent    atomic.Int64 // bytes of fetched blobs
	fetcher *Fetcher
}

func newOffice(t *testing.T) *office {
	t.Helper()
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	o := &office{t: t}
	inner := server.New(server.Logger(log.New(io.Discard, "", 0)))
	listening := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case o.down.Load():
			panic(http.ErrAbortHandler)
		case r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/blobs/"):
			kept := httptest.NewRecorder()
			inner.ServeHTTP(kept, r)
			text := kept.Body.Bytes()
			if o.tamper.Load() && len(text) > 0 {
				text[0] ^= 0xff
			}
			o.sent.Add(int64(len(text)))
			for key, values := range kept.Header() {
				w.Header()[key] = values
			}
			w.WriteHeader(kept.Code)
			_, _ = w.Write(text)
		default:
			inner.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(listening.Close)
	o.host = strings.TrimPrefix(listening.URL, "http://")
	home := t.TempDir()
	o.fetcher = &Fetcher{
		Limits: artifact.DefaultLimits, Client: listening.Client(),
		Workspace: workspace.Options{
			Dirs: dirs.Dirs{
				Home: home, Config: filepath.Join(home, "config"), State: filepath.Join(home, "state"), Cache: filepath.Join(home, "cache"),
				Hosts: hooks.Places(home, func(string) string { return "" }),
			},
			Settings: gate.Default(), Now: time.Now,
		},
	}
	return o
}

func (o *office) reference(name string) string { return "oci://" + o.host + "/" + name }

func (o *office) folder(skills ...string) string {
	o.t.Helper()
	dir := o.t.TempDir()
	for _, s := range skills {
		name, does, _ := strings.Cut(s, ": ")
		o.write(filepath.Join(dir, name, "SKILL.md"), skillText(name, does))
	}
	return dir
}

func (o *office) write(file, text string) {
	o.t.Helper()
	require.NoError(o.t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
}

func skillText(name, does string) string {
	return fmt.Sprintf("---\nname: %s\ndescription: Folds %s of paper. %s\n---\nFold the %s.\n", name, name, does, name)
}

func (o *office) push(name string, key *artifact.Key, skills ...string) ocispec.Descriptor {
	o.t.Helper()
	return o.pushChanged(name, key, func(string) {}, skills...)
}

// pushChanged is like push, but changes the index first.
func (o *office) pushChanged(
	name string, key *artifact.Key, change func(index string), skills ...string,
) ocispec.Descriptor {
	o.t.Helper()
	ctx, folder := context.Background(), o.folder(skills...)
	c, err := artifact.Scan(ctx, folder)
	require.NoError(o.t, err)
	publisher := o.fetcher.Workspace
	publisher.Dirs.Cache = o.t.TempDir()
	c.Title, c.Index = "paper", filepath.Join(o.t.TempDir(), "index")
	c.Manifest, err = workspace.Export(ctx, folder, "", c.Index, publisher)
	require.NoError(o.t, err)
	change(c.Index)
	store, err := oci.NewStorage(o.t.TempDir())
	require.NoError(o.t, err)
	root, err := artifact.Pack(ctx, c, key, store)
	require.NoError(o.t, err)
	o.publish(name, store, root)
	return root
}

func (o *office) publish(name string, from content.ReadOnlyStorage, root ocispec.Descriptor) {
	o.t.Helper()
	repo, err := Repository(o.host + "/" + name)
	require.NoError(o.t, err)
	require.NoError(o.t, oras.CopyGraph(context.Background(), from, repo, root, oras.DefaultCopyGraphOptions))
	o.tag(name, root)
}

func (o *office) tag(name string, root ocispec.Descriptor) {
	o.t.Helper()
	repo, err := Repository(o.host + "/" + name)
	require.NoError(o.t, err)
	require.NoError(o.t, repo.Tag(context.Background(), root, repo.Reference.Reference))
}

func (o *office) publishRaw(name, artifactType, layerType string, layer []byte) {
	o.t.Helper()
	ctx, store := context.Background(), memory.New()
	m := ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest, ArtifactType: artifactType,
		Config: ocispec.DescriptorEmptyJSON,
	}
	put := func(mediaType string, text []byte) ocispec.Descriptor {
		d := content.NewDescriptorFromBytes(mediaType, text)
		require.NoError(o.t, store.Push(ctx, d, bytes.NewReader(text)))
		return d
	}
	put(ocispec.DescriptorEmptyJSON.MediaType, ocispec.DescriptorEmptyJSON.Data)
	m.Layers = []ocispec.Descriptor{put(layerType, layer)}
	text, err := json.Marshal(m)
	require.NoError(o.t, err)
	o.publish(name, store, put(m.MediaType, text))
}

func (o *office) refresh(reference string) (fetched.Status, error) {
	return o.fetcher.Refresh(context.Background(), reference)
}

func (o *office) names(reference string) []string {
	return catalog.Offered(context.Background(), o.fetcher.Workspace.Dirs, "", []string{reference})
}

func (o *office) want(reference string, names ...string) {
	o.t.Helper()
	assert.ElementsMatch(o.t, names, o.names(reference))
}

func TestRefresh(t *testing.T) {
	o := newOffice(t)
	first := o.push("paper:stable", nil, "boats", "hats")
	ref := o.reference("paper:stable")
	s, err := o.refresh(ref)
	if err != nil || s.Skills != 2 || !s.Indexed || s.Note != "" || len(s.Changes) != 0 {
		t.Fatalf("Refresh = %+v, %v, want 2 skills with their index", s, err)
	}
	o.want(ref, "boats", "hats")

	before := o.sent.Load()
	if s, err = o.refresh(ref); err != nil || o.sent.Load() != before {
		t.Errorf("Refresh of what is here = %+v, %v, and takes %d bytes, want none", s, err, o.sent.Load()-before)
	}

	o.push("paper:stable", nil, "boats: Quickly.", "kites")
	s, err = o.refresh(ref)
	if err != nil || len(s.Changes) != 1 || s.Changes[0].Added != 1 || s.Changes[0].Changed != 1 || s.Changes[0].Removed != 1 {
		t.Errorf("Refresh after a change under the tag = %+v, %v, want 1 added, 1 changed, 1 removed", s, err)
	}
	o.want(ref, "boats", "kites") // hats was withdrawn

	o.down.Store(true)
	if s, err = o.refresh(ref); err == nil || s.Error == "" || s.Digest == "" {
		t.Errorf("Refresh without a registry = %+v, %v, want an error and what is in use", s, err)
	}
	o.want(ref, "boats", "kites")
	o.down.Store(false)

	o.tag("paper:stable", first)
	before = o.sent.Load()
	if s, err = o.refresh(ref); err != nil || o.sent.Load() != before {
		t.Errorf("going back = %+v, %v, and takes %d bytes, want none", s, err, o.sent.Load()-before)
	}
	o.want(ref, "boats", "hats")
	kept, err := fetched.ReadStatus(o.fetcher.Workspace.Dirs.Cache, ref)
	if err != nil || len(kept.Changes) != 2 || kept.Digest != s.Digest || kept.Error != "" {
		t.Errorf("ReadStatus = %+v, %v, want both changes", kept, err)
	}
}

func TestFetchedIndexIsTheHooks(t *testing.T) {
	o := newOffice(t)
	o.push("paper:stable", nil, "boats", "hats", "kites")
	ref := o.reference("paper:stable")
	if s, err := o.refresh(ref); err != nil || !s.Indexed {
		t.Fatal(s, err)
	}
	how := o.fetcher.Workspace
	how.Settings.Libraries = []string{ref}
	sums, err := workspace.Refresh(context.Background(), "", how)
	if err != nil || len(sums) != 2 || !sums[1].UpToDate || sums[1].Skills != 3 {
		t.Errorf("workspace.Refresh = %+v, %v, want the fetched index as it is", sums, err)
	}
	g, err := gate.Open(how.Dirs, "", how.Settings)
	require.NoError(t, err)
	defer g.Close()
	if len(g.Missing)+len(g.Stale)+len(g.Notes) > 0 || g.Skills() != 3 {
		t.Errorf("gate.Open: %d skills, missing %v, stale %v, notes %q", g.Skills(), g.Missing, g.Stale, g.Notes)
	}
	found, err := g.Find("kites")
	require.NoError(t, err)
	require.Len(t, found, 1)
	if text, err := os.ReadFile(found[0].Path); err != nil || string(text) != skillText("kites", "") {
		t.Errorf("the path of kites holds %q, %v", text, err)
	}
}

func turn(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	text[len(text)/2] ^= 1
	require.NoError(t, errors.Join(os.Remove(file), os.WriteFile(file, text, 0o600)))
}

// Stored blobs are verified before they are used again. Only a damaged one is fetched again.
func TestTurnedBlobs(t *testing.T) {
	o := newOffice(t)
	o.push("paper:stable", nil, "boats", "hats")
	ref, cache := o.reference("paper:stable"), o.fetcher.Workspace.Dirs.Cache
	if s, err := o.refresh(ref); err != nil || !s.Indexed {
		t.Fatal(s, err)
	}
	blobs, err := filepath.Glob(filepath.Join(o.fetcher.blobs(), "blobs", "sha256", "[0-9a-f]*"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(blobs), 5)
	for _, file := range blobs {
		turn(t, file)
		require.NoError(t, os.RemoveAll(fetched.Folder(cache, ref)))
		before := o.sent.Load()
		s, err := o.refresh(ref)
		if err != nil || !s.Indexed || s.Skills != 2 {
			t.Fatalf("with a turned byte in %s: %+v, %v", filepath.Base(file), s, err)
		}
		is, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, filepath.Base(file), fmt.Sprintf("%x", sha256.Sum256(is)), file)
		assert.LessOrEqual(t, o.sent.Load()-before, int64(len(is)))
	}
}

// A damaged index is not used. The skills are, and the status gives the reason.
func TestTurnedIndex(t *testing.T) {
	for _, name := range []string{"base.lists", "base.docs", "states"} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.pushChanged("paper:stable", nil, func(index string) { turn(t, filepath.Join(index, name)) }, "boats", "hats")
			ref := o.reference("paper:stable")
			s, err := o.refresh(ref)
			const note = "indexed on this machine: the index that came with the library cannot be used: "
			if err != nil || s.Indexed || !strings.Contains(s.Note, note) {
				t.Errorf("Refresh = %+v, %v, want it indexed here", s, err)
			}
			o.want(ref, "boats", "hats")
		})
	}
}

// With a risk limit the skills are indexed here, because the fetched index has no risks.
func TestTrustLimitIndexesHere(t *testing.T) {
	o := newOffice(t)
	o.fetcher.Workspace.Settings.Trust.MaxRisk = 0.5
	o.push("paper:stable", nil, "boats")
	ref := o.reference("paper:stable")
	s, err := o.refresh(ref)
	if err != nil || s.Indexed || s.Note == "" {
		t.Fatalf("Refresh = %+v, %v, want the note that it is indexed here", s, err)
	}
	how := o.fetcher.Workspace
	how.Settings.Libraries = []string{ref}
	sums, err := workspace.Refresh(context.Background(), "", how)
	if err != nil || len(sums) != 2 || sums[1].Added != 1 {
		t.Errorf("workspace.Refresh = %+v, %v, want it indexed", sums, err)
	}
}

func newKey(t *testing.T) *artifact.Key {
	t.Helper()
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not installed")
	}
	file := filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command("openssl", "genpkey", "-algorithm", "ed25519", "-out", file).CombinedOutput(); err != nil {
		t.Fatalf("openssl: %v, %s", err, out)
	}
	key, err := artifact.ReadKey(file)
	require.NoError(t, err)
	return key
}

// After a key rotation the changes are counted, although the old library goes out of use first.
func TestKeyRotation(t *testing.T) {
	o := newOffice(t)
	ref, keys := o.reference("paper:x"), &o.fetcher.Workspace.Settings.Trust.Keys
	var s fetched.Status
	for _, skills := range [][]string{{"boats", "hats"}, {"boats", "kites"}} {
		key := newKey(t)
		*keys = []string{key.Public()}
		o.push("paper:x", key, skills...)
		var err error
		if s, err = o.refresh(ref); err != nil || s.Signed != key.Public() {
			t.Fatalf("Refresh = %+v, %v", s, err)
		}
		o.want(ref, skills...)
	}
	if len(s.Changes) != 1 || s.Changes[0].Added != 1 || s.Changes[0].Changed != 0 || s.Changes[0].Removed != 1 {
		t.Errorf("Refresh with a new key: changes %+v, want 1 added, 1 removed", s.Changes)
	}
}

func TestTrustKeys(t *testing.T) {
	key := newKey(t)
	o := newOffice(t)
	o.push("paper:signed", key, "boats")
	o.push("paper:plain", nil, "boats")
	keys := &o.fetcher.Workspace.Settings.Trust.Keys
	*keys = []string{key.Public()}
	if s, err := o.refresh(o.reference("paper:signed")); err != nil || s.Signed != key.Public() {
		t.Errorf("signed: %+v, %v", s, err)
	}
	before := o.sent.Load()
	_, err := o.refresh(o.reference("paper:plain"))
	assert.ErrorIs(t, err, artifact.ErrUnsigned)
	*keys = []string{"ed25519:other"}
	_, err = o.refresh(o.reference("paper:signed"))
	assert.ErrorIs(t, err, artifact.ErrUnsigned)
	assert.Equal(t, before, o.sent.Load(), "blobs of a library that is not trusted were fetched")
	o.want(o.reference("paper:signed")) // in use until its key was removed
	*keys = nil
	if s, err := o.refresh(o.reference("paper:signed")); err != nil || s.Skills != 1 || o.sent.Load() != before {
		t.Errorf("trusted again: %+v, %v, and %d bytes, want it in use without fetching", s, err, o.sent.Load()-before)
	}
}

func TestRefreshRefuses(t *testing.T) {
	long := strings.Repeat("x", 4096)
	tests := []struct {
		name  string
		spoil func(o *office)
		want  string
	}{
		{"tampered blobs", func(o *office) { o.push("paper:x", nil, "hats"); o.tamper.Store(true) }, "blob"},
		{"no such tag", func(*office) {}, ""},
		{"an artifact of others", func(o *office) { o.publishRaw("paper:x", "", "text/markdown", []byte(long)) }, "not a library"},
		{"a library of the future", func(o *office) {
			skills := tarred(t, "skills/boats/SKILL.md", skillText("boats", ""))
			const v2, kind = "application/vnd.skillgate.library.v2", "application/vnd.skillgate.library.skills.v2.tar"
			o.publishRaw("paper:x", v2, kind, skills)
		}, "needs a newer skillgate-org"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := newOffice(t)
			ref := o.reference("paper:x")
			o.push("first:x", nil, "boats") // blobs of another library do not help
			tt.spoil(o)
			s, err := o.refresh(ref)
			if err == nil || !strings.Contains(err.Error(), tt.want) || s.Digest != "" || s.Error == "" {
				t.Errorf("Refresh = %+v, %v, want an error with %q", s, err, tt.want)
			}
			assert.Empty(t, o.names(ref))
			left, _ := filepath.Glob(filepath.Join(fetched.Folder(o.fetcher.Workspace.Dirs.Cache, ref), "trees", "[0-9a-f]*"))
			assert.Empty(t, left)
		})
	}
}

func tarred(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		head := tar.Header{Typeflag: tar.TypeReg, Name: files[i], Size: int64(len(files[i+1])), Mode: 0o644}
		require.NoError(t, w.WriteHeader(&head))
		_, err := io.WriteString(w, files[i+1])
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

func TestForget(t *testing.T) {
	o := newOffice(t)
	o.push("paper:x", nil, "boats")
	ref := o.reference("paper:x")
	_, err := o.refresh(ref)
	require.NoError(t, err)
	folder := fetched.Folder(o.fetcher.Workspace.Dirs.Cache, ref)
	there := func() bool { _, err := os.Stat(folder); return err == nil }
	forget := func(references ...string) {
		t.Helper()
		require.NoError(t, o.fetcher.Forget(references))
	}
	if forget(); !there() {
		t.Error("what was used lately is gone")
	}
	o.fetcher.Workspace.Now = func() time.Time { return time.Now().Add(2 * unusedFor) }
	if forget(ref); !there() {
		t.Error("what the settings name is gone")
	}
	if forget(); there() {
		t.Error("what was taken out of the settings long ago is still there")
	}
}

func TestRefreshGivesUp(t *testing.T) {
	o := newOffice(t)
	stalled, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections and says nothing
	require.NoError(t, err)
	t.Cleanup(func() { stalled.Close() })
	o.fetcher.Patience = 100 * time.Millisecond
	host := stalled.Addr().String()
	reference := "oci://" + host + "/paper:x"
	if s, err := o.refresh(reference); err == nil || s.Error != "the library could not be fetched within 100ms" {
		t.Errorf("Refresh(%q) = %+v, %v, want that it took too long", reference, s, err)
	}
}

// An artifact that claims 10 GB is refused before any of it is fetched.
func TestRefreshRefusesBySize(t *testing.T) {
	o := newOffice(t)
	text, err := json.Marshal(ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest, Config: ocispec.DescriptorEmptyJSON,
		Layers: []ocispec.Descriptor{{
			MediaType: ocispec.MediaTypeImageLayerGzip, Digest: ocispec.DescriptorEmptyJSON.Digest, Size: 10 << 30,
		}},
	})
	require.NoError(t, err)
	d := content.NewDescriptorFromBytes(ocispec.MediaTypeImageManifest, text)
	repo, err := Repository(o.host + "/paper:large")
	require.NoError(t, err)
	require.NoError(t, repo.PushReference(t.Context(), d, bytes.NewReader(text), "large"))
	_, err = o.refresh(o.reference("paper:large"))
	if err == nil || !strings.Contains(err.Error(), "limit of 2147483648 bytes") || o.sent.Load() > 0 {
		t.Errorf("Refresh = %v, and %d bytes came, want it refused and none", err, o.sent.Load())
	}
}

func TestRefreshTellsThatAnotherRuns(t *testing.T) {
	o := newOffice(t)
	unlock, err := lock(o.fetcher.Workspace.Dirs.Cache)
	require.NoError(t, err)
	defer unlock()
	_, err = o.refresh(o.reference("paper:x"))
	assert.ErrorIs(t, err, ErrBusy)
}

func TestPools(t *testing.T) {
	o := newOffice(t)
	text := map[string]string{"boats": skillText("boats", ""), "hats": skillText("hats", "")}
	hash := func(name string) string { k := truth.Skill{Text: []byte(text[name])}; return k.Hash() }
	var list, asked, leave string
	var file []string // additional file of boats
	key := "skg_1"
	early, breaks := true, 0
	const metadata = `Bearer resource_metadata="https://skills.example.com/.well-known/oauth-protected-resource"`
	status, why := http.StatusUnauthorized, metadata // the answer to any other key
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+key {
			w.Header().Set("WWW-Authenticate", why)
			http.Error(w, "who?", status)
			return
		}
		if early {
			early = false
			http.Error(w, "slowly", http.StatusTooManyRequests)
			return
		}
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, list)
			return
		}
		body, _ := io.ReadAll(r.Body)
		asked = string(body)
		var files []string
		for _, name := range []string{"boats", "hats"} {
			if strings.Contains(asked, `"`+name+`"`) && name != leave {
				files = append(files, name+"/SKILL.md", text[name])
				if name == "boats" {
					files = append(files, file...)
				}
			}
		}
		text := tarred(t, files...)
		if breaks--; breaks >= 0 {
			_, _ = w.Write(text[:len(text)/2])
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
		_, _ = w.Write(text)
	}))
	t.Cleanup(site.Close)
	ref := "skillgate+" + site.URL
	offered := func(names ...string) {
		var all []truth.Listed
		for _, n := range names {
			all = append(all, truth.Listed{Pool: "base", Name: n, Hash: hash(n)})
		}
		text, err := json.Marshal(map[string][]truth.Listed{"skills": all})
		require.NoError(t, err)
		list = string(text)
	}
	offered("boats", "hats")
	host := strings.TrimPrefix(site.URL, "http://")
	if _, err := o.refresh(ref); !errors.Is(err, ErrNoKey) {
		t.Errorf("without a key: %v", err)
	}
	require.NoError(t, KeepKey(t.Context(), host, "skg_1"))
	if s, err := o.refresh(ref); err != nil || s.Skills != 2 {
		t.Fatalf("Refresh = %+v, %v", s, err)
	}
	o.want(ref, "boats", "hats")
	text["hats"] = skillText("hats", "Large ones.")
	offered("boats", "hats")
	if s, err := o.refresh(ref); err != nil || s.Changes[0].Changed != 1 || asked != `{"skills":[{"pool":"base","name":"hats"}]}` {
		t.Errorf("after a change: %+v, %v, and asked for %s", s, err, asked)
	}
	offered("hats", "boats")
	if s, err := o.refresh(ref); err != nil || len(s.Changes) != 1 {
		t.Errorf("with the same skills in another order: %+v, %v, want no other change", s, err)
	}
	offered("boats", "hats")
	good := list
	for name, bad := range map[string]string{
		"another hash": strings.Replace(good, hash("boats"), hash("hats"), 1), "what does not come": strings.Replace(good, `"boats"`, `"kites"`, 1), "no JSON": "x",
	} {
		list = bad
		s, err := o.refresh(ref)
		assert.Error(t, err, "%s: %+v, want an error", name, s)
		o.want(ref, "boats", "hats")
	}
	for _, odd := range []string{`a\b`, ".", "..", "../boats", ""} { // names that old registries may list
		text[odd] = skillText("odd", "")
		offered("boats", odd, "hats")
		if s, err := o.refresh(ref); err != nil || !strings.Contains(s.Note, fmt.Sprintf("with unsafe names or file names skipped: 1, such as %q", odd)) {
			t.Errorf("with a skill named %q: %+v, %v", odd, s, err)
		}
		o.want(ref, "boats", "hats")
	}
	boats := text["boats"]
	oddFile := truth.Skill{Text: []byte(boats), Files: []truth.File{{Path: `a\b`, Content: []byte("x")}}}
	file = []string{"boats/" + `a\b`, "x"}
	offered("boats", "hats")
	list = strings.Replace(list, hash("boats"), oddFile.Hash(), 1)
	if s, err := o.refresh(ref); err != nil || !strings.Contains(s.Note, `such as "boats"`) {
		t.Errorf("with an odd name of a file: %+v, %v", s, err)
	}
	o.want(ref, "hats")
	offered("boats")
	list = strings.Replace(list, hash("boats"), oddFile.Hash(), 1)
	if s, err := o.refresh(ref); err != nil || s.Skills != 0 || s.Note != errNothing.Error() {
		t.Errorf("with an odd name of a file alone: %+v, %v", s, err)
	}
	file = nil
	offered("boats", "hats")
	if s, err := o.refresh(ref); err != nil || s.Skills != 2 {
		t.Errorf("with no odd name any longer: %+v, %v", s, err)
	}
	offered("hats")
	if s, err := o.refresh(ref); err != nil || s.Changes[0].Removed != 1 {
		t.Errorf("after a withdrawal: %+v, %v", s, err)
	}
	o.want(ref, "hats")
	leave, text["boats"] = "boats", skillText("boats", "Small ones.")
	offered("boats", "hats")
	if s, err := o.refresh(ref); err == nil {
		t.Errorf("with a skill that does not come: %+v", s)
	}
	offered()
	if s, err := o.refresh(ref); err != nil || s.Skills != 0 || s.Digest != "" {
		t.Errorf("with nothing offered: %+v, %v", s, err)
	}
	if _, err := os.Stat(fetched.Current(o.fetcher.Workspace.Dirs.Cache, ref)); err == nil {
		t.Error("with nothing offered the last skills are still in use")
	}
	leave = ""
	offered("boats", "hats")
	breaks = attempts
	if s, err := o.refresh(ref); !errors.Is(err, errBroken) || !strings.Contains(s.Error, "connection was lost") {
		t.Errorf("with answers that break off: %+v, %v", s, err)
	}
	breaks = attempts - 1
	if s, err := o.refresh(ref); err != nil || s.Skills != 2 {
		t.Errorf("with one whole answer at last: %+v, %v", s, err)
	}
	o.want(ref, "boats", "hats")
	key = "skg_2"
	for _, proxy := range []struct {
		status int
		why    string
	}{
		{http.StatusForbidden, ""}, {http.StatusForbidden, metadata}, {http.StatusUnauthorized, ""},
		{http.StatusUnauthorized, `Basic realm="proxy"`}, {http.StatusUnauthorized, `Bearer realm="proxy"`},
	} {
		status, why = proxy.status, proxy.why
		said := strconv.Itoa(status)
		if s, err := o.refresh(ref); err == nil || errors.Is(err, ErrRefused) || !strings.Contains(s.Error, said) {
			t.Errorf("where a proxy answers %d %q: %+v, %v, want an error with the status", status, why, s, err)
		}
		o.want(ref, "boats", "hats")
	}
	status, why = http.StatusUnauthorized, metadata
	s, err := o.refresh(ref)
	if !errors.Is(err, ErrRefused) || s.Digest != "" || !strings.Contains(s.Error, "the skills fetched with it were removed") {
		t.Errorf("with a key that was revoked: %+v, %v", s, err)
	}
	left, _ := filepath.Glob(filepath.Join(fetched.Folder(o.fetcher.Workspace.Dirs.Cache, ref), "*", "[0-9a-f]*"))
	assert.Empty(t, left)
	o.want(ref)
	require.NoError(t, KeepKey(t.Context(), host, key))
	if s, err := o.refresh(ref); err != nil || s.Skills != 2 {
		t.Errorf("with a new key: %+v, %v", s, err)
	}
	_, err = o.refresh("skillgate+http://example.com")
	assert.ErrorContains(t, err, "must begin with skillgate+https")
}

// Pages are limited in size, and a busy registry is asked again.
func TestPoolsInPages(t *testing.T) {
	o := newOffice(t)
	text := skillText("boats", "")
	k := truth.Skill{Text: []byte(text)}
	all := make([]truth.Listed, pageOffers+1)
	for i := range all {
		all[i] = truth.Listed{Pool: "base", Name: fmt.Sprintf("s%04d", i), Hash: k.Hash()}
	}
	pages := map[string]any{}
	page := func(next string, skills ...truth.Listed) any { return map[string]any{"skills": skills, "next": next} }
	var asked []string
	busy := 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if busy > 0 {
			busy--
			http.Error(w, "too much", http.StatusServiceUnavailable)
			return
		}
		if r.Method == http.MethodPost {
			_, _ = w.Write(tarred(t, "boats/SKILL.md", text))
			return
		}
		asked = append(asked, r.URL.RawQuery)
		_ = json.NewEncoder(w).Encode(pages[r.URL.Query().Get("after")])
	}))
	t.Cleanup(site.Close)
	ref := "skillgate+" + site.URL
	require.NoError(t, KeepKey(t.Context(), strings.TrimPrefix(site.URL, "http://"), "skg_1"))
	boats, hats := truth.Listed{Pool: "base", Name: "boats", Hash: k.Hash()}, truth.Listed{Pool: "base", Name: "a/b", Hash: k.Hash()}
	pages[""], pages["a/b"], busy = page("a/b", hats), page("", boats), 1
	if s, err := o.refresh(ref); err != nil || s.Skills != 1 ||
		!slices.Equal(asked, []string{"limit=5000", "after=a%2Fb&limit=5000"}) {
		t.Errorf("two pages: %+v, %v, asked for %q", s, err, asked)
	}
	pages[""], pages["boats"] = page("boats", boats), page("")
	if s, err := o.refresh(ref); err != nil || s.Skills != 1 {
		t.Errorf("an empty page: %+v, %v", s, err)
	}
	o.want(ref, "boats")
	for name, bad := range map[string]struct {
		page any
		want string
	}{
		"a page larger than asked for": {page("", all...), "more than 5000 skills"},
		"a page without an end":        {strings.Repeat("x", pageBytes), "more than 5000 skills or 5120000 bytes"},
		"the same page again":          {page("boats", boats), "lists skill \"boats\" twice"},
	} {
		pages["boats"] = bad.page
		if s, err := o.refresh(ref); err == nil || !strings.Contains(s.Error, bad.want) {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		o.want(ref, "boats")
	}
}

func TestBusyRegistry(t *testing.T) {
	for name, tt := range map[string]struct {
		status int
		after  string
		times  int // busy answers before a good one
		want   int // requests
		wait   time.Duration
	}{
		"seconds to wait, after 503": {503, "1", 1, 2, time.Second},
		"seconds to wait, after 429": {429, "1", 1, 2, time.Second},
		"busy seven times":           {503, "0", 7, 8, 0},
		"always busy":                {503, "0", 100, 11, 0},
		"another failure":            {500, "0", 1, 1, 0},
		"no answer":                  {0, "", 1, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			end := make(chan struct{})
			site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if int(asked.Add(1)) > tt.times {
					return
				}
				if tt.status == 0 {
					<-end
					return
				}
				w.Header().Set("Retry-After", tt.after)
				w.WriteHeader(tt.status)
			}))
			defer site.Close()
			defer close(end)
			base := transport()
			if tt.status == 0 {
				base.ResponseHeaderTimeout = 200 * time.Millisecond
			}
			start := time.Now()
			answer, err := (&http.Client{Transport: patient(base)}).Get(site.URL)
			if err == nil {
				answer.Body.Close()
			}
			assert.EqualValues(t, tt.want, asked.Load())
			assert.Equal(t, tt.status == 0, err != nil)
			assert.GreaterOrEqual(t, time.Since(start), tt.wait)
		})
	}
}

// Digests become file names, so that malformed ones are refused.
func TestRefreshRefusesDigests(t *testing.T) {
	for _, inLayer := range []bool{false, true} {
		for _, digest := range []string{"sha256:UP/precious", "nocolon", "", "sha256:", "sha256:ab"} {
			o := newOffice(t)
			precious := filepath.Join(o.fetcher.Workspace.Dirs.Home, "precious")
			o.write(precious, "mine")
			up, err := filepath.Rel(filepath.Join(o.fetcher.blobs(), "blobs", "sha256"), filepath.Dir(precious))
			require.NoError(t, err)
			digest = strings.Replace(digest, "UP", up, 1)
			good := fmt.Sprintf(`{"digest":%q,"size":2}`, ocispec.DescriptorEmptyJSON.Digest)
			bad := fmt.Sprintf(`{"digest":%q,"size":2}`, digest)
			manifest := `{"schemaVersion":2,"config":` + bad + `,"layers":[]}`
			if inLayer {
				manifest = `{"schemaVersion":2,"config":` + good + `,"layers":[` + bad + `]}`
			}
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(r.URL.Path, "/blobs/") {
					_, _ = w.Write([]byte("{}"))
					return
				}
				w.Header().Set("Content-Type", ocispec.MediaTypeImageManifest)
				w.Header().Set("Content-Length", strconv.Itoa(len(manifest)))
				if r.Method == http.MethodGet {
					_, _ = w.Write([]byte(manifest))
				}
			}))
			t.Cleanup(s.Close)
			d := content.NewDescriptorFromBytes(ocispec.MediaTypeImageManifest, []byte(manifest))
			_, err = o.refresh("oci://" + strings.TrimPrefix(s.URL, "http://") + "/evil@" + d.Digest.String())
			assert.ErrorContains(t, err, "digest", digest)
			_, err = os.Stat(precious)
			assert.NoError(t, err, digest)
		}
	}
}
