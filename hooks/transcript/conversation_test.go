package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/journal"
)

// The lines are those of client 2.1.330 without irrelevant fields.
func TestConversation(t *testing.T) {
	asked := func(id, parent, turn, source, text string) string {
		return `{"parentUuid":"` + parent + `","isSidechain":false,"type":"user","promptId":"` + turn +
			`","promptSource":"` + source + `","message":{"role":"user","content":"` + text + `"},"uuid":"` + id + `"}`
	}
	added := func(id, parent, text string) string {
		return `{"parentUuid":"` + parent +
			`","isSidechain":false,"type":"attachment","attachment":{"type":"hook_additional_context","content":["` + text +
			`"],"hookEvent":"UserPromptSubmit"},"uuid":"` + id + `"}`
	}
	spoke := func(id, parent string) string {
		return `{"parentUuid":"` + parent +
			`","isSidechain":false,"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"ok"}]},` +
			`"uuid":"` + id + `"}`
	}
	meta := func(id, parent, turn string) string {
		return `{"parentUuid":"` + parent + `","type":"user","isMeta":true,"promptId":"` + turn + `","message":{"role":"user","content":"Go on"},"uuid":"` + id + `"}`
	}
	const formCall = `{"parentUuid":"c1","type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"StructuredOutput","input":{}}]},"uuid":"t1"}`
	const form = `{"parentUuid":"t1","type":"attachment","attachment":{"type":"structured_output","data":{"x":"1"}},"uuid":"f1"}`
	const formResult = `{"parentUuid":"t1","type":"user","promptId":"1","toolUseResult":"ok","message":{"role":"user",` +
		`"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]},"uuid":"r1"}`
	const feedback = `{"parentUuid":"r1","type":"user","isMeta":true,"promptId":"1","message":{"role":"user",` +
		`"content":"Stop hook feedback: run the tests"},"uuid":"m1"}`
	const bashCall = `{"parentUuid":"m1","type":"assistant","message":{"content":[{"type":"tool_use","id":"b","name":"Bash","input":{}}]},"uuid":"t2"}`
	const bashResult = `{"parentUuid":"t2","type":"user","promptId":"1","toolUseResult":{"stdout":"ok"},"message":{"role` +
		`":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"ok"}]},"uuid":"r2"}`
	a := []string{asked("u1", "", "1", "typed", "tune my violin"), added("c1", "u1", "Skills: violin"), spoke("a1", "c1")}
	tests := []struct {
		name    string
		lines   []string
		current string
		want    []journal.Held
		late    bool
	}{
		{"a turn", a, "1", []journal.Held{{ID: "1", Prompts: []string{"tune my violin"}, Texts: []string{"Skills: violin"}}}, false},
		{"a queued prompt", append(a[:3:3], `{"type":"queue-operation","operation":"dequeue"}`,
			asked("u2", "a1", "2", "queued", "bake a loaf"), added("c2", "u2", "Skills: bread")), "2", []journal.Held{
			{ID: "1", Prompts: []string{"tune my violin"}, Texts: []string{"Skills: violin"}},
			{ID: "2", Prompts: []string{"bake a loaf"}, Texts: []string{"Skills: bread"}}}, true},
		{"taken back before the model spoke, and sent again", append(a[:3:3], asked("u2", "a1", "2", "typed", "bake a loaf"),
			added("c2", "u2", "Skills: bread"), asked("u3", "a1", "3", "typed", "bake a loaf"), spoke("a3", "u3")), "3",
			[]journal.Held{
				{ID: "1", Prompts: []string{"tune my violin"}, Texts: []string{"Skills: violin"}}, {ID: "2"}, {ID: "3", Prompts: []string{"bake a loaf"}}}, false},
		{"compacted", append(a[:3:3], `{"parentUuid":null,"type":"system","subtype":"compact_boundary","logicalParentUuid":"a1","uuid":"b1"}`,
			`{"parentUuid":"b1","type":"user","isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"role":"user`+
				`","content":"We spoke of violins"},"uuid":"s1"}`,
			asked("u2", "s1", "2", "typed", "bake a loaf")), "2", []journal.Held{{ID: "1"}, {ID: "2", Prompts: []string{"bake a loaf"}}}, true},
		{"added to a turn after another one was undone", append(a[:3:3], asked("u2", "a1", "2", "typed", "bake a loaf"),
			added("c3", "a1", "Skills: cello")), "1", []journal.Held{
			{ID: "1", Prompts: []string{"tune my violin"}, Texts: []string{"Skills: violin", "Skills: cello"}}, {ID: "2"}}, true},
		{"compacted in the middle of a turn",
			append(a[:2:2], `{"parentUuid":null,"type":"system","subtype":"compact_boundary","uuid":"b1"}`, spoke("a2", "b1")),
			"1", []journal.Held{
				{ID: "1", Prompts: []string{"tune my violin"}}}, false},
		{"given in the middle of a turn",
			append(a[:3:3], `{"parentUuid":"a1","type":"attachment","attachment":{"type":"queued_command","prompt":"and the `+
				`cello"},"uuid":"q1"}`, added("c2", "q1", "Skills: cello")), "1", []journal.Held{
				{ID: "1", Prompts: []string{"tune my violin", "and the cello"}, Texts: []string{"Skills: violin", "Skills: cello"}}}, true},
		{"a typed command, a result and what the host says itself", []string{
			asked("u1", "", "1", "typed", `<command-message>tune</command-message>\n<command-name>/tune</command-name>\n<command-args>it</command-args>`),
			`{"parentUuid":"u1","type":"user","isMeta":true,"promptId":"1","message":{"role":"user","content":"Base directory for this skill: /x"},"uuid":"m1"}`,
			`{"parentUuid":"m1","type":"user","promptId":"1","toolUseResult":{"success":true},"message":{"role":"user",` +
				`"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]},"uuid":"r1"}`,
			`{"parentUuid":"u1","isSidechain":true,"type":"user","message":{"role":"user","content":"a subagent's task"},"uuid":"k1"}`,
		}, "1", []journal.Held{{ID: "1", Prompts: []string{"/tune it"}}}, true},
		{"a circle, unknown lines and one being written", []string{`{"parentUuid":"x2","type":"new-kind","uuid":"x1"}`,
			`{"parentUuid":"x1","type":7,"uuid":"x2"}`, `{"parentUuid":"x2","uu`}, "1", nil, false},
		{"empty", nil, "", nil, false},
		{"a turn that the host began itself", append(a[:3:3], meta("m2", "a1", "2"), spoke("a2", "m2")), "2",
			[]journal.Held{{ID: "1", Prompts: []string{"tune my violin"}, Texts: []string{"Skills: violin"}}}, false},
		{"a turn that the host began itself, without the model's answer", append(a[:3:3], meta("m2", "a1", "2")), "2",
			[]journal.Held{{ID: "1", Prompts: []string{"tune my violin"}, Texts: []string{"Skills: violin"}}}, true},
		{"a result in a turn whose beginning is not there", append(a[:3:3],
			`{"parentUuid":"a1","type":"user","promptId":"2","toolUseResult":{"success":true},"message":{"role":"user",`+
				`"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]},"uuid":"r2"}`,
			spoke("a2", "r2")), "2", []journal.Held{{ID: "1", Prompts: []string{"tune my violin"}, Texts: []string{"Skills: violin"}}}, false},
		{"the answer to a result is not written yet", append(a[:3:3],
			`{"parentUuid":"a1","type":"user","promptId":"1","toolUseResult":{"success":true},"message":{"role":"user",`+
				`"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]},"uuid":"r1"}`),
			"1", []journal.Held{{ID: "1", Prompts: []string{"tune my violin"}, Texts: []string{"Skills: violin"}}}, true},
		{"an answer in the form that was wanted, as 2.1.197 writes it", append(a[:2:2], formCall, formResult, form), "1", []journal.Held{
			{ID: "1", Prompts: []string{"tune my violin"}, Texts: []string{"Skills: violin"}}}, false},
		{"an answer in the form that was wanted, as 2.1.330 writes it", append(a[:2:2], formCall, form, formResult), "1", []journal.Held{
			{ID: "1", Prompts: []string{"tune my violin"}, Texts: []string{"Skills: violin"}}}, false},
		{"a Stop hook sends the model on after such an answer", append(a[:2:2], formCall, form, formResult, feedback, bashCall, bashResult), "1", []journal.Held{
			{ID: "1", Prompts: []string{"tune my violin"}, Texts: []string{"Skills: violin"}}}, true},
		{"no line has the id of its turn", []string{asked("u1", "", "", "typed", "tune my violin"), spoke("a1", "u1")}, "1",
			[]journal.Held{{Prompts: []string{"tune my violin"}}}, false},
		{"the next turn is not written yet", a, "2", []journal.Held{{ID: "1", Prompts: []string{"tune my violin"}, Texts: []string{"Skills: violin"}}}, true},
		{"the model's answer is not written yet", a[:2], "1",
			[]journal.Held{{ID: "1", Prompts: []string{"tune my violin"}, Texts: []string{"Skills: violin"}}}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "s.jsonl")
			require.NoError(t, os.WriteFile(file, []byte(strings.Join(tt.lines, "\n")), 0o600))
			got := Conversation(file, tt.current)
			diff := cmp.Diff(journal.Conversation{Current: tt.current, Turns: tt.want, Whole: tt.want != nil, Late: tt.late}, got)
			assert.Empty(t, diff)
		})
	}
}

