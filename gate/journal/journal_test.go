package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/gate/system/systemtest"
	"github.com/skillgate/skillgate/triage"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func record(t *testing.T, prompt string) Record {
	t.Helper()
	r := New(KindDecision, noon)
	r.SetDecision(gate.Decision{Prompt: prompt, Verdict: gate.Silent}, Full, nil)
	return r
}

func lines(t *testing.T, dir string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, File))
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func TestIDsSortByTimeAndDiffer(t *testing.T) {
	var ids []string
	for i := range 200 {
		id := NewID(noon.Add(time.Duration(i) * time.Millisecond))
		require.Equal(t, 26, len(id))
		ids = append(ids, id)
	}
	if !slices.IsSorted(ids) {
		t.Errorf("ids of rising times are not sorted: %v", ids[:5])
	}
	a, b := NewID(noon), NewID(noon)
	require.NotEqual(t, b, a)
	assert.Equal(t, b[:10], a[:10])
	// 1772625600000 ms in base 32: 1·32⁸ + 19·32⁷ + 18·32⁶ + …
	assert.Equal(t, "01KJWBG7G0", a[:10])
}

func TestAppendWritesWholeLines(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "skillgate")
	for _, p := range []string{"first", "line\nbreak", "한국어"} {
		require.NoError(t, Append(dir, record(t, p)))
	}
	got := lines(t, dir)
	require.Len(t, got, 3)
	require.True(t, strings.HasPrefix(got[0], `{"v":1,"id":"`))
	var r Record
	require.NoError(t, json.Unmarshal([]byte(got[1]), &r))
	assert.Equal(t, "line\nbreak", r.Decision.Prompt)
	for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, File): 0o600} {
		fi, _ := os.Stat(path)
		assert.Equal(t, want, fi.Mode().Perm(), filepath.Base(path))
	}
}

// The line is written whatever the host sends, and names the fields that were cut.
func TestAppendWritesALineWhateverGrows(t *testing.T) {
	endless := strings.Repeat("\x01", 1<<20)
	decision := func(change func(*Record)) Record {
		r := record(t, "prompt")
		change(&r)
		return r
	}
	tests := []struct {
		name  string
		r     Record
		short []string
	}{
		{"a folder", decision(func(r *Record) { r.Cwd = endless }), []string{"cwd"}},
		{"the session's id", decision(func(r *Record) { r.Session = endless }), []string{"session"}},
		{"the prompt's id", decision(func(r *Record) { r.PromptID = endless }), []string{"prompt_id"}},
		{"the transcript's path", decision(func(r *Record) { r.Transcript = endless }), []string{"transcript"}},
		{"three thousand notes", decision(func(r *Record) { r.Decision.Notes = slices.Repeat([]string{"gone: /a/b"}, 3000) }), []string{"notes"}},
		{"a long note", decision(func(r *Record) { r.Decision.Notes = []string{endless} }), nil},
		{"everything", decision(func(r *Record) {
			r.Cwd, r.Session, r.PromptID, r.Transcript, r.Client, r.Source = endless, endless, endless, endless, endless, endless
			r.Decision.Notes = slices.Repeat([]string{endless}, 1000)
			r.Decision.Prompt, r.Decision.Context, r.Terms = endless, endless, slices.Repeat([]string{"t"}, 1<<19)
			r.Decision.Candidates = slices.Repeat([]gate.Candidate{{Name: endless, Path: endless}}, 10)
		}), []string{"session", "prompt_id", "client", "source", "cwd", "transcript", "notes"}},
		{"an outcome", Record{V: Version, ID: "x", Kind: KindOutcome, Outcome: &Outcome{Skill: endless, Path: endless}}, []string{"outcome.skill", "outcome.path"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, Append(dir, tt.r))
			got := lines(t, dir)
			var back Record
			require.NoError(t, json.Unmarshal([]byte(got[0]), &back))
			require.Less(t, len(got[0]), maxLine)
			assert.Equal(t, tt.short, back.Short)
		})
	}
}

