//go:build onnx

package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/skillgate/skillgate/gate/rerank/model"
	"github.com/skillgate/skillgate/gate/rerank/serve"
	"github.com/skillgate/skillgate/gate/rerank/tokenizer"
)

// maxThreads is the maximum number of threads for one batch.
const maxThreads = 4

func load(m *model.Installed, library string) (*serve.Model, error) {
	tok, err := tokenizer.Open(m.TokenizerFile())
	if err != nil {
		return nil, err
	}
	file, err := open(libraries(library))
	if err != nil {
		return nil, err
	}
	limitMemory(m.Bytes)
	s, err := newSession(m)
	if err != nil {
		return nil, fmt.Errorf("load model %s: %w", m.Name, explain(err))
	}
	return &serve.Model{
		Name: m.Name, Library: file, Runtime: ort.GetVersion(), Scale: m.Probe.Scale, MaxTokens: m.MaxTokens,
		Tokenizer: tok, Score: s.score,
	}, nil
}

type session struct {
	*ort.DynamicAdvancedSession
	inputs []string
}

func newSession(m *model.Installed) (*session, error) {
	o, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	defer o.Destroy()
	err = errors.Join(
		o.SetIntraOpNumThreads(min(runtime.NumCPU(), maxThreads)),
		o.SetInterOpNumThreads(1),
		o.SetLogSeverityLevel(ort.LoggingLevelFatal),
		// The arena keeps the memory of the largest batch, which is small. Without the arena every
		// thread that runs the model keeps a heap of its own, in total 100 MB more.
		o.SetCpuMemArena(true),
		// ONNX Runtime would keep a memory pattern for every batch length.
		o.SetMemPattern(false),
		// Spinning threads take processor time from other work. On a busy machine they take it
		// from each other too, which made reranking three times slower.
		o.AddSessionConfigEntry("session.intra_op.allow_spinning", "0"),
	)
	if err != nil {
		return nil, err
	}
	s, err := ort.NewDynamicAdvancedSession(m.ONNXFile(), m.Inputs, []string{m.Output}, o)
	if err != nil {
		return nil, err
	}
	return &session{s, m.Inputs}, nil
}

// score runs the model on rows of equal length and returns a logit for each. If the model has two
// logits per row, score returns the second minus the first.
func (s *session) score(rows []tokenizer.Pair) ([]float64, error) {
	logits, width, err := s.run(rows)
	if err != nil {
		return nil, explain(err)
	}
	out := make([]float64, len(rows))
	for i := range out {
		switch width {
		case 1:
			out[i] = float64(logits[i])
		case 2:
			out[i] = float64(logits[2*i+1]) - float64(logits[2*i])
		default:
			return nil, fmt.Errorf("the model is not a reranker: it returns %d logits per pair instead of 1 or 2", width)
		}
	}
	return out, nil
}

func (s *session) run(rows []tokenizer.Pair) (logits []float32, width int, err error) {
	var in []ort.Value
	defer func() {
		for _, v := range in {
			v.Destroy()
		}
	}()
	for _, name := range s.inputs {
		v, err := tensor(name, rows)
		if err != nil {
			return nil, 0, err
		}
		in = append(in, v)
	}
	out := []ort.Value{nil}
	if err := s.Run(in, out); err != nil {
		return nil, 0, err
	}
	defer out[0].Destroy()
	t, ok := out[0].(*ort.Tensor[float32])
	if !ok {
		return nil, 0, fmt.Errorf("the model's output is %v instead of a float32 tensor", out[0].GetONNXType())
	}
	data := t.GetData()
	if len(data) == 0 || len(data)%len(rows) != 0 {
		return nil, 0, fmt.Errorf("the model returns %d logits for %d pairs", len(data), len(rows))
	}
	return append([]float32(nil), data...), len(data) / len(rows), nil
}

func tensor(name string, rows []tokenizer.Pair) (ort.Value, error) {
	n := len(rows[0].IDs)
	values := make([]int64, 0, len(rows)*n)
	for _, r := range rows {
		for i, id := range r.IDs {
			v := int64(id)
			switch typ := r.Types[i]; name {
			case "attention_mask":
				v = 1
				if typ == serve.Padding {
					v = 0
				}
			case "token_type_ids":
				v = int64(max(typ, 0))
			}
			values = append(values, v)
		}
	}
	return ort.NewTensor(ort.NewShape(int64(len(rows)), int64(n)), values)
}

// explain rewrites errors of ONNX Runtime that are hard to understand.
func explain(err error) error {
	text := oneLine(err.Error())
	lower := strings.ToLower(text)
	switch {
	case strings.Contains(lower, "opset") || strings.Contains(lower, "unsupported model ir version"):
		return fmt.Errorf("the model was exported for a newer ONNX Runtime than %s; export it with a lower --opset "+
			"or install a newer library (%s)", ort.GetVersion(), text)
	case strings.Contains(lower, "protobuf parsing failed") || strings.Contains(lower, "invalid_protobuf"):
		return fmt.Errorf("the model file is damaged or truncated: %s", text)
	case strings.Contains(lower, "out of data bounds") || strings.Contains(lower, "out-of-bounds"):
		return fmt.Errorf("wrong tokenizer: the model has no embedding for one of the tokenizer's ids (%s)", text)
	case strings.Contains(lower, "bad_alloc") || strings.Contains(lower, "failed to allocate") ||
		strings.Contains(lower, "allocation"):
		return fmt.Errorf("the model needs more memory than the helper may use: %s", text)
	}
	return errors.New(text)
}

func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	const most = 300
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
