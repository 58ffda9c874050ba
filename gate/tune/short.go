package tune

// Short are requests of a few words that a skill is for, as people type them who
// know what they want. Any library of a thousand skills has something for them.
var Short = []string{
	"make a deck", "security audit please", "write release notes", "review my PR", "summarize this paper", "draft a contract", "SEO audit",
	"competitor analysis", "write a blog post", "translate this document", "make an infographic", "generate unit tests", "plan a sprint",
	"write a PRD", "do market research", "build a dashboard", "accessibility check", "optimize this SQL query", "make a landing page",
	"transcribe this meeting", "write a press release", "threat model this service", "stock analysis for Samsung", "design a logo",
	"onboarding plan for a new hire", "terraform module for a VPC", "kubernetes troubleshooting", "incident postmortem", "user interview script",
	"pricing strategy", "weekly status report", "patent search", "fact check this article", "fill out this PDF form", "cold email campaign",
	"convert this to docx", "performance profiling", "data pipeline review", "newsletter draft", "video script for youtube",
	"보안 감사 돌려줘", "발표자료 만들어줘", "릴리스 노트 써줘", "PR 리뷰 부탁",
	"논문 요약해줘", "계약서 검토", "경쟁사 분석", "블로그 글 써줘", "회의록 정리해줘",
	"시장 조사 해줘", "대시보드 만들어줘", "접근성 점검", "쿼리 튜닝 좀",
	"랜딩페이지 만들어줘", "보도자료 초안", "위협 모델링 해줘", "종목 분석해줘",
	"로고 디자인",
	"신입 온보딩 계획", "테라폼 모듈 작성", "쿠버네티스 장애 분석", "장애 회고 작성",
	"인터뷰 질문지 만들어줘", "가격 전략 세워줘", "주간 보고서", "특허 조사",
	"기사 팩트체크", "PDF 양식 채워줘", "콜드메일 작성", "워드로 변환해줘",
	"성능 프로파일링", "뉴스레터 초안", "유튜브 대본 써줘", "PRD 작성해줘",
	"엑셀로 매출 분석",
	"카드뉴스 만들어줘", "번역해줘 영어로", "코드 리뷰 해줘", "이력서 첨삭", "SEO 점검해줘",
}
