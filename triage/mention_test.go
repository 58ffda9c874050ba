package triage

import (
	"slices"
	"testing"
)

func TestMention(t *testing.T) {
	asks := []string{
		"what is a bloom filter?", "what's CORS", "what does this flag do?", "what does idempotent mean?", "how does the garbage collector work?",
		"what's the difference between a mutex and a lock?", "why did you pick a queue here?", "so what is backpressure", "should i use redis here?",
		"who wrote this?", "CAP 정리가 뭐야?", "이 옵션 뭐 하는 거야?", "멱등성이 무슨 뜻이야", "웹소켓이란?", "스케줄러 어떻게 동작해?", "map이랑 dict 차이가 뭐야?",
		"왜 여기서 락을 썼어?", "고마워. 근데 이 함수가 뭐지?",
	}
	for _, s := range asks {
		if !Mention(s) {
			t.Errorf("Mention(%q) = false, want true", s)
		}
	}
	works := []string{
		"", "write a report on CORS", "what's on my calendar tomorrow?", "what should we measure to know churn is falling?",
		"which plan is best for a team of five, compare them",
		"how do we move 40 services to arm without downtime?", "CAP 정리 설명하는 슬라이드 만들어줘", "왜 느린지 찾아서 고쳐줘", "이 로고 어떻게 바꾸면 좋을지 시안 세 개 뽑아줘",
		"what is wrong with our onboarding and how would you redesign the first three screens for people who never used a CRM before",
	}
	for _, s := range works {
		if Mention(s) {
			t.Errorf("Mention(%q) = true, want false", s)
		}
	}
}

func spanned(text string, spans []span) []string {
	var parts []string
	for _, s := range spans {
		parts = append(parts, text[s.Start:s.End])
	}
	return parts
}

func TestNegations(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"말고", "리액트 말고 뷰로 짜줘", []string{"리액트"}},
		{"말고 after a compound", "외부 결제 서비스 말고 자체 구현으로", []string{"외부 결제 서비스"}},
		{"glued 말고", "엑셀말고 노션에 정리해줘", []string{"엑셀"}},
		{"지 말고", "라이브러리 추가하지 말고 고쳐줘", []string{"라이브러리 추가하지"}},
		{"을 지 말고", "스키마를 바꾸지 말고 쿼리만 고쳐줘", []string{"스키마를 바꾸지"}},
		{"지 마", "테스트 파일은 건드리지 마", []string{"파일은 건드리지"}},
		{"way of working", "손으로 세지 말고 스크립트로 집계해줘", []string{"손으로"}},
		{"빼고", "표지 빼고 번역해줘", []string{"표지"}},
		{"거 빼고", "틀린 거 빼고 합쳐줘", []string{"틀린 거"}},
		{"없이", "자바스크립트 없이 메뉴 만들어줘", []string{"자바스크립트"}},
		{"대신", "메일 대신 슬랙으로 보내줘", []string{"메일"}},
		{"아니라", "요약이 아니라 전문 번역을 원해", []string{"요약이"}},
		{"not after a comma", "write it in kotlin, not java", []string{"java"}},
		{"without", "without changing the schema, speed up the query", []string{"changing the schema"}},
		{"instead of", "use vite instead of webpack", []string{"webpack"}},
		{"rather than", "a table rather than prose", []string{"prose"}},
		{"don't", "don't touch the public api", []string{"touch the public api"}},
		{"do not", "do not add dependencies, keep it small", []string{"add dependencies"}},
		{"except", "translate everything except the captions", []string{"the captions"}},
		{"don't want", "we don't want charts in the report", []string{"charts"}},
		{"no, at the start", "no frameworks: plain html please", []string{"frameworks"}},
		{"two of them", "not react, not vue", []string{"react", "vue"}},

		{"fault in Korean", "결제가 안 돼요 원인 찾아줘", nil},
		{"fault in English", "the upload button is not working", nil},
		{"reminder", "don't forget to update the docs", nil},
		{"telling", "we don't have a style guide, write one", nil},
		{"not only", "not just the summary but the full text", nil},
		{"answer", "no, take my version", nil},
		{"nothing negated", "표로 정리해줘", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := spanned(tt.text, negations(tt.text)); !slices.Equal(got, tt.want) {
				t.Errorf("negations(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}
