package journal

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/atomicfile"
	"github.com/skillgate/skillgate/gate/internal/lockfile"
	"github.com/skillgate/skillgate/gate/jsonline"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/triage"
)

// sessionsDir is the folder of session files in the state folder.
const sessionsDir = "sessions"

// sessionAge is how long a session is remembered after its last prompt. Hosts
// remove their own transcripts after the same time.
const sessionAge = 30 * 24 * time.Hour

const (
	maxSession = 64 << 10 // bytes of a session file
	maxNames   = 400      // names kept in each list; the oldest go first
	maxAnswers = 8        // answers kept; what older ones said is settled
)

// Session is what is remembered of one session. The zero value is a session that
// has just begun.
type Session struct {
	Watched    bool     `json:"watched,omitempty"`     // the ends of its turns are reported, see Settle
	LastPrompt string   `json:"last_prompt,omitempty"` // PromptHash of the previous prompt
	LastTurn   Turn     `json:"last_turn,omitzero"`    // where it came
	Answers    []Answer `json:"answers,omitempty"`     // the latest, oldest first
	Described  []string `json:"described,omitempty"`   // skills whose description the model was shown
	Named      []string `json:"named,omitempty"`       // skills whose name it was shown
	Chars      int      `json:"chars,omitempty"`       // of answers no longer kept that it was given, in UTF-16 units
	Loaded     []string `json:"loaded,omitempty"`      // skills the model has loaded

	// Topics are index terms of the last prompts (gate.Decision.Topic), newest first, for those that
	// follow up on them. They are forgotten after topicAge without a prompt.
	Topics [][]string `json:"topics,omitempty"`

	// Subfolders are folders of skills that the host has come upon since it began the session, or
	// went on with it after an exit, at Begun; by then it knows none. The first maxSubfolders are kept.
	Subfolders []gate.Subfolder `json:"subfolders,omitempty"`
	Begun      time.Time        `json:"begun,omitzero"`

	// Waited is when an observer that the host waited for last reported that the session goes on anew.
	Waited time.Time `json:"waited,omitzero"`
}

const (
	maxSubfolders = 8   // kept of a session: each is one more index that every prompt opens
	maxRenamed    = 50  // names kept of a subfolder
	maxSubfolder  = 512 // bytes of a subfolder's path, and of one name of it that is kept

	maxRenamedBytes = 16 << 10 // of the names of all subfolders
)

// topicAge is how long a session that gets no prompt remembers what it was about.
const topicAge = time.Hour

// maxTopics is of how many prompts the topics are kept.
const maxTopics = 3

// Answer is what a prompt was answered. Whether the model was given that is another matter:
// the prompt may have been queued and deleted, or called back before the model spoke.
type Answer struct {
	ID     string   `json:"id"`              // of the decision's record
	Asked  string   `json:"asked,omitempty"` // the host's id of the turn in which it was asked
	Prompt string   `json:"prompt"`          // short PromptHash
	Text   string   `json:"text,omitempty"`  // short PromptHash of the context, "" for none
	Names  []string `json:"names,omitempty"` // that the context has
	Brief  bool     `json:"brief,omitempty"` // it has names alone
	Chars  int      `json:"chars,omitempty"`
	Known  bool     `json:"known,omitempty"`  // the model has it
	Missed bool     `json:"missed,omitempty"` // the conversation does not hold it
	Turn   string   `json:"turn,omitempty"`   // the host's id of the turn that answers it, once known
}

