package mine

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

// mineLibrary says paddle and a made-up 깔딱 together.
const mineLibrary = `{"id":"a/1","name":"a1","description":"Steers a paddle boat. 깔딱 젓기","body":"x"}
{"id":"a/2","name":"a2","description":"Repairs a paddle. 깔딱 수리","body":"x"}
{"id":"a/3","name":"a3","description":"Sells a paddle. 깔딱 판매","body":"x"}
{"id":"a/4","name":"a4","description":"Counts stars at night. 별자리 이야기","body":"x"}
{"id":"a/5","name":"a5","description":"Bakes bread. 빵 굽기","body":"x"}
{"id":"a/6","name":"a6","description":"Files tax returns. 세금 신고서","body":"x"}
{"id":"a/7","name":"a7","description":"Paddle races on the river","body":"x"}
{"id":"a/8","name":"a8","description":"Waters plants. 화분 물주기","body":"x"}
{"id":"a/9","name":"a9","description":"Tunes a piano. 피아노 조율","body":"x"}
{"id":"a/10","name":"a10","description":"Reads contracts. 계약 검토","body":"x"}
{"id":"a/11","name":"a11","description":"Draws maps. 지도 그리기","body":"x"}
`

func TestMineWithGold(t *testing.T) {
	h := apptest.New(t)
	library := apptest.File(t, "lib.jsonl", mineLibrary)
	gold := apptest.File(t, "gold.jsonl", `{"id":"q1","query":"깔딱 races","lang":"mixed","gold":["a/7"]}
{"id":"q2","query":"bake bread","lang":"en","gold":["a/5"]}
`)
	out, err := h.Run(New(h.App), "--library", library, "--gold", gold, "--least", "3", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var pairs []minedPair
	if err := json.Unmarshal([]byte(out), &pairs); err != nil {
		t.Fatalf("mine --json printed %q: %v", out, err)
	}
	if len(pairs) != 1 || pairs[0].Korean != "깔딱" || pairs[0].English != "paddle" || pairs[0].Both != 3 {
		t.Fatalf("mine = %+v, want 깔딱 = paddle alone", pairs)
	}
	if g := pairs[0].Gold; g == nil || g.Prompts != 1 || g.Worse != 0 {
		t.Errorf("mine --gold gives %+v, want one prompt with the word and none worse", g)
	}
	out, err = h.Run(New(h.App), "--library", library)
	if err != nil || !strings.Contains(out, "skillgate synonyms add 깔딱 paddle") {
		t.Errorf("mine printed %q, %v, want the command that adds the pair", out, err)
	}
}

func TestMineErrors(t *testing.T) {
	h := apptest.New(t)
	library := apptest.File(t, "lib.jsonl", mineLibrary)
	bad := apptest.File(t, "bad.jsonl", "{\"id\":\"q1\",\"query\":\"x\",\"gold\":[\"a/1\"]}\nnot json\n")
	unknown := apptest.File(t, "unknown.jsonl", "{\"id\":\"q1\",\"query\":\"x\",\"gold\":[\"a/99\"]}\n")
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"no library", nil, "library"},
		{"a library that is not there", []string{"--library", "/absent"}, "/absent"},
		{"a gold file with a bad line", []string{"--library", library, "--gold", bad}, "bad.jsonl:2"},
		{"a gold file with an unknown skill", []string{"--library", library, "--gold", unknown}, "unknown.jsonl:1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if out, err := h.Run(New(h.App), tt.args...); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("mine %q = %q, %v, want an error with %q", tt.args, out, err, tt.want)
			}
		})
	}
}
