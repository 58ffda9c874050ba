package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/triage"
)

func TestClaim(t *testing.T) {
	const asked = "fill in forms"
	type ask struct {
		ms   int    // since the session began
		turn string // and registration, if the host calls each once
		text string
		want bool
	}
	tests := []struct {
		name string
		asks []ask
	}{
		{"two registrations at once", []ask{{0, "p1 a", asked, true}, {40, "p1 b", asked, false}}},
		{"eight of one registration at once", []ask{
			{0, "p1 a", asked, true}, {1, "p1 a", asked, false}, {2, "p1 a", asked, false}, {2, "p1 a", asked, false},
			{3, "p1 a", asked, false}, {3, "p1 a", asked, false}, {90, "p1 a", asked, false}, {400, "p1 a", asked, false},
		}},
		{"a host without registrations", []ask{{0, "p1", asked, true}, {40, "p1", asked, false}}},
		{"a host without prompt ids", []ask{{0, "", asked, true}, {40, "", asked, false}, {9000, "", asked, true}}},
		{"the second is asked first", []ask{{40, "p1 b", asked, true}, {0, "p1 a", asked, false}}},
		{"another prompt", []ask{{0, "p1", asked, true}, {10, "p2", "count boats", true}, {20, "p1", asked, false}}},
		{"another turn", []ask{{0, "p1", asked, true}, {10, "p2", asked, true}}},
		{"a second later", []ask{{0, "p1", asked, true}, {1000, "p1", asked, true}}},
		{"two registrations about a queued prompt", []ask{{0, "p1", "hello", true}, {2000, "p1", asked, true}, {2040, "p1", asked, false}}},
		{"queued, called back and queued again at once", []ask{
			{0, "p1 a", "hello", true}, {2000, "p1 a", asked, true}, {2040, "p1 a", asked, true},
		}},
		{"the same by two registrations", []ask{
			{0, "p1 a", "hello", true}, {2000, "p1 a", asked, true}, {2010, "p1 b", asked, false}, {2040, "p1 b", asked, false},
			{2050, "p1 a", asked, true}, {2060, "p1 b", asked, false},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			var s Session
			for i, a := range tt.asks {
				prompt := triage.Classify(a.text)
				id, by, _ := strings.Cut(a.turn, " ")
				turn := Turn{ID: id, By: by, At: time.Unix(1e9, 0).Add(time.Duration(a.ms) * time.Millisecond)}
				got := s.Claim(dir, "s", prompt, turn, NewID(turn.At))
				assert.Equal(t, a.want, got, i)
				if got {
					s.Answered(prompt, turn, gate.Decision{Verdict: gate.Inject}, "")
				}
				if !new(Session).Claim(dir, fmt.Sprint("other", i), prompt, turn, NewID(turn.At)) {
					t.Errorf("prompt %d of another session is claimed already", i)
				}
			}
		})
	}
}

// All processes see claims in the same order, so that exactly one of many is the first.
func TestClaimsAtOnce(t *testing.T) {
	dir := t.TempDir()
	prompt, at := triage.Classify("fill in forms"), time.Unix(1e9, 0)
	const rounds, each = 20, 16
	for round := range rounds {
		var first atomic.Int64
		var all sync.WaitGroup
		for range each {
			all.Go(func() {
				if new(Session).Claim(dir, "s", prompt, Turn{ID: fmt.Sprint(round), At: at}, NewID(at)) {
					first.Add(1)
				}
			})
		}
		all.Wait()
		n := first.Load()
		assert.Equal(t, int64(1), n, "round %d: %d of %d claims are the first, want one", round, n, each)
	}
}

