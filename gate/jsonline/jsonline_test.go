package jsonline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

type level string

type weight float64

func (w weight) IsZero() bool { return w < 1 }

type inner struct {
	Name string   `json:"name"`
	List []string `json:"list,omitempty"`
	N    int
	gone bool
}

type outer struct {
	Inner  inner            `json:"inner"`
	Some   []inner          `json:"some"`
	Ptr    *inner           `json:"ptr,omitempty"`
	At     time.Time        `json:"at"`
	Zero   time.Time        `json:"zero,omitempty"`
	Rate   float64          `json:"rate"`
	Level  level            `json:"level,omitempty"`
	On     bool             `json:"on,omitempty"`
	Any    any              `json:"any"`
	Map    map[string]int   `json:"map,omitempty"`
	Bytes  []byte           `json:"bytes"`
	Array  [2]int           `json:"array"`
	Hidden string           `json:"-"`
	Dash   string           `json:"-,"` //lint:ignore SA5008 a field that is named "-"
	Raw    json.RawMessage  `json:"raw"`
	Took   time.Duration    `json:"took"`
	Keys   map[string]inner `json:"keys"`
}

type zeros struct {
	At    time.Time `json:"at"`
	Since time.Time `json:"since,omitzero"`
	First inner     `json:"first,omitzero"`
	Worth weight    `json:"worth,omitzero"`
	Ends  *weight   `json:"ends,omitzero"`
}

// day and sealed have their own JSON, sealed only as a variable.
type day int

func (d day) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "day %d", int(d)), nil }

type sealed struct{ N int }

func (*sealed) MarshalJSON() ([]byte, error) { return []byte(`"sealed"`), nil }

// marked has values with their own JSON.
type marked struct {
	Days   []day
	Sealed sealed
	Number json.Number
	Empty  [2]int `json:"empty,omitempty"`
}

func want(t *testing.T, v any) (string, error) {
	t.Helper()
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSuffix(text.String(), "\n"), err
}

func TestAppendWritesWhatEncodingJSONWrites(t *testing.T) {
	type embeds struct {
		inner
		Own int `json:"own,string"`
	}
	full := outer{
		Inner: inner{"a", []string{"b", ""}, -3, true}, Some: []inner{{}, {Name: "ㄱ"}}, Ptr: &inner{}, At: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC),
		Rate: 0.1, Level: "high", On: true, Any: map[string]any{"b": []any{1, nil}, "a": "<"}, Map: map[string]int{"x": 1}, Bytes: []byte("hi"),
		Hidden: "h", Dash: "d", Raw: json.RawMessage(`{"a":[1]}`), Took: time.Second, Keys: map[string]inner{"k": {}},
	}
	tests := []struct {
		name string
		v    any
	}{
		{"nothing set", outer{}},
		{"zeros", zeros{}},
		{"a zero time of another zone", zeros{Since: time.Time{}.In(time.FixedZone("", 3600)), Worth: 0.5}},
		{"what is not zero", &zeros{Since: time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600)), Worth: 2, First: inner{N: 1}, Ends: new(weight)}},
		{"a time that JSON cannot write", zeros{At: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}},
		{"everything set", full},
		{"a pointer", &full},
		{"nothing", nil},
		{"an embedded struct and a number in quotes", embeds{inner{Name: "n"}, 4}},
		{"a struct without fields", struct{}{}},
		{"a list that is empty", []string{}},
		{"a list that is nil", []string(nil)},
		{"a marshaler behind a type", []time.Time{{}}},
		{"types with JSON of their own", marked{[]day{1}, sealed{}, "12", [2]int{}}},
		{"and variables of them", &marked{[]day{1}, sealed{}, "12", [2]int{}}},
		{"a list of variables", []sealed{{}}},
		{"such a type alone", day(2)},
		{"a number alone", json.Number("12")},
		{"an error", struct{ F float64 }{math.NaN()}},
		{"another error", []any{1, math.Inf(-1)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want, wantErr := want(t, tt.v)
			got, err := Append([]byte(">"), tt.v)
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("Append: %v, encoding/json: %v", err, wantErr)
			}
			if err == nil && string(got) != ">"+want {
				t.Errorf("Append wrote\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestNumbersAsEncodingJSONWritesThem(t *testing.T) {
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -1.5, 1e-6, 9.99e-7, 1e20, 1e21, -1e21, math.MaxFloat64, math.SmallestNonzeroFloat64, 1.0 / 3} {
		want, _ := want(t, f)
		if got, err := Append(nil, f); err != nil || string(got) != want {
			t.Errorf("Append(%v) = %s, %v, want %s", f, got, err, want)
		}
	}
}

func FuzzStringsAsEncodingJSONWritesThem(f *testing.F) {
	for _, s := range []string{"", "plain", "한글 \"quoted\" \\ / <b>&", "\x00\x1f\b\f\n\r\t\x7f", "\u2028\u2029\ufffd", "\xff\xc3(\xed\xa0\x80", "😀"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, _ := want(t, s)
		if got, err := Append(nil, s); err != nil || string(got) != want {
			t.Errorf("Append(%q) = %s, %v, want %s", s, got, err, want)
		}
	})
}