func TestAppendGivesUpSoon(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Append(dir, record(t, "one")))
	f, err := os.Open(filepath.Join(dir, File))
	require.NoError(t, err)
	defer f.Close()
	ok, err := system.TryLock(system.FileOf(f), true)
	require.True(t, ok, err)
	two := record(t, "two")
	synctest.Test(t, func(t *testing.T) { // with a clock that moves only while waiting
		start := time.Now()
		err := Append(dir, two)
		if took := time.Since(start); !errors.Is(err, ErrBusy) || took > appendWait {
			t.Errorf("Append under a foreign lock = %v after %v, want ErrBusy after at most %v", err, took, appendWait)
		}
	})
}

func TestAppendFails(t *testing.T) {
	tests := []struct {
		name string
		make func(dir string) error
	}{
		{"folder in the file's place", func(dir string) error { return os.Mkdir(filepath.Join(dir, File), 0o700) }},
		{"named pipe in the file's place", func(dir string) error { return systemtest.Mkfifo(filepath.Join(dir, File)) }},
		{"symbolic link in the file's place", func(dir string) error { return os.Symlink("elsewhere", filepath.Join(dir, File)) }},
		{"hard link in the file's place", func(dir string) error {
			other := filepath.Join(filepath.Dir(dir), "notes")
			return errors.Join(os.WriteFile(other, []byte("x\n"), 0o600), os.Link(other, filepath.Join(dir, File)))
		}},
		{"folder of somebody else's", func(dir string) error { return os.WriteFile(filepath.Join(dir, "notes"), nil, 0o600) }},
		{"folder of somebody else's with a journal", func(dir string) error {
			return errors.Join(os.WriteFile(filepath.Join(dir, "notes"), nil, 0o600), os.WriteFile(filepath.Join(dir, File), nil, 0o600))
		}},
		{"file in the folder's place", func(dir string) error {
			return errors.Join(os.Remove(dir), os.WriteFile(dir, nil, 0o600))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "state")
			require.NoError(t, errors.Join(os.Mkdir(dir, 0o700), tt.make(dir)))
			before := sizes(t, filepath.Dir(dir))
			assert.Error(t, Append(dir, record(t, "x")), "Append = nil, want an error")
			assert.Equal(t, before, sizes(t, filepath.Dir(dir)))
		})
	}
}

func sizes(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	of := map[string]int64{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == disk.Marker {
			return err
		}
		info, err := e.Info()
		if err == nil {
			of[path] = info.Size()
		}
		return err
	})
	require.NoError(t, err)
	return of
}

func TestAppendReopensARotatedFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, File)
	require.NoError(t, Append(dir, record(t, "old")))
	// A fold holds the lock of the file for which Append waits.
	f, err := os.Open(path)
	require.NoError(t, err)
	ok, err := system.TryLock(system.FileOf(f), true)
	require.True(t, ok, err)
	done := make(chan error)
	go func() { done <- Append(dir, record(t, "new")) }()
	time.Sleep(3 * time.Millisecond)
	require.NoError(t, os.Rename(path, path+".1"))
	f.Close()
	require.NoError(t, <-done)
	old, _ := os.ReadFile(path + ".1")
	if got := lines(t, dir); len(got) != 1 || !strings.Contains(got[0], `"new"`) || bytes.Contains(old, []byte(`"new"`)) {
		t.Errorf("after a rotation the new file holds %q, want the new line only there", got)
	}
}

func TestNoSecretIsWritten(t *testing.T) {
	canary := "glpat-" + "kV7pQz2LmX9rT4wB1cD5"
	r := record(t, "use "+canary)
	r.Cwd, r.Transcript = "/home/ann/"+canary, "/t/"+canary
	r.Decision.Context, r.Decision.Notes = "- a: "+canary, []string{"settings: line 1: password: " + canary, strings.Repeat("x ", maxNote/2-5) + canary}
	dir := t.TempDir()
	require.NoError(t, Append(dir, r))
	o := New(KindOutcome, noon)
	o.Outcome = &Outcome{Tool: ToolRead, Skill: "deploy", Path: "/x/" + canary + "/SKILL.md"}
	require.NoError(t, Append(dir, o))
	for _, line := range lines(t, dir) {
		require.NotContains(t, line, canary[:14])
		assert.Contains(t, line, "[redacted:")
	}
	assert.Contains(t, r.Cwd, canary)
	old := record(t, "")
	old.Decision.Prompt, old.Decision.Notes, old.Cwd = "use "+canary, []string{canary}, "/"+canary
	if text := fmt.Sprint(old.Lower(Full), old.Decision, old.Cwd); strings.Contains(text, canary) || !strings.HasPrefix(text, "true") {
		t.Errorf("Lower leaves %s", text)
	}
}

