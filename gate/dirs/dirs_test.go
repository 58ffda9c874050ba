package dirs

import (
	"path/filepath"
	"testing"
)

func TestFromEnv(t *testing.T) {
	for _, tt := range []struct {
		name                 string
		env                  map[string]string
		config, state, cache string
	}{
		{"a home folder alone", map[string]string{"HOME": "/home/ann"}, "/home/ann/.config/skillgate",
			"/home/ann/.local/state/skillgate", "/home/ann/.cache/skillgate"},
		{"folders of their own", map[string]string{"HOME": "/home/ann", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s",
			"XDG_CACHE_HOME": "/k/"}, "/c/skillgate", "/s/skillgate", "/k/skillgate"},
		{"relative ones are ignored", map[string]string{"HOME": "/home/ann", "XDG_CONFIG_HOME": "c",
			"XDG_STATE_HOME": "./s"}, "/home/ann/.config/skillgate", "/home/ann/.local/state/skillgate",
			"/home/ann/.cache/skillgate"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			told := ""
			d, err := FromEnv(func(key string) string { return tt.env[key] }, func(home string, _ func(string) string) Hosts {
				told = home
				return Hosts{Name: "host"}
			})
			if err != nil || d.Config != tt.config || d.State != tt.state || d.Cache != tt.cache || d.Home != "/home/ann" || told != d.Home || d.Hosts.Name != "host" {
				t.Errorf("FromEnv(%v) = %+v, %v", tt.env, d, err)
			}
		})
	}
}

// Without HOME the user database has the home folder.
func TestFromEnvWithoutHome(t *testing.T) {
	d, err := FromEnv(func(string) string { return "" }, func(string, func(string) string) Hosts { return Hosts{} })
	if err == nil && !filepath.IsAbs(d.Config) {
		t.Errorf("FromEnv without HOME = %+v", d)
	}
}
