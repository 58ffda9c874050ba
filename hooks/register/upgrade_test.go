package register

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/hooks"
)

func TestUninstallAfterAnUpgrade(t *testing.T) {
	elsewhere := hooks.Claude.Handlers("/opt/old/bin/skillgate", true)
	tests := []struct {
		name string
		from []hooks.Handler
	}{
		{"from another path", elsewhere},
		{"from a list without an event", hooks.Claude.Handlers(bin, true)[:handlers-1]},
		{"from a list with another matcher", hooks.Claude.Handlers(bin, false)},
		{"from a list with another event", older},
	}
	for _, tt := range tests {
		for _, text := range roundTrips {
			first, _, err := Install("f", []byte(text), tt.from)
			require.NoError(t, err, text)
			second, _, err := Install("f", first, hooks.Claude.Handlers(bin, true))
			require.NoError(t, err, string(first))
			got, changes, _, err := Uninstall("f", second, first, []byte(text))
			if found, _ := Find("f", got); err != nil || len(found) > 0 || len(changes) != handlers {
				t.Errorf("%s: Uninstall of %q = %q, %d changes, %v; want no handler left", tt.name, text, got, len(changes), err)
			}
		}
	}
	text := []byte(roundTrips[0])
	first, _, _ := Install("f", text, elsewhere)
	second, _, _ := Install("f", first, hooks.Claude.Handlers(bin, true))
	if got, _, _, err := Uninstall("f", second, first, text); err != nil || !bytes.Equal(got, text) {
		t.Errorf("Uninstall after another path = %q, %v; want the text before the first install, %q", got, err, text)
	}
}

func TestUninstallKeepsAnEmptyObjectThatWasThere(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"it was there", "{\n  \"model\": \"opus\",\n  \"hooks\": {}\n}\n", "{\n  \"model\": \"haiku\",\n  \"hooks\": {}\n}\n"},
		{"it was not", "{\n  \"model\": \"opus\"\n}\n", "{\n  \"model\": \"haiku\"\n}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			after, _, err := Install("f", []byte(tt.text), hooks.Claude.Handlers(bin, true))
			require.NoError(t, err)
			after = bytes.Replace(after, []byte("opus"), []byte("haiku"), 1)
			if got, _, _, err := Uninstall("f", after, []byte(tt.text)); err != nil || string(got) != tt.want {
				t.Errorf("Uninstall = %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}
