package register

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/google/go-cmp/cmp"
	"github.com/skillgate/skillgate/hooks"
	"github.com/tailscale/hujson"
)

const bin = "/opt/my tools/skillgate"

var onlyHook = hooks.Claude.Handlers(bin, false)[:1]

var installTests = []struct {
	name, text, want string
}{
	{
		name: "no file",
		text: "",
		want: `{
  "hooks": {
    "UserPromptSubmit": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "/opt/my tools/skillgate",
            "args": [
              "hook"
            ],
            "timeout": 5
          }
        ]
      }
    ]
  }
}
`,
	},
	{
		name: "other keys, order and indentation stay",
		text: "{\n    \"model\": \"opus\",\n    \"env\": {\"A\":\"1\",   \"B\": \"2\"}\n}\n",
		want: `{
    "model": "opus",
    "env": {"A":"1",   "B": "2"},
    "hooks": {
        "UserPromptSubmit": [
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": "/opt/my tools/skillgate",
                        "args": [
                            "hook"
                        ],
                        "timeout": 5
                    }
                ]
            }
        ]
    }
}
`,
	},
	{
		name: "one line stays one line",
		text: `{"model":"opus"}`,
		want: `{"model":"opus","hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"/opt/my tools/skillgate","args":["hook"],"timeout":5}]}]}}`,
	},
	{
		name: "tabs, hooks of others in their own style",
		text: "{\n\t\"hooks\": {\n\t\t\"Notification\": [],\n\t\t\"UserPromptSubmit\": [\n\t\t\t{\"hooks\": [{\"type\": " +
			"\"command\", \"command\": \"other\"}]}\n\t\t]\n\t}\n}",
		want: "{\n\t\"hooks\": {\n\t\t\"Notification\": [],\n\t\t\"UserPromptSubmit\": [\n\t\t\t{\"hooks\": [{\"type\": " +
			"\"command\", \"command\": \"other\"}]},\n\t\t\t{\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"type\": " +
			"\"command\",\n\t\t\t\t\t\t\"command\": \"/opt/my tools/skillgate\",\n\t\t\t\t\t\t\"args\": " +
			"[\n\t\t\t\t\t\t\t\"hook\"\n\t\t\t\t\t\t],\n\t\t\t\t\t\t\"timeout\": " +
			"5\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}",
	},
	{
		name: "array on one line gets its item on that line",
		text: "{\n  \"hooks\": {\n    \"UserPromptSubmit\": [{\"hooks\": []}]\n  }\n}\n",
		want: "{\n  \"hooks\": {\n    \"UserPromptSubmit\": [{\"hooks\": []}, " +
			`{"hooks":[{"type":"command","command":"/opt/my tools/skillgate","args":["hook"],"timeout":5}]}]` + "\n  }\n}\n",
	},
	{
		name: "comments and a trailing comma stay",
		text: "{\n  // mine\n  \"model\": \"opus\", // keep\n  /* end */\n}\n",
		want: "{\n  // mine\n  \"model\": \"opus\", // keep\n  /* end */\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n    " +
			"  {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"/opt/my " +
			"tools/skillgate\",\n            \"args\": [\n              \"hook\"\n            ],\n            \"timeout\": " +
			"5\n          }\n        ]\n      }\n    ]\n  },\n}\n",
	},
	{
		name: "byte order mark and CRLF stay",
		text: "\ufeff{\r\n  \"a\": 1\r\n}\r\n",
		want: "\ufeff" + strings.ReplaceAll("{\n  \"a\": 1,\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      {\n        "+
			"\"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"/opt/my "+
			"tools/skillgate\",\n            \"args\": [\n              \"hook\"\n            ],\n            \"timeout\": "+
			"5\n          }\n        ]\n      }\n    ]\n  }\n}\n", "\n", "\r\n"),
	},
	{
		name: "another path is updated in place",
		text: `{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "/old/skillgate", "args": ` +
			`["hook"], "timeout": 9}, {"type": "command", "command": "x"}]}]}}`,
		want: `{"hooks": {"UserPromptSubmit": [{"hooks": [{"type":"command","command":"/opt/my ` +
			`tools/skillgate","args":["hook"],"timeout":9}, {"type": "command", "command": "x"}]}]}}`,
	},
	{
		name: "shell form becomes exec form",
		text: `{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "FOO=1 '/opt/my tools/skillgate' hook 2>/dev/null"}]}]}}`,
		want: `{"hooks": {"UserPromptSubmit": [{"hooks": [{"type":"command","command":"/opt/my tools/skillgate","args":["hook"],"timeout":5}]}]}}`,
	},
	{
		name: "doubles are removed, others' hooks stay",
		text: `{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"/a/skillgate","args":["hook"]}]},` +
			`{"hooks":[{"type":"command","command":"x"},{"type":"command","command":"/b/skillgate","args":["hook"]}]}]}}`,
		want: `{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"/opt/my ` +
			`tools/skillgate","args":["hook"],"timeout":5}]},{"hooks":[{"type":"command","command":"x"}]}]}}`,
	},
	{
		name: "a handler without its group gets one",
		text: `{"a":1,"hooks":{"UserPromptSubmit":[{"type":"command","command":"/opt/my tools/skillgate","args":["hook"],"timeout":7}]}}`,
		want: `{"a":1,"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"/opt/my tools/skillgate","args":["hook"],"timeout":7}]}]}}`,
	},
	{
		name: "handler of an event no longer used goes",
		text: `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/a/skillgate","args":["observe"]}]}],"UserPromptSubmit":[]}}`,
		want: `{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"/opt/my tools/skillgate","args":["hook"],"timeout":5}]}]}}`,
	},
}

