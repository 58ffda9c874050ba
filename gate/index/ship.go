package index

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/regular"
)

// ErrMisfit is returned by Install if the generation cannot be used and the skills must be indexed on this machine.
var ErrMisfit = errors.New("the index that came with the library cannot be used")

// Export writes the newest generation in dir to the new folder to, without the times and paths of this machine. The
// generation must be of one library folder, without user synonyms and without risks. The result depends on the
// generation alone.
func Export(dir, to string) (*Manifest, error) {
	gen, err := current(dir)
	if err != nil {
		return nil, err
	}
	m, err := readManifest(gen)
	if err != nil {
		return nil, err
	}
	if len(m.Roots) != 1 || m.Risks {
		return nil, fmt.Errorf("index: %s must cover one library and be built without trust.max_risk", dir)
	}
	if m.Note != "" {
		return nil, fmt.Errorf("index: %s was built with problems: %s", dir, m.Note)
	}
	shipped := *m
	shipped.Scope, shipped.Roots, shipped.State, shipped.Generation, shipped.Created = "", nil, "", 0, time.Time{}
	doc := func(d *Doc, _ bool) error {
		d.Path, d.ModTime = "", 0
		return nil
	}
	state := func(s *fileState) error {
		s.Path, s.ModTime, s.Changed = "", 0, 0
		return nil
	}
	if err := move(gen, to, m, doc, state); err != nil {
		return nil, fmt.Errorf("index: export: %w", err)
	}
	if shipped.Tables, err = tablesSum(to); err != nil {
		return nil, fmt.Errorf("index: export: %w", err)
	}
	return &shipped, writeManifest(to, &shipped)
}

func tablesSum(gen string) (uint32, error) {
	sum := crc32.NewIEEE()
	for _, name := range []string{"base.docs", "delta.docs"} {
		in, err := regular.Open(filepath.Join(gen, name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		_, err = io.Copy(sum, in)
		if err = errors.Join(err, in.Close()); err != nil {
			return 0, err
		}
	}
	return sum.Sum32(), nil
}

// Install publishes the generation in the folder from, which Export wrote, as the newest of o.Dir. The library
// o.Roots[0] then need not be indexed. tree holds the files of the library until they are moved to the root's path. It
// returns ErrMisfit and changes nothing if the generation was made by another version or from files that differ from
// those in tree, or if this machine has user synonyms or a risk limit. The generation is trusted for searching only:
// risks, paths and sources are determined on this machine, and no skill is Clean.
func Install(ctx context.Context, o Options, from, tree string) (Summary, error) {
	start := o.Now()
	sum := Summary{Scope: o.Scope, Dir: o.Dir}
	m, err := readManifest(from)
	switch {
	case err != nil:
		return sum, fmt.Errorf("%w: %w", ErrMisfit, err)
	case m.Fingerprint != o.Fingerprint || m.Risks || o.Risk != nil:
		return sum, fmt.Errorf("%w: it was built without this machine's synonyms or trust.max_risk", ErrMisfit)
	}
	got, err := tablesSum(from)
	if err != nil {
		return sum, fmt.Errorf("%w: %w", ErrMisfit, err)
	}
	if got != m.Tables {
		return sum, fmt.Errorf("%w: its document tables are damaged", ErrMisfit)
	}
	m.Tables = 0
	building, err := lock(ctx, o.Dir, true)
	if err != nil {
		return sum, err
	}
	defer building.Close()
	p, err := newPlacement(ctx, o.Roots[0], tree)
	if err != nil {
		return sum, err
	}
	m.Generation, m.Created, m.Scope, m.Note, m.State = newest(o.Dir)+1, start.UTC(), o.Scope, o.Note, o.State
	m.Roots = []RootState{StatRoot(catalog.Root{Path: tree, Label: o.Roots[0].Label})}
	m.Roots[0].Path = o.Roots[0].Path
	for _, file := range o.Watch {
		m.Roots = append(m.Roots, StatRoot(catalog.Root{Path: file, Label: Watched}))
	}
	err = o.publish(start, &sum, func(tmp string) (*Manifest, error) {
		if err := p.generation(from, tmp, m); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrMisfit, err)
		}
		if err := writeManifest(tmp, m); err != nil {
			return nil, err
		}
		if err := verify(tmp); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrMisfit, err)
		}
		return m, nil
	})
	return sum, err
}

// placement moves the skills of an exported generation to their paths on this machine.
type placement struct {
	root  catalog.Root
	tree  string
	files map[string]catalog.File // files by exported ID, which is the skill's folder
	texts map[string]skillTexts   // texts by exported ID
	hash  map[string]string       // hashes of the files with a live document, by exported ID
	found int                     // skills of the generation that were found in tree
}

// skillTexts has a skill's hash and displayed texts, as read from its file.
type skillTexts struct{ hash, name, shown string }