func TestPrivacyLevels(t *testing.T) {
	long := strings.Repeat("나", maxPrompt+1)
	d := func(prompt string) gate.Decision {
		return gate.Decision{
			Prompt: prompt, Context: "… (matched 리뷰)", Chars: 9,
			Candidates: []gate.Candidate{{Name: "pr-review", Score: 3, Matched: []gate.Match{{Term: "리뷰", Via: "review", Field: "name", Score: 3}}}},
		}
	}
	terms := []string{"review", "pr", "review"}
	tests := []struct {
		name, level, prompt           string
		wantPrompt, wantHash, wantLvl string
		wantTerms                     []string
		wantCut, wantWords            bool
	}{
		{"full text, redacted", Full, "mail ann@example.com", "mail [redacted:email]", "", Full, nil, false, true},
		{"full text, cut with its terms", Full, long, strings.Repeat("나", maxPrompt), "", Full, []string{"pr", "review"}, true, true},
		{"terms only", Terms, "PR 리뷰해줘", "", "", Terms, []string{"pr", "review"}, false, true},
		{"hash only", Hash, "PR 리뷰해줘", "", PromptHash("PR 리뷰해줘"), Hash, nil, false, false},
		{"nothing", None, "PR 리뷰해줘", "", "", None, nil, false, false},
		{"unknown level keeps a hash", "ful", "PR 리뷰해줘", "", PromptHash("PR 리뷰해줘"), Hash, nil, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := d(tt.prompt)
			var r Record
			r.SetDecision(in, tt.level, terms)
			if r.Decision.Prompt != tt.wantPrompt || r.PromptHash != tt.wantHash || r.Prompts != tt.wantLvl ||
				r.Cut != tt.wantCut || !slices.Equal(r.Terms, tt.wantTerms) {
				t.Errorf("SetDecision(%.20q, %s): prompt %.30q, hash %q, level %q, cut %v, terms %q", tt.prompt, tt.level,
					r.Decision.Prompt, r.PromptHash, r.Prompts, r.Cut, r.Terms)
			}
			line, err := encode(r)
			require.NoError(t, err)
			if got := strings.Contains(string(line), "리뷰"); got != tt.wantWords {
				t.Errorf("SetDecision(…, %s): the line holds words of the prompt: %v, want %v: %.300s", tt.level, got, tt.wantWords, line)
			}
			assert.Empty(t, cmp.Diff(d(tt.prompt), in))
		})
	}
}

func TestLower(t *testing.T) {
	full := func() Record { return record(t, "PR 리뷰해줘") }
	r := full()
	assert.False(t, r.Lower(Full), "Lower(full) of a clean prompt = true, want false")
	if !r.Lower(Hash) || r.Decision.Prompt != "" || r.PromptHash != PromptHash("PR 리뷰해줘") || r.Prompts != Hash {
		t.Errorf("Lower(hash) left %+v", r)
	}
	if !r.Lower(None) || r.PromptHash != "" || r.Lower(Hash) {
		t.Errorf("Lower(none) left %+v, or Lower(hash) raised it again", r)
	}
	for _, level := range []string{Hash, None} {
		r = full()
		r.Decision.Context = "… (matched 리뷰)"
		r.Decision.Candidates = []gate.Candidate{{Name: "pr-review", Matched: []gate.Match{{Term: "리뷰", Via: "review"}}}}
		r.Lower(level)
		line, err := encode(r)
		require.NoError(t, err)
		assert.NotContains(t, string(line), "리뷰", "Lower(%s) left words of the prompt: %s", level, line)
	}
	r = full()
	r.Decision.Prompt = "mail ann@example.com"
	require.True(t, r.Lower(Full))
	assert.Equal(t, "mail [redacted:email]", r.Decision.Prompt)
}

