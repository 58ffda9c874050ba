package hot

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
)

const spentNotice = "skillgate: the suggestions in this session have reached the limit set by session_chars, so " +
	"from now on only skills that clearly fit are suggested. /compact or a new session resets the count."

// notice returns a message for the user that the model does not see, or "", as for nearly all prompts. first means that
// the session's memory has no earlier prompt.
func (h *hook) notice(d *gate.Decision, first bool) string {
	if limit := gate.CutBrief * h.settings.SessionChars; !d.Sole && d.Spent < limit && d.Spent+d.Chars >= limit {
		return spentNotice
	}
	if !first {
		return ""
	}
	e := cmp.Or(disk.Stray(h.dirs.State, disk.State), disk.Stray(h.dirs.Cache, disk.Cache))
	if e == nil || h.spoken() {
		return ""
	}
	mend := "run `" + e.Mend() + "`, then `skillgate doctor`"
	if strings.ContainsFunc(mend, func(r rune) bool { return !strconv.IsPrint(r) }) {
		mend = "`skillgate doctor` shows which file to move"
	}
	return "skillgate: a skillgate folder contains a file that is not from skillgate, so nothing is saved there; " + mend
}

// mostUnspoken is a size in bytes that no transcript reaches before the model's first answer.
const mostUnspoken = 1 << 20

// spoken reports whether the model has answered in the conversation. If the session's memory cannot be saved, every
// prompt looks like the first one, so the transcript decides.
func (h *hook) spoken() bool {
	text, err := regular.Head(h.in.TranscriptPath, mostUnspoken)
	return err == nil && bytes.Contains(text, []byte(`"type":"assistant"`))
}
