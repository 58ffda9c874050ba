package app

import (
	"cmp"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

//go:embed ko.yaml
var koText []byte

// korean is the catalogue: English formats and texts, and the Korean ones in their place.
var korean = sync.OnceValue(func() map[string]string {
	var catalogue map[string]string
	_ = yaml.Unmarshal(koText, &catalogue) // which a test reads; without it all is English
	return catalogue
})

// T returns a format or a text in the user's language: Korean where the locale says so and the
// catalogue has it, else as it is. What programs read, with --json, stays English.
func (a *App) T(format string) string {
	if a.forPrograms() {
		return format
	}
	return in(a.Language(), format)
}

func in(language, format string) string {
	if language != "ko" {
		return format
	}
	return cmp.Or(korean()[format], format)
}

// Language is the user's, by the locale: "ko" for Korean.
func (a *App) Language() string {
	locale := cmp.Or(a.Getenv("LC_ALL"), a.Getenv("LC_MESSAGES"), a.Getenv("LANG"))
	language, _, _ := strings.Cut(locale, "_")
	language, _, _ = strings.Cut(language, ".")
	return language
}

// TextfIn writes messages in a language, whatever the locale says.
func TextfIn(language string) func(format string, args ...any) string {
	return func(format string, args ...any) string { return fmt.Sprintf(in(language, format), args...) }
}

// forPrograms reports whether what is printed is read by programs: whether the last --json is on.
func (a *App) forPrograms() (yes bool) {
	for _, arg := range a.Args {
		if value, ok := strings.CutPrefix(arg, "--json="); ok {
			yes, _ = strconv.ParseBool(value)
		} else if arg == "--json" {
			yes = true
		}
	}
	return yes
}

// Textf is a message in the user's language.
func (a *App) Textf(format string, args ...any) string { return fmt.Sprintf(a.T(format), args...) }

// Count is a number of things in the user's language: one, or many with a format.
func (a *App) Count(n int, one, many string) string {
	if n == 1 {
		return a.T(one)
	}
	return a.Textf(many, n)
}

// Say writes a message to standard output, in the user's language.
func (a *App) Say(format string, args ...any) {
	fmt.Fprintf(a.Stdout, a.T(format), args...)
}
