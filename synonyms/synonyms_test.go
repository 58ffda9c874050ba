package synonyms

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/golden"
	"github.com/skillgate/skillgate/synonyms/source"
)

// show formats words as in testdata/words.txt: with ? after unknown words, ~ after generic ones, and parts of a compound in
// parentheses.
func show(words []Word) string {
	var out []string
	for _, w := range words {
		s := w.Text
		if strings.Contains(s, " ") {
			s = "[" + s + "]"
		}
		if !w.Known {
			s += "?"
		}
		if w.Generic {
			s += "~"
		}
		if w.Part {
			s = "(" + s + ")"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// The cases are lines "text → words".
func TestWords(t *testing.T) {
	const file = "testdata/words.txt"
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	d := Default()
	var out []byte
	cases := 0
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		text, want, ok := strings.Cut(line, " →")
		if !ok {
			out = fmt.Appendln(out, line)
			continue
		}
		cases++
		got := show(d.Words(text))
		if got != "" {
			got = " " + got
		}
		out = fmt.Appendf(out, "%s →%s\n", text, got)
		if got != want && !*golden.Update {
			t.Errorf("Words(%q) =%s, want%s", text, got, want)
		}
	}
	assert.GreaterOrEqual(t, cases, 250)
	if *golden.Update && !bytes.Equal(out, data) {
		golden.Write(t, file, out)
	}
}

func TestWordOffsets(t *testing.T) {
	const text = "API문서를 슬랙에, 단위 테스트로"
	var got []string
	for _, w := range Default().Words(text) {
		got = append(got, w.Text+"="+text[w.Start:w.End])
	}
	want := []string{"문서=문서", "슬랙=슬랙", "단위 테스트=단위 테스트", "단위=단위 테스트", "테스트=단위 테스트"}
	assert.Empty(t, cmp.Diff(want, got))
}

func dictionary(t testing.TB) *source.Dictionary {
	t.Helper()
	files, err := source.ReadFiles(os.DirFS("."))
	require.NoError(t, err)
	d, err := source.Parse(files...)
	require.NoError(t, err)
	return d
}

func TestDictionary(t *testing.T) {
	d := dictionary(t)
	for _, p := range d.Check() {
		t.Error(p)
	}
	assert.GreaterOrEqual(t, len(d.Entries), 3000)
	assert.GreaterOrEqual(t, len(d.Sets), 800)
}

func TestTableIsUpToDate(t *testing.T) {
	assert.Equal(t, embedded, string(dictionary(t).Compile()))
}

func TestHeadwordsAreFound(t *testing.T) {
	d := Default()
	total, missed := 0, 0
	for head := range d.Headwords {
		total++
		words := d.Words(head)
		if len(words) == 0 || words[0].Text != head {
			missed++
			t.Logf("Words(%q) = %s", head, show(words))
		}
	}
	assert.LessOrEqual(t, missed*100, total)
}

func TestSenses(t *testing.T) {
	d := Default()
	tests := []struct {
		head          string
		senses, stems []string
	}{
		{"커버리지", []string{"coverage"}, []string{"coverag"}},
		{"단위 테스트", []string{"unit test"}, []string{"unit test"}},
		{"커버리지를", nil, nil},
		{"", nil, nil},
	}
	for _, tt := range tests {
		got := d.Senses(tt.head)
		assert.True(t, cmp.Equal(got, tt.senses), "Senses(%q) = %q, want %q", tt.head, got, tt.senses)
		got = d.Stems(tt.head)
		assert.True(t, cmp.Equal(got, tt.stems), "Stems(%q) = %q, want %q", tt.head, got, tt.stems)
	}
}

func small(t testing.TB, text string) *Dict {
	t.Helper()
	parsed, err := source.Parse(source.File{Name: "small.yaml", Data: []byte(text)})
	require.NoError(t, err)
	d, err := Open(string(parsed.Compile()))
	require.NoError(t, err)
	return d
}

func TestKorean(t *testing.T) {
	d := small(t, `
korean:
  출시: {en: [launch, release]}
  내놓다: {en: [release], generic: true}
  릴리스: {en: [release]}
  배포: {en: [deploy, release]}
  발매: {en: [release]}
  회의록: {en: [meeting minutes]}
english:
  - {means: [deploy], say: [provision, spin up]}
  - {same: [deploy, rollout]}
`)
	tests := []struct {
		name, stems string
		want        []string
	}{
		{"first senses before second, generic last, four at most", "releas", []string{"릴리스", "발매", "내놓다", "출시"}},
		{"sense of two words", "meet minut", []string{"회의록"}},
		{"word that means another", "provis", []string{"배포"}},
		{"equal of another", "rollout", []string{"배포"}},
		{"phrases have none", "spin up", nil},
		{"unknown word", "zebra", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := d.Korean(tt.stems)
			assert.True(t, cmp.Equal(got, tt.want), "Korean(%q) = %q, want %q", tt.stems, got, tt.want)
		})
	}
}

func TestEnglish(t *testing.T) {
	d := small(t, `
english:
  - {means: [code review, feedback], say: [look over my diff, eyes on]}
  - {means: [performance], say: [crawling]}
  - {same: [kubernetes, k8s, kube]}
  - {same: [c++, cpp]}
`)
	tests := []struct {
		name, text string
		want       []Phrase
	}{
		{"phrase with other endings and case", "Please look over my diffs", []Phrase{{7, 25, []string{"code review", "feedback"}, false, false}}},
		{"phrase broken by a word", "look over all my diff", nil},
		{"two phrases", "eyes on this, it is crawling", []Phrase{
			{0, 7, []string{"code review", "feedback"}, false, false}, {20, 28, []string{"perform"}, false, false}}},
		{"equals", "k8s", []Phrase{{0, 3, []string{"kubernetes", "kube"}, true, false}}},
		{"sign that belongs to the word", "in C++.", []Phrase{{3, 6, []string{"cpp"}, true, false}}},
		{"among Korean", "내 k8s를", []Phrase{{4, 7, []string{"kubernetes", "kube"}, true, false}}},
		{"nothing", "", nil},
	}
	for _, tt := range tests {
		assert.Empty(t, cmp.Diff(tt.want, d.English(tt.text)), tt.name)
	}
}

func TestWith(t *testing.T) {
	user := small(t, `
korean:
  배포: {en: [handout], also: [나눠주기]}
  헤르메스: {en: [message bus]}
english:
  - {means: [message bus], say: [hermes, spin up]}
function:
  - [슬랙]
`)
	base := small(t, `
korean:
  배포: {en: [deploy], also: [디플로이]}
  슬랙: {en: [slack]}
  검토: {en: [review]}
english:
  - {means: [deploy], say: [spin up]}
`)
	d := base.With(user)
	tests := []struct{ text, want string }{
		{"배포를 검토해줘", "배포 검토"},
		{"헤르메스에서", "헤르메스"},
		{"디플로이를", "배포"},
		{"슬랙에", ""},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, show(d.Words(tt.text)), tt.text)
	}
	got := d.Senses("배포")
	assert.True(t, cmp.Equal(got, []string{"handout"}), "Senses(배포) = %q, want the user's", got)
	if got := d.English("spin up"); len(got) != 1 || got[0].Means[0] != "messag bus" {
		t.Errorf("English(spin up) = %v, want the user's", got)
	}
	got = d.Korean("review")
	assert.True(t, cmp.Equal(got, []string{"검토"}), "Korean(review) = %q, want 검토", got)
	if base.With(nil) != base {
		t.Error("With(nil) is another dictionary")
	}
}

