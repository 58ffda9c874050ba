//go:build onnx

package main

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
)

type encoderShape struct {
	Layers, Hidden, Heads, FFN, Vocabulary, Positions int64
	Int8                                              bool // quantised like by ONNX Runtime's dynamic quantisation
	External                                          bool // weights in model.onnx_data
	Types                                             bool // has token_type_ids
	Labels                                            int64
}

// writeEncoder writes a transformer with random weights to dir/model.onnx (and model.onnx_data). It needs as much
// time and memory as a trained one.
func writeEncoder(dir string, s encoderShape, seed uint64) error {
	g := &graph{}
	if s.External {
		f, err := os.OpenFile(filepath.Join(dir, "model.onnx_data"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		defer f.Close()
		g.external, g.location = f, "model.onnx_data"
	}
	e := encoder{graph: g, encoderShape: s, rng: rand.New(rand.NewPCG(seed, 1))}
	e.build()
	if g.err != nil {
		return g.err
	}
	return os.WriteFile(filepath.Join(dir, "model.onnx"), g.model(17), 0o600)
}

type encoder struct {
	*graph
	encoderShape
	rng *rand.Rand
}

func (e *encoder) random(prefix string, scale float32, dims ...int64) string {
	n := int64(1)
	for _, d := range dims {
		n *= d
	}
	v := make([]float32, n)
	for i := range v {
		v[i] = (e.rng.Float32() - 0.5) * 2 * scale
	}
	return e.floats(prefix, v, dims...)
}

func (e *encoder) dense(x string, in, out int64) string {
	var y string
	if e.Int8 {
		raw := make([]byte, in*out)
		for i := 0; i+8 <= len(raw); i += 8 {
			binary.LittleEndian.PutUint64(raw[i:], e.rng.Uint64())
		}
		w := e.weight("w8", int8Type, raw, in, out)
		q := e.nodeN("DynamicQuantizeLinear", []string{x}, 3)
		sum := e.node("MatMulInteger", []string{q[0], w, q[2]})
		f := e.node("Cast", []string{sum}, intAttr("to", float32Type))
		scale := e.node("Mul", []string{q[1], e.scalar(0.0006)})
		y = e.node("Mul", []string{f, scale})
	} else {
		y = e.node("MatMul", []string{x, e.random("w", 0.06, in, out)})
	}
	return e.node("Add", []string{y, e.random("b", 0.01, out)})
}

func (e *encoder) norm(x string) string {
	ones := make([]float32, e.Hidden)
	for i := range ones {
		ones[i] = 1
	}
	return e.node("LayerNormalization", []string{x, e.floats("gamma", ones, e.Hidden), e.random("beta", 0.01, e.Hidden)},
		intAttr("axis", -1), floatAttr("epsilon", 1e-12))
}

func (e *encoder) build() {
	ids, mask := e.input("input_ids"), e.input("attention_mask")
	x := e.node("Gather", []string{e.random("words", 0.1, e.Vocabulary, e.Hidden), ids})
	length := e.node("Gather", []string{e.node("Shape", []string{ids}), e.ints(1)}, intAttr("axis", 0))
	positions := e.node("Slice", []string{e.random("positions", 0.1, e.Positions, e.Hidden), e.ints(0), length, e.ints(0)})
	x = e.node("Add", []string{x, positions})
	if e.Types {
		types := e.input("token_type_ids")
		x = e.node("Add", []string{x, e.node("Gather", []string{e.random("types", 0.1, 2, e.Hidden), types})})
	}
	x = e.norm(x)
	on := e.node("Cast", []string{mask}, intAttr("to", float32Type))
	on = e.node("Unsqueeze", []string{on, e.ints(1, 2)})
	bias := e.node("Mul", []string{e.node("Sub", []string{e.scalar(1), on}), e.scalar(-10000)})
	for range e.Layers {
		x = e.norm(e.node("Add", []string{x, e.attention(x, bias)}))
		h := e.gelu(e.dense(x, e.Hidden, e.FFN))
		x = e.norm(e.node("Add", []string{x, e.dense(h, e.FFN, e.Hidden)}))
	}
	head := e.node("Gather", []string{x, e.zero()}, intAttr("axis", 1))
	head = e.node("Tanh", []string{e.dense(head, e.Hidden, e.Hidden)})
	e.output(e.dense(head, e.Hidden, e.Labels), e.Labels)
}

func (e *encoder) zero() string {
	return e.weight("zero", int64Type, make([]byte, 8))
}

func (e *encoder) attention(x, bias string) string {
	per := e.Hidden / e.Heads
	part := func() string {
		y := e.dense(x, e.Hidden, e.Hidden)
		y = e.node("Reshape", []string{y, e.ints(0, 0, e.Heads, per)})
		return e.node("Transpose", []string{y}, intsAttr("perm", 0, 2, 1, 3))
	}
	q, k, v := part(), part(), part()
	kt := e.node("Transpose", []string{k}, intsAttr("perm", 0, 1, 3, 2))
	s := e.node("Mul", []string{e.node("MatMul", []string{q, kt}), e.scalar(0.17)})
	p := e.node("Softmax", []string{e.node("Add", []string{s, bias})}, intAttr("axis", -1))
	y := e.node("Transpose", []string{e.node("MatMul", []string{p, v})}, intsAttr("perm", 0, 2, 1, 3))
	return e.dense(e.node("Reshape", []string{y, e.ints(0, 0, e.Hidden)}), e.Hidden, e.Hidden)
}

func (e *encoder) gelu(x string) string {
	erf := e.node("Erf", []string{e.node("Mul", []string{x, e.scalar(0.70710678)})})
	return e.node("Mul", []string{e.node("Mul", []string{x, e.scalar(0.5)}), e.node("Add", []string{erf, e.scalar(1)})})
}
