package need

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func grams(text string) map[uint32]int {
	out := map[uint32]int{}
	Hashes(text, func(h uint32) { out[h]++ })
	return out
}

func overlap(a, b string) float64 {
	x, y := grams(a), grams(b)
	n, both := 0.0, 0.0
	for h, k := range x {
		n += float64(k)
		both += float64(min(k, y[h]))
	}
	return both / n
}

func TestHashes(t *testing.T) {
	for _, test := range []struct {
		name, a, b  string
		least, most float64
	}{
		{"case does not count", "Write THE report", "write the report", 1, 1},
		{"digits are one digit", "fix line 12", "fix line 9481", 1, 1},
		{"other words differ", "alpha beta", "gamma delta", 0, 0.2},
		{"endings of Hangul share their stem", "보고서를 작성해줘", "보고서도 작성하자", 0.3, 0.9},
		{"pieces of Chinese", "请帮我写一份周报", "写一份周报给老板", 0.3, 0.9},
		{"pieces of Japanese", "議事録を作ってください", "昨日の議事録を作って", 0.3, 0.9},
		{"Thai words hold their marks", "ช่วยเขียนรายงาน", "เขียนรายงานให้หน่อย", 0.3, 0.9},
		{"the first word is marked", "great now go", "go now great", 0.5, 0.95},
	} {
		if got := overlap(test.a, test.b); got < test.least || got > test.most {
			t.Errorf("%s: %.2f, want %.2f to %.2f", test.name, got, test.least, test.most)
		}
	}
	long := strings.Repeat("가나다 라마바 ", 10_000)
	n := 0
	Hashes(long, func(uint32) { n++ })
	assert.LessOrEqual(t, n, 3000)
	Hashes("\xff\xfe broken \xe3", func(uint32) {})
	Hashes(strings.Repeat("\x80", 5000), func(uint32) {})
}

func TestModel(t *testing.T) {
	table := map[uint32]float64{}
	taken := map[uint32]bool{}
	Hashes("totally unrelated", func(h uint32) { taken[Bucket(h)] = true })
	Hashes("please write", func(h uint32) {
		if !taken[Bucket(h)] {
			taken[Bucket(h)] = true
			table[h] = 2
		}
	})
	var w Features
	w[Text], w[Share] = 1, 3
	m := New(table, -0.5, w, -1)
	assert.LessOrEqual(t, math.Abs(m.Text("totally unrelated")+0.5), float64(0.3))
	got, other := m.Text("please write"), m.Text("nothing")
	assert.GreaterOrEqual(t, got, other+3)
	x := Features{Text: 1, Share: 0.5}
	got, want := m.Probability(x), 1/(1+math.Exp(-1.5))
	assert.LessOrEqual(t, math.Abs(got-want), float64(1e-6), "probability %v, want %v", got, want)
	if parts := m.Parts(x); parts[Text] != 1 || parts[Share] != 1.5 {
		t.Errorf("parts %v", parts)
	}
	back, ok := Parse(m.Bytes())
	if !ok || back != m || len(m.ID()) != 2*idSize {
		t.Errorf("read back: %v, ID %q", ok, m.ID())
	}
	if _, ok := Parse(m.Bytes()[1:]); ok {
		t.Error("a cut model is read")
	}
}

func TestBackgroundOfAScript(t *testing.T) {
	b := BackgroundOf([]Features{{Share: 0.2}, {Share: 0.4}, {Share: 0.7, Spaceless: 1}, {Share: 0.9, Spaceless: 0.8}})
	for _, test := range []struct {
		x    Features
		want float64
	}{
		{Features{Share: 0.4}, 1},
		{Features{Share: 0.4, Spaceless: 0.9}, -4},
		{Features{Share: 0.9, Spaceless: 0.9}, 1},
	} {
		x := test.x
		x.Against(b)
		if math.Abs(x[Share]-test.want) > 0.01 {
			t.Errorf("%v of letters without spaces, share %v: %v deviations, want %v", x[Spaceless], test.x[Share], x[Share], test.want)
		}
	}
}

func TestDefaultModelIsWhole(t *testing.T) {
	require.Equal(t, modelSize, len(embedded))
	m := Default()
	if p := m.Probability(Features{}); p <= 0 || p >= 0.5 {
		t.Errorf("need of a prompt that nothing answers: %v", p)
	}
	for i, name := range (Features{}).Names() {
		require.NotEmpty(t, name, i)
		assert.Equal(t, name, Feature(i).String(), i)
	}
}

func BenchmarkText(b *testing.B) {
	m := Default()
	text := "please compare the two drafts in the folder and tell me which one reads better, 초안 두 개를 비교해줘"
	for b.Loop() {
		m.Text(text)
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]bool{
		"What is a mutex?":               true,
		"explain closures":               true,
		"이 경고 뭐야?":                       true,
		"이 문단 번역해줘":                      true,
		"Prepare the quarterly report":   false,
		"회의록을 정리해서 메일로 보내줘":              false,
		"what is wrong here?\nsee below": false,
	} {
		assert.Equal(t, want, Plain(text), text)
	}
}
