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
		if got := a.ask(strings.NewReader(answer), "Go on"); got != want {
			t.Errorf("the answer %q is a yes: %v, want %v", answer, got, want)
		}
	}
}
