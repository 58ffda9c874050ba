// Package jsonline writes and reads JSON like encoding/json, but without the tables that encoding/json builds for each
// type. In a process that writes two lines, building the tables takes longer than writing the lines. The keys of a
// struct must be plain ASCII and distinct, and an IsZero method must have a value receiver.
package jsonline

import (
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Append appends v to line, byte for byte like a json.Encoder without HTML escaping, but without the final line feed.
// It returns an error if the json.Encoder would.
func Append(line []byte, v any) ([]byte, error) {
	w := writer{line: line, types: map[reflect.Type][]field{}}
	w.value(reflect.ValueOf(v))
	return w.line, w.err
}

type writer struct {
	line  []byte
	types map[reflect.Type][]field // fields of structs; nil for types that encoding/json handles
	err   error
}

type field struct {
	index               int
	name                string
	omitEmpty, omitZero bool
}

func (w *writer) value(v reflect.Value) {
	if k := v.Kind(); k != reflect.Invalid && k != reflect.Struct && v.Type().PkgPath() != "" && implements(v.Type()) {
		w.other(v)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		w.line = strconv.AppendBool(w.line, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.line = strconv.AppendInt(w.line, v.Int(), 10)
	case reflect.Float64:
		if f := math.Abs(v.Float()); f != 0 && f < 1e-6 || !(f < 1e21) {
			w.other(v) // the number needs an exponent or is not allowed in JSON
			return
		}
		w.line = strconv.AppendFloat(w.line, v.Float(), 'f', -1, 64)
	case reflect.String:
		w.line = appendQuoted(w.line, v.String())
	case reflect.Slice:
		w.slice(v)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			w.line = append(w.line, "null"...)
			return
		}
		w.value(v.Elem())
	case reflect.Struct:
		w.object(v)
	default:
		w.other(v)
	}
}

func (w *writer) slice(v reflect.Value) {
	if v.IsNil() {
		w.line = append(w.line, "null"...)
		return
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		w.other(v)
		return
	}
	w.line = append(w.line, '[')
	for i := range v.Len() {
		if i > 0 {
			w.line = append(w.line, ',')
		}
		w.value(v.Index(i))
	}
	w.line = append(w.line, ']')
}

func (w *writer) object(v reflect.Value) {
	fields, ok := w.types[v.Type()]
	if !ok {
		fields = fieldsOf(v.Type())
		w.types[v.Type()] = fields
	}
	if fields == nil {
		if t, ok := v.Interface().(time.Time); ok {
			w.time(t)
		} else {
			w.other(v)
		}
		return
	}
	begin := byte('{')
	for _, f := range fields {
		value := v.Field(f.index)
		if f.omitEmpty && empty(value) || f.omitZero && zero(value) {
			continue
		}
		w.line = append(append(append(w.line, begin, '"'), f.name...), '"', ':')
		w.value(value)
		begin = ','
	}
	if begin == '{' {
		w.line = append(w.line, begin)
	}
	w.line = append(w.line, '}')
}

func (w *writer) time(t time.Time) {
	text, err := t.MarshalJSON()
	if err != nil {
		w.err = err
	}
	w.line = append(w.line, text...)
}

func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

type zeroer interface{ IsZero() bool }

func zero(v reflect.Value) bool {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return true
	}
	if z, ok := v.Interface().(zeroer); ok {
		return z.IsZero()
	}
	return v.IsZero()
}

// fieldsOf returns the fields of a struct, or nil if encoding/json must handle the type.
func fieldsOf(t reflect.Type) []field {
	if implements(t) {
		return nil
	}
	fields := make([]field, 0, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		omitEmpty, omitZero := options == "omitempty", options == "omitzero"
		switch {
		case f.Anonymous || options != "" && !omitEmpty && !omitZero:
			return nil
		case omitEmpty && f.Type.Kind() == reflect.Array:
			return nil
		case !f.IsExported() || tag == "-":
			continue
		case name == "":
			name = f.Name
		}
		fields = append(fields, field{i, name, omitEmpty, omitZero})
	}
	return fields
}

func implements(t reflect.Type) bool {
	p, byJSON, byText := reflect.PointerTo(t), reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()
	return p.Implements(byJSON) || p.Implements(byText) || t == reflect.TypeFor[json.Number]()
}

func (w *writer) other(v reflect.Value) {
	if !v.IsValid() {
		w.line = append(w.line, "null"...)
		return
	}
	if v.CanAddr() {
		v = v.Addr()
	}
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v.Interface()); err != nil {
		w.err = err
		return
	}
	w.line = append(w.line, strings.TrimSuffix(text.String(), "\n")...)
}

func appendQuoted(line []byte, s string) []byte {
	line = append(line, '"')
	begin := 0 // start of the text that has not been written yet
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		i += size
		if r >= ' ' && r != '"' && r != '\\' && r != '\u2028' && r != '\u2029' && (r != utf8.RuneError || size > 1) {
			continue
		}
		line = append(line, s[begin:i-size]...)
		begin = i
		if letter := strings.IndexRune("\"\\\b\f\n\r\t", r); letter >= 0 {
			line = append(line, '\\', `"\bfnrt`[letter])
			continue
		}
		const hex = "0123456789abcdef"
		line = append(line, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
	}
	return append(append(line, s[begin:]...), '"')
}
