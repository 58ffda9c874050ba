package app

import (
	"io"
	"strings"
	"testing"
)

func TestAsk(t *testing.T) {
	for answer, want := range map[string]bool{
		"y\n": true, " YES \n": true, "네\n": true, "예": true, "ㅛ\n": true, "はい\n": true,
		"": false, "\n": false, "n\n": false, "yes please\n": false, "아니요\n": false,
	} {
		a := &App{Stderr: io.Discard}
		for _, yes := range []bool{false, true} {
			want := want || yes && answer == "\n"
			if got := a.ask(strings.NewReader(answer), "Go on", yes); got != want {
				t.Errorf("the answer %q is a yes, which is the default %v: %v, want %v", answer, yes, got, want)
			}
		}
	}
}
