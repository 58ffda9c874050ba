package gate

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/dirs"
)

func configured(t *testing.T, user, project string) (dirs.Dirs, string) {
	t.Helper()
	home := t.TempDir()
	d := dirs.Dirs{Home: home, Config: filepath.Join(home, ".config", "skillgate")}
	cwd := filepath.Join(home, "work", "deep", "down")
	for file, text := range map[string]string{
		filepath.Join(d.Config, "skillgate.yaml"):                  user,
		filepath.Join(home, "work", ".claude", "skillgate.yaml"):   project,
		filepath.Join(home, "work", ".git", "HEAD"):                "ref: refs/heads/main\n",
		filepath.Join(cwd, "a file so that the folder is there"):   "x",
		filepath.Join(home, "work", "deep", ".claude", "notes.md"): "a .claude folder that is not the repository's",
	} {
		if text == "" {
			continue
		}
		must(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
	}
	return d, cwd
}

func TestSettingsPrecedence(t *testing.T) {
	tests := []struct {
		name, user, project string
		environ             []string
		want                int // top_k
	}{
		{"nothing set", "", "", nil, Default().TopK},
		{"the user's", "top_k: 2\n", "", nil, 2},
		{"the project's over the user's", "top_k: 2\n", "top_k: 3\n", nil, 3},
		{"the environment over both", "top_k: 2\n", "top_k: 3\n", []string{"SKILLGATE_TOP_K=4"}, 4},
		{"an empty variable sets nothing", "top_k: 2\n", "", []string{"SKILLGATE_TOP_K="}, 2},
		{"an empty file", "# nothing\n", "", nil, Default().TopK},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, cwd := configured(t, tt.user, tt.project)
			s, err := Load(d, cwd, tt.environ)
			require.NoError(t, err)
			assert.Equal(t, tt.want, s.TopK)
		})
	}
}

// A project's file comes with a cloned repository.
func TestProjectMaySetOnlyItsKeys(t *testing.T) {
	def := Default()
	tests := []struct {
		name, project string
		kept          func(Settings) bool
	}{
		{"libraries", "libraries: [/evil]\n", func(s Settings) bool { return len(s.Libraries) == 0 }},
		{"log", "log: {prompts: none}\n", func(s Settings) bool { return s.Log == def.Log }},
		{"deadline", "deadline_ms: 1\n", func(s Settings) bool { return s.DeadlineMs == def.DeadlineMs }},
		{"rerank", "rerank: {enabled: true, library: /evil.so}\n", func(s Settings) bool { return s.Rerank == def.Rerank }},
		{"trust", "trust: {max_risk: 0}\n", func(s Settings) bool { return reflect.DeepEqual(s.Trust, def.Trust) }},
		{"enrich", "enrich: {base_url: 'http://evil'}\n", func(s Settings) bool { return s.Enrich.BaseURL == "" }},
		{"a merge key", "<<: {libraries: [/evil]}\n", func(s Settings) bool { return len(s.Libraries) == 0 }},
		{"an alias", "lint: &x {languages: [en]}\nlibraries: *x\n", func(s Settings) bool { return len(s.Libraries) == 0 }},
		{"another case", "Libraries: [/evil]\n", func(s Settings) bool { return len(s.Libraries) == 0 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, cwd := configured(t, "", tt.project+"top_k: 3\n")
			s, err := Load(d, cwd, nil)
			if err == nil || !strings.Contains(err.Error(), "skillgate.yaml:") || !strings.Contains(err.Error(), "cannot be set by a project") {
				t.Errorf("Load: %v, want an error with the file and line of %s", err, tt.name)
			}
			if !tt.kept(s) || s.TopK != 3 {
				t.Errorf("Load: %+v, want %s as it was and top_k 3", s, tt.name)
			}
		})
	}
}

