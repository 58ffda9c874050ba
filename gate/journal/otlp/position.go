package otlp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/regular"
)

// positionFile is in the state folder: a position for each collector.
const positionFile = "export.json"

const maxPosition = 16 << 20

type position struct {
	Machine  string  `json:"machine"`         // a random name of this machine, as service.instance.id
	Decision int64   `json:"decision"`        // all decisions up to this sequence number were sent
	Above    []int64 `json:"above,omitempty"` // sent as well, ascending
	Use      int64   `json:"use"`             // all uses up to this sequence number were sent
}

func (p *position) passed(seq int64) {
	p.Decision = seq
	p.Above = slices.DeleteFunc(p.Above, func(s int64) bool { return s <= seq })
}

func readPositions(dir string) (map[string]position, error) {
	all := map[string]position{}
	text, err := regular.Read(filepath.Join(dir, positionFile), maxPosition)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, positionFile), err)
	}
	return all, nil
}

func readPosition(dir, address string, now time.Time) (position, error) {
	all, err := readPositions(dir)
	if err != nil {
		return position{}, err
	}
	if p, ok := all[address]; ok {
		return p, nil
	}
	var p position
	for _, other := range all {
		p.Machine = other.Machine
	}
	if p.Machine == "" {
		p.Machine = journal.NewID(now)
	}
	return p, err
}

func (p *position) write(dir, address string) error {
	all, err := readPositions(dir)
	if err != nil {
		return err
	}
	all[address] = *p
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return disk.Keep(filepath.Join(dir, positionFile), disk.State, append(text, '\n'), disk.Options{Sync: true})
}
