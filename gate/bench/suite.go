package bench

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/catalog/libraryfile"
)

// Room is a skill library and the sets of prompts that are measured with it.
type Room struct {
	Library string
	Files   []string
	Only    string // if not "", only skills whose IDs have this prefix are in the library
	Sets    []CaseSet

	own      []catalog.Entry // skills of the library besides those in Files
	verbatim int             // number of phrases per language to sample from descriptions as cases
	korean   bool            // also sample the quoted phrases of Korean descriptions
	entries  []catalog.Entry
}

// CaseSet is a set of cases and prompts that the report shows together.
type CaseSet struct {
	Name     string
	Cases    []Case
	Sessions bool     // the cases are consecutive turns, and earlier turns of a session affect later ones
	Prompts  []Prompt // prompts in this package's format; more measures apply to them than to cases
	Measures []string // measures that apply to Prompts
	K        int      // number of candidates per prompt; 0 means DefaultK
	Beside   []string // search engines to compare with the gate: fullText, trigrams
}

// Subfolders of the folder public in a bench folder. Each has its own skill library.
var (
	oneDomain = []string{"azure", "gtm", "hometax", "lazy", "metarouter", "mhingston", "omh", "svelte"}
	tools     = []string{"functionchat", "metatool", "bfcl-multiple"}

	// strangers are small libraries with requests that their authors wrote.
	strangers = []string{"bizplan", "carlosarraes", "dotnet", "dwmkerr", "lecture", "ondata", "solopreneur"}

	koreanSets = []string{"hometax", "functionchat"} // sets with Korean skill descriptions
)

// phraseSample is the number of quoted phrases to sample per library and language. sessionSample is the number of
// unlabelled sessions to sample per owner.
const (
	phraseSample  = 400
	sessionSample = 3
)

// ReadSuite reads all sets of a bench folder: real turns and sessions, sets of other projects, phrases quoted in
// descriptions, and development sets.
func ReadSuite(dir string) ([]Room, error) {
	r := suiteReader{dir: dir}
	ko := Room{Library: "library-ko", Files: r.files("library-ko.jsonl.gz"), verbatim: phraseSample}
	en := Room{Library: "library-en", Files: r.files("library-en.jsonl.gz")}
	merged := Room{Library: "library-en+triggers",
		Files: r.files("library-en.jsonl.gz", "public/triggers/library.jsonl.gz"), verbatim: phraseSample}
	long := Room{Library: "library-en+skillsbench", Files: r.files("library-en.jsonl.gz", "library-skillsbench.jsonl.gz")}
	use := Room{Library: "TerminalSkills", Files: r.files("library-en.jsonl.gz"), Only: "TerminalSkills/skills"}

	for _, room := range []*Room{&ko, &en} {
		lang := strings.TrimPrefix(room.Library, "library-")
		first := r.read("people/needs_nothing.jsonl", room.Library)
		second := r.read("people/more_labelled.jsonl", room.Library)
		wants := r.read("people/needs_skill_"+lang+".jsonl", room.Library)
		room.add("people: native",
			slices.Concat(In("first collection", first), In("second collection", Only(Nothing, second))))
		room.add("people: requests",
			slices.Concat(In("first collection", wants), In("second collection", Only(Skill, second))))
	}
	labelled := r.read("people/sessions_labelled.jsonl", ko.Library)
	r.rightOf(labelled, "people/needs_skill_ko.jsonl")
	for i, c := range labelled {
		if c.Need != Nothing { // "native", the value of Nothing, is already a group
			labelled[i].Groups = append(c.Groups, string(c.Need))
		}
	}
	ko.Sets = append(ko.Sets, CaseSet{Name: "sessions: labelled", Cases: labelled, Sessions: true})
	other := slices.Concat(r.read("people/sessions.jsonl.gz", ko.Library),
		r.read("people/more_sessions.jsonl.gz", ko.Library))
	ko.Sets = append(ko.Sets, CaseSet{Name: "sessions: unlabelled", Cases: capped(other, sessionSample), Sessions: true})
	ko.add("strangers: turns", r.read("people/strangers_labelled.jsonl", ko.Library))
	ko.add("dev: library-ko", r.own("dev_ko_library.jsonl"))
	ko.add("dev: gate", r.own("dev_gate.jsonl"))
	ko.prompts("dev: composite", r.prompts("dev_ko_library.jsonl", Composite))
	ko.prompts("dev: boundary", r.prompts("dev_boundary.jsonl", Boundary))
	ko.prompts("dev: triage", r.prompts("dev_gate.jsonl", Gate))
	en.add("dev: library-en", r.own("dev_en_library.jsonl"))
	long.add("dev: SkillsBench", r.own("dev_skillsbench.jsonl"))
	use.add("dev: use cases", r.own("dev_usecases.jsonl"))
	triggers := r.read("public/triggers/prompts.jsonl", merged.Library)
	merged.Sets = append(merged.Sets, CaseSet{Name: "triggers", Cases: triggers, Beside: []string{fullText}})
	rooms := []Room{ko, en, merged, long, use, r.korean(en, triggers), r.pairs("ko"), r.pairs("en")}
	for _, name := range slices.Concat(oneDomain, tools) {
		room := Room{Library: name, Files: r.files("public/" + name + "/library.jsonl.gz")}
		room.add("public: "+name, r.read("public/"+name+"/prompts.jsonl", name))
		rooms = append(rooms, room)
	}
	among := Room{Library: en.Library + "+strangers", Files: en.Files}
	for _, name := range append(strangers[:len(strangers):len(strangers)], "aers") {
		own := Room{Library: "their own", Files: r.files("public/" + name + "/library.jsonl.gz")}
		own.add("strangers", In(name, r.read("public/"+name+"/prompts.jsonl", name)))
		rooms = append(rooms, own)
		if name != "aers" {
			among.Files = append(among.Files, own.Files...)
			among.Sets = append(among.Sets, CaseSet{Name: "strangers", Cases: Only(Skill, own.Sets[0].Cases)})
		}
	}
	rooms = append(append(rooms, among), r.spaceless(en)...)
	rooms = append(rooms, r.brought("public/bfcl-irrelevance/items.jsonl")...)
	return rooms, r.err
}

