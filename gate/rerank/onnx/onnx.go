// Package onnx reads the operator sets, inputs, outputs and external weight files of an ONNX model file.
//
// An .onnx file is one protobuf message (ModelProto of onnx.proto3). The package reads only the fields it needs and
// skips weights, so that it inspects even a 2 GB file quickly. It does not need ONNX Runtime.
package onnx

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// ErrFormat means that a file is not an ONNX model, or is truncated or damaged.
var ErrFormat = errors.New("not an ONNX model")

// Info describes an ONNX model file.
type Info struct {
	Opsets   map[string]int64 // operator set versions by domain; "" is ai.onnx
	Nodes    int
	Inputs   []Value
	Outputs  []Value
	External []string // names of external weight files, sorted
}

// Value describes one input or output.
type Value struct {
	Name string
	Type ElemType
	Dims []int64 // -1 for a variable dimension
}

// ElemType is the element type of a tensor (TensorProto.DataType).
type ElemType int32

// Element types that occur in cross-encoders.
const (
	Float   ElemType = 1
	Int32   ElemType = 6
	Int64   ElemType = 7
	Float16 ElemType = 10
)

func (t ElemType) String() string {
	switch t {
	case Float:
		return "float32"
	case Int32:
		return "int32"
	case Int64:
		return "int64"
	case Float16:
		return "float16"
	}
	return fmt.Sprintf("type %d", int32(t))
}

// Inspect reads an ONNX file. Errors wrap ErrFormat if its content is invalid.
func Inspect(file string) (Info, error) {
	data, err := mapped(file)
	if err != nil {
		return Info{}, err
	}
	defer system.Unmap(data)
	info, err := Parse(data)
	if err != nil {
		return Info{}, fmt.Errorf("%s: %w", file, err)
	}
	return info, nil
}

func mapped(file string) ([]byte, error) {
	f, err := regular.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if fi.Size() == 0 {
		return nil, fmt.Errorf("%s: %w: the file is empty", file, ErrFormat)
	}
	return system.Map(f, fi.Size())
}

// Parse is like Inspect for a model in memory.
func Parse(data []byte) (Info, error) {
	info := Info{Opsets: map[string]int64{}}
	graphs := 0
	err := message(data, func(f field) error {
		switch f.number {
		case 7:
			graphs++
			return info.graph(f.bytes)
		case 8:
			return info.opset(f.bytes)
		}
		return nil
	})
	if err == nil && (graphs != 1 || info.Nodes == 0 || len(info.Opsets) == 0) {
		err = fmt.Errorf("%w: it has %d graphs, %d nodes, %d operator sets", ErrFormat, graphs, info.Nodes, len(info.Opsets))
	}
	if err != nil {
		return Info{}, err
	}
	slices.Sort(info.External)
	info.External = slices.Compact(info.External)
	return info, nil
}

func (info *Info) opset(b []byte) error {
	var domain string
	var version int64
	err := message(b, func(f field) error {
		switch f.number {
		case 1:
			domain = printable(f.bytes)
		case 2:
			version = int64(f.value)
		}
		return nil
	})
	if domain == "ai.onnx" {
		domain = ""
	}
	info.Opsets[domain] = version
	return err
}

func (info *Info) graph(b []byte) error {
	weights := map[string]bool{}
	var inputs []Value
	err := message(b, func(f field) error {
		switch f.number {
		case 1:
			info.Nodes++
		case 5:
			name, err := info.initializer(f.bytes)
			weights[name] = true
			return err
		case 11, 12:
			v, err := value(f.bytes)
			if f.number == 11 {
				inputs = append(inputs, v)
			} else {
				info.Outputs = append(info.Outputs, v)
			}
			return err
		}
		return nil
	})
	// Old exporters also list the weights as inputs.
	for _, v := range inputs {
		if !weights[v.Name] {
			info.Inputs = append(info.Inputs, v)
		}
	}
	return err
}

func (info *Info) initializer(b []byte) (name string, err error) {
	err = message(b, func(f field) error {
		switch f.number {
		case 8:
			name = printable(f.bytes)
		case 13:
			var key, val string
			err := message(f.bytes, func(f field) error {
				switch f.number {
				case 1:
					key = printable(f.bytes)
				case 2:
					val = printable(f.bytes)
				}
				return nil
			})
			if key == "location" {
				info.External = append(info.External, val)
			}
			return err
		}
		return nil
	})
	return name, err
}

func value(b []byte) (Value, error) {
	var v Value
	dim := func(f field) error {
		if f.number != 1 {
			return nil
		}
		size := int64(-1)
		err := message(f.bytes, func(f field) error {
			if f.number == 1 && f.wire == protowire.VarintType {
				size = int64(f.value)
			}
			return nil
		})
		v.Dims = append(v.Dims, size)
		return err
	}
	tensor := func(f field) error {
		switch f.number {
		case 1:
			v.Type = ElemType(f.value)
		case 2:
			return message(f.bytes, dim)
		}
		return nil
	}
	err := message(b, func(f field) error {
		switch f.number {
		case 1:
			v.Name = printable(f.bytes)
		case 2:
			return message(f.bytes, func(f field) error {
				if f.number == 1 {
					return message(f.bytes, tensor)
				}
				return nil
			})
		}
		return nil
	})
	return v, err
}

// Local reports whether name, the path of an external file, stays inside the model's folder.
func Local(name string) bool {
	return filepath.IsLocal(name) && !strings.Contains(name, "\\")
}

func printable(b []byte) string {
	const most = 300
	s := strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError || r == 0x7F {
			return '?'
		}
		return r
	}, string(b[:min(len(b), most)]))
	return s
}

// field is one field of a protobuf message. Either value or bytes is set.
type field struct {
	number protowire.Number
	wire   protowire.Type
	value  uint64
	bytes  []byte
}

func message(b []byte, do func(field) error) error {
	for len(b) > 0 {
		var f field
		n, err := next(b, &f)
		if err != nil {
			return err
		}
		b = b[n:]
		if err := do(f); err != nil {
			return err
		}
	}
	return nil
}

// next reads the first field of b into f and returns its length, including the tag.
func next(b []byte, f *field) (int, error) {
	number, wire, start := protowire.ConsumeTag(b)
	if start < 0 {
		return 0, fmt.Errorf("%w: invalid field tag", ErrFormat)
	}
	n := protowire.ConsumeFieldValue(number, wire, b[start:])
	if n < 0 {
		return 0, fmt.Errorf("%w: field %d is truncated or damaged", ErrFormat, number)
	}
	*f = field{number: number, wire: wire}
	switch wire {
	case protowire.VarintType:
		f.value, _ = protowire.ConsumeVarint(b[start:])
	case protowire.BytesType:
		f.bytes, _ = protowire.ConsumeBytes(b[start:])
	}
	return start + n, nil
}
