package source

import (
	"slices"
	"testing"
)

func TestFences(t *testing.T) {
	const text = "a\n```sh\nb\n~~~\n```\nc\n~~~~\n```\n~~~\n~~~~\nd `x`\n"
	var code, fences []string
	for l := range EachLine(text, 0) {
		if l.Fence {
			fences = append(fences, l.Text)
		} else if l.Code {
			code = append(code, l.Text)
		}
	}
	if !slices.Equal(code, []string{"b", "~~~", "```", "~~~"}) || !slices.Equal(fences, []string{"```sh", "```", "~~~~", "~~~~"}) {
		t.Errorf("code is %q, fences are %q", code, fences)
	}
	for line, want := range map[string]string{"```go": "```", "  ~~~~": "~~~~", "``": "", "a ```": "", "": ""} {
		if got := FenceMark(line); got != want {
			t.Errorf("FenceMark(%q) = %q, want %q", line, got, want)
		}
	}
}