// spacelessData holds Chinese and Japanese skills of six owners, requests for them, and turns that need no skill. The
// need model is trained on learn.jsonl. judge.jsonl has prompts for skills of other owners.
//
//go:embed testdata/cjk/*.jsonl
var spacelessData embed.FS

// spaceless returns the rooms for spacelessData: one with all of its skills and those of the room others, and one for
// each owner's skills alone.
func (r *suiteReader) spaceless(others Room) []Room {
	fail := func(err error) { r.err = cmp.Or(r.err, err) }
	in, err := spacelessData.Open("testdata/cjk/library.jsonl")
	fail(err)
	skills, err := catalog.ReadJSONL(in, "cjk")
	fail(err)
	rooms := []Room{{Library: others.Library + "+cjk", Files: others.Files, own: skills}}
	for _, name := range []string{"judge", "learn"} {
		in, err := spacelessData.Open("testdata/cjk/" + name + ".jsonl")
		fail(err)
		cases, err := readCases(name, in, "")
		fail(err)
		for i := range cases {
			cases[i].Groups = append(cases[i].Groups, cases[i].Lang+" "+string(cases[i].Need))
		}
		set := CaseSet{Name: "Chinese and Japanese: " + name, Cases: cases}
		rooms[0].Sets = append(rooms[0].Sets, set)
		for len(cases) > 0 {
			n := slices.IndexFunc(cases, func(c Case) bool { return c.Source != cases[0].Source })
			if n < 0 {
				n = len(cases)
			}
			own := Room{Library: "of one owner", Only: cases[0].Source + "/", own: skills}
			own.add(set.Name, cases[:n:n])
			rooms, cases = append(rooms, own), cases[n:]
		}
	}
	return rooms
}

// brought returns a room for each line of the file called name. The room has only the line's prompt and the line's
// tools, as skills.
func (r *suiteReader) brought(name string) []Room {
	var rooms []Room
	cases := r.read(name, "")
	if r.err != nil {
		return nil
	}
	err := EachLine(r.files(name)[0], func(n int, text []byte) error {
		var line struct{ Tools []json.RawMessage }
		if err := json.Unmarshal(text, &line); err != nil {
			return err
		}
		var tools bytes.Buffer
		for _, tool := range line.Tools {
			tools.Write(append(tool, '\n'))
		}
		skills, err := catalog.ReadJSONL(&tools, name)
		if err == nil {
			room := Room{Library: "tools brought along", Files: []string{fmt.Sprint(name, ":", n)}, entries: skills}
			room.add("strangers: no tool fits", cases[len(rooms):len(rooms)+1])
			rooms = append(rooms, room)
		}
		return err
	})
	r.err = err
	return rooms
}

func (r *suiteReader) korean(others Room, triggers []Case) Room {
	room := Room{Library: others.Library + "+Korean",
		Files: slices.Concat(others.Files, r.files("public/triggers/library.jsonl.gz")), korean: true}
	var cases []Case
	for _, name := range koreanSets {
		room.Files = append(room.Files, r.files("public/"+name+"/library.jsonl.gz")...)
		cases = append(cases, In(name, Only(Skill, r.read("public/"+name+"/prompts.jsonl", name)))...)
	}
	asked := Only(Skill, slices.DeleteFunc(slices.Clone(triggers), func(c Case) bool { return c.Lang != "ko" }))
	room.Sets = []CaseSet{{Name: koreanSkills, Cases: slices.Concat(cases, In("triggers", asked)),
		Beside: []string{fullText, trigrams}}}
	return room
}

