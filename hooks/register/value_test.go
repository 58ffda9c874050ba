package register

import "testing"

func TestSetAndUnset(t *testing.T) {
	const key, value = "share", "0.1"
	tests := []struct{ name, before, set string }{
		{"an empty file", "", "{\n  \"share\": 0.1\n}\n"},
		{"an empty object", "{}", "{\n  \"share\": 0.1\n}"},
		{"others before it, with tabs", "{\n\t\"a\": [1]\n}\n", "{\n\t\"a\": [1],\n\t\"share\": 0.1\n}\n"},
		{"one line", `{"a":1}`, `{"a":1,"share":0.1}`},
		{"another value", "{\"share\": .5e0 }", ""},
		{"another value of another type", `{"share": {"x": 1}, "b": 2}`, `{"share": 0.1, "b": 2}`},
		{"comments and a trailing comma", "{\n  // mine\n  \"a\": 1, // one\n}\n", "{\n  // mine\n  \"a\": 1, // one\n  \"share\": 0.1,\n}\n"},
		{"a byte order mark and other line ends", "\ufeff{\r\n  \"a\": 1\r\n}\r\n", "\ufeff{\r\n  \"a\": 1,\r\n  \"share\": 0.1\r\n}\r\n"},
		{"a list", "[]", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			set, err := Set("f", []byte(tt.before), key, value)
			if tt.set == "" {
				if err == nil {
					t.Errorf("Set = %q, want an error", set)
				}
				return
			}
			if err != nil || string(set) != tt.set {
				t.Fatalf("Set = %q, %v; want %q", set, err, tt.set)
			}
			if again, err := Set("f", set, key, value); err != nil || string(again) != tt.set {
				t.Errorf("Set a second time = %q, %v; want the same", again, err)
			}
			got, created, err := Unset("f", set, key, value, []byte(tt.set), []byte(tt.before))
			if err != nil || string(got) != tt.before || created {
				t.Errorf("Unset = %q, created %v, %v; want %q", got, created, err, tt.before)
			}
		})
	}
}

func TestUnsetWithoutTheOriginal(t *testing.T) {
	tests := []struct {
		name, text, want string
		originals        []string
		created          bool
	}{
		{"nothing else in it", "{\n  \"share\": 0.1\n}\n", "{}\n", nil, true},
		{"no original", `{"a":1,"share":0.1}`, `{"a":1}`, nil, false},
		{"the newest that has another value", `{"share":0.1,"b":1}`, `{"share":3,"b":1}`, []string{`{"share":0.1}`, `{"share":3}`, `{"share":4}`}, false},
		{"the newest has none", `{"share":0.1,"b":1}`, `{"b":1}`, []string{`{"a":1}`, `{"share":4}`}, false},
		{"an original that is broken", `{"share":0.1,"b":1}`, `{"share":4,"b":1}`, []string{`{`, `{"share":4}`}, false},
		{"another value meanwhile", `{"share":0.2}`, `{"share":0.2}`, []string{`{}`}, false},
		{"gone meanwhile", `{"b":2}`, `{"b":2}`, []string{`{}`}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var originals [][]byte
			for _, o := range tt.originals {
				originals = append(originals, []byte(o))
			}
			got, created, err := Unset("f", []byte(tt.text), "share", "0.1", originals...)
			if err != nil || string(got) != tt.want || created != tt.created {
				t.Errorf("Unset = %q, created %v, %v; want %q, %v", got, created, err, tt.want, tt.created)
			}
		})
	}
}
