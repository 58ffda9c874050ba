//go:build onnx

package main

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/gate/golden"
)

// testdata/rerank/tiny holds a cross-encoder trained on generated pairs, and pairs it has
// not seen. Weights may differ in their last bits from one processor to another, so only the
// model's size is compared.
func TestCheckedInModelIsTheTrainedOne(t *testing.T) {
	m := train(11, 30_000)
	var unseen bytes.Buffer
	enc := json.NewEncoder(&unseen)
	for _, e := range examples(4711, 100, 8) {
		if err := enc.Encode(e); err != nil {
			t.Fatal(err)
		}
	}
	const dir = "../../testdata/rerank/tiny"
	golden.Check(t, filepath.Join(dir, "tokenizer.json"), bertTokenizer(m.vocab, false))
	golden.Check(t, filepath.Join(dir, "unseen.jsonl"), unseen.Bytes())
	file, got := filepath.Join(dir, "model.onnx"), m.onnx()
	if *golden.Update {
		golden.Write(t, file, got)
		return
	}
	if want, err := os.ReadFile(file); err != nil || len(got) != len(want) {
		t.Errorf("training gives a model of %d bytes, %s has %d (%v); -update writes it", len(got), file, len(want), err)
	}
}

// topics are groups of words that mean the same to the generated pairs.
var topics = []string{
	"review inspect audit examine 리뷰 검토", "pull merge branch pr 브랜치 병합",
	"slides deck presentation keynote 슬라이드 발표자료", "spreadsheet excel workbook xlsx 엑셀 시트",
	"deploy release ship rollout 배포 출시", "test spec pytest coverage 테스트 검증",
	"database sql postgres schema 데이터베이스 스키마", "migrate upgrade port convert 이전 변환",
	"translate localize language korean 번역 한국어", "summary digest brief abstract 요약 정리",
	"email mail letter inbox 메일 편지", "image picture photo png 이미지 사진",
	"security vulnerability exploit secret 보안 취약점", "performance slow latency profile 성능 느림",
	"frontend react component css 컴포넌트 화면", "api endpoint rest openapi 엔드포인트 인터페이스",
	"docker container image kubernetes 컨테이너 쿠버네티스", "log trace error stack 로그 오류",
	"invoice payment billing refund 결제 청구", "calendar meeting schedule invite 회의 일정",
	"research paper citation literature 논문 문헌", "video clip subtitle render 영상 자막",
	"music audio podcast voice 음악 음성", "contract legal clause policy 계약 법률",
	"recruit resume interview candidate 채용 이력서", "chart graph plot dashboard 차트 그래프",
	"refactor cleanup simplify rename 리팩터링 개선", "document readme manual guide 문서 안내서",
	"scrape crawl website html 크롤링 웹사이트", "model training dataset label 학습 데이터",
}

const fillers = "the a an of for to with and or in on from when use this that please help me my our it is are skill user asks 좀 해줘 주세요 그리고 이 를 을 에서 위한 사용"

type example struct {
	Query string   `json:"query"`
	Docs  []string `json:"docs"`
}

// examples returns n examples with docs documents each, made from seed.
func examples(seed uint64, n, docs int) []example {
	g := newGenerator(seed)
	out := make([]example, n)
	for i := range out {
		want := g.rng.Perm(len(g.topics))[:2]
		used := map[string]bool{}
		out[i].Query = g.text(want, 1, used)
		out[i].Docs = append(out[i].Docs, g.text(want, 2, used))
		for len(out[i].Docs) < docs {
			other := g.rng.Perm(len(g.topics))[:2]
			if g.rng.IntN(2) == 0 {
				other[0] = want[g.rng.IntN(2)] // half right
			}
			if other[0]+other[1] == want[0]+want[1] {
				continue
			}
			out[i].Docs = append(out[i].Docs, g.text(other, 2, used))
		}
	}
	return out
}

type generator struct {
	rng     *rand.Rand
	topics  [][]string
	fillers []string
}

func newGenerator(seed uint64) *generator {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 2)), fillers: strings.Fields(fillers)}
	for _, t := range topics {
		g.topics = append(g.topics, strings.Fields(t))
	}
	return g
}

func (g *generator) text(topics []int, each int, used map[string]bool) string {
	var words []string
	for _, t := range topics {
		left := each
		for _, i := range g.rng.Perm(len(g.topics[t])) {
			if w := g.topics[t][i]; left > 0 && !used[w] {
				words = append(words, w)
				left--
			}
		}
	}
	for range 3 + g.rng.IntN(4) {
		words = append(words, g.fillers[g.rng.IntN(len(g.fillers))])
	}
	g.rng.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	for _, w := range words {
		if !slices.Contains(g.fillers, w) {
			used[w] = true
		}
	}
	return strings.Join(words, " ")
}

// tiny is a late-interaction cross-encoder: each query word, weighted, counts what
// its nearest word of the document counts.
//
//	logit = a · Σ_q w(q) · max_d E(q)·E(d)  /  Σ_q w(q)  +  b
type tiny struct {
	vocab map[string]int
	e     [][]float64
	w     []float64 // log of the weight
	a, b  float64
}

