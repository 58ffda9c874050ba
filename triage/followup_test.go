package triage

import "testing"

func TestFollowsUp(t *testing.T) {
	for text, want := range map[string]bool{
		"now do the same for the API":  true,
		"turn it into slides":          true,
		"And those in German, please.": true,
		"이제 그거 PPT로":                   true,
		"똑같이 영어로도 만들어줘":                true,
		"summarise the meeting notes":  false,
		"회의록을 요약해줘":                    false,
		"":                             false,
		"write a report\nand send it":  false,
		"read the plan for the office move that we wrote in spring and list every supplier in it with phone numbers": false,
	} {
		if got := FollowsUp(text); got != want {
			t.Errorf("FollowsUp(%q) = %v", text, got)
		}
	}
}