// The failed call of an agent is reported after its turn and after the next one, which may be the first to end.
func TestConversationTellsOfDeclinedAgents(t *testing.T) {
	line := func(n int, turn, rest string) string {
		return fmt.Sprintf(`{"parentUuid":"u%d","uuid":"u%d","promptId":"%s",%s}`+"\n", n-1, n, turn, rest)
	}
	asked := func(n int, turn, text string) string {
		return line(n, turn, `"type":"user","message":{"role":"user","content":"`+text+`"}`)
	}
	text := asked(1, "1", "delegate it") +
		line(2, "", `"type":"assistant","message":{"content":[{"type":"tool_use","id":"no","name":"Agent","input":{}},`+
			`{"type":"tool_use","id":"yes","name":"Task","input":{}},{"type":"tool_use","id":"ls","name":"Bash","input":{}}]}`) +
		line(3, "1", `"type":"user","toolUseResult":"User rejected tool use","message":{"role":"user","content":[`+
			`{"type":"tool_result","tool_use_id":"no","is_error":true},{"type":"tool_result","tool_use_id":"ls","is_error":true}]}`) +
		line(4, "1", `"type":"user","toolUseResult":"done","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"yes"}]}`) +
		asked(5, "1", "[Request interrupted by user for tool use]")
	for _, tt := range []struct {
		text string
		want []string
	}{
		{text, []string{"no"}},
		{text + asked(6, "2", "go on"), []string{"no"}},
		{text + asked(6, "2", "go on") + asked(7, "3", "and on"), nil},
	} {
		file := filepath.Join(t.TempDir(), "s.jsonl")
		require.NoError(t, os.WriteFile(file, []byte(tt.text), 0o600))
		assert.Equal(t, tt.want, Conversation(file, "1").Declined, tt.text)
	}
}

