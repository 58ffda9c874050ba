package wording

import "slices"

// Nearest returns the name in names that is most similar to name, or else the only one that starts with name. If there
// is neither, it returns "".
func Nearest(name string, names []string) string {
	best, least := "", 1+min(2, len([]rune(name))/3)
	for _, n := range names {
		if d := Distance(name, n); d < least {
			best, least = n, d
		}
	}
	if best != "" || name == "" {
		return best
	}
	starts := func(n string) bool { return len(n) > len(name) && n[:len(name)] == name }
	if i := slices.IndexFunc(names, starts); i >= 0 && !slices.ContainsFunc(names[i+1:], starts) {
		return names[i]
	}
	return ""
}

// Distance returns the Levenshtein distance: the minimum number of characters to insert, delete or replace.
func Distance(from, to string) int {
	a, b := []rune(from), []rune(to)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(row[j]+1, row[j-1]+1, cost)
		}
	}
	return row[len(b)]
}