// Conversation is what the end of a session's transcript holds.
type Conversation struct {
	Current string // the host's id of the turn that has ended
	Turns   []Held // in the order in which they began; none where the transcript cannot be understood
	Whole   bool   // they go back to where the session began or was compacted
	Late    bool   // the host has not written yet what the model answered in the current turn
	Found   []Found
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

// Turn is when a prompt came, and in which turn of the host: its prompt id, "" where the
// host has none. A prompt that is typed while the model works has the id of the turn
// that runs, and waits; until then it can be called back, changed or removed.
type Turn struct {
	ID string    `json:"id,omitempty"`
	At time.Time `json:"at"`
	By string    `json:"by,omitempty"` // the registration that was asked, where the host asks each once about a prompt
}

// AtOnce is how close together a host asks two registrations of the hook about one prompt.
const AtOnce = 500 * time.Millisecond

// Reset forgets everything but which decisions have no turn yet: the model's context was
// cleared or compacted. What the host has come upon stays, see Begin.
func (s *Session) Reset() {
	kept := Session{Watched: s.Watched, Subfolders: s.Subfolders, Begun: s.Begun}
	for _, a := range s.Answers {
		if a.Turn == "" {
			a.Known, a.Missed, a.Text, a.Names, a.Chars = false, false, "", nil, 0
			kept.Answers = append(kept.Answers, a)
		}
	}
	*s = kept
}

// Begin remembers that the host began the session, or went on with it, at a time: it has come upon
// no subfolder then.
func (s *Session) Begin(at time.Time) { s.Subfolders, s.Begun = nil, at }

// find remembers a subfolder while there is room, and reports whether it is a new one.
func (s *Session) find(f Found) bool {
	if !f.At.After(s.Begun) || len(f.Path) > maxSubfolder {
		return false
	}
	at := slices.IndexFunc(s.Subfolders, func(known gate.Subfolder) bool { return known.Path == f.Path })
	fresh := at < 0
	if fresh {
		if len(s.Subfolders) == maxSubfolders {
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

// Describe remembers that the descriptions of names were shown.
func (s *Session) Describe(names ...string) { s.Described = remember(s.Described, names) }

// Load remembers that names were loaded.
func (s *Session) Load(names ...string) { s.Loaded = remember(s.Loaded, names) }

// Knows reports whether name was described or loaded.
func (s *Session) Knows(name string) bool {
	return slices.Contains(s.Described, name) || s.hasLoaded(name)
}

// hasLoaded reports whether name was loaded.
func (s *Session) hasLoaded(name string) bool {
	return slices.ContainsFunc(s.Loaded, func(l string) bool { return SameSkill(name, l) })
}

// Repeats reports whether a prompt is the session's previous one once more, and the model
// has what that one was given.
func (s *Session) Repeats(prompt triage.Prompt, t Turn) bool {
	if s.again(prompt, t) {
		return true
	}
	n := len(s.Answers)
	return s.LastPrompt == PromptHash(prompt.Text) && !s.queues(t) && n > 0 && s.Answers[n-1].Known
}

// again reports whether the host asks another registration about the same prompt. One that is
// asked twice is asked about a prompt that was called back and sent again, however fast.
func (s *Session) again(prompt triage.Prompt, t Turn) bool {
	last := s.LastTurn
	return s.LastPrompt == PromptHash(prompt.Text) && last.ID == t.ID && t.At.Sub(last.At).Abs() < AtOnce &&
		(t.By == "" || t.By != last.By)
}

// queues reports whether a prompt came in the turn of the previous one.
func (s *Session) queues(t Turn) bool { return t.ID != "" && t.ID == s.LastTurn.ID }

// Answered remembers a prompt and what it was answered, by the decision of that id, and reports
// false where that is done already, by another registration that was asked at the same moment. In a
// session that is watched Settle says whether the model was given it; in another one it is
// taken to have it, unless the prompt was queued. What was answered counts as spent either way,
// until Settle knows better.
func (s *Session) Answered(prompt triage.Prompt, t Turn, d gate.Decision, id string) bool {
	if s.again(prompt, t) {
		return false
	}
	queued, before := s.queues(t), s.LastTurn
	s.LastTurn = t
	if prompt.Kind == triage.Machine || d.Verdict == gate.Error {
		return true
	}
	s.LastPrompt = PromptHash(prompt.Text)
	if len(d.Topic) > 0 {
		s.Topics = slices.Insert(s.topics(before, t), 0, d.Topic)
		s.Topics = s.Topics[:min(len(s.Topics), maxTopics)]
	}
	a := Answer{ID: id, Asked: t.ID, Prompt: short(prompt.Text), Brief: d.Brief, Chars: d.Chars}
	if d.Context != "" {
		a.Text = short(d.Context)
	}
	for _, c := range d.Candidates {
		if c.Injected {
			a.Names = append(a.Names, c.Name)
		}
	}
	a.Known = !queued && (!s.Watched || a.Text == "")
	s.Answers = append(s.Answers, a)
	for ; len(s.Answers) > maxAnswers; s.Answers = s.Answers[1:] {
		s.Chars += s.Answers[0].spent()
	}
	if a.Known {
		s.know(a)
	}
	return true
}

// spent is what an answer took of session_chars.
func (a Answer) spent() int {
	if a.Missed {
		return 0
	}
	return a.Chars
}

// spent is what the session's answers took of session_chars.
func (s *Session) spent() int {
	n := s.Chars
	for _, a := range s.Answers {
		n += a.spent()
	}
	return n
}

// know adds what an answer said to what the model has.
func (s *Session) know(a Answer) {
	if a.Brief {
		s.Named = remember(s.Named, a.Names)
	} else {
		s.Describe(a.Names...)
	}
}

// short is the beginning of a text's PromptHash, enough to tell a session's texts apart.
func short(text string) string { return PromptHash(text)[:16] }

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
		for _, f := range c.Found {
			if s.find(f) {
				found = append(found, f.Path)
			}
		}
	})
	return booked, found, err
}

// short returns c with the short hashes of its prompts and texts.
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

// settle is Settle with what short returns.
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

// unknow takes what an answer said out of what the model has.
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

// topics are the topics that are remembered in turn t, where the prompt before came in turn before.
func (s *Session) topics(before, t Turn) [][]string {
	if t.At.Sub(before.At) > topicAge {
		return nil
	}
	return s.Topics
}

// Request is what the gate is told about the session with a prompt.
func (s *Session) Request(prompt triage.Prompt, t Turn) gate.Request {
	return gate.Request{
		Prompt: prompt, Known: s.Knows, Spent: s.spent(), Earlier: s.topics(s.LastTurn, t),
		Loaded: func(name string) bool { return slices.Contains(s.Loaded, name) }, // surely this one
		Named:  func(name string) bool { return slices.Contains(s.Named, name) },
	}
}

// Decide answers the session's next prompt and remembers it: what the hook does,
// for those who play a session in memory.
func (s *Session) Decide(ctx context.Context, g *gate.Gate, prompt triage.Prompt, k int) gate.Decision {
	d := gate.Decision{Prompt: prompt.Text, Lang: prompt.Lang, Verdict: gate.Skip, Reason: gate.Repeat}
	if prompt.Kind != triage.Search || !s.Repeats(prompt, Turn{}) {
		req := s.Request(prompt, Turn{})
		req.K = k
		d = g.Decide(ctx, req)
	}
	s.Answered(prompt, Turn{}, d, "")
	return d
}

func remember(list, names []string) []string {
	for _, n := range names {
		if n != "" && len(n) < 256 && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list[max(0, len(list)-maxNames):]
}

// SameSkill reports whether two names mean one skill. The host says
// "plugin:name" in some places and "name" in others.
func SameSkill(a, b string) bool {
	if a == b {
		return a != ""
	}
	last := func(s string) string { return s[strings.LastIndexByte(s, ':')+1:] }
	return (!strings.Contains(a, ":") || !strings.Contains(b, ":")) && last(a) == last(b) && last(a) != ""
}

// LoadSession reads the memory of session id. A session without a file, without
// an id or with a file that cannot be understood is a new one; err is only about
// a file that could not be read, and the memory is still usable.
func LoadSession(dir, id string) (Session, error) {
	s, _, err := loadSession(dir, id)
	return s, err
}

// loadSession also returns the text that it read the memory from, nil for none.
func loadSession(dir, id string) (s Session, text []byte, err error) {
	if id == "" {
		return s, nil, nil
	}
	f, err := system.OpenFile(sessionFile(dir, id), os.O_RDONLY|system.NonBlock|system.NoFollow, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil, nil
	}
	if err != nil {
		return s, nil, fmt.Errorf("session: %w", err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() {
		return s, nil, fmt.Errorf("session: %s: not a regular file", f.Name())
	}
	text = make([]byte, min(fi.Size(), maxSession))
	n, _ := io.ReadFull(f, text)
	if text = text[:n]; jsonline.Read(text, &s) != nil {
		return Session{}, nil, nil
	}
	return s, text, nil
}

// saveSession replaces the memory of session id: by rename, so that a reader sees the
// old or the new one.
func saveSession(dir, id string, text []byte) error {
	if len(text) > maxSession {
		return fmt.Errorf("session: %d bytes, limit %d", len(text), maxSession)
	}
	file := sessionFile(dir, id)
	err := atomicfile.Write(file, text, atomicfile.Options{})
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(file), 0o700); err == nil {
			err = atomicfile.Write(file, text, atomicfile.Options{})
		}
	}
	if err != nil {
		return fmt.Errorf("session: %w", err)
	}
	return nil
}

// UpdateSession changes the memory of session id by fn, under a lock that keeps
// the hook and observe from undoing each other's changes. It waits at most 100 ms
// for the lock and then goes on without it. Nothing is written where fn changes
// nothing.
func UpdateSession(dir, id string, fn func(*Session)) error {
	return updateSession(dir, id, lockWait, fn)
}

func updateSession(dir, id string, wait time.Duration, fn func(*Session)) error {
	if id == "" {
		return nil
	}
	if unlock, err := lockSessions(context.Background(), filepath.Join(dir, sessionsDir), wait); err == nil {
		defer unlock()
	} else if !errors.Is(err, ErrBusy) {
		return err
	}
	return changeSession(dir, id, fn)
}

// ClaimSession changes the memory of session id by fn as UpdateSession does, but only under the
// lock: where others hold it until ctx is done, it fails and changes nothing.
func ClaimSession(ctx context.Context, dir, id string, fn func(*Session)) error {
	if id == "" {
		return nil
	}
	unlock, err := lockSessions(ctx, filepath.Join(dir, sessionsDir), lockfile.Forever)
	if err != nil {
		return err
	}
	defer unlock()
	return changeSession(dir, id, fn)
}

// roomForPrompt is about what a prompt adds to a memory, in bytes.
const roomForPrompt = 1 << 10

// nothing is what an empty memory looks like in a file.
const nothing = "{}"

func changeSession(dir, id string, fn func(*Session)) error {
	s, before, err := loadSession(dir, id)
	if err != nil {
		return err
	}
	fn(&s)
	after, err := jsonline.Append(make([]byte, 0, len(before)+roomForPrompt), s)
	if err != nil {
		return fmt.Errorf("session: %w", err)
	}
	if string(after) == string(before) || before == nil && string(after) == nothing {
		return nil
	}
	return saveSession(dir, id, after)
}

// lockSessions takes the lock of all sessions, whose folder it makes where there is none. It
// fails with ErrBusy where others hold the lock for as long as wait, and with the error of ctx.
func lockSessions(ctx context.Context, folder string, wait time.Duration) (unlock func(), err error) {
	f, err := system.OpenFolderLock(folder)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(folder, 0o700); err == nil {
			f, err = system.OpenFolderLock(folder)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("session: %s: %w", folder, err)
	}
	if err := lockfile.Lock(ctx, f, lockfile.Exclusive, wait); err != nil {
		f.Close()
		return nil, fmt.Errorf("session: %s: %w", folder, err)
	}
	return func() { f.Close() }, nil
}

// SweepSessions removes session files older than sessionAge and temporary files
// that a killed process left. It is for folds, not for the hook.
func SweepSessions(dir string, now time.Time) error {
	folder := filepath.Join(dir, sessionsDir)
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("session: %w", err)
	}
	var errs []error
	for _, e := range entries {
		fi, err := e.Info()
		if err != nil || !fi.Mode().IsRegular() {
			continue
		}
		age := now.Sub(fi.ModTime())
		if age > topicAge && age <= sessionAge {
			errs = append(errs, forgetTopics(filepath.Join(folder, e.Name()), fi.ModTime()))
		}
		if age > sessionAge || age > time.Hour && strings.HasPrefix(e.Name(), atomicfile.TempPrefix) {
			if err := os.Remove(filepath.Join(folder, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, fmt.Errorf("session: %w", err))
			}
		}
	}
	return errors.Join(errs...)
}

// forgetTopics takes the topics out of the file of a session that was last used at a time. One
// that is in use by now keeps them, and where the sessions are busy the next sweep comes soon.
func forgetTopics(file string, used time.Time) error {
	text, err := regular.Read(file, maxSession)
	if err != nil || !bytes.Contains(text, []byte(`"topics":`)) {
		return nil // gone, or nothing to forget
	}
	unlock, err := lockSessions(context.Background(), filepath.Dir(file), lockWait)
	if errors.Is(err, ErrBusy) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unlock()
	if fi, err := os.Lstat(file); err != nil || !fi.ModTime().Equal(used) {
		return nil
	}
	var s Session
	if text, err = regular.Read(file, maxSession); err != nil || json.Unmarshal(text, &s) != nil {
		return nil // LoadSession reads nothing from it either
	}
	s.Topics = nil
	if text, err = json.Marshal(s); err == nil {
		err = atomicfile.Write(file, text, atomicfile.Options{})
	}
	if err == nil {
		err = os.Chtimes(file, used, used)
	}
	if err != nil {
		return fmt.Errorf("session: %w", err)
	}
	return nil
}

// sessionFile is named for a hash: an id comes from outside and may hold anything.
func sessionFile(dir, id string) string {
	sum := sha256.Sum256([]byte(id))
	return filepath.Join(dir, sessionsDir, hex.EncodeToString(sum[:16])+".json")
}
