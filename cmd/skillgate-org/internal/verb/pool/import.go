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
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/catalog/libraryfile"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/gate/wording"
)

func (o *options) newImport() *cobra.Command {
	var roles []string
	var source string
	cmd := &cobra.Command{
		Use:   "import TENANT/POOL PATH...",
		Short: "Import skills from folders and library files (.jsonl, .jsonl.gz)",
		Long: `import adds the skills in folders, with all their files, and those in library files. It creates
the tenant and the pool if they do not exist, and stores the lint risk of each new revision.
Content that was withdrawn needs an approval before it is offered again.

If some skills are refused, import lists them with the reason, imports the others in one
transaction and exits with status 1. If the whole import fails (status 3), nothing changes.`,
		Example: `  skillgate-org pool import acme/base ./skills --database postgres://localhost/skills
  skillgate-org pool import acme/payments ./payments --role payments --source https://git.example.com/payments@v3`,
		Args: cobra.MinimumNArgs(2),
		RunE: o.with(func(ctx context.Context, s *truth.Store, args []string) error {
			a := o.app
			tenant, pool, err := split(args[0])
			if err != nil {
				return err
			}
			var paths []string
			for _, path := range args[1:] {
				paths = append(paths, a.Absolute(path))
			}
			sum, err := s.Import(ctx, o.actor(), tenant, pool, roles, Skills(ctx, paths, source))
			if err != nil {
				return app.Hint(err, "nothing was changed")
			}
			fmt.Fprintf(a.Stdout, "%s/%s: %s, %d unchanged", tenant, pool, wording.Count(sum.Revisions, "new revision"),
				sum.Unchanged)
			if sum.Pending > 0 {
				fmt.Fprintf(a.Stdout, ", %d awaiting approval", sum.Pending)
			}
			if sum.Withdrawn > 0 {
				fmt.Fprintf(a.Stdout, ", %d withdrawn earlier and skipped", sum.Withdrawn)
			}
			fmt.Fprintln(a.Stdout)
			for _, r := range sum.Refused {
				fmt.Fprintln(a.Stderr, "refused:", r)
			}
			if len(sum.Refused) > 0 {
				return app.ErrFindings
			}
			return nil
		}),
	}
	cmd.Flags().StringArrayVar(&roles, "role", nil, "let `ROLE` see the pool; may be repeated (default: everybody)")
	cmd.Flags().StringVar(&source, "source", "", "show `TEXT` as the source of loaded skills (default: the path)")
	return cmd
}

// Skills reads the skills at paths, which are folders or files in package catalog's JSON Lines format. If source is "",
// each path is the source of its skills. A skill that cannot be read yields a truth.Refusal. Any other error ends the
// sequence.
func Skills(ctx context.Context, paths []string, source string) iter.Seq2[truth.Skill, error] {
	return func(yield func(truth.Skill, error) bool) {
		for _, path := range paths {
			found, err := list(ctx, path)
			if len(found) == 0 {
				yield(truth.Skill{}, cmp.Or(err, fmt.Errorf("%s contains no skills (folders with a SKILL.md file)", path)))
				return
			}
			if err != nil && !yield(truth.Skill{}, &truth.Refusal{File: path, Err: err}) {
				return
			}
			from := cmp.Or(source, path)
			for _, f := range found {
				var skill truth.Skill
				err := system.Caught(func() (err error) { skill, err = f.read(from); return err })
				if skill.File = f.file; err != nil {
					err = &truth.Refusal{File: f.file, Err: err}
				}
				if !yield(skill, err) {
					return
				}
			}
		}
	}
}

type found struct {
	file string
	read func(source string) (truth.Skill, error)
}

// list returns the skills at a path. If some could not be listed, it also returns an error.
func list(ctx context.Context, path string) (out []found, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		entries, err := libraryfile.Read(path)
		for i := range entries {
			e := &entries[i]
			out = append(out, found{path + " " + e.ID, func(source string) (truth.Skill, error) { return Line(e, source), nil }})
		}
		return out, err
	}
	root := catalog.LibraryRoot(path)
	files, problems := catalog.Files(ctx, []catalog.Root{root}, nil)
	for _, f := range files {
		out = append(out, found{f.Path, func(source string) (truth.Skill, error) { return folder(root, f, source) }})
	}
	return out, errors.Join(append(problems, ctx.Err())...)
}

// Line converts one line of a library file to a skill.
func Line(e *catalog.Entry, source string) truth.Skill {
	front := e.Frontmatter
	if front == "" {
		front = fmt.Sprintf("name: %q\ndescription: %q", e.Name, e.Description)
	}
	text := "---\n" + front + "\n---\n" + e.Body
	return truth.Skill{Name: e.Name, Risk: func() float64 { return lint.Risk(e) }, Source: source, Text: []byte(text)}
}

// Limits of one skill.
const (
	maxFiles = 512
	maxBytes = 16 << 20
)

// folder returns the skill in a folder with its regular files, except hidden files and files of nested skills.
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
			return fmt.Errorf("%s: the skill has more than %d files or %d bytes", dir, maxFiles, maxBytes)
		}
		return nil
	})
	return k, err
}

func skipSkill(dir string) error {
	entries, err := os.ReadDir(dir)
	if slices.ContainsFunc(entries, isSkill) {
		return fs.SkipDir
	}
	return err
}

func isSkill(d fs.DirEntry) bool { return !d.IsDir() && strings.EqualFold(d.Name(), catalog.SkillMD) }
