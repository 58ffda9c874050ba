package triage

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSteps(t *testing.T) {
	tests := []struct {
		name, prompt string
		want         []string
	}{
		{"numbered lines", "1. 고객 인터뷰 요약\n2. 페르소나 작성\n3. 발표자료 만들기", []string{"고객 인터뷰 요약", "페르소나 작성", "발표자료 만들기"}},
		{"numbers in one line", "1) review the schema 2) write the migration 3) test the rollback",
			[]string{"review the schema", "write the migration", "test the rollback"}},
		{"circled numbers", "① 로그 수집 ② 원인 분석 ③ 보고서 작성", []string{"로그 수집", "원인 분석", "보고서 작성"}},
		{"arrows", "녹음 전사 → 요약 → 영어로 번역", []string{"녹음 전사", "요약", "영어로 번역"}},
		{"ASCII arrows", "scrape listings -> translate titles -> plot prices", []string{"scrape listings", "translate titles", "plot prices"}},
		{"하고 between two crafts", "이 논문 요약하고 번역해줘", []string{"이 논문 요약하고", "번역해줘"}},
		{"하고 and a comma", "매장 데이터 정리하고, 발표용 한 장으로 만들어줘", []string{"매장 데이터 정리하고", "발표용 한 장으로 만들어줘"}},
		{"한 다음", "고객 후기 모은 다음 감성 분석해줘", []string{"고객 후기 모은 다음", "감성 분석해줘"}},
		{"한 뒤에", "설문 결과를 표로 만든 뒤에 팀에 공유해줘", []string{"설문 결과를 표로 만든 뒤에", "팀에 공유해줘"}},
		{"noun and 후", "코드 리뷰 후 배포해줘", []string{"코드 리뷰 후", "배포해줘"}},
		{"하고 나서", "경쟁사 조사하고 나서 가격 전략 짜줘", []string{"경쟁사 조사하고 나서", "가격 전략 짜줘"}},
		{"그 다음", "오류 로그 분석해줘 그 다음 장애 보고서 작성해줘", []string{"오류 로그 분석해줘", "장애 보고서 작성해줘"}},
		{"그리고 나서", "요구사항 정리해줘. 그리고 나서 설계 문서 써줘", []string{"요구사항 정리해줘.", "설계 문서 써줘"}},
		{"마지막으로", "번역 다듬고, 용어집 만들고, 마지막으로 위키에 올려줘", []string{"번역 다듬고", "용어집 만들고", "위키에 올려줘"}},
		{"two sentences", "API 문서화해줘. 그리고 테스트도 작성해줘", []string{"API 문서화해줘.", "그리고 테스트도 작성해줘"}},
		{"delivery beside other steps", "회의 녹음 받아적고, 요점 뽑아서 노션에 올려줘", []string{"회의 녹음 받아적고", "요점 뽑아서", "노션에 올려줘"}},
		{"then", "draft the press release then translate it into French", []string{"draft the press release", "translate it into French"}},
		{"and then", "research heat pumps and then write a buyer's guide", []string{"research heat pumps", "write a buyer's guide"}},
		{"first and then", "first audit the terraform, then deploy to the sandbox", []string{"first audit the terraform", "deploy to the sandbox"}},
		{"after that, finally", "benchmark both parsers. After that, write up the numbers, and finally post it to the wiki",
			[]string{"benchmark both parsers.", "write up the numbers", "post it to the wiki"}},
		{"list of verbs with and", "extract the tables, plot the trend and write a summary page",
			[]string{"extract the tables", "plot the trend", "write a summary page"}},
		{"two crafts with and", "summarize the thread and translate it to Japanese", []string{"summarize the thread", "translate it to Japanese"}},
		{"and also", "write unit tests, and also document the endpoints", []string{"write unit tests", "document the endpoints"}},
		{"mixed", "PR 리뷰하고, release note draft 써줘", []string{"PR 리뷰하고", "release note draft 써줘"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, Classify(tt.prompt).Steps)
		})
	}
}

func TestOneRequestIsNotSplit(t *testing.T) {
	tests := []struct{ name, prompt string }{
		{"noun pair", "bread and butter pudding recipe for twelve"},
		{"search and replace", "search and replace tool for markdown tables"},
		{"shared object", "design and write a landing page"},
		{"noun after and", "build a dashboard with alerts and test coverage"},
		{"migration arrow", "react 17 -> 18 upgrade"},
		{"format arrow", "xml -> json converter in go"},
		{"way of doing it", "엑셀 열어서 합계 틀린 데 찾아줘"},
		{"result of the work", "이 보고서 요약해서 표로 보여줘"},
		{"wish", "번역하고 싶은 문서가 있어"},
		{"going on", "배포하고 있는데 자꾸 멈춰, 원인 찾아줘"},
		{"without", "기존 코드는 건드리지 말고 어댑터만 새로 짜줘"},
		{"alternatives", "빈자리가 있으면 예약하고, 없으면 대기 걸어줘"},
		{"noun in 고", "광고, 홍보 문구 뽑아줘"},
		{"report in 보고", "월간 보고, 주간 보고 양식 통일해줘"},
		{"complaint", "업데이트 받고 나서 앱이 안 켜져요 원인 찾아주세요"},
		{"time after", "가입 후 일주일 동안 보낼 메일 시리즈 써줘"},
		{"describing clause", "로그를 모으고 분석하는 파이프라인 설계해줘"},
		{"how, at the end", "면접 질문 뽑아주고, 너무 어려운 건 넣지 말고"},
		{"quoted words", "'정리하고, 버린다'를 주제로 에세이 써줘"},
		{"list of facts", "write a spec. 1. users are guests 2. orders are final"},
		{"version numbers", "upgrade from 1.2 to 2.0 and list what breaks"},
		{"debugging chain", "reproduce the crash, fix it, then guard against it"},
		{"story", "Our shop sells tea. Every friday someone has to export the orders, mail them to the warehouse, and " +
			"update the sheet by hand, which takes hours and goes wrong"},
		{"one sentence", "계약서 초안 검토해줘"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Nil(t, Classify(tt.prompt).Steps)
		})
	}
}

func TestStepsAreAtMostSix(t *testing.T) {
	p := "자료 조사하고, 목차 잡고, 초안 쓰고, 그림 그리고, 번역하고, 검토하고, 조판하고, 인쇄소에 보내줘"
	if got := Classify(p).Steps; len(got) < 2 || len(got) > maxSteps {
		t.Errorf("Classify(%q).Steps = %q, want 2 to %d", p, got, maxSteps)
	}
}
