package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate/dirs"
)

// synonymsEnv is a home of its own and what its commands print.
type synonymsEnv struct {
	*journalEnv
	file string // the user's dictionary
}

func newSynonymsEnv(t *testing.T) *synonymsEnv {
	j := newJournalEnv(t)
	now := time.Now()
	j.now = func() time.Time { return now }
	d, err := dirs.FromEnv(j.getenv)
	if err != nil {
		t.Fatal(err)
	}
	return &synonymsEnv{j, userDictFile(d)}
}

func (s *synonymsEnv) synonyms(args ...string) (string, error) {
	return s.run(newSynonymsCommand(s.env), args...)
}

func (s *synonymsEnv) write(t *testing.T, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSynonymsListLooksUpBothLanguages(t *testing.T) {
	s := newSynonymsEnv(t)
	s.write(t, "korean:\n  떡메: {en: [mallet]}\n")
	tests := []struct {
		name, word string
		want       []string
	}{
		{"an inflected verb", "배포했는데", []string{"배포", "deploy", builtEntry}},
		{"an English phrase", "pull request", []string{"pull request"}},
		{"a word of the user", "떡메로", []string{"떡메", "mallet", ownEntry}},
		{"an English sense", "mallet", []string{"떡메", ownEntry}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := s.synonyms("list", tt.word)
			if err != nil {
				t.Fatalf("synonyms list %s: %v", tt.word, err)
			}
			for _, want := range tt.want {
				if !strings.Contains(out, want) {
					t.Errorf("synonyms list %s printed no %q:\n%s", tt.word, want, out)
				}
			}
		})
	}
	if _, err := s.synonyms("list", "쿼롭뎌"); err == nil || err.(*exitError).code != 1 {
		t.Errorf("synonyms list of an unknown word: %v, want status 1", err)
	}
}

func TestSynonymsListOwnAsJSON(t *testing.T) {
	s := newSynonymsEnv(t)
	s.write(t, "korean:\n  떡메: {en: [mallet]}\n")
	out, err := s.synonyms("list", "--own", "--json")
	var list []listedWord
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatalf("synonyms list --own --json printed %q: %v", out, err)
	}
	if err != nil || len(list) != 1 || list[0].Word != "떡메" || list[0].Origin != ownEntry {
		t.Errorf("synonyms list --own --json = %+v, %v, want 떡메 alone", list, err)
	}
}

func TestSynonymsAddKeepsComments(t *testing.T) {
	s := newSynonymsEnv(t)
	s.write(t, "# words of our team\nkorean:\n  맷돌: {en: [millstone]} # old\n")
	out, err := s.synonyms("add", "떡메", "mallet", "rice hammer", "--also", "떡 메", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var a added
	if err := json.Unmarshal([]byte(out), &a); err != nil || a.Word != "떡메" || len(a.Senses) != 2 || a.File != s.file {
		t.Errorf("synonyms add --json = %+v, %v, want 떡메 with two senses in %s", a, err, s.file)
	}
	text, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# words of our team\n", "맷돌: {en: [millstone]} # old\n", "떡메: {en: [mallet, rice hammer], also: [떡 메]}\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("after add the file is %q, want it to hold %q", text, want)
		}
	}
	if fi, err := os.Stat(s.file); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v, want 0600", fi.Mode(), err)
	}
}

// A bad entry, or a file that is bad already, leaves the file as it was.
func TestSynonymsAddRefuses(t *testing.T) {
	tests := []struct {
		name, before string
		args         []string
	}{
		{"four senses", "", []string{"떡메", "one", "two", "three", "four"}},
		{"a headword in English", "", []string{"mallet", "hammer"}},
		{"a file with a word given twice", "korean:\n  맷돌: {en: [mill]}\n  맷 돌: {en: [mill]}\n", []string{"떡메", "mallet"}},
		{"a file that is no YAML", "korean: [\n", []string{"떡메", "mallet"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSynonymsEnv(t)
			if tt.before != "" {
				s.write(t, tt.before)
			}
			if out, err := s.synonyms(append([]string{"add"}, tt.args...)...); err == nil {
				t.Errorf("synonyms add %q printed %q, want an error", tt.args, out)
			}
			if text, _ := os.ReadFile(s.file); string(text) != tt.before {
				t.Errorf("synonyms add %q left %q, want %q", tt.args, text, tt.before)
			}
		})
	}
}

