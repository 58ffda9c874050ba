package triage

import (
	"strings"
	"testing"
)

func longPrompt(n int) string {
	const notes = "배포 로그를 보면 결제 서버가 두 번 재시작했고, the retry queue kept growing until src/queue/worker.go gave up. 고객 문의는 주로 환불 지연에 대한 것이었습니다. "
	return "이 기록을 읽고 장애 보고서 초안을 작성해줘.\n" + strings.Repeat(notes, n/len(notes)+1)[:n]
}

func BenchmarkClassify(b *testing.B) {
	for _, bm := range []struct{ name, prompt string }{
		{"greeting", "안녕하세요, 잘 부탁드려요!"},
		{"request", "thanks, now review the login code for security holes and write a report"},
		{"10KB", longPrompt(10_000)},
		{"1MB", longPrompt(1_000_000)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(bm.prompt)))
			for b.Loop() {
				Classify(bm.prompt)
			}
		})
	}
}

func BenchmarkExplicit(b *testing.B) {
	names := map[string]bool{"pdf": true, "pr-review": true}
	prompt := longPrompt(10_000) + " pr-review 스킬로 봐줘"
	b.ReportAllocs()
	for b.Loop() {
		Explicit(prompt, func(s string) bool { return names[s] })
	}
}
