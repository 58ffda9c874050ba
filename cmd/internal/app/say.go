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

// korean maps English formats and texts to Korean ones.
var korean = sync.OnceValue(func() map[string]string {
	var catalogue map[string]string
	_ = yaml.Unmarshal(koText, &catalogue) // checked by a test; messages stay English if it fails
	return catalogue
})

// T returns the Korean translation of format if the locale is Korean and there is one, and format otherwise.
// With --json it always returns format.
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

// Language returns the language of the locale, for example "ko".
func (a *App) Language() string {
	locale := cmp.Or(a.Getenv("LC_ALL"), a.Getenv("LC_MESSAGES"), a.Getenv("LANG"))
	language, _, _ := strings.Cut(locale, "_")
	language, _, _ = strings.Cut(language, ".")
	return language
}

// TextfIn returns a function that formats messages in a language, independent of the locale.
func TextfIn(language string) func(format string, args ...any) string {
	return func(format string, args ...any) string { return fmt.Sprintf(in(language, format), args...) }
}

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

// Textf formats a message in the user's language.
func (a *App) Textf(format string, args ...any) string { return fmt.Sprintf(a.T(format), args...) }

// Count returns one if n is 1, and many formatted with n otherwise, in the user's language.
func (a *App) Count(n int, one, many string) string {
	if n == 1 {
		return a.T(one)
	}
	return a.Textf(many, n)
}

// Say writes a message to standard output in the user's language.
func (a *App) Say(format string, args ...any) {
	fmt.Fprintf(a.Stdout, a.T(format), args...)
}
