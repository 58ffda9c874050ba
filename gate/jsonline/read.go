package jsonline

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Read parses text into the zero value at to, like json.Unmarshal. It fails if json.Unmarshal would.
func Read(text []byte, to any) error {
	if json.Valid(text) {
		v := reflect.ValueOf(to).Elem()
		r := reader{text: text, types: map[reflect.Type][]field{}}
		if r.value(v) {
			return nil
		}
		v.SetZero()
	}
	return json.Unmarshal(text, to)
}

// reader reads valid JSON. Its methods return false if encoding/json must read the value instead, because the value
// does not fit its Go type, or because an object has a repeated key or a key in another case.
type reader struct {
	text  []byte
	pos   int
	types map[reflect.Type][]field
}

func (r *reader) value(v reflect.Value) bool {
	r.blanks()
	switch v.Kind() {
	case reflect.Struct:
		return r.object(v)
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			begin := r.pos
			r.skip()
			v.SetBytes(bytes.Clone(r.text[begin:r.pos]))
			return true
		}
		return v.Type().Elem().Kind() != reflect.Uint8 && !reads(v.Type()) && r.list(v)
	case reflect.Array:
		return !reads(v.Type()) && r.list(v) // elements that are missing in the text stay zero
	case reflect.Map:
		return v.Type().Key() == reflect.TypeFor[string]() && !reads(v.Type()) && r.table(v)
	}
	token := r.token()
	if reads(v.Type()) || len(token) == 0 {
		return false
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(token[0] == 't')
		return token[0] == 't' || token[0] == 'f'
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(string(token), 10, v.Type().Bits())
		v.SetInt(n)
		return err == nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, err := strconv.ParseUint(string(token), 10, v.Type().Bits())
		v.SetUint(n)
		return err == nil
	case reflect.Float64:
		n, err := strconv.ParseFloat(string(token), 64)
		v.SetFloat(n)
		return err == nil
	case reflect.String:
		s, ok := unquoted(token)
		v.SetString(s)
		return ok
	}
	return false
}

func reads(t reflect.Type) bool {
	if t.PkgPath() == "" {
		return false // a type without a name has no methods
	}
	p := reflect.PointerTo(t)
	return t == reflect.TypeFor[json.Number]() || p.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
		p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

func (r *reader) object(v reflect.Value) bool {
	if at, ok := v.Addr().Interface().(*time.Time); ok {
		return at.UnmarshalJSON(r.token()) == nil
	}
	fields, ok := r.types[v.Type()]
	if !ok {
		if !reads(v.Type()) {
			fields = fieldsOf(v.Type())
		}
		r.types[v.Type()] = fields
	}
	if fields == nil {
		return false
	}
	var seen uint64 // bit i is set if field i was set
	return r.members(func(key string) bool {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == key })
		switch {
		case i < 0 && slices.ContainsFunc(fields, func(f field) bool { return strings.EqualFold(f.name, key) }):
			return false
		case i < 0:
			r.skip()
			return true
		case i >= 64 || seen>>i&1 != 0:
			return false
		}
		seen |= 1 << i
		return r.value(v.Field(fields[i].index))
	})
}

func (r *reader) table(v reflect.Value) bool {
	v.Set(reflect.MakeMap(v.Type()))
	return r.members(func(key string) bool {
		value := reflect.New(v.Type().Elem()).Elem()
		ok := r.value(value)
		v.SetMapIndex(reflect.ValueOf(key), value)
		return ok
	})
}

func (r *reader) members(member func(key string) bool) bool {
	if !r.take('{') {
		return false
	}
	for !r.take('}') {
		r.take(',')
		key, ok := unquoted(r.token())
		if !ok || !r.take(':') || !member(key) {
			return false
		}
	}
	return true
}

func (r *reader) list(v reflect.Value) bool {
	if !r.take('[') {
		return false
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	for i := 0; !r.take(']'); i++ {
		r.take(',')
		if v.Kind() == reflect.Slice {
			v.Grow(1)
			v.SetLen(i + 1)
		}
		if i >= v.Len() || !r.value(v.Index(i)) {
			return false
		}
	}
	return true
}

func (r *reader) blanks() {
	for r.pos < len(r.text) && blank(r.text[r.pos]) {
		r.pos++
	}
}

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func (r *reader) take(c byte) bool {
	r.blanks()
	if r.pos == len(r.text) || r.text[r.pos] != c {
		return false
	}
	r.pos++
	return true
}

func mark(c byte) bool {
	return c == ',' || c == ':' || c == '{' || c == '}' || c == '[' || c == ']'
}

// token consumes a string with its quotes, a number or a word. It consumes nothing before a list or an object.
func (r *reader) token() []byte {
	r.blanks()
	begin := r.pos
	if !r.take('"') {
		for r.pos < len(r.text) && !blank(r.text[r.pos]) && !mark(r.text[r.pos]) {
			r.pos++
		}
		return r.text[begin:r.pos]
	}
	for ; r.text[r.pos] != '"'; r.pos++ {
		if r.text[r.pos] == '\\' {
			r.pos++
		}
	}
	r.pos++
	return r.text[begin:r.pos]
}

func (r *reader) skip() {
	for depth := 0; ; {
		switch {
		case r.take('{') || r.take('['):
			depth++
		case r.take('}') || r.take(']'):
			depth--
		case !r.take(',') && !r.take(':'):
			r.token()
		}
		if depth == 0 {
			return
		}
	}
}

func unquoted(token []byte) (s string, ok bool) {
	if len(token) < 2 || token[0] != '"' {
		return "", false
	}
	inner := token[1 : len(token)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), true
	}
	return s, json.Unmarshal(token, &s) == nil
}
