package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/synonyms"
)

func userDict(t *testing.T, text string) dirs.Dirs {
	t.Helper()
	d := dirs.Dirs{Config: t.TempDir()}
	require.NoError(t, os.WriteFile(DictFile(d), []byte(text), 0o600))
	return d
}

func TestUserDictIsCompiled(t *testing.T) {
	data, err := CompileDict(DictFile(userDict(t, "korean:\n  떡메: {en: [mallet], also: [떡 메]}\n"+
		"english:\n  - {means: [mallet], say: [rice hammer]}\n")))
	require.NoError(t, err)
	user, err := synonyms.Open(string(data))
	require.NoError(t, err)
	if got := synonyms.Default().With(user).Senses("떡메"); len(got) != 1 || got[0] != "mallet" {
		t.Errorf("Senses(떡메) = %q, want [mallet]", got)
	}
}

func TestUserDictAbsentIsNone(t *testing.T) {
	data, err := CompileDict(DictFile(dirs.Dirs{Config: t.TempDir()}))
	require.Nil(t, data)
	assert.NoError(t, err)
}

func TestUserDictErrorsNameFileAndLine(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"a headword twice", "korean:\n  떡메: {en: [mallet]}\n  맷돌: {en: [millstone]}\n  떡 메: {en: [hammer]}\n", "synonyms.yaml:4: "},
		{"an unknown key", "korean:\n  떡메: {en: [mallet], de: [Hammer]}\n", `synonyms.yaml:2: unknown key "de"`},
		{"no YAML", "korean: [\n", "synonyms.yaml: yaml: line 1"},
		{"four senses", "korean:\n  떡메: {en: [one, two, three, four]}\n", "synonyms.yaml:2: 떡메 has 4 senses"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data, err := CompileDict(DictFile(userDict(t, tt.text)))
			if err == nil || data != nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("CompileDict(%q) = %d bytes, %v, want an error with %q", tt.text, len(data), err, tt.want)
			}
		})
	}
}

func TestUserDictErrorsAreFew(t *testing.T) {
	_, err := CompileDict(DictFile(userDict(t, "korean:\n"+strings.Repeat("  떡메: {en: [mallet]}\n", 40))))
	if err == nil || strings.Count(err.Error(), "\n") != ShownProblems || !strings.Contains(err.Error(), "and 34 more") {
		t.Errorf("CompileDict of 40 equal entries: %v, want %d problems and the number of the others", err, ShownProblems)
	}
}

func TestUserDictOfHundredThousand(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles 100,000 entries")
	}
	var b strings.Builder
	b.WriteString("korean:\n")
	for i := range 100_000 {
		fmt.Fprintf(&b, "  %c%c%c%c: {en: [word%d]}\n", '가'+rune(i%100), '나'+rune(i/100%100), '다'+rune(i/10_000), '각', i)
	}
	start := time.Now()
	data, err := CompileDict(DictFile(userDict(t, b.String())))
	require.NoError(t, err)
	t.Logf("%d bytes of YAML, %d compiled, %v", b.Len(), len(data), time.Since(start).Round(time.Millisecond))
	user, err := synonyms.Open(string(data))
	require.NoError(t, err)
	if got := user.Senses("가나다각"); len(got) != 1 || got[0] != "word0" {
		t.Errorf("Senses of the first of 100,000 = %q, want [word0]", got)
	}
}

func TestUserDictMustBeAFile(t *testing.T) {
	d := dirs.Dirs{Config: t.TempDir()}
	require.NoError(t, os.Mkdir(DictFile(d), 0o700))
	_, err := CompileDict(DictFile(d))
	assert.ErrorContains(t, err, filepath.Base(DictFile(d)))
}
