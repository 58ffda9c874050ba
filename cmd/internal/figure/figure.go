// Package figure reads testdata/figures, whose files hold the figures that the documentation quotes.
package figure

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

var wide = regexp.MustCompile(`\s{2,}`)

// Of returns one figure. A path of four names selects the set, library, group and column of table.txt. A path of one
// name selects the line of timing.txt that begins with it.
func Of(repo fs.FS, path []string) (string, error) {
	if len(path) == 1 {
		text, err := fs.ReadFile(repo, "testdata/figures/timing.txt")
		if err != nil {
			return "", err
		}
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, path[0]+" "); ok {
				value, _, _ := strings.Cut(strings.TrimSpace(rest), "  ")
				return value, nil
			}
		}
		return "", fmt.Errorf("timing.txt has no line %q", path[0])
	}
	if len(path) != 4 {
		return "", fmt.Errorf("figure %q must name a set, a library, a group and a column", path)
	}
	text, err := fs.ReadFile(repo, "testdata/figures/table.txt")
	if err != nil {
		return "", err
	}
	at := -1
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "set ") {
			at = -1
			if i := strings.Index(line, path[3]); i >= 0 {
				at = utf8.RuneCountInString(line[:i])
			}
		}
		if cells := wide.Split(line, 4); at < 0 || len(cells) < 4 || !slices.Equal(cells[:3], path[:3]) {
			continue
		}
		var value, from, to float64
		cell := string([]rune(line)[at:])
		if _, err := fmt.Sscanf(cell, "%f [%f,%f]", &value, &from, &to); err != nil {
			return "", fmt.Errorf("table.txt, %q: %q is not a rate: %w", path, cell, err)
		}
		return fmt.Sprintf("%.0f %% (%.0f to %.0f)", 100*value, 100*from, 100*to), nil
	}
	return "", fmt.Errorf("table.txt has no row %q", path)
}