func TestSessionMemory(t *testing.T) {
	dir := t.TempDir()
	if s, err := LoadSession(dir, "s1"); err != nil || !cmp.Equal(s, Session{}) {
		t.Fatalf("LoadSession of a new session = %+v, %v", s, err)
	}
	s := Session{LastPrompt: PromptHash("a")}
	s.Describe("pr-review", "pdf", "pr-review")
	s.Load("tools:docx")
	require.NoError(t, UpdateSession(dir, "s1", func(kept *Session) { *kept = s }))
	got, err := LoadSession(dir, "s1")
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(s, got))
	for name, want := range map[string]bool{"pdf": true, "docx": true, "tools:docx": true, "other:docx": false, "xlsx": false} {
		assert.Equal(t, want, got.Knows(name), "Knows(%q) = %v, want %v", name, !want, want)
		want = want && name != "pdf"
		assert.Equal(t, want, got.hasLoaded(name), "HasLoaded(%q) = %v, want %v", name, !want, want)
	}
	other, _ := LoadSession(dir, "../s1")
	assert.True(t, cmp.Equal(other, Session{}), "LoadSession of another id = %+v, want nothing", other)
	require.NoError(t, UpdateSession(dir, "s1", (*Session).Reset))
	if got, _ := LoadSession(dir, "s1"); !cmp.Equal(got, Session{}) {
		t.Errorf("after Reset the session is %+v, want nothing", got)
	}
	entries, _ := os.ReadDir(filepath.Join(dir, sessionsDir))
	assert.Len(t, entries, 2)
	if fi, _ := entries[1].Info(); fi.Mode().Perm() != 0o600 {
		t.Errorf("mode of a session file = %o, want 600", fi.Mode().Perm())
	}
}

func TestSessionRepeats(t *testing.T) {
	type ask struct {
		ms        int // since the session began
		turn      string
		text      string
		repeats   bool
		described bool // the session knows the skill afterwards
	}
	tests := []struct {
		name string
		asks []ask
	}{
		{"sent again in another turn", []ask{{0, "p1", "fill in forms", false, true}, {9000, "p2", "fill in forms", true, true}}},
		{"queued, called back and queued again", []ask{
			{0, "p1", "hello", false, false}, {2000, "p1", "fill in forms", false, false}, {4000, "p1", "fill in forms", false, false},
		}},
		{"queued, called back and sent when the turn was over", []ask{
			{0, "p1", "hello", false, false}, {2000, "p1", "fill in forms", false, false}, {4000, "p2", "fill in forms", false, true},
		}},
		{"the turn's own prompt is queued", []ask{{0, "p1", "fill in forms", false, true}, {2000, "p1", "fill in forms", false, true}}},
		{"a host without prompt ids", []ask{{0, "", "fill in forms", false, true}, {9000, "", "fill in forms", true, true}}},
		{"another prompt between", []ask{
			{0, "p1", "fill in forms", false, true}, {4000, "p2", "hello", false, true}, {9000, "p3", "fill in forms", false, true},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var s Session
			for i, a := range tt.asks {
				prompt := triage.Classify(a.text)
				turn := Turn{ID: a.turn, At: time.Unix(0, 0).Add(time.Duration(a.ms) * time.Millisecond)}
				assert.Equal(t, a.repeats, s.Repeats(prompt, turn), i)
				d := gate.Decision{Verdict: gate.Skip}
				if prompt.Kind == triage.Search && !a.repeats {
					d = gate.Decision{Verdict: gate.Inject, Candidates: []gate.Candidate{{Name: "forms", Injected: true}}}
				}
				s.Answered(prompt, turn, d, "")
				assert.Equal(t, a.described, s.Knows("forms"), i)
			}
		})
	}
}

