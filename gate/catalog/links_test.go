package catalog

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/system"
)

const linkedSkill = "---\nname: x\ndescription: Counts lighthouses.\n---\n"

// seen returns the IDs of the skills and agents that a session in cwd reads.
func seen(t *testing.T, d dirs.Dirs, cwd string) (ids []string, problems string) {
	t.Helper()
	roots, errs := Roots(d, cwd, nil)
	files, more := Files(t.Context(), roots, nil)
	for _, f := range files {
		e, err := Read(roots[f.Root], f)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		ids = append(ids, e.ID)
	}
	for _, err := range append(errs, more...) {
		problems += err.Error() + "\n"
	}
	slices.Sort(ids)
	return ids, problems
}

func TestLinksOfAProject(t *testing.T) {
	tests := []struct {
		name   string
		link   string // relative to the repository
		target string // "$out" is a folder outside it, "$repo" itself
		want   []string
	}{
		{"a file outside", ".claude/skills/a/SKILL.md", "$out/skills/x/SKILL.md", nil},
		{"a folder outside", ".claude/skills/a", "$out/skills/x", nil},
		{"the root of skills outside", ".claude/skills", "$out/skills", nil},
		{"the root of agents outside", ".claude/agents", "$out/agents", nil},
		{"a file of agents outside", ".claude/agents/a.md", "$out/agents/x.md", nil},
		{"a folder of agents outside", ".claude/agents/a", "$out/agents", nil},
		{"the skills of other hosts outside", ".agents/skills", "$out/skills", nil},
		{"the folder of settings outside", ".claude", "$out", nil},
		{"by way of a link inside", ".claude/skills/a", "../../by/x", nil},
		{"the whole disk", ".claude/agents", "/", nil},
		{"a plugin in a folder of skills outside", ".claude/skills/a", "$out/plugin", nil},
		{"a folder inside", ".agents/skills", "../skills", []string{"project-dot-agents/x"}},
		{"a folder inside by its full path", ".agents/skills", "$repo/skills", []string{"project-dot-agents/x"}},
		{"a skill inside", ".claude/skills/a", "../../skills/x", []string{"project/a"}},
		{"a file inside", ".claude/skills/a/SKILL.md", "../../../skills/x/SKILL.md", []string{"project/a"}},
	}
	for _, repository := range []bool{true, false} {
		for _, tt := range tests {
			name := tt.name
			if !repository {
				name += ", without a repository"
			}
			t.Run(name, func(t *testing.T) {
				top := t.TempDir()
				d := dirs.Dirs{Home: filepath.Join(top, "home"), Hosts: hostsOf(filepath.Join(top, "home"))}
				repo, out := filepath.Join(top, "repo"), filepath.Join(top, "out")
				write(t, filepath.Join(out, "skills", "x", "SKILL.md"), linkedSkill)
				write(t, filepath.Join(out, "agents", "x.md"), linkedSkill)
				write(t, filepath.Join(out, "plugin", ".claude-plugin", "plugin.json"), `{"name":"p"}`)
				write(t, filepath.Join(out, "plugin", "skills", "x", "SKILL.md"), linkedSkill)
				write(t, filepath.Join(repo, "skills", "x", "SKILL.md"), linkedSkill)
				link(t, filepath.Join(out, "skills"), filepath.Join(repo, "by"))
				if repository {
					mkdir(t, filepath.Join(repo, ".git"))
				}
				target := strings.NewReplacer("$out", out, "$repo", repo).Replace(tt.target)
				mkdir(t, filepath.Dir(filepath.Join(repo, tt.link)))
				link(t, target, filepath.Join(repo, tt.link))
				got, problems := seen(t, d, repo)
				for i := range got { // outside a repository an ID contains the path
					kind, _, _ := strings.Cut(got[i], "@")
					got[i] = strings.TrimSuffix(kind, "/"+path.Base(got[i])) + "/" + path.Base(got[i])
				}
				assert.Equal(t, tt.want, got)
				if tt.want == nil && !strings.Contains(problems, "a symbolic link that leads outside its folder") {
					t.Errorf("problems %q, want one about the link", problems)
				}
			})
		}
	}
}

