package lang

import "github.com/skillgate/skillgate/synonyms/lang/script"

// Korean describes the Korean language, except for its words.
var Korean = Language{Code: "ko", Name: "Korean", Script: script.Hangul, ScriptName: "Hangul", VerbLast: true,
	Usage: koreanUsage,
	Says:  "%s 같은 요청에 사용한다.", Not: "%s에는 사용하지 않는다.", NotUse: "%s에는 사용하지 않는다(%s 사용)."}

const koreanUsage = `(때|경우|시|하면|이면|다면|면|거나)(에|에는|마다|만|라도)?[\s,]*(반드시 ` +
	`|이 스킬을 |스킬을 |꼭 |자동 |자동으로 )?(사용|활용|쓴다|쓰세요|쓰는|씁니다|호출|실행|발동|트리거|동작|적용|활성화)|` +
	`(물어보|물어볼|물으|질문|요청|부탁|말하|말할|언급|필요|원하|원할` +
	`|싶)[가-힣]*\s*(때|면|시|경우)|(요청|질문|필요|언급|문의) ?시\b|` +
	`(때|경우)(에|에는)? (사용|활용|쓴|쓰)|[가-힣](할|볼|쓸|낼|줄|을|를|는|은|될|릴|칠) 때\b|` +
	`(한국어|한글|영어)?\s*(트리거|호출어|키워드)[^:：\n]{0,12}[:：]|용도로? (사용|쓴|쓰)` +
	`|에 사용(한다|합니다|하세요|됩니다)|(요청|질문|작업|표현|업무)(들)?(이 나오면|에|에서|으로)?( 전반)?(에서|에|으로|도)? ?` +
	`(자동으로 )?(사용|활용|반응|발동|동작|트리거|쓴다|씁니다)`
