package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/hooks"
)

func machine(t *testing.T) (dirs.Dirs, string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	home := filepath.Join(base, "home")
	d := dirs.Dirs{Home: home, Hosts: hostsOf(home)}
	require.NoError(t, os.MkdirAll(home, 0o700))
	return d, home
}

func managed(home string) string { return filepath.Join(filepath.Dir(home), "managed") }

func hostsOf(home string) dirs.Hosts {
	h := hooks.Places(home, func(string) string { return "" })
	h.Folders[0].Path = filepath.Join(managed(home), ".claude")
	h.Policy.Managed = filepath.Join(managed(home), "managed-settings.json")
	h.Policy.ManagedParts = filepath.Join(managed(home), "managed-settings.d")
	return h
}

func mkdir(t *testing.T, dir ...string) {
	t.Helper()
	for _, d := range dir {
		require.NoError(t, os.MkdirAll(d, 0o700))
	}
}

func brief(roots []Root, base string) []string {
	var out []string
	for _, r := range roots {
		s := r.Label + " " + string(r.Source) + "/" + string(r.Pool) + " " + strings.TrimPrefix(r.Path, base)
		if r.Prefix != "" {
			s += " " + r.Prefix + " " + r.Plugin
		}
		if r.Local {
			s += " local"
		}
		out = append(out, s)
	}
	return out
}

func TestRootsOrder(t *testing.T) {
	d, home := machine(t)
	base := filepath.Dir(home)
	repo := filepath.Join(home, "repo")
	cwd := filepath.Join(repo, "apps", "web")
	mkdir(t, managed(d.Home)+"/.claude/skills", d.Home+"/.claude/skills", d.Home+"/.claude/agents", repo+"/.git", repo+"/.claude/skills", repo+"/.claude/agents",
		cwd+"/.claude/skills", home+"/.agents/skills", repo+"/.agents/skills", base+"/lib", base+"/other/lib")

	want := []string{
		"enterprise personal/skill /managed/.claude/skills",
		"personal personal/skill /home/.claude/skills",
		"personal-agents personal/agent /home/.claude/agents",
		"project@apps:web project/skill /home/repo/apps/web/.claude/skills local",
		"project project/skill /home/repo/.claude/skills local",
		"project-agents project/agent /home/repo/.claude/agents local",
		"agents agents/skill /home/.agents/skills",
		"project-dot-agents agents/skill /home/repo/.agents/skills local",
		"library/lib library/skill /lib",
		"library/lib~2 library/skill /other/lib",
	}
	roots, errs := Roots(d, cwd, []string{base + "/lib", base + "/other/lib", base + "/lib"})
	require.Empty(t, cmp.Diff(want, brief(roots, base)))
	assert.Empty(t, errs)

	roots, errs = Roots(d, "", nil)
	if len(roots) != 4 || len(errs) != 0 {
		t.Errorf("Roots(no project) = %v, %v; want enterprise, two of the user and agents", brief(roots, base), errs)
	}
	for _, r := range roots {
		assert.False(t, r.Local, "Roots(no project) lists %v", r)
	}
}

func TestRootsReachedTwice(t *testing.T) {
	d, home := machine(t)
	mkdir(t, d.Home+"/.claude/skills", home+"/repo/.git", home+"/repo/.claude")
	require.NoError(t, os.Symlink(d.Home+"/.claude/skills", home+"/repo/.claude/skills"))
	for _, cwd := range []string{home, home + "/repo"} {
		roots, errs := Roots(d, cwd, []string{d.Home + "/.claude/skills", "~/.claude/skills"})
		if len(roots) != 1 || roots[0].Label != "personal" || len(errs) != 0 {
			t.Errorf("Roots(%s) = %v, %v; want the user's skills once", cwd, roots, errs)
		}
	}
}

func TestRootsBadLibraries(t *testing.T) {
	d, home := machine(t)
	write(t, home+"/file", "x")
	for _, lib := range []string{"relative/path", home + "/missing", home + "/file"} {
		if roots, errs := Roots(d, "", []string{lib}); len(roots) != 0 || len(errs) != 1 {
			t.Errorf("Roots(library %q) = %v, %v; want one error", lib, roots, errs)
		}
	}
}

