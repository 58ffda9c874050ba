package secret

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type named struct{ name, text, want string }

// readTexts returns the lines of a file in testdata: a name, a text with Go's escapes and in one file the redacted
// text, separated by tabs. Values are made up; a broken bar splits keys, so that scanners of secrets ignore the file.
func readTexts(t testing.TB, file string) []named {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	require.NoError(t, err)
	values := strings.NewReplacer(
		"¦", "", `"`, `\"`, "{pw}", "kV7pQz2LmX", "{machine}", "kV7pQz2LmX9rT4wB1cD5eF6gH3jK8nPq",
		"{hex32}", "4f8a1c7e2b9d6053f8e7a1b4c2d9e6f0", "{b64}", "MIIBOgIBAAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf9Cnzj4p4WGeKLs1Pt8Qu")
	var out []named
	for line := range strings.Lines(string(data)) {
		columns := append(strings.Split(strings.TrimSuffix(line, "\n"), "\t"), "")
		for i, column := range columns[1:] {
			columns[i+1], err = strconv.Unquote(`"` + values.Replace(column) + `"`)
			require.NoError(t, err, line)
		}
		out = append(out, named{columns[0], columns[1], columns[2]})
	}
	return out
}

// Each text of found.txt has a secret in ‹marks›.
func TestFound(t *testing.T) {
	for _, tt := range readTexts(t, "found.txt") {
		t.Run(tt.name, func(t *testing.T) {
			before, rest, _ := strings.Cut(tt.text, "‹")
			inside, behind, ok := strings.Cut(rest, "›")
			require.True(t, ok, "%q has no marks", tt.text)
			text := before + inside + behind
			got := Redact(text)
			for i := 0; i+8 <= len(inside); i++ {
				if strings.Contains(got, inside[i:i+8]) && !strings.Contains(before+behind, inside[i:i+8]) {
					t.Errorf("Redact(%q) = %q, which holds %q", text, got, inside[i:i+8])
					break
				}
			}
			if len(inside) < 8 && strings.Contains(got, inside) || got == text {
				t.Errorf("Redact(%q) = %q, want %q gone", text, got, inside)
			}
			if !strings.HasPrefix(got, before) || !strings.HasSuffix(got, behind) {
				t.Errorf("Redact(%q) = %q, want %q and %q to stay", text, got, before, behind)
			}
			assert.Equal(t, got, Redact(got))
		})
	}
}

func TestKept(t *testing.T) {
	for _, tt := range readTexts(t, "kept.txt") {
		assert.Equal(t, tt.text, Redact(tt.text), tt.name)
	}
}
