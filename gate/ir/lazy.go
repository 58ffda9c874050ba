package ir

import (
	"regexp"
	"sync"
)

// lazy returns a regular expression that is compiled at its first use: the
// hook's binary holds them all and uses none.
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
