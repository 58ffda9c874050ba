// Package experiment measures whether hints help, by keeping some of them back.
//
// While an experiment runs, a random share of the prompts that would get a hint gets
// none, and the log says which; what skills the model then uses is compared. Prompts that
// ask for a skill by name always get it.
//
//	experiment.json             the plan of the one that runs, see Plan
//	experiments/<id>.json       those that have ended, with what was found
//
// The test is sequential: it is valid however often it is looked at. See Test.
package experiment

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/regular"
)

// Names in the state folder.
const (
	File   = "experiment.json"
	Folder = "experiments"
)

const version = 1

// Bounds of a plan.
const (
	MinShare, MaxShare   = 0.01, 0.5
	MinEffect, MaxEffect = 0.02, 0.5
	MaxDays              = 365
)

// What is held back at once.
const (
	ByPrompt  = "prompt"
	BySession = "session" // every hint of a session or none, so that none is remembered from before
)

// Plan is an experiment.
type Plan struct {
	Version int       `json:"version"`
	ID      string    `json:"id"`
	Started time.Time `json:"started"`
	Until   time.Time `json:"until"` // the hook keeps nothing back from then on, even if nobody looks
	Share   float64   `json:"share"` // of the hints that are kept back, MinShare to MaxShare
	By      string    `json:"by"`    // ByPrompt or BySession
	Seed    uint64    `json:"seed"`
	Effect  float64   `json:"effect"`            // the difference of shares that it finds with a power of .8
	Prompts int       `json:"prompts,omitempty"` // ended prompts that end it: with fewer it has found something

	Ended  *time.Time `json:"ended,omitempty"`
	Found  Finding    `json:"found,omitempty"`
	Result *Test      `json:"result,omitempty"`
}

// Alike is the least design effect that sessions are planned with: six prompts each, with a correlation of
// .15 between those of one.
const Alike = 2

func leastEffect(by string) float64 {
	if by == BySession {
		return Alike
	}
	return 1
}

// New returns a plan that starts now. alike is the design effect of the units as far as it is known, 0 where
// it is not.
func New(now time.Time, share float64, by string, seed uint64, effect, alike float64, days int) (*Plan, error) {
	switch {
	case math.IsNaN(share) || share < MinShare || share > MaxShare:
		return nil, fmt.Errorf("share is %v, want %v to %v", share, MinShare, MaxShare)
	case math.IsNaN(effect) || effect < MinEffect || effect > MaxEffect:
		return nil, fmt.Errorf("effect is %v, want %v to %v", effect, MinEffect, MaxEffect)
	case by != ByPrompt && by != BySession:
		return nil, fmt.Errorf("unit is %q, want %s or %s", by, ByPrompt, BySession)
	case days < 1 || days > MaxDays:
		return nil, fmt.Errorf("days are %d, want 1 to %d", days, MaxDays)
	}
	id := journal.NewID(now)
	alike = max(alike, leastEffect(by))
	return &Plan{
		Version: version, ID: id, Started: now.UTC(), Until: now.UTC().AddDate(0, 0, days), Share: share, By: by,
		Seed: seed, Effect: effect, Prompts: Prompts(share, effect, alike),
	}, nil
}

// Why a plan that is there runs nothing.
var (
	ErrUnreadable = errors.New("the plan cannot be read")
	ErrNewer      = errors.New("the plan is a newer skillgate's")
)

// SetAside is the next step after either.
const SetAside = "move experiment.json out of its folder; the log keeps what was drawn, " +
	"and every hint is given meanwhile"

// Load reads the plan of the experiment that runs in a state folder, nil where none does.
// One that cannot be understood runs nothing: ErrUnreadable or ErrNewer.
func Load(state string) (*Plan, error) {
	const most = 64 << 10 // bytes; a plan has under one thousand
	text, err := regular.Read(filepath.Join(state, File), most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("experiment: %w: %w", ErrUnreadable, err)
	}
	var p Plan
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, fmt.Errorf("experiment: %s: %w: %w", File, ErrUnreadable, err)
	}
	if p.Version > version {
		return nil, fmt.Errorf("experiment: %s: %w: version %d, want %d", File, ErrNewer, p.Version, version)
	}
	if p.Version != version || p.ID == "" || !(p.Share >= MinShare && p.Share <= MaxShare) {
		return nil, fmt.Errorf("experiment: %s: %w: version %d, id %q, share %v", File, ErrUnreadable, p.Version, p.ID,
			p.Share)
	}
	if p.Prompts == 0 { // the plan of an older version
		p.Prompts = Prompts(p.Share, p.Effect, leastEffect(p.By))
	}
	return &p, nil
}

// Assign notes in a decision which arm of the experiment it belongs to, and keeps its hint
// back where that is its lot. Only a decision that would give an unasked hint takes part.
// The lot is the plan's seed with the session, and where prompts are drawn with prompt, which is its id, or
// its text where the host gives none: a hook that is registered twice draws the same.
func (p *Plan) Assign(d *gate.Decision, session, prompt string, at time.Time) {
	if d.Verdict != gate.Inject || !at.Before(p.Until) {
		return
	}
	key := strconv.FormatUint(p.Seed, 16) + "\x00" + session
	if p.By == ByPrompt || session == "" {
		key += "\x00" + prompt
	}
	sum := sha256.Sum256([]byte(key))
	held := float64(binary.BigEndian.Uint64(sum[:])>>11)/(1<<53) < p.Share
	d.Trial = &gate.Trial{Experiment: p.ID, Held: held}
	if held {
		d.HoldBack()
	}
}

// Start writes the plan, after which the hook follows it. It fails where one runs.
func Start(state string, p *Plan) error {
	running, err := Load(state)
	if err != nil {
		return err
	}
	if running != nil {
		return fmt.Errorf("experiment: one runs since %s", running.Started.Format(time.DateOnly))
	}
	return p.write(filepath.Join(state, File), disk.State)
}

// End stops the experiment that runs, and keeps its plan with what was found.
func (p *Plan) End(state string, now time.Time, t Test) error {
	now = now.UTC()
	p.Ended, p.Found, p.Result = &now, t.Found, &t
	if err := p.write(filepath.Join(state, Folder, p.ID+".json"), disk.Experiments); err != nil {
		return err
	}
	folder, err := disk.Open(state, disk.State)
	if err != nil {
		return fmt.Errorf("experiment: %w", err)
	}
	defer folder.Close()
	return folder.Remove(File)
}

func (p *Plan) write(file string, in disk.Kind) error {
	text, err := json.MarshalIndent(p, "", "  ")
	if err == nil {
		err = disk.Keep(file, in, append(text, '\n'), disk.Options{})
	}
	if err != nil {
		return fmt.Errorf("experiment: %w", err)
	}
	return nil
}

// Past returns the experiments that have ended, oldest first. What cannot be read is left out.
func Past(state string) []*Plan {
	files, _ := filepath.Glob(filepath.Join(state, Folder, "*.json")) // in order of ids, which is that of time
	var out []*Plan
	for _, file := range files {
		text, err := regular.Read(file, 64<<10)
		var p Plan
		if err == nil && json.Unmarshal(text, &p) == nil && p.Result != nil && p.Ended != nil {
			out = append(out, &p)
		}
	}
	return out
}
