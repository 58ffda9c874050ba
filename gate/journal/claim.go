package journal

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/triage"
)

// AtOnce is how close together a host asks several registrations of the hook about one prompt.
const AtOnce = time.Second

// claimsFile, in the folder of the sessions, has a line for each prompt that a hook is about to
// answer:
//
//	<prompt> <registration> <Unix milliseconds> <q where it was queued, else -> <id>
//
// prompt and registration are short hashes, the second is dashes where registrations are not told
// apart. One write appends a line, so that all who read the file see them in the same order.
const claimsFile = "claims"

const (
	byAt, timeAt, queuedAt, idAt = 17, 34, 48, 50

	claimLine  = idAt + 27
	claimsRead = 512 * claimLine // of the end of the file: many more than are written within AtOnce
	claimAge   = time.Minute     // after the last claim none is of use
)

const anyRegistration = "----------------"

// Claim reports whether a prompt of session id in turn t is the caller's to answer, by the decision of
// that id. It is not where another registration has claimed the prompt at the same moment. A queued
// prompt can be called back and sent again, however fast: the same registration is asked twice then.
// Where claims cannot be kept, or there is no session, everybody answers. A claim waits for nobody.
func (s *Session) Claim(dir, session string, prompt triage.Prompt, t Turn, id string) bool {
	if session == "" {
		return true
	}
	by, queued := anyRegistration, '-'
	if t.By != "" {
		by = short(t.By)
	}
	if s.queues(t) {
		queued = 'q'
	}
	line := fmt.Appendf(nil, "%s %s %013d %c %26.26s\n", short(session+"\n"+t.ID+"\n"+prompt.Text), by, t.At.UnixMilli(),
		queued, id)
	before, err := appendClaim(filepath.Join(dir, sessionsDir), line)
	return err != nil || isFirst(before, line)
}

// appendClaim returns what claimsFile of a folder holds before a line that it appends; nothing where none of it is
// about the same prompt.
func appendClaim(folder string, line []byte) ([]byte, error) {
	if err := disk.Ensure(folder, disk.Sessions); err != nil {
		return nil, err
	}
	const flags = os.O_RDWR | os.O_APPEND | os.O_CREATE | system.NoFollow | system.NonBlock
	f, err := system.OpenFile(filepath.Join(folder, claimsFile), flags, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil {
		err = disk.Sole(f.Name(), f, info)
	}
	if err == nil {
		_, err = f.Write(line)
	}
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-claimsRead)
	if own := find(f, line[:byAt], from); own >= 0 {
		var first [claimLine]byte
		if n, _ := f.ReadAt(first[:], own); string(first[:n]) == string(line) {
			return nil, nil
		}
	}
	text := make([]byte, info.Size()-from+claimsRead) // others may have appended meanwhile
	n, err := f.ReadAt(text, from)
	if err != nil && err != io.EOF {
		return nil, err
	}
	before, _, _ := bytes.Cut(text[:n], line)
	return before, nil
}

// find returns where in f, at from or later, key is first, or -1. It reads into little memory: most prompts
// have one claim, and each new page costs as much as reading it.
func find(f *os.File, key []byte, from int64) int64 {
	var part [48 * claimLine]byte
	for {
		n, err := f.ReadAt(part[:], from)
		if i := bytes.Index(part[:n], key); i >= 0 {
			return from + int64(i)
		}
		if err != nil {
			return -1
		}
		from += int64(n - len(key) + 1)
	}
}

// isFirst reports whether the claim of a line is good beside those of the lines before it. Whoever
// reads the same lines says the same of each.
func isFirst(before, line []byte) bool {
	var good [][]byte
	free := func(c []byte) bool {
		return !slices.ContainsFunc(good, func(g []byte) bool { return excludes(g, c) })
	}
	for c := range bytes.Lines(before) {
		if len(c) == claimLine && bytes.HasPrefix(c, line[:byAt]) && free(c) {
			good = append(good, c)
		}
	}
	return free(line)
}

// excludes reports whether the claim of line a, which is good, keeps a later one to the same prompt from being so.
func excludes(a, b []byte) bool {
	at := func(line []byte) int64 {
		ms, _ := strconv.ParseInt(string(line[timeAt:queuedAt-1]), 10, 64) // 0 where the line is damaged
		return ms
	}
	if between := at(b) - at(a); max(between, -between) >= AtOnce.Milliseconds() {
		return false
	}
	by := string(a[byAt : timeAt-1])
	return a[queuedAt] != 'q' || by == anyRegistration || by != string(b[byAt:timeAt-1])
}