func TestSettle(t *testing.T) {
	at := func(turn string, seconds int) Turn { return Turn{ID: turn, At: time.Unix(int64(seconds), 0)} }
	said := func(name string) gate.Decision {
		return gate.Decision{Verdict: gate.Inject, Context: "Skills: " + name, Chars: 10, Candidates: []gate.Candidate{{Name: name, Injected: true}}}
	}
	const a, b = "fill in forms", "count the boats"
	held := func(turn, prompt string, texts ...string) Held { return Held{turn, []string{prompt}, texts} }
	type step struct {
		asked, in string // a prompt, and the running turn
		turns     []Held // otherwise the end of a turn
		cut       bool   // the beginning of the conversation is missing
		late      bool   // the end of the turn is missing
	}
	tests := []struct {
		name    string
		steps   []step
		booked  string // "decision turn"
		known   string
		repeats bool // that a, asked in a new turn, repeats the last prompt
		open    int  // answers that may become known
	}{
		{"answered", []step{{asked: a, in: "1"}, {turns: []Held{held("1", a, "Skills: a0")}}}, "d0 1", "a0", true, 0},
		{"interrupted before the model spoke, and taken back", []step{{asked: a, in: "1"}}, "", "", false, 1},
		{"the end of another turn says nothing of it", []step{{asked: b, in: "1"}, {asked: a, in: "1"},
			{turns: []Held{held("1", b, "Skills: a0")}}}, "d0 1", "a0", false, 0},
		{"queued", []step{{asked: b, in: "1"}, {asked: a, in: "1"}, {turns: []Held{held("1", b, "Skills: a0")}},
			{turns: []Held{held("1", b, "Skills: a0"), held("2", a, "Skills: a1")}}}, "d0 1 d1 2", "a0 a1", true, 0},
		{"queued while a queued one was answered", []step{
			{asked: b, in: "1"}, {asked: a, in: "1"}, {turns: []Held{held("1", b, "Skills: a0")}}, {asked: "read the tides", in: "2"},
			{turns: []Held{held("1", b, "Skills: a0"), held("2", a, "Skills: a1")}},
			{turns: []Held{held("1", b, "Skills: a0"), held("2", a, "Skills: a1"), held("3", "read the tides", "Skills: a2")}},
		}, "d0 1 d1 2 d2 3", "a0 a1 a2", false, 0},
		{"queued, called back and queued again", []step{{asked: b, in: "1"}, {asked: a, in: "1"}, {asked: a, in: "1"},
			{turns: []Held{held("1", b, "Skills: a0"), held("2", a, "Skills: a2")}}}, "d0 1 d2 2", "a0 a2", true, 0},
		{"answered, then undone by a rewind", []step{{asked: a, in: "1"}, {turns: []Held{held("1", a, "Skills: a0")}},
			{asked: b, in: "2"}, {turns: []Held{held("2", b, "Skills: a1")}}}, "d0 1 d1 2", "a1", false, 0},
		{"one turn with two ends", []step{{asked: a, in: "1"}, {turns: []Held{held("1", a, "Skills: a0")}},
			{turns: []Held{held("1", a, "Skills: a0")}}}, "d0 1", "a0", true, 0},
		{"an answer that others add to", []step{{asked: a, in: "1"}, {turns: []Held{held("1", a, "Time: noon", "Skills: a0")}}}, "d0 1", "a0", true, 0},
		{"the beginning is too far back", []step{
			{asked: b, in: "1"}, {turns: []Held{held("1", b, "Skills: a0")}}, {asked: a, in: "2"}, {turns: []Held{held("2", a, "Skills: a1")}, cut: true},
		}, "d0 1 d1 2", "a0 a1", true, 0},
		{"undone by a rewind, while the beginning is too far back", []step{
			{asked: b, in: "1"}, {turns: []Held{held("1", b, "Skills: a0")}}, {asked: a, in: "2"}, {turns: []Held{{ID: "1"}, held("2", a, "Skills: a1")}, cut: true},
		}, "d0 1 d1 2", "a1", true, 0},
		{"asked again in a later turn than one whose answer is forgotten",
			[]step{{asked: a, in: "2"}, {turns: []Held{held("1", a), held("2", a, "Skills: a0")}}}, "d0 2", "a0", true, 0},
		{"queued again in a later turn than one whose answer is forgotten", []step{
			{asked: b, in: "2"}, {asked: a, in: "2"}, {turns: []Held{held("1", a), held("2", b, "Skills: a0")}},
			{turns: []Held{held("1", a), held("2", b, "Skills: a0"), held("3", a, "Skills: a1")}},
		}, "d0 2 d1 3", "a0 a1", true, 0},
		{"nothing is understood of the transcript", []step{{asked: b, in: "1"}, {turns: []Held{}}, {asked: a, in: "2"}}, "d0 1", "a0", false, 1},
		{"the turn is not written yet, and a prompt waits", []step{
			{asked: b, in: "1"}, {asked: a, in: "1"}, {turns: []Held{}}, {turns: []Held{held("1", b, "Skills: a0"), held("2", a, "Skills: a1")}},
		}, "d0 1 d1 2", "a0 a1", true, 0},
		{"the turn after another is not written yet", []step{
			{asked: b, in: "1"}, {turns: []Held{held("1", b, "Skills: a0")}}, {asked: a, in: "2"}, {turns: []Held{held("1", b, "Skills: a0")}, late: true},
		}, "d0 1 d1 2", "a0", false, 1},
		{"a turn whose own prompt was queued is not written yet, and another prompt waits", []step{
			{asked: b, in: "1"}, {asked: a, in: "1"}, {turns: []Held{held("1", b, "Skills: a0")}}, {asked: "read the tides", in: "2"},
			{turns: []Held{held("1", b, "Skills: a0")}, late: true},
		}, "d0 1", "a0", false, 1},
		{"a prompt that never got its turn, and a transcript that cannot be read", []step{
			{asked: b, in: "1"}, {turns: []Held{}}, {asked: b, in: "2"}, {asked: a, in: "3"}, {turns: []Held{}}, {asked: "read the tides", in: "4"}, {turns: []Held{}},
		}, "d0 1 d2 3 d3 4", "a0 a2 a3", false, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := Session{Watched: true}
			current := ""
			var booked []string
			for i, step := range tt.steps {
				if step.asked == "" {
					for _, b := range s.settle(Conversation{Current: current, Turns: step.turns, Whole: !step.cut, Late: step.late}.short()) {
						booked = append(booked, b.Decision+" "+b.Turn)
					}
					continue
				}
				current = step.in
				n := fmt.Sprint(len(s.Answers))
				s.Answered(triage.Classify(step.asked), at(step.in, 9*i), said("a"+n), "d"+n)
			}
			assert.Equal(t, tt.booked, strings.Join(booked, " "))
			require.Equal(t, tt.known, strings.Join(s.Described, " "))
			assert.Equal(t, 10*(len(s.Described)+tt.open), s.spent())
			assert.Equal(t, tt.repeats, s.Repeats(triage.Classify(a), at("9", 99)))
		})
	}
}

