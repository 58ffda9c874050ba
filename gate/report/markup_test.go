package report

import (
	"errors"
	"testing"
	"time"
)

type kind string

func TestMarkup(t *testing.T) {
	const hostile, escaped = `<a b="c" d='e'>&`, `&lt;a b=&#34;c&#34; d=&#39;e&#39;&gt;&amp;`
	tests := map[string]struct {
		arg  any
		want markup
	}{
		"string":       {hostile, escaped},
		"named string": {kind(hostile), escaped},
		"error":        {errors.New(hostile), escaped},
		"Stringer":     {time.March, "March"},
		"number":       {1.5, "1.5"},
		"nil":          {nil, "<nil>"},
		"markup":       {markup("<b>"), "<b>"},
	}
	for name, tt := range tests {
		if got := sprintf("<p>%v</p>", tt.arg); got != "<p>"+tt.want+"</p>" {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