func TestFromKeys(t *testing.T) {
	tests := []struct {
		name, keys, want string
	}{
		{"noun", "dprtpf", "엑셀"},
		{"noun with particle", "dprtpffh", "엑셀로"},
		{"verb phrase", "wjdflgownj", "정리해줘"},
		{"shifted key", "RoWudTek", ""}, // typed W instead of w in 깨졌다
		{"English word", "form", ""},
		{"English word that makes syllables", "dogs", ""},
		{"syllables that are not a word", "dkqkrk", ""},
		{"one syllable", "rmf", ""},
		{"identifier", "foo_bar", ""},
		{"Hangul", "엑셀", ""},
		{"nothing", "", ""},
	}
	d := Default()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := d.FromKeys(tt.keys)
			if !ok {
				got = ""
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	good := embedded
	tests := []struct{ name, data string }{
		{"nothing", ""},
		{"another file", "%PDF-1.7" + strings.Repeat(" ", 200)},
		{"other version", "sgsyn\x00\x00\xff" + good[8:]},
		{"cut table", good[:len(good)-1]},
		{"changed byte", good[:len(good)/2] + "\xff\xfe" + good[len(good)/2+2:]},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Open(tt.data)
			assert.Error(t, err, "Open(%s) succeeded, want an error", tt.name)
		})
	}
}

