package catalog

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
)

func TestBoundaries(t *testing.T) {
	one := func(not string, use ...string) []Boundary { return []Boundary{{Not: not, Use: use}} }
	tests := []struct {
		name, text string
		want       []Boundary
		capability string
	}{
		{"one pair", "Bakes bread. Do NOT use for cakes (use cake-baker).", one("cakes", "cake-baker"), "Bakes bread."},
		{"several pairs in one sentence", "Bakes bread. Do NOT use for cakes (use cake-baker), frozen pizza (use pizza-oven), or menus.",
			[]Boundary{{"cakes", []string{"cake-baker"}}, {"frozen pizza", []string{"pizza-oven"}}, {"menus", nil}}, "Bakes bread."},
		{"several sentences", "Bakes. Don't use this skill for cakes. Do NOT trigger when the user wants soup — use soup-maker instead.",
			[]Boundary{{"cakes", nil}, {"soup", []string{"soup-maker"}}}, "Bakes."},
		{"names joined by or", "Bakes. Do NOT use for sweets (use cake-baker or jam_maker, kit:candy).",
			one("sweets", "cake-baker", "jam_maker", "kit:candy"), "Bakes."},
		{"single-word name", "Bakes. Do NOT use for tickets (use linear).", one("tickets", "linear"), "Bakes."},
		{"name followed by a word of ours", "Bakes. Do NOT use for sweets (use the cake-baker skill directly).", one("sweets", "cake-baker"), "Bakes."},
		{"no name in the parenthesis", "Bakes. Do NOT use for bills (use the appropriate tool).", one("bills"), "Bakes."},
		{"script is not a skill", "Bakes. Do NOT use for logs (use collect_logs.py).", one("logs"), "Bakes."},
		{"endpoint is not a skill", "Bakes. Do NOT use for runs (use POST /bake/run).", one("runs"), "Bakes."},
		{"explaining parenthesis stays", "Bakes. Do NOT use for stock (flour, yeast) checks.", one("stock (flour, yeast) checks"), "Bakes."},
		{"dash and instead", "Bakes. NOT for cakes — use cake-baker for that. Knows ovens.", one("cakes", "cake-baker"), "Bakes. Knows ovens."},
		{"what the other is for is not excluded", "Bakes. NOT for cakes — use cake-baker for icing.", one("cakes", "cake-baker"), "Bakes."},
		{"after a semicolon", "Use when baking at home; not for restaurants.", one("restaurants"), "Use when baking at home"},
		{"in a parenthesis", "Bakes bread (not for cakes) in any oven.", one("cakes"), "Bakes bread in any oven."},
		{"next sentence names the other", "Bakes. Do not use for cakes. Use cake-baker instead.", one("cakes", "cake-baker"), "Bakes."},
		{"goes to", "Bakes. Do NOT use for sweets (goes to cake-baker).", one("sweets", "cake-baker"), "Bakes."},
		{"those go to", "Bakes. Do NOT use for tickets (those go to linear).", one("tickets", "linear"), "Bakes."},
		{"not with another's name", "Bakes. Not sweets (use cake-baker).", one("sweets", "cake-baker"), "Bakes."},
		{"not with a bare name", "Bakes. Not sweets (cake-baker).", one("sweets", "cake-baker"), "Bakes."},
		{"passive of the skill", "Bakes. This skill must not be used for cakes.", one("cakes"), "Bakes. This skill"},
		{"passive of another thing", "Bakes cakes that must not be used again.", nil, "Bakes cakes that must not be used again."},
		{"passive of it", "Bakes. It shouldn't be used for cakes.", one("cakes"), "Bakes. It"},
		{"passive after and", "Bakes bread and should not be used for cakes.", one("cakes"), "Bakes bread"},
		{"after and", "Bakes bread and do not use for cakes.", one("cakes"), "Bakes bread"},
		{"after but", "Bakes bread but never use it for cakes.", one("cakes"), "Bakes bread"},
		{"in capitals", "Bakes bread that should NOT be used for scans. Use ocr-tool for those.",
			one("scans", "ocr-tool"), "Bakes bread that"},
		{"elsewhere with see", "Bakes bread. For cakes, see cake-baker. For jam, see jam.",
			[]Boundary{{"cakes", []string{"cake-baker"}}, {"jam", []string{"jam"}}}, "Bakes bread."},
		{"elsewhere needs a skill's name",
			"Bakes bread. For details, see below. For PDF output, use pandoc with a template.", nil,
			"Bakes bread. For details, see below. For PDF output, use pandoc with a template."},
		{"label", "Bakes. NOT for: cakes, jam.", one("cakes, jam"), "Bakes."},
		{"bullets under a label", "Bakes.\n\nDo NOT use for:\n- cakes (use cake-baker)\n- jam\n\nKnows ovens.",
			[]Boundary{{"cakes", []string{"cake-baker"}}, {"jam", nil}}, "Bakes. Knows ovens."},
		{"name broken at a hyphen", "Bakes. Do NOT use for sweets (use cake-\n  baker).", one("sweets", "cake-baker"), "Bakes."},
		{"adjective is not a name", "Bakes. Do NOT use for files (read-only).", one("files (read-only)"), "Bakes."},
		{"quoted refusal is none", `Use when the user says "do not use sugar" at home.`, nil, `Use when the user says "do not use sugar" at home.`},
		{"running not for is none", "It works whether or not for profit.", nil, "It works whether or not for profit."},
		{"Korean", "빵을 굽는다. 케이크에는 사용하지 않음 (cake-baker 사용).", one("케이크", "cake-baker"), "빵을 굽는다."},
		{"Korean with particle on the name", "빵을 굽는다. 잼 만들기 용도로는 사용하지 마세요(jam-maker를 사용).", one("잼 만들기 용도", "jam-maker"), "빵을 굽는다."},
		{"Korean pairs", "빵을 굽는다. 케이크(cake-baker 사용), 잼(jam-maker 사용)에는 사용하지 않습니다.",
			[]Boundary{{"케이크", []string{"cake-baker"}}, {"잼", []string{"jam-maker"}}}, "빵을 굽는다."},
		{"Korean after usage", "빵을 구울 때 사용하고 케이크에는 쓰지 않는다.", one("케이크"), "빵을 구울 때 사용하고"},
		{"English clause with Korean things", "빵. Do NOT use for 케이크 장식(cake-baker), 잼.", []Boundary{{"케이크 장식", []string{"cake-baker"}}, {"잼", nil}}, "빵."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := extract(tt.text, "", nil)
			assert.Empty(t, cmp.Diff(tt.want, got.boundaries))
			assert.Equal(t, tt.capability, got.capability)
		})
	}
}