// A compaction in the middle of a turn does not detach the decision from its turn.
func TestSettleAfterACompaction(t *testing.T) {
	s := Session{Watched: true}
	d := gate.Decision{Verdict: gate.Inject, Context: "Skills", Candidates: []gate.Candidate{{Name: "forms", Injected: true}}}
	s.Answered(triage.Classify("fill in forms"), Turn{ID: "1"}, d, "d1")
	s.Reset()
	c := Conversation{Turns: []Held{{ID: "1", Prompts: []string{"fill in forms"}}}, Whole: true}
	if got := s.settle(c.short()); len(got) != 1 || got[0] != (Booked{"d1", "1"}) || s.Knows("forms") {
		t.Errorf("Settle = %v, and the session knows %v; want the turn, and nothing known", got, s.Described)
	}
}

func TestSpentIsKept(t *testing.T) {
	s := Session{Watched: true}
	for i := range 3 * maxAnswers {
		s.Answered(triage.Classify(fmt.Sprint("count boat ", i)), Turn{ID: fmt.Sprint(i)}, gate.Decision{Context: "Skills", Chars: 10}, "")
	}
	require.Equal(t, 30*maxAnswers, s.Request(triage.Prompt{}).Spent)
	assert.Len(t, s.Answers, maxAnswers)
}

func TestCorruptSessionIsNew(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{"", "{", `{"described":7}`, "\x00\x00", strings.Repeat("x", 2*maxSession)} {
		err := errors.Join(disk.Ensure(filepath.Join(dir, sessionsDir), disk.Sessions),
			os.WriteFile(sessionFile(dir, "s"), []byte(text), 0o600))
		require.NoError(t, err)
		if s, err := LoadSession(dir, "s"); err != nil || !cmp.Equal(s, Session{}) {
			t.Errorf("LoadSession of %.10q = %+v, %v, want a new session", text, s, err)
		}
		assert.NoError(t, UpdateSession(dir, "s", func(s *Session) { s.Load("x") }), text)
	}
}

