package testmodel

// Broken returns a cross-encoder that misbehaves in one way:
//
//	nan       every logit is NaN
//	endless   asks for 16 GB at every run
//	input     wants an input that no tokenizer gives
//	labels    gives three logits a pair
//	opset     uses operator set 99
//	slow      spends some seconds on every run
func Broken(how string) []byte {
	g := &graph{}
	ids := g.input("input_ids")
	mask := g.input("attention_mask")
	x := g.node("Cast", []string{g.node("Mul", []string{ids, mask})}, intAttr("to", float32Type))
	row := g.node("ReduceSum", []string{x, g.ints(1)}, intAttr("keepdims", 1)) // one number a pair
	width, opset := int64(1), int64(17)
	switch how {
	case "nan":
		row = g.node("Sqrt", []string{g.node("Sub", []string{g.scalar(-1), g.node("Abs", []string{row})})})
	case "endless":
		big := g.node("Expand", []string{row, g.ints(1, 1<<32)})
		row = g.node("ReduceSum", []string{big, g.ints(1)}, intAttr("keepdims", 1))
	case "slow":
		// Depends on the input, so that nothing is computed while loading.
		zero := g.node("Mul", []string{g.node("ReduceSum", []string{row}, intAttr("keepdims", 0)), g.scalar(0)})
		side := g.node("Expand", []string{g.node("Add", []string{zero, g.scalar(0.001)}), g.ints(1200, 1200)})
		for range 60 {
			side = g.node("Tanh", []string{g.node("MatMul", []string{side, side})})
		}
		row = g.node("Add", []string{row, g.node("ReduceMax", []string{side}, intAttr("keepdims", 0))})
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
