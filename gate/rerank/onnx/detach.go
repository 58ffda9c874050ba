package onnx

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/system"
)

// Field numbers of onnx.proto3 that Detach needs.
const (
	modelGraph       = 7
	graphInitializer = 5
	tensorRawData    = 9
	tensorExternal   = 13
	tensorLocation   = 14
)

const (
	detachable = 4096 // minimum size of weights to move, in bytes; moving smaller weights gains nothing
	alignment  = 4096 // page size in bytes; the runtime can map weights that start on a page boundary
)

// Detach copies the model file `from` to `to`, but moves large weights into the file `data`, which the copy calls
// `name`. The runtime maps such weights instead of copying them, which halves the time and memory for loading. Detach
// returns the number of bytes moved. If it is 0, data is not created.
func Detach(from, to, data, name string) (moved int64, err error) {
	model, err := mapped(from)
	if err != nil {
		return 0, err
	}
	defer system.Unmap(model)
	out, err := os.OpenFile(data, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	defer out.Close()
	w := bufio.NewWriterSize(out, 1<<20)
	d := detacher{weights: w, name: name}
	small, err := d.model(model)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", from, err)
	}
	if err := w.Flush(); err != nil {
		return 0, err
	}
	done := out.Close
	if d.offset == 0 {
		done = func() error { return disk.Discard(out) }
	}
	if err := done(); err != nil {
		return 0, err
	}
	return d.offset, disk.Write(to, small, disk.Options{})
}

type detacher struct {
	weights io.Writer
	name    string
	offset  int64
}

func (d *detacher) model(b []byte) ([]byte, error) {
	return rewrite(b, modelGraph, func(graph []byte) ([]byte, error) {
		return rewrite(graph, graphInitializer, d.tensor)
	})
}

func (d *detacher) tensor(b []byte) ([]byte, error) {
	var raw []byte
	err := message(b, func(f field) error {
		if f.number == tensorRawData {
			raw = f.bytes
		}
		return nil
	})
	if err != nil || len(raw) < detachable {
		return b, err
	}
	pad := (alignment - d.offset%alignment) % alignment
	if _, err := d.weights.Write(make([]byte, pad)); err != nil {
		return nil, err
	}
	d.offset += pad
	if _, err := d.weights.Write(raw); err != nil {
		return nil, err
	}
	out, err := rewrite(b, tensorRawData, func([]byte) ([]byte, error) { return nil, errDrop })
	if err != nil {
		return nil, err
	}
	for _, kv := range [][2]string{{"location", d.name}, {"offset", fmt.Sprint(d.offset)},
		{"length", fmt.Sprint(len(raw))}} {
		out = appendBytes(out, tensorExternal, appendBytes(appendBytes(nil, 1, []byte(kv[0])), 2, []byte(kv[1])))
	}
	out = protowire.AppendTag(out, tensorLocation, protowire.VarintType)
	out = protowire.AppendVarint(out, 1) // data_location = EXTERNAL
	d.offset += int64(len(raw))
	return out, nil
}

// errDrop makes rewrite omit a field.
var errDrop = fmt.Errorf("drop the field")

func rewrite(b []byte, number protowire.Number, change func([]byte) ([]byte, error)) ([]byte, error) {
	var out []byte
	rest := b
	for len(rest) > 0 {
		var f field
		size, err := next(rest, &f)
		if err != nil {
			return nil, err
		}
		if f.number != number || f.wire != protowire.BytesType {
			out = append(out, rest[:size]...)
			rest = rest[size:]
			continue
		}
		rest = rest[size:]
		changed, err := change(f.bytes)
		if err == errDrop {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = appendBytes(out, number, changed)
	}
	return out, nil
}

func appendBytes(b []byte, number protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), v)
}
