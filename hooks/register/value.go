package register

import (
	"bytes"
	"encoding/json"

	"github.com/tailscale/hujson"
)

// Set returns text with key at its top set to value, which is JSON. The text is unchanged where
// it is there.
func Set(file string, text []byte, key, value string) ([]byte, error) {
	d, err := parse(file, text)
	if err != nil {
		return nil, err
	}
	v, _, ok := member(d.root, key)
	switch {
	case !ok:
		err = d.insert(d.root, key, json.RawMessage(value))
	case d.raw(v) == value:
		return text, nil
	default:
		err = d.replace(span{v.StartOffset, v.EndOffset}, json.RawMessage(value))
	}
	return d.bytes(), err
}

// Unset takes back what Set has done: where key at the top of text has value, it gets the value
// that it had in the newest of originals, texts that the file had before, which has another, and
// is removed where it had none there. An original that Set turns into text is returned as it was.
// created says that no file was needed to get this text: it can be removed.
func Unset(file string, text []byte, key, value string, originals ...[]byte) (out []byte, created bool, err error) {
	d, err := parse(file, text)
	if err != nil {
		return nil, false, err
	}
	v, at, ok := member(d.root, key)
	if !ok || d.raw(v) != value {
		return text, false, nil
	}
	var former string // "" for none
	for _, original := range originals {
		if after, err := Set(file, original, key, value); err != nil || bytes.Equal(after, original) {
			continue
		} else if bytes.Equal(after, text) {
			return original, false, nil
		}
		if before, err := parse(file, original); err == nil {
			if v, _, ok := member(before.root, key); ok {
				former = before.raw(v)
			}
			break
		}
	}
	after, err := Set(file, nil, key, value)
	created = err == nil && bytes.Equal(after, text)
	if former != "" {
		err = d.replace(span{v.StartOffset, v.EndOffset}, json.RawMessage(former))
	} else {
		err = d.remove(d.root, at)
	}
	return d.bytes(), created, err
}

// raw is a value as it is written.
func (d *document) raw(v hujson.Value) string { return string(d.text[v.StartOffset:v.EndOffset]) }
