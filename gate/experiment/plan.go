// Package experiment measures whether suggestions help, by withholding some of them.
//
// While an experiment runs, a random share of the prompts that would get a suggestion gets none. The log marks them,
// and the skills that the model then uses are compared. Prompts that ask for a skill by name always get
// their suggestion.
//
//	experiment.json             the plan of the running experiment, see Plan
//	experiments/<id>.json       plans of ended experiments, with their results
//
// The test is sequential: it stays valid however often its state is read. See Test.
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

// Names in the state folder: the plan of the running experiment, and the folder of ended experiments.
const (
	File   = "experiment.json"
	Folder = "experiments"
)

const version = 1

const (
	MinShare, MaxShare   = 0.01, 0.5
	MinEffect, MaxEffect = 0.02, 0.5
	MaxDays              = 365
)

// Units of random assignment.
const (
	ByPrompt  = "prompt"
	BySession = "session" // a session gets all of its suggestions or none, since one can help with later prompts
)

// Plan holds the parameters of an experiment and, once it has ended, its result.
type Plan struct {
	Version int       `json:"version"`
	ID      string    `json:"id"`
	Started time.Time `json:"started"`
	Until   time.Time `json:"until"` // the hook withholds nothing after this time, even if nobody ends the experiment
	Share   float64   `json:"share"` // share of suggestions to withhold, MinShare to MaxShare
	By      string    `json:"by"`    // ByPrompt or BySession
	Seed    uint64    `json:"seed"`
	Effect  float64   `json:"effect"`            // difference of shares that the test detects with a power of .8
	Prompts int       `json:"prompts,omitempty"` // the experiment ends after this many finished prompts, or earlier

	Ended  *time.Time `json:"ended,omitempty"`
	Found  Finding    `json:"found,omitempty"`
	Result *Test      `json:"result,omitempty"`
}

// Alike is the minimum design effect assumed for sessions. Seven or eight prompts per session with a correlation of .15
// have about this effect.
const Alike = 2

func leastEffect(by string) float64 {
	if by == BySession {
		return Alike
	}
	return 1
}

// New returns a plan that starts now and ends after at most days. share is the share of suggestions to withhold, and
// effect the difference between the arms that the test must be able to detect. alike is the design effect of the units,
// or 0 if unknown.
func New(now time.Time, share float64, by string, seed uint64, effect, alike float64, days int) (*Plan, error) {
	switch {
	case math.IsNaN(share) || share < MinShare || share > MaxShare:
		return nil, fmt.Errorf("share is %v but must be %v to %v", share, MinShare, MaxShare)
	case math.IsNaN(effect) || effect < MinEffect || effect > MaxEffect:
		return nil, fmt.Errorf("effect is %v but must be %v to %v", effect, MinEffect, MaxEffect)
	case by != ByPrompt && by != BySession:
		return nil, fmt.Errorf("unit is %q but must be %s or %s", by, ByPrompt, BySession)
	case days < 1 || days > MaxDays:
		return nil, fmt.Errorf("the number of days is %d but must be 1 to %d", days, MaxDays)
	}
	id := journal.NewID(now)
	alike = max(alike, leastEffect(by))
	return &Plan{
		Version: version, ID: id, Started: now.UTC(), Until: now.UTC().AddDate(0, 0, days), Share: share, By: by,
		Seed: seed, Effect: effect, Prompts: Prompts(share, effect, alike),
	}, nil
}

// Reasons why an existing plan is not followed.
var (
	ErrUnreadable = errors.New("the plan cannot be read")
	ErrNewer      = errors.New("the plan was written by a newer skillgate")
)

// SetAside is the advice to users for both errors.
const SetAside = "move experiment.json to another folder; until then no suggestion is withheld, " +
	"and the log keeps the data collected so far"

// Load reads the plan of the running experiment from a state folder. It returns nil if no experiment is running. For a
// plan that cannot be understood the error wraps ErrUnreadable or ErrNewer.
func Load(state string) (*Plan, error) {
	const most = 64 << 10 // bytes; a plan takes less than 1,000
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
		return nil, fmt.Errorf("experiment: %s: %w: its version is %d instead of %d", File, ErrNewer, p.Version, version)
	}
	if p.Version != version || p.ID == "" || !(p.Share >= MinShare && p.Share <= MaxShare) {
		return nil, fmt.Errorf("experiment: %s: %w: invalid version %d, id %q or share %v", File, ErrUnreadable, p.Version,
			p.ID, p.Share)
	}
	if p.Prompts == 0 { // written by an older version
		p.Prompts = Prompts(p.Share, p.Effect, leastEffect(p.By))
	}
	return &p, nil
}

// Assign draws the arm for a decision with a suggestion, stores it in d.Trial and, in the arm without suggestions,
// withholds the suggestion. It ignores decisions about a skill that the prompt asked for by name. The draw depends on
// the seed, the session and, with ByPrompt, on prompt, which is the prompt's id, or its text if the host gives no id.
// So a hook that is registered twice draws the same arm.
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

// Start writes the plan, which the hook then follows. It fails if an experiment is running.
func Start(state string, p *Plan) error {
	running, err := Load(state)
	if err != nil {
		return err
	}
	if running != nil {
		return fmt.Errorf("an experiment is already running (started %s)", running.Started.Format(time.DateOnly))
	}
	return p.write(filepath.Join(state, File), disk.State)
}

// End stops the running experiment and stores its plan with the result.
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

// Past returns the experiments that have ended, oldest first. It leaves out files that cannot be read.
func Past(state string) []*Plan {
	files, _ := filepath.Glob(filepath.Join(state, Folder, "*.json")) // sorted by id and so by time
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
