package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

func call(t *testing.T, args ...string) (string, error) {
	t.Helper()
	h := apptest.New(t)
	return h.Run(newPublicCommand(h.App), args...)
}

func TestPublicSets(t *testing.T) {
	const data = "../../gate/bench/testdata"
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"SkillRetBench", []string{"--skillretbench", data + "/skillretbench"},
			[]string{"SkillRetBench ", "single_skill", "multi_skill_composition", "SkillRetBench, BM25 "}},
		{"SkillRouter", []string{"--skillrouter", data + "/skillrouter", "--tier", "hard"},
			[]string{"SkillRouter hard ", "nDCG@10", "R@50", "FC@10"}},
		{"SRA-Bench", []string{"--srabench", data + "/srabench"}, []string{"SRA-Bench ", "theorems", "R@50"}},
		{"SkillRet", []string{"--skillret", data + "/skillret"}, []string{"SkillRet ", "FC@10"}},
		{"BEIR", []string{"--beir", data + "/beir"}, []string{"BEIR beir ", "nDCG@10"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := call(t, tt.args...)
			require.NoError(t, err, tt.args)
			for _, want := range tt.want {
				assert.Contains(t, out, want, tt.args)
			}
		})
	}
}

func TestPublicRefuses(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"nothing to do", nil, "nothing to run"},
		{"a tier that is none", []string{"--skillrouter", "x", "--tier", "middle"}, "must be easy or hard"},
		{"no such set", []string{"--beir", "gone"}, "gone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := call(t, tt.args...)
			if err == nil || !strings.Contains(err.Error(), tt.want) || out != "" {
				t.Errorf("public %v = %v, printed %q, want an error with %q", tt.args, err, out, tt.want)
			}
		})
	}
}