func TestSettingsErrors(t *testing.T) {
	tests := []struct {
		name, user string
		environ    []string
		want       string
	}{
		{"an unknown key", "score_min: 1\ntop_kk: 3\n", nil, "skillgate.yaml:2: top_kk: unknown setting top_kk"},
		{"an unknown key below", "log: {prompt: full}\n", nil, "skillgate.yaml:1: log: unknown setting prompt"},
		{"a value of another type", "top_k: many\n", nil, "skillgate.yaml:1: top_k: `many` is not a whole number"},
		{"a list for a number", "need_min: [1]\n", nil, "skillgate.yaml:1: need_min: a list is not a number"},
		{"a number for a list", "libraries: 3\n", nil, "skillgate.yaml:1: libraries: `3` is not a list"},
		{"no YAML", "top_k: [\n", nil, "skillgate.yaml"},
		{"a list", "- top_k\n", nil, "must be a mapping"},
		{"a number out of range", "top_k: 51\n", nil, "top_k is 51 but must be 0 to 50"},
		{"not a number", "need_min: .nan\n", nil, "need_min is NaN but must be 0 to 1"},
		{"an unknown level", "log: {prompts: everything}\n", nil, `log.prompts is "everything"`},
		{"a variable of another type", "", []string{"SKILLGATE_TOP_K=x"}, `SKILLGATE_TOP_K: top_k: "x" is not a whole number`},
		{"a variable with an address", "", []string{"SKILLGATE_LIBRARIES=/x:oci://host:5000/lib"},
			"SKILLGATE_LIBRARIES: libraries: /x:oci://host:5000/lib contains a URL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, cwd := configured(t, tt.user, "")
			s, err := Load(d, cwd, tt.environ)
			assert.ErrorContains(t, err, tt.want)
			require.Equal(t, Default().TopK, s.TopK)
			assert.Equal(t, Default().NeedMin, s.NeedMin)
		})
	}
}

// A typo in log.prompts must not write prompts to the log.
func TestUnknownLogLevelKeepsNoPrompt(t *testing.T) {
	d, cwd := configured(t, "log: {prompts: nome}\n", "")
	s, _ := Load(d, cwd, nil)
	assert.Equal(t, "hash", s.Log.Prompts)
}

// References are shown and logged, so those with a password are refused.
func TestNoPasswordInAReference(t *testing.T) {
	d, cwd := configured(t, "libraries: [/skills, 'https://ann:secret@example.com', 'git+https://ann:secret@example.com/x@v1']\n", "")
	s, err := Load(d, cwd, nil)
	if err == nil || strings.Contains(err.Error(), "secret") || !slices.Equal(s.Libraries, []string{"/skills"}) {
		t.Errorf("Load: libraries %q, %v, want the folder alone and an error without the password", s.Libraries, err)
	}
}

func TestBadKeyCostsItself(t *testing.T) {
	d, cwd := configured(t, "top_k: 2\nnonsense: 1\nagents_k: 0\nscore_min: x\nneed_min: 0.25\n", "")
	s, err := Load(d, cwd, nil)
	if err == nil || s.TopK != 2 || s.AgentsK != 0 || s.NeedMin != 0.25 || s.ScoreMin != Default().ScoreMin {
		t.Errorf("Load: %+v, %v, want all but the two bad keys", s, err)
	}
}

func TestBadKeyInABlockCostsItself(t *testing.T) {
	d, cwd := configured(t, "rerank: {enabled: true, foo: 1, blend: much, pairs: 7}\n", "")
	s, err := Load(d, cwd, nil)
	want := Default().Rerank
	want.Enabled, want.Pairs = true, 7
	assert.Equal(t, want, s.Rerank)
	for _, text := range []string{"unknown setting foo", "`much` is not a number"} {
		require.Error(t, err)
		assert.Equal(t, 1, strings.Count(err.Error(), text), text)
	}
}

// Errors in a project's file, which comes with a clone, are reported separately.
func TestLoadTellsWhoseSettingsAreWrong(t *testing.T) {
	tests := []struct {
		name, user, project string
		own, ofProject      bool
	}{
		{"the user's key", "nonsense: 1\n", "top_k: 3\n", true, false},
		{"the user's value", "top_k: 99\n", "agents_k: 0\n", true, false},
		{"the project's key", "top_k: 3\n", "nonsense: 1\n", false, true},
		{"the project's value", "", "top_k: 99\n", false, true},
		{"a key that a project may not set", "", "libraries: [/x]\n", false, true},
		{"both", "top_k: 99\n", "top_k: 99\n", true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, cwd := configured(t, tt.user, tt.project)
			_, err := Load(d, cwd, nil)
			var bad *BadSettings
			if !errors.As(err, &bad) || (bad.Own != nil) != tt.own || (bad.Project != nil) != tt.ofProject {
				t.Errorf("Load: %#v, want the user's %v and the project's %v", err, tt.own, tt.ofProject)
			}
		})
	}
}

