//go:build onnx

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/skillgate/skillgate/gate/golden"
)

// brokenModel returns a cross-encoder with one fault:
//
//	nan       every logit is NaN
//	endless   allocates 16 GB in every run
//	input     has an input that no tokenizer provides
//	labels    returns three logits for each pair
//	opset     uses operator set 99
func brokenModel(how string) []byte {
	g := &graph{}
	ids := g.input("input_ids")
	mask := g.input("attention_mask")
	x := g.node("Cast", []string{g.node("Mul", []string{ids, mask})}, intAttr("to", float32Type))
	row := g.node("ReduceSum", []string{x, g.ints(1)}, intAttr("keepdims", 1)) // one number for each pair
	width, opset := int64(1), int64(17)
	switch how {
	case "nan":
		row = g.node("Sqrt", []string{g.node("Sub", []string{g.scalar(-1), g.node("Abs", []string{row})})})
	case "endless":
		big := g.node("Expand", []string{row, g.ints(1, 1<<32)})
		row = g.node("ReduceSum", []string{big, g.ints(1)}, intAttr("keepdims", 1))
	case "input":
		y := g.node("Cast", []string{g.input("pixel_values")}, intAttr("to", float32Type))
		row = g.node("Add", []string{row, g.node("ReduceSum", []string{y, g.ints(1)}, intAttr("keepdims", 1))})
	case "labels":
		row, width = g.node("Concat", []string{row, row, row}, intAttr("axis", 1)), 3
	case "opset":
		opset = 99
	}
	g.output(row, width)
	return g.model(opset)
}

func TestCheckedInOddModels(t *testing.T) {
	dir := t.TempDir()
	if err := writeEncoder(dir, encoderShape{Layers: 1, Hidden: 32, Heads: 2, FFN: 64, Vocabulary: 221, Positions: 64, Int8: true,
		External: true, Types: true, Labels: 2}, 1); err != nil {
		t.Fatal(err)
	}
	external, err := os.ReadFile(filepath.Join(dir, "model.onnx"))
	if err != nil {
		t.Fatal(err)
	}
	for name, model := range map[string][]byte{"external": external, "input": brokenModel("input"), "labels": brokenModel("labels")} {
		golden.Check(t, filepath.Join("../../testdata/rerank/odd", name+".onnx"), model)
	}
}
