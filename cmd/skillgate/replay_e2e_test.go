package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/replay"
)

func TestEndToEndReplay(t *testing.T) { eachClient(t, replayed) }

func replayed(t *testing.T, m *machine) {
	m.must("install", "--hook", "--yes")
	m.must("index")
	m.api.followContext(true)
	prompts := []string{
		"Write release notes for our users from the merged pull requests",
		"Review this pull request for security problems such as injection and leaked secrets",
		"쿠버네티스 매니페스트 점검해줘",
	}
	for _, prompt := range prompts {
		require.NotEmpty(t, m.ask(t, prompt).context, "ask(%q) was given no context", prompt)
	}
	m.api.followContext(false)
	m.ask(t, "안녕하세요!")

	// observe runs in the background, and a client that exits first ends it.
	// The transcripts then have uses that the log lacks.
	for range 20 {
		out, _ := m.skillgate("stats", "--json")
		var s store.Stats
		if json.Unmarshal(out, &s) == nil && s.Follow.Followed+s.Follow.Early == len(prompts) {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	again := func(args ...string) (r replayOut, code int) {
		t.Helper()
		out, code := m.skillgate(append([]string{"replay", "--json"}, args...)...)
		err := json.Unmarshal(out, &r)
		require.NoError(t, err, "skillgate replay %v = %d, %q: %v", args, code, out, err)
		return r, code
	}

	if r, code := again(); code != 0 || r.Compared+r.Skipped["deadline"] != 4 ||
		r.Changes[replay.Unchanged] != r.Compared {
		t.Errorf("replay of the journal = %d, %+v, want 4 unchanged", code, r)
	}
	// A changed threshold silences all three.
	source := []string{"--from", "transcripts"}
	r, code := again(append(source, "--set", "need_min=1", "--set", "score_min=1000")...)
	if code != 0 || r.Known != 3 || r.Changes[replay.NowSilent] != 3 || r.Changes[replay.Unchanged] != 1 {
		t.Errorf("replay under a changed threshold = %d, %+v, want 3 now silent", code, r)
	}
	// Without the words of the skill, another skill or none is suggested.
	dir := filepath.Join(m.home, "changed", "release-notes")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	err := os.WriteFile(filepath.Join(dir, "SKILL.md"),
		[]byte("---\nname: release-notes\ndescription: Waters the plants.\n---\nEvery Monday.\n"), 0o600)
	require.NoError(t, err)
	r, _ = again(append(source, "--with-skill", dir)...)
	if r.Compared-r.Changes[replay.Unchanged] != 1 || len(r.Listed) != 1 || r.Listed[0].Prompt != prompts[0] ||
		r.Listed[0].Cause == "" || len(r.Listed[0].Used) != 1 || r.Listed[0].Used[0] != "release-notes" {
		t.Errorf("replay with a changed skill = %+v, want one change, of %q, with its cause and use", r, prompts[0])
	}
}
