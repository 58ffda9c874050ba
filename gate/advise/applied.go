package advise

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
)

// File is the name of the file in the state folder that lists applied proposals.
const File = "advice.json"

// Applied is a proposal that was carried out.
type Applied struct {
	At     time.Time  `json:"at"`
	Kind   Kind       `json:"kind"`
	Skill  string     `json:"skill,omitempty"`
	Skills []string   `json:"skills,omitempty"`
	More   bool       `json:"more,omitempty"` // the edit changed settings; set only by older versions
	Limit  int        `json:"limit,omitempty"`
	Text   string     `json:"text"`
	Says   any        `json:"says,omitempty"` // set only by older versions
	Edit   Edit       `json:"edit"`
	Undone *time.Time `json:"undone,omitempty"`
}

// Errors that Apply, Undo and Load wrap.
var (
	ErrChanged    = errors.New("the file has changed in the meantime, so nothing was written to it")
	ErrUnreadable = errors.New("the list of applied proposals cannot be read")
)

// SetAside tells the user what to do after ErrUnreadable.
const SetAside = "if a newer skillgate wrote " + File + ", update skillgate; otherwise move the file away; the " +
	"applied changes remain, but they can no longer be measured or undone"

// Apply carries out p's edit and records it in the folder state.
func Apply(state string, p *Proposal, now time.Time) error {
	list, err := Load(state)
	if err != nil {
		return err
	}
	a := Applied{At: now.UTC(), Kind: p.Kind, Skill: p.Skill, Skills: p.Skills, Text: p.Text, Edit: *p.Edit}
	// The edit is recorded first, because an edit that is not recorded cannot be undone.
	if err := save(state, append(list, a)); err != nil {
		return err
	}
	if err := p.Edit.write(p.Edit.Old, p.Edit.New); err != nil {
		return errors.Join(err, save(state, list))
	}
	return nil
}

// Undo reverts the newest applied edit and returns it, or nil if there is none. If the file has changed since, Undo
// returns the edit with an error that wraps ErrChanged. If forget is true, the file stays unchanged and the edit counts
// as reverted.
func Undo(state string, now time.Time, forget bool) (*Applied, error) {
	list, err := Load(state)
	if err != nil {
		return nil, err
	}
	for i := len(list) - 1; i >= 0; i-- {
		a := &list[i]
		if a.Undone != nil {
			continue
		}
		if !forget {
			if err := a.Edit.write(a.Edit.New, a.Edit.Old); err != nil {
				return a, err
			}
		}
		at := now.UTC()
		a.Undone = &at
		return a, save(state, list)
	}
	return nil, nil
}

func (e *Edit) write(old, text string) error {
	if e.Lines {
		return fmt.Errorf("%s: %w", e.File, ErrChanged) // the user must revert it by hand
	}
	now, err := os.ReadFile(e.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if string(now) != old {
		return fmt.Errorf("%s: %w", e.File, ErrChanged)
	}
	if text == "" {
		return disk.RemoveText(e.File, now)
	}
	if err := os.MkdirAll(filepath.Dir(e.File), 0o700); err != nil {
		return err
	}
	return disk.Write(e.File, []byte(text), disk.Options{Root: e.Within, Sync: true})
}

// Load returns the applied proposals, oldest first. Its errors wrap ErrUnreadable.
func Load(state string) ([]Applied, error) {
	const most = 16 << 20
	text, err := regular.Read(filepath.Join(state, File), most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var list []Applied
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields() // saving would lose the fields of a newer version
		if err = d.Decode(&list); err == nil && list == nil {
			err = errors.New("it is not a JSON list")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", File, ErrUnreadable, err)
	}
	return list, nil
}

func save(state string, list []Applied) error {
	text, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		return err
	}
	return disk.Keep(filepath.Join(state, File), disk.State, append(text, '\n'), disk.Options{})
}
