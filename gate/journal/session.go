package journal

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/jsonline"
	"github.com/skillgate/skillgate/gate/system"
)

const sessionsDir = "sessions"

// sessionAge is how long a session is remembered after its last prompt. Hosts
// remove their own transcripts after the same time.
const sessionAge = 30 * 24 * time.Hour

const (
	maxSession  = 64 << 10 // bytes of a memory
	maxAppended = 16 << 10 // bytes that a file grows to by appending: all of it is read for each prompt
)

// lockWait is how long the lock of the sessions is tried for: the host waits too, and losing a change
// costs a repeated line.
const lockWait = 100 * time.Millisecond

// LoadSession reads the memory of session id. A session without a file, without
// an id or with a file that cannot be understood is a new one; err is only about
// a file that could not be read, and the memory is still usable.
func LoadSession(dir, id string) (Session, error) {
	s, _, err := loadSession(dir, id)
	return s, err
}

// kept is a memory as its file has it.
type kept struct {
	text    []byte // nil for none
	size    int    // of the file
	appends bool   // a line may be appended to it
	absent  bool   // there is no file
}

func loadSession(dir, id string) (s Session, k kept, err error) {
	if id == "" {
		return s, k, nil
	}
	return readSession(sessionFile(dir, id))
}

// readSession reads the last whole line of a file that can be read, or all of a file without line ends, as earlier
// versions wrote it.
func readSession(file string) (s Session, k kept, err error) {
	f, err := system.OpenFile(file, os.O_RDONLY|system.NonBlock|system.NoFollow, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return s, kept{absent: true}, nil
	}
	if err != nil {
		return s, k, fmt.Errorf("session: %w", err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() {
		return s, k, fmt.Errorf("session: %s: not a regular file", f.Name())
	}
	k.text = make([]byte, min(fi.Size(), maxSession))
	n, _ := io.ReadFull(f, k.text)
	k.text, k.size = k.text[:n], n
	whole := k.text
	end := bytes.LastIndexByte(whole, '\n')
	k.appends = end >= 0 && end == n-1 // else a killed process has left half a line
	for end >= 0 {
		start := bytes.LastIndexByte(whole[:end], '\n') + 1
		if k.text = whole[start:end]; jsonline.Read(k.text, &s) == nil {
			return s, k, nil
		}
		s, k.appends, end = Session{}, false, start-1 // two processes have shared the line
	}
	if bytes.IndexByte(whole, '\n') >= 0 || jsonline.Read(whole, &s) != nil {
		return Session{}, kept{}, nil
	}
	return s, k, nil
}

// saveSession replaces the memory of session id, of which the file has before: by a line after it where there is
// room, else by rename, which can make the file system flush the file to disk. A reader sees the old memory or the new
// one, or none in a new file; a line cut short is ignored.
func saveSession(dir, id string, text []byte, before kept) error {
	if len(text) > maxSession {
		return fmt.Errorf("session: %d bytes, limit %d", len(text), maxSession)
	}
	file := sessionFile(dir, id)
	if (before.appends || before.absent) && before.size+len(text) < maxAppended &&
		appendSession(file, append(text, '\n'), before.absent) == nil {
		return nil
	}
	if err := disk.Keep(file, disk.Sessions, append(text, '\n'), disk.Options{}); err != nil {
		return fmt.Errorf("session: %w", err)
	}
	return nil
}

func appendSession(file string, line []byte, fresh bool) error {
	if err := disk.Ensure(filepath.Dir(file), disk.Sessions); err != nil {
		return err
	}
	const flags = os.O_WRONLY | os.O_APPEND | system.NonBlock | system.NoFollow
	var f *os.File
	var err error
	if fresh {
		f, err = system.OpenFile(file, flags|os.O_CREATE|os.O_EXCL, 0o600)
	} else {
		f, err = system.OpenFile(file, flags, 0)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil {
		err = disk.Sole(file, f, info)
	}
	if err == nil {
		_, err = f.Write(line)
	}
	return err
}

// UpdateSession changes the memory of session id by fn, under a lock that keeps hooks and observers
// from undoing each other's changes. It waits 100 ms for the lock and then goes on without it.
// Nothing is written where fn changes nothing.
func UpdateSession(dir, id string, fn func(*Session)) error {
	return updateSession(dir, id, lockWait, fn)
}

func updateSession(dir, id string, wait time.Duration, fn func(*Session)) error {
	if id == "" {
		return nil
	}
	lock, err := disk.LockFolder(context.Background(), filepath.Join(dir, sessionsDir), disk.Sessions, wait)
	if err == nil {
		defer lock.Close()
	} else if !errors.Is(err, ErrBusy) {
		return fmt.Errorf("session: %w", err)
	}
	return changeSession(dir, id, fn)
}

const roomForPrompt = 1 << 10

// nothing is what an empty memory looks like in a file.
const nothing = "{}"

func changeSession(dir, id string, fn func(*Session)) error {
	s, before, err := loadSession(dir, id)
	if err != nil {
		return err
	}
	fn(&s)
	after, err := jsonline.Append(make([]byte, 0, len(before.text)+roomForPrompt), s)
	if err != nil {
		return fmt.Errorf("session: %w", err)
	}
	if string(after) == string(before.text) || before.text == nil && string(after) == nothing {
		return nil
	}
	return saveSession(dir, id, after, before)
}

// SweepSessions removes session files older than sessionAge, claims that are of no use any more and
// temporary files that a killed process left. It is for folds, not for the hook.
func SweepSessions(dir string, now time.Time) error {
	folder, err := disk.Open(filepath.Join(dir, sessionsDir), disk.Sessions)
	if _, foreign := errors.AsType[*disk.ForeignError](err); foreign || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("session: %w", err)
	}
	defer folder.Close()
	entries, err := folder.Entries()
	errs := []error{err}
	for _, e := range entries {
		fi, err := e.Info()
		if err != nil || !fi.Mode().IsRegular() {
			continue
		}
		age := now.Sub(fi.ModTime())
		stale := age > sessionAge || age > time.Hour && strings.HasPrefix(e.Name(), disk.TempPrefix) ||
			age > claimAge && e.Name() == claimsFile
		if stale {
			errs = append(errs, folder.Remove(e.Name()))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("session: %w", err)
	}
	return nil
}

// sessionFile is named for a hash: an id comes from outside and may hold anything.
func sessionFile(dir, id string) string {
	sum := sha256.Sum256([]byte(id))
	return filepath.Join(dir, sessionsDir, hex.EncodeToString(sum[:16])+".json")
}
