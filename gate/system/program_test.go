package system

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestCalledFor(t *testing.T) {
	small, complete, elsewhere := "bin/skillgate"+Program, "lib/skillgate/skillgate"+Program, "src/skillgate/skillgate"+Program
	tests := []struct {
		name  string
		files []string
		self  string
		want  string
	}{
		{"the small program", []string{small, complete}, small, small},
		{"the complete program", []string{small, complete}, complete, small},
		{"no small program", []string{complete}, complete, complete},
		{"a folder in the place of the small program", []string{small + "/x", complete}, complete, complete},
		{"the complete program in bin", []string{small}, small, small},
		{"the complete program elsewhere", []string{small, elsewhere}, elsewhere, elsewhere},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			prefix := t.TempDir()
			for _, file := range tt.files {
				path := filepath.Join(prefix, file)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o700)); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := calledFor(filepath.Join(prefix, tt.self)), filepath.Join(prefix, tt.want); got != want {
				t.Errorf("calledFor(%q) = %q, want %q", tt.self, got, want)
			}
		})
	}
}