func TestInstall(t *testing.T) {
	for _, tt := range installTests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := Install("settings.json", []byte(tt.text), onlyHook)
			require.NoError(t, err, tt.text)
			diff := cmp.Diff(tt.want, string(got))
			require.Empty(t, diff, "Install(%q) = %q (-want +got):\n%s", tt.text, got, diff)
			again, changes, err := Install("settings.json", got, onlyHook)
			if err != nil || string(again) != string(got) || changes[0].Action != Kept {
				t.Errorf("Install twice = %q, %v, %v; want no change", again, changes, err)
			}
		})
	}
}

func TestInstallKeepsWhatIsUpToDate(t *testing.T) {
	tests := []struct{ name, text string }{
		{"keys in another order", `{"hooks":{"UserPromptSubmit":[{"hooks":[{"timeout":5,"args":["hook"],"command":"/opt/my tools/skillgate","type":"command"}]}]}}`},
		{"another timeout and a status message",
			`{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"/opt/my ` +
				`tools/skillgate","args":["hook"],"timeout":20,"statusMessage":"…"}]}]}}`},
		{"in a group with others", `{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"x"},` +
			`{"type":"command","command":"/opt/my tools/skillgate","args":["hook"],"timeout":5}]}]}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, changes, err := Install("f", []byte(tt.text), onlyHook)
			if err != nil || string(got) != tt.text {
				t.Errorf("Install(%q) = %q, %v, %v; want no change", tt.text, got, changes, err)
			}
		})
	}
}

var handlers = len(hooks.Claude.Handlers("", false))

func TestInstallRegistersEveryEvent(t *testing.T) {
	tests := []struct {
		host      *hooks.Host
		libraries bool
		want      string
	}{
		{&hooks.Claude, true, `{"hooks":{` +
			`"UserPromptSubmit":[{"hooks":[{"type":"command","command":"/b/skillgate","args":["hook"],"timeout":5}]}],` +
			`"PreToolUse":[{"matcher":"Task|Agent","hooks":[{"type":"command","command":"/b/skillgate","args":["hook"],"timeout":5}]}],` +
			`"PostToolUse":[{"matcher":"^(Skill|Task|Agent|Read|mcp__.+__skill_load)$","hooks":[{"type":"command",` +
			`"command":"/b/skillgate","args":["observe"],"async":true}]}],` +
			`"UserPromptExpansion":[{"hooks":[{"type":"command","command":"/b/skillgate","args":["observe"],"async":true}]}],` +
			`"Stop":[{"hooks":[{"type":"command","command":"/b/skillgate","args":["observe"],"timeout":5}]}],` +
			`"SessionStart":[{"hooks":[{"type":"command","command":"/b/skillgate","args":["observe","begin"],"timeout":5}]}],` +
			`"ConfigChange":[{"matcher":"skills","hooks":[{"type":"command","command":"/b/skillgate","args":["observe"],"async":true}]}]}}`},
		{&hooks.Codex, false, `{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"/b/skillgate hook","timeout":5}]}]}}`},
		{&hooks.Gemini, false, `{"hooks":{"BeforeAgent":[{"hooks":[{"name":"skillgate","type":"command","command":"/b/skillgate hook || true","timeout":5000}]}]}}`},
		{&hooks.Qwen, false, `{"hooks":{"UserPromptSubmit":[{"hooks":[` +
			`{"name":"skillgate","type":"command","command":"/b/skillgate hook","timeout":5000}]}]}}`},
		{&hooks.Droid, false, `{"hooks":{"UserPromptSubmit":[{"hooks":[` +
			`{"type":"command","command":"/b/skillgate hook --host droid","timeout":5}]}]}}`},
		{&hooks.Copilot, false, `{"hooks":{"UserPromptSubmit":[{"hooks":[` +
			`{"type":"command","command":"/b/skillgate hook --host copilot","timeout":5}]}]}}`},
	}
	for _, tt := range tests {
		t.Run(tt.host.Name, func(t *testing.T) {
			got, _, err := Install(filepath.Base(tt.host.Settings), nil, tt.host.Handlers("/b/skillgate", tt.libraries))
			require.NoError(t, err)
			assert.Equal(t, tt.want, compactJSON(t, got))
		})
	}
}

func TestInstallWidensTheMatcherForLibraries(t *testing.T) {
	before, _, err := Install("f", nil, hooks.Claude.Handlers(bin, false))
	require.NoError(t, err)
	got, changes, err := Install("f", before, hooks.Claude.Handlers(bin, true))
	require.NoError(t, err)
	found, err := Find("f", got)
	require.NoError(t, err)
	require.Equal(t, handlers, len(found))
	for _, f := range found {
		if f.Event == "PostToolUse" && f.Matcher != "^(Skill|Task|Agent|Read|mcp__.+__skill_load)$" {
			t.Errorf("matcher of PostToolUse = %q after %v", f.Matcher, changes)
		}
	}
}

func compactJSON(t *testing.T, text []byte) string {
	t.Helper()
	v, err := hujson.Parse(text)
	require.NoError(t, err)
	v.Minimize()
	return v.String()
}

func TestErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"not JSON", "{\n  \"a\": tru\n}", `settings.json:2:8: invalid literal: tru`},
		{"unfinished", "{\"a\": 1", `settings.json:1:8: parsing object after value: unexpected EOF`},
		{"two documents", "{}\n{}", `settings.json:2:1: invalid character '{' after top-level value`},
		{"array", "\n [1]", `settings.json:2:2: not a JSON object`},
		{"hooks is an array", "{\n  \"hooks\": []\n}", `settings.json:2:12: hooks must be an object with one key per event`},
		{"event is an object", "{\"hooks\": {\"Stop\": {}}}", `settings.json:1:20: hooks.Stop is not an array`},
		{"nested without end", strings.Repeat("[", 1<<20), `settings.json is too large: it has more than 20000 opening brackets`},
		{"nested as deep as is read", strings.Repeat("[", maxBrackets), `settings.json:1:20001: parsing value: unexpected EOF`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, _, err := Install("settings.json", []byte(tt.text), onlyHook); err == nil || err.Error() != tt.want {
				t.Errorf("Install(%.40q) = %q, %v; want the error %q", tt.text, got, err, tt.want)
			}
			if got, _, _, err := Uninstall("settings.json", []byte(tt.text)); err == nil || err.Error() != tt.want {
				t.Errorf("Uninstall(%.40q) = %q, %v; want the error %q", tt.text, got, err, tt.want)
			}
		})
	}
}

func TestUninstall(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"only ours", `{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"/a/skillgate","args":["hook"]}]}]}}`, `{}`},
		{"shell forms", `{"a":1,"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"exec \"/a ` +
			`b/skillgate\" hook || true"}]}],"Stop":[{"hooks":[{"command":"skillgate observe"}]}]}}`, `{"a":1}`},
		{"others in the group stay", `{"hooks":{"Stop":[{"hooks":[{"command":"a"},{"command":"skillgate ` +
			`observe"},{"command":"b"}]}]}}`, `{"hooks":{"Stop":[{"hooks":[{"command":"a"},{"command":"b"}]}]}}`},
		{"others of that name stay", `{"hooks":{"Stop":[{"hooks":[{"command":"skillgate lint"},{"command":"echo skillgate ` +
			`hook"},{"command":"/x/my-skillgate","args":["hook"]}]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[{"command":"skillgate lint"},{"command":"echo skillgate ` +
				`hook"},{"command":"/x/my-skillgate","args":["hook"]}]}]}}`},
		{"first of several keys", "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"command\": \"skillgate " +
			"observe\"}]}\n    ]\n  },\n  \"model\": \"opus\"\n}\n", "{\n  \"model\": \"opus\"\n}\n"},
		{"last of several keys", "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": " +
			"[{\"command\": \"skillgate observe\"}]}\n    ]\n  }\n}\n", "{\n  \"model\": \"opus\"\n}\n"},
		{"comments stay", "{\n  \"hooks\": {\n    // about stopping\n    \"Stop\": [{\"hooks\": [{\"command\": \"skillgate " +
			"observe\"}]}] // x\n  }\n}\n", "{\n  \"hooks\": {\n    // about stopping\n     // x\n  }\n}\n"},
		{"two of ours in one group", `{"hooks":{"Stop":[{"hooks":[{"command":"skillgate observe"},{"command":"/x/skillgate observe"}]}]},"b":2}`, `{"b":2}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, created, err := Uninstall("f", []byte(tt.text))
			if err != nil || string(got) != tt.want || created {
				t.Errorf("Uninstall(%q) = %q, created %v, %v; want %q", tt.text, got, created, err, tt.want)
			}
		})
	}
}

var roundTrips = []string{
	"{}", "{}\n", "{ }\n", "{\n}\n", "{\"hooks\": {}}\n", "{\n  \"hooks\": {\n    \"Notification\": []\n  }\n}\n", "{\"a\":1}", "{ \"a\": 1 }\n",
	"{\r\n\t\"a\": [1, 2],\r\n\t\"b\": {}\r\n}", "\ufeff{\"a\":\"é\"}\n", "  {\n    \"a\": 1\n  }  \n",
	"{\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": " +
		"\"command\",\n            \"command\": \"other\"\n          }\n        ]\n      }\n    ],\n    \"PostToolUse\": " +
		"[]\n  },\n  \"model\": \"opus\"\n}\n",
	"// head\n{\n  \"a\": 1, // one\n  \"hooks\": {} // two\n  // three\n}\n// tail\n", "{\"a\":1,}", "{\n  \"a\": 1 // last\n}", "{/**/}",
}

func TestUninstallRestoresTheText(t *testing.T) {
	want := hooks.Claude.Handlers(bin, true)
	for _, text := range roundTrips {
		after, _, err := Install("f", []byte(text), want)
		if err != nil {
			t.Errorf("Install(%q): %v", text, err)
			continue
		}
		got, _, _, err := Uninstall("f", after, []byte("{\"other\": 1}"), []byte(text))
		require.NoError(t, err, string(got))
		assert.Equal(t, text, string(got), string(got))
	}
}

// older are the handlers of an earlier version. It registered an asynchronous handler for the start of a session, and one
// for the end of a compaction.
var older = func() []hooks.Handler {
	all := hooks.Claude.Handlers(bin, true)
	begin := slices.IndexFunc(all, func(h hooks.Handler) bool { return h.Event == "SessionStart" })
	all[begin] = hooks.Handler{Event: "SessionStart", Command: bin, Args: []string{"observe"}, Async: true}
	return append(all, hooks.Handler{Event: "PostCompact", Command: bin, Args: []string{"observe"}, Async: true})
}()

func TestInstallTakesOutWhatIsNoLongerRegistered(t *testing.T) {
	for _, text := range roundTrips {
		before, _, err := Install("f", []byte(text), older)
		require.NoError(t, err, text)
		got, changes, err := Install("f", before, hooks.Claude.Handlers(bin, true))
		require.NoError(t, err, string(got))
		assert.NotContains(t, string(got), "PostCompact", string(got))
		var done []string
		for _, c := range changes {
			if c.Action != Kept {
				done = append(done, string(c.Action)+" "+c.Event)
			}
		}
		assert.Equal(t, []string{"updated SessionStart", "removed PostCompact"}, done)
		begin := slices.IndexFunc(changes, func(c Change) bool { return c.Event == "SessionStart" })
		if found, err := Find("f", got); err != nil || found[begin].Async || found[begin].Timeout == 0 {
			t.Errorf("after Install over an older registration: %+v, %v; want the host to wait for SessionStart", found, err)
		}
		if again, _, err := Install("f", got, hooks.Claude.Handlers(bin, true)); err != nil || string(again) != string(got) {
			t.Errorf("a second Install over an older registration = %q, %v; want no change", again, err)
		}
	}
}

func TestUninstallRestoresTheTextBeforeAnOlderVersion(t *testing.T) {
	for _, text := range roundTrips {
		after, _, err := Install("f", []byte(text), older)
		require.NoError(t, err, text)
		got, changes, _, err := Uninstall("f", after, []byte(text))
		if err != nil || string(got) != text || len(changes) != len(older) {
			t.Errorf("Uninstall(older Install(%q)) = %q, %d changes, %v; want it back", text, got, len(changes), err)
		}
	}
}

func TestUninstallWithoutTheFormerTextLeavesOnlyTheRest(t *testing.T) {
	same := []string{"{}\n", "{\"a\":1}", "{ \"a\": 1 }\n", "{\r\n\t\"a\": [1, 2],\r\n\t\"b\": {}\r\n}",
		"\ufeff{\"a\":\"é\"}\n", "{\n  \"a\": 1 // last\n}", "{\"a\":1,}",
		"{\n  \"hooks\": {\n    \"Notification\": []\n  }\n}\n"}
	for _, text := range same {
		after, _, err := Install("f", []byte(text), hooks.Claude.Handlers(bin, true))
		if err != nil {
			t.Errorf("Install(%q): %v", text, err)
			continue
		}
		got, changes, created, err := Uninstall("f", after)
		if err != nil || string(got) != text || len(changes) != handlers || created != (text == "{}\n") {
			t.Errorf("Uninstall(Install(%q)) = %q, %d changes, created %v, %v", text, got, len(changes), created, err)
		}
	}
}

func TestFindSaysWhatStandsInTheFile(t *testing.T) {
	text := "{\"hooks\": {\n\"PostToolUse\": [{\"matcher\": \"Skill\", \"hooks\": [\n{\"type\": \"command\", " +
		"\"command\": \"${CLAUDE_PROJECT_DIR}/skillgate\", \"args\": [\"observe\"], \"async\": true, \"if\": " +
		"\"Skill(x)\"}]}]}}"
	got, err := Find("f", []byte(text))
	want := []Found{{
		Handler: hooks.Handler{Event: "PostToolUse", Matcher: "Skill", Command: "${CLAUDE_PROJECT_DIR}/skillgate", Args: []string{"observe"}, Async: true},
		If:      "Skill(x)", Line: 3, Element: "${CLAUDE_PROJECT_DIR}/skillgate",
	}}
	diff := cmp.Diff(want, got, cmp.Comparer(func(a, b Found) bool {
		return cmp.Equal(a.Handler, b.Handler) && a.If == b.If && a.Line == b.Line && a.Element == b.Element
	}))
	require.Empty(t, diff)
	assert.NoError(t, err)
}

func TestPlain(t *testing.T) {
	tests := []struct {
		text string
		want bool
	}{
		{"{}", true}, {"", true}, {"\ufeff{\"a\": 1}\n", true}, {"{\"a\": 1,}", false}, {"{} // x", false},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, Plain([]byte(tt.text)), tt.text)
	}
}

// FuzzInstall checks that the result of Install is stable, keeps every other key, and that
// Uninstall restores the input.
func FuzzInstall(f *testing.F) {
	for _, tt := range installTests {
		f.Add(tt.text)
	}
	for _, text := range roundTrips {
		f.Add(text)
	}
	want := hooks.Claude.Handlers(bin, false)
	f.Fuzz(func(t *testing.T, text string) {
		after, _, err := Install("f", []byte(text), want)
		if err != nil {
			return
		}
		again, changes, err := Install("f", after, want)
		if err != nil || string(again) != string(after) {
			t.Errorf("Install(Install(%q) = %q) = %q, %v, %v; want no change", text, after, again, changes, err)
		}
		if Plain([]byte(text)) && !Plain(after) {
			t.Errorf("Install(%q) = %q is not plain JSON", text, after)
		}
		before, now := members(text), members(string(after))
		delete(before, "hooks")
		delete(now, "hooks")
		if diff := cmp.Diff(before, now); diff != "" {
			t.Errorf("Install(%q) = %q changed other keys:\n%s", text, after, diff)
		}
		if string(after) == text {
			return
		}
		ours, _ := Find("f", []byte(text)) // Uninstall does not restore a text that already has handlers of skillgate's
		back, _, _, err := Uninstall("f", after, []byte(text))
		if left, _ := Find("f", back); err != nil || len(left) > 0 || len(ours) == 0 && string(back) != text {
			t.Errorf("Uninstall(Install(%q) = %q) = %q, %v; want the text back", text, after, back, err)
		}
		rest, _, _, err := Uninstall("f", after)
		if err != nil {
			t.Errorf("Uninstall(%q): %v", after, err)
		}
		if left, err := Find("f", rest); len(left) > 0 || err != nil {
			t.Errorf("Uninstall(%q) = %q, which still holds %v, %v", after, rest, left, err)
		}
	})
}

func members(text string) map[string]any {
	out := map[string]any{}
	plain, err := hujson.Standardize([]byte(strings.TrimPrefix(text, "\ufeff")))
	if err == nil {
		_ = json.Unmarshal(plain, &out)
	}
	return out
}
