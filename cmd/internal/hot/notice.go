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

const spentNotice = "skillgate: this session has had its characters for hints: from now on skills that only may fit " +
	"are not named. /compact or a new session starts over; the setting session_chars has the limit."

// notice returns a text that is shown to the person beside the answer, or "" for nearly all prompts. first reports
// whether the session remembers no earlier prompt.
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
	mend := "`" + e.Mend() + "`, then `skillgate doctor`"
	if strings.ContainsFunc(mend, func(r rune) bool { return !strconv.IsPrint(r) }) {
		mend = "`skillgate doctor` says what to move out"
	}
	return "skillgate: one of its folders holds something else, so that nothing is kept there: " + mend
}

// mostUnspoken is more bytes than a host writes to a transcript before the model has spoken.
const mostUnspoken = 1 << 20

// spoken reports whether the model has spoken in the conversation. It tells the first prompt from later ones if the
// session cannot be remembered.
func (h *hook) spoken() bool {
	text, err := regular.Head(h.in.TranscriptPath, mostUnspoken)
	return err == nil && bytes.Contains(text, []byte(`"type":"assistant"`))
}
