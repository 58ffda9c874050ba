package lint

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/lint"
)

type fixing struct {
	*apptest.Home
	t         *testing.T
	file      string
	lib, rule string
}

func (f *fixing) run(args ...string) (string, int) {
	f.t.Helper()
	out, err := f.Run(New(f.App), append(args, f.lib, "--rule", f.rule)...)
	exit := &app.Error{}
	if err != nil && !errors.As(err, &exit) {
		f.t.Fatalf("lint %v: %v", args, err)
	}
	return out, exit.Code
}

func (f *fixing) lint(args ...string) (string, int) {
	f.t.Helper()
	return f.run(append([]string{"--fail-on", "info"}, args...)...)
}

func (f *fixing) text() string {
	f.t.Helper()
	text, err := os.ReadFile(f.file)
	require.NoError(f.t, err)
	return string(text)
}

func (f *fixing) edited(before string) string {
	f.t.Helper()
	out, _ := f.lint("--json")
	var res lint.Result
	require.NoError(f.t, json.Unmarshal([]byte(out), &res))
	for i := len(res.Findings) - 1; i >= 0; i-- {
		if fix := res.Findings[i].Fix; fix != nil {
			for j := len(fix.Edits) - 1; j >= 0; j-- {
				e := fix.Edits[j]
				before = before[:e.Start] + e.New + before[e.End:]
			}
		}
	}
	return before
}

// Only fix writes, and it writes exactly its diff. The finding disappears,
// nothing else changes, and a second run has nothing to do.
func TestFixOfEveryRule(t *testing.T) {
	crlf := func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n") }
	variants := []struct {
		name   string
		change func(string) string
		not    map[string]bool // rules whose mistakes the text contains or hides
		linked bool
		mode   fs.FileMode
	}{
		{name: "as it is", change: strings.Clone, mode: 0o640},
		{name: "ended in CRLF", change: crlf, mode: 0o600},
		{name: "behind a byte order mark",
			change: func(s string) string { return "\ufeff" + strings.TrimPrefix(s, "\ufeff") },
			not:    map[string]bool{"SG111": true}, mode: 0o755},
		{name: "behind a link", change: strings.Clone, linked: true, mode: 0o604},
	}
	for _, r := range lint.All {
		if !r.Fixes {
			continue
		}
		for _, v := range variants {
			if v.not[r.ID] {
				continue
			}
			t.Run(r.ID+" "+v.name, func(t *testing.T) {
				j := apptest.New(t)
				f := &fixing{Home: j, t: t, rule: r.ID, lib: filepath.Join(j.Cwd, "lib")}
				f.file = filepath.Join(f.lib, filepath.FromSlash(r.Text().Bad.Files[0].Path))
				for _, one := range r.Text().Bad.Files {
					path := filepath.Join(f.lib, filepath.FromSlash(one.Path))
					require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
					require.NoError(t, os.WriteFile(path, []byte(v.change(one.Text)), v.mode))
				}
				if v.linked {
					target := filepath.Join(f.lib, "kept.md")
					require.NoError(t, errors.Join(os.Rename(f.file, target), os.Symlink(target, f.file)))
				}
				require.NoError(t, os.Chmod(f.file, v.mode))

				before := f.text()
				want := f.edited(before)
				if offered := want != before; !offered {
					if out, status := f.run("fix"); v.name == "as it is" || out != "" || status != 0 || f.text() != before {
						t.Errorf("lint fix without a fix: status %d, printed %q, wrote: %v", status, out, f.text() != before)
					}
					return // the rule may not change such a file
				}
				for _, args := range [][]string{nil, {"--json"}, {"--sarif"}, {"--github"}} {
					if out, status := f.lint(args...); status != 1 || out == "" {
						t.Errorf("lint %v: status %d and %d bytes, want 1 and findings", args, status, len(out))
					}
					require.Equal(t, before, f.text(), args)
				}
				diff, status := f.run("fix", "--dry-run")
				if status != 1 || f.text() != before {
					t.Fatalf("lint fix --dry-run: status %d, wrote: %v, want 1 and nothing", status, f.text() != before)
				}
				shown, status := f.run("fix")
				if status != 0 || shown != diff || !strings.Contains(shown, "\n+") && !strings.Contains(shown, "\n-") {
					t.Errorf("lint fix: status %d, printed\n%s\nwant 0 and the diff\n%s", status, shown, diff)
				}
				after := f.text()
				require.NotEqual(t, before, after)
				assert.Equal(t, want, after)
				if strings.HasPrefix(before, "\ufeff") && r.ID != "SG111" && !strings.HasPrefix(after, "\ufeff") {
					t.Errorf("fix took the byte order mark: %q", after)
				}
				if n, all := strings.Count(after, "\r\n"), strings.Count(after, "\n"); n != 0 && n != all {
					t.Errorf("fix left %d of %d lines in CRLF: %q", n, all, after)
				}
				if out, status := f.lint(); status != 0 {
					t.Errorf("after fix lint still finds\n%s", out)
				}
				if out, status := f.run("fix"); status != 0 || out != "" || f.text() != after {
					t.Errorf("a second fix: status %d, printed %q, wrote: %v, want nothing", status, out, f.text() != after)
				}
				info, err := os.Lstat(f.file)
				require.NoError(t, err)
				if v.linked != (info.Mode()&fs.ModeSymlink != 0) {
					t.Errorf("after fix the file is %v", info.Mode())
				}
				if info, err = os.Stat(f.file); err != nil || info.Mode().Perm() != v.mode {
					t.Errorf("after fix the mode is %v, want %v", info.Mode().Perm(), v.mode)
				}
				if left, err := filepath.Glob(filepath.Join(filepath.Dir(f.file), ".*")); err != nil || len(left) > 0 {
					t.Errorf("fix left %q behind", left)
				}
			})
		}
	}
}

