package observe

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/triage"
)

func TestTheHostsListingCounts(t *testing.T) {
	p := newPlace(t)
	write := func(file, text string) {
		t.Helper()
		file = filepath.Join(p.Cwd, file)
		require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
	}
	skill := func(name, front string) {
		write(".claude/skills/"+name+"/SKILL.md", "---\n"+front+"\n---\nTar the planks.\n")
	}
	write(".git/HEAD", "")
	skill("cats", "description: Grooms cats.")
	skill("dogs", "description: Grooms dogs.")
	skill("caulk", "description: Caulks hulls.\npaths: hull/**")
	write(".claude/settings.json", `{"permissions":{"deny":["Skill(crows)"]}}`)
	var transcript strings.Builder
	listing := func(at string, initial bool, names ...string) {
		text := ""
		for _, name := range names {
			text += "- " + name + "\n"
		}
		for i := range names {
			names[i], _, _ = strings.Cut(names[i], ": ")
		}
		line, _ := json.Marshal(map[string]any{"type": "attachment", "uuid": at, "timestamp": "2026-03-04T" + at + "Z",
			"attachment": map[string]any{"type": "skill_listing", "content": text, "names": names, "isInitial": initial}})
		fmt.Fprintf(&transcript, "%s\n", line)
		write("t.jsonl", transcript.String())
	}
	d, err := dirs.FromEnv(p.Getenv, hooks.Places)
	require.NoError(t, err)
	_, err = workspace.Refresh(t.Context(), p.Cwd, workspace.Options{Dirs: d, Settings: gate.Default(), Now: p.Now})
	require.NoError(t, err)
	check := func(when, want string) {
		t.Helper()
		p.observe(t, fmt.Sprintf(`{"session_id":"s1","hook_event_name":"Stop","cwd":%q,"transcript_path":%q}`, p.Cwd, filepath.Join(p.Cwd, "t.jsonl")))
		s, err := journal.LoadSession(p.state, "s1")
		require.NoError(t, err)
		g, err := gate.Open(d, p.Cwd, gate.Default(), s.Subfolders...)
		require.NoError(t, err)
		defer g.Close()
		docs, err := g.Offers()
		require.NoError(t, err)
		var got []string
		for _, doc := range docs {
			got = append(got, doc.Name)
		}
		assert.Equal(t, want, strings.Join(got, " "))
		said := g.Decide(t.Context(), s.Request(triage.Classify("please count the swans on the lake & the pond")))
		named := strings.Contains(said.Context, "swan")
		assert.Equal(t, strings.Contains(want, "swan"), named, "%s the context is %q", when, said.Context)
		r, err := gate.OpenRecorded(d, gate.Default(), p.Cwd, s.Subfolders)
		require.NoError(t, err)
		defer r.Close()
		assert.Equal(t, said.Context, r.Decide(t.Context(), s.Request(triage.Classify(said.Prompt))).Context)
	}
	check("Before a listing", "cats dogs")
	listing("15:00:00.000", true, "bare", "cats: Grooms cats.", "crows: Counts crows.", "dataviz: Draws.",
		"swan: Counts swans on a lake &amp; a pond.\n- in summer")
	check("After one", "bare cats swan")
	listing("15:00:01.000", false, "caulk: Caulks hulls.")
	check("After a file was read", "bare cats caulk swan")
	listing("15:00:02.000", true, "cats: Grooms cats.", "dogs: Grooms dogs.")
	check("After a whole one", "cats dogs")
	listing("15:00:03.000", false, "swan: Counts swans.")
	check("After another one", "cats dogs swan")
	p.Now = func() time.Time { return time.Date(2026, 3, 4, 16, 0, 0, 0, time.UTC) }
	p.observe(t, `{"session_id":"s1","hook_event_name":"SessionStart","source":"resume"}`)
	check("In another process", "cats dogs")
}