func TestSynonymsAddThroughASymbolicLink(t *testing.T) {
	s := newSynonymsEnv(t)
	s.write(t, "")
	shared := filepath.Join(t.TempDir(), "shared.yaml")
	if err := os.Rename(s.file, shared); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(shared, s.file); err != nil {
		t.Fatal(err)
	}
	if _, err := s.synonyms("add", "떡메", "mallet"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(shared); err != nil || !strings.Contains(string(text), "떡메") {
		t.Errorf("the linked file is %q, %v, want the new entry in it", text, err)
	}
}

func TestSynonymsAddSaysWhatItReplaces(t *testing.T) {
	s := newSynonymsEnv(t)
	out, err := s.synonyms("add", "배포", "hand out")
	if err != nil || !strings.Contains(out, "it stands in for the built-in entry: deploy") {
		t.Errorf("synonyms add 배포 printed %q, %v, want what it stands in for", out, err)
	}
}

func TestSynonymsCheck(t *testing.T) {
	s := newSynonymsEnv(t)
	if out, err := s.synonyms("check"); err != nil || !strings.Contains(out, "0 problems") {
		t.Errorf("synonyms check without a file = %q, %v, want no problems", out, err)
	}
	s.write(t, "korean:\n  떡메: {en: [mallet]}\n  떡 메: {en: [hammer]}\nenglish:\n  - {means: [aaa bbb], say: [ccc ddd]}\n  - {means: [ccc ddd], say: [aaa bbb]}\n")
	out, err := s.synonyms("check")
	exit, ok := err.(*exitError)
	if !ok || exit.code != 1 || !strings.Contains(out, s.file+":3: ") || !strings.Contains(out, "leads back to it") {
		t.Errorf("synonyms check = %q, %v, want both problems with their lines and status 1", out, err)
	}
	out, _ = s.synonyms("check", "--json")
	var c checkedFile
	if err := json.Unmarshal([]byte(out), &c); err != nil || len(c.Problems) != 2 || c.Words != 2 || c.Phrases != 2 {
		t.Errorf("synonyms check --json = %+v, %v, want two problems of two words and two sets", c, err)
	}
	if _, err := s.synonyms("check", filepath.Join(t.TempDir(), "absent.yaml")); err == nil || err.(*exitError).code != 3 {
		t.Errorf("synonyms check of no file: %v, want status 3", err)
	}
}

// explained runs `synonyms explain` over the small library.
func (s *synonymsEnv) explained(t *testing.T, prompt string) readPrompt {
	t.Helper()
	library := writeBenchFile(t, "lib.jsonl", benchTestLibrary)
	out, err := s.synonyms("explain", "--json", "--library", library, prompt)
	if err != nil {
		t.Fatalf("synonyms explain %q: %v", prompt, err)
	}
	var p readPrompt
	if err := json.Unmarshal([]byte(out), &p); err != nil {
		t.Fatalf("synonyms explain --json printed %q: %v", out, err)
	}
	return p
}

func TestSynonymsExplain(t *testing.T) {
	s := newSynonymsEnv(t)
	s.write(t, "korean:\n  겨누개: {en: [telescope]}\n")
	p := s.explained(t, "그리고 겨누개로 dprtpf 파일을 spin up 해서 plan galaxies")
	if p.Skills != 4 || p.Kind != "search" {
		t.Errorf("explain says %d skills, kind %s, want 4 and search", p.Skills, p.Kind)
	}
	tests := []struct{ name, text, as, word, term string }{
		{"a word of the user, without its particle", "겨누개로", readKorean, "겨누개", "telescop"},
		{"a word without content", "그리고", readNothing, "", ""},
		{"a keyboard slip", "dprtpf", readSlip, "엑셀", "excel"},
		{"an English word", "galaxies", readEnglish, "galaxi", "galaxi"},
		{"an English phrase", "spin up", readPhrase, "deploy", "deploy"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			i := slices.IndexFunc(p.Words, func(w readWord) bool { return w.Text == tt.text && w.As == tt.as && w.Word == tt.word })
			if i < 0 {
				t.Fatalf("explain gives %+v, want %s read as %s %s", p.Words, tt.text, tt.as, tt.word)
			}
			if tt.term != "" && !slices.ContainsFunc(p.Words[i].Terms, func(r readTerm) bool { return r.Term == tt.term }) {
				t.Errorf("explain searches %+v for %s, want %s among them", p.Words[i].Terms, tt.text, tt.term)
			}
		})
	}
	i := slices.IndexFunc(p.Words, func(w readWord) bool { return w.Word == "겨누개" })
	for _, term := range p.Words[i].Terms {
		if want := map[string]int{"telescop": 1}[term.Term]; term.Skills != want {
			t.Errorf("explain counts %d skills with %s, want %d", term.Skills, term.Term, want)
		}
	}
}

