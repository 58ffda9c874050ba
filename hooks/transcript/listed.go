package transcript

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/replay"
)

// Listed is the listing of skills at the start of a session, according to its transcript.
type Listed struct {
	Version string // version of the host
	Model   string // model that answered first, or ""
	Skills  []ListedSkill
}

// ListedSkill is a skill in a listing. Text is its description and when_to_use.
type ListedSkill struct{ Name, Text string }

// Folder returns the name of the folder that contains the transcripts of sessions started in dir.
func Folder(dir string) string { return notName.ReplaceAllString(dir, "-") }

var notName = regexp.MustCompile(`[^a-zA-Z0-9]`)

// maxStart is the number of bytes read from the start of a transcript. A listing of 5,000 skills has 130 KB.
const maxStart = 4 << 20

// LastListed reads the listing in the newest transcript in folder. If it finds none, it returns an empty listing and
// possibly an error.
func LastListed(folder string) (Listed, error) {
	var out Listed
	entries, err := os.ReadDir(folder)
	if err != nil {
		return out, err
	}
	var newest string
	var at time.Time
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && strings.HasSuffix(entry.Name(), ".jsonl") && info.ModTime().After(at) {
			newest, at = entry.Name(), info.ModTime()
		}
	}
	if newest == "" {
		return out, nil
	}
	text, err := regular.Head(filepath.Join(folder, newest), maxStart)
	if err != nil {
		return out, err
	}
	for line := range bytes.Lines(text) {
		if !bytes.Contains(line, []byte(`"skill_listing"`)) && !bytes.Contains(line, []byte(`"model"`)) {
			continue
		}
		var l struct {
			Type, Version string
			Attachment    struct {
				Type, Content string
				Names         []string
			}
			Message struct{ Model string }
		}
		if json.Unmarshal(line, &l) != nil {
			continue // the line has an unknown format or is cut off
		}
		switch {
		case l.Attachment.Type == "skill_listing" && out.Skills == nil:
			out.Version, out.Skills = l.Version, split(l.Attachment.Content, l.Attachment.Names)
		case l.Type == "assistant" && out.Model == "" && !strings.HasPrefix(l.Message.Model, "<"):
			out.Model = l.Message.Model
		}
	}
	return out, nil
}

// split splits a listing into its skills. names has their names in the order of the listing. The text of a skill may
// have several lines.
func split(content string, names []string) []ListedSkill {
	var out []ListedSkill
	for _, name := range names {
		line := "- " + name
		at := 0
		if !strings.HasPrefix(content, line) {
			at = strings.Index(content, "\n"+line)
			if at < 0 {
				continue
			}
			at++
		}
		if n := len(out); n > 0 {
			out[n-1].Text = text(content[:at])
		}
		out = append(out, ListedSkill{Name: name})
		content = content[at+len(line):]
	}
	if n := len(out); n > 0 {
		out[n-1].Text = text(content)
	}
	return out
}

// text returns the text of a skill. rest is the part of the listing after the skill's name.
func text(rest string) string {
	_, after, _ := strings.Cut(rest, ": ")
	return strings.TrimSuffix(after, "\n")
}

// Told holds the skills that the host has told the model about, according to the session's transcript.
type Told struct {
	Skills []ListedSkill
	Whole  bool  // Skills has all skills that the model was told about
	End    int64 // offset up to which the transcript was read
}

// Listing returns the skills that a transcript has listed since the time after. fresh reports whether the part that
// starts at offset from lists any. If it does not, only told.End is set.
func Listing(file string, from int64, after time.Time) (told Told, fresh bool) {
	f, err := regular.Open(file)
	if err != nil {
		return told, false
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return told, false
	}
	if from > size { // the file was replaced
		from = 0
	}
	read := func(from int64) {
		told, fresh = Told{End: from}, false
		_ = replay.EachLine(io.NewSectionReader(f, from, size-from), func(text []byte) error {
			if bytes.HasSuffix(text, []byte("}\n")) || bytes.HasSuffix(text, []byte("}")) {
				told.End += int64(len(text))
			}
			if !bytes.Contains(text, []byte(`"skill_listing"`)) {
				return nil
			}
			var l line
			_ = json.Unmarshal(text, &l) // fields of an unexpected type are ignored
			if l.Attachment.Type != "skill_listing" || l.Sidechain || !parseTime(l.Timestamp).After(after) {
				return nil
			}
			fresh = true
			if l.Attachment.Whole {
				told.Skills, told.Whole = nil, true
			}
			for _, content := range given(l.Attachment.Content) {
				told.Skills = append(told.Skills, split(content, l.Attachment.Names)...)
			}
			return nil
		})
	}
	if read(from); fresh && from > 0 {
		read(0)
	}
	return told, fresh
}