func TestTriggers(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
		capability string // "" means the text itself
	}{
		{"quoted phrases", `Use when the user asks to "bake bread", "make a loaf", or wants to proof dough overnight.`,
			[]string{"bake bread", "make a loaf", "proof dough overnight"}, ""},
		{"other quotes", `Use when asked “굽기 시작” or 'warm the oven' or 「반죽」.`, []string{"굽기 시작", "warm the oven", "반죽"}, ""},
		{"apostrophes are not quotes", "Use when the baker's dough isn't rising.", []string{"the baker's dough isn't rising"}, ""},
		{"quotes elsewhere are not triggers", `Bakes the "natural" way.`, nil, ""},
		{"Korean label", `Bakes. Korean triggers: "빵", "반죽 만들기".`, []string{"빵", "반죽 만들기"}, "Bakes."},
		{"label without quotes", "Bakes. Triggers: bread mode, loaf, 빵 굽기.", []string{"bread mode", "loaf", "빵 굽기"}, "Bakes."},
		{"numbers before quotes", `Bakes. Triggers: (1) "bake bread", (2) "knead", (3) "make a loaf".`,
			[]string{"bake bread", "knead", "make a loaf"}, "Bakes."},
		{"한국어 label", "Bakes. 한국어: 빵 굽기, 반죽", []string{"빵 굽기", "반죽"}, "Bakes."},
		{"Japanese label", "パンを焼く。トリガー: 「パンを焼いて」、「生地を作って」", []string{"パンを焼いて", "生地を作って"}, "パンを焼く。"},
		{"Japanese occasion", "生地を発酵させるときに使用する。", []string{"生地を発酵させる"}, ""},
		{"Japanese occasion that quotes", "「パンを焼いて」と依頼された場合に使用します。", []string{"パンを焼いて"}, ""},
		{"트리거 label", "빵을 굽는다. 트리거: '빵 구워줘', '오븐 켜줘'", []string{"빵 구워줘", "오븐 켜줘"}, "빵을 굽는다."},
		{"label with a dash", `Bakes. Triggers — "bread mode", "빵 굽기".`, []string{"bread mode", "빵 굽기"}, "Bakes."},
		{"a dash that is no list", "Bakes. Triggers — as bakers know — sourdough.", nil, "Bakes. Triggers — as bakers know — sourdough."},
		{"label that goes on with include", "Bakes. Trigger terms include: bread mode, loaf.", []string{"bread mode", "loaf"}, "Bakes."},
		{"label that goes on with include, without a colon", "Bakes. Trigger phrases include bread mode, loaf.",
			[]string{"bread mode", "loaf"}, "Bakes."},
		{"label in bold", "Bakes. **Triggers:** bread, loaf", []string{"bread", "loaf"}, "Bakes."},
		{"list on a line of its own, without a stop",
			"Bakes.\nTriggers on: sourdough, rye bread\nPart of the kitchen skills.", []string{"sourdough", "rye bread"},
			"Bakes. Part of the kitchen skills."},
		{"list that wraps after a comma", "Bakes.\nTriggers on: sourdough,\nRye bread.", []string{"sourdough", "Rye bread"}, "Bakes."},
		{"list that wraps inside an item", "Bakes.\nTriggers on: sourdough, rye\nbread, crumb.", []string{"sourdough", "rye bread", "crumb"}, "Bakes."},
		{"list that wraps inside quotation marks", "Bakes.\nTriggers: \"sourdough\", \"rye\nBread\".", []string{"sourdough", "rye Bread"}, "Bakes."},
		{"list behind a sentence that wraps", "Bakes. Triggers on: sourdough, New\nYork rye.", []string{"sourdough", "New York rye"}, "Bakes."},
		{"triggers on", "Bakes. Triggers on sourdough, rye bread, or crumb analysis.", []string{"sourdough", "rye bread", "or crumb analysis"}, "Bakes."},
		{"bullets under a label", "Bakes.\nTriggers:\n- bake it\n- \"loaf\"\n", []string{"bake it", "loaf"}, "Bakes."},
		{"verbs of a shared object are not triggers", "Use when creating, shaping, or scoring loaves.", []string{"scoring loaves"}, ""},
		{"use for", "Use for crust planning, or oven repair; also use when an oven smokes.", []string{"crust planning", "oven repair", "an oven smokes"}, ""},
		{"Korean usage", "반죽 비율, 오븐 온도를 물어볼 때 사용합니다.", []string{"반죽 비율", "오븐 온도"}, ""},
		{"Korean or", "반죽 작성 또는 오븐 서명을 물어볼 때 사용합니다.", []string{"반죽 작성", "오븐 서명"}, ""},
		{"a refusal before the cue", "Bakes with tins that cannot be used for cakes.", nil, ""},
		{"Korean request", `사용자가 "빵 구워줘"라고 하면 사용.`, []string{"빵 구워줘"}, ""},
		{"Korean requests like these", `빵을 굽는다. "빵 구워줘", "반죽 봐줘", "식빵 될까?" 같은 요청에 사용.`, []string{"빵 구워줘", "반죽 봐줘", "식빵 될까?"}, ""},
		{"Korean request that comes in", `"오븐 예열해줘" 같은 요청이 오면 사용합니다.`, []string{"오븐 예열해줘"}, ""},
		{"nothing but quoted phrases", `빵을 굽는다. "빵 구워줘", "반죽 봐줘" 등.`, []string{"빵 구워줘", "반죽 봐줘"}, ""},
		{"nothing but English phrases", `Bakes. "bake bread", "knead the dough".`, []string{"bake bread", "knead the dough"}, ""},
		{"one quoted phrase may be a motto", `Bakes. "Slow is smooth."`, nil, ""},
		{"Korean prose is no trigger", "빵을 굽고 식힌다.", nil, ""},
		{"repeated phrase", `Use when "bake" or "Bake".`, []string{"bake"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := extract(tt.text, "", nil)
			assert.Empty(t, cmp.Diff(tt.want, got.triggers))
			want := tt.capability
			if want == "" {
				want = tt.text
			}
			assert.Equal(t, want, got.capability)
		})
	}
}

func TestTriggersOfFields(t *testing.T) {
	tests := []struct {
		name, front string
		want        []string
	}{
		{"list", "triggers: [bake bread, 빵]", []string{"bake bread", "빵"}},
		{"text", "triggers: bake bread, 빵", []string{"bake bread", "빵"}},
		{"under metadata", "metadata:\n  triggers:\n    - bake bread", []string{"bake bread"}},
		{"when_to_use is usage throughout", `when_to_use: '"bake bread" or "빵"'`, []string{"bake bread", "빵"}},
		{"boundary in when_to_use", `when_to_use: Do NOT use for "cakes".`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := parseAs(personal, "x", "---\ndescription: Bakes.\n"+tt.front+"\n---\n")
			assert.Empty(t, cmp.Diff(tt.want, e.Triggers))
		})
	}
}