func TestLinksOfTheUser(t *testing.T) {
	top := t.TempDir()
	d := dirs.Dirs{Home: filepath.Join(top, "home"), Hosts: hostsOf(filepath.Join(top, "home"))}
	out := filepath.Join(top, "out")
	write(t, filepath.Join(out, "skills", "x", "SKILL.md"), linkedSkill)
	write(t, filepath.Join(out, "one", "y", "SKILL.md"), linkedSkill)
	write(t, filepath.Join(out, "agents", "x.md"), linkedSkill)
	mkdir(t, filepath.Join(d.Home, ".agents", "skills"))
	mkdir(t, filepath.Join(d.Home, ".claude"))
	link(t, filepath.Join(out, "skills"), filepath.Join(d.Home, ".claude", "skills"))
	link(t, filepath.Join(out, "agents"), filepath.Join(d.Home, ".claude", "agents"))
	link(t, filepath.Join(out, "one", "y"), filepath.Join(d.Home, ".agents", "skills", "y"))
	got, problems := seen(t, d, "")
	require.Equal(t, []string{"agents/y", "personal-agents/x.md", "personal/x"}, got)
	assert.Empty(t, problems)
}

func TestLinksToWhatIsNoPage(t *testing.T) {
	tests := []struct {
		name, link, target string // relative to the user's folder
		want               []string
	}{
		{"a file of settings", ".claude/skills/x/SKILL.md", ".ssh/config", nil},
		{"by way of a link", ".claude/skills/x/SKILL.md", "by.md", nil},
		{"a file in the skill's folder", ".claude/skills/x/SKILL.md", ".claude/skills/x/.env", nil},
		{"notes", ".claude/skills/x/SKILL.md", "notes.md", nil},
		{"an agent", ".claude/agents/x.md", ".ssh/config", nil},
		{"another skill's page", ".claude/skills/x/SKILL.md", "kept/x/SKILL.md", []string{"personal/x"}},
		{"a page in a store", ".claude/skills/x/SKILL.md", "store/0c1z-hm_SKILL.md", []string{"personal/x"}},
		{"a page of small letters", ".claude/skills/x/SKILL.md", "kept/y/skill.md", []string{"personal/x"}},
		{"a page of the skill's folder", ".claude/skills/x/SKILL.md", ".claude/skills/x/README.md", []string{"personal/x"}},
		{"the folder of a skill", ".claude/skills/x", "kept/x", []string{"personal/x"}},
		{"an agent's page", ".claude/agents/x.md", "notes.md", []string{"personal-agents/x.md"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			d := dirs.Dirs{Home: home, Hosts: hostsOf(home)}
			pages := []string{".ssh/config", "notes.md", "kept/x/SKILL.md", "kept/y/skill.md", "store/0c1z-hm_SKILL.md"}
			for _, file := range pages {
				write(t, filepath.Join(home, file), linkedSkill)
			}
			link(t, filepath.Join(home, ".ssh/config"), filepath.Join(home, "by.md"))
			if strings.HasPrefix(tt.target, ".claude") {
				write(t, filepath.Join(home, tt.target), linkedSkill)
			}
			mkdir(t, filepath.Dir(filepath.Join(home, tt.link)))
			link(t, filepath.Join(home, tt.target), filepath.Join(home, tt.link))
			got, problems := seen(t, d, "")
			assert.Equal(t, tt.want, got)
			assert.NotEqual(t, tt.want != nil, strings.Contains(problems, "the target must end in"))
		})
	}
}

// Even the user's own link to the root of the file system is a mistake.
func TestTheWholeDiskIsNotARoot(t *testing.T) {
	top := t.TempDir()
	d := dirs.Dirs{Home: top, Hosts: hostsOf(top)}
	mkdir(t, filepath.Join(d.Home, ".claude"))
	link(t, "/", filepath.Join(d.Home, ".claude", "agents"))
	roots, errs := Roots(d, "", []string{"/"})
	require.Empty(t, roots)
	assert.Len(t, errs, 2)
}

