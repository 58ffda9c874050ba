package catalog

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSaid(t *testing.T) {
	const does = "PDF 양식을 채운다. "
	tests := []struct{ name, description, want string }{
		{"requests in general", does + `"양식 채워줘", "서명 넣어줘" 같은 요청 전반에서 사용한다.`, "양식 채워줘"},
		{"an expression that comes up", does + `"양식 채워줘"와 같은 표현이 나오면 자동으로 발동합니다.`, "양식 채워줘"},
		{"not only requests", does + `"양식 채워줘", "서명 넣어줘" 같은 요청뿐 아니라 스캔본을 옮겨 적는 일에도 사용한다.`, "서명 넣어줘"},
		{"the following cases", does + `다음 경우에만 사용한다 — 빈 양식을 받았을 때("양식 채워줘"), 서명란이 있을 때("서명 넣어줘").`, "서명 넣어줘"},
		{"reacts to requests", does + `"양식 채워줘" 요청에 반응한다.`, "양식 채워줘"},
		{"said so", does + `사용자가 "서식 좀 만들어줘"처럼 말할 때 쓴다.`, "서식 좀 만들어줘"},
		{"words that come up", does + `"빈칸 채워줘"라는 말이 나오면 이 스킬을 쓴다.`, "빈칸 채워줘"},
		{"a kind of request", does + `"양식 채워줘" 류의 요청이 들어오면 실행.`, "양식 채워줘"},
		{"for example", does + `예: "양식 채워줘", "서명 넣어줘".`, "서명 넣어줘"},
		{"examples of requests", does + `요청 예시: "양식 채워줘", "서명 넣어줘"`, "양식 채워줘"},
		{"typed so", does + `"양식 채워줘"라고 입력하면 동작합니다.`, "양식 채워줘"},

		{"English, requests like", `Fills in PDF forms. For requests like "fill in this form" or "sign the PDF".`, "sign the PDF"},
		{"English, examples", `Fills in PDF forms. Examples: "fill in this form", "sign the PDF".`, "fill in this form"},
		{"English, such as", `Fills in PDF forms. Handles requests such as "fill in this form".`, "fill in this form"},

		{"Japanese, scenes", "PDFフォームに記入する。使用場面：申請書の記入、署名欄の追加。", "申請書の記入"},
		{"Japanese, requests such as", "PDFフォームに記入する。「フォームに記入して」「署名して」などの依頼で使用する。", "署名して"},
		{"Japanese, an expression", "PDFフォームに記入する。「フォームに記入して」といった表現が出たら発動する。", "フォームに記入して"},
		{"Japanese, always then", "PDFフォームに記入する。「フォームに記入して」「署名して」では必ず使う。", "署名して"},
		{"Japanese, for example", "PDFフォームに記入する。例：「フォームに記入して」「署名して」", "署名して"},
	}
	for _, tt := range tests {
		assert.Contains(t, Said(tt.description, ""), tt.want, tt.name)
	}
}

func TestNotSaid(t *testing.T) {
	for _, description := range []string{
		`PDF 양식을 채운다. 결과는 "채워진 양식" 폴더에 둔다.`,
		`Fills in PDF forms. Writes "done" into the last field.`,
		"PDFフォームに記入する。結果は「完了」フォルダーに置く。",
	} {
		assert.Empty(t, Said(description, ""), description)
	}
}