func TestSynonymsExplainPrintsATable(t *testing.T) {
	s := newSynonymsEnv(t)
	library := writeBenchFile(t, "lib.jsonl", benchTestLibrary)
	out, err := s.synonyms("explain", "--library", library, "안녕하세요")
	if err != nil || !strings.Contains(out, "does not search this prompt: greeting") || !strings.Contains(out, "searched terms (skills of 4)") {
		t.Errorf("synonyms explain of a greeting printed %q, %v, want that it is not searched", out, err)
	}
}

// mineLibrary says paddle and a made-up 깔딱 together.
const mineLibrary = `{"id":"a/1","name":"a1","description":"Steers a paddle boat. 깔딱 젓기","body":"x"}
{"id":"a/2","name":"a2","description":"Repairs a paddle. 깔딱 수리","body":"x"}
{"id":"a/3","name":"a3","description":"Sells a paddle. 깔딱 판매","body":"x"}
{"id":"a/4","name":"a4","description":"Counts stars at night. 별자리 이야기","body":"x"}
{"id":"a/5","name":"a5","description":"Bakes bread. 빵 굽기","body":"x"}
{"id":"a/6","name":"a6","description":"Files tax returns. 세금 신고서","body":"x"}
{"id":"a/7","name":"a7","description":"Paddle races on the river","body":"x"}
{"id":"a/8","name":"a8","description":"Waters plants. 화분 물주기","body":"x"}
{"id":"a/9","name":"a9","description":"Tunes a piano. 피아노 조율","body":"x"}
{"id":"a/10","name":"a10","description":"Reads contracts. 계약 검토","body":"x"}
{"id":"a/11","name":"a11","description":"Draws maps. 지도 그리기","body":"x"}
`

func TestSynonymsMineWithGold(t *testing.T) {
	s := newSynonymsEnv(t)
	library := writeBenchFile(t, "lib.jsonl", mineLibrary)
	gold := writeBenchFile(t, "gold.jsonl", `{"id":"q1","query":"깔딱 races","lang":"mixed","gold":["a/7"]}
{"id":"q2","query":"bake bread","lang":"en","gold":["a/5"]}
`)
	out, err := s.synonyms("mine", "--library", library, "--gold", gold, "--least", "3", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var pairs []minedPair
	if err := json.Unmarshal([]byte(out), &pairs); err != nil {
		t.Fatalf("synonyms mine --json printed %q: %v", out, err)
	}
	if len(pairs) != 1 || pairs[0].Korean != "깔딱" || pairs[0].English != "paddle" || pairs[0].Both != 3 {
		t.Fatalf("synonyms mine = %+v, want 깔딱 = paddle alone", pairs)
	}
	if g := pairs[0].Gold; g == nil || g.Prompts != 1 || g.Worse != 0 {
		t.Errorf("synonyms mine --gold gives %+v, want one prompt with the word and none worse", g)
	}
	out, err = s.synonyms("mine", "--library", library)
	if err != nil || !strings.Contains(out, "skillgate synonyms add 깔딱 paddle") {
		t.Errorf("synonyms mine printed %q, %v, want the command that adds the pair", out, err)
	}
}

func TestSynonymsMineErrors(t *testing.T) {
	s := newSynonymsEnv(t)
	library := writeBenchFile(t, "lib.jsonl", mineLibrary)
	bad := writeBenchFile(t, "bad.jsonl", "{\"id\":\"q1\",\"query\":\"x\",\"gold\":[\"a/1\"]}\nnot json\n")
	unknown := writeBenchFile(t, "unknown.jsonl", "{\"id\":\"q1\",\"query\":\"x\",\"gold\":[\"a/99\"]}\n")
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"no library", nil, "library"},
		{"a library that is not there", []string{"--library", "/absent"}, "/absent"},
		{"a gold file with a bad line", []string{"--library", library, "--gold", bad}, "bad.jsonl:2"},
		{"a gold file with an unknown skill", []string{"--library", library, "--gold", unknown}, "unknown.jsonl:1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if out, err := s.synonyms(append([]string{"mine"}, tt.args...)...); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("synonyms mine %q = %q, %v, want an error with %q", tt.args, out, err, tt.want)
			}
		})
	}
}
