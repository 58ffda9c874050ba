package system

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestCalledFor(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		self  string
		want  string
	}{
		{"the small program", []string{"bin/skillgate", "lib/skillgate/skillgate"}, "bin/skillgate", "bin/skillgate"},
		{"the complete program", []string{"bin/skillgate", "lib/skillgate/skillgate"}, "lib/skillgate/skillgate", "bin/skillgate"},
		{"no small program", []string{"lib/skillgate/skillgate"}, "lib/skillgate/skillgate", "lib/skillgate/skillgate"},
		{"a folder in the place of the small program", []string{"bin/skillgate/x", "lib/skillgate/skillgate"}, "lib/skillgate/skillgate", "lib/skillgate/skillgate"},
		{"the complete program in bin", []string{"bin/skillgate"}, "bin/skillgate", "bin/skillgate"},
		{"the complete program elsewhere", []string{"bin/skillgate", "src/skillgate/skillgate"}, "src/skillgate/skillgate", "src/skillgate/skillgate"},
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
