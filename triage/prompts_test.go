package triage

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rows returns the tab-separated columns of a file in testdata, with Go's escapes.
func rows(t *testing.T, file string) [][]string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	var out [][]string
	for line := range strings.Lines(string(data)) {
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for i, c := range columns {
			columns[i], err = strconv.Unquote(`"` + strings.ReplaceAll(c, `"`, `\"`) + `"`)
			require.NoError(t, err, c)
		}
		out = append(out, columns)
	}
	return out
}

// list splits a column, or returns nil for "".
func list(column string) []string {
	if column == "" {
		return nil
	}
	return strings.Split(column, " | ")
}

func TestKinds(t *testing.T) {
	want := ""
	for _, row := range rows(t, "kinds.txt") {
		if heading, ok := strings.CutPrefix(row[0], "== "); ok {
			want, _, _ = strings.Cut(heading, ":")
			continue
		}
		assert.Equal(t, Kind(want), Classify(row[0]).Kind, row[0])
	}
}

// Each row has a text without work and the same text with work. The test fails if a word for work gets into a list.
func TestPairsWithAndWithoutWork(t *testing.T) {
	for _, row := range rows(t, "pairs.txt") {
		kind, alone, work := row[0], row[1], row[2]
		assert.Equal(t, Kind(kind), Classify(alone).Kind, alone)
		got := Classify(work)
		assert.Equal(t, Search, got.Kind, work)
		assert.NotEmpty(t, got.Text, work)
	}
}

func TestTextIsTheWork(t *testing.T) {
	for _, row := range rows(t, "texts.txt") {
		t.Run(row[0], func(t *testing.T) {
			got := Classify(row[1])
			assert.Equal(t, Search, got.Kind)
			assert.Equal(t, row[2], got.Text)
		})
	}
}

func TestSteps(t *testing.T) {
	for _, row := range rows(t, "steps.txt") {
		t.Run(row[0], func(t *testing.T) {
			assert.Equal(t, list(row[2]), Classify(row[1]).Steps)
		})
	}
}

func TestStepsAreAtMostSix(t *testing.T) {
	p := "자료 조사하고, 목차 잡고, 초안 쓰고, 그림 그리고, 번역하고, 검토하고, 조판하고, 인쇄소에 보내줘"
	if got := Classify(p).Steps; len(got) < 2 || len(got) > maxSteps {
		t.Errorf("Classify(%q).Steps = %q, want 2 to %d", p, got, maxSteps)
	}
}

func TestExplicit(t *testing.T) {
	installed := []string{
		"pdf", "docx", "review", "pr-review", "commit", "login", "code-tour", "threat-model", "kit:brainstorm", "data_prep", "회의록-정리",
	}
	for _, row := range rows(t, "explicit.txt") {
		t.Run(row[0], func(t *testing.T) {
			assert.Equal(t, list(row[2]), Explicit(row[1], func(n string) bool { return slices.Contains(installed, n) }))
		})
	}
}

func TestOpeningBeforeWorkNeverSwallowsIt(t *testing.T) {
	openings := []string{"안녕하세요 클로드", "네 좋아요", "ㅇㅋ", "고마워요", "수고했어 ㅋㅋ", "2번으로 갈게요", "그대로 부탁해", "hi claude", "ok",
		"thanks", "looks good to me", "yes go ahead", "no, option 2", "lol"}
	joints := []string{" ", ", ", ". ", "! ", "~ ", "\n", " - ", " 그리고 ", " then "}
	works := []string{"세금계산서 양식 만들어줘", "로그인 화면 접근성 점검해줘", "draft an onboarding checklist", "migrate the cron jobs to airflow"}
	for _, o := range openings {
		for _, j := range joints {
			for _, w := range works {
				p := o + j + w
				if got := Classify(p); got.Kind != Search || len(got.Text) < len(w) || got.Text[len(got.Text)-len(w):] != w {
					t.Errorf("Classify(%q) = %s %q, want search and a text that ends in %q", p, got.Kind, got.Text, w)
				}
			}
		}
	}
}