const (
	tinyDim      = 16
	tinySpecials = 5 // [PAD] [UNK] [CLS] [SEP] [MASK]
)

func train(seed uint64, steps int) *tiny {
	m := &tiny{vocab: map[string]int{}, a: 8, b: -4}
	for i, s := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} {
		m.vocab[s] = i
	}
	for _, w := range strings.Fields(strings.Join(topics, " ") + " " + fillers) {
		if _, ok := m.vocab[w]; !ok {
			m.vocab[w] = len(m.vocab)
		}
	}
	rng := rand.New(rand.NewPCG(seed, 3))
	m.e, m.w = make([][]float64, len(m.vocab)), make([]float64, len(m.vocab))
	for i := range m.e {
		m.e[i] = make([]float64, tinyDim)
		for k := range m.e[i] {
			m.e[i][k] = rng.NormFloat64() / 4
		}
	}
	for i, ex := range examples(seed, steps, 3) {
		rate := 0.3 * (1 - 0.8*float64(i)/float64(steps))
		for k, doc := range ex.Docs {
			y := 0.0
			if k == 0 {
				y = 1
			}
			m.learn(ex.Query, doc, y, rate)
		}
	}
	return m
}

func (m *tiny) ids(text string) []int {
	var ids []int
	for _, w := range strings.Fields(text) {
		ids = append(ids, m.vocab[w])
	}
	return ids
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

func (m *tiny) learn(query, doc string, y, rate float64) {
	q, d := m.ids(query), m.ids(doc)
	best, score := make([]int, len(q)), make([]float64, len(q))
	sum, total := 0.0, 1e-6
	for i, t := range q {
		score[i] = math.Inf(-1)
		for _, u := range d {
			if s := dot(m.e[t], m.e[u]); s > score[i] {
				score[i], best[i] = s, u
			}
		}
		w := math.Exp(m.w[t])
		sum += w * score[i]
		total += w
	}
	mean := sum / total
	p := 1 / (1 + math.Exp(-(m.a*mean + m.b)))
	g := rate * (y - p)
	for i, t := range q {
		w := math.Exp(m.w[t])
		step := g * m.a * w / total
		m.w[t] += max(-0.2, min(0.2, g*m.a*w/total*(score[i]-mean)))
		m.w[t] = max(-4, min(2, m.w[t]))
		for k := range tinyDim {
			x, z := m.e[t][k], m.e[best[i]][k]
			m.e[t][k] += step * z
			if best[i] != t {
				m.e[best[i]][k] += step * x
			}
		}
		normalise(m.e[t])
		normalise(m.e[best[i]])
	}
	m.b += g * 0.1
	m.a += max(-0.05, min(0.05, g*mean*0.1))
}

func normalise(v []float64) {
	if n := math.Sqrt(dot(v, v)); n > 1 {
		for i := range v {
			v[i] /= n
		}
	}
}

func (m *tiny) onnx() []byte {
	g := &graph{}
	ids, mask, types := g.input("input_ids"), g.input("attention_mask"), g.input("token_type_ids")
	var e, w []float32
	for i := range m.e {
		for _, x := range m.e[i] {
			if i < tinySpecials {
				x = 0
			}
			e = append(e, float32(x))
		}
		weight := math.Exp(m.w[i])
		if i < tinySpecials {
			weight = 0
		}
		w = append(w, float32(weight))
	}
	n := int64(len(m.e))
	on := g.node("Cast", []string{mask}, intAttr("to", float32Type))
	second := g.node("Mul", []string{on, g.node("Cast", []string{types}, intAttr("to", float32Type))})
	first := g.node("Sub", []string{on, second})
	x := g.node("Gather", []string{g.floats("embeddings", e, n, tinyDim), ids})
	weights := g.node("Mul", []string{first, g.node("Gather", []string{g.floats("weights", w, n), ids})})
	xt := g.node("Transpose", []string{x}, intsAttr("perm", 0, 2, 1))
	sim := g.node("MatMul", []string{x, xt})
	off := g.node("Mul", []string{g.node("Sub", []string{second, g.scalar(1)}), g.scalar(1000)})
	sim = g.node("Add", []string{sim, g.node("Unsqueeze", []string{off, g.ints(1)})})
	best := g.node("ReduceMax", []string{sim}, intsAttr("axes", 2), intAttr("keepdims", 0))
	sum := g.node("ReduceSum", []string{g.node("Mul", []string{weights, best}), g.ints(1)}, intAttr("keepdims", 1))
	total := g.node("Add", []string{g.node("ReduceSum", []string{weights, g.ints(1)}, intAttr("keepdims", 1)), g.scalar(1e-6)})
	mean := g.node("Div", []string{sum, total})
	g.output(g.node("Add", []string{g.node("Mul", []string{mean, g.scalar(float32(m.a))}), g.scalar(float32(m.b))}), 1)
	return g.model(17)
}