func TestInstalledPlugins(t *testing.T) {
	d, home := machine(t)
	base := filepath.Dir(home)
	p := func(name string) string { return filepath.Join(base, "cache", name) }
	write(t, p("kit")+"/.claude-plugin/plugin.json", `{"name":"toolkit","skills":["./extra","./link"],"agents":"./agents/one.md"}`)
	mkdir(t, p("kit")+"/skills/a", p("kit")+"/extra", base+"/outside")
	write(t, p("kit")+"/agents/one.md", "x")
	write(t, p("kit")+"/agents/two.md", "x")
	require.NoError(t, os.Symlink(base+"/outside", p("kit")+"/link"))
	mkdir(t, p("plain")+"/skills", p("plain")+"/agents")
	write(t, p("single")+"/SKILL.md", "x")
	write(t, p("out")+"/.claude-plugin/plugin.json", `{"name":"out","skills":["../outside"]}`)
	mkdir(t, p("out")+"/skills/a")
	write(t, p("whole")+"/.claude-plugin/marketplace.json",
		`{"plugins":[{"name":"docs","source":"./","skills":["./skills/pdf"]},{"name":"other","source":"./",`+
			`"skills":["./skills/x"]}]}`)
	mkdir(t, p("whole")+"/skills/pdf", p("whole")+"/skills/x")

	v2 := `{"version":2,"plugins":{
		"plain@shop":[{"scope":"project","projectPath":"/x","installPath":"` + p("missing") + `"},{"scope":"user","installPath":"` + p("plain") + `"}],
		"kit@shop":[{"scope":"user","installPath":"` + p("kit") + `","version":"1.0.0"}],
		"docs@whole":[{"scope":"user","installPath":"` + p("whole") + `"}],
		"gone@shop":[{"scope":"user","installPath":"` + p("gone") + `"}],
		"odd@shop":"?",
		"out@shop":[{"scope":"user","installPath":"` + p("out") + `"}],
		"single@shop":[{"scope":"local","projectPath":"/x","installPath":"` + p("single") + `"}]}}`
	write(t, d.Home+"/.claude/plugins/installed_plugins.json", v2)
	want := []string{
		"plugin/docs@whole#skills:pdf plugin/skill /cache/whole/skills/pdf docs: docs@whole",
		"plugin/kit@shop plugin/skill /cache/kit/skills toolkit: kit@shop",
		"plugin/kit@shop#extra plugin/skill /cache/kit/extra toolkit: kit@shop",
		"plugin-agents/kit@shop#agents:one.md plugin/agent /cache/kit/agents/one.md toolkit: kit@shop",
		"plugin/plain@shop plugin/skill /cache/plain/skills plain: plain@shop",
		"plugin-agents/plain@shop plugin/agent /cache/plain/agents plain: plain@shop",
		"plugin/single@shop#. plugin/skill /cache/single single: single@shop",
	}
	roots, errs := Roots(d, "", nil)
	assert.Empty(t, cmp.Diff(want, brief(roots, base)))
	if len(errs) != 5 { // out, link, gone, odd, missing
		t.Errorf("Roots() errors = %v, want 5", errs)
	}

	write(t, d.Home+"/.claude/plugins/installed_plugins.json", `{"version":1,"plugins":{"plain@shop":{"version":"1","installPath":"`+p("plain")+`"}}}`)
	if roots, errs = Roots(d, "", nil); len(roots) != 2 || len(errs) != 0 {
		t.Errorf("Roots(version 1) = %v, %v; want two roots", roots, errs)
	}
	for _, bad := range []string{`{"plugins":`, `[]`, `{"plugins":[1]}`, ``} {
		write(t, d.Home+"/.claude/plugins/installed_plugins.json", bad)
		roots, _ = Roots(d, "", nil)
		assert.Empty(t, roots, bad)
	}
}

func TestPluginsInASkillsFolder(t *testing.T) {
	d, home := machine(t)
	write(t, d.Home+"/.claude/skills/kit/SKILL.md", "x")
	write(t, d.Home+"/.claude/skills/kit/.claude-plugin/plugin.json", `{"name":"tools"}`)
	write(t, d.Home+"/.claude/skills/kit/skills/a/SKILL.md", "x")
	write(t, d.Home+"/.claude/skills/.trash/.claude-plugin/plugin.json", `{}`)
	roots, errs := Roots(d, home, nil)
	want := []string{
		"personal personal/skill /.claude/skills",
		"plugin/tools@skills-dir plugin/skill /.claude/skills/kit/skills tools: tools@skills-dir",
	}
	require.Empty(t, cmp.Diff(want, brief(roots, home)))
	assert.Empty(t, errs)
	quick, _ := QuickRoots(d, home, nil)
	assert.Len(t, quick, 1)
}

