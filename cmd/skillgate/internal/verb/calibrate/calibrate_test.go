package calibrate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/index"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/stats"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bar"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/need"
)

func day(t *testing.T, h *apptest.Home, folder string, start time.Time, n, use int, skills ...string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(h.Dir, folder), 0o700))
	add := func(r journal.Record) {
		t.Helper()
		require.NoError(t, journal.Append(h.State, r))
	}
	for i := range n {
		at := start.Add(time.Duration(i) * time.Minute)
		session := fmt.Sprint(folder, start.Unix(), i)
		in := func(kind journal.Kind, id string, after time.Duration) journal.Record {
			r := journal.New(kind, at.Add(after))
			r.Session, r.PromptID, r.Cwd = session, id, filepath.Join(h.Dir, folder)
			return r
		}
		add(in(journal.KindSession, "", 0))
		for k, id := range []string{session + "a", session + "b"} {
			r := in(journal.KindDecision, id, time.Duration(10*k+1)*time.Second)
			d := apptest.Silent("prompt")
			d.Need, d.Model = 0.4, need.Default().ID()
			d.Candidates = append(d.Candidates, gate.Candidate{Rank: 2, Name: "csv"}, gate.Candidate{Rank: 3, Name: "ics"})
			r.SetDecision(d, journal.Hash, nil)
			add(r)
			if k == 0 && i%use == 0 {
				r := in(journal.KindOutcome, id, 5*time.Second)
				r.Outcome = &journal.Outcome{Tool: journal.ToolSkill, Skill: skills[i%len(skills)], Success: true}
				add(r)
			}
		}
	}
}

var three = []string{"pdf", "csv", "ics"}

func needMin(t *testing.T, h *apptest.Home) float64 {
	t.Helper()
	_, s, err := h.PlacesAndSettings()
	require.NoError(t, err)
	return s.NeedMin
}

func TestCalibrateLearnsAndGoesBack(t *testing.T) {
	h := apptest.New(t)
	usual := gate.Default().NeedMin
	run := func(want string, args ...string) {
		t.Helper()
		if out, err := h.Run(New(h.App), args...); err != nil || !strings.Contains(out, want) {
			t.Fatalf("calibrate %q = %q, %v, want in it %q", args, out, err, want)
		}
	}
	run(fmt.Sprintf("need_min stays at %.3g: too few outcomes", usual))
	assert.Equal(t, usual, needMin(t, h))
	for i, folder := range []string{"a", "b", "c"} {
		day(t, h, folder, h.Now().Add(-time.Duration(i+2)*24*time.Hour), 120, 2, three...)
	}
	run("would change", "--dry-run")
	assert.Equal(t, usual, needMin(t, h))
	run("need_min changes from")
	learned := needMin(t, h)
	require.Less(t, learned, usual-0.05)
	assert.GreaterOrEqual(t, learned, float64(0.25))
	run("need_min stays at") // the same log changes nothing
	out, err := h.Run(stats.New(h.App))
	require.NoError(t, err)
	assert.Contains(t, out, fmt.Sprintf("need_min   %.3g, changed from %.3g on 2026-03-04 (by command)", learned, usual))
	config := filepath.Join(h.Dir, ".config", "skillgate", "skillgate.yaml")
	pinned := fmt.Sprintf("need_min: %v\n", learned)
	for text, want := range map[string]float64{"need_min: 0.6\n": 0.6, "calibrate: false\n": usual, pinned: learned,
		pinned + "calibrate: false\n": learned, "need_min: 0.55\n": 0.55} {
		h.Write(t, config, text, 0o600)
		assert.Equal(t, want, needMin(t, h), text)
	}
	require.NoError(t, os.Remove(config))
	run("was reset from", "--reset")
	assert.Equal(t, usual, needMin(t, h))
	run("too few outcomes") // the log before the reset is ignored
}

func TestCalibratesByItself(t *testing.T) {
	h := apptest.New(t)
	for i, folder := range []string{"a", "b", "c"} {
		day(t, h, folder, h.Now().Add(-time.Duration(i+2)*24*time.Hour), 120, 2, three...)
	}
	config, usual := filepath.Join(h.Dir, ".config", "skillgate", "skillgate.yaml"), gate.Default().NeedMin
	for _, calibrates := range []bool{false, true} {
		h.Write(t, config, fmt.Sprintf("calibrate: %v\n", calibrates), 0o600)
		_, err := h.Run(index.New(h.App), "--background")
		require.NoError(t, err)
		assert.Equal(t, calibrates, (needMin(t, h) < usual))
	}
}

func TestFoldersThatAreGoneDoNotCount(t *testing.T) {
	h := apptest.New(t)
	for i, folder := range []string{"a", "b", "c"} {
		day(t, h, folder, h.Now().Add(-time.Duration(i+2)*24*time.Hour), 120, 2, three...)
		require.NoError(t, os.RemoveAll(filepath.Join(h.Dir, folder)))
	}
	if out, err := h.Run(New(h.App)); err != nil || !strings.Contains(out, "too few outcomes (0 prompts with a skill search") {
		t.Errorf("calibrate = %q, %v", out, err)
	}
}

func TestResetBeforeAnythingIsLogged(t *testing.T) {
	h := apptest.New(t)
	require.NoError(t, os.RemoveAll(h.State))
	if out, err := h.Run(New(h.App), "--reset"); err != nil || !strings.Contains(out, "need_min was reset from") {
		t.Errorf("reset = %q, %v", out, err)
	}
	if changes, err := bar.Changes(h.State); len(changes) != 1 || err != nil {
		t.Errorf("changes: %v, %v, want the reset", changes, err)
	}
}
