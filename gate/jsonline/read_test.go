package jsonline

import (
	"encoding/json"
	"errors"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

type kept struct {
	Name   string                     `json:"name"`
	On     bool                       `json:"on,omitempty"`
	N      int64                      `json:"n"`
	Small  int8                       `json:"small"`
	Dead   []uint32                   `json:"dead,omitempty"`
	Rate   float64                    `json:"rate"`
	Total  [3]int64                   `json:"total"`
	Lists  [][]string                 `json:"lists"`
	Parts  []inner                    `json:"parts"`
	At     time.Time                  `json:"at,omitzero"`
	Names  map[string]string          `json:"names"`
	Level  level                      `json:"level"`
	Raw    json.RawMessage            `json:"raw"`
	Raws   map[string]json.RawMessage `json:"raws"`
	Counts map[string]inner           `json:"counts"`
	Hidden string                     `json:"-"`
	Plain  string
}

type others struct {
	Ptr   *inner         `json:"ptr"`
	Any   any            `json:"any"`
	Bytes []byte         `json:"bytes"`
	Num   json.Number    `json:"num"`
	Big   big.Int        `json:"big"`
	Map   map[string]int `json:"map"`
}

var texts = []string{
	`{"name":"회의록","on":true,"n":-12,"small":7,"dead":[1,2],"rate":0.25,"total":[1,2,3],"lists":[["a","b"],[]],` +
		`"parts":[{"name":"x","list":["y"],"N":3},{}],"at":"2026-01-02T03:04:05.000000006Z","names":{"a":"b"},` +
		`"level":"high","raw": {"a": [1 ]} ,"raws":{"a":true,"b":"x","c":null,"":[ ]},"counts":{"a":{"name":"b"}},"Plain":"p"}`,
	" {\n\t\"name\" : \"a \\\"b\\\" \\u00e9 \\ud83d\\ude00\" , \"Plain\":\"\\\\\" } ",
	`{}`, `null`, `[]`, `"x"`, `1`, ``, `{`, `{"name":"a"} x`, `{"name":}`, "{\"name\":\"\xff\"}",
	`{"unknown":{"a":[1,{"b":"}]"}],"c":null},"name":"kept","unknown":[]}`,
	`{"name":null,"on":null,"n":null,"dead":null,"parts":null,"at":null,"names":null}`,
	`{"NAME":"in other letters","ｎame":"wide"}`,
	`{"name":"twice","name":"again"}`, `{"parts":[{"name":"a","list":["b"]}],"parts":[{"N":1}]}`,
	`{"n":1.5}`, `{"n":"1"}`, `{"n":1e2}`, `{"n":9223372036854775808}`, `{"small":128}`, `{"dead":[-1]}`, `{"rate":1e400}`,
	`{"on":"true"}`, `{"name":1}`, `{"lists":{}}`, `{"parts":[[]]}`, `{"total":[1]}`, `{"total":[1,2,3,4]}`, `{"at":"yesterday"}`,
	`{"raw":null,"raws":null}`, `{"raws":{"a":1,"a":[2]},"counts":{"a":{"name":"b"},"a":{"N":1}}}`, `{"counts":{"a":{"b":{}}}}`, `{"raws":[]}`,
	`{"names":{"a":1}}`, `{"names":{"a":"1","a":"2"}}`, `{"names":[]}`, `{"hidden":"x","-":"y","plain":"z"}`,
	`{"ptr":{"name":"a"},"any":[1],"raw":{"a":1},"bytes":"aGk=","num":1,"big":5,"map":{"a":1}}`, `{"num":"x"}`, `{"num":"1"}`,
}

func same[T any](t *testing.T, text string) {
	t.Helper()
	var want, got T
	wantErr := json.Unmarshal([]byte(text), &want)
	err := Read([]byte(text), &got)
	if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
		t.Fatalf("Read(%q): %v, encoding/json: %v", text, err, wantErr)
	}
	assert.Equal(t, want, got, text)
}

func TestReadReadsWhatEncodingJSONReads(t *testing.T) {
	for _, text := range texts {
		same[kept](t, text)
		same[others](t, text)
		same[[]kept](t, "["+text+"]")
		same[outer](t, text)
	}
}

// Common values must not be left to encoding/json, which would hide faults of the reader.
func TestReadLeavesNothingOrdinary(t *testing.T) {
	for _, text := range texts[:3] {
		var v kept
		r := reader{text: []byte(text), types: map[reflect.Type][]field{}}
		assert.True(t, r.value(reflect.ValueOf(&v).Elem()), "%s is left to encoding/json", text)
	}
}

func TestReadSaysWhichTypeIsWrong(t *testing.T) {
	var v kept
	var mismatch *json.UnmarshalTypeError
	if err := Read([]byte(`{"name":"a","n":"b"}`), &v); !errors.As(err, &mismatch) || mismatch.Field != "n" || v.Name != "a" {
		t.Errorf("Read: %v, sets %+v", err, v)
	}
}

func FuzzReadReadsWhatEncodingJSONReads(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		same[kept](t, text)
		same[others](t, text)
	})
}
