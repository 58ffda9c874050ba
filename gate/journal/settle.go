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
	maxSubfolders = 8   // maximum number per session; every prompt opens an index for each
	maxRenamed    = 50  // maximum number of names per subfolder
	maxSubfolder  = 512 // maximum bytes of a subfolder's path, and of each name

	maxRenamedBytes = 16 << 10 // maximum bytes of the names of all subfolders together
)

// Conversation is the end of a session's transcript.
type Conversation struct {
	Current string // the host's id of the turn that ended
	Turns   []Held // turns, oldest first; empty if the transcript cannot be parsed
	Whole   bool   // Turns starts at the beginning of the session or at its last compaction
	Late    bool   // the host has not yet written the model's answer in the current turn
	Found   []Found
	// Declined has the host's ids of the calls in the newest two turns that were meant to run an agent but did not.
	Declined []string
	Heard    int64   // transcript bytes already searched for skill listings
	Listed   *string // path of the index for the skill listing (see gate.Listed), or ""; nil if it has not changed
}

// Found is a subfolder that the host has discovered, with the names it gives to skills there.
type Found struct {
	gate.Subfolder
	At time.Time
}

// Held is a turn in the host's transcript. Prompts and Texts are empty if the conversation no longer contains them.
type Held struct {
	ID      string   // the host's id of the turn
	Prompts []string // prompts as typed
	Texts   []string // contexts that hooks added
}

// Booked is a decision whose turn has become known.
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

// Settle updates the memory of a session from c, the end of its transcript, after a turn has ended. It assigns turns to
// answers and records which answers the model received; prompts that are still queued, or were deleted, called back or
// rewound, are not in c. Answers from before the start of c keep their state, and so do answers in a turn that the host
// has not finished writing. If c has no turns, answers in the current turn count as received. If the current turn is
// missing from c, it is assigned to the answer to its first prompt, unless an older queued prompt may have begun it.
// Settle returns the decisions whose turns became known, and the subfolders that are new to the session.
func Settle(dir, id string, c Conversation) (booked []Booked, found []string, err error) {
	c = c.short() // the lock is shared by all sessions, so this is done before taking it
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
	delete(place, "") // turns of a host without turn ids
	for _, t := range c.Turns {
		for _, prompt := range t.Prompts {
			if a := s.answer(t.ID, prompt, place); a != nil {
				a.Turn = t.ID
				booked = append(booked, Booked{a.ID, t.ID})
			}
		}
	}
	if _, ok := place[c.Current]; !ok && c.Current != "" { // the host may not have written the current turn yet
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

// opener returns the answer to the prompt that began a turn missing from the conversation: the first prompt sent in
// that turn. It returns nil if that answer already has a turn, or if an older queued prompt may have begun the turn.
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

// answer returns the answer to a prompt of a turn: the one sent in that turn, or else the newest without a turn. It
// ignores answers to prompts sent in later turns; place maps turn ids to positions. It returns nil if the turn already
// has the answer.
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