func TestSessionsGrowByLines(t *testing.T) {
	const old = `{"last_prompt":"old"}`
	for _, tt := range []struct{ name, text, want string }{
		{"of an earlier version", old, "old"},
		{"a line", old + "\n", "old"},
		{"two lines", "{}\n" + old + "\n", "old"},
		{"half a line after it", old + "\n" + `{"last_prompt":"ne`, "old"},
		{"a damaged line after it", old + "\n{\n", "old"},
		{"a line that two processes share", old + "\n" + `{"last_prompt":"n{"last_prompt":"x"}` + "\n", "old"},
		{"damaged lines alone", "{\n{\n", ""},
		{"as much as is appended", strings.Repeat(old+"\n", maxAppended/len(old)), "old"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			file, second := sessionFile(dir, "s"), filepath.Join(dir, "second")
			require.NoError(t, disk.Ensure(filepath.Dir(file), disk.Sessions))
			require.NoError(t, os.WriteFile(file, []byte(tt.text), 0o600))
			s, err := LoadSession(dir, "s")
			if err != nil || s.LastPrompt != tt.want {
				t.Errorf("LoadSession = %+v, %v, want %q", s, err, tt.want)
			}
			for i := range 1000 {
				text := fmt.Sprint("new ", i)
				require.NoError(t, UpdateSession(dir, "s", func(s *Session) { s.LastPrompt = text }))
				if s, err := LoadSession(dir, "s"); err != nil || s.LastPrompt != text {
					t.Fatalf("LoadSession after change %d = %+v, %v", i, s, err)
				}
				if info, err := os.Stat(file); err != nil || info.Size() > maxAppended {
					t.Fatalf("after change %d: %v, %v, want at most %d bytes", i, info, err, maxAppended)
				}
			}
			require.NoError(t, os.Link(file, second)) // the second name may belong to somebody else
			before, _ := os.ReadFile(second)
			require.NoError(t, UpdateSession(dir, "s", func(s *Session) { s.LastPrompt = "last" }))
			if after, err := os.ReadFile(second); err != nil || !bytes.Equal(after, before) {
				t.Errorf("the second name's text has changed (%v)", err)
			}
			s, err = LoadSession(dir, "s")
			if err != nil || s.LastPrompt != "last" {
				t.Errorf("LoadSession with a second name = %+v, %v", s, err)
			}
		})
	}
	dir := t.TempDir()
	require.NoError(t, UpdateSession(dir, "s", func(s *Session) { s.LastPrompt = "a" }))
	first, err := os.Stat(sessionFile(dir, "s"))
	require.NoError(t, err)
	require.NoError(t, UpdateSession(dir, "s", func(s *Session) { s.LastPrompt = "b" }))
	if second, err := os.Stat(sessionFile(dir, "s")); err != nil || !os.SameFile(first, second) {
		t.Errorf("the second change has replaced the file (%v)", err)
	}
}

func TestUpdatesDoNotUndoEachOther(t *testing.T) {
	dir := t.TempDir()
	const n = 8
	done := make(chan error)
	for i := range n {
		go func() {
			done <- updateSession(dir, "s", time.Minute, func(s *Session) { s.Load(fmt.Sprint("skill-", i)) })
		}()
	}
	for range n {
		assert.NoError(t, <-done)
	}
	s, _ := LoadSession(dir, "s")
	assert.Len(t, s.Loaded, n)
}

func TestSweepSessions(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	ages := map[string]time.Duration{"old": sessionAge + time.Hour, "young": sessionAge - time.Hour}
	for id, age := range ages {
		require.NoError(t, UpdateSession(dir, id, func(s *Session) { s.LastPrompt = id }))
		require.NoError(t, os.Chtimes(sessionFile(dir, id), now.Add(-age), now.Add(-age)))
	}
	require.NoError(t, SweepSessions(dir, now))
	old, _ := LoadSession(dir, "old")
	young, _ := LoadSession(dir, "young")
	if old.LastPrompt != "" || young.LastPrompt == "" {
		t.Errorf("after the sweep old = %+v, young = %+v, want only the young one", old, young)
	}
	assert.NoError(t, SweepSessions(filepath.Join(dir, "nowhere"), now))
}