func TestConversationOfALongSession(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.jsonl")
	filler := `{"parentUuid":"u1","type":"assistant","message":{"content":"` + strings.Repeat("x", maxTail) + `"},"uuid":"a1"}`
	last := `{"parentUuid":"a1","type":"user","promptId":"2","message":{"role":"user","content":"bake a loaf"},"uuid":"u2"}`
	require.NoError(t, os.WriteFile(file, []byte(filler+"\n"+last+"\n"), 0o600))
	if got := Conversation(file, "2"); len(got.Turns) != 1 || got.Turns[0].ID != "2" || got.Whole {
		t.Errorf("Conversation of a long session = %v; want its last turn, and that it is not the first", got)
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
		got := Conversation(path, "2")
		assert.True(t, cmp.Equal(got, journal.Conversation{Current: "2"}), "Conversation(%s) = %v, want no turns", path, got)
	}
}

// The lines are those of both clients without irrelevant fields. 2.1.197 calls the skills by their folders when it
// finds them, and lists them a turn later.
func TestConversationTellsOfSubfolders(t *testing.T) {
	const found = `{"parentUuid":"u1","attachment":{"type":"dynamic_skill","skillDir":"/p/web/.claude/skills","skillName` +
		`s":[%s],"displayPath":"web/.claude/skills"},"type":"attachment","uuid":"f1","timestamp":"2026-11-22T22:52:13Z"}`
	const listed = `{"parentUuid":"f1","attachment":{"type":"skill_listing","content":"x","isInitial":false,` +
		`"names":[%s]},"type":"attachment","uuid":"l1","timestamp":"2026-11-22T22:52:14Z"}`
	tests := []struct{ name, found, listed, want string }{
		{"2.1.330", `"rope","web:deploy"`, `"web:deploy","rope"`,
			"13 {/p/web/.claude/skills map[]}; 13 {/p/web/.claude/skills map[deploy:web:deploy]}; 14 {/p/web/.claude/skills " +
				"map[deploy:web:deploy]}"},
		{"2.1.197", `"rope","deploy"`, `"web:deploy","rope"`, "13 {/p/web/.claude/skills map[]}; 14 {/p/web/.claude/skills map[deploy:web:deploy]}"},
		{"names of another subfolder and of plugins", `"rope"`, `"api:deploy","office:pdf",":x"`, "13 {/p/web/.claude/skills map[]}"},
		{"names of another kind", `7`, `{}`, "13 {/p/web/.claude/skills map[]}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "s.jsonl")
			text := fmt.Sprintf(found+"\n"+listed+"\n", tt.found, tt.listed)
			require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			var got []string
			for _, f := range Conversation(file, "1").Found {
				got = append(got, fmt.Sprintf("%d %v", f.At.Second(), f.Subfolder))
			}
			assert.Equal(t, tt.want, strings.Join(got, "; "))
		})
	}
}
