package self

import "testing"

func TestDiffer(t *testing.T) {
	marks := []string{"mod\texample.com/a\tv1\t", "build\tvcs.revision=abc\n"}
	tests := []struct {
		name, binary string
		marks        []string
		wantSame     bool
	}{
		{"one revision", "ELF…path\tx\nmod\texample.com/a\tv1\t\nbuild\tvcs.revision=abc\n…", marks, true},
		{"nothing known of this one", "ELF", nil, true},
		{"two versions", "mod\texample.com/a\tv2\t\nbuild\tvcs.revision=abc\n", marks, false},
		{"two revisions", "mod\texample.com/a\tv1\t\nbuild\tvcs.revision=abd\n", marks, false},
		{"one release", "…skillgate=1.2.3;…", []string{"skillgate=1.2.3;"}, true},
		{"two releases that begin alike", "…skillgate=1.2.31;…", []string{"skillgate=1.2.3;"}, false},
		{"another program", "#!/bin/sh\n", marks, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := differ([]byte(tt.binary), tt.marks); (err == nil) != tt.wantSame {
				t.Errorf("differ = %v, want the same source: %v", err, tt.wantSame)
			}
		})
	}
}
