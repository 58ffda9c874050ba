package transcript

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/replay"
)

// interruption is how the text begins that the host writes where a person stopped the model.
const interruption = "[Request interrupted"

// Interrupted returns of each turn of a transcript, by the host's id of its prompt, whether
// the person stopped it; nil where the file cannot be read.
func Interrupted(file string) map[string]bool {
	f, err := regular.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	out := map[string]bool{}
	last := ""
	err = replay.EachLine(f, func(text []byte) error {
		if !bytes.Contains(text, []byte(`"promptId"`)) && !bytes.Contains(text, []byte(interruption)) {
			return nil
		}
		var l line
		_ = json.Unmarshal(text, &l) // what fits is used
		if l.PromptID != "" {
			last = l.PromptID
			if !out[last] {
				out[last] = false // known
			}
		}
		if said, _ := content(l.Message.Content); l.Type == "user" && last != "" && strings.HasPrefix(said, interruption) {
			out[last] = true
		}
		return nil
	})
	if err != nil {
		return nil
	}
	return out
}
