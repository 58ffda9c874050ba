package pool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/catalog/libraryfile"
	"github.com/skillgate/skillgate/gate/fault"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/regular"
)

func (o *options) newImport() *cobra.Command {
	var roles []string
	var source string
	cmd := &cobra.Command{
		Use:   "import TENANT/POOL PATH...",
		Short: "Bring skills from folders and library files (.jsonl, .jsonl.gz)",
		Long: `import brings the skills in folders, each with the files of its folder but those of another skill
in it, and those of library files, all or none. It makes the tenant and the pool where there are
none. A skill whose content is that of its newest revision is left as it is; what was withdrawn
does not come back by itself. lint's risk is written down with each revision.`,
		Example: `  skillgate-org pool import acme/base ./skills --database postgres://localhost/skills
  skillgate-org pool import acme/payments ./payments --role payments --source https://git.example.com/payments@v3`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			tenant, pool, err := split(args[0])
			if err != nil {
				return err
			}
			return o.bring(cmd.Context(), tenant, pool, args[1:], source, roles)
		},
	}
	cmd.Flags().StringArrayVar(&roles, "role", nil,
		"`ROLE` that sees the pool; may be repeated; none: everybody of the tenant")
	cmd.Flags().StringVar(&source, "source", "", "`TEXT` that says where the skills come from (the path)")
	return cmd
}

func (o *options) bring(
	ctx context.Context, tenant, pool string, paths []string, source string, roles []string,
) error {
	a := o.app
	s, err := o.open(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	absolute := make([]string, len(paths))
	for i, p := range paths {
		absolute[i] = a.Absolute(p)
	}
	sum, err := s.Import(ctx, o.actor(), tenant, pool, roles, Skills(ctx, absolute, source))
	if err != nil {
		return app.Hint(err, "nothing was changed")
	}
	fmt.Fprintf(a.Stdout, "%s/%s: %d new revisions, %d unchanged", tenant, pool, sum.Revisions, sum.Unchanged)
	if sum.Pending > 0 {
		fmt.Fprintf(a.Stdout, ", %d to approve", sum.Pending)
	}
	if sum.Withdrawn > 0 {
		fmt.Fprintf(a.Stdout, ", %d left out that were withdrawn", sum.Withdrawn)
	}
	fmt.Fprintln(a.Stdout)
	return nil
}

// Skills reads the skills at paths: folders, or files of packages catalog's JSON lines. Their order
// is that of the paths; several are read at once. source "" stands for the path.
func Skills(ctx context.Context, paths []string, source string) iter.Seq2[truth.Skill, error] {
	return func(yield func(truth.Skill, error) bool) {
		for _, path := range paths {
			entries, err := list(ctx, path)
			if err != nil {
				yield(truth.Skill{}, err)
				return
			}
			from := cmp.Or(source, path)
			size := 16 * runtime.GOMAXPROCS(0)
			for len(entries) > 0 {
				n := min(size, len(entries))
				skills, errs := make([]truth.Skill, n), make([]error, n)
				var all sync.WaitGroup
				for w := range runtime.GOMAXPROCS(0) {
					all.Go(func() {
						for i := w; i < n; i += runtime.GOMAXPROCS(0) {
							errs[i] = fault.Caught(func() (err error) { skills[i], err = entries[i](from); return err })
						}
					})
				}
				all.Wait()
				for i := range n {
					if !yield(skills[i], errs[i]) || errs[i] != nil {
						return
					}
				}
				entries = entries[n:]
			}
		}
	}
}

// list returns what reads each skill at a path.
func list(ctx context.Context, path string) ([]func(source string) (truth.Skill, error), error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	var out []func(string) (truth.Skill, error)
	if !info.IsDir() {
		entries, err := libraryfile.Read(path)
		if err != nil {
			return nil, err
		}
		for i := range entries {
			out = append(out, func(source string) (truth.Skill, error) { return Line(&entries[i], source), nil })
		}
		return out, nil
	}
	root := catalog.LibraryRoot(path)
	files, problems := catalog.Files(ctx, []catalog.Root{root}, nil)
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	for _, f := range files {
		out = append(out, func(source string) (truth.Skill, error) { return folder(root, f, source) })
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no SKILL.md in any of its folders", path)
	}
	return out, nil
}

// Line is the skill of a line of a library file.
func Line(e *catalog.Entry, source string) truth.Skill {
	front := e.Frontmatter
	if front == "" {
		front = fmt.Sprintf("name: %q\ndescription: %q", e.Name, e.Description)
	}
	text := "---\n" + front + "\n---\n" + e.Body
	return truth.Skill{Name: e.Name, Risk: func() float64 { return lint.Risk(e) }, Source: source, Text: []byte(text)}
}

// Bounds of one skill.
const (
	maxFiles = 512
	maxBytes = 16 << 20
)

// folder is the skill of a folder, with its files: regular ones that are not hidden, nor of another
// skill.
func folder(root catalog.Root, f catalog.File, source string) (truth.Skill, error) {
	text, err := regular.Read(f.Path, catalog.MaxFile)
	if err != nil {
		return truth.Skill{}, err
	}
	e := catalog.Parse(root, f, text)
	k := truth.Skill{Name: e.Name, Risk: func() float64 { return lint.Risk(&e) }, Source: source, Text: text}
	dir, size := filepath.Dir(f.Path), len(text)
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == dir:
			return nil
		case strings.HasPrefix(d.Name(), ".") && d.IsDir():
			return fs.SkipDir
		case d.IsDir():
			return skipSkill(path)
		case strings.HasPrefix(d.Name(), ".") || !d.Type().IsRegular() || isSkill(d):
			return nil
		}
		content, err := regular.Read(path, maxBytes)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		k.Files = append(k.Files, truth.File{Path: filepath.ToSlash(rel), Content: content})
		if size += len(content); size > maxBytes || len(k.Files) > maxFiles {
			return fmt.Errorf("%s: over %d files or %d bytes", dir, maxFiles, maxBytes)
		}
		return nil
	})
	return k, err
}

// skipSkill is fs.SkipDir for a folder that is a skill.
func skipSkill(dir string) error {
	entries, err := os.ReadDir(dir)
	if slices.ContainsFunc(entries, isSkill) {
		return fs.SkipDir
	}
	return err
}

func isSkill(d fs.DirEntry) bool { return !d.IsDir() && strings.EqualFold(d.Name(), catalog.SkillMD) }
