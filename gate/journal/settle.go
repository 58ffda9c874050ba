package journal

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/triage"
)

const (
	maxSubfolders = 8   // kept of a session: each is one more index that every prompt opens
	maxRenamed    = 50  // names kept of a subfolder
	maxSubfolder  = 512 // bytes of a subfolder's path, and of one name of it that is kept

	maxRenamedBytes = 16 << 10 // of the names of all subfolders
)

// Conversation is what the end of a session's transcript holds.
type Conversation struct {
	Current string // the host's id of the turn that has ended
	Turns   []Held // in the order in which they began; none where the transcript cannot be understood
	Whole   bool   // they go back to where the session began or was compacted
	Late    bool   // the host has not written yet what the model answered in the current turn
	Found   []Found
	// Declined are the host's ids of calls in the newest two turns that were to run an agent and did not.
	Declined []string
	Heard    int64   // how far its listings of skills have been read
	Listed   *string // what they say, as gate.Listed names it; nil where that is as before
}

// Found is what the host says about a subfolder's skills: that it has come upon them, or what it
// calls some of them.
type Found struct {
	gate.Subfolder
	At time.Time
}

// Held is a turn as the host's transcript has it: without a prompt and a text where the
// conversation has left it.
type Held struct {
	ID      string   // the host's id of the turn
	Prompts []string // what was asked in it, as typed
	Texts   []string // what hooks added
}

// Booked is a decision whose turn is known now.
type Booked struct{ Decision, Turn string }

func (s *Session) hear(c Conversation) {
	s.Heard = c.Heard
	if c.Listed == nil {
		return
	}
	said := func(f gate.Subfolder) bool { return strings.HasPrefix(f.Path, gate.Listed) }
	s.Subfolders = slices.DeleteFunc(s.Subfolders, said)
	if *c.Listed != "" {
		s.Subfolders = append(s.Subfolders, gate.Subfolder{Path: *c.Listed})
	}
}

func (s *Session) find(f Found) bool {
	if !f.At.After(s.Begun) || len(f.Path) > maxSubfolder {
		return false
	}
	at := slices.IndexFunc(s.Subfolders, func(known gate.Subfolder) bool { return known.Path == f.Path })
	fresh := at < 0
	if fresh {
		if len(s.Subfolders) >= maxSubfolders {
			return false
		}
		at = len(s.Subfolders)
		s.Subfolders = append(s.Subfolders, gate.Subfolder{Path: f.Path})
	}
	room := maxRenamedBytes
	for _, known := range s.Subfolders {
		for folder, name := range known.Names {
			room -= len(folder) + len(name)
		}
	}
	known := &s.Subfolders[at]
	for _, folder := range slices.Sorted(maps.Keys(f.Names)) {
		name := f.Names[folder]
		room += len(known.Names[folder]) - len(name)
		if _, again := known.Names[folder]; !again {
			room -= len(folder)
		}
		if len(known.Names) < maxRenamed && len(folder)+len(name) <= maxSubfolder && room >= 0 {
			if known.Names == nil {
				known.Names = map[string]string{}
			}
			known.Names[folder] = name
		}
	}
	return fresh
}

// Settle corrects the memory of session id by what its conversation holds, now that a turn has
// ended, and returns the decisions whose turns became known. What is queued, deleted, called back
// or taken back by a rewind is not in the conversation; of what it does not go back to, nothing
// changes. Where it holds no turn, the model is taken to have what was answered in the current one.
// A turn that it does not hold yet has the prompt that began it, unless an older one was queued and still waits,
// and nothing changes of what was answered in it.
// found are the subfolders that the host has come upon since the last turn.
func Settle(dir, id string, c Conversation) (booked []Booked, found []string, err error) {
	c = c.short() // before the lock, which every session waits for
	err = UpdateSession(dir, id, func(s *Session) {
		booked = s.settle(c)
		s.hear(c)
		for _, f := range c.Found {
			if s.find(f) {
				found = append(found, f.Path)
			}
		}
	})
	return booked, found, err
}

func (c Conversation) short() Conversation {
	turns := make([]Held, len(c.Turns))
	for i, t := range c.Turns {
		turns[i].ID = t.ID
		for _, text := range t.Prompts {
			turns[i].Prompts = append(turns[i].Prompts, short(triage.Classify(secret.Redact(text)).Text))
		}
		for _, text := range t.Texts {
			turns[i].Texts = append(turns[i].Texts, short(text))
		}
	}
	c.Turns = turns
	return c
}

func (s *Session) settle(c Conversation) []Booked {
	s.Watched = true
	given, place := map[string]bool{}, map[string]int{}
	var booked []Booked
	for i, t := range c.Turns {
		if _, ok := place[t.ID]; !ok {
			place[t.ID] = i
		}
		for _, text := range t.Texts {
			given[text] = true
		}
	}
	delete(place, "") // of a client that has no ids
	for _, t := range c.Turns {
		for _, prompt := range t.Prompts {
			if a := s.answer(t.ID, prompt, place); a != nil {
				a.Turn = t.ID
				booked = append(booked, Booked{a.ID, t.ID})
			}
		}
	}
	if _, ok := place[c.Current]; !ok && c.Current != "" { // the host may not have written it yet
		if a := s.opener(c.Current); a != nil {
			a.Turn = c.Current
			booked = append(booked, Booked{a.ID, c.Current})
		}
	}
	for i := range s.Answers {
		a := &s.Answers[i]
		_, asked := place[a.Asked]
		_, answered := place[a.Turn]
		switch {
		case a.Text == "":
		case len(c.Turns) == 0:
			a.Known = a.Known || a.Asked == c.Current
			a.Missed = a.Missed && !a.Known
		case c.Late && (a.Asked == c.Current || a.Turn == c.Current) && !given[a.Text]:
		case c.Whole || asked || answered || given[a.Text]:
			if a.Known {
				s.unknow(*a)
			}
			a.Known, a.Missed = given[a.Text], !given[a.Text]
		}
	}
	for _, a := range s.Answers {
		if a.Known {
			s.know(a)
		}
	}
	return booked
}

// opener returns the answer to the prompt that began a turn which the conversation does not hold:
// the first that was asked in it. It is nil where that has a turn, or where an older prompt was
// queued and may have begun this one.
func (s *Session) opener(turn string) *Answer {
	for i := range s.Answers {
		a := &s.Answers[i]
		queued := slices.ContainsFunc(s.Answers[:i], func(b Answer) bool { return b.Asked == a.Asked || b.Turn == a.Asked })
		switch {
		case a.Turn == "" && queued || a.Turn != "" && a.Asked == turn:
			return nil
		case a.Asked == turn:
			return a
		}
	}
	return nil
}

func (s *Session) unknow(a Answer) {
	is := func(name string) bool { return slices.Contains(a.Names, name) }
	if a.Brief {
		s.Named = slices.DeleteFunc(s.Named, is)
	} else {
		s.Described = slices.DeleteFunc(s.Described, is)
	}
}

// answer returns the answer to a prompt that a turn holds: the one that was asked in it, else
// the newest without a turn, but none that was asked in a later turn, by the places of the turns.
// It is nil where the turn has its answer.
func (s *Session) answer(turn, prompt string, place map[string]int) *Answer {
	var found *Answer
	for i := range s.Answers {
		a := &s.Answers[i]
		asked, ok := place[a.Asked]
		switch {
		case a.Prompt != prompt || turn == "" || ok && asked > place[turn]:
		case a.Turn == turn:
			return nil
		case a.Turn == "" && (found == nil || found.Asked != turn):
			found = a
		}
	}
	return found
}