func FuzzLoadSession(f *testing.F) {
	f.Add([]byte(`{"last_prompt":"x","described":["a"]}`))
	f.Add([]byte(`{"described":7}`))
	f.Add([]byte("{\"last_prompt\":\"x\"}\n{\"last"))
	dir := f.TempDir()
	if err := UpdateSession(dir, "s", func(*Session) {}); err != nil { // creates the folder as skillgate's own
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		require.NoError(t, os.WriteFile(sessionFile(dir, "s"), text, 0o600))
		if _, err := LoadSession(dir, "s"); err != nil {
			t.Fatalf("LoadSession(%q) = %v, want a session", text, err)
		}
		if err := UpdateSession(dir, "s", func(s *Session) { s.Load("a skill") }); err != nil && len(text) < maxSession/8 {
			t.Errorf("UpdateSession of %q = %v", text, err)
		}
	})
}

func TestSubfoldersOfASession(t *testing.T) {
	dir := t.TempDir()
	found := func(second int, path string, names ...string) Found {
		f := Found{At: time.Unix(int64(second), 0)}
		f.Path = path
		for _, name := range names {
			f.Names = map[string]string{name[strings.LastIndex(name, ":")+1:]: name}
		}
		return f
	}
	settle := func(want string, all ...Found) {
		t.Helper()
		_, fresh, err := Settle(dir, "s1", Conversation{Found: all})
		require.NoError(t, err, all)
		assert.Equal(t, want, strings.Join(fresh, " "), all)
	}
	held := func(want string) {
		t.Helper()
		s, err := LoadSession(dir, "s1")
		require.NoError(t, err)
		assert.Equal(t, want, fmt.Sprint(s.Subfolders))
	}
	settle("web", found(1, "web"))
	settle("api", found(1, "web"), found(2, "api", "api:deploy"), found(2, "web", "web:deploy"))
	held("[{web map[deploy:web:deploy]} {api map[deploy:api:deploy]}]")
	update := func(fn func(*Session)) {
		require.NoError(t, UpdateSession(dir, "s1", fn))
	}
	update((*Session).Reset)
	held("[{web map[deploy:web:deploy]} {api map[deploy:api:deploy]}]")
	update(func(s *Session) { s.Begin(time.Unix(5, 0)) })
	settle("", found(1, "web"), found(2, "api", "api:deploy"))
	held("[]")
	settle("api", found(2, "web"), found(6, "api"))
	held("[{api map[]}]")

	// The session stays small, and subfolders that do not fit are not reported as new again.
	var all []Found
	for i := range 3 * maxSubfolders {
		f := found(10+i, fmt.Sprintf("folder-%02d", i))
		f.Names = map[string]string{}
		for j := range 2 * maxRenamed {
			folder := fmt.Sprintf("%s-%03d", strings.Repeat("s", maxSubfolder/4), j)
			f.Names[folder] = f.Path + ":" + folder
		}
		all = append(all, f, found(10, strings.Repeat("x", 9999)))
	}
	settle("folder-00 folder-01 folder-02 folder-03 folder-04 folder-05 folder-06", all...)
	settle("", all...)
	s, _ := LoadSession(dir, "s1")
	require.Len(t, s.Subfolders, maxSubfolders)
	assert.Len(t, s.Subfolders[1].Names, maxRenamed)
	if text, err := json.Marshal(s); err != nil || len(text) > maxSession/2 {
		t.Errorf("the session has %d bytes, %v", len(text), err)
	}
}

func TestSameUse(t *testing.T) {
	const file = "/repo/packages/web/.claude/skills/deploy/SKILL.md"
	tests := []struct {
		name, skill, path string
		want              bool
	}{
		{"deploy", "deploy", "", true},
		{"Deploys", "deploy", "", true}, // by its folder
		{"deploy", "other", file, true},
		{"deploy", "other", "", false},
		{"packages/web:deploy", "packages/web:deploy", "", true},
		{"packages/web:deploy", "deploy", "", true},
		{"packages/web:deploy", "packages/api:deploy", "", false},
		{"packages/web:deploy", "packages/api:deploy", file, true},
	}
	for _, tt := range tests {
		if got := SameUse(tt.name, file, tt.skill, tt.path); got != tt.want {
			t.Errorf("SameUse(%s, %s, %s, %q) = %v, want %v", tt.name, file, tt.skill, tt.path, got, tt.want)
		}
	}
}
