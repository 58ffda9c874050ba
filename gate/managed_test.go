package gate

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Users, projects and variables can make the organisation's limits stricter, never looser.
func TestManagedSettings(t *testing.T) {
	key := "ed25519:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	tests := []struct {
		name, managed, user, project string
		environ                      []string
		want                         func(*Settings)
	}{
		{"an empty file", "# nothing\n", "top_k: 3\n", "", nil, func(s *Settings) { s.TopK = 3 }},
		{"minimums are raised", "score_min: 2\nneed_min: 0.7\n", "score_min: 1\n", "need_min: 0.1\n", []string{"SKILLGATE_SCORE_MIN=0"},
			func(s *Settings) { s.ScoreMin, s.NeedMin = 2, 0.7 }},
		{"higher minimums stay", "score_min: 2\nneed_min: 0.6\n", "score_min: 3\n", "need_min: 0.8\n", nil,
			func(s *Settings) { s.ScoreMin, s.NeedMin = 3, 0.8 }},
		{"a minimum below the default lowers nothing", "need_min: 0.2\n", "", "", nil, func(*Settings) {}},
		{"maximums are lowered", "top_k: 2\nagents_k: 0\nsession_chars: 500\ndeadline_ms: 50\ntrust: {max_risk: 0.5}\n",
			"session_chars: 0\ntrust: {max_risk: 1}\n", "top_k: 9\nagents_k: 3\n", []string{"SKILLGATE_DEADLINE_MS=900"},
			func(s *Settings) {
				s.TopK, s.AgentsK, s.SessionChars, s.DeadlineMs, s.Trust.MaxRisk = 2, 0, 500, 50, 0.5
			}},
		{"lower maximums stay", "top_k: 9\nsession_chars: 0\ntrust: {max_risk: 0.5}\n", "session_chars: 100\ntrust: {max_risk: 0.2}\n", "top_k: 1\n", nil,
			func(s *Settings) { s.TopK, s.SessionChars, s.Trust.MaxRisk = 1, 100, 0.2 }},
		{"less is logged and exported", "log: {prompts: hash}\nexport: {prompts: terms}\n", "export: {prompts: full}\n", "", []string{"SKILLGATE_LOG_PROMPTS=full"},
			func(s *Settings) { s.Log.Prompts, s.Export.Prompts = "hash", "terms" }},
		{"who logs less goes on", "log: {prompts: terms}\n", "log: {prompts: none}\n", "", nil, func(s *Settings) { s.Log.Prompts = "none" }},
		{"libraries, keys and providers are those of the file",
			"libraries: [/shared]\ntrust: {keys: ['" + key + "']}\nenrich: {provider: openai, base_url: 'http://inside'}\nrerank: {enabled: false}\n",
			"libraries: [/mine]\ntrust: {keys: []}\nenrich: {provider: claude, base_url: 'http://outside'}\nrerank: {enabled: true}\n", "",
			[]string{"SKILLGATE_LIBRARIES=/other"}, func(s *Settings) {
				s.Libraries, s.Trust.Keys = []string{"/shared"}, []string{key}
				s.Enrich.Provider, s.Enrich.BaseURL = "openai", "http://inside"
			}},
		{"a provider comes without the user's address", "enrich: {provider: openai}\n", "enrich: {base_url: 'http://outside'}\n", "", nil,
			func(s *Settings) { s.Enrich.Provider = "openai" }},
		{"nobody switches it off", "disabled: false\n", "disabled: true\n", "disabled: true\n", nil, func(*Settings) {}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, cwd := configured(t, tt.user, tt.project)
			d.Hosts.Policy.Managed = filepath.Join(d.Home, "managed-settings.json")
			must(t, os.WriteFile(ManagedFile(d), []byte(tt.managed), 0o600))
			want := Default()
			tt.want(&want)
			if len(want.Libraries) == 0 {
				want.Libraries = nil
			}
			got, err := Load(d, cwd, tt.environ)
			if len(got.Libraries) == 0 {
				got.Libraries = nil
			}
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("Load = %+v, %v\nwant %+v", got, err, want)
			}
		})
	}
}

// A bad key does not affect others; a file that cannot be read disables skillgate.
func TestBadManagedSettings(t *testing.T) {
	tests := []struct {
		name, managed string
		disabled      bool
		want          string
	}{
		{"a key of a newer version", "top_k: 2\nfuture: 1\n", false, "skillgate.yaml:2: future: unknown setting future"},
		{"a misspelled level", "top_k: 2\nlog: {prompts: nome}\n", false, `log.prompts is "nome"`},
		{"a limit out of range", "top_k: 2\ntrust: {max_risk: 30}\n", false, "trust.max_risk is 30"},
		{"a limit with a comma", "top_k: 2\ntrust: {max_risk: '0,3'}\n", false, "not a number"},
		{"a misspelled limit", "top_k: 2\ntrust: {max_risc: 0.3}\n", false, "max_risc"},
		{"a key that is none", "top_k: 2\ntrust: {keys: ['ed25519:zzz']}\n", false, "trust.keys"},
		{"no YAML", "top_k: [\n", true, "disabled"},
		{"a list", "- top_k\n", true, "disabled"},
		{"too long", "#" + strings.Repeat("x", maxSettings) + "\n", true, "disabled"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, cwd := configured(t, "", "")
			d.Hosts.Policy.Managed = filepath.Join(d.Home, "managed-settings.json")
			must(t, os.WriteFile(ManagedFile(d), []byte(tt.managed), 0o600))
			s, err := Load(d, cwd, []string{"SKILLGATE_DISABLED=false"})
			bad, ok := err.(*BadSettings)
			if !ok || bad.Own != nil || bad.Project != nil || bad.Managed == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("Load: %v, want an error of the organisation's file with %q", err, tt.want)
			}
			if s.Disabled != tt.disabled || !tt.disabled && s.TopK != 2 || strings.Contains(tt.managed, "nome") && s.Log.Prompts != "none" ||
				strings.Contains(tt.managed, "trust") && s.Trust.MaxRisk != 0 {
				t.Errorf("Load: disabled %v, top_k %d, log.prompts %s, max_risk %v; want disabled %v and the strictest",
					s.Disabled, s.TopK, s.Log.Prompts, s.Trust.MaxRisk, tt.disabled)
			}
		})
	}
}
