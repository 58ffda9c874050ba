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

// AtOnce is the maximum time in which a host calls all registrations of the hook for one prompt.
const AtOnce = time.Second

// claimsFile, in the sessions folder, has a line for each prompt that a hook is about to answer:
//
//	<prompt> <registration> <Unix milliseconds> <q if the prompt was queued, else -> <id>
//
// The prompt and the registration are short hashes; the registration is dashes if the host does not identify it. Each
// line is appended in one write, so that all readers see the lines in the same order.
const claimsFile = "claims"

const (
	byAt, timeAt, queuedAt, idAt = 17, 34, 48, 50

	claimLine  = idAt + 27
	claimsRead = 512 * claimLine // bytes read from the end of the file; far more than is written within AtOnce
	claimAge   = time.Minute     // if the last claim is older, no claim in the file counts any more
)

const anyRegistration = "----------------"

// Claim reports whether the caller may answer a prompt of a session in turn t. id is the decision's id. Claim returns
// false if another registration has claimed the prompt within AtOnce. The same registration may claim a queued prompt
// twice, because users can call it back and quickly send it again. Claim returns true if there is no session or the
// claim cannot be stored. It takes no lock.
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

// appendClaim appends line to claimsFile and returns the text before it, or nil if no claim of the same prompt was made
// within AtOnce before.
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
	size := info.Size()
	var part [48 * claimLine]byte // fits in a page, because touching a second page takes as long as the read
	n, _ := f.ReadAt(part[:claimLine], size)
	alone := string(part[:n]) == string(line)
	for to := size; alone && to > 0 && size-to < claimsRead; {
		from := max(0, to-int64(len(part)))
		if _, err := f.ReadAt(part[:to-from], from); err != nil {
			return nil, err
		}
		alone = !bytes.Contains(part[:to-from], line[:byAt])
		_, whole, _ := bytes.Cut(part[:to-from], []byte("\n"))
		if from == 0 || len(whole) >= claimLine && apart(whole[:claimLine], line) {
			break
		}
		to = from + claimLine // a line may be in both parts
	}
	if alone {
		return nil, nil
	}
	from := max(0, size-claimsRead)
	text := make([]byte, size-from+claimsRead) // room for lines that other processes append in the meantime
	n, err = f.ReadAt(text, from)
	if err != nil && err != io.EOF {
		return nil, err
	}
	before, _, _ := bytes.Cut(text[:n], line)
	return before, nil
}

// isFirst reports whether the claim in line is valid after the claims in before. All readers of the same lines agree.
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

// excludes reports whether a valid claim in line a makes a later claim in line b, of the same prompt, invalid.
func excludes(a, b []byte) bool {
	if apart(a, b) {
		return false
	}
	by := string(a[byAt : timeAt-1])
	return a[queuedAt] != 'q' || by == anyRegistration || by != string(b[byAt:timeAt-1])
}

// apart reports whether the claims in two lines were made at least AtOnce apart.
func apart(a, b []byte) bool {
	at := func(line []byte) int64 {
		ms, _ := strconv.ParseInt(string(line[timeAt:queuedAt-1]), 10, 64) // 0 if the line is damaged
		return ms
	}
	between := at(b) - at(a)
	return max(between, -between) >= AtOnce.Milliseconds()
}