func TestFixWritesNoFileForStdin(t *testing.T) {
	j := apptest.New(t)
	file := filepath.Join(j.Cwd, "lib", "pdf", "SKILL.md")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	saved := []byte("---\nname: pdf\ndescription: Fills PDF forms.\n---\n# PDF\n")
	require.NoError(t, os.WriteFile(file, saved, 0o600))
	for _, args := range [][]string{{"-"}, {"-", "--stdin-path", file}} {
		j.Stdin = strings.NewReader("---\nname: pdf\ndescripton: Fills PDF forms.\n---\n# PDF\n")
		out, err := j.Run(New(j.App), append([]string{"fix"}, args...)...)
		if now, readErr := os.ReadFile(file); readErr != nil || !bytes.Equal(now, saved) {
			t.Errorf("lint fix %v wrote %q (%v)", args, now, readErr)
		}
		exit := &app.Error{}
		if !errors.As(err, &exit) || exit.Code != 1 || !strings.Contains(out, "+description: Fills PDF forms.\n") ||
			!strings.Contains(j.Err.String(), "would fix") {
			t.Errorf("lint fix %v printed %q and %q, %v, want the diff and status 1", args, out, j.Err.String(), err)
		}
	}
}

func TestFixSaysWhatItDid(t *testing.T) {
	j := apptest.New(t)
	lib := filepath.Join(j.Cwd, "lib")
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(lib, name, "SKILL.md")
		require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
		return file
	}
	changed := write("forms", "---\nname: forms\ndescription: Fills PDF forms: text fields.\n---\n# Forms\n\n1. Read.\n")
	write("pages", "---\nname: pages\ndescription: Cuts PDF pages: odd, even.\n---\n# Pages\n\n1. Read.\n")
	write("notes", "# Notes\n\n1. Read.\n")
	skills, problems := lint.Load(t.Context(), []catalog.Root{catalog.LibraryRoot(lib)}, func(p string) string { return p })
	if len(problems) > 0 {
		t.Fatal(errors.Join(problems...))
	}
	l := lint.NewLibrary(skills, nil)
	res := lint.Run(l, lint.Options{Rules: map[string]bool{"SG101": true, "SG103": true}})
	write("forms", "---\nname: forms\n---\n# Forms\n")
	err := applyFixes(j.App, l, res, true)
	if want := "fixed 1 finding in 1 file; findings without a safe fix: 1\n"; err == nil || !strings.Contains(err.Error(), changed) || j.Err.String() != want {
		t.Errorf("applyFixes says %q and %v, want %q and an error about %s", j.Err.String(), err, want, changed)
	}
}

func TestGitAppliesTheDiff(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("needs git")
	}
	for _, tt := range []struct{ name, folder, text string }{
		{"with CRLF", "skills", "---\r\nname: pdf\r\ndescripton: Fills PDF forms.\r\n---\r\n# PDF\r\n"},
		{"beside marks that turn writing", "skills", "---\nname: pdf\ndescripton: Fills \u200ePDF\u200f forms.\n---\n# PDF\n"},
		{"in the working folder", "skills", "---\nname: pdf\ndescripton: Fills PDF forms.\n---\n# PDF\n"},
		{"without a line break at the end", "skills", "---\nname: pdf\ndescripton: Fills PDF forms.\n---\n# PDF"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := apptest.New(t)
			file := filepath.Join(h.Cwd, tt.folder, "pdf", "SKILL.md")
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, []byte(tt.text), 0o644))
			h.App.Stdout = app.NewPlain(h.App.Stdout)
			patch, _ := h.Run(New(h.App), "fix", "--dry-run", tt.folder)
			require.NotEmpty(t, patch, "lint fix --dry-run printed nothing")
			cmd := exec.Command(git, "apply", "-")
			cmd.Dir, cmd.Stdin = h.Cwd, strings.NewReader(patch)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git apply: %v: %s of\n%s", err, out, patch)
			}
			got, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, strings.Replace(tt.text, "descripton", "description", 1), string(got))
		})
	}
}
