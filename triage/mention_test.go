package triage

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMention(t *testing.T) {
	asks := []string{
		"what is a bloom filter?", "what's CORS", "what does this flag do?", "what does idempotent mean?", "how does the garbage collector work?",
		"what's the difference between a mutex and a lock?", "why did you pick a queue here?", "so what is backpressure", "should i use redis here?",
		"who wrote this?", "CAP 정리가 뭐야?", "이 옵션 뭐 하는 거야?", "멱등성이 무슨 뜻이야", "웹소켓이란?", "스케줄러 어떻게 동작해?", "map이랑 dict 차이가 뭐야?",
		"リファクタリングとは何ですか？", "このエラーはどういう意味？",
		"왜 여기서 락을 썼어?", "고마워. 근데 이 함수가 뭐지?",
	}
	for _, s := range asks {
		assert.True(t, Mention(s), "Mention(%q) = false, want true", s)
	}
	works := []string{
		"", "議事録をまとめて", "write a report on CORS", "what's on my calendar tomorrow?", "what should we measure to know churn is falling?",
		"which plan is best for a team of five, compare them",
		"how do we move 40 services to arm without downtime?", "CAP 정리 설명하는 슬라이드 만들어줘", "왜 느린지 찾아서 고쳐줘", "이 로고 어떻게 바꾸면 좋을지 시안 세 개 뽑아줘",
		"what is wrong with our onboarding and how would you redesign the first three screens for people who never used a CRM before",
	}
	for _, s := range works {
		assert.False(t, Mention(s), "Mention(%q) = true, want false", s)
	}
}
