package catalog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

func TestYAMLFault(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"a field that is not known": {"nmae: x", "line 1: unknown field nmae"},
		"a list for a text":         {"name: [a]", "line 1: a list is not text"},
		"a text for a number":       {"size: many", "line 1: `many` is not a whole number"},
		"a key twice":               {"name: a\nname: b", `"name" is already set on line 1`},
		"a colon in a value":        {"name: a: b", "a colon and a space inside an unquoted value"},
		"a list that is open":       {"name: [a", "a list in brackets that is not closed"},
		"a quotation that is open":  {`name: "a`, "a quoted value that is not closed"},
		"a star":                    {"name: *.md", "a * "},
		"an at sign":                {"name: @a", "an unquoted value that begins with a character"},
		"a line of its own":         {"name: a\nmore", "neither \"key: value\""},
		"an indented tab":           {"name:\n\t- a", "an unquoted value that begins with a character such as a tab"},
	} {
		t.Run(name, func(t *testing.T) {
			dec := yaml.NewDecoder(strings.NewReader(tt.text))
			dec.KnownFields(true)
			err := dec.Decode(&struct {
				Name string
				Size int
			}{})
			require.Error(t, err, "%q is read without an error", tt.text)
			got := YAMLFault(err, "field")
			assert.Contains(t, got, tt.want)
			for _, word := range []string{"unmarshal", "!!", "struct", "token", "indicator", "yaml:"} {
				assert.NotContains(t, got, word, err)
			}
		})
	}
}