const prompt = "지난주에 배포한 결제 서비스가 자꾸 느려지는데 로그 분석해서 원인을 찾아주시고 단위 테스트도 추가해서 코드리뷰까지 받을 수 있게 " +
	"PR을 만들어줘 그리고 회의록을 요약해서 슬랙 채널에 공유하고 매출보고서를 엑셀로 뽑아서 팀장님께 메일로 보내주세요 헤르메스 프로젝트 일정도 같이 정리해서 노션에 올려두면 좋겠어"

func TestAllocations(t *testing.T) {
	d := Default()
	room := make([]Word, 0, 128)
	assert.Equal(t, float64(0), testing.AllocsPerRun(20, func() { room = d.appendWords(room[:0], prompt) }))
}

func FuzzWords(f *testing.F) {
	f.Add(prompt)
	f.Add("ㅋㅋㅋㄷㅔㅇㅣㅌㅓ")
	f.Add("\xed\x95\xff 한글")
	f.Add(strings.Repeat("가나다라마바사", 40))
	d := Default()
	f.Fuzz(func(t *testing.T, text string) {
		words := d.Words(text)
		at := 0
		for _, w := range words {
			if w.Start < at && !w.Part || w.Start >= w.End || w.End > len(text) {
				t.Fatalf("Words(%q) has %+v after offset %d", text, w, at)
			}
			at = w.Start
			if w.Text == "" || !utf8.ValidString(w.Text) || utf8.ValidString(text) && !utf8.ValidString(text[w.Start:w.End]) {
				t.Fatalf("Words(%q) has the text %q at %q", text, w.Text, text[w.Start:w.End])
			}
		}
		if again := d.Words(text); !cmp.Equal(words, again) {
			t.Fatalf("Words(%q) = %v, then %v", text, words, again)
		}
		for _, p := range d.English(text) {
			if p.Start >= p.End || p.End > len(text) || len(p.Means) == 0 {
				t.Fatalf("English(%q) has %+v", text, p)
			}
		}
		d.FromKeys(text)
	})
}

func FuzzOpen(f *testing.F) {
	table := dictionary(f).Compile()
	tiny, err := source.Parse(source.File{Name: "tiny",
		Data: []byte("korean:\n  단위 테스트: {en: [unit test], also: [유닛테스트]}\n  고치다: {en: [fix]}\nenglish:\n  - {same: " +
			"[kubernetes, k8s]}\n")})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(tiny.Compile(), uint16(0), byte(0))
	f.Add(tiny.Compile(), uint16(40), byte(255))
	f.Add(table[:200], uint16(12), byte(7))
	f.Fuzz(func(t *testing.T, data []byte, at uint16, value byte) {
		if _, err := Open(string(data)); err != nil && len(data) > 0 {
			data = bytes.Clone(data)
			data[int(at)%len(data)] = value
		}
		d := open(string(data))
		d.Words("단위 테스트를 고쳐줘 유닛테스트")
		d.English("k8s and kubernetes")
		d.Senses("단위 테스트")
		d.Korean("unit test")
		for range d.Headwords {
		}
	})
}

func BenchmarkWords(b *testing.B) {
	d := Default()
	room := make([]Word, 0, 128)
	b.ReportAllocs()
	for b.Loop() {
		room = d.appendWords(room[:0], prompt)
	}
}

// A whole prompt: its words, their senses, and the phrases of its English.
func BenchmarkPrompt(b *testing.B) {
	d := Default()
	b.ReportAllocs()
	for b.Loop() {
		for _, w := range d.Words(prompt) {
			d.Stems(w.Text)
		}
		d.English("Can you look over my diff before we spin up the new k8s cluster and write the numbers for the board")
	}
}
