package figure

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestOf(t *testing.T) {
	repo := fstest.MapFS{
		"testdata/figures/timing.txt": {Data: []byte("# how it was made\nhook, p50   3.2 ms  of 200 runs\n")},
		"testdata/figures/table.txt": {Data: []byte("set     library  group  first             shown\n" +
			"people  en       all    .51 [.40,.60]     .56 [.31,.69]\n")},
	}
	tests := []struct{ name, path, want, err string }{
		{"a time", "hook, p50", "3.2 ms", ""},
		{"a rate with its interval", "people / en / all / shown", "56 % (31 to 69)", ""},
		{"another column", "people / en / all / first", "51 % (40 to 60)", ""},
		{"no such line", "hook, p5", "", `no line "hook, p5"`},
		{"no such row", "people / ko / all / shown", "", "no row"},
		{"no such column", "people / en / all / third", "", "no row"},
		{"half a path", "people / en", "", "must name a set"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Of(repo, strings.Split(tt.path, " / "))
			if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("Of(%q) = %q, %v, want %q, %q", tt.path, got, err, tt.want, tt.err)
			}
		})
	}
}