func newPlacement(ctx context.Context, root catalog.Root, tree string) (*placement, error) {
	from := catalog.LibraryRoot(tree)
	files, problems := catalog.Files(ctx, []catalog.Root{from}, nil)
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	p := &placement{root: root, tree: tree, hash: map[string]string{},
		files: make(map[string]catalog.File, len(files)), texts: make(map[string]skillTexts, len(files))}
	read := func(i int) (skillTexts, error) {
		e, err := catalog.Read(from, files[i])
		// A substring would keep the whole text in memory.
		return skillTexts{e.Hash, strings.Clone(e.Name), strings.Clone(displayText(&e))}, err
	}
	for i, r := range inOrder(len(files), read) {
		if r.err != nil {
			return nil, fmt.Errorf("%w: %w", ErrMisfit, r.err)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		id := from.ID(files[i])
		p.files[id], p.texts[id] = files[i], r.value
	}
	return p, nil
}

func (p *placement) generation(from, to string, m *Manifest) error {
	if m.Skills != len(p.files) || m.places() != len(p.files) {
		return fmt.Errorf("the index has %d skills, but the library has %d files", m.places(), len(p.files))
	}
	if err := move(from, to, m, p.doc, p.state); err != nil {
		return err
	}
	if p.found != len(p.files) {
		return fmt.Errorf("only %d of the library's %d files match the index", p.found, len(p.files))
	}
	return nil
}

// path returns the path that f will have once tree is moved to the root's path.
func (p *placement) path(f catalog.File) string {
	return p.root.Path + strings.TrimPrefix(f.Path, p.tree)
}

func (p *placement) doc(d *Doc, dead bool) error {
	f, ok := p.files[d.ID]
	if !dead { // the texts of a dead document are never displayed
		if !ok {
			return fmt.Errorf("skill %q has no file", d.ID)
		}
		if p.texts[d.ID] != (skillTexts{d.Hash, d.Name, d.Description}) {
			return fmt.Errorf("skill %q: its name or description differs from the exported index", d.ID)
		}
		p.hash[d.ID] = d.Hash
	}
	d.ID, d.Path = p.root.ID(catalog.File{Folder: d.ID}), ""
	if ok { // a dead document may have no file
		d.ID, d.Path, d.Size, d.ModTime = p.root.ID(f), p.path(f), f.Size, f.ModTime
	}
	d.Source, d.Plugin, d.Risk, d.Others = string(catalog.Library), "", 0, nil
	d.Flags = d.Flags&(ModelInvocable|HasPaths|ForOthers) | IsLibrary | Plain
	return nil
}

func (p *placement) state(s *fileState) error {
	f, ok := p.files[s.ID]
	if !ok || f.Size != s.Size || s.Hash != p.hash[s.ID] {
		return fmt.Errorf("skill %q: its file is missing or differs from the exported index", s.ID)
	}
	p.found++
	s.ID, s.Path, s.ModTime, s.Changed, s.Prefix, s.Beside = p.root.ID(f), p.path(f), f.ModTime, f.Changed, "", 0
	return nil
}

// move copies the generation in folder from to folder to, except its manifest. It passes each record to doc or state,
// which may change it; dead is true for documents in m.Dead.
func move(from, to string, m *Manifest, doc func(d *Doc, dead bool) error, state func(*fileState) error) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	for name, part := range map[string]Part{"base": m.Base, "delta": m.Delta} {
		if part.Docs == 0 {
			continue
		}
		if err := linkFile(filepath.Join(from, name+".lists"), filepath.Join(to, name+".lists")); err != nil {
			return err
		}
		change := func(i int, d *Doc) error {
			dead := false
			if name == "base" {
				_, dead = slices.BinarySearch(m.Dead, uint32(i))
			}
			return doc(d, dead)
		}
		if err := moveDocs(filepath.Join(from, name+".docs"), filepath.Join(to, name+".docs"), change); err != nil {
			return err
		}
	}
	states, err := readStates(filepath.Join(from, statesFile), m.places())
	moved := make([]*fileState, len(states))
	for i := range states {
		if moved[i] = &states[i]; err == nil {
			err = state(moved[i])
		}
	}
	if err != nil {
		return err
	}
	return writeStates(filepath.Join(to, statesFile), moved)
}

func moveDocs(from, to string, change func(int, *Doc) error) error {
	table, err := openDocs(from)
	if err != nil {
		return err
	}
	defer table.close()
	w, err := newDocWriter(to)
	if err != nil {
		return err
	}
	defer w.close()
	for i := range table.n {
		d, err := table.doc(i)
		if err != nil {
			return err
		}
		if err := change(i, &d); err != nil {
			return err
		}
		if err := w.add(&d); err != nil {
			return err
		}
	}
	return w.finish()
}
