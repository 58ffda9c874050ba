package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
)

// A session has the plugin row of the user or of its own project, plugins of a local marketplace are read in place,
// and plugins that the host does not load have no root.
func TestPluginsOfASession(t *testing.T) {
	d, home := machine(t)
	work := home + "/work"
	row := func(folder, project string) string {
		write(t, home+"/cache/"+folder+"/skills/a/SKILL.md", "---\ndescription: Text of "+folder+".\n---\n")
		return fmt.Sprintf(`{"installPath":%q,"projectPath":%q}`, home+"/cache/"+folder, project)
	}
	mkdir(t, work+"/.git", work+"/deep", home+"/other")
	write(t, d.Home+"/.claude/plugins/installed_plugins.json", `{"version":2,"plugins":{
		"two@m":[`+row("two-other", home+"/other")+`,`+row("two-work", work)+`],
		"own@m":[`+row("own-work", work)+`,`+row("own-user", "")+`],
		"elsewhere@m":[`+row("elsewhere", home+"/other")+`],
		"unlisted@m":[`+row("unlisted", "")+`],
		"unknown@n":[`+row("unknown", "")+`],
		"here@dev":[`+row("stale", "")+`]}}`)
	write(t, d.Home+"/.claude/plugins/known_marketplaces.json", `{"m":{"source":{"source":"github"},"installLocation":"`+home+`/m"},
		"dev":{"source":{"source":"directory","path":"`+home+`/dev"}}}`)
	write(t, home+"/m/.claude-plugin/marketplace.json", `{"plugins":[{"name":"two","source":"./two"},{"name":"own","source":"./own"},
		{"name":"elsewhere","source":"./elsewhere"}]}`)
	write(t, home+"/dev/.claude-plugin/marketplace.json", `{"metadata":{"pluginRoot":"./all"},"plugins":[
		{"name":"here","source":"./here","skills":["./more/b"],"commands":"./prompts"},{"name":"rooted","source":"rooted"},
		{"name":"x","source":"./","skills":["./skills/a"]},{"name":"y","source":"./","skills":["./skills/b"]}]}`)
	for _, file := range []string{"here/skills/a/SKILL.md", "here/more/b/SKILL.md", "here/more/c/SKILL.md", "here/prompts/swab.md",
		"all/rooted/skills/a/SKILL.md", "skills/a/SKILL.md", "skills/b/SKILL.md"} {
		write(t, home+"/dev/"+file, "---\ndescription: Text of "+file+".\n---\n")
	}
	on := `{"enabledPlugins":{"two@m":true,"own@m":true,"elsewhere@m":true,"unlisted@m":true,"unknown@n":true,"here@dev":true,"rooted@dev":true,
		"x@dev":true,"y@dev":true}}`
	write(t, d.Home+"/.claude/settings.json", on)
	inPlace := []string{"here:a Text of here/skills/a/SKILL.md.", "here:b Text of here/more/b/SKILL.md.",
		"here:swab Text of here/prompts/swab.md.", "rooted:a Text of all/rooted/skills/a/SKILL.md.", "x:a Text of skills/a/SKILL.md.",
		"y:b Text of skills/b/SKILL.md."}
	for cwd, want := range map[string][]string{
		work:            append(inPlace, "own:a Text of own-work.", "two:a Text of two-work."),
		work + "/deep":  append(inPlace, "own:a Text of own-work.", "two:a Text of two-work."),
		home + "/other": append(inPlace, "elsewhere:a Text of elsewhere.", "own:a Text of own-user.", "two:a Text of two-other."),
		home + "/third": append(inPlace, "own:a Text of own-user."),
	} {
		var got []string
		for _, e := range Installed(t.Context(), d, cwd, nil) {
			got = append(got, e.Name+" "+e.Description)
		}
		assert.Empty(t, cmp.Diff(want, got), strings.TrimPrefix(cwd, home))
	}
}