func TestClaimAmongMany(t *testing.T) {
	prompt, at := triage.Classify("fill in forms"), time.Unix(1e9, 0)
	claim := func(dir string, id string, by string) bool {
		return new(Session).Claim(dir, "s", prompt, Turn{ID: id, By: by, At: at}, NewID(at))
	}
	for _, damage := range []string{"", "x\n", strings.Repeat("x", byAt) + "\n"} {
		for _, between := range []int{0, 1, 45, 46, 47, 48, 49, 95, 96, 97, 510} {
			dir := t.TempDir()
			require.True(t, claim(dir, "p1", "a"), "the first claim is not")
			file := filepath.Join(dir, sessionsDir, claimsFile)
			text, err := os.ReadFile(file)
			if err == nil {
				err = os.WriteFile(file, append([]byte(damage), text...), 0o600)
			}
			require.NoError(t, err)
			for i := range between {
				require.True(t, claim(dir, fmt.Sprint("other", i), "a"), "claim %d of other prompts is one already", i)
			}
			if claim(dir, "p1", "b") {
				t.Errorf("%d bytes before and %d claims after a claim, the prompt can be claimed again", len(damage), between)
			}
			if !claim(dir, "p2", "b") {
				t.Errorf("%d bytes before and %d claims after a claim, another prompt cannot be claimed", len(damage), between)
			}
		}
	}
}

func TestClaimsThatCannotBeKept(t *testing.T) {
	prompt, turn := triage.Classify("fill in forms"), Turn{ID: "p1", At: time.Unix(1e9, 0)}
	tests := []struct {
		name string
		put  func(file string) error
	}{
		{"a folder", func(file string) error { return os.Mkdir(file, 0o700) }},
		{"a link", func(file string) error { return os.Symlink(filepath.Join(filepath.Dir(file), "x"), file) }},
		{"a second name", func(file string) error {
			other := filepath.Join(filepath.Dir(filepath.Dir(file)), "notes")
			return errors.Join(os.WriteFile(other, nil, 0o600), os.Link(other, file))
		}},
		{"other bytes", func(file string) error { return os.WriteFile(file, []byte(strings.Repeat("x\n\x00", 10_000)), 0o600) }},
		{"half a claim", func(file string) error { return os.WriteFile(file, []byte("0123456789abcdef 01"), 0o600) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			folder := filepath.Join(dir, sessionsDir)
			require.NoError(t, disk.Ensure(folder, disk.Sessions))
			require.NoError(t, tt.put(filepath.Join(folder, claimsFile)))
			assert.True(t, new(Session).Claim(dir, "s", prompt, turn, NewID(turn.At)), "the claim is not good")
			assert.Equal(t, int64(0), sizes(t, dir)[filepath.Join(dir, "notes")])
		})
	}
	dir := t.TempDir()
	for _, name := range []string{"notes", claimsFile} {
		err := errors.Join(os.MkdirAll(filepath.Join(dir, sessionsDir), 0o700),
			os.WriteFile(filepath.Join(dir, sessionsDir, name), nil, 0o600))
		require.NoError(t, err)
	}
	good := new(Session).Claim(dir, "s", prompt, turn, NewID(turn.At))
	for file, n := range sizes(t, dir) {
		if !good || n != 0 {
			t.Errorf("in a folder of somebody else's: good = %v, %s has %d bytes", good, file, n)
		}
	}
	foreign := t.TempDir()
	assert.True(t, new(Session).Claim(foreign, "", prompt, turn, NewID(turn.At)), "a claim without a session is not good")
}

func TestSweepOfClaims(t *testing.T) {
	dir := t.TempDir()
	at := time.Now()
	new(Session).Claim(dir, "s", triage.Classify("fill in forms"), Turn{At: at}, NewID(at))
	for _, tt := range []struct {
		later time.Duration
		there bool
	}{{claimAge / 2, true}, {2 * claimAge, false}} {
		require.NoError(t, SweepSessions(dir, at.Add(tt.later)))
		_, err := os.Stat(filepath.Join(dir, sessionsDir, claimsFile))
		assert.Equal(t, tt.there, err == nil, "%v after the last claim: %v, want the file: %v", tt.later, err, tt.there)
	}
}