func TestSettingsFileMustBeAFile(t *testing.T) {
	d, cwd := configured(t, "", "")
	must(t, os.MkdirAll(filepath.Join(d.Config, "skillgate.yaml"), 0o700))
	_, err := Load(d, cwd, nil)
	assert.ErrorContains(t, err, "not a regular file")
}

func TestSetKnowsEveryScalar(t *testing.T) {
	for _, key := range []string{
		"score_min=3.5", "need_min=0.5", "session_chars=5", "top_k=3", "agents_k=0", "deadline_ms=9", "subagents=false",
		"disabled=true", "calibrate=false", "libraries=/a", "log.prompts=terms", "export.prompts=hash", "rerank.enabled=true",
		"rerank.model=m", "rerank.library=l", "rerank.deadline_ms=7", "rerank.blend=0.25", "rerank.pairs=4",
		"trust.max_risk=0.5", "enrich.provider=openai", "enrich.model=m", "enrich.base_url=http://localhost",
	} {
		key, value, _ := strings.Cut(key, "=")
		set, read := Default(), Default()
		if err := set.Set(key, value); err != nil || reflect.DeepEqual(set, Default()) {
			t.Errorf("Set(%q, %q) = %v, want another setting", key, value, err)
		}
		variable := "SKILLGATE_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_")) + "=" + value
		require.NoError(t, fromEnviron(&read, []string{variable}))
		assert.Equal(t, read, set)
	}
	for _, key := range []string{"nonsense", "", "-", "log", "rerank.", ".top_k", "trust.keys", "enrich.languages",
		"lint.languages", "lint.rules", "rerank.top_k"} {
		s := Default()
		require.Error(t, s.Set(key, "1"), key)
		assert.Equal(t, Default(), s)
		variable := "SKILLGATE_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
		require.NoError(t, fromEnviron(&s, []string{variable + "=1", "SKILLGATE_top_k=1"}))
		assert.Equal(t, Default(), s)
	}
}

func TestProjectDir(t *testing.T) {
	d, cwd := configured(t, "", "")
	got, want := ProjectDir(cwd, d), filepath.Join(d.Home, "work")
	assert.Equal(t, want, got)
	outside := t.TempDir()
	assert.Equal(t, outside, ProjectDir(outside, d))
}

// Every setting that affects decisions affects the fingerprint.
func TestFingerprint(t *testing.T) {
	base := Default().Fingerprint()
	require.Equal(t, 12, len(base))
	assert.Equal(t, Default().Fingerprint(), base)
	for _, kv := range [][2]string{{"score_min", "99"}, {"need_min", "0.99"}, {"top_k", "7"}, {"agents_k", "3"}, {"libraries", "/x"}, {"trust.max_risk", "0.5"}} {
		s := Default()
		must(t, s.Set(kv[0], kv[1]))
		if s.Fingerprint() == base {
			t.Errorf("Fingerprint does not change with %s", kv[0])
		}
	}
	s := Default()
	s.Log.Prompts = "none"
	assert.Equal(t, base, s.Fingerprint(), "Fingerprint changes with the log's level, which decides nothing")
	for _, ids := range [][2]string{{"x", "n"}, {"w", "x"}} {
		assert.NotEqual(t, Default().fingerprint("w", "n"), Default().fingerprint(ids[0], ids[1]))
	}
}

// Load returns settings that are all in range, whatever the file says.
func FuzzSettings(f *testing.F) {
	f.Add("top_k: 3\nlog: {prompts: full}\n")
	f.Add("a: &a [*a, *a]\n")
	f.Add("? [x]\n: y\n")
	f.Add("\xff\x00")
	home := f.TempDir()
	d := dirs.Dirs{Home: home, Config: home}
	f.Fuzz(func(t *testing.T, text string) {
		must(t, os.WriteFile(filepath.Join(home, "skillgate.yaml"), []byte(text), 0o600))
		s, _ := Load(d, "", nil)
		if err := s.check(); err != nil {
			t.Errorf("Load of %q gives %v", text, err)
		}
	})
}