func TestPolicyOfAProjectStaysInIt(t *testing.T) {
	top := t.TempDir()
	repo := filepath.Join(top, "repo")
	write(t, filepath.Join(top, "deny.json"), `{"permissions":{"deny":["Skill"]}}`)
	mkdir(t, filepath.Join(repo, ".git"))
	mkdir(t, filepath.Join(repo, ".claude"))
	link(t, filepath.Join(top, "deny.json"), filepath.Join(repo, ".claude", "settings.json"))
	p, errs := LoadPolicy(dirs.Dirs{Home: top, Hosts: hostsOf(top)}, repo)
	require.True(t, p.Allows("x", Skill, Personal, "", ""))
	assert.Len(t, errs, 1)
}

func TestWalksAreBounded(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c", "d"} {
		write(t, filepath.Join(dir, name, "SKILL.md"), linkedSkill)
	}
	tests := []struct {
		name, want string
		left       int
		until      time.Time
		files      int
	}{
		{"by names", "too many files", 7, time.Now().Add(time.Hour), 3},
		{"by time", "takes too long", 100, time.Now().Add(-time.Second), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := scan{ctx: t.Context(), seen: map[place]int{}, links: map[system.FileID]bool{}, left: tt.left, until: tt.until, most: 100}
			s.library(dir)
			if len(s.files) != tt.files || len(s.errs) == 0 || !strings.Contains(s.errs[0].Error(), tt.want) {
				t.Errorf("library lists %d files, %v, want %d and an error with %q", len(s.files), s.errs, tt.files, tt.want)
			}
		})
	}
}

func TestFilesOfARootAreBounded(t *testing.T) {
	repo, library := t.TempDir(), t.TempDir()
	write(t, filepath.Join(repo, "0.md"), linkedSkill)
	for i := range maxLocalFiles + 2 {
		if err := os.Link(filepath.Join(repo, "0.md"), filepath.Join(repo, fmt.Sprint(i+1)+".md")); err != nil {
			t.Skip(err)
		}
	}
	write(t, filepath.Join(library, "a", "SKILL.md"), linkedSkill)
	files, errs := Files(t.Context(), []Root{{Path: repo, Pool: Agent, Source: Project, Local: true}, {Path: library, Source: Library}}, nil)
	require.Len(t, files, maxLocalFiles+1)
	require.Len(t, errs, 1)
	many := (*TooManyError)(nil)
	if !errors.As(errs[0], &many) || *many != (TooManyError{repo, 3}) {
		t.Errorf("%v, want that three of %s are left out", errs[0], repo)
	}
}

// A plugin of a clone is as confined as the clone: its link to the user's own library must not replace the library.
func TestPluginOfAProjectIsConfined(t *testing.T) {
	top := t.TempDir()
	d := dirs.Dirs{Home: filepath.Join(top, "home"), Hosts: hostsOf(filepath.Join(top, "home"))}
	repo, library := filepath.Join(top, "repo"), filepath.Join(top, "library")
	write(t, filepath.Join(library, "x", "SKILL.md"), linkedSkill)
	write(t, filepath.Join(top, "marketplace.json"), `{"plugins":[{"name":"p","source":"./","skills":"./other"}]}`)
	mkdir(t, filepath.Join(repo, ".git"))
	plugin := filepath.Join(repo, ".claude", "skills", "p")
	write(t, filepath.Join(plugin, ".claude-plugin", "plugin.json"), `{"name":"p"}`)
	write(t, filepath.Join(plugin, "other", "y", "SKILL.md"), linkedSkill)
	link(t, library, filepath.Join(plugin, "skills"))
	link(t, filepath.Join(top, "marketplace.json"), filepath.Join(plugin, ".claude-plugin", "marketplace.json"))

	roots, errs := Roots(d, repo, []string{library})
	require.Len(t, errs, 1)
	assert.ErrorContains(t, errs[0], "a symbolic link that leads outside its folder")
	listed := map[string]bool{}
	for _, r := range roots {
		listed[r.Path] = true
	}
	if !listed[library] || listed[filepath.Join(plugin, "other")] {
		t.Errorf("roots %v, want the library and nothing that a file outside the repository names", roots)
	}
}
