package synonyms

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/triage"
)

func read(t *testing.T, prompt string) readPrompt {
	t.Helper()
	var entries []catalog.Entry
	for name, description := range map[string]string{
		"sheets": "Fills an Excel sheet and makes tables of it.", "ship": "Deploys a service to the cluster.",
	} {
		text := "---\nname: " + name + "\ndescription: " + description + "\n---\n# " + name + "\n"
		file := catalog.File{Path: "/skills/" + name + "/SKILL.md", Folder: name}
		entries = append(entries, catalog.Parse(catalog.LibraryRoot("/skills"), file, []byte(text)))
	}
	x, err := index.Memory(t.Context(), entries, synonyms.Default(), nil)
	require.NoError(t, err)
	g := gate.OpenIndexes(gate.Default(), []string{"test"}, x)
	defer g.Close()
	p, err := explain(t.Context(), g, prompt)
	require.NoError(t, err)
	return p
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, prompt   string
		text, as, word string
		term           string // expected search term, or ""
		skills         int    // number of skills with the term
	}{
		{"a Korean word before its ending", "서버를 배포해줘", "배포", "korean", "배포", "deploy", 1},
		{"Korean that no dictionary has", "뚤꿻을 배포해줘", "뚤꿻", "unknown", "뚤꿻", "", 0},
		{"Korean typed in English", "dprtpf 열어줘", "dprtpf", "wrong keyboard mode", "엑셀", "excel", 1},
		{"an English word by its stem", "open the tables", "tables", "english", "tabl", "tabl", 1},
		{"an English word that no skill has", "open the galaxies", "galaxies", "english", "galaxi", "galaxi", 0},
		{"a part of a compound", "단위 테스트를 배포해줘", "단위 테스트", "korean", "테스트", "", 0},
		{"a phrase that descriptions call otherwise", "spin up the service", "spin up", "phrase", "deploy", "deploy", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := read(t, tt.prompt)
			require.Equal(t, string(triage.Search), p.Kind)
			assert.Equal(t, 2, p.Skills)
			i := slices.IndexFunc(p.Words, func(w readWord) bool {
				return w.Text == tt.text && w.As == tt.as && w.Word == tt.word
			})
			if i < 0 {
				t.Fatalf("Read(%q) = %+v, want %s read as %s, %s", tt.prompt, p.Words, tt.text, tt.as, tt.word)
			}
			if tt.term == "" {
				return
			}
			j := slices.IndexFunc(p.Words[i].Terms, func(x readTerm) bool { return x.Term == tt.term })
			if j < 0 || p.Words[i].Terms[j].Skills != tt.skills {
				t.Errorf("%s is searched by %+v, want %s of %d skills", tt.text, p.Words[i].Terms, tt.term, tt.skills)
			}
		})
	}
}

func TestReadOfWhatIsNotSearched(t *testing.T) {
	assert.Equal(t, string(triage.Greeting), read(t, "안녕하세요").Kind)
	if p := read(t, "…"); p.Kind != string(triage.Empty) || len(p.Words) != 0 {
		t.Errorf("nothing is %s with %+v", p.Kind, p.Words)
	}
	secret := "sk-ant-api03-Zq8vN2mKxW4pLr7TdYb3HcGf"
	for _, w := range read(t, "log in with "+secret+" please").Words {
		assert.NotEqual(t, secret, w.Text, "a key is read as a word")
	}
}
