//go:build onnx

package main

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// The models of the tests are protobuf messages of onnx.proto3, written field by field. Equal arguments give equal
// bytes.

const (
	float32Type = 1
	int8Type    = 3
	int32Type   = 6
	int64Type   = 7
)

type graph struct {
	nodes, weights, inputs, outputs []byte
	external                        *os.File // file for weights over 1 KB; if nil, they are in the model
	location                        string
	offset                          int64
	err                             error
	next                            int
}

func tagged(b []byte, number protowire.Number, payload []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), payload)
}

func number(b []byte, field protowire.Number, v int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), uint64(v))
}

type attr struct {
	name string
	ints []int64
	i    *int64
	f    *float32
}

func intAttr(name string, v int64) attr     { return attr{name: name, i: &v} }
func intsAttr(name string, v ...int64) attr { return attr{name: name, ints: v} }
func floatAttr(name string, v float32) attr { return attr{name: name, f: &v} }
func (g *graph) name(prefix string) string  { g.next++; return fmt.Sprintf("%s_%d", prefix, g.next) }
func (g *graph) fail(err error)             { g.err = cmp.Or(g.err, err) }

func (g *graph) node(op string, in []string, attrs ...attr) string {
	return g.nodeN(op, in, 1, attrs...)[0]
}

func (g *graph) nodeN(op string, in []string, outputs int, attrs ...attr) []string {
	var b []byte
	for _, name := range in {
		b = tagged(b, 1, []byte(name))
	}
	var out []string
	for range outputs {
		name := g.name(op)
		out = append(out, name)
		b = tagged(b, 2, []byte(name))
	}
	b = tagged(b, 3, []byte(g.name("node")))
	b = tagged(b, 4, []byte(op))
	for _, a := range attrs {
		m := tagged(nil, 1, []byte(a.name))
		switch {
		case a.i != nil:
			m = number(number(m, 3, *a.i), 20, 2)
		case a.f != nil:
			m = protowire.AppendTag(m, 2, protowire.Fixed32Type)
			m = protowire.AppendFixed32(m, math.Float32bits(*a.f))
			m = number(m, 20, 1)
		default:
			for _, v := range a.ints {
				m = number(m, 8, v)
			}
			m = number(m, 20, 7)
		}
		b = tagged(b, 5, m)
	}
	g.nodes = tagged(g.nodes, 1, b)
	return out
}

func (g *graph) weight(prefix string, elem int64, raw []byte, dims ...int64) string {
	name := g.name(prefix)
	var b []byte
	for _, d := range dims {
		b = number(b, 1, d)
	}
	b = number(b, 2, elem)
	b = tagged(b, 8, []byte(name))
	if g.external != nil && len(raw) > 1024 {
		const page = 4096 // aligned offsets let the runtime map the file
		pad := (page - g.offset%page) % page
		_, err := g.external.Write(append(make([]byte, pad), raw...))
		g.fail(err)
		g.offset += pad
		for _, kv := range [][2]string{{"location", g.location}, {"offset", fmt.Sprint(g.offset)},
			{"length", fmt.Sprint(len(raw))}} {
			b = tagged(b, 13, tagged(tagged(nil, 1, []byte(kv[0])), 2, []byte(kv[1])))
		}
		b = number(b, 14, 1)
		g.offset += int64(len(raw))
	} else {
		b = tagged(b, 9, raw)
	}
	g.weights = tagged(g.weights, 5, b)
	return name
}

func (g *graph) floats(prefix string, v []float32, dims ...int64) string {
	raw := make([]byte, 0, 4*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return g.weight(prefix, float32Type, raw, dims...)
}

func (g *graph) scalar(v float32) string { return g.floats("scalar", []float32{v}) }

func (g *graph) ints(v ...int64) string {
	raw := make([]byte, 0, 8*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(x))
	}
	return g.weight("ints", int64Type, raw, int64(len(v)))
}

func inOut(name string, elem int64, dims ...int64) []byte {
	var shape []byte
	for _, d := range dims {
		dim := tagged(nil, 2, []byte("n"))
		if d >= 0 {
			dim = number(nil, 1, d)
		} else if d == -2 {
			dim = tagged(nil, 2, []byte("tokens"))
		}
		shape = tagged(shape, 1, dim)
	}
	tensor := tagged(number(nil, 1, elem), 2, shape)
	return tagged(tagged(nil, 1, []byte(name)), 2, tagged(nil, 1, tensor))
}

func (g *graph) input(name string) string {
	g.inputs = tagged(g.inputs, 11, inOut(name, int64Type, -1, -2))
	return name
}

// output makes the named value the model's output, a row of width logits per pair.
func (g *graph) output(value string, width int64) {
	var b []byte
	b = tagged(b, 1, []byte(value))
	b = tagged(b, 2, []byte("logits"))
	b = tagged(b, 3, []byte("out"))
	b = tagged(b, 4, []byte("Identity"))
	g.nodes = tagged(g.nodes, 1, b)
	g.outputs = tagged(g.outputs, 12, inOut("logits", float32Type, -1, width))
}

func (g *graph) model(opset int64) []byte {
	var gr []byte
	gr = append(gr, g.nodes...)
	gr = tagged(gr, 2, []byte("cross-encoder"))
	gr = append(gr, g.weights...)
	gr = append(gr, g.inputs...)
	gr = append(gr, g.outputs...)
	b := number(nil, 1, 8)
	b = tagged(b, 2, []byte("skillgate testmodel"))
	b = tagged(b, 7, gr)
	return tagged(b, 8, number(tagged(nil, 1, nil), 2, opset))
}

// bertTokenizer returns a tokenizer.json for BERT with a vocabulary that contains [PAD], [UNK], [CLS] and [SEP].
func bertTokenizer(vocab map[string]int) []byte {
	v, _ := json.Marshal(vocab) // cannot fail
	added := ""
	for _, s := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"} {
		added += fmt.Sprintf(`{"id":%d,"content":%q,"special":true},`, vocab[s], s)
	}
	return fmt.Appendf(nil, `{"version":"1.0","truncation":null,"padding":null,"added_tokens":[%s],
"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":true,"lowercase":true},
"pre_tokenizer":{"type":"BertPreTokenizer"},
"post_processor":{"type":"BertProcessing","sep":["[SEP]",%d],"cls":["[CLS]",%d]},
"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",`+
		`"max_input_chars_per_word":100,"vocab":%s}}
`, strings.TrimSuffix(added, ","), vocab["[SEP]"], vocab["[CLS]"], v)
}

// vocabulary returns a vocabulary of n entries: the special tokens of BERT, every printable
// ASCII character alone and as a continuation, and made-up words.
func vocabulary(n int) map[string]int {
	vocab := map[string]int{"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4}
	for c := byte('!'); c < 0x7F; c++ {
		vocab[string(c)] = len(vocab)
		vocab["##"+string(c)] = len(vocab)
	}
	for i := 0; len(vocab) < n; i++ {
		vocab[fmt.Sprintf("w%d", i)] = len(vocab)
	}
	return vocab
}