func TestPrecedence(t *testing.T) {
	e := func(id, name string, pool Pool, source Source) Entry {
		return Entry{ID: id, Name: name, Pool: pool, Source: source}
	}
	entries := []Entry{
		e("project@web/a", "a", Skill, Project),
		e("project/a", "a", Skill, Project),
		e("project/b", "b", Skill, Project),
		e("personal/a", "a", Skill, Personal),
		e("personal/b", "b", Skill, Personal),
		e("enterprise/b", "b", Skill, Personal),
		e("agents/a", "a", Skill, Agents),
		e("agents/c", "c", Skill, Agents),
		e("plugin/k@s/a", "k:a", Skill, Plugin),
		e("lib/a", "a", Skill, Library),
		e("lib/b", "a", Skill, Library),
		e("personal-agents/r.md", "r", Agent, Personal),
		e("project-agents@web/r.md", "r", Agent, Project),
		e("project-agents/r.md", "r", Agent, Project),
		e("personal/r", "r", Skill, Personal),
	}
	winners, shadowed := Precedence(entries)
	var got []string
	for _, w := range winners {
		got = append(got, w.ID)
	}
	want := []string{"personal/a", "enterprise/b", "agents/c", "plugin/k@s/a", "lib/a", "lib/b", "project-agents@web/r.md", "personal/r"}
	assert.Empty(t, cmp.Diff(want, got))
	by := map[string]string{}
	for _, s := range shadowed {
		by[s.Entry.ID] = s.By
	}
	wantBy := map[string]string{
		"project@web/a": "personal/a", "project/a": "personal/a", "project/b": "enterprise/b", "personal/b": "enterprise/b", "agents/a": "personal/a",
		"personal-agents/r.md": "project-agents@web/r.md", "project-agents/r.md": "project-agents@web/r.md",
	}
	assert.Empty(t, cmp.Diff(wantBy, by))
}

func TestRootsBelowASession(t *testing.T) {
	d, home := machine(t)
	repo := filepath.Join(home, "repo")
	cwd := filepath.Join(repo, "packages")
	skills := func(dir string) string { return filepath.Join(dir, ".claude", "skills") }
	mkdir(t, repo+"/.git", skills(repo), skills(cwd), skills(cwd+"/web"), skills(repo+"/docs"), skills(home+"/elsewhere"), cwd+"/api/.claude",
		cwd+"/out/.claude", cwd+"/notes")
	require.NoError(t, os.Symlink(skills(home+"/elsewhere"), skills(cwd+"/out")))
	require.NoError(t, os.Symlink(skills(repo), skills(cwd+"/api")))
	tests := []struct{ name, path, want, err string }{
		{name: "below cwd", path: skills(cwd + "/web"), want: "project@packages:web project/skill /home/repo/packages/web/.claude/skills local"},
		{name: "gone", path: skills(cwd + "/gone")},
		{name: "of cwd itself", path: skills(cwd)},
		{name: "beside cwd", path: skills(repo + "/docs")},
		{name: "beside cwd by dots", path: cwd + "/../docs/.claude/skills"},
		{name: "not named as the host names it", path: cwd + "/notes"},
		{name: "relative", path: "web/.claude/skills"},
		{name: "a link out of the repository", path: skills(cwd + "/out"), err: "leads out"},
		{name: "a link to one that is there already", path: skills(cwd + "/api")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before, _ := QuickRoots(d, cwd, nil)
			roots, errs := QuickRoots(d, cwd, nil, tt.path)
			got := strings.Join(brief(roots[len(before):], filepath.Dir(home)), "; ")
			if got != tt.want || len(errs) > 0 != (tt.err != "") || len(errs) > 0 && !strings.Contains(errs[0].Error(), tt.err) {
				t.Errorf("QuickRoots with %s adds %q, %v; want %q, %q", tt.path, got, errs, tt.want, tt.err)
			}
			all, _ := Roots(d, cwd, nil, tt.path)
			assert.Equal(t, len(roots), len(all))
		})
	}
}
