package gate

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skillgate/skillgate/gate/dirs"
)

// Each variable sets a setting, and every setting that variables may set has one.
func TestVariables(t *testing.T) {
	names := Variables()
	for _, want := range []string{"SKILLGATE_TOP_K", "SKILLGATE_LIBRARIES", "SKILLGATE_LOG_PROMPTS",
		"SKILLGATE_RERANK_DEADLINE_MS"} {
		assert.Contains(t, names, want)
	}
	d := dirs.Dirs{Home: t.TempDir(), Config: t.TempDir(), Cache: t.TempDir(), State: t.TempDir()}
	usual, err := Load(d, d.Home, nil)
	must(t, err)
	for _, name := range names {
		set := false
		for _, value := range []string{"0.25", "3", "true", "false", "hash", "none", "claude", "openai", "/x"} {
			s, err := Load(d, d.Home, []string{name + "=" + value})
			set = set || err != nil && strings.Contains(err.Error(), name) || !reflect.DeepEqual(s, usual)
		}
		assert.True(t, set, "%s sets nothing", name)
	}
	for _, name := range []string{"SKILLGATE_LINT_RULES", "SKILLGATE_TRUST_KEYS", "SKILLGATE_ENRICH_LANGUAGES",
		"SKILLGATE_LEARNED"} {
		s, err := Load(d, d.Home, []string{name + "=x"})
		if slices.Contains(names, name) || err != nil || !reflect.DeepEqual(s, usual) {
			t.Errorf("%s is a variable: %v", name, err)
		}
	}
}
