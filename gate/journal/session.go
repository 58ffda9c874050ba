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

// sessionAge is the age at which a session is forgotten. Hosts keep transcripts for the same time.
const sessionAge = 30 * 24 * time.Hour

const (
	maxSession  = 64 << 10 // maximum bytes of a session's memory
	maxAppended = 16 << 10 // maximum bytes of a file with appended lines; every prompt reads all of it
)

// lockWait limits the wait for the lock of UpdateSession. The host waits during that time, and if a change is
// lost, a suggestion may be repeated.
const lockWait = 100 * time.Millisecond

// LoadSession reads the memory of a session. If the id is empty, or the file is missing or cannot be parsed, the
// session is new. If the file cannot be read, LoadSession returns a new session and an error.
func LoadSession(dir, id string) (Session, error) {
	s, _, err := readSession(dir, id)
	return s, err
}

// kept describes a session's file.
type kept struct {
	text    []byte // the session's memory, or nil
	size    int    // size of the file in bytes
	appends bool   // the file may be appended to
	absent  bool   // there is no file
}

// readSession parses the last whole line that is valid. A file without line ends, which earlier versions wrote, is
// parsed as a whole.
func readSession(dir, id string) (s Session, k kept, err error) {
	if id == "" {
		return s, k, nil
	}
	f, err := system.OpenFile(sessionFile(dir, id), os.O_RDONLY|system.NonBlock|system.NoFollow, 0)
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
	k.appends = end >= 0 && end == n-1 // a killed process may have left half a line
	for end >= 0 {
		start := bytes.LastIndexByte(whole[:end], '\n') + 1
		if k.text = whole[start:end]; jsonline.Read(k.text, &s) == nil {
			return s, k, nil
		}
		s, k.appends, end = Session{}, false, start-1 // two processes have written to the same line
	}
	if bytes.IndexByte(whole, '\n') >= 0 || jsonline.Read(whole, &s) != nil {
		return Session{}, kept{}, nil
	}
	return s, k, nil
}

// saveSession replaces the memory of a session. before describes its file. If there is room, saveSession appends a
// line. Otherwise it replaces the file by a rename, which may make the file system flush it to disk. A reader sees the
// old or the new memory, or none if the file is new, and ignores a line that was cut short.
func saveSession(dir, id string, text []byte, before kept) error {
	if len(text) > maxSession {
		return fmt.Errorf("session: the file has %d bytes (limit %d)", len(text), maxSession)
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

const roomForPrompt = 1 << 10

// nothing is the JSON of an empty memory.
const nothing = "{}"

// UpdateSession calls fn to change the memory of a session. A lock prevents hooks and observers from overwriting each
// other's changes. UpdateSession waits 100 ms for the lock and then continues without it. If fn changes nothing,
// nothing is written.
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
	s, before, err := readSession(dir, id)
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

// SweepSessions removes session files older than sessionAge, old claims, and temporary files of killed processes. The
// hook does not call it.
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

// sessionFile returns the path of a session's file. Its name is a hash, because an id comes from the host and may
// contain anything.
func sessionFile(dir, id string) string {
	sum := sha256.Sum256([]byte(id))
	return filepath.Join(dir, sessionsDir, hex.EncodeToString(sum[:16])+".json")
}