func (r *suiteReader) pairs(library string) Room {
	room := Room{Library: "library-" + library + "+siblings",
		Files: r.files("library-"+library+".jsonl.gz", "siblings.jsonl.gz")}
	room.prompts("dev: pairs", slices.DeleteFunc(r.prompts("dev_pairs.jsonl", Pair),
		func(p Prompt) bool { return p.Library != library }))
	return room
}

type suiteReader struct {
	dir string
	err error
}

func (r *suiteReader) files(names ...string) []string {
	var out []string
	for _, n := range names {
		out = append(out, filepath.Join(r.dir, filepath.FromSlash(n)))
	}
	return out
}

func (r *suiteReader) read(name, library string) []Case {
	cases, err := ReadCases(r.files(name)[0], library)
	if err != nil && r.err == nil {
		r.err = err
	}
	return cases
}

func (r *suiteReader) own(name string) []Case {
	cases := r.read(name, "")
	return slices.DeleteFunc(cases, func(c Case) bool { return c.Need == Unclear })
}

func (r *suiteReader) prompts(name string, t Task) []Prompt {
	set, err := ReadPromptFile(r.files(name)[0])
	if err != nil && r.err == nil {
		r.err = err
	}
	for i := range set.Prompts {
		p := &set.Prompts[i]
		if p.Groups = nil; t == Gate {
			p.Groups = []string{p.Kind}
		}
	}
	return slices.DeleteFunc(set.Prompts, func(p Prompt) bool { return p.Task != t })
}

func (r *suiteReader) rightOf(turns []Case, name string) {
	right := map[string][]string{}
	for _, c := range r.read(name, "") {
		right[strings.TrimSpace(c.Query)] = c.Right
	}
	for i := range turns {
		if turns[i].Need == Skill && len(turns[i].Right) == 0 {
			turns[i].Right = right[strings.TrimSpace(turns[i].Query)]
		}
	}
}

func capped(turns []Case, n int) []Case {
	kept := map[string]map[string]bool{}
	var out []Case
	for _, c := range turns {
		if kept[c.Source] == nil {
			kept[c.Source] = map[string]bool{}
		}
		if kept[c.Source][c.Session] || len(kept[c.Source]) < n {
			kept[c.Source][c.Session] = true
			out = append(out, c)
		}
	}
	return out
}

func (r *Room) add(name string, cases []Case) {
	r.Sets = append(r.Sets, CaseSet{Name: name, Cases: cases})
}

func (r *Room) prompts(name string, prompts []Prompt) {
	r.Sets = append(r.Sets, CaseSet{Name: name, Prompts: prompts, Measures: suiteMeasures})
}

// Entries reads the skills of the room and adds the set of quoted phrases if the room has one. If several skills have
// the same ID, it keeps the first.
func (r *Room) Entries() ([]catalog.Entry, error) {
	if r.entries != nil {
		return r.entries, nil
	}
	var out []catalog.Entry
	seen := map[string]bool{}
	for _, file := range append([]string{""}, r.Files...) {
		entries, err := r.own, error(nil)
		if file != "" {
			entries, err = libraryfile.Read(file)
		}
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if strings.HasPrefix(e.ID, r.Only) && !seen[e.ID] {
				seen[e.ID] = true
				out = append(out, e)
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("library %s contains no skills", r.Library)
	}
	if r.verbatim > 0 {
		r.add(quotedPhrases, Verbatim(out, r.verbatim))
	}
	if r.korean {
		set := &r.Sets[0]
		phrases := Verbatim(slices.DeleteFunc(slices.Clone(out),
			func(e catalog.Entry) bool { return !inKorean(e.Description) }), phraseSample)
		for _, c := range phrases {
			if c.Lang == "ko" {
				c.Groups = []string{"ko", "quoted"}
				set.Cases = append(set.Cases, c)
			}
		}
	}
	r.entries = out
	return out, nil
}

// Plain returns the answers of the search engines in s.Beside. Call Entries first.
func (r *Room) Plain(s *CaseSet) []Answer {
	var out []Answer
	for _, how := range s.Beside {
		cases := slices.DeleteFunc(slices.Clone(s.Cases), func(c Case) bool { return len(c.Right) == 0 })
		out = append(out, Plain(how, r.Library, s.Name, r.entries, cases)...)
	}
	return out
}

func inKorean(text string) bool {
	hangul, letters := 0, 0
	for _, c := range text {
		if unicode.IsLetter(c) {
			letters++
		}
		if unicode.Is(unicode.Hangul, c) {
			hangul++
		}
	}
	return hangul > 0 && 3*hangul >= letters
}

// Any reports whether wanted accepts any set of the room, including the set of quoted phrases.
func (r *Room) Any(wanted func(set string) bool) bool {
	return r.verbatim > 0 && wanted(quotedPhrases) || slices.ContainsFunc(r.Sets, func(s CaseSet) bool {
		return wanted(s.Name)
	})
}

const (
	quotedPhrases = "quoted phrases"
	koreanSkills  = "Korean skills"
)
