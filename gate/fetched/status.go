package fetched

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
)

// Status is the state of a reference.
type Status struct {
	Reference string    `json:"reference"`
	Digest    string    `json:"digest,omitempty"`    // digest of the tree in use, "sha256:…", or ""
	Signed    string    `json:"signed_by,omitempty"` // key that verified the tree's signature
	Skills    int       `json:"skills"`
	Indexed   bool      `json:"indexed"` // the index that was fetched with the tree is in use
	Note      string    `json:"note,omitempty"`
	Fetched   time.Time `json:"fetched,omitzero"`
	Checked   time.Time `json:"checked,omitzero"` // time of the last request to the source, successful or not
	Error     string    `json:"error,omitempty"`  // why the last request failed; the tree in use does not change
	Changes   []Change  `json:"changes,omitempty"`
}

// Change records that the skills of a reference have changed. From and To are the digests of the old and the new tree.
type Change struct {
	Time    time.Time `json:"time"`
	From    string    `json:"from"`
	To      string    `json:"to"`
	Added   int       `json:"added"`
	Changed int       `json:"changed"`
	Removed int       `json:"removed"`
}

const (
	maxStatus  = 1 << 20 // bytes
	maxChanges = 20      // maximum number of changes kept, newest first
)

// ReadStatus returns the status of a reference, which is empty before the first fetch.
func ReadStatus(cache, reference string) (Status, error) {
	s := Status{Reference: reference}
	text, err := regular.Read(filepath.Join(Folder(cache, reference), "status.json"), maxStatus)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return Status{Reference: reference}, fmt.Errorf("status of %s: %w", reference, err)
	}
	return s, nil
}

// Write saves the status. The folder of the reference must exist.
func (s Status) Write(cache string) error {
	s.Changes = s.Changes[:min(len(s.Changes), maxChanges)]
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	file := filepath.Join(Folder(cache, s.Reference), "status.json")
	return disk.Keep(file, disk.Reference, append(text, '\n'), disk.Options{})
}
