package index

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func someManifest() *Manifest {
	return &Manifest{
		Format: Format, Analyzer: AnalyzerVersion, Generation: 3, Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Scope: "shared", Fingerprint: "f", Skills: 9, Base: Part{Docs: 10}, Delta: Part{Docs: 1}, Dead: []uint32{2, 7},
		Roots: []RootState{{Path: "/h/skills", Label: "personal", ModTime: 5}}, Note: "n",
	}
}

func TestManifestComesBack(t *testing.T) {
	dir := t.TempDir()
	want := someManifest()
	require.NoError(t, writeManifest(dir, want))
	got, err := readManifest(dir)
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(want, got))
}

func TestManifestRefuses(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*Manifest)
		stale bool
	}{
		{"another format", func(m *Manifest) { m.Format = 999 }, true},
		{"another analyzer", func(m *Manifest) { m.Analyzer = "other" }, true},
		{"more dead than documents", func(m *Manifest) { m.Base.Docs, m.Dead = 1, []uint32{0, 1} }, false},
		{"a dead document beyond the last", func(m *Manifest) { m.Dead = []uint32{10} }, false},
		{"dead documents in no order", func(m *Manifest) { m.Dead = []uint32{7, 2} }, false},
		{"a negative count", func(m *Manifest) { m.Delta.Docs = -1 }, false},
		{"negative terms", func(m *Manifest) { m.Base.Total[Body] = -1 }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := someManifest()
			tt.spoil(m)
			text, err := json.Marshal(m)
			require.NoError(t, err)
			if _, err := parseManifest(text); err == nil || errors.Is(err, ErrStale) != tt.stale {
				t.Errorf("parseManifest: %v, want an error, stale: %v", err, tt.stale)
			}
		})
	}
}

func FuzzManifest(f *testing.F) {
	text, err := json.Marshal(someManifest())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:len(text)/2])
	f.Add([]byte(strings.Replace(string(text), `"dead":[2,7]`, `"dead":[9,9]`, 1)))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseManifest(text)
		if err != nil {
			return
		}
		if m.Analyzer != AnalyzerVersion || m.Base.Docs < 0 || m.Delta.Docs < 0 || len(m.Dead) > m.Base.Docs || !slices.IsSorted(m.Dead) {
			t.Errorf("parseManifest(%q) accepts %+v", text, m)
		}
		for _, d := range m.Dead {
			if int(d) >= m.Base.Docs {
				t.Errorf("parseManifest(%q) accepts dead document %d of %d", text, d, m.Base.Docs)
			}
		}
	})
}
