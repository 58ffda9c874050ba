package catalog

import (
	"testing"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/fetched"
)

func TestIsSkillFile(t *testing.T) {
	d := dirs.Dirs{Home: "/home/ann", Cache: "/cache"}
	const ref = "oci://registry.example.com/x:1"
	libraries := []string{"~/library", "/shared/", ref}
	for path, want := range map[string]bool{
		"/home/ann/.claude/skills/a/SKILL.md": true, "/home/ann/library/deep/a/SKILL.md": true, "/shared/a/skill.md": true,
		fetched.Current("/cache", ref) + "/skills/deep/a/SKILL.md": true,
		"/elsewhere/a/SKILL.md": false, "/shared/a/README.md": false, "a/SKILL.md": false,
	} {
		if got := IsSkillFile(path, d, libraries); got != want {
			t.Errorf("IsSkillFile(%q) = %v, want %v", path, got, want)
		}
	}
}
