package self

import (
	"runtime/debug"
	"testing"
)

func TestDiffer(t *testing.T) {
	info := func(version, revision, modified string) *debug.BuildInfo {
		b := &debug.BuildInfo{Main: debug.Module{Path: "example.com/a", Version: version}}
		if revision != "" {
			b.Settings = []debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: modified}}
		}
		return b
	}
	tests := []struct {
		name     string
		own      *debug.BuildInfo
		other    *debug.BuildInfo
		wantSame bool
	}{
		{"one revision", info("v1", "abc", "false"), info("v1", "abc", "false"), true},
		{"built without version control", info("(devel)", "", ""), info("(devel)", "", ""), true},
		{"two versions", info("v1", "abc", "false"), info("v2", "abc", "false"), false},
		{"two revisions", info("v1", "abc", "false"), info("v1", "abd", "false"), false},
		{"one with changes", info("v1", "abc", "false"), info("v1", "abc", "true"), false},
		{"another module", info("v1", "", ""), &debug.BuildInfo{Main: debug.Module{Path: "example.com/b", Version: "v1"}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := differ(tt.own, tt.other); (err == nil) != tt.wantSame {
				t.Errorf("differ = %v, want the same source: %v", err, tt.wantSame)
			}
		})
	}
}
