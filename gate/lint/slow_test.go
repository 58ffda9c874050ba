package lint

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestRepeatsAreLinear(t *testing.T) {
	const n = 60_000
	dir := t.TempDir() // without a folder, the rules on files do nothing
	head := "---\nname: pdf\ndescription: "
	for name, text := range map[string]string{
		"quotes":         head + strings.Repeat(`"`, n) + "\n---\n",
		"quoted words":   head + strings.Repeat(`"a b", `, n/7) + "\n---\n",
		"backquotes":     head + "x\n---\n" + strings.Repeat("`", n),
		"code spans":     head + "x\n---\n" + strings.Repeat("`` ` ", n/5),
		"links":          head + "x\n---\n" + strings.Repeat("[a](b)", n/6),
		"open links":     head + "x\n---\n" + strings.Repeat("](", n/2),
		"schemes":        head + "x\n---\n" + strings.Repeat("http://", n/7),
		"CRLF":           strings.ReplaceAll(head+"x\u200b\n---\n"+strings.Repeat("\n", n), "\n", "\r\n"),
		"hidden":         head + "x\n---\n" + strings.Repeat("a\u200b", n/4),
		"keys":           "---\n" + strings.Repeat("a: b\n", n/5) + "---\n",
		"different keys": "---\n" + manyKeys(n/8) + "---\n",
		"full stops":     head + strings.Repeat("A. ", n/3) + "\n---\n",
		"one word":       head + strings.Repeat("when ", n/5) + "\n---\n",
		"fences":         head + "x\n---\n" + strings.Repeat("```\n", n/4),
		"parentheses":    head + strings.Repeat("(", n) + "\n---\n",
		"refusals":       head + strings.Repeat("Do NOT use for x (use y). ", n/26) + "\n---\n",
		"anchors":        head + "x\n---\n" + strings.Repeat("[a](#axxx)\n", n/11),
		"comments":       head + "x\n---\n" + strings.Repeat("# skillgate-ignore SG507: x\n", n/28),
		"pages":          head + "x\n---\n" + strings.Repeat("see the `a.md` ", n/90),
		"page lines":     head + "x\n---\n" + strings.Repeat("see the `a.md`\n", n/15),
		"file names":     head + "x\n---\n" + strings.Repeat("references/a.md ", n/96),
		"homes":          head + "x\n---\n" + strings.Repeat("/home/kim/a.txt ", n/96),
		"projects":       head + "x\n---\n" + strings.Repeat("~/code/a.txt ", n/13),
		"own projects":   head + "x\n---\n" + strings.Repeat("read ~/code/a.txt ", n/108),
		"packages":       head + "x\n---\npip install " + strings.Repeat("requestss ", n/10),
		"skills":         head + "x\n---\n" + strings.ReplaceAll(manyKeys(n/40), ": b\n", "` skill. Use the `to-"),
		"siblings":       head + "x\n---\n" + strings.Repeat("`../arp/a.md` ", n/84),
	} {
		t.Run(name, func(t *testing.T) {
			// The limit is relative to plain text, measured at the same moment,
			// since the machine may be slow or busy.
			plain := head + "x\n---\n" + strings.Repeat("Some words.\n", n/12)
			least := math.Inf(1)
			for range 5 {
				least = min(least, float64(lintTime(dir, text))/float64(lintTime(dir, plain)))
				if least <= 60 {
					return
				}
			}
			t.Errorf("%d kB of %s took %.0f times as long as 60 kB of plain text", len(text)>>10, name, least)
		})
	}
}

func lintTime(dir, text string) time.Duration {
	start := time.Now()
	s := FromText("pdf", "pdf/SKILL.md", []byte(text))
	s.Dir = dir
	res := Run(NewLibrary([]*Skill{s}, []string{"en", "ko"}), Options{})
	Apply(s.Src.Text, res.Findings)
	return time.Since(start)
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("k" + strings.Repeat("x", i%3) + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676%26)) + ": b\n")
	}
	return b.String()
}
