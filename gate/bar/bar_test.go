package bar

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate/system/systemtest"
)

// user is a simulated user who needs skills more or less often than usual.
type user struct {
	shift   float64
	skills  int // number of skills that the user uses
	folders int
	rng     *rand.Rand
}

// log returns n turns of the user under the given need_min. Whether a skill helps depends on the user's odds, and a
// helpful skill is used more often if it was suggested.
func (u *user) log(n int, bar float64) []Turn {
	turns := make([]Turn, n)
	for i := range turns {
		z := u.rng.NormFloat64()*1.5 - 0.5 // logit of need
		t := Turn{Need: sigmoid(z), Folder: fmt.Sprint("f", u.rng.IntN(u.folders))}
		t.Named = t.Need >= bar
		seen := seenUnnamed
		if t.Named {
			seen = seenNamed
		}
		if u.rng.Float64() < sigmoid(z-math.Log(usualOdds)+u.shift)*seen {
			t.Skill = fmt.Sprint("s", u.rng.IntN(u.skills))
		}
		turns[i] = t
	}
	return turns
}

func TestLearnFindsTheUser(t *testing.T) {
	const usual = 0.5
	for _, test := range []struct {
		name      string
		shift     float64
		low, high float64 // bounds of the final bar
	}{
		{"one as everybody is", 0, 0.44, 0.56},
		{"one who uses skills often", 0.8, 0.28, 0.40},
		{"one who hardly uses any", -0.8, 0.58, 0.72},
		{"one who always does: as far as it goes", 3, 0.26, 0.28},
	} {
		t.Run(test.name, func(t *testing.T) {
			u := user{test.shift, 8, 3, rand.New(rand.NewPCG(1, 2))}
			bar := usual
			var turns []Turn
			for range 6 { // weeks, each under the bar learned so far
				turns = append(turns, u.log(400, bar)...)
				next, _, err := Learn(turns, usual)
				if err != nil && !errors.Is(err, ErrFew) {
					t.Fatal(err)
				}
				bar = next
			}
			require.GreaterOrEqual(t, bar, test.low)
			assert.LessOrEqual(t, bar, test.high)
			assert.True(t, Within(bar, usual), "%.3f is out of bounds", bar)
		})
	}
}

func TestLearnIsNotLedByOneSource(t *testing.T) {
	const usual = 0.5
	quiet := func() []Turn {
		u := user{0, 8, 3, rand.New(rand.NewPCG(3, 4))}
		return u.log(800, usual)
	}
	before, _, err := Learn(quiet(), usual)
	require.NoError(t, err)
	for _, test := range []struct {
		name string
		turn func(i int) Turn
	}{
		{"a repository whose instructions load skills all the time", func(i int) Turn {
			return Turn{Need: 0.2, Skill: fmt.Sprint("s", i%8), Folder: "clone"}
		}},
		{"a repository in which nothing that is named is used", func(int) Turn { return Turn{Need: 0.9, Named: true, Folder: "clone"} }},
		{"a skill that has itself loaded everywhere", func(i int) Turn {
			return Turn{Need: 0.2, Skill: "greedy", Folder: fmt.Sprint("f", i%3)}
		}},
	} {
		turns := quiet()
		for i := range 2000 {
			turns = append(turns, test.turn(i))
		}
		after, _, err := Learn(turns, usual)
		require.NoError(t, err)
		if math.Abs(logit(after)) > math.Abs(logit(before))+0.15 {
			t.Errorf("%s: the bar goes from %.3f to %.3f", test.name, before, after)
		}
	}
}

func TestLearnWantsEnough(t *testing.T) {
	u := user{0, 8, 3, rand.New(rand.NewPCG(5, 6))}
	if bar, k, err := Learn(u.log(MinTurns-1, 0.5), 0.5); !errors.Is(err, ErrFew) || bar != 0.5 || k.Turns != MinTurns-1 {
		t.Errorf("few turns: %.2f, %+v, %v", bar, k, err)
	}
	_, _, err := Learn(make([]Turn, 1000), 0.5)
	assert.ErrorIs(t, err, ErrFew)
	one := user{2, 8, 1, rand.New(rand.NewPCG(7, 8))}
	if bar, k, err := Learn(one.log(1000, 0.5), 0.5); err != nil || math.Abs(bar-0.5) > 1e-9 {
		t.Errorf("one folder alone: %.3f, %+v, %v, want the bar where it was", bar, k, err)
	}
}

func TestFileOfChanges(t *testing.T) {
	dir := t.TempDir()
	if _, ok := Current(dir, "m"); ok {
		t.Error("a change without a file")
	}
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for i := range history + 5 {
		c := Change{At: at.Add(time.Duration(i) * time.Hour), Model: "m", NeedMin: 0.4 + float64(i)/1000, From: 0.5, By: Itself, Known: Known{Turns: i}}
		require.NoError(t, Add(dir, c))
	}
	c, ok := Current(dir, "m")
	if !ok || c.Known.Turns != history+4 || c.NeedMin != 0.454 {
		t.Errorf("newest: %+v, %v", c, ok)
	}
	if _, ok := Current(dir, "other"); ok {
		t.Error("another model's bar counts")
	}
	all, err := Changes(dir)
	if err != nil || len(all) != history || all[0] != c {
		t.Errorf("%d changes, %v, want %d", len(all), err, history)
	}
	file := filepath.Join(dir, File)
	if fi, err := os.Stat(file); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", fi.Mode(), err)
	}
	for name, text := range map[string]string{"no JSON": "need_min: 3\n",
		"a cut line": `{"at":"2026-03-04T05:06:07Z","model":"m","need`, "a huge line": strings.Repeat("x", 1<<20)} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, ok := Current(dir, "m")
		assert.False(t, ok, "%s counts as a change", name)
	}
}

// If the file is a pipe, opening it must not block until somebody writes to it.
func TestPipeIsNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, systemtest.Mkfifo(filepath.Join(dir, File)))
	done := make(chan bool)
	go func() {
		_, ok := Current(dir, "m")
		done <- ok
	}()
	select {
	case ok := <-done:
		assert.False(t, ok, "a pipe counts as a change")
	case <-time.After(20 * time.Second):
		t.Fatal("Current waits for a pipe")
	}
}
