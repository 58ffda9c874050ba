package catalog

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/google/go-cmp/cmp"
	"github.com/skillgate/skillgate/gate/system/systemtest"
)

func folders(files []File) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Folder)
	}
	return out
}

func TestFilesOfASkillsFolder(t *testing.T) {
	dir := t.TempDir()
	outside := t.TempDir()
	for _, f := range []string{"b/SKILL.md", "a/SKILL.md", "a/deep/SKILL.md", ".trash/SKILL.md", ".trash/old/SKILL.md",
		"synced/SKILL.md", "node_modules/SKILL.md", ".git/SKILL.md", "empty/README.md", "c/skill.md"} {
		write(t, filepath.Join(dir, f), "x")
	}
	write(t, filepath.Join(dir, "SKILL.md"), "not in a folder")
	write(t, filepath.Join(outside, "x", "SKILL.md"), "x")
	mkdir(t, filepath.Join(dir, "odd", "SKILL.md"))
	link(t, filepath.Join(outside, "x"), filepath.Join(dir, "linked"))
	link(t, filepath.Join(dir, "b"), filepath.Join(dir, "again"))
	link(t, dir, filepath.Join(dir, "loop"))
	link(t, filepath.Join(dir, "nowhere"), filepath.Join(dir, "dangling"))

	var counts []int
	files, errs := Files(t.Context(), []Root{{Path: dir, Pool: Skill, Source: Personal}}, func(n int) { counts = append(counts, n) })
	// "loop" leads to a folder with a SKILL.md: the host takes it for a skill.
	assert.Empty(t, cmp.Diff([]string{"a", "b", "node_modules", "linked", "loop"}, folders(files)))
	assert.Len(t, errs, 1)
	assert.Equal(t, []int{1, 2, 3, 4, 5}, counts)
	if f := files[1]; f.Path != filepath.Join(dir, "b", "SKILL.md") || f.Size != 1 || f.ModTime == 0 {
		t.Errorf("Files()[1] = %+v", f)
	}
}

func TestFilesOfALibrary(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{".archive/x/SKILL.md", "a/SKILL.md", "a/inner/SKILL.md", "team/b/skill.md",
		"a/node_modules/y/SKILL.md", "a/.git/SKILL.md", "notes.md", "commands/skill.md", "a/form/skill.md",
		strings.Repeat("d/", 20) + "notes.md"} {
		write(t, filepath.Join(dir, f), "x")
	}
	link(t, dir, filepath.Join(dir, "team", "up"))
	link(t, filepath.Join(dir, "a"), filepath.Join(dir, "team", "b", "side"))
	link(t, filepath.Join(dir, "team"), filepath.Join(dir, "a", "loop"))
	files, errs := Files(t.Context(), []Root{LibraryRoot(dir)}, nil)
	require.Empty(t, cmp.Diff([]string{".archive/x", "a", "a/inner", "team/b"}, folders(files)))
	assert.Empty(t, errs)
}

func TestFilesOfAgents(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"r.md", "team/s.md", "team/notes.txt"} {
		write(t, filepath.Join(dir, f), "x")
	}
	link(t, dir, filepath.Join(dir, "loop"))
	one := filepath.Join(dir, "team", "s.md")
	files, errs := Files(t.Context(), []Root{{Path: dir, Pool: Agent, Source: Personal}, {Path: one, Pool: Agent, Source: Plugin}}, nil)
	require.Empty(t, cmp.Diff([]string{"r.md", "team/s.md"}, folders(files)))
	assert.Empty(t, errs)
	if files, _ = Files(t.Context(), []Root{{Path: one, Pool: Agent, Source: Plugin}}, nil); len(files) != 1 || files[0].Folder != "s.md" {
		t.Errorf("Files(single agent) = %+v", files)
	}
}

func TestFilesOfAPluginThatIsASkill(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "SKILL.md"), "x")
	write(t, filepath.Join(dir, "sub", "SKILL.md"), "x")
	files, _ := Files(t.Context(), []Root{{Path: dir, Pool: Skill, Source: Plugin, Label: "plugin/k"}}, nil)
	require.Len(t, files, 1)
	assert.Empty(t, files[0].Folder)
}

func TestFilesOncePerFile(t *testing.T) {
	dir, lib := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "a", "SKILL.md"), "x")
	link(t, filepath.Join(dir, "a"), filepath.Join(lib, "same"))
	mkdir(t, filepath.Join(dir, "hard"))
	if err := os.Link(filepath.Join(dir, "a", "SKILL.md"), filepath.Join(dir, "hard", "SKILL.md")); err != nil {
		t.Skip(err)
	}
	files, _ := Files(t.Context(), []Root{{Path: dir, Pool: Skill, Source: Personal}, LibraryRoot(lib)}, nil)
	assert.Empty(t, cmp.Diff([]string{"a", "hard"}, folders(files)))
}

func TestFilesSkipsPipes(t *testing.T) {
	dir := t.TempDir()
	mkdir(t, filepath.Join(dir, "p"))
	pipe := filepath.Join(dir, "p", "SKILL.md")
	if err := systemtest.Mkfifo(pipe); err != nil {
		t.Skip(err)
	}
	root := Root{Path: dir, Pool: Skill, Source: Personal}
	if files, errs := Files(t.Context(), []Root{root}, nil); len(files) != 0 || len(errs) != 1 {
		t.Errorf("Files() = %v, %v; want one error", files, errs)
	}
	_, err := Read(root, File{Path: pipe})
	assert.Error(t, err, "Read(pipe) gave no error")
}

func TestFilesStops(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a", "SKILL.md"), "x")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if files, errs := Files(ctx, []Root{{Path: dir, Pool: Skill}, {Path: dir + "/missing", Pool: Skill}}, nil); len(files) != 0 || len(errs) != 1 {
		t.Errorf("Files(cancelled) = %v, %v; want one error", files, errs)
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	require.NoError(t, os.Symlink(target, name))
}
