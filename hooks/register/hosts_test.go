package register

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/hooks"
)

// For every host, Find finds the handlers of Install, a second Install keeps them, an Install of a moved program updates
// them in place, and Uninstall removes them, in an empty file and in one with other settings.
func TestHostsRoundTrip(t *testing.T) {
	texts := map[hooks.Kind][]string{hooks.JSON: append([]string{""}, roundTrips...), hooks.Script: {""}, hooks.Module: {""}}
	for _, host := range hooks.Hosts[1:] {
		want := host.Handlers(bin, false)
		file := filepath.Base(host.Settings)
		for _, text := range texts[want[0].Kind] {
			t.Run(host.Name, func(t *testing.T) {
				moved, _, err := Install(file, []byte(text), host.Handlers("/old/skillgate", false))
				require.NoError(t, err)
				after, _, err := Install(file, []byte(text), want)
				require.NoError(t, err)
				found, err := Find(file, after)
				if err != nil || len(found) != 1 || !found[0].upToDate(want[0]) || found[0].Event != host.PromptEvent || found[0].Line == 0 {
					t.Fatalf("Find(%q) = %+v, %v; want %+v", after, found, err, want[0])
				}
				if again, changes, err := Install(file, after, want); err != nil || string(again) != string(after) || changes[0].Action != Kept {
					t.Errorf("a second Install of %q = %q, %v, %v; want no change", after, again, changes, err)
				}
				if got, changes, err := Install(file, moved, want); err != nil || changes[0].Action != Updated || strings.Contains(string(got), "/old") {
					t.Errorf("Install over %q = %q, %v, %v; want an update", moved, got, changes, err)
				}
				back, changes, created, err := Uninstall(file, after, []byte(text))
				whole := want[0].Kind != hooks.JSON
				if err != nil || string(back) != text && !created || len(changes) != 1 || created != (text == "" && whole) {
					t.Errorf("Uninstall(%q) = %q, %v, created %v, %v; want %q", after, back, changes, created, err, text)
				}
				if _, _, created, err := Uninstall(file, after); err != nil || text == "" && !created {
					t.Errorf("Uninstall(%q) without the text before: created %v, %v", after, created, err)
				}
			})
		}
	}
}

func TestScriptsOfOthersStay(t *testing.T) {
	for _, text := range []string{"#!/bin/sh\necho {}\n", "#!/bin/sh\n/b/skillgate hook\necho x\n",
		"#!/bin/sh\n/b/skillgate hook --host cline; /usr/bin/other\n", "#!/bin/sh\nA=1 /b/skillgate hook --host cline\n", "#!/usr/bin/env node\n", "x"} {
		got, _, err := Install("UserPromptSubmit", []byte(text), hooks.Cline.Handlers(bin, false))
		require.Error(t, err, text)
		assert.Nil(t, got, text)
		if !isScript([]byte(text)) {
			continue
		}
		if back, changes, created, err := Uninstall("UserPromptSubmit", []byte(text)); err != nil || string(back) != text || created || len(changes) > 0 {
			t.Errorf("Uninstall(%q) = %q, %v, %v, %v; want no change", text, back, changes, created, err)
		}
	}
}

func TestChangedModulesStay(t *testing.T) {
	want := hooks.Pi.Handlers(bin, false)
	ours := program(want[0])
	want[0].Code = "export default function () {}\n"
	if got, changes, err := Install("skillgate.js", program(want[0]), hooks.Pi.Handlers(bin, false)); err != nil ||
		string(got) != string(ours) || changes[0].Action != Updated {
		t.Errorf("Install over another version = %q, %v, %v; want an update", got, changes, err)
	}
	for _, text := range []string{string(ours) + "// mine\n", strings.Replace(string(ours), "5000", "9000", 1), "export default 1\n",
		"// skillgate \n", "// skillgate e3b0c44298fc1c14: rm -rf x\n"} {
		if got, _, err := Install("skillgate.js", []byte(text), hooks.Pi.Handlers(bin, false)); err == nil || got != nil {
			t.Errorf("Install over %q = %q, %v; want a refusal", text, got, err)
		}
		if !isProgram([]byte(text)) {
			continue
		}
		if back, changes, created, err := Uninstall("skillgate.js", []byte(text)); err != nil || string(back) != text || created || len(changes) > 0 {
			t.Errorf("Uninstall(%q) = %q, %v, %v, %v; want no change", text, back, changes, created, err)
		}
	}
}

func TestInstallKeepsTheUsersOwn(t *testing.T) {
	tests := []struct {
		name       string
		host       *hooks.Host
		text, want string // empty if an error is expected
	}{
		{"time and name, where the command changes", &hooks.Gemini,
			`{"hooks":{"BeforeAgent":[{"hooks":[{"name":"mine","type":"command","command":"/b/skillgate hook","timeout":9000}]}]}}`,
			`{"hooks":{"BeforeAgent":[{"hooks":[{"name":"mine","type":"command","command":"/b/skillgate hook || true","timeout":9000}]}]}}`},
		{"a switch among the events", &hooks.Gemini, `{"hooks":{"enabled":true}}`,
			`{"hooks":{"enabled":true,"BeforeAgent":[{"hooks":[{"name":"skillgate","type":"command",` +
				`"command":"/b/skillgate hook || true","timeout":5000}]}]}}`},
		{"a switch at the event", &hooks.Gemini, `{"hooks":{"BeforeAgent":true}}`, ""},
		{"a server", &hooks.Gemini, `{"mcpServers":{"skillgate":{"command":"/b/skillgate","args":["mcp"]}}}`,
			`{"mcpServers":{"skillgate":{"command":"/b/skillgate","args":["mcp"]}},"hooks":{"BeforeAgent":[{"hooks":[` +
				`{"name":"skillgate","type":"command","command":"/b/skillgate hook || true","timeout":5000}]}]}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file, want := filepath.Base(tt.host.Settings), tt.host.Handlers("/b/skillgate", false)
			got, _, err := Install(file, []byte(tt.text), want)
			if string(got) != tt.want || (err == nil) != (tt.want != "") {
				t.Fatalf("Install(%s) = %s, %v; want %s", tt.text, got, err, tt.want)
			}
			if err != nil {
				return
			}
			if again, changes, err := Install(file, got, want); err != nil || string(again) != tt.want || changes[0].Action != Kept {
				t.Errorf("Install twice = %s, %v, %v; want no change", again, changes, err)
			}
			rest, _, _, err := Uninstall(file, got)
			if left, _ := Find(file, rest); err != nil || len(left) > 0 {
				t.Errorf("Uninstall = %s, %v; want no handler left", rest, err)
			}
		})
	}
}

func TestUninstallKeepsAnEmptyListThatWasThere(t *testing.T) {
	const text = "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"UserPromptSubmit\": [],\n    \"Stop\": []\n  }\n}\n"
	after, _, err := Install("f", []byte(text), hooks.Claude.Handlers(bin, true))
	require.NoError(t, err)
	changed := strings.Replace(string(after), "opus", "haiku", 1)
	want := strings.Replace(text, "opus", "haiku", 1)
	if got, _, _, err := Uninstall("f", []byte(changed), []byte(text)); err != nil || string(got) != want {
		t.Errorf("Uninstall = %q, %v; want %q", got, err, want)
	}
}
