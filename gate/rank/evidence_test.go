package rank

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
)

// A trigger typed word for word finds its skill although other skills have its words more
// often.
func TestPhraseMetAsAWhole(t *testing.T) {
	skills := []catalog.Entry{
		skill("tune-lute", `Tunes lutes. Use when the user says "mend the old lute" or "나무 기타 손질".`, ""),
		skill("lute-shop", "Old lute, mend lute, old lute mending.", "# Mend old lutes\n"),
		skill("lute-ko", "나무 기타, 기타 손질, 손질한 나무 기타.", ""),
		skill("lute-care", "Lutes: the old lute, and how people mend it. 나무 기타 손질을 다룬다.", ""),
	}
	r := over(t, skills)
	for _, prompt := range []string{"mend the old lute", "Mend the old lute!", "나무 기타 손질해줘"} {
		if got := r.top(prompt, 1); len(got) != 1 || got[0] != "tune-lute" {
			t.Errorf("Top(%q) = %v, want tune-lute", prompt, got)
		}
		res := r.search(prompt)
		e := r.Evidence(&res, r.Top(&res, 20, nil))
		require.Equal(t, float64(1), e.Phrase, prompt)
		assert.Equal(t, 1, e.Quoted, prompt)
	}
}

// General words alone are a phrase if a skill quotes them; a single general word is not.
func TestPhraseOfGeneralWords(t *testing.T) {
	r := over(t, []catalog.Entry{skill("plainer", `Use when the user says "make this work nicely", "어색한 거 고쳐줘", "정리해줘" or "make".`, "")})
	for prompt, want := range map[string]int{"make this work nicely": 1, "어색한 거 고쳐줘": 2, "정리해줘": 0, "make": 0} {
		assert.Equal(t, want, len(r.search(prompt).Query.Phrases), prompt)
	}
}

// A trigger with a word that analysis drops matches a prompt that equals it.
func TestTriggerWithASyllableThatAnalysisDrops(t *testing.T) {
	skills := []catalog.Entry{skill("chat", `Sends. Use when the user says "챗 우표" or "왜 안 돼".`, "")}
	for _, name := range []string{"mail", "fax", "post"} {
		skills = append(skills, skill(name, `Brings. Use when the user says "우표".`, ""))
	}
	r := over(t, skills)
	for prompt, want := range map[string]int{"챗 우표": 1, "챗  우표?": 1, "우표": 4, "맥 우표": 4, "왜 안 돼": 0} {
		res := r.search(prompt)
		hits := r.Top(&res, 20, nil)
		assert.Equal(t, want, r.Evidence(&res, hits).Quoted, prompt)
		if want == 1 && r.top(prompt, 1)[0] != "chat" {
			t.Errorf("%q: first is %v, want chat", prompt, r.top(prompt, 1))
		}
	}
}

// Evidence is relative: it is about the same in a library twenty times as large.
func TestEvidenceIsRelative(t *testing.T) {
	few := []catalog.Entry{skill("sundials", "Mends sundials and clocks.", ""), skill("violins", "Tunes violins.", "")}
	many := few
	for i := range 40 {
		many = append(many, skill(fmt.Sprint("other", i), fmt.Sprintf("Does thing%d with part%d.", i, i), ""))
	}
	shares := [2]float64{}
	for i, skills := range [][]catalog.Entry{few, many} {
		r := over(t, skills)
		res := r.search("mend my sundials")
		e := r.Evidence(&res, r.Top(&res, 20, nil))
		if e.Met != 1 || e.Head != 1 || e.Known != 1 {
			t.Errorf("%d skills: met %v, head %v, known %v, want all 1", len(skills), e.Met, e.Head, e.Known)
		}
		shares[i] = e.Share
	}
	if d := shares[0] / shares[1]; d < 0.8 || d > 1.25 {
		t.Errorf("share of the ideal is %.2f among 2 skills and %.2f among 42, want about the same", shares[0], shares[1])
	}
	r := over(t, many)
	res := r.search("paint a zebra with sundials")
	e := r.Evidence(&res, r.Top(&res, 20, nil))
	require.LessOrEqual(t, e.Known, float64(0.6))
	assert.LessOrEqual(t, e.Met, float64(0.6))
	nothing := r.search("zebra")
	if e := r.Evidence(&nothing, nil); e.Share != 0 || e.Known != 0 || e.Asked <= 0 {
		t.Errorf("a prompt that no skill knows: %+v, want only Asked", e)
	}
}

// In a library of another language, a literal match counts more than a match in
// translation.
func TestLiteralWordsTellMoreAmongTranslations(t *testing.T) {
	skills := []catalog.Entry{skill("ko", "계약서를 검토하고 조항을 고친다.", "")}
	for i := range 30 {
		skills = append(skills, skill(fmt.Sprint("en", i), fmt.Sprintf("Review of contract%d: reviews a contract, a clause, contract reviews of kind%d.", i, i), ""))
	}
	r := over(t, skills)
	const prompt = "계약서 검토해줘"
	if got := r.top(prompt, 1); len(got) != 1 || got[0] != "ko" {
		t.Errorf("Top(%q) = %v, want ko", prompt, got)
	}
}

// A skill that quotes a phrase that everybody types gains nothing.
func TestWhatEverybodyTypesEarnsNothing(t *testing.T) {
	r := over(t, []catalog.Entry{skill("greedy", `Does it all. Use when the user says "ok", "go on", "fix the error", "다시 해줘", "계속해줘", "mend the sundial".`, "")})
	for prompt, want := range map[string]int{"ok": 0, "go on": 0, "fix the error": 0, "다시 해줘": 0, "계속해줘": 0, "mend the sundial": 1} {
		assert.Equal(t, want, len(r.search(prompt).Query.Phrases), prompt)
	}
	require.Equal(t, 0, len(commonHashes)%commonLine, "common.txt is not sorted lines of one length")
	assert.True(t, slices.IsSorted(strings.Split(strings.TrimSpace(commonHashes), "\n")))
}
