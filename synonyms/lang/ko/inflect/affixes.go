// Package inflect generates the inflected forms of Korean words: conjugated verbs, and words with particles, suffixes
// or endings. It is used to compile the dictionary and does not run in the hook.
package inflect

import (
	"bytes"
	_ "embed"
	"fmt"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/synonyms/internal/hangul"
	"github.com/skillgate/skillgate/synonyms/internal/table"
)

//go:embed affixes.yaml
var affixesText []byte

type rule struct {
	After []string `yaml:"after"`
	To    string   `yaml:"to"`
	Cost  uint8    `yaml:"cost"`
	If    string   `yaml:"if"`
	Forms []string `yaml:"forms"`
}

var (
	states = map[string]table.State{"start": table.Start, "noun": table.AfterNoun, "one": table.AfterOne,
		"short": table.AfterShort, "long": table.AfterLong, "base": table.AfterBase, "vowel": table.AfterVowel,
		"inf": table.AfterInf, "joint": table.Joint, "modifier": table.Modifier, "nominal": table.Nominal,
		"closed": table.Closed, "particle": table.Particle, "prefix": table.Prefix, "function": table.Grammar,
		"lone": table.AfterLone, "number": table.Number, "numeral": table.Numeral, "counted": table.Counted}
	conditions = map[string]table.Condition{"": table.Always, "consonant": table.IfConsonant, "open": table.IfOpen,
		"open or l": table.IfOpenOrL}
)

var grammar = sync.OnceValue(func() []rule {
	rules, _ := parseGrammar(affixesText)
	return rules
})

func parseGrammar(text []byte) ([]rule, error) {
	var file struct {
		Groups yaml.Node `yaml:"groups"` // defines the YAML anchors that the rules use
		Rules  []rule    `yaml:"rules"`
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&file); err != nil {
		return nil, err
	}
	for _, r := range file.Rules {
		for _, name := range append(r.After, r.To) {
			if _, ok := states[name]; !ok {
				return nil, fmt.Errorf("unknown state %q", name)
			}
		}
		if _, ok := conditions[r.If]; !ok {
			return nil, fmt.Errorf("unknown condition %q", r.If)
		}
	}
	return file.Rules, nil
}

// Affixes returns particles, suffixes and endings as keys of a trie, each with its readings.
func Affixes() map[string][]uint32 {
	out := map[string][]uint32{}
	for _, r := range grammar() {
		a := table.Affix{To: states[r.To], Cost: r.Cost, When: conditions[r.If]}
		for _, name := range r.After {
			a.From |= table.Set(states[name])
		}
		for _, form := range r.Forms {
			key := affixKey(form)
			out[key] = append(out[key], a.Pack())
		}
	}
	return out
}

// affixKey returns the letters of an affix. A single consonant at its start is read as a final.
func affixKey(form string) string {
	finals := map[rune]string{'ㄴ': "안", 'ㄹ': "알", 'ㅁ': "암", 'ㅂ': "압", 'ㅆ': "았"}
	first, n := rune(0), 0
	for i, r := range form {
		if i == 0 {
			first = r
		} else if n == 0 {
			n = i
		}
	}
	syllable, ok := finals[first]
	if !ok {
		return string(hangul.Codes(nil, form))
	}
	if n == 0 {
		n = len(form)
	}
	return string([]byte{last(syllable)}) + string(hangul.Codes(nil, form[n:]))
}
